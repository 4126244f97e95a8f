/* Verifiers of ml constants and of data movement ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

bool qn_verify_ml_const(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  const qn_type *type = qn_ml_out(op);
  if (qn_attr_is_shaped(value)) {
    if (value->type == type) return true;
    /* Storage values of a quantized type: signless, or with its sign. */
    const qn_quant_uniform *q = qn_type_quant(type);
    const qn_type *element = qn_type_element(value->type);
    bool stored = q && qn_type_is_int(element, q->storage->integer.width);
    if (stored && value->type->kind == QN_TYPE_TENSOR && qn_same_shape(value->type, type)) {
      return true;
    }
  }
  return qn_op_complain(cx, op, "value must be dense elements of the result type or its storage");
}

static bool check_storage(qn_ir_context *cx, const qn_op *op, const qn_type *a, const qn_type *b) {
  if (qn_ml_same_storage(a, b)) return true;
  return qn_op_complain(cx, op, "moves elements of %s to %s", qn_type_quoted(cx, a),
                        qn_type_quoted(cx, b));
}

/* Checks tensors, and equal storage of the first operand and the first result. */
static bool check_unary(qn_ir_context *cx, const qn_op *op) {
  return qn_ml_tensors(cx, op) && check_storage(cx, op, qn_ml_in(op, 0), qn_ml_out(op));
}

bool qn_verify_ml_reshape(qn_ir_context *cx, const qn_op *op) {
  if (!check_unary(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_out(op);
  if (qn_type_elements(x) == qn_type_elements(y)) return true;
  return qn_op_complain(cx, op, "has %lld elements as operand, but %lld as result",
                        (long long)qn_type_elements(x), (long long)qn_type_elements(y));
}

bool qn_verify_ml_movement(qn_ir_context *cx, const qn_op *op) {
  return check_unary(cx, op) && qn_check_inferred(cx, op);
}

bool qn_verify_ml_pad(qn_ir_context *cx, const qn_op *op) {
  if (!qn_verify_ml_movement(cx, op)) return false;
  if (qn_op_find(op, QN_A_PAD_REAL)) {
    if (qn_type_element(op->results[0].type)->kind != QN_TYPE_FLOAT)
      return qn_op_complain(cx, op, "has a real_value, but no floats");
    if (qn_op_find(op, QN_A_PAD_VALUE))
      return qn_op_complain(cx, op, "has both a value and a real_value");
    return true;
  }
  int64_t value = qn_op_pad_value(op);
  if (value >= INT32_MIN && value <= INT32_MAX) return true;
  return qn_op_complain(cx, op, "pads with %lld, which is not stored in 32 bits", (long long)value);
}

bool qn_verify_ml_rows_to_depth(qn_ir_context *cx, const qn_op *op) {
  if (!qn_verify_ml_movement(cx, op)) return false;
  const qn_type *element = qn_type_element(qn_ml_in(op, 0));
  if (!qn_type_is_int(element, 8))
    return qn_op_complain(cx, op, "moves bytes, but got %s", qn_type_quoted(cx, qn_ml_in(op, 0)));
  int64_t value = qn_op_pad_value(op), least = qn_type_is_unsigned(element) ? 0 : INT8_MIN;
  if (value >= least && value <= least + UINT8_MAX) return true;
  return qn_op_complain(cx, op, "pads with %lld, which is not a value of %s", (long long)value,
                        qn_type_quoted(cx, element));
}

/* ---- joining and cutting along an axis ---- */

/* The op's axis, which must be valid for `type`; -1 if reported. */
static int64_t axis_of(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  int64_t axis = qn_op_axis(op);
  if (axis >= 0 && axis < type->shaped.rank) return axis;
  qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  return -1;
}

/* Checks that storage and all dimensions except the axis agree, and adds the axis size to *sum. */
static bool check_part(qn_ir_context *cx, const qn_op *op, const qn_type *whole,
                       const qn_type *part, int64_t axis, int64_t *sum) {
  if (!check_storage(cx, op, part, whole)) return false;
  bool ok = part->shaped.rank == whole->shaped.rank;
  for (uint32_t i = 0; ok && i < part->shaped.rank; i++) {
    ok = (int64_t)i == axis || part->shaped.dims[i] == whole->shaped.dims[i];
  }
  if (!ok) {
    return qn_op_complain(cx, op, "%s and %s differ in more than the axis",
                          qn_type_quoted(cx, part), qn_type_quoted(cx, whole));
  }
  *sum += part->shaped.dims[axis];
  return true;
}

static bool check_sum(qn_ir_context *cx, const qn_op *op, int64_t sum, int64_t whole) {
  if (sum == whole) return true;
  return qn_op_complain(cx, op, "has parts of %lld along the axis, but the whole is %lld",
                        (long long)sum, (long long)whole);
}

bool qn_verify_ml_concat(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!check_storage(cx, op, qn_ml_in(op, i), qn_ml_out(op))) return false;
  return qn_check_inferred(cx, op);
}

bool qn_verify_ml_split(qn_ir_context *cx, const qn_op *op) {
  if (op->result_count == 0) return qn_op_complain(cx, op, "requires a result");
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *whole = qn_ml_in(op, 0);
  int64_t sum = 0, axis = axis_of(cx, op, whole);
  if (axis < 0) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (!check_part(cx, op, whole, op->results[i].type, axis, &sum)) return false;
  }
  return check_sum(cx, op, sum, whole->shaped.dims[axis]);
}
