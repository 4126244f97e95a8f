/* Fixed-point softmax over the last axis (spec "tflite numerics" 7.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

typedef struct softmax {
  qn_softmax_params params;
  int32_t zero_point; /* of the result: its smallest stored value */
} softmax;

static void run_row(const softmax *s, const int32_t *x, int64_t count, qn_rt_value *y, int64_t at) {
  int32_t most = x[0];
  for (int64_t i = 1; i < count; i++) most = x[i] > most ? x[i] : most;
  const qn_multiplier m = s->params.input;
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; i++)
    if (x[i] - most >= s->params.diff_min)
      sum += qn_softmax_term(qn_softmax_exp(x[i] - most, m.mantissa, m.shift));
  qn_fixed_recip recip = qn_fixed_recip_of(sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX, 12);
  for (int64_t i = 0; i < count; i++) {
    int32_t q = 0;
    if (x[i] - most >= s->params.diff_min)
      q = qn_softmax_scale(qn_softmax_exp(x[i] - most, m.mantissa, m.shift), recip);
    qn_rt_set_int(y, at + i,
                  qn_clamp32((int64_t)q + s->zero_point, s->zero_point, s->zero_point + 255));
  }
}

static qn_status run_softmax(qn_eval *ev, const qn_op *op, const softmax *s) {
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const qn_rt_value *operand = qn_eval_operand(ev, op, 0);
  const qn_type *type = operand->type;
  int64_t row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  int64_t elements = qn_rt_count(operand);
  if (elements != qn_rt_count(y)) return qn_eval_fail(ev, op, "has a result of another size");
  const int32_t *x = qn_ref_load(ev, operand, 0);
  for (int64_t at = 0; at < elements; at += row) run_row(s, x + at, row, y, at);
  return QN_OK;
}

static qn_status model_softmax(qn_eval *ev, const qn_op *op) {
  softmax s;
  qn_ref_quant x, y;
  QN_TRY(qn_ref_unary_quant8(ev, op, &x, &y));
  s.zero_point = y.is_unsigned ? 0 : INT8_MIN;
  if (y.affine.scale != 0x1p-8 || y.affine.zero_point != s.zero_point)
    return qn_eval_fail(ev, op, "needs a result of scale 1/256 and zero point %d", s.zero_point);
  double beta = qn_op_beta(op), real = ldexp(beta * x.affine.scale, 26);
  if (!(real > 1) || isinf(real))
    return qn_eval_fail(ev, op, "with beta %g and input scale %g is out of range", beta,
                        x.affine.scale);
  s.params = qn_softmax_params_of(beta, x.affine.scale);
  return run_softmax(ev, op, &s);
}

static qn_status integer_softmax(qn_eval *ev, const qn_op *op) {
  softmax s;
  QN_TRY(qn_ref_i32(ev, op, QN_A_MULTIPLIER, 0, INT32_MAX, &s.params.input.mantissa));
  QN_TRY(qn_ref_i32(ev, op, QN_A_SHIFT, 0, 31, &s.params.input.shift));
  QN_TRY(qn_ref_i32(ev, op, QN_A_DIFF_MIN, INT32_MIN, 0, &s.params.diff_min));
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_OUTPUT_ZERO_POINT, &s.zero_point));
  return run_softmax(ev, op, &s);
}

qn_status qn_eval_ml_softmax(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, model_softmax);
}
qn_status qn_eval_ml_integer_softmax(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_softmax);
}
