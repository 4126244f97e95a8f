/* Functions of one 8-bit value: a table of all 256 results (spec "tflite numerics" 8, 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y) {
  for (int64_t i = 0; i < y->size; i++) y->data[i] = table[x->data[i]];
}

qn_status qn_ref_unary_table(qn_eval *ev, const qn_op *op, qn_unary unary, const qn_ref_quant *x,
                             const qn_ref_quant *y, double real, uint8_t table[256]) {
  const qn_profile *profile;
  QN_TRY(qn_ref_profile(ev, op, &profile));
  QN_TRY(qn_ref_check_real(ev, op, real));
  qn_unary_table(unary, profile, x->affine, x->is_unsigned, y->affine, table);
  return QN_OK;
}

static qn_status apply(qn_eval *ev, const qn_op *op, const uint8_t table[256]) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (x->size != y->size || qn_rt_count(x) != x->size || qn_rt_count(y) != y->size)
    return qn_eval_fail(ev, op, "needs 8-bit tensors of equal size");
  qn_ref_lut(x, table, y);
  return QN_OK;
}

static qn_status run_unary(qn_eval *ev, const qn_op *op, qn_unary unary, const qn_ref_quant *x,
                           const qn_ref_quant *y, double real) {
  uint8_t table[256];
  QN_TRY(qn_ref_unary_table(ev, op, unary, x, y, real, table));
  return apply(ev, op, table);
}

/* The fixed-point functions of tflm have the output quantization built in. */
static qn_status run_sigmoidal(qn_eval *ev, const qn_op *op, qn_unary unary, double scale,
                               int32_t zero_point) {
  qn_ref_quant x, y;
  const qn_profile *profile;
  QN_TRY(qn_ref_profile(ev, op, &profile));
  QN_TRY(qn_ref_unary_quant8(ev, op, &x, &y));
  bool fits = !y.is_unsigned && y.affine.scale == scale && y.affine.zero_point == zero_point;
  if (profile->sigmoidal == QN_SIGMOIDAL_FIXED && !fits)
    return qn_eval_fail(ev, op,
                        "is defined by profile tflm only for int8 with scale %g and zero "
                        "point %d",
                        scale, zero_point);
  return run_unary(ev, op, unary, &x, &y, x.affine.scale);
}

static qn_status run_relu(qn_eval *ev, const qn_op *op, qn_unary unary) {
  qn_ref_quant x, y;
  QN_TRY(qn_ref_unary_quant8(ev, op, &x, &y));
  return run_unary(ev, op, unary, &x, &y, qn_real_relu(x.affine.scale, y.affine.scale));
}

static qn_status model_sigmoid(qn_eval *ev, const qn_op *op) {
  return run_sigmoidal(ev, op, QN_UNARY_SIGMOID, 0x1p-8, -128);
}
static qn_status model_tanh(qn_eval *ev, const qn_op *op) {
  return run_sigmoidal(ev, op, QN_UNARY_TANH, 0x1p-7, 0);
}
static qn_status model_relu(qn_eval *ev, const qn_op *op) {
  return run_relu(ev, op, QN_UNARY_RELU);
}
static qn_status model_relu6(qn_eval *ev, const qn_op *op) {
  return run_relu(ev, op, QN_UNARY_RELU6);
}

/* Also between signed and unsigned storage. */
static qn_status model_requantize(qn_eval *ev, const qn_op *op) {
  qn_ref_quant x, y;
  QN_TRY(qn_ref_quant8(ev, op, qn_op_operand(op, 0), "an input", &x));
  QN_TRY(qn_ref_quant8(ev, op, qn_op_result(op, 0), "a result", &y));
  return run_unary(ev, op, QN_UNARY_REQUANTIZE, &x, &y,
                   qn_real_requantize(x.affine.scale, y.affine.scale));
}

static qn_status integer_lut(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *table = qn_eval_operand(ev, op, 1);
  if (table->size != 256 || qn_rt_count(table) != 256)
    return qn_eval_fail(ev, op, "needs a table of 256 bytes");
  return apply(ev, op, table->data);
}

qn_status qn_eval_ml_sigmoid(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, model_sigmoid);
}
qn_status qn_eval_ml_tanh(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_tanh); }
qn_status qn_eval_ml_relu(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_relu); }
qn_status qn_eval_ml_relu6(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_relu6); }
qn_status qn_eval_ml_requantize(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, model_requantize);
}
qn_status qn_eval_ml_lut(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, integer_lut); }
