/* Tries one rule at one op: matches, evaluates the constraint, stages and checks the replacement,
 * then commits or drops it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "rules/rewrite/external.h"
#include "rules/rewrite/run.h"

qn_str qn_rule_place(qn_rule_run *run, const qn_op *op) {
  qn_text text = {0};
  qn_loc_render(op->loc, &text);
  qn_str place = qn_arena_str(&run->arena, qn_text_view(&text));
  qn_text_deinit(&text);
  return place;
}

/* ---- commitment ---- */

static bool is_made(const qn_rule_staging *s, const qn_op *op) {
  for (size_t i = s->made.count; i-- > 0;)
    if (s->made.data[i] == op) return true;
  return false;
}

static void redirect(qn_rule_run *run, qn_value *from, qn_value *to) {
  const qn_use *next;
  for (qn_use *use = from->first_use; use; use = (qn_use *)(uintptr_t)next) {
    next = use->next;
    if (is_made(&run->staging, use->owner)) continue;
    qn_rule_run_push(run, use->owner);
    qn_op_set_operand(use->owner, (uint32_t)(use - use->owner->operands), to);
  }
}

/* Copies the index of the model's tensor from the replaced value to the op that now computes it, if
 * that is a new op. */
static void carry_over(qn_rule_run *run, const qn_op *old, uint32_t result, qn_value *value) {
  qn_i64s tensors = qn_op_tensors(old);
  bool own = value->op && is_made(&run->staging, value->op) && value->op->result_count == 1;
  if (!own || result >= tensors.count) return;
  qn_op_set_attr(run->module, value->op, qn_attr_decls[QN_A_TENSORS].name,
                 qn_attr_i64s(run->module->cx, &tensors.data[result], 1));
}

static void commit(qn_rule_run *run, qn_rule_state *state, qn_op *op, uint32_t result,
                   qn_value *value) {
  qn_rule_staging *s = &run->staging;
  QN_ASSERT(value != &op->results[result] && value->type == op->results[result].type);
  carry_over(run, op, result, value);
  redirect(run, &op->results[result], value);
  run->ops += s->made.count;
  for (size_t i = 0; i < s->made.count; i++) {
    qn_map_set(&run->makers, s->made.data[i], state);
    qn_rule_run_note_kind(run, s->made.data[i]->kind);
    qn_rule_run_push(run, s->made.data[i]);
  }
  for (size_t i = s->made.count; i-- > 0;)
    if (s->made.data[i] != value->op && qn_op_is_dead(s->made.data[i]))
      qn_rule_run_erase_one(run, s->made.data[i]);
  s->made.count = 0;
  run->arena_known = false;
  if (qn_op_is_dead(op))
    qn_rule_run_erase(run, op);
  else
    qn_rule_run_push(run, op); /* its other results may still match */
  run->changed = true;
  run->walked = false;
}

/* ---- trying ---- */

static void keep_reason(qn_rule_run *run, qn_rule_state *state, const qn_op *op) {
  const qn_rule_staging *s = &run->staging;
  if (state->counts.undone++ > 0) return;
  state->code = s->code;
  state->why = run->captured.size > 0
                   ? qn_arena_format(&run->arena, "%s: %s", s->failure.data, run->captured.data)
                   : qn_arena_str(&run->arena, qn_text_view(&s->failure));
  state->where = qn_rule_place(run, op);
}

static void keep_unevaluated(qn_rule_run *run, qn_rule_state *state, const qn_op *op) {
  const qn_rule_evaluation *e = &run->staging.evaluation;
  if (!e->failure || state->counts.unevaluated++ > 0) return;
  state->unevaluated = qn_arena_format(&run->arena, "%s (line %u, column %u)", e->failure,
                                       e->failed->pos.line, e->failed->pos.column);
  state->unevaluated_at = qn_rule_place(run, op);
}

static bool is_asked(qn_rule_run *run) {
  const qn_rule_run_options *o = run->options;
  int64_t number = run->applied + 1;
  if (o->limit >= 0 && run->applied >= o->limit) return false;
  return o->first == 0 || (number >= o->first && number <= o->last);
}

/* Index of the function that contains the op, among the functions with a body. */
static uint32_t function_of(const qn_rule_run *run, const qn_op *op) {
  uint32_t count = 0;
  const qn_op *function = qn_op_parent(op);
  QN_FOR_EACH_OP(other, qn_op_body(run->module->op)) {
    if (other == function) break;
    count += other->kind == QN_OP_FUNC && other->region_count > 0;
  }
  return count;
}

static void write_log(qn_rule_run *run, const qn_rule_state *state, const qn_op *op,
                      uint32_t result, uint32_t choice, const char *what) {
  qn_text *log = run->options->log;
  uint32_t place = 0;
  if (!log) return;
  for (const qn_op *at = op->block->first; at != op; at = at->next)
    place += !is_made(&run->staging, at);
  qn_text_format(log, "%lld %s %.*s function %u op %u result %u way %u at ",
                 (long long)run->applied, what, QN_STR_ARG(state->rule->name), function_of(run, op),
                 place, result, choice);
  qn_str where = qn_rule_place(run, op);
  qn_text_format(log, "%.*s\n", QN_STR_ARG(where));
}

static void warn_of_difference(qn_rule_run *run, const qn_rule_state *state, const qn_op *op,
                               const char *difference) {
  qn_warning(&run->module->cx->diag, op->loc,
             "rule %.*s is wrong here: %s; undone, and the rule is off from now on",
             QN_STR_ARG(state->rule->name), difference);
}

static qn_rule_outcome drop(qn_rule_run *run, qn_rule_state *state, const qn_op *op) {
  bool failed = run->staging.failure.size > 0;
  if (failed) keep_reason(run, state, op);
  state->counts.unchanged += !failed;
  qn_rule_stage_drop(&run->staging);
  return failed ? QN_RULE_UNDONE : QN_RULE_NO_CHANGE;
}

/* Whether the replacement's values are as close as the rule promises. True without computing them
 * if validation is off. */
static bool is_valid(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                     const qn_rule_binding *binding, qn_value *old, qn_value *value) {
  bool wrong = false;
  if (!run->options->validate) return true;
  const char *problem = qn_rule_validate(run, state->rule, binding, old, value, &wrong);
  if (!problem) return true;
  if (wrong) warn_of_difference(run, state, op, problem);
  state->disabled |= wrong;
  qn_text_clear(&run->captured);
  return qn_rule_stage_fail(&run->staging, "RR0909", "%s", problem);
}

static qn_rule_outcome apply(qn_rule_run *run, qn_rule_state *state, qn_op *op, uint32_t result,
                             uint32_t choice, const qn_rule_binding *binding,
                             qn_value **out_value) {
  bool pays;
  qn_rule_begin_stage(run, op, binding);
  qn_rule_quiet q = qn_rule_begin_quiet(run);
  qn_value *value = qn_rule_choose(run, state->expanded, op, result, &pays);
  qn_rule_end_quiet(run, &q);
  if (!value) return drop(run, state, op);
  if (!pays) {
    state->counts.dear++;
    qn_rule_stage_drop(&run->staging);
    return QN_RULE_TOO_DEAR;
  }
  bool asked = is_asked(run);
  run->applied++; /* every application gets a number, also those outside of the limits */
  if (!asked) {
    qn_rule_stage_drop(&run->staging);
    return QN_RULE_NOT_ASKED;
  }
  bool valid = is_valid(run, state, op, binding, &op->results[result], value);
  write_log(run, state, op, result, choice, valid ? "applied" : "undone");
  if (!valid) return drop(run, state, op);
  commit(run, state, op, result, value);
  state->counts.applied++;
  *out_value = value;
  return QN_RULE_APPLIED;
}

qn_rule_outcome qn_rule_try_found(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                                  uint32_t result, uint32_t choice, const qn_rule_binding *binding,
                                  qn_value **out_value) {
  QN_ASSERT(result < op->result_count && op->block);
  run->staging.evaluation.binding = binding;
  run->staging.evaluation.pieces = NULL;
  state->counts.matched++;
  if (!qn_rule_is_held(&run->staging.evaluation, state->expanded)) {
    keep_unevaluated(run, state, op);
    return QN_RULE_NOT_HELD;
  }
  state->counts.held++;
  bool own = qn_map_get(&run->makers, op) == state && state->ending == QN_RULE_ENDING_UNKNOWN;
  if (own) return QN_RULE_OWN_RESULT;
  return apply(run, state, op, result, choice, binding, out_value);
}

qn_rule_outcome qn_rule_try(qn_rule_run *run, qn_rule_state *state, qn_op *op, uint32_t result,
                            qn_value **out_value) {
  qn_rule_binding binding;
  qn_rule_outcome outcome = QN_RULE_NO_MATCH;
  qn_rule_operand root = qn_rule_operand_of(&run->graph, &op->results[result], QN_RULE_NATURAL);
  for (uint32_t choice = 0; outcome <= QN_RULE_NOT_HELD &&
                            qn_rule_match(&run->view, state->expanded, root, &choice, &binding);
       choice++)
    outcome = qn_rule_try_found(run, state, op, result, choice, &binding, out_value);
  return outcome;
}
