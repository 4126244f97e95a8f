/* Checks of replacements: what may be at their root, and the split tags that AUTOSPLIT and OP_ITER
 * define.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

/* ---- split contexts ---- */

qn_rule_split *qn_rule_open_split(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag) {
  if (tag->kind != QN_RULE_STRING) return NULL; /* an error has been reported */
  for (uint32_t i = 0; i < c->split_count; i++) {
    const qn_rule_split *other = &c->splits[i];
    if (!qn_str_equal(other->tag, tag->text)) continue;
    qn_rule_error(c->reporter, "RR0503", tag->pos, "split tag \"%.*s\" already belongs to %s %s",
                  QN_STR_ARG(tag->text), other->active ? "the enclosing" : "another",
                  other->call->function->name);
    qn_rule_note(c->reporter, other->pos, "it is opened here");
    return NULL;
  }
  if (c->split_count == QN_RULE_MAX_SPLITS) {
    qn_rule_error(c->reporter, "RR0505", tag->pos, "more than %d split tags in a rule",
                  QN_RULE_MAX_SPLITS);
    return NULL;
  }
  qn_rule_split *split = &c->splits[c->split_count++];
  *split = (qn_rule_split){.tag = tag->text, .call = call, .pos = tag->pos, .active = true};
  return split;
}

void qn_rule_check_split_use(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag,
                             bool splits_only) {
  for (uint32_t i = 0; i < c->split_count; i++) {
    qn_rule_split *split = &c->splits[i];
    if (!split->active || !qn_str_equal(split->tag, tag->text)) continue;
    split->used = true;
    if (splits_only && qn_rule_is(split->call, QN_RULE_FN_OP_ITER))
      qn_rule_error(c->reporter, "RR0504", call->pos,
                    "%s has no meaning in an OP_ITER; only ITER_VAR(\"%.*s\") does",
                    call->function->name, QN_STR_ARG(tag->text));
    return;
  }
  bool iterates =
      qn_rule_is(call, QN_RULE_FN_ITER_VAR) || qn_rule_is(call, QN_RULE_FN_ITER_INPUT_OF);
  qn_rule_error(c->reporter, "RR0501", tag->pos,
                "%s uses split tag \"%.*s\" outside an %s(..., \"%.*s\", ...)",
                call->function->name, QN_STR_ARG(tag->text), iterates ? "OP_ITER" : "AUTOSPLIT",
                QN_STR_ARG(tag->text));
  for (uint32_t i = 0; i < c->split_count; i++)
    if (qn_str_equal(c->splits[i].tag, tag->text))
      qn_rule_note(c->reporter, c->splits[i].pos,
                   "its meaning is limited to the last operand of this %s",
                   c->splits[i].call->function->name);
}

/* The first graph operand that the body of a split reads whole, instead of a slice of it. */
static const qn_rule_node *first_tag(const qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING) return node;
  bool names_op = qn_rule_op_name(node).size > 0;
  for (uint32_t i = 0; i < node->arg_count; i++) {
    if (names_op && i == 0) continue;
    const qn_rule_node *found = first_tag(node->args[i]);
    if (found) return found;
  }
  return NULL;
}

static void check_splits_used(qn_rule_checker *c) {
  for (uint32_t i = 0; i < c->split_count; i++) {
    const qn_rule_split *split = &c->splits[i];
    if (split->used || qn_rule_is(split->call, QN_RULE_FN_OP_ITER)) continue;
    const qn_rule_node *tag = first_tag(split->call->args[3]);
    qn_rule_error(c->reporter, "RR0502", split->pos,
                  "the body of this AUTOSPLIT never uses its tag \"%.*s\"", QN_STR_ARG(split->tag));
    if (!tag) continue;
    qn_rule_note(c->reporter, tag->pos, "every piece would read the whole of \"%.*s\"",
                 QN_STR_ARG(tag->text));
    qn_rule_help(c->reporter, "TYPICAL_SLICE(\"%.*s\", \"%.*s\")", QN_STR_ARG(tag->text),
                 QN_STR_ARG(split->tag));
  }
}

/* ---- the root ---- */

/* Reports "*" where it would be the whole replacement, also within SELECT and modifiers. */
static void refuse_itself(qn_rule_checker *c, const qn_rule_node *node) {
  bool select = node->function && qn_rule_is(node, QN_RULE_FN_SELECT);
  bool operand = node->function && qn_rule_is(node, QN_RULE_FN_Operand);
  if (node->kind == QN_RULE_STRING && qn_str_is(node->text, "*")) {
    qn_rule_error(c->reporter, "RR0602", node->pos,
                  "the replacement can be \"*\", which replaces the node by itself");
    qn_rule_help(c->reporter, "move the condition into the constraint");
  }
  for (uint32_t i = select ? 1 : 0; (select || operand) && i < node->arg_count; i++)
    refuse_itself(c, node->args[i]);
}

static void check_root(qn_rule_checker *c, qn_rule_node *node) {
  enum {
    SORTS = QN_RULE_SORT_ROOT | QN_RULE_SORT_REF | QN_RULE_SORT_ITERREF | QN_RULE_SORT_SHAPE |
            QN_RULE_SORT_CONST | QN_RULE_SORT_BUILD,
  };
  if (node->kind == QN_RULE_STRING) {
    qn_rule_check_tag(c, node);
    return;
  }
  if (node->kind != QN_RULE_CALL) {
    qn_rule_error(c->reporter, "RR0211", node->pos,
                  "a replacement is Op(...) or an existing operand, found %s",
                  qn_rule_describe(c, node));
    return;
  }
  if (!qn_rule_check_call(c, node, SORTS, "an operand of the graph")) return;
  qn_rule_check_operands(c, node);
  if (qn_rule_is(node, QN_RULE_FN_SELECT)) {
    check_root(c, node->args[1]);
    check_root(c, node->args[2]);
    return;
  }
  qn_rule_check_whole(c, node);
}

void qn_rule_check_replacement(qn_rule_checker *c) {
  check_root(c, c->rule->replacement);
  refuse_itself(c, c->rule->replacement);
  check_splits_used(c);
  for (uint32_t i = 0; i < c->split_count; i++) QN_ASSERT(!c->splits[i].active); /* all closed */
}
