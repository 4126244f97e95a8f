/* Checks of patterns and tags.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

uint32_t qn_rule_find_tag(const qn_rule_checker *c, qn_str name) {
  for (uint32_t i = 0; i < c->tag_count; i++)
    if (qn_str_equal(c->tags[i].name, name)) return i;
  return UINT32_MAX;
}

/* ---- uses ---- */

static void refuse_tag(qn_rule_checker *c, const qn_rule_node *node) {
  qn_text list = {0};
  qn_rule_guess guess = qn_rule_guess_begin(node->text);
  qn_rule_error(c->reporter, "RR0302", node->pos, "tag \"%.*s\" is not bound by the match",
                QN_STR_ARG(node->text));
  for (uint32_t i = 0; i < c->tag_count; i++) {
    if (i < 8) qn_text_format(&list, "%s\"%.*s\"", i ? ", " : "", QN_STR_ARG(c->tags[i].name));
    qn_rule_guess_offer(&guess, c->tags[i].name);
  }
  if (c->tag_count > 0) qn_rule_note_anywhere(c->reporter, "bound tags: %s", list.data);
  qn_rule_guess_help(c->reporter, &guess, "\"", "\"");
  qn_text_deinit(&list);
}

void qn_rule_check_tag(qn_rule_checker *c, qn_rule_node *node) {
  if (qn_str_is(node->text, "*")) {
    node->tag = QN_RULE_ROOT;
    return;
  }
  node->tag = qn_rule_find_tag(c, node->text);
  if (node->tag == UINT32_MAX && !c->tags_missing) refuse_tag(c, node);
}

void qn_rule_check_op_name(qn_rule_checker *c, qn_rule_node *node) {
  if (node->kind == QN_RULE_STRING) return;
  if (node->kind == QN_RULE_CALL) {
    if (!qn_rule_check_call(c, node, QN_RULE_SORT_OPNAME, "the name of an op")) return;
    qn_rule_check_op_name(c, node->args[0]);
    return;
  }
  qn_rule_error(c->reporter, "RR0211", node->pos, "expected the name of an op, found %s",
                qn_rule_describe(c, node));
  qn_rule_help(c->reporter, "names of ops are strings, \"Relu\"");
}

qn_str qn_rule_op_name(const qn_rule_node *op) {
  const char *place =
      op->function && op->function->operands ? strchr(op->function->operands, 'O') : NULL;
  size_t index = place ? (size_t)(place - op->function->operands) : op->arg_count;
  if (index >= op->arg_count) return (qn_str){"", 0};
  const qn_rule_node *name = op->args[index];
  while (name->kind == QN_RULE_CALL && name->arg_count == 1) name = name->args[0];
  return name->kind == QN_RULE_STRING ? name->text : (qn_str){"", 0};
}

/* ---- binding ---- */

static uint32_t bind(qn_rule_checker *c, const qn_rule_node *node) {
  uint32_t tag = qn_rule_find_tag(c, node->text);
  if (tag != UINT32_MAX) return tag;
  if (c->tag_count == QN_RULE_MAX_TAGS) {
    qn_rule_error(c->reporter, "RR0305", node->pos, "more than %d tags in a rule",
                  QN_RULE_MAX_TAGS);
    return UINT32_MAX;
  }
  c->tags[c->tag_count] = (qn_rule_tag){.name = node->text, .first = node->pos};
  return c->tag_count++;
}

/* The LETs that enclose a position of the pattern, innermost first. */
typedef struct letting {
  const qn_rule_node *tag;
  const struct letting *around;
} letting;

static void bind_tag(qn_rule_checker *c, qn_rule_node *node, const letting *around) {
  if (qn_str_is(node->text, "*")) {
    qn_rule_error(c->reporter, "RR0301", node->pos,
                  "\"*\" always means the matched output and cannot be bound as a tag");
    return;
  }
  for (; around; around = around->around) {
    if (!qn_str_equal(around->tag->text, node->text)) continue;
    qn_rule_error(c->reporter, "RR0303", node->pos,
                  "tag \"%.*s\" is used inside the pattern that LET gives this name to",
                  QN_STR_ARG(node->text));
    qn_rule_note(c->reporter, around->tag->pos, "LET is here");
    return;
  }
  node->tag = bind(c, node);
}

static void check_pattern(qn_rule_checker *c, qn_rule_node *node, const letting *around);

static void check_let(qn_rule_checker *c, qn_rule_node *let, const letting *around) {
  qn_rule_node *tag = let->args[0], *inner = let->args[1];
  if (tag->kind != QN_RULE_STRING) {
    qn_rule_error(c->reporter, "RR0211", tag->pos, "LET names a pattern with a tag, found %s",
                  qn_rule_describe(c, tag));
    return;
  }
  if (inner->kind == QN_RULE_STRING) {
    qn_rule_error(c->reporter, "RR0206", inner->pos,
                  "LET names a pattern, Op(...) or OpVarIn(...), found a tag");
    return;
  }
  const letting here = {.tag = tag, .around = around};
  check_pattern(c, inner, &here);
  tag->tag = UINT32_MAX;
  bind_tag(c, tag, around);
  if (tag->tag == UINT32_MAX) return;
  qn_rule_tag *bound = &c->tags[tag->tag];
  if (bound->let) {
    qn_rule_error(c->reporter, "RR0304", tag->pos,
                  "\"%.*s\" already names the output of another LET", QN_STR_ARG(tag->text));
    qn_rule_note(c->reporter, bound->let->pos, "first LET is here");
    qn_rule_help(c->reporter,
                 "to require the same node, write LET(\"%.*s\", ...) once and \"%.*s\" the second "
                 "time",
                 QN_STR_ARG(tag->text), QN_STR_ARG(tag->text));
    return;
  }
  bound->let = let;
}

static void check_op(qn_rule_checker *c, qn_rule_node *op, const letting *around) {
  qn_rule_check_op_name(c, op->args[0]);
  for (uint32_t i = 1; i < op->arg_count; i++) {
    qn_rule_node *arg = op->args[i];
    if (arg->kind == QN_RULE_STRING)
      bind_tag(c, arg, around);
    else
      check_pattern(c, arg, around);
  }
}

static void check_pattern(qn_rule_checker *c, qn_rule_node *node, const letting *around) {
  if (node->kind != QN_RULE_CALL) {
    qn_rule_error(c->reporter, "RR0206", node->pos,
                  "a pattern is a tag, Op(...), OpVarIn(...) or LET(...), found %s",
                  qn_rule_describe(c, node));
    return;
  }
  if (!qn_rule_check_call(c, node, QN_RULE_SORT_MATCH | QN_RULE_SORT_LETTING, "a pattern")) return;
  if (qn_rule_is(node, QN_RULE_FN_LET))
    check_let(c, node, around);
  else if (!qn_rule_is(node, QN_RULE_FN_EITHER))
    check_op(c, node, around);
  else if (node->args[0]->kind == QN_RULE_CALL)
    check_pattern(c, node->args[0], around);
  else
    qn_rule_error(c->reporter, "RR0206", node->args[0]->pos,
                  "EITHER swaps the operands of an Op(...), found %s",
                  qn_rule_describe(c, node->args[0]));
}

/* ---- LETs that mention each other ---- */

/* Whether a pattern refers to the node `wanted`: through its tags, and through the patterns that
 * LET binds to these tags. */
static bool mentions(const qn_rule_checker *c, const qn_rule_node *node, uint32_t wanted,
                     bool *seen) {
  if (node->kind == QN_RULE_STRING) {
    uint32_t tag = qn_rule_find_tag(c, node->text);
    if (tag == wanted) return true;
    if (tag == UINT32_MAX || seen[tag]) return false;
    seen[tag] = true;
    const qn_rule_node *let = c->tags[tag].let;
    return let && mentions(c, let->args[1], wanted, seen);
  }
  bool is_op =
      node->function && !qn_rule_is(node, QN_RULE_FN_LET) && !qn_rule_is(node, QN_RULE_FN_EITHER);
  for (uint32_t i = is_op ? 1 : 0; i < node->arg_count; i++)
    if (mentions(c, node->args[i], wanted, seen)) return true;
  return false;
}

static void warn_of_cycle(qn_rule_checker *c) {
  for (uint32_t i = 0; i < c->tag_count; i++) {
    bool seen[QN_RULE_MAX_TAGS] = {false};
    const qn_rule_node *let = c->tags[i].let;
    if (!let || !mentions(c, let->args[1], i, seen)) continue;
    qn_rule_warning(c->reporter, "W0804", let->pos,
                    "this can never match: \"%.*s\" would be an input of itself",
                    QN_STR_ARG(c->tags[i].name));
    return;
  }
}

void qn_rule_check_match(qn_rule_checker *c) {
  qn_rule_node *root = c->rule->match;
  if (root->kind == QN_RULE_CALL && qn_str_is(root->text, "LET")) {
    qn_rule_error(c->reporter, "RR0205", root->pos, "LET may not wrap the root of a match");
    qn_rule_help(c->reporter, "the root's output is available as \"*\"");
    return;
  }
  if (root->kind != QN_RULE_CALL) {
    qn_rule_error(c->reporter, "RR0206", root->pos,
                  "a match must be Op(...) or OpVarIn(...), found %s",
                  root->kind == QN_RULE_STRING ? "a tag" : qn_rule_describe(c, root));
    return;
  }
  uint32_t before = c->reporter->errors;
  check_pattern(c, root, NULL);
  if (c->reporter->errors == before) warn_of_cycle(c);
}
