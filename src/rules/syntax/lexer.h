/* Characters of a rule to tokens. The lexer never fails: a token carries what is wrong with it, and
 * the parser, which knows where it is, reports it. Comments are handed over beside the tokens.
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
  QN_RULE_TOK_STRING, /* one literal, with its quotes */
  QN_RULE_TOK_NUMBER, /* without sign */
  QN_RULE_TOK_OPEN,
  QN_RULE_TOK_CLOSE,
  QN_RULE_TOK_COMMA,
  QN_RULE_TOK_PLUS,
  QN_RULE_TOK_MINUS,
  QN_RULE_TOK_COLONS,   /* :: */
  QN_RULE_TOK_OPERATOR, /* of C, such as '>': not part of the language */
  QN_RULE_TOK_OTHER,    /* any other character */
} qn_rule_token_kind;

typedef struct qn_rule_token {
  qn_rule_token_kind kind;
  qn_rule_pos pos;
  qn_str text;               /* as written */
  qn_rule_comment *comments; /* between the token before and this one, in their order */
  bool starts_line;          /* nothing but comments stands before it on its line */
  bool unterminated;         /* STRING: the line ends before it does */
} qn_rule_token;

typedef struct qn_rule_lexer {
  qn_arena *arena;
  qn_str source;
  qn_rule_pos at;
  bool line_is_blank; /* so far */
} qn_rule_lexer;

void qn_rule_lexer_init(qn_rule_lexer *lexer, qn_arena *arena, qn_str source, qn_rule_pos at);
qn_rule_token qn_rule_lexer_next(qn_rule_lexer *lexer);
/* How a token is named in messages: "'>'", "end of file". Lives in the arena. */
const char *qn_rule_token_name(qn_rule_lexer *lexer, const qn_rule_token *token);
/* Moves on over one character, keeping the position. */
void qn_rule_lexer_step(qn_rule_lexer *lexer);
/* The character so far ahead, or NUL after the end. */
char qn_rule_lexer_peek(const qn_rule_lexer *lexer, size_t ahead);
/* With the position at a comment: moves after it and returns it; else NULL. */
qn_rule_comment *qn_rule_lexer_comment(qn_rule_lexer *lexer);

bool qn_rule_is_name_start(char c);
bool qn_rule_is_name_part(char c);

#endif
