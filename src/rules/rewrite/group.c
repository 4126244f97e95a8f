/* Applies the rules of one pass to an op: all matches are found first, then tried in the order of
 * the rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/group.h"
#include "ir/ops/forms.h"

#include "base/clock.h"

const qn_rule_node *qn_rule_root_pattern(const qn_rule *rule) {
  const qn_rule_node *root = rule->match;
  while (qn_rule_is(root, QN_RULE_FN_EITHER)) root = root->args[0];
  return root;
}

bool qn_rule_has_root(const qn_rule *rule, qn_op_kind kind) {
  const qn_rule_form *form = qn_rule_form_find(qn_rule_op_name(qn_rule_root_pattern(rule)));
  if (!form) return false;
  if (form->needs & QN_RULE_OUTPUT) return qn_op_infos[kind].results == QN_VARIADIC;
  for (const char *name = form->name; form->name && strcmp(form->name, name) == 0; form++)
    if (form->kind == kind && kind != QN_OP_UNREGISTERED) return true;
  return false;
}

void qn_rule_group_fill(qn_rule_run *run, qn_rule_group *g) {
  QN_ASSERT(g->first <= g->end && g->end <= run->states.count);
  for (size_t i = g->first; i < g->end; i++) {
    if (run->states.data[i].missing) continue;
    for (qn_op_kind kind = QN_OP_UNREGISTERED + 1; kind < QN_OP_COUNT; kind++)
      if (qn_rule_has_root(run->states.data[i].expanded, kind))
        qn_array_push(&g->by_kind[kind], (uint32_t)i);
  }
}

void qn_rule_group_empty(qn_rule_group *g) {
  for (qn_op_kind kind = 0; kind < QN_OP_COUNT; kind++) {
    qn_array_free(&g->by_kind[kind]);
    qn_rule_tree_free(g->trees[kind]);
  }
}

/* ---- finding ---- */

static qn_rule_tree *tree_of(qn_rule_run *run, qn_rule_group *g, qn_op_kind kind) {
  if (g->trees[kind]) return g->trees[kind];
  size_t count = g->by_kind[kind].count;
  const qn_rule **rules = QN_NEW_ARRAY(&run->arena, count + 1, const qn_rule *);
  for (size_t i = 0; i < count; i++) rules[i] = run->states.data[g->by_kind[kind].data[i]].expanded;
  g->trees[kind] = qn_rule_tree_build(&run->arena, &run->view, rules, (uint32_t)count);
  return g->trees[kind];
}

static qn_rule_operand root_of(qn_rule_run *run, qn_op *op, uint32_t result) {
  return qn_rule_operand_of(&run->graph, &op->results[result], QN_RULE_NATURAL);
}

static bool same_binding(const qn_rule_binding *a, const qn_rule_binding *b) {
  if (!qn_rule_same_operand(a->root, b->root)) return false;
  for (uint32_t i = 0; i < QN_RULE_MAX_TAGS; i++)
    if (a->bound[i] != b->bound[i] ||
        (a->bound[i] && !qn_rule_same_operand(a->tags[i], b->tags[i])))
      return false;
  return true;
}

/* Whether the tree finds exactly the matches that the plain matcher finds. A difference is reported
 * as an internal error. */
static bool is_agreed(qn_rule_run *run, const qn_rule_group *g, const qn_op *op,
                      qn_rule_operand root) {
  size_t next = 0;
  for (size_t i = 0; i < g->by_kind[op->kind].count; i++) {
    const qn_rule_state *state = &run->states.data[g->by_kind[op->kind].data[i]];
    qn_rule_binding binding;
    for (uint32_t choice = 0; qn_rule_match(&run->view, state->expanded, root, &choice, &binding);
         choice++, next++) {
      const qn_rule_found *f = &run->found.data[next];
      bool same = next < run->found.count && f->rule == i && f->choice == choice &&
                  same_binding(&f->binding, &binding);
      if (same) continue;
      run->failed = true;
      (void)!qn_error(&run->module->cx->diag, op->loc, QN_INTERNAL,
                      "the tree does not find rule %.*s here", QN_STR_ARG(state->rule->name));
      return false;
    }
  }
  if (next == run->found.count) return true;
  run->failed = true;
  (void)!qn_error(&run->module->cx->diag, op->loc, QN_INTERNAL,
                  "the tree finds more than the plain matcher here");
  return false;
}

/* ---- trying ---- */

static void remember(qn_rule_run *run, const qn_rule_state *state) {
  if (run->recent[0] == state) return;
  run->recent[1] = run->recent[0];
  run->recent[0] = state;
}

/* Tries the matches found at an output of an op in order. For each rule, alternatives are tried
 * until the constraint holds for one. Returns whether a rule was applied. */
static bool try_found(qn_rule_run *run, const qn_rule_group *g, qn_op *op, uint32_t result) {
  const uint32_t *states = g->by_kind[op->kind].data;
  for (size_t i = 0; i < run->found.count; i++) {
    const qn_rule_found *f = &run->found.data[i];
    qn_rule_state *state = &run->states.data[states[f->rule]];
    qn_value *value;
    if (state->disabled) continue;
    double before = qn_clock_now();
    qn_rule_outcome outcome =
        qn_rule_try_found(run, state, op, result, f->choice, &f->binding, &value);
    state->seconds += qn_clock_now() - before;
    if (outcome == QN_RULE_APPLIED) {
      remember(run, state);
      return true;
    }
    while (outcome != QN_RULE_NOT_HELD && i + 1 < run->found.count &&
           run->found.data[i + 1].rule == f->rule)
      i++;
  }
  return false;
}

static bool try_plainly(qn_rule_run *run, const qn_rule_group *g, qn_op *op, uint32_t result) {
  for (size_t i = 0; i < g->by_kind[op->kind].count; i++) {
    qn_rule_state *state = &run->states.data[g->by_kind[op->kind].data[i]];
    qn_value *value;
    if (state->disabled || qn_rule_try(run, state, op, result, &value) != QN_RULE_APPLIED) continue;
    remember(run, state);
    return true;
  }
  return false;
}

static bool try_all(qn_rule_run *run, qn_rule_group *g, qn_op *op, uint32_t result) {
  if (run->options->matcher == QN_RULE_BY_ONE) return try_plainly(run, g, op, result);
  qn_rule_operand root = root_of(run, op, result);
  run->found.count = 0;
  qn_rule_tree_match(tree_of(run, g, op->kind), root, &run->found);
  if (run->options->matcher == QN_RULE_BY_BOTH && !is_agreed(run, g, op, root)) return false;
  return try_found(run, g, op, result);
}

bool qn_rule_visit(qn_rule_run *run, qn_rule_group *g, qn_op *op) {
  QN_ASSERT(op->block && op->kind < QN_OP_COUNT);
  for (uint32_t k = 0; k < op->result_count && !run->failed; k++) {
    if (!qn_value_has_uses(&op->results[k])) continue;
    for (size_t i = 0; i < g->by_kind[op->kind].count; i++)
      run->states.data[g->by_kind[op->kind].data[i]].counts.tried++;
    if (try_all(run, g, op, k)) return true;
  }
  return false;
}
