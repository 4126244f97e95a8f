/* Prepares the operands of elementwise evaluators (elementwise.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ops/elementwise.h"

qn_status qn_lanes_open(qn_eval *ev, const qn_op *op, qn_lanes *lanes) {
  for (uint32_t i = 0; i < QN_COUNT(lanes->in); i++) lanes->in[i] = NULL;
  if (op->operand_count > QN_COUNT(lanes->in)) return qn_eval_fail(ev, op, "has too many operands");
  QN_TRY(qn_eval_result_like_operands(ev, op, &lanes->result));
  lanes->count = -1;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_rt_value *operand = qn_eval_operand(ev, op, i);
    lanes->in[i] = qn_rt_bytes(operand, lanes->scratch[i]);
    bool shared = op->kind == QN_OP_ARITH_SELECT && i == 0 && !qn_type_is_shaped(operand->type);
    if (shared) continue; /* one scalar condition applies to all lanes */
    int64_t count = qn_rt_count(operand);
    if (lanes->count >= 0 && count != lanes->count)
      return qn_eval_fail(ev, op, "operands have %lld and %lld elements", (long long)lanes->count,
                          (long long)count);
    lanes->count = count;
  }
  lanes->in_bytes = qn_type_bytes(qn_type_element(qn_op_operand(op, 0)->type));
  lanes->out_bytes = qn_type_bytes(qn_type_element(op->results[0].type));
  bool shaped = qn_type_is_shaped(lanes->result->type);
  if (shaped && qn_rt_count(lanes->result) != lanes->count)
    return qn_eval_fail(ev, op, "result has another number of elements");
  lanes->out = shaped ? lanes->result->data : lanes->scratch[3];
  return QN_OK;
}
