/* Helpers of the verifiers of the ml dialect. All of them start with qn_ml_tensors. The structural
 * verifier has already bounded the bytes of every tensor, and no dimension is 0, so every dimension
 * and product of dimensions fits 32 bits and the arithmetic after it cannot overflow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_ML_H
#define QN_IR_OPS_ML_H

#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

enum { QN_ML_MAX_RANK = 16 };
/* Maximum length of a row that is scanned once per element. */
enum { QN_ML_LONGEST_ROW = 1 << 14 };
/* Maximum boxes of non-maximum suppression, which is quadratic. */
enum { QN_ML_MOST_BOXES = 1 << 8 };

/* Checks that every operand and result is a tensor of at most QN_ML_MAX_RANK static dimensions,
 * none of them 0 (constants may have no elements), with elements of 1, 8, 16, 32 or 64-bit
 * integers, f16 to f64, or uniformly quantized with parameters that fit the shape. */
bool qn_ml_tensors(qn_ir_context *cx, const qn_op *op);
/* Whether the tensor's shape satisfies qn_ml_tensors. */
bool qn_ml_is_shape(const qn_type *tensor);
/* Whether an ml.const can have this type: shape, elements and quantization parameters satisfy
 * qn_ml_tensors. */
bool qn_ml_holds(const qn_type *type);

static inline const qn_type *qn_ml_in(const qn_op *op, uint32_t i) {
  return qn_op_operand(op, i)->type;
}
static inline const qn_type *qn_ml_out(const qn_op *op) { return op->results[0].type; }

/* Reports an error unless the attribute has `count` values. */
bool qn_ml_i64s(qn_ir_context *cx, const qn_op *op, qn_attr_id id, uint32_t count);
/* Checks the attributes that integer forms share, beyond their declarations: min <= max within the
 * result's storage, positive scales. */
bool qn_ml_scalars(qn_ir_context *cx, const qn_op *op);
/* Checks that an op with one multiplier for all elements rounds "double" or "once". */
bool qn_ml_double_or_once(qn_ir_context *cx, const qn_op *op);

/* Whether data movement may keep stored values: equal bits, and both quantized with equal
 * signedness, both integer or both float. */
bool qn_ml_same_storage(const qn_type *a, const qn_type *b);
bool qn_ml_is_8bit(const qn_type *type);
/* Whether elements are stored in 8, 16 or 32 bits. */
bool qn_ml_is_stored(const qn_type *type);

#endif
