/* Bias and requantization of accumulators with parameters per output channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

int32_t qn_ref_requantize(const qn_plan_matrix *plan, int64_t c, uint64_t sum) {
  qn_requant_rounding rounding = qn_requant_of_channel(plan->rounding, c, plan->channels);
  int64_t acc = plan->wide ? (int64_t)sum : (int32_t)(uint32_t)sum;
  int32_t y;
  if (rounding == QN_REQUANT_REAL)
    y = qn_requant_real(acc, plan->reals[c]);
  else if (rounding == QN_REQUANT_REDUCED)
    y = qn_requant64(acc, plan->multipliers[c].mantissa, plan->multipliers[c].shift);
  else if (rounding == QN_REQUANT_EVEN)
    y = qn_requant_even(acc, plan->reals[c], plan->offsets[c]);
  else if (rounding == QN_REQUANT_SINGLE)
    y = qn_requant_single((int32_t)acc, plan->multipliers[c].mantissa, plan->multipliers[c].shift,
                          0);
  else if (rounding == QN_REQUANT_UP)
    y = qn_requant32_up((int32_t)acc, plan->multipliers[c].mantissa, plan->multipliers[c].shift);
  else
    y = qn_requant32_by((int32_t)acc, plan->multipliers[c], rounding);
  return qn_ref_finish(&plan->output, y);
}

qn_status qn_ref_channels(qn_eval *ev, const qn_op *op, const qn_plan_matrix *plan,
                          const int64_t **out_bias) {
  const qn_type *y = qn_ref_result_type(op, 0);
  if (y->shaped.rank == 0 || y->shaped.dims[y->shaped.rank - 1] != plan->channels)
    return qn_eval_fail(ev, op, "has weights and a result with different output channels");
  int64_t *bias = QN_NEW_ARRAY(ev->arena, (size_t)plan->channels + 1, int64_t);
  for (int64_t c = 0; op->operand_count > 2 && c < plan->channels; c++)
    bias[c] = qn_rt_int(qn_eval_operand(ev, op, 2), c);
  *out_bias = bias;
  return QN_OK;
}
