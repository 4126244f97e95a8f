/* Checks of pairs and sets of rules: a rule that an earlier rule shadows completely, two rules that
 * may both match, and rules of one pass each of which builds what the next one matches, in a cycle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/overlap.h"

#include "base/array.h"

static bool is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function && qn_rule_is(node, id);
}

static bool is_op(const qn_rule_node *node) {
  return is(node, QN_RULE_FN_Op) || is(node, QN_RULE_FN_OpVarIn);
}

/* The op of a pattern within EITHER and LET, or the string if the pattern is a tag. */
static const qn_rule_node *bare(const qn_rule_node *node) {
  while (is(node, QN_RULE_FN_EITHER) || is(node, QN_RULE_FN_LET))
    node = node->args[node->arg_count - 1];
  return node;
}

/* ---- whether a wide pattern matches wherever a narrow one does ---- */

typedef struct cover {
  /* For each tag of the wide rule, the node of the narrow rule in the same position; NULL: none
   * yet. */
  const qn_rule_node *values[QN_RULE_MAX_TAGS];
} cover;

static bool same(const cover *c, const qn_rule_node *wide, const qn_rule_node *narrow) {
  if (wide->kind == QN_RULE_STRING && wide->tag != QN_RULE_ROOT && wide->tag < QN_RULE_MAX_TAGS &&
      narrow->kind == QN_RULE_STRING) {
    const qn_rule_node *value = c->values[wide->tag];
    if (value) return value->kind == QN_RULE_STRING && value->tag == narrow->tag;
  }
  if (wide->kind != narrow->kind || wide->arg_count != narrow->arg_count ||
      !qn_str_equal(wide->text, narrow->text) || wide->integer != narrow->integer ||
      wide->real != narrow->real)
    return false;
  for (uint32_t i = 0; i < wide->arg_count; i++)
    if (!same(c, wide->args[i], narrow->args[i])) return false;
  return true;
}

static bool bind(cover *c, const qn_rule_node *tag, const qn_rule_node *value) {
  const qn_rule_node **slot = &c->values[tag->tag];
  if (!*slot) *slot = value;
  return *slot == value || ((*slot)->kind == QN_RULE_STRING && value->kind == QN_RULE_STRING &&
                            (*slot)->tag == value->tag);
}

static bool covers(cover *c, const qn_rule_node *wide, const qn_rule_node *narrow) {
  /* if both name the node with LET, compare the names */
  if (is(wide, QN_RULE_FN_LET) &&
      !bind(c, wide->args[0], is(narrow, QN_RULE_FN_LET) ? narrow->args[0] : narrow))
    return false;
  if (wide->kind == QN_RULE_STRING)
    return bind(c, wide, is(narrow, QN_RULE_FN_LET) ? narrow->args[0] : narrow);
  const qn_rule_node *a = bare(wide), *b = bare(narrow);
  if (!is_op(a) || !is_op(b) || !qn_str_equal(qn_rule_op_name(a), qn_rule_op_name(b))) return false;
  bool more = is(a, QN_RULE_FN_OpVarIn);
  if (more ? a->arg_count > b->arg_count
           : a->arg_count != b->arg_count || is(b, QN_RULE_FN_OpVarIn))
    return false;
  for (uint32_t i = 1; i < a->arg_count; i++)
    if (!covers(c, a->args[i], b->args[i])) return false;
  return true;
}

static bool has_conjunct(const cover *c, const qn_rule_node *wanted,
                         const qn_rule_node *constraint) {
  if (same(c, wanted, constraint)) return true;
  for (uint32_t i = 0; is(constraint, QN_RULE_FN_AND) && i < constraint->arg_count; i++)
    if (has_conjunct(c, wanted, constraint->args[i])) return true;
  return false;
}

/* Whether the narrow constraint contains every conjunct of the wide one. */
static bool implied(const cover *c, const qn_rule_node *wide, const qn_rule_node *narrow) {
  if (is(wide, QN_RULE_FN_OK) || is(wide, QN_RULE_FN_true)) return true;
  if (!is(wide, QN_RULE_FN_AND)) return has_conjunct(c, wide, narrow);
  for (uint32_t i = 0; i < wide->arg_count; i++)
    if (!implied(c, wide->args[i], narrow)) return false;
  return true;
}

/* ---- whether both may match ---- */

static bool unify(const qn_rule_node *a, const qn_rule_node *b) {
  a = bare(a), b = bare(b);
  if (a->kind == QN_RULE_STRING || b->kind == QN_RULE_STRING) return true;
  if (!is_op(a) || !is_op(b) || !qn_str_equal(qn_rule_op_name(a), qn_rule_op_name(b))) return false;
  bool fixed = is(a, QN_RULE_FN_Op) && is(b, QN_RULE_FN_Op);
  if (fixed && a->arg_count != b->arg_count) return false;
  uint32_t count = a->arg_count < b->arg_count ? a->arg_count : b->arg_count;
  for (uint32_t i = 1; i < count; i++)
    if (!unify(a->args[i], b->args[i])) return false;
  return true;
}

/* Whether `part` is the constraint or one of its conjuncts, also nested. */
static bool demands(const qn_rule_node *constraint, const qn_rule_node *part) {
  static const cover none = {{NULL}};
  return has_conjunct(&none, part, constraint);
}

/* Whether a has a conjunct NOT(x) where x is a conjunct of b, also nested. The other direction is
 * another call. */
static bool contradicts(const qn_rule_node *a, const qn_rule_node *b) {
  for (uint32_t i = 0; is(a, QN_RULE_FN_AND) && i < a->arg_count; i++)
    if (contradicts(a->args[i], b)) return true;
  return is(a, QN_RULE_FN_NOT) && demands(b, a->args[0]);
}

/* Whether one constraint has a conjunct that the other one negates. */
static bool deny(const qn_rule_node *a, const qn_rule_node *b) {
  return contradicts(a, b) || contradicts(b, a);
}

static void warn(qn_rule_reporter *reporter, const char *code, const qn_rule *rule,
                 const qn_rule *other, const char *format) {
  qn_rule_warning(reporter, code, rule->pos, format, QN_STR_ARG(rule->name),
                  QN_STR_ARG(other->name));
  if (other->file == rule->file)
    qn_rule_note(reporter, other->pos, "it is here");
  else
    qn_rule_note_anywhere(reporter, "it is in %.*s", QN_STR_ARG(other->file->path));
}

void qn_rule_check_pair(qn_rule_reporter *reporter, const qn_rule *earlier, const qn_rule *rule,
                        bool lint) {
  cover c = {{NULL}};
  bool before = earlier->pass <= rule->pass;
  if (before && covers(&c, earlier->match, rule->match) &&
      implied(&c, earlier->constraint, rule->constraint))
    warn(reporter, "W0814", rule, earlier,
         "%.*s can't fire: %.*s, which is tried before, takes all that it matches");
  else if (lint && earlier->pass == rule->pass && unify(earlier->match, rule->match) &&
           !deny(earlier->constraint, rule->constraint))
    warn(reporter, "W0813", rule, earlier,
         "%.*s and %.*s are of one pass and may match the same node: the first one in the files is "
         "applied");
}

/* ---- cycles ---- */

static bool is_dtype_test(const qn_rule_node *node) {
  return node->kind == QN_RULE_CALL && node->function &&
         strncmp(node->function->name, "IS_", 3) == 0 && node->type == QN_RULE_BOOL &&
         node->arg_count == 1 && node->args[0]->kind == QN_RULE_STRING &&
         !is(node, QN_RULE_FN_IS_CONST);
}

/* Whether a constraint tests the tag for another element type than `test` does. */
static bool asks_otherwise(const qn_rule_node *constraint, uint32_t tag, const qn_rule_node *test) {
  for (uint32_t i = 0; is(constraint, QN_RULE_FN_AND) && i < constraint->arg_count; i++)
    if (asks_otherwise(constraint->args[i], tag, test)) return true;
  return is_dtype_test(constraint) && constraint->args[0]->tag == tag &&
         constraint->function != test->function;
}

/* Whether the constraint of the next rule requires, of an operand that the first rule passes
 * through, another element type than the first rule's constraint. */
static bool excludes(const cover *c, const qn_rule_node *next, const qn_rule_node *constraint) {
  for (uint32_t i = 0; is(next, QN_RULE_FN_AND) && i < next->arg_count; i++)
    if (excludes(c, next->args[i], constraint)) return true;
  if (!is_dtype_test(next) || next->args[0]->tag == QN_RULE_ROOT) return false;
  const qn_rule_node *value = c->values[next->args[0]->tag];
  return value && value->kind == QN_RULE_STRING && asks_otherwise(constraint, value->tag, next);
}

/* Whether the pattern of a rule matches an op that another rule builds. Operands that the other
 * rule does not build match any tag. Records the node for each tag in c->values. */
static bool matches_built(cover *c, const qn_rule_node *pattern, const qn_rule_node *built) {
  pattern = bare(pattern);
  while (built->kind == QN_RULE_CALL && built->function && built->function->operands &&
         !is(built, QN_RULE_FN_Op)) {
    size_t letters = strlen(built->function->operands);
    bool modifier = built->function->operands[letters - 1] == 'w';
    if (!modifier) break;
    built = built->args[built->arg_count - 1];
  }
  if (pattern->kind == QN_RULE_STRING) {
    c->values[pattern->tag] = built;
    return true;
  }
  if (!is(built, QN_RULE_FN_Op) ||
      !qn_str_equal(qn_rule_op_name(pattern), qn_rule_op_name(built)) ||
      pattern->arg_count != built->arg_count)
    return false;
  for (uint32_t i = 1; i < pattern->arg_count; i++)
    if (!matches_built(c, pattern->args[i], built->args[i])) return false;
  return true;
}

static bool builds_for(const qn_rule *rule, const qn_rule_node *replacement, const qn_rule *next) {
  cover c = {{NULL}};
  if (is(replacement, QN_RULE_FN_Op) && matches_built(&c, next->match, replacement) &&
      !excludes(&c, next->constraint, rule->constraint))
    return true;
  for (uint32_t i = 0; i < replacement->arg_count; i++)
    if (builds_for(rule, replacement->args[i], next)) return true;
  return false;
}

static uint32_t count_ops(const qn_rule_node *node) {
  uint32_t count = is_op(node);
  for (uint32_t i = 0; i < node->arg_count; i++) count += count_ops(node->args[i]);
  return count;
}

/* Whether repeated application ends by itself: the rule builds fewer ops than it matches, or it is
 * an AUTOSPLIT, whose constraint wants the unsplit op. */
static bool shrinks(const qn_rule *rule) {
  const qn_rule_node *replacement = rule->replacement;
  return count_ops(replacement) < count_ops(rule->match) || is(replacement, QN_RULE_FN_AUTOSPLIT);
}

/* Breadth-first search for the shortest cycle of rules of one pass that returns to its first
 * rule. */
typedef struct circle {
  const qn_rule *const *rules;
  size_t count;
  QN_ARRAY(size_t) queue;
  /* [rule] 1 + index of the rule from which it was reached; 0: not reached */
  QN_ARRAY(size_t) from;
} circle;

static size_t find_circle(circle *c, size_t first) {
  const qn_rule *start = c->rules[first];
  c->queue.count = 0;
  qn_array_reserve(&c->from, c->count);
  for (size_t i = 0; i < c->count; i++) c->from.data[i] = 0;
  qn_array_push(&c->queue, first);
  for (size_t at = 0; at < c->queue.count; at++) {
    size_t k = c->queue.data[at];
    /* from `first` on: each cycle is reported at its first rule only */
    for (size_t i = first; i < c->count; i++) {
      const qn_rule *next = c->rules[i];
      if (next->pass != start->pass || shrinks(next) || (i == k && at == 0) ||
          !builds_for(c->rules[k], c->rules[k]->replacement, next))
        continue;
      if (i == first) return k + 1;
      if (c->from.data[i] > 0) continue;
      c->from.data[i] = k + 1;
      qn_array_push(&c->queue, i);
    }
  }
  return 0;
}

void qn_rule_check_circles(qn_rule_set *set, qn_rule_reporter *reporter) {
  circle c = {.rules = (const qn_rule *const *)set->rules.data, .count = set->rules.count};
  for (size_t i = 0; i < c.count; i++) {
    size_t last = shrinks(c.rules[i]) ? 0 : find_circle(&c, i);
    if (last == 0 || last - 1 == i) continue;
    qn_rule_reporter_init(reporter, set->diag, &set->arena, c.rules[i]->file->path);
    qn_rule_warning(reporter, "W0812", c.rules[i]->pos,
                    "%.*s builds what is turned back into what it matches",
                    QN_STR_ARG(c.rules[i]->name));
    for (size_t k = last; k > 0 && k - 1 != i; k = c.from.data[k - 1])
      qn_rule_note_anywhere(reporter, "by %.*s, of the same pass",
                            QN_STR_ARG(c.rules[k - 1]->name));
    qn_rule_help(
        reporter,
        "add a constraint that is false for what has been built, or give one of them a later pass");
    qn_rule_flush(reporter);
  }
  qn_array_free(&c.queue);
  qn_array_free(&c.from);
}
