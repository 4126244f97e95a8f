/* Walks over ops, reads tables, and replaces ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/integer.h"

bool qn_integer_is_kept(const qn_pass_context *pc, const qn_op *op) {
  const qn_lower_config *config = pc->config;
  return config && config->keep_tensors && qn_op_find(op, QN_A_TENSORS);
}

bool qn_integer_table(const qn_op *op, uint8_t out_table[256]) {
  if (op->kind != QN_OP_ML_LUT) return false;
  const qn_attr *payload = qn_value_constant(qn_op_operand(op, 1));
  if (!payload) return false;
  for (int i = 0; i < 256; i++) out_table[i] = (uint8_t)qn_dense_int(payload, i);
  return true;
}

void qn_integer_move_marks(qn_module *module, const qn_op *op, qn_op *to) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    const qn_named_attr *attr = &op->attrs[i];
    if (qn_str_starts(attr->name, "quern."))
      qn_op_set_attr(module, to, attr->name.data, attr->value);
  }
}

void qn_integer_replace(qn_integer *in, qn_op *op, qn_value *with) {
  QN_ASSERT(with->op != op);
  QN_ASSERT(op->result_count == 1 || op->result_count <= with->op->result_count);
  qn_integer_move_marks(in->module, op, with->op);
  qn_value_replace_all_uses(qn_op_result(op, 0), with);
  for (uint32_t i = 1; i < op->result_count; i++)
    qn_value_replace_all_uses(qn_op_result(op, i), qn_op_result(with->op, i));
  qn_op_erase(in->module, op);
}

static void say_notes(qn_integer *in, const qn_loc *loc, const qn_plan *plan) {
  for (const qn_plan_note *note = plan->notes; note; note = note->next) {
    const qn_diag diag = {.severity = note->severity, .loc = loc, .text = note->text};
    qn_report(&in->cx->diag, &diag);
  }
}

void qn_integer_carry_out(qn_integer *in, qn_op *op, const qn_plan *plan) {
  say_notes(in, op->loc, plan);
  if (plan->kind == QN_PLAN_MATRIX) qn_integer_check_accumulators(in, op, &plan->matrix);
  QN_ASSERT(op->result_count > 0 && op->block);
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *y = qn_plan_write(&in->planner, &b, op, plan);
  if (y->op != op) qn_integer_replace(in, op, y);
}

void qn_integer_for_each(qn_module *module, qn_integer_visit *visit, void *user) {
  QN_FOR_EACH_OP(func, qn_op_body(module->op)) {
    if (func->kind != QN_OP_FUNC) continue;
    QN_FOR_EACH_NESTED_OP_SAFE(op, func) visit(op, user);
  }
}

void qn_integer_for_each_backward(qn_module *module, qn_arena *scratch, qn_integer_visit *visit,
                                  void *user) {
  QN_FOR_EACH_OP(func, qn_op_body(module->op)) {
    if (func->kind != QN_OP_FUNC) continue;
    size_t count = 0;
    QN_FOR_EACH_NESTED_OP(op, func) count++;
    qn_op **ops = QN_NEW_ARRAY(scratch, count + 1, qn_op *), **end = ops;
    QN_FOR_EACH_NESTED_OP(op, func) *end++ = op;
    while (end-- > ops) visit(*end, user);
  }
}
