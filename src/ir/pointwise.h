/* Pointwise ops: each result element is a function of the operands' elements at the same position.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_POINTWISE_H
#define QN_IR_POINTWISE_H

#include "ir/op.h"

/* The part of an operand that an op reads for one element of its result. */
typedef enum qn_pointwise_role {
  QN_POINTWISE_NOT,     /* anything else: the op is not pointwise */
  QN_POINTWISE_ELEMENT, /* the element at the same position of a tensor of equal shape */
  QN_POINTWISE_UNIFORM, /* a constant whose elements are all equal */
  QN_POINTWISE_TABLE,   /* a constant that is read as a whole */
  QN_POINTWISE_IGNORED  /* nothing */
} qn_pointwise_role;

qn_pointwise_role qn_pointwise_role_of(const qn_op *op, uint32_t operand);
/* Whether no operand has the role QN_POINTWISE_NOT: a pure op with one result. */
bool qn_is_pointwise(const qn_op *op);
/* Whether a linalg.generic computes its one result element by element: parallel loops, no index, no
 * value from outside of the body but scalar constants, an output that is only written, in order. */
bool qn_is_pointwise_generic(const qn_op *op);

#endif
