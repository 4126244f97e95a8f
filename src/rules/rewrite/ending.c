/* Whether repeated application of a rule ends, as far as the rule alone shows it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/run.h"

const char *const qn_rule_ending_names[] = {"shrinking", "guarded", "forward", "unknown"};

typedef struct census {
  uint32_t ops;
  bool many;      /* the number of ops built is not known statically */
  bool root_name; /* builds an op with the same name as the root of its pattern */
  qn_str root;
} census;

static bool is_op(const qn_rule_node *node) {
  static const qn_rule_function_id ids[] = {QN_RULE_FN_Op, QN_RULE_FN_OpVarIn, QN_RULE_FN_WrapOp,
                                            QN_RULE_FN_WrapOpAlways};
  for (size_t i = 0; node->function && i < QN_COUNT(ids); i++)
    if (qn_rule_is(node, ids[i])) return true;
  return false;
}

static void count(const qn_rule_node *node, census *c) {
  static const qn_rule_function_id many[] = {QN_RULE_FN_AUTOSPLIT, QN_RULE_FN_OP_ITER,
                                             QN_RULE_FN_EXTERNAL_REPLACE};
  for (size_t i = 0; node->function && i < QN_COUNT(many); i++)
    c->many |= qn_rule_is(node, many[i]);
  if (is_op(node)) {
    c->ops++;
    c->root_name |= qn_str_equal(qn_rule_op_name(node), c->root);
  }
  for (uint32_t i = 0; i < node->arg_count; i++) count(node->args[i], c);
}

/* Whether a conjunct has the form GT(DIM_OF("*", d), c); if so, gives dimension d and bound c. */
static bool is_guard(const qn_rule_node *node, int64_t *out_dim, int64_t *out_bound) {
  if (!node->function || !qn_rule_is(node, QN_RULE_FN_GT)) return false;
  const qn_rule_node *size = node->args[0], *bound = node->args[1];
  if (!size->function || !qn_rule_is(size, QN_RULE_FN_DIM_OF) || bound->kind != QN_RULE_INT)
    return false;
  const qn_rule_node *of = size->args[0], *dim = size->args[1];
  if (of->kind != QN_RULE_STRING || of->tag != QN_RULE_ROOT || dim->kind != QN_RULE_INT)
    return false;
  *out_dim = dim->integer;
  *out_bound = bound->integer;
  return true;
}

static bool is_at_most(const qn_rule_node *chunk, int64_t bound) {
  bool sweeps = chunk->function && qn_rule_is(chunk, QN_RULE_FN_SWEEP);
  for (uint32_t i = 0; sweeps && i < chunk->arg_count; i++)
    if (!is_at_most(chunk->args[i], bound)) return false;
  return sweeps || (chunk->kind == QN_RULE_INT && chunk->integer <= bound);
}

/* Whether the constraint guards an AUTOSPLIT against matching its own pieces: it requires the split
 * dimension to exceed a bound, and each chunk is at most this bound. */
static bool is_guarded(const qn_rule_node *constraint, const qn_rule_node *split) {
  int64_t dim, bound;
  if (!split->function || !qn_rule_is(split, QN_RULE_FN_AUTOSPLIT)) return false;
  if (constraint->function && qn_rule_is(constraint, QN_RULE_FN_AND)) {
    for (uint32_t i = 0; i < constraint->arg_count; i++)
      if (is_guarded(constraint->args[i], split)) return true;
    return false;
  }
  const qn_rule_node *chunk = split->args[2], *axis = split->args[0];
  return is_guard(constraint, &dim, &bound) && axis->kind == QN_RULE_INT && axis->integer == dim &&
         is_at_most(chunk, bound);
}

qn_rule_ending qn_rule_ending_of(const qn_rule *rule) {
  census before = {0}, after = {.root = qn_rule_op_name(qn_rule_root_pattern(rule))};
  count(rule->match, &before);
  count(rule->replacement, &after);
  if (!after.many && after.ops < before.ops) return QN_RULE_SHRINKS;
  if (is_guarded(rule->constraint, rule->replacement)) return QN_RULE_GUARDED;
  if (!after.many && !after.root_name) return QN_RULE_FORWARD;
  return QN_RULE_ENDING_UNKNOWN;
}
