/* Bias and requantization per output channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

int32_t qn_ref_requantize(const qn_plan_matrix *plan, int64_t c, int32_t acc) {
  int32_t y = plan->reals
                  ? qn_requant_real(acc, plan->reals[c])
                  : qn_requant32(acc, plan->multipliers[c].mantissa, plan->multipliers[c].shift);
  return qn_ref_finish(&plan->output, y);
}

qn_status qn_ref_channels(qn_eval *ev, const qn_op *op, const qn_plan_matrix *plan,
                          const int32_t **out_bias) {
  const qn_type *y = qn_ref_result_type(op, 0);
  if (y->shaped.rank == 0 || y->shaped.dims[y->shaped.rank - 1] != plan->channels)
    return qn_eval_fail(ev, op, "has weights and a result with different output channels");
  *out_bias = op->operand_count > 2 ? qn_ref_load(ev, qn_eval_operand(ev, op, 2), 0)
                                    : QN_NEW_ARRAY(ev->arena, (size_t)plan->channels + 1, int32_t);
  return QN_OK;
}
