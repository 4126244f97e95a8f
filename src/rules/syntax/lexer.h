/* Splits the text of a rule into tokens. The lexer never fails: a malformed token is marked as
 * such, and the parser, which knows the context, reports it. Each token carries the comments before
 * it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_SYNTAX_LEXER_H
#define QN_RULES_SYNTAX_LEXER_H

#include "base/arena.h"
#include "base/str.h"
#include "rules/syntax/tree.h"

typedef enum qn_rule_token_kind {
  QN_RULE_TOK_END,
  QN_RULE_TOK_NAME,
  QN_RULE_TOK_STRING, /* one literal, including its quotes */
  QN_RULE_TOK_NUMBER, /* without sign */
  QN_RULE_TOK_OPEN,
  QN_RULE_TOK_CLOSE,
  QN_RULE_TOK_COMMA,
  QN_RULE_TOK_PLUS,
  QN_RULE_TOK_MINUS,
  QN_RULE_TOK_COLONS,   /* :: */
  QN_RULE_TOK_OPERATOR, /* a C operator such as '>', which the rule language lacks */
  QN_RULE_TOK_OTHER,    /* any other character */
} qn_rule_token_kind;

typedef struct qn_rule_token {
  qn_rule_token_kind kind;
  qn_rule_pos pos;
  qn_str text;               /* as written */
  qn_rule_comment *comments; /* comments between the previous token and this one, in order */
  bool starts_line;          /* only comments precede it on its line */
  bool unterminated;         /* STRING: the line ends before the closing quote */
} qn_rule_token;

typedef struct qn_rule_lexer {
  qn_arena *arena;
  qn_str source;
  qn_rule_pos at;
  bool line_is_blank; /* no token so far on the current line */
} qn_rule_lexer;

void qn_rule_lexer_init(qn_rule_lexer *lexer, qn_arena *arena, qn_str source, qn_rule_pos at);
qn_rule_token qn_rule_lexer_next(qn_rule_lexer *lexer);
/* Text for a token in messages: "'>'", "end of file". Allocated in the arena. */
const char *qn_rule_token_name(qn_rule_lexer *lexer, const qn_rule_token *token);
/* Advances by one character and updates line and column. */
void qn_rule_lexer_step(qn_rule_lexer *lexer);
/* The character `ahead` characters after the position; NUL after the end. */
char qn_rule_lexer_peek(const qn_rule_lexer *lexer, size_t ahead);
/* If there is a comment at the position, advances past it and returns it; else returns NULL. */
qn_rule_comment *qn_rule_lexer_comment(qn_rule_lexer *lexer);

bool qn_rule_is_name_start(char c);
bool qn_rule_is_name_part(char c);

#endif
