/* The order in which a linalg.generic reduces, for every engine that runs one.
 *
 * In order: the iteration space is walked row-major and the body is applied to an output's element
 * point by point. Products of matrices and windows, whose points an input shares, are like that.
 *
 * In lanes, where vectors of consecutive elements are reduced: number i along the last loop is
 * joined to lane i mod QN_REDUCTION_LANES, the lanes run on through the other trailing loops that
 * no output mentions, then lane i joins lane i + 8, + 4, + 2, + 1, and what remains is joined to
 * the output's element: acc + ((((x0 + x8) + (x4 + x12)) + ((x2 + x10) + (x6 + x14))) + (((x1 + x9)
 * + ...) + ...)) An empty lane holds the neutral element (of addf, -0.0), which no number notices.
 * It is so when
 *   - there is one output, and the last loop is a reduction that it does not mention;
 *   - the body is join(acc, value) or join(value, acc), join is addf, mulf or a maximum or minimum
 *     or the like of integers, and nothing else reads acc;
 *   - inputs that the last loop walks have it as their last dimension;
 *   - and one input is walked by all loops, each alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_REDUCTION_H
#define QN_IR_REDUCTION_H

#include "ir/context.h"
#include "ir/op.h"

enum { QN_REDUCTION_LANES = 16 }; /* a power of two */

bool qn_reduces_in_lanes(const qn_op *generic);
/* The first of the trailing loops that no output mentions: they see one element of each. */
uint32_t qn_reduction_first(const qn_op *generic);

/* How one that reduces in lanes joins numbers. */
typedef struct qn_join {
  const qn_op *op;
  uint32_t value; /* its operand that is the new number; the other one is acc */
} qn_join;
qn_join qn_reduction_join(const qn_op *generic);

/* The element that a join leaves as it is: of floats `f`, of integers `i`, sign-extended. */
typedef struct qn_neutral {
  double f;
  int64_t i;
} qn_neutral;
qn_neutral qn_join_neutral(const qn_join *join);

#endif
