/* Fixed-point softmax over the last dimension: for 8 bits computed exponentials, for 16 bits tables
 * (docs/arithmetic.md 8, 8.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "quant/table16.h"

static void run_row(const qn_plan_softmax *s, const int32_t *x, int64_t count, qn_rt_value *y,
                    int64_t at) {
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
      q = qn_softmax_scale(qn_softmax_exp(x[i] - most, m.mantissa, m.shift), recip, s->output_bits);
    qn_rt_set_int(y, at + i,
                  qn_clamp32((int64_t)q + s->output_zero_point, s->output_zero_point,
                             s->output_zero_point + (1 << s->output_bits) - 1));
  }
}

static void run_row16(const qn_plan_softmax16 *s, const int32_t *x, int64_t count, qn_rt_value *y,
                      int64_t at) {
  int32_t most = x[0];
  for (int64_t i = 1; i < count; i++) most = x[i] > most ? x[i] : most;
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    int32_t scaled = qn_requant32_by(x[i] - most, s->input, s->rounding);
    int32_t e = qn_table16_lookup(s->exponentials, qn_sat16((int64_t)scaled + INT16_MAX));
    qn_rt_set_int(y, at + i, e);
    sum += (uint32_t)e;
  }
  int32_t zeros = qn_clz32(sum), shift = 31 - zeros;
  int32_t fraction = (int32_t)(((sum << (zeros - 1)) + (1 << 13)) >> 14);
  int32_t r = qn_table16_lookup(s->reciprocals, qn_sat16(fraction - 98304));
  for (int64_t i = 0; i < count; i++) {
    int32_t product = (int32_t)qn_rt_int(y, at + i) * r + (1 << (shift - 1));
    qn_rt_set_int(y, at + i, qn_clamp32(product >> shift, 0, INT16_MAX));
  }
}

static qn_status softmax(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const qn_rt_value *operand = qn_eval_operand(ev, op, 0);
  const qn_type *type = operand->type;
  int64_t row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  int64_t elements = qn_rt_count(operand);
  if (elements != qn_rt_count(y)) return qn_eval_fail(ev, op, "has a result of another size");
  const int32_t *x = qn_ref_load(ev, operand, 0);
  if (plan->kind == QN_PLAN_SOFTMAX16 && row > UINT16_MAX)
    return qn_eval_fail(ev, op, "has rows whose sums leave 32 bits");
  for (int64_t at = 0; at < elements; at += row) {
    if (plan->kind == QN_PLAN_SOFTMAX16)
      run_row16(&plan->softmax16, x + at, row, y, at);
    else
      run_row(&plan->softmax, x + at, row, y, at);
    qn_guard_work(row);
  }
  return QN_OK;
}

qn_status qn_eval_ml_softmax(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, softmax);
}
qn_status qn_eval_ml_integer_softmax(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_softmax, softmax);
}
qn_status qn_eval_ml_integer_softmax16(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_softmax16, softmax);
}
