/* Which points of a linalg.generic run at a time: those along one parallel loop, or along several
 * whose elements follow each other in all operands. A reduction of everything in lanes has no such
 * loop: there they are the lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_GENERIC_POINTS_H
#define QN_EVAL_GENERIC_POINTS_H

#include "eval/ops/generic.h"

typedef struct qn_generic_points {
  uint32_t first, along; /* the loops of the points: from `first` to `along`, the innermost */
  int64_t width, range;  /* points at a time, of these loops */
  bool lanes_along;      /* the points are the lanes of a reduction */
} qn_generic_points;

/* Limits of the bodies that run so: ops, and operands of an op of arith or math. */
enum { QN_POINTS_MOST_BODY_OPS = 256, QN_POINTS_MOST_OPERANDS = 3 };

/* False if the body or its maps are not suitable, or the points too few. */
bool qn_generic_choose_points(qn_eval *ev, const qn_generic *g, qn_generic_points *out);
/* The distance between the operand's elements of two neighboring points along the loop, in
 * elements; false if it is not constant. */
bool qn_generic_stride(qn_eval *ev, const qn_generic *g, uint32_t operand, uint32_t loop,
                       int64_t *out);

#endif
