/* Functions of one 8-bit value: a table of all 256 results (spec "tflite numerics" 8, 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

void qn_ref_lut(const qn_rt_value *x, const uint8_t table[256], qn_rt_value *y) {
  for (int64_t i = 0; i < y->size; i++) y->data[i] = table[x->data[i]];
}

static qn_status look_up(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (x->size != y->size || qn_rt_count(x) != x->size || qn_rt_count(y) != y->size)
    return qn_eval_fail(ev, op, "needs 8-bit tensors of equal size");
  qn_ref_lut(x, plan->table, y);
  return QN_OK;
}

/* The rows that become other ops: a table, or (before the kernel is asked) their form. */
#define OP(stem, ...)                                                                              \
  qn_status qn_eval_##stem(qn_eval *ev, const qn_op *op) {                                         \
    return qn_ref_run_model(ev, op, look_up);                                                      \
  }
#include "ir/ops/ml_forms.def"
#undef OP

qn_status qn_eval_ml_lut(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_table, look_up);
}
