/* Warnings about rules that are legal but most likely mistakes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/check/check.h"
#include "rules/graph/form.h"

/* ---- a rule that matches what it has built itself (W0801) ---- */

/* The Op within the modifiers of a replacement; NULL if it is not an Op. */
static const qn_rule_node *built_op(const qn_rule_node *node) {
  while (node->kind == QN_RULE_CALL && node->function && node->function->operands) {
    if (qn_rule_is(node, QN_RULE_FN_Op)) return node;
    size_t letters = strlen(node->function->operands);
    bool modifier = node->function->operands[letters - 1] == 'w';
    if (!modifier || !(node->function->sorts & QN_RULE_SORT_BUILD)) return NULL;
    node = node->args[node->arg_count - 1];
  }
  return NULL;
}

typedef struct matching {
  /* the node to which each tag would be bound; NULL: none yet */
  const qn_rule_node *values[QN_RULE_MAX_TAGS];
} matching;

static bool same_tree(const qn_rule_node *a, const qn_rule_node *b) {
  if (a->kind != b->kind || a->arg_count != b->arg_count || !qn_str_equal(a->text, b->text) ||
      a->integer != b->integer || a->real != b->real)
    return false;
  for (uint32_t i = 0; i < a->arg_count; i++)
    if (!same_tree(a->args[i], b->args[i])) return false;
  return true;
}

static bool matches_tag(matching *m, const qn_rule_node *tag, const qn_rule_node *value) {
  const qn_rule_node **slot = &m->values[tag->tag];
  if (*slot) return same_tree(*slot, value);
  *slot = value;
  return true;
}

static bool matches(matching *m, const qn_rule_node *pattern, const qn_rule_node *value) {
  if (pattern->kind == QN_RULE_STRING) return matches_tag(m, pattern, value);
  if (qn_rule_is(pattern, QN_RULE_FN_LET))
    return matches(m, pattern->args[1], value) && matches_tag(m, pattern->args[0], value);
  if (qn_rule_is(pattern, QN_RULE_FN_EITHER)) return matches(m, pattern->args[0], value);
  const qn_rule_node *op = built_op(value);
  if (!op || !qn_str_equal(qn_rule_op_name(op), qn_rule_op_name(pattern))) return false;
  bool more = qn_rule_is(pattern, QN_RULE_FN_OpVarIn);
  if (more ? op->arg_count < pattern->arg_count : op->arg_count != pattern->arg_count) return false;
  for (uint32_t i = 1; i < pattern->arg_count; i++)
    if (!matches(m, pattern->args[i], op->args[i])) return false;
  return true;
}

/* Whether the constraint reads a tag that would be bound to another operand when the rule matches
 * its own result. */
static bool constraint_changes(const matching *m, const qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING && node->tag != QN_RULE_ROOT) {
    const qn_rule_node *value = m->values[node->tag];
    return !value || value->kind != QN_RULE_STRING || value->tag != node->tag;
  }
  bool names_option = node->function && node->function->operands &&
                      qn_str_is(qn_str_of(node->function->operands), "o");
  for (uint32_t i = 0; i < node->arg_count && !names_option; i++)
    if (constraint_changes(m, node->args[i])) return true;
  return false;
}

static void warn_of_loop(qn_rule_checker *c, const qn_rule_node *replacement) {
  matching m = {{NULL}};
  if (replacement->function && qn_rule_is(replacement, QN_RULE_FN_SELECT)) {
    warn_of_loop(c, replacement->args[1]);
    warn_of_loop(c, replacement->args[2]);
    return;
  }
  if (!built_op(replacement) || !matches(&m, c->rule->match, replacement) ||
      constraint_changes(&m, c->rule->constraint))
    return;
  qn_rule_warning(c->reporter, "W0801", replacement->pos,
                  "this rule matches its own result and nothing in it makes progress");
  qn_rule_note_anywhere(c->reporter, "it will be applied once per node; add a constraint or use "
                                     "another op name");
}

/* ---- work done twice (W0807) ---- */

static bool asks_for_uses(const qn_rule_node *node) {
  if (node->function && qn_rule_is(node, QN_RULE_FN_USES_OF)) return true;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (asks_for_uses(node->args[i])) return true;
  return false;
}

static bool builds_op_named(const qn_rule_node *node, qn_str name) {
  if (node->kind == QN_RULE_CALL && node->function && qn_rule_is(node, QN_RULE_FN_Op) &&
      qn_str_equal(qn_rule_op_name(node), name))
    return true;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (builds_op_named(node->args[i], name)) return true;
  return false;
}

/* Warns of ops inside the pattern that have no test of their uses: if other ops read them, they
 * stay and the work is done twice. */
static void warn_of_double_work(qn_rule_checker *c, const qn_rule_node *pattern, bool inside) {
  bool is_op = qn_rule_is(pattern, QN_RULE_FN_Op) || qn_rule_is(pattern, QN_RULE_FN_OpVarIn);
  if (inside && is_op && builds_op_named(c->rule->replacement, qn_rule_op_name(pattern))) {
    qn_rule_warning(c->reporter, "W0807", pattern->pos,
                    "the work of this %.*s is done twice where its result has another use",
                    QN_STR_ARG(qn_rule_op_name(pattern)));
    qn_rule_help(c->reporter, "name it with LET and ask for EQ(USES_OF(\"...\"), 1)");
    return;
  }
  for (uint32_t i = 0; i < pattern->arg_count; i++)
    if (pattern->args[i]->kind == QN_RULE_CALL)
      warn_of_double_work(c, pattern->args[i], inside || is_op);
}

/* ---- equality of computed floats (W0808) ---- */

static bool is_computed(const qn_rule_node *node) {
  qn_rule_result result = node->function ? node->function->result : QN_RULE_RESULT_NONE;
  return node->type == QN_RULE_F32 && node->kind == QN_RULE_CALL &&
         (result == QN_RULE_RESULT_PROMOTED || result == QN_RULE_RESULT_NEGATED);
}

static void warn_of_equality(qn_rule_checker *c, const qn_rule_node *node) {
  bool equality =
      node->function && (qn_rule_is(node, QN_RULE_FN_EQ) || qn_rule_is(node, QN_RULE_FN_NE));
  if (equality && is_computed(node->args[0]) && is_computed(node->args[1])) {
    qn_rule_warning(c->reporter, "W0808", node->pos, "%s of computed floats is exact",
                    node->function->name);
    qn_rule_help(c->reporter, "LT(ABS(SUB(%s, %s)), tolerance)", qn_rule_source(c, node->args[0]),
                 qn_rule_source(c, node->args[1]));
  }
  for (uint32_t i = 0; i < node->arg_count; i++) warn_of_equality(c, node->args[i]);
}

/* ---- operands that can't be swapped (W0815) ---- */

/* Whether an op of that name may be commutative, by the op tables. True for ops that this build
 * lacks, because nothing is known of them. */
static bool may_commute(qn_str name) {
  const qn_rule_form *form = qn_rule_form_find(name);
  if (!form || form->kind == QN_OP_UNREGISTERED) return true;
  for (const char *first = form->name; form->name && strcmp(form->name, first) == 0; form++)
    if (qn_op_infos[form->kind].traits & QN_COMMUTATIVE) return true;
  return false;
}

static void warn_of_swapping(qn_rule_checker *c, const qn_rule_node *pattern) {
  const qn_rule_node *op = pattern->arg_count > 0 ? pattern->args[0] : NULL;
  bool swaps = pattern->function && qn_rule_is(pattern, QN_RULE_FN_EITHER) && op->function &&
               (qn_rule_is(op, QN_RULE_FN_Op) || qn_rule_is(op, QN_RULE_FN_OpVarIn));
  if (swaps && !may_commute(qn_rule_op_name(op))) {
    qn_rule_warning(c->reporter, "W0815", pattern->pos,
                    "EITHER swaps the operands of a %.*s, which is another value then",
                    QN_STR_ARG(qn_rule_op_name(op)));
    qn_rule_help(c->reporter, "leave EITHER out, or write a rule for the other order");
  }
  for (uint32_t i = 0; i < pattern->arg_count; i++) warn_of_swapping(c, pattern->args[i]);
}

/* ---- operands that are not swapped (W0816) ---- */

static void warn_of_order(qn_rule_checker *c, const qn_rule_node *pattern, uint32_t *io_count) {
  bool either = pattern->function && qn_rule_is(pattern, QN_RULE_FN_EITHER);
  *io_count += either;
  if (either && *io_count == QN_RULE_MOST_EITHERS + 1) {
    qn_rule_warning(c->reporter, "W0816", pattern->pos,
                    "this and every further EITHER tries the written order only: a rule is tried "
                    "in %d ways",
                    1 << QN_RULE_MOST_EITHERS);
    qn_rule_help(c->reporter, "write two rules, one for each order");
  }
  for (uint32_t i = 0; i < pattern->arg_count; i++) warn_of_order(c, pattern->args[i], io_count);
}

void qn_rule_lint(qn_rule_checker *c) {
  uint32_t eithers = 0;
  warn_of_loop(c, c->rule->replacement);
  warn_of_swapping(c, c->rule->match);
  warn_of_order(c, c->rule->match, &eithers);
  if (!c->set->options.lint) return;
  bool counts_uses = asks_for_uses(c->rule->constraint);
  if (!counts_uses) warn_of_double_work(c, c->rule->match, false);
  warn_of_equality(c, c->rule->constraint);
}
