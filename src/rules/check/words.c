/* Text for nodes in messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

const char *qn_rule_describe(qn_rule_checker *c, const qn_rule_node *node) {
  qn_arena *arena = c->reporter->arena;
  if (node->kind == QN_RULE_CALL)
    return qn_arena_format(arena, "%.*s(...)", QN_STR_ARG(node->text)).data;
  if (node->kind == QN_RULE_STRING)
    return qn_arena_format(arena, "the tag \"%.*s\"", QN_STR_ARG(node->text)).data;
  if (node->kind == QN_RULE_DTYPE)
    return qn_arena_format(arena, "DType::%.*s", QN_STR_ARG(node->text)).data;
  qn_str text = node->kind == QN_RULE_NAME ? node->text : node->spelling;
  return qn_arena_format(arena, "'%.*s'", QN_STR_ARG(text)).data;
}

const char *qn_rule_source(qn_rule_checker *c, const qn_rule_node *node) {
  enum { LONGEST = 60 };
  qn_str text = {c->file->source.data + node->pos.offset, node->end - node->pos.offset};
  if (text.size > LONGEST || memchr(text.data, '\n', text.size)) return "...";
  return qn_arena_str(c->reporter->arena, text).data;
}
