/* Positions in a pattern that the constraint requires, with SAME_OP, to be the same operand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/trial/sampler.h"

static bool is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function && qn_rule_is(node, id);
}

/* The op or tag of a pattern within EITHER and LET. */
static const qn_rule_node *bare(const qn_rule_node *node) {
  while (is(node, QN_RULE_FN_EITHER) || is(node, QN_RULE_FN_LET))
    node = node->args[node->arg_count - 1];
  return node;
}

/* The pattern that LET binds to the tag; NULL if there is none. */
static const qn_rule_node *find_let(const qn_rule_node *node, uint32_t tag) {
  if (is(node, QN_RULE_FN_LET) && node->args[0]->tag == tag) return bare(node);
  bool is_op = is(node, QN_RULE_FN_Op) || is(node, QN_RULE_FN_OpVarIn);
  for (uint32_t i = is_op ? 1 : 0; i < node->arg_count; i++) {
    const qn_rule_node *found = find_let(node->args[i], tag);
    if (found) return found;
  }
  return NULL;
}

static const qn_rule_node *find_use(const qn_rule_node *node, uint32_t tag) {
  if (node->kind == QN_RULE_STRING) return node->tag == tag ? node : NULL;
  bool is_op = is(node, QN_RULE_FN_Op) || is(node, QN_RULE_FN_OpVarIn);
  for (uint32_t i = is_op ? 1 : 0; i < node->arg_count; i++) {
    const qn_rule_node *found = find_use(node->args[i], tag);
    if (found) return found;
  }
  return NULL;
}

/* The node that represents a position: all uses of a tag have the same representative. */
static const qn_rule_node *place_of(const qn_rule *rule, const qn_rule_node *pattern) {
  pattern = bare(pattern);
  if (pattern->kind != QN_RULE_STRING) return pattern;
  const qn_rule_node *let = find_let(rule->match, pattern->tag);
  return let ? let : find_use(rule->match, pattern->tag);
}

/* The representative of the position that a reference in the constraint denotes; NULL if there is
 * none or it is not known statically. */
static const qn_rule_node *meant(const qn_rule *rule, const qn_rule_node *reference) {
  if (reference->kind == QN_RULE_STRING)
    return reference->tag == QN_RULE_ROOT ? bare(rule->match) : place_of(rule, reference);
  bool input = is(reference, QN_RULE_FN_INPUT_OF) && reference->args[1]->kind == QN_RULE_INT;
  const qn_rule_node *op = input ? meant(rule, reference->args[0]) : NULL;
  if (!op || op->kind == QN_RULE_STRING) return NULL;
  int64_t index = reference->args[1]->integer;
  bool there = index >= 0 && index + 1 < op->arg_count;
  return there ? place_of(rule, op->args[index + 1]) : NULL;
}

static qn_rule_same *class_of(qn_rule_hints *h, const qn_rule_node *place) {
  for (uint32_t i = 0; i < h->same_count; i++)
    for (uint32_t k = 0; k < h->same[i].count; k++)
      if (h->same[i].places[k] == place) return &h->same[i];
  return NULL;
}

static void add_place(qn_rule_same *same, const qn_rule_node *place) {
  if (same->count < QN_RULE_MOST_HINTS) same->places[same->count++] = place;
}

static void unite(qn_rule_hints *h, const qn_rule_node *a, const qn_rule_node *b) {
  qn_rule_same *of_a = class_of(h, a), *of_b = class_of(h, b);
  if (of_a && of_b) {
    for (uint32_t k = 0; of_a != of_b && k < of_b->count; k++) add_place(of_a, of_b->places[k]);
    if (of_a != of_b) of_b->count = 0;
  } else if (of_a || of_b) {
    add_place(of_a ? of_a : of_b, of_a ? b : a);
  } else if (h->same_count < QN_RULE_MOST_HINTS) {
    h->same[h->same_count++] = (qn_rule_same){.places = {a, b}, .count = 2};
  }
}

void qn_rule_sampler_same_hints(qn_rule_hints *h, const qn_rule *rule, const qn_rule_node *node) {
  if (is(node, QN_RULE_FN_SAME_OP)) {
    const qn_rule_node *a = meant(rule, node->args[0]), *b = meant(rule, node->args[1]);
    if (a && b && a != b) unite(h, a, b);
  }
  for (uint32_t i = 0; i < node->arg_count; i++) qn_rule_sampler_same_hints(h, rule, node->args[i]);
}

qn_rule_same *qn_rule_sampler_same(qn_rule_sampler *s, const qn_rule_node *pattern,
                                   const qn_rule_node **out_place) {
  if (s->hints.same_count == 0) return NULL;
  *out_place = place_of(s->rule, pattern);
  return class_of(&s->hints, *out_place);
}
