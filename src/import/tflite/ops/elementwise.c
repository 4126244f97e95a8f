/* ADD, SUB, MUL; LOGISTIC, TANH, RELU, RELU6.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/ops/add.h"

bool qn_tflite_broadcast(qn_tflite_op *op, const qn_tflite_tensor *a, const qn_tflite_tensor *b,
                         qn_tflite_shape *out) {
  const qn_tflite_shape *longer = a->shape.rank >= b->shape.rank ? &a->shape : &b->shape;
  const qn_tflite_shape *shorter = longer == &a->shape ? &b->shape : &a->shape;
  *out = *longer;
  uint32_t lead = longer->rank - shorter->rank;
  for (uint32_t i = 0; i < shorter->rank; i++) {
    int64_t x = longer->dims[lead + i], y = shorter->dims[i];
    if (x == y || y == 1) continue;
    if (x != 1) {
      qn_str ta = qn_tflite_shape_text(op->im, &a->shape),
             tb = qn_tflite_shape_text(op->im, &b->shape);
      return qn_tflite_error(op, b, QN_INVALID, "shapes %.*s and %.*s cannot be broadcast",
                             QN_STR_ARG(ta), QN_STR_ARG(tb));
    }
    out->dims[lead + i] = y;
  }
  return true;
}

void qn_tflite_import_binary(qn_tflite_op *op) {
  qn_tflite_tensor *a = qn_tflite_input(op, 0), *b = qn_tflite_input(op, 1),
                   *y = qn_tflite_output(op, 0);
  if (op->failed) return;
  const qn_attr *activation;
  qn_tflite_shape shape;
  bool whole = a->dtype == QN_TFLITE_INT32 || a->dtype == QN_TFLITE_INT64;
  if (!(whole ? qn_tflite_movable(op, a, b) && qn_tflite_movable(op, a, y)
              : qn_tflite_matching(op, a, b, false) && qn_tflite_matching(op, a, y, false)) ||
      !qn_tflite_broadcast(op, a, b, &shape) || !qn_tflite_fused(op, &activation))
    return;
  qn_value *operands[2] = {qn_tflite_value(op, a), qn_tflite_value(op, b)};
  if (op->failed) return;
  bool is_sum = op->code->builtin->kind == QN_OP_ML_ADD, is_unsigned = a->dtype == QN_TFLITE_UINT8;
  if (is_sum && a->dtype == QN_TFLITE_INT32 && !op->im->profile->clamped_sum32) activation = NULL;
  if (is_sum && (is_unsigned || a->dtype == QN_TFLITE_INT8) && op->im->profile->add8_by_place) {
    qn_tflite_build_add8(op, operands, is_unsigned, activation, &shape);
    return;
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "activation", activation);
  qn_tflite_build(op, op->code->builtin->kind, operands, 2, &attrs, &shape);
}

void qn_tflite_import_unary(qn_tflite_op *op) {
  qn_tflite_tensor *x = qn_tflite_input(op, 0), *y = qn_tflite_output(op, 0);
  if (op->failed || !qn_tflite_matching(op, x, y, false)) return;
  qn_value *value = qn_tflite_value(op, x);
  qn_tflite_attrs attrs = {0};
  qn_tflite_shape shape = x->shape;
  if (value) qn_tflite_build(op, op->code->builtin->kind, &value, 1, &attrs, &shape);
}
