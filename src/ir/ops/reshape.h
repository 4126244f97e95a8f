/* The open size of a tensor.reshape: in a constant shape, -1 stands for the size that follows from
 * the number of elements. Sizes computed at run time have no such value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_RESHAPE_H
#define QN_IR_OPS_RESHAPE_H

#include "ir/op.h"

enum { QN_OPEN_SIZE = -1 };

/* Whether the shape operand is constant, so that it may contain -1. */
static inline bool qn_reshape_shape_is_constant(const qn_op *reshape) {
  return qn_value_constant(qn_op_operand(reshape, 1)) != NULL;
}
/* Whether dimension `dim` of the shape is -1. */
static inline bool qn_reshape_leaves_open(const qn_op *reshape, int64_t dim) {
  const qn_attr *shape = qn_value_literal(qn_op_operand(reshape, 1));
  if (!shape) return qn_reshape_shape_is_constant(reshape);
  return qn_dense_int(shape, dim) == QN_OPEN_SIZE;
}

#endif
