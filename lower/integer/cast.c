/* The quant dialect's casts: between float and 8-bit storage they compute, between storage and
 * quantized type they are only types (spec "tflite numerics" 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

static bool is_f32(qn_integer *in, const qn_op *op, const qn_value *value) {
  if (qn_type_is_float(qn_type_element(value->type), QN_F32)) return true;
  (void)qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                 "'%.*s' has no integer form: the float side is not f32", QN_STR_ARG(op->name));
  return false;
}

/* The float formulas work on the scale in single precision. */
static const qn_attr *scale_attr(const qn_integer *in, const qn_quant8 *q) {
  return qn_attr_float(in->cx, (double)(float)q->affine.scale, qn_type_float(in->cx, QN_F32));
}

qn_status qn_integer_quant_qcast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  qn_quant8 q;
  if (!is_f32(in, op, x) || !qn_integer_quant8(in, op, y, "the result", &q)) return QN_UNSUPPORTED;
  qn_builder b = qn_builder_before(in->module, op);
  const qn_attr *rounding = qn_attr_string(in->cx, qn_str_of(qn_rounding_name(in->rounding)));
  qn_integer_replace(in, op,
                     qn_build_1(&b, QN_OP_ML_QUANTIZE_FLOAT, y->type, QN_VALUES(x),
                                QN_ATTRS({"scale", scale_attr(in, &q)},
                                         {"zero_point", qn_integer_i64(in, q.affine.zero_point)},
                                         {"min", qn_integer_i64(in, q.affine.min)},
                                         {"max", qn_integer_i64(in, q.affine.max)},
                                         {"rounding", rounding})));
  return QN_OK;
}

qn_status qn_integer_quant_dcast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  qn_quant8 q;
  if (!is_f32(in, op, y) || !qn_integer_quant8(in, op, x, "the input", &q)) return QN_UNSUPPORTED;
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_build_1(&b, QN_OP_ML_DEQUANTIZE_FLOAT, y->type, QN_VALUES(x),
                                QN_ATTRS({"scale", scale_attr(in, &q)},
                                         {"zero_point", qn_integer_i64(in, q.affine.zero_point)})));
  return QN_OK;
}

/* Only checked here; it disappears when types are converted. */
qn_status qn_integer_quant_scast(qn_integer *in, qn_op *op) {
  const qn_type *x =
      qn_integer_storage_element(in->cx, qn_type_element(qn_op_operand(op, 0)->type));
  const qn_type *y = qn_integer_storage_element(in->cx, qn_type_element(qn_op_result(op, 0)->type));
  if (x == y || (qn_type_is_int(x, 8) && qn_type_is_int(y, 8))) return QN_OK;
  return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                  "'%.*s' has no integer form: storage changes its signedness",
                  QN_STR_ARG(op->name));
}
