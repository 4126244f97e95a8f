/* A linalg.generic that runs: one point after the other (linalg.c), or one op of the body for many
 * points at a time (linalg_rows.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_GENERIC_H
#define QN_EVAL_GENERIC_H

#include "eval/eval_op.h"
#include "ir/ops/linalg.h"
#include "ir/reduction.h"

typedef struct qn_generic {
  const qn_op *op;
  uint32_t loops, inputs;
  int64_t *ranges, *point; /* [loops]; the point is 0 everywhere before and after a run */
  /* QN_REDUCTION_LANES accumulators of an output element; NULL: reduces in order */
  qn_rt_value *lanes;
  uint32_t reduced; /* first loop that is reduced in lanes */
} qn_generic;

/* The value of an operand: an input, or the result, which starts as a copy of the output's initial
 * value. */
qn_rt_value *qn_generic_side(qn_eval *ev, const qn_generic *g, uint32_t operand);
/* The address of the operand's element at the current point; reports positions out of range. */
QN_NODISCARD qn_status qn_generic_locate(qn_eval *ev, const qn_generic *g, uint32_t operand,
                                         uint8_t **out_at);
/* The next point in row-major order of all loops but those from `first` to `last`; false after the
 * last point, when they are 0 again. */
bool qn_generic_advance(const qn_generic *g, uint32_t first, uint32_t last);
/* Whether the reduced loops are at their first point, or (`end`) at their last. */
bool qn_generic_stands_at(const qn_generic *g, bool end);
/* Combines lane i with lane i + half until one is left, then that lane with the output's element at
 * the current point. */
QN_NODISCARD qn_status qn_generic_join_lanes(qn_eval *ev, const qn_generic *g);

/* Runs the whole iteration space, with the results of the pointwise run. `*out_done` = false:
 * nothing was done, because the body or its maps are not suitable or the points are too few. */
QN_NODISCARD qn_status qn_generic_run_rows(qn_eval *ev, qn_generic *g, bool *out_done);

#endif
