/* Functions of one value. For 8 bits, a table has all 256 results; wider values are rescaled or
 * interpolated (docs/arithmetic.md 9, 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "quant/table16.h"

void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y) {
  for (int64_t i = 0; i < y->size; i++) y->data[i] = table[x->data[i]];
}

static qn_status rescale(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_rescale *r = &plan->rescale;
  const qn_rt_value *operand = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (qn_rt_count(operand) != qn_rt_count(y))
    return qn_eval_fail(ev, op, "has a result of another size");
  const int32_t *x = qn_ref_load(ev, operand, r->input_zero_point);
  for (int64_t i = 0, n = qn_rt_count(y); i < n; i++) {
    int32_t scaled = qn_requant32(x[i], r->multiplier.mantissa, r->multiplier.shift);
    qn_rt_set_int(y, i, qn_ref_finish(&r->output, scaled));
  }
  return QN_OK;
}

static qn_status interpolate(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_lut16 *c = &plan->lut16;
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (qn_rt_count(x) != qn_rt_count(y)) return qn_eval_fail(ev, op, "has a result of another size");
  uint16_t sigmoid[256];
  qn_sigmoid_table(sigmoid);
  for (int64_t i = 0, n = qn_rt_count(y); i < n; i++) {
    int32_t stored = (int16_t)qn_rt_int(x, i);
    qn_rt_set_int(y, i,
                  c->tanh ? qn_tanh16(sigmoid, stored, c->multiplier, c->shift)
                          : qn_logistic16(sigmoid, stored, c->multiplier, c->shift));
  }
  return QN_OK;
}

static qn_status look_up(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (x->size != y->size || qn_rt_count(x) != x->size || qn_rt_count(y) != y->size)
    return qn_eval_fail(ev, op, "needs 8-bit tensors of equal size");
  qn_ref_lut(x, plan->table, y);
  return QN_OK;
}

/* Runs an op of ml_forms.def by its plan. plan->kind selects the kernel, so this function names no
 * op. Ops that are only decomposed have no kernel and never get here. */
static qn_status by_plan(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  static qn_ref_kernel *const kernels[] = {
      [QN_PLAN_TABLE] = look_up,    [QN_PLAN_RESCALE] = rescale,  [QN_PLAN_LUT16] = interpolate,
      [QN_PLAN_SVDF] = qn_ref_svdf, [QN_PLAN_LSTM] = qn_ref_lstm,
  };
  QN_ASSERT(plan->kind < QN_COUNT(kernels) && kernels[plan->kind]);
  return kernels[plan->kind](ev, op, plan);
}

#define OP(stem, ...)                                                                              \
  qn_eval_fn qn_eval_##stem;                                                                       \
  qn_status qn_eval_##stem(qn_eval *ev, const qn_op *op) {                                         \
    return qn_ref_run_model(ev, op, by_plan);                                                      \
  }
#include "ir/ops/ml_forms.def"
#undef OP

qn_status qn_eval_ml_lut(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_table, look_up);
}
qn_status qn_eval_ml_integer_rescale(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_rescale, rescale);
}
qn_status qn_eval_ml_integer_sigmoid(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_lut16, interpolate);
}
qn_status qn_eval_ml_integer_tanh(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_lut16, interpolate);
}
