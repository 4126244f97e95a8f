/* The plain matcher: compares one pattern with one op, operands from left to right, depth first. A
 * tag that occurs again must be bound to the same operand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/match.h"

typedef struct matcher {
  const qn_rule_view *view;
  qn_rule_binding *binding;
  uint32_t choice;  /* bit k: the k-th EITHER has its operands swapped */
  uint32_t eithers; /* EITHER patterns met so far */
} matcher;

static bool bind(matcher *m, uint32_t tag, qn_rule_operand operand) {
  QN_ASSERT(tag < QN_RULE_MAX_TAGS); /* "*" is no tag of a pattern */
  qn_rule_binding *b = m->binding;
  if (b->bound[tag]) return qn_rule_same_operand(b->tags[tag], operand);
  b->bound[tag] = true;
  b->tags[tag] = operand;
  return true;
}

static bool match_pattern(matcher *m, const qn_rule_node *pattern, qn_rule_operand operand);

/* Matches the pattern `op` at `operand`. If `swapped`, the first two inputs are matched in the
 * opposite order. */
static bool match_op(matcher *m, const qn_rule_node *op, qn_rule_operand operand, bool swapped) {
  QN_ASSERT(op->arg_count > 0); /* the name */
  const qn_rule_view *v = m->view;
  void *node = qn_rule_as(v, operand, qn_rule_op_name(op));
  if (!node) return false;
  uint32_t wanted = op->arg_count - 1, count = v->input_count(v->graph, node);
  bool more = qn_rule_is(op, QN_RULE_FN_OpVarIn);
  if (more ? count < wanted : count != wanted) return false;
  if (swapped && wanted < 2) return false;
  for (uint32_t i = 0; i < wanted; i++) {
    uint32_t input = swapped && i < 2 ? 1 - i : i;
    if (!match_pattern(m, op->args[i + 1], v->input(v->graph, node, input))) return false;
  }
  return true;
}

static bool match_pattern(matcher *m, const qn_rule_node *pattern, qn_rule_operand operand) {
  bool swapped = false;
  if (pattern->kind == QN_RULE_STRING) return bind(m, pattern->tag, operand);
  if (qn_rule_is(pattern, QN_RULE_FN_LET))
    return match_pattern(m, pattern->args[1], operand) && bind(m, pattern->args[0]->tag, operand);
  while (qn_rule_is(pattern, QN_RULE_FN_EITHER)) {
    swapped = m->eithers < QN_RULE_MOST_EITHERS && (m->choice >> m->eithers & 1);
    m->eithers++;
    pattern = pattern->args[0];
  }
  if (qn_rule_is(pattern, QN_RULE_FN_LET)) return match_pattern(m, pattern, operand);
  return match_op(m, pattern, operand, swapped);
}

static uint32_t count_eithers(const qn_rule_node *pattern) {
  uint32_t count = pattern->function && qn_rule_is(pattern, QN_RULE_FN_EITHER);
  for (uint32_t i = 0; i < pattern->arg_count; i++) count += count_eithers(pattern->args[i]);
  return count < QN_RULE_MOST_EITHERS ? count : QN_RULE_MOST_EITHERS;
}

uint32_t qn_rule_ways(const qn_rule *rule) { return 1u << count_eithers(rule->match); }

bool qn_rule_match(const qn_rule_view *view, const qn_rule *rule, qn_rule_operand root,
                   uint32_t *choice, qn_rule_binding *out_binding) {
  uint32_t ways = qn_rule_ways(rule);
  for (; *choice < ways; ++*choice) {
    *out_binding = (qn_rule_binding){.root = root};
    matcher m = {.view = view, .binding = out_binding, .choice = *choice};
    if (match_pattern(&m, rule->match, out_binding->root)) return true;
  }
  return false;
}

bool qn_rule_match_part(const qn_rule_view *view, const qn_rule_node *pattern,
                        qn_rule_operand operand, qn_rule_binding *io_binding) {
  qn_rule_binding binding = *io_binding;
  matcher m = {.view = view, .binding = &binding};
  if (!match_pattern(&m, pattern, operand)) return false;
  *io_binding = binding;
  return true;
}
