/* What the verifiers of ops share: complaints in MLIR's style and tests of types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CHECK_H
#define QN_IR_CHECK_H

#include "ir/op_attrs.h"

/* Reports "'dialect.op' op <text>" at the op; returns false, so that a verifier ends with it. */
bool qn_op_complain(qn_ir_context *cx, const qn_op *op, const char *format, ...) QN_PRINTF(3, 4);

/* The type in quotes, for a "%s" of qn_op_complain. Lives until the op has been verified. */
const char *qn_type_quoted(qn_ir_context *cx, const qn_type *type);

/* Complain when the type of an operand or result is not what `is` wants, in words `what`. */
typedef bool qn_type_test(const qn_type *type);
bool qn_check_operand(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                      const char *what);
bool qn_check_result(qn_ir_context *cx, const qn_op *op, uint32_t i, qn_type_test *is,
                     const char *what);
/* Checks all operands from `first` on: "variadic of <what>". */
bool qn_check_operands_from(qn_ir_context *cx, const qn_op *op, uint32_t first, qn_type_test *is,
                            const char *what);
/* Whether "operandSegmentSizes" has `count` sizes that add up to the operands; complains if not. */
bool qn_check_segments(qn_ir_context *cx, const qn_op *op, uint32_t count);

bool qn_is_index(const qn_type *type);
bool qn_is_tensor(const qn_type *type);
bool qn_is_ranked_tensor(const qn_type *type);
/* Scalars both, or one container kind with the same dimensions. */
bool qn_same_shape(const qn_type *a, const qn_type *b);
/* Signless integer or index; float. Tests the type itself, not its element. */
bool qn_is_signless(const qn_type *type);
bool qn_is_float(const qn_type *type);
/* Signless integer of that width. */
bool qn_is_i(const qn_type *type, uint32_t width);
/* A vector of one static dimension. */
bool qn_is_vector_1d(const qn_type *type);
/* Width in bits of an integer or float; 0 for others. */
uint32_t qn_bit_width(const qn_type *scalar);
/* Whether the payload or value of the attribute has exactly the type. */
bool qn_attr_has_type(const qn_attr *attr, const qn_type *type);

#endif
