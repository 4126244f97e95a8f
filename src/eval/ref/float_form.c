/* Model-stage ops without a plan: widths other than 8 bits, several scales, floats. A function is
 * built and interpreted that contains the op's float decomposition, or the op with weights
 * converted to int8 with a scale per channel, which a plan supports.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/eval.h"
#include "eval/ref/ref.h"
#include "ir/builder.h"
#include "ir/cell_form/cell_form.h"
#include "ir/float_form/float_form.h"
#include "ir/numerics.h"
#include "ir/verify/verify.h"

enum { MOST_RESULTS = QN_CELL_MOST_RESULTS };

static qn_op *copy_on(qn_builder *b, const qn_op *op, qn_value *const *operands) {
  const qn_type *types[MOST_RESULTS];
  for (uint32_t i = 0; i < op->result_count; i++) types[i] = op->results[i].type;
  return qn_build_copy(b, op, operands, types);
}

/* Builds the replacement of the op before `copy`, a verified copy of the op on arguments of a
 * function. Stores its results; returns false if not possible. `user` is what run() was given. */
typedef bool build_fn(qn_eval *ev, qn_builder *b, const qn_op *op, const qn_op *copy,
                      const void *user, qn_value **out_results);

static bool float_form(qn_eval *ev, qn_builder *b, const qn_op *op, const qn_op *copy,
                       const void *user, qn_value **out_results) {
  (void)ev, (void)op, (void)user;
  if (qn_float_form_problem(copy)) return false;
  out_results[0] = qn_build_float_form(b, copy, qn_op_parent(copy)->regions[0].first->args);
  return true;
}

static bool on_int8_weights(qn_eval *ev, qn_builder *b, const qn_op *op, const qn_op *copy,
                            const void *user, qn_value **out_results) {
  (void)user;
  qn_planner planner = {.cx = ev->cx, .arena = ev->arena};
  const qn_type *type;
  const qn_attr *value = qn_plan_int8_weights(&planner, op, &type);
  if (!value) return false;
  qn_value *weights = qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  qn_value *operands[] = {qn_op_operand(copy, 0), weights,
                          op->operand_count > 2 ? qn_op_operand(copy, 2) : NULL};
  out_results[0] = qn_op_result(copy_on(b, op, operands), 0);
  return true;
}

static qn_status call(qn_eval *ev, const qn_op *op, const qn_module *module, const qn_op *func) {
  qn_rt_value *args = QN_NEW_ARRAY(ev->arena, op->operand_count + 1, qn_rt_value), y[MOST_RESULTS];
  for (uint32_t i = 0; i < op->operand_count; i++) args[i] = *qn_eval_operand(ev, op, i);
  const qn_eval_options options = {.max_steps = ev->options->max_steps};
  QN_TRY(qn_eval_call(module, func, args, op->operand_count, y, ev->arena, &options));
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_rt_value *result = qn_eval_result(ev, op, i);
    QN_ASSERT(y[i].size == result->size);
    memcpy(result->data, y[i].data, (size_t)y[i].size);
  }
  return QN_OK;
}

static bool verifies(qn_module *module) {
  qn_diag_state state = qn_diag_silence(&module->cx->diag);
  qn_status status = qn_verify(module);
  qn_diag_restore(&module->cx->diag, &state);
  return status == QN_OK;
}

/* Builds and runs a replacement. QN_NOT_FOUND: `build` does not apply; not supported for ops with
 * many results. */
static qn_status run(qn_eval *ev, const qn_op *op, build_fn *build, const void *user) {
  if (op->result_count == 0 || op->result_count > MOST_RESULTS) return QN_NOT_FOUND;
  qn_value *results[MOST_RESULTS];
  const qn_type *result_types[MOST_RESULTS];
  for (uint32_t i = 0; i < op->result_count; i++) result_types[i] = op->results[i].type;
  qn_module *module = qn_module_create(ev->cx, op->loc);
  const qn_attr *numerics = qn_op_find(ev->module->op, QN_A_NUMERICS);
  qn_op_set_attr(module, module->op, qn_numerics_attr, numerics);
  qn_op_set_attr(module, module->op, qn_attr_decls[QN_A_FALL_BACK].name,
                 qn_op_find(ev->module->op, QN_A_FALL_BACK));
  const qn_type **types = QN_NEW_ARRAY(ev->arena, op->operand_count + 1, const qn_type *);
  for (uint32_t i = 0; i < op->operand_count; i++) types[i] = qn_ref_operand_type(op, i);
  const qn_type *type =
      qn_type_function(ev->cx, types, op->operand_count, result_types, op->result_count);
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), op->loc);
  qn_op *func = qn_build_func(&b, op->name, type, NULL);
  b = qn_builder_at_end(module, qn_op_body(func), op->loc);
  qn_op *copy = copy_on(&b, op, qn_op_body(func)->args);
  for (uint32_t i = 0; i < op->result_count; i++) results[i] = qn_op_result(copy, i);
  qn_op *end = qn_build_0(&b, QN_OP_FUNC_RETURN, results, op->result_count, NULL);
  qn_status status = QN_NOT_FOUND;
  b = qn_builder_before(module, copy);
  if (verifies(module) && build(ev, &b, op, copy, user, results)) {
    for (uint32_t i = 0; i < op->result_count; i++) qn_op_set_operand(end, i, results[i]);
    qn_op_erase(module, copy);
    status = call(ev, op, module, func);
  }
  qn_module_destroy(module);
  return status;
}

/* Copies constant operands, because plans read them. */
static void take_constants(qn_builder *b, const qn_op *op, qn_op *copy) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_attr *value = qn_value_constant(qn_op_operand(op, i));
    if (!value || !qn_attr_is_elements(value)) continue;
    const qn_type *type = qn_op_operand(copy, i)->type;
    qn_op_set_operand(copy, i,
                      qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value})));
  }
}

/* A plan of the op, which its copy has, too. */
typedef struct planned {
  qn_planner *planner;
  const qn_plan *plan;
} planned;

static bool written_form(qn_eval *ev, qn_builder *b, const qn_op *op, const qn_op *copy,
                         const void *user, qn_value **out_results) {
  (void)ev;
  const planned *of = user;
  take_constants(b, op, (qn_op *)copy);
  out_results[0] = qn_plan_write(of->planner, b, (qn_op *)copy, of->plan);
  return true;
}

qn_status qn_ref_run_form(qn_eval *ev, const qn_op *op, qn_planner *planner, const qn_plan *plan) {
  qn_status status = run(ev, op, written_form, &(planned){planner, plan});
  if (status != QN_NOT_FOUND) return status;
  return qn_eval_fail(ev, op, "has no form on these types");
}

qn_status qn_ref_run_unplanned(qn_eval *ev, const qn_op *op, qn_planner *planner, qn_status status,
                               qn_str reason) {
  qn_status other = run(ev, op, on_int8_weights, NULL);
  if (other != QN_NOT_FOUND) return other;
  qn_str message = reason;
  if (qn_plan_may_fall_back(planner, op, reason, &message)) other = run(ev, op, float_form, NULL);
  if (other != QN_NOT_FOUND) return other;
  return qn_error(&ev->cx->diag, op->loc, status, "%.*s", QN_STR_ARG(message));
}

static bool cell_form(qn_eval *ev, qn_builder *b, const qn_op *op, const qn_op *copy,
                      const void *user, qn_value **out_results) {
  (void)user;
  take_constants(b, op, (qn_op *)copy);
  if (qn_cell_form_problem(copy)) return false;
  qn_value **operands = QN_NEW_ARRAY(ev->arena, copy->operand_count, qn_value *);
  for (uint32_t i = 0; i < copy->operand_count; i++) operands[i] = qn_op_operand(copy, i);
  qn_build_cell_form(b, copy, operands, out_results);
  return true;
}

qn_status qn_ref_run_cell(qn_eval *ev, const qn_op *op) {
  qn_status status = run(ev, op, cell_form, NULL);
  if (status != QN_NOT_FOUND) return status;
  return qn_eval_fail(ev, op, "cannot be computed: %s", qn_cell_form_problem(op));
}
