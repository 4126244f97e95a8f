/* Shared functions of the verifiers of ops: error messages in MLIR's style, and tests of types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CHECK_H
#define QN_IR_CHECK_H

#include "ir/op_attrs.h"

/* Reports "'dialect.op' op <text>" at the op. Returns false, so that a verifier can return the
 * result. */
bool qn_op_complain(qn_ir_context *cx, const qn_op *op, const char *format, ...) QN_PRINTF(3, 4);

/* The type in quotes, for a "%s" of qn_op_complain. Valid until the op has been verified. */
const char *qn_type_quoted(qn_ir_context *cx, const qn_type *type);

/* Report an error if the type of an operand or result does not satisfy `is`, which the message
 * describes as `what`. */
typedef bool qn_type_test(const qn_type *type);
bool qn_check_operand(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                      const char *what);
bool qn_check_result(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                     const char *what);
/* Checks all operands from `first` on; the message has "variadic of <what>". */
bool qn_check_operands_from(qn_ir_context *cx, const qn_op *op, uint32_t first, qn_type_test *is,
                            const char *what);
/* Whether "operandSegmentSizes" has `count` sizes whose sum is the number of operands; reports an
 * error if not. */
bool qn_check_segments(qn_ir_context *cx, const qn_op *op, uint32_t count);

bool qn_is_index(const qn_type *type);
bool qn_is_tensor(const qn_type *type);
bool qn_is_ranked_tensor(const qn_type *type);
/* Whether both are scalars, or the same kind of container with the same dimensions. */
bool qn_same_shape(const qn_type *a, const qn_type *b);
/* Whether the type is a signless integer or index; whether it is a float. An element type is not
 * considered. */
bool qn_is_signless(const qn_type *type);
bool qn_is_float(const qn_type *type);
/* Whether the type is a signless integer of that width. */
bool qn_is_i(const qn_type *type, uint32_t width);
/* Whether the type is a vector of one static dimension. */
bool qn_is_vector_1d(const qn_type *type);
/* Width in bits of an integer or float; 0 for others. */
uint32_t qn_bit_width(const qn_type *scalar);
/* Whether the payload or value of the attribute has exactly the type. */
bool qn_attr_has_type(const qn_attr *attr, const qn_type *type);

#endif
