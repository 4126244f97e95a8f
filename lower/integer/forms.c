/* The choice between integer form and float fallback, and the fallback.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/forms.h"

#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "lower/integer/hybrid.h"

static bool has_forms(qn_op_kind kind) {
  const qn_plan_record *record = qn_plan_record_of(kind);
  return record && record->needs;
}

/* ---- lists of names ---- */

static bool is_row(qn_str name) {
  for (int kind = 0; kind < QN_OP_COUNT; kind++)
    if (has_forms((qn_op_kind)kind) && qn_str_is(name, qn_op_infos[kind].name)) return true;
  return false;
}

static qn_status check_names(qn_integer *in, const char *option, qn_str list, qn_str other) {
  qn_status status = QN_OK;
  qn_str name;
  while (qn_str_next(&list, &name)) {
    if (!is_row(name))
      status = qn_error(&in->cx->diag, in->module->op->loc, QN_NOT_FOUND,
                        "'%s' names '%.*s', which is not an op of 'quern list integer-forms'",
                        option, QN_STR_ARG(name));
    else if (qn_str_lists(other, name))
      status = qn_error(&in->cx->diag, in->module->op->loc, QN_INVALID,
                        "'%.*s' is both forced and forbidden", QN_STR_ARG(name));
  }
  return status;
}

qn_status qn_integer_check_choice(qn_integer *in, const qn_integer_choice *choice) {
  qn_status forced = check_names(in, "force", choice->force, choice->forbid);
  qn_status forbidden = check_names(in, "forbid", choice->forbid, (qn_str){NULL, 0});
  return forced != QN_OK ? forced : forbidden;
}

/* ---- the float fallback ---- */

/* Ops that are not lowered by their plan. */
static qn_integer_fn *const own[QN_OP_COUNT] = {
    [QN_OP_QUANT_QCAST] = qn_integer_quant_qcast,
    [QN_OP_QUANT_DCAST] = qn_integer_quant_dcast,
    [QN_OP_QUANT_SCAST] = qn_integer_quant_scast,
    [QN_OP_ML_REEXPRESS] = qn_integer_ml_reexpress,
};

/* Lowers an op of a decomposition: a cast, or a data movement op, which its plan completes. */
static qn_status lower_part(qn_integer *in, qn_op *op) {
  if (own[op->kind]) return own[op->kind](in, op);
  const qn_plan_record *record = qn_plan_record_of(op->kind);
  if (!record || record->none || qn_is_float_form(op)) return QN_OK;
  qn_plan plan;
  qn_str reason;
  qn_status status = qn_plan_of(&in->planner, op, &plan, &reason);
  if (status != QN_OK) return qn_error(&in->cx->diag, op->loc, status, "%.*s", QN_STR_ARG(reason));
  qn_integer_carry_out(in, op, &plan);
  return QN_OK;
}

/* Lowers the ops between `before` and `after`, which the walk over the function has already passed.
 */
static qn_status lower_parts(qn_integer *in, const qn_block *block, qn_op *before, qn_op *after) {
  qn_status status = QN_OK;
  for (qn_op *each = before ? before->next : block->first, *next; each != after; each = next) {
    next = each->next;
    qn_status lowered = lower_part(in, each);
    if (status == QN_OK) status = lowered;
  }
  return status;
}

static qn_status fall_back(qn_integer *in, qn_op *op) {
  qn_builder b = qn_builder_before(in->module, op);
  qn_value **operands = QN_NEW_ARRAY(in->scratch, op->operand_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_op *before = op->prev, *after = op->next;
  const qn_block *block = op->block;
  qn_integer_replace(in, op, qn_build_float_form(&b, op, operands));
  return lower_parts(in, block, before, after);
}

static qn_status write_form(qn_integer *in, qn_op *op, const qn_plan *plan) {
  qn_op *before = op->prev, *after = op->next;
  const qn_block *block = op->block;
  qn_integer_carry_out(in, op, plan);
  return lower_parts(in, block, before, after);
}

/* ---- the choice ---- */

/* Converts constant weights to int8 with one scale or a scale per channel if that represents them
 * exactly. */
static void use_int8_weights(qn_integer *in, qn_op *op) {
  const qn_type *type;
  const qn_attr *value = qn_plan_int8_weights(&in->planner, op, &type);
  if (!value) return;
  qn_builder b = qn_builder_before(in->module, op);
  qn_op_set_operand(op, 1,
                    qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value})));
}

/* Reports the fallback: a warning if the module names a profile, because its results then differ
 * from the profile's; else a remark. */
static void say_fall_back(qn_integer *in, const qn_op *op, qn_str reason) {
  const qn_loc *loc = op->loc;
  qn_module_numerics numerics;
  bool named = qn_module_numerics_of(in->module, loc, &numerics) == QN_OK && numerics.is_named;
  if (named && qn_plan_is_quantized(op))
    qn_warning(&in->cx->diag, loc, "%.*s; it is computed in float, not in the bits of %s",
               QN_STR_ARG(reason), numerics.profile->name);
  else
    qn_remark(&in->cx->diag, loc, "%.*s; it is computed in float", QN_STR_ARG(reason));
}

static qn_status fall_back_or_report(qn_integer *in, const qn_integer_choice *choice, qn_op *op,
                                     qn_status status, qn_str reason) {
  qn_str message = reason;
  bool may = qn_float_form_problem(op) == NULL && choice->fall_back != QN_OPT_IN_FALSE &&
             !qn_str_lists(choice->force, op->name);
  if (may && choice->fall_back == QN_OPT_IN_AUTO)
    may = qn_plan_may_fall_back(&in->planner, op, reason, &message);
  if (!may) return qn_error(&in->cx->diag, op->loc, status, "%.*s", QN_STR_ARG(message));
  if (qn_is_float_form(op)) return QN_OK;
  say_fall_back(in, op, reason);
  return fall_back(in, op);
}

qn_status qn_integer_lower_as_chosen(qn_integer *in, const qn_integer_choice *choice, qn_op *op) {
  if (has_forms(op->kind) && qn_str_lists(choice->forbid, op->name)) {
    const char *problem = qn_float_form_problem(op);
    if (!problem) return qn_is_float_form(op) ? QN_OK : fall_back(in, op);
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no form: the integer form is forbidden, and no fall-back, as %s",
                    QN_STR_ARG(op->name), problem);
  }
  if (own[op->kind]) return own[op->kind](in, op);
  const qn_plan_record *record = qn_plan_record_of(op->kind);
  if (record->none) return QN_OK;
  qn_plan plan;
  qn_str reason;
  use_int8_weights(in, op);
  qn_status status = qn_plan_of(&in->planner, op, &plan, &reason);
  if (status != QN_OK) return fall_back_or_report(in, choice, op, status, reason);
  if (qn_integer_hybrid(in, op, &plan)) return QN_OK;
  if (plan.kind == QN_PLAN_FORM) return write_form(in, op, &plan);
  qn_integer_carry_out(in, op, &plan);
  return QN_OK;
}
