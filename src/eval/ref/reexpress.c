/* ml.reexpress: requantizes each stored value independently.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "ir/types/reexpress.h"

static qn_status reexpress(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (!qn_type_quant(x->type) || !qn_type_quant(y->type) || qn_rt_count(x) != qn_rt_count(y) ||
      x->type->shaped.rank > QN_REEXPRESS_MAX_RANK)
    return qn_eval_fail(ev, op, "needs quantized tensors of one shape");
  qn_reexpression r = qn_reexpression_of(op);
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++) {
    int64_t value;
    const char *problem = qn_reexpression_next(&r, qn_rt_int(x, i), &value);
    if (problem) return qn_eval_fail(ev, op, "%s: element %lld", problem, (long long)i);
    qn_rt_set_int(y, i, value);
  }
  return QN_OK;
}

qn_status qn_eval_ml_reexpress(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, reexpress);
}
