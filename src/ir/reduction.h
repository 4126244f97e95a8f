/* The order in which a linalg.generic reduces; every engine follows it.
 *
 * In order: the iteration space is walked row-major, and the body is applied to an output's element
 * point by point. Matrix products and windows, whose points share an input, reduce this way.
 *
 * In lanes: vectors of consecutive elements are reduced. Element i along the last loop is combined
 * with lane i mod QN_REDUCTION_LANES; the lanes continue through the other trailing loops that no
 * output depends on. Then lane i is combined with lane i + 8, + 4, + 2, + 1, and the remaining one
 * with the output's element:
 *   acc + ((((x0 + x8) + (x4 + x12)) + ((x2 + x10) + (x6 + x14))) + (((x1 + x9) + ...) + ...))
 * An empty lane holds the neutral element (of addf: -0.0), which changes no value.
 *
 * A linalg.generic reduces in lanes if
 *   - it has one output, and the last loop is a reduction that the output does not depend on;
 *   - the body is join(acc, value) or join(value, acc), where join is addf, mulf, a maximum or
 *     minimum, or a similar integer op, and nothing else reads acc;
 *   - inputs that depend on the last loop have it as their last dimension;
 *   - and one input depends on all loops, each in a dimension of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_REDUCTION_H
#define QN_IR_REDUCTION_H

#include "ir/context.h"
#include "ir/op.h"

enum { QN_REDUCTION_LANES = 16 }; /* a power of two */

bool qn_reduces_in_lanes(const qn_op *generic);
/* The first of the trailing loops that no output depends on. */
uint32_t qn_reduction_first(const qn_op *generic);

/* The op with which a reduction in lanes combines values. */
typedef struct qn_join {
  const qn_op *op;
  uint32_t value; /* index of its operand that is the new value; the other one is acc */
} qn_join;
qn_join qn_reduction_join(const qn_op *generic);

/* The neutral element of a join: `f` for floats, `i` (sign-extended) for integers. */
typedef struct qn_neutral {
  double f;
  int64_t i;
} qn_neutral;
qn_neutral qn_join_neutral(const qn_join *join);

#endif
