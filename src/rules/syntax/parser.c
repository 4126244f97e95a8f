/* The parser's position in its tokens: recognition of the start of rules, recovery after an error,
 * assignment of comments, and "expected ..." messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/syntax/parser.h"

static const struct {
  const char *name;
  qn_rule_keyword keyword;
} keywords[] = {
    {"DEF_PACKAGE_OPTIMIZATION", QN_RULE_KEYWORD_RULE},
    {"DEF_PACKAGE_OP", QN_RULE_KEYWORD_OP},
    {"DEF_PACKAGE_OP_AND_COST_AND_FLAGS", QN_RULE_KEYWORD_OP_COST},
    {"DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS", QN_RULE_KEYWORD_OP_COST_FUNCTION},
    {"DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", QN_RULE_KEYWORD_UNSUPPORTED},
};

qn_rule_keyword qn_rule_keyword_of(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(keywords); i++)
    if (qn_str_is(name, keywords[i].name)) return keywords[i].keyword;
  return QN_RULE_NO_KEYWORD;
}

void qn_rule_parser_start(qn_rule_parser *p, qn_rule_pos at) {
  p->lexer.at = at;
  p->last = at;
  p->token = qn_rule_lexer_next(&p->lexer);
}

void qn_rule_parser_advance(qn_rule_parser *p) {
  QN_ASSERT(p->token.pos.offset + p->token.text.size <= p->lexer.source.size);
  p->last = p->token.pos;
  p->last.column += (uint32_t)p->token.text.size; /* a token never spans lines */
  p->last.offset += (uint32_t)p->token.text.size;
  if (p->token.kind == QN_RULE_TOK_OPEN) p->depth++;
  if (p->token.kind == QN_RULE_TOK_CLOSE && p->depth > 0) p->depth--;
  p->token = qn_rule_lexer_next(&p->lexer);
}

bool qn_rule_parser_at_keyword(qn_rule_parser *p) {
  if (p->token.kind != QN_RULE_TOK_NAME || !p->token.starts_line) return false;
  if (qn_rule_keyword_of(p->token.text) == QN_RULE_NO_KEYWORD) return false;
  qn_rule_lexer ahead = p->lexer;
  return qn_rule_lexer_next(&ahead).kind == QN_RULE_TOK_OPEN;
}

void qn_rule_parser_recover(qn_rule_parser *p) {
  while (p->depth > 0 && p->token.kind != QN_RULE_TOK_END && !qn_rule_parser_at_keyword(p))
    qn_rule_parser_advance(p);
  p->depth = 0;
}

void qn_rule_split_comments(const qn_rule_parser *p, qn_rule_comment **out_behind,
                            qn_rule_comment **out_before) {
  qn_rule_comment *all = p->token.comments, *rest = all, *last = NULL;
  bool on_line = p->token.kind == QN_RULE_TOK_COMMA || p->token.kind == QN_RULE_TOK_CLOSE;
  while (rest && rest->pos.line == p->last.line &&
         (on_line || p->token.pos.line > rest->end_line)) {
    last = rest;
    rest = rest->next;
  }
  *out_before = rest;
  *out_behind = last ? all : NULL;
  if (last) last->next = NULL;
}

void qn_rule_parse_expected(qn_rule_parser *p, const char *what) {
  bool next_rule = qn_rule_parser_at_keyword(p);
  qn_rule_error(p->reporter, "RR0201", p->token.pos, "expected %s, found %s", what,
                next_rule ? "the next rule" : qn_rule_token_name(&p->lexer, &p->token));
  if (next_rule || p->token.kind == QN_RULE_TOK_END)
    qn_rule_note(p->reporter, p->rule_pos, "this is not closed by a ')'");
  p->damaged = true;
}
