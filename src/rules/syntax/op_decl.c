/* Declarations of a package's ops: DEF_PACKAGE_OP(function, "op") and its variants with cost and
 * flags.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/syntax/parser.h"

/* Parses the name of a C++ function, or a template instance in parentheses. */
static bool parse_function(qn_rule_parser *p, qn_str *out_function) {
  uint32_t begin = p->token.pos.offset, depth = p->depth;
  bool name = p->token.kind == QN_RULE_TOK_NAME;
  if (!name && p->token.kind != QN_RULE_TOK_OPEN) {
    qn_rule_parse_expected(p, "the name of a C++ function");
    return false;
  }
  qn_rule_parser_advance(p);
  while (p->depth > depth && p->token.kind != QN_RULE_TOK_END && !qn_rule_parser_at_keyword(p))
    qn_rule_parser_advance(p);
  if (p->depth > depth) qn_rule_parse_expected(p, "')'");
  *out_function = (qn_str){p->lexer.source.data + begin, p->last.offset - begin};
  return p->depth == depth;
}

bool qn_rule_parse_comma(qn_rule_parser *p, const char *what) {
  if (p->token.kind != QN_RULE_TOK_COMMA) {
    qn_rule_parse_expected(p, what);
    return false;
  }
  qn_rule_parser_advance(p);
  return true;
}

/* The index of a name in a list ended by NULL, or -1. */
static int index_of(const char *const *names, qn_str name) {
  for (int i = 0; names[i]; i++)
    if (qn_str_is(name, names[i])) return i;
  return -1;
}

static void refuse_word(qn_rule_parser *p, const qn_rule_node *node, const char *what,
                        const char *const *names) {
  qn_text list = {0};
  for (int i = 0; names[i]; i++) qn_text_format(&list, " %s", names[i]);
  qn_rule_error(p->reporter, "RR0217", node->pos, "expected %s, found '%.*s'", what,
                QN_STR_ARG(node->kind == QN_RULE_INT ? node->spelling : node->text));
  qn_rule_note_anywhere(p->reporter, "there are:%s", list.data);
  qn_text_deinit(&list);
  p->damaged = true;
}

static void read_cost(qn_rule_parser *p, const qn_rule_node *node, qn_rule_op_decl *decl) {
  bool known = node->kind == QN_RULE_NAME &&
               (decl->cost_is_function || index_of(qn_rule_cost_names, node->text) >= 0);
  decl->cost = node->text;
  if (!known) refuse_word(p, node, "a cost class", qn_rule_cost_names);
}

static void read_flag(qn_rule_parser *p, const qn_rule_node *node, qn_rule_op_decl *decl) {
  int flag = node->kind == QN_RULE_NAME ? index_of(qn_rule_flag_names, node->text) : -1;
  if (flag < 0)
    refuse_word(p, node, "a flag of an op", qn_rule_flag_names);
  else
    decl->flags |= 1u << flag;
}

const qn_rule_op_decl *qn_rule_parse_op_decl(qn_rule_parser *p, qn_rule_keyword keyword,
                                             qn_str word) {
  qn_rule_op_decl *decl = QN_NEW(p->arena, qn_rule_op_decl);
  qn_rule_node rest = {.text = word};
  decl->keyword = word;
  decl->pos = p->rule_pos;
  decl->cost_is_function = keyword == QN_RULE_KEYWORD_OP_COST_FUNCTION;
  if (!parse_function(p, &decl->function) || !qn_rule_parse_comma(p, "',' after the function") ||
      !qn_rule_parse_args(p, &rest))
    return NULL;
  decl->close = rest.close;
  uint32_t least = keyword == QN_RULE_KEYWORD_OP ? 1 : 2;
  if (rest.arg_count < least || (least == 1 && rest.arg_count > 1)) {
    qn_rule_error(p->reporter, "RR0209", decl->pos, "%.*s takes %s, %u operands given",
                  QN_STR_ARG(word),
                  least == 1 ? "(function, op name)" : "(function, op name, cost, flags...)",
                  rest.arg_count + 1);
    p->damaged = true;
    return NULL;
  }
  if (rest.args[0]->kind != QN_RULE_STRING) {
    qn_rule_error(p->reporter, "RR0217", rest.args[0]->pos,
                  "expected the name of the op as a string");
    p->damaged = true;
  }
  decl->op = rest.args[0]->text;
  if (least == 2) read_cost(p, rest.args[1], decl);
  for (uint32_t i = 2; i < rest.arg_count; i++) read_flag(p, rest.args[i], decl);
  return p->damaged ? NULL : decl;
}
