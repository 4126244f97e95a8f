/* Splits text into tokens with positions. A token is a view of the text; nothing is copied. The
 * lexer never fails: an invalid token is QN_TOK_ERROR with the reason in lexer->error, and lexing
 * continues after it. Every call consumes at least one character unless at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_LEXER_H
#define QN_TEXT_LEXER_H

#include "base/str.h"

typedef enum qn_token_kind {
#define TOKEN(kind, text) QN_TOK_##kind,
#include "text/token.def"
#undef TOKEN
  QN_TOK_COUNT
} qn_token_kind;

/* A position. Lines and columns start at 1; columns count bytes. */
typedef struct qn_pos {
  uint32_t line, column;
} qn_pos;

typedef struct qn_token {
  qn_token_kind kind;
  qn_pos pos;
  qn_str text; /* as written, including sigil or quotes */
} qn_token;

typedef struct qn_lexer {
  const char *cursor, *end, *line_start;
  uint32_t line;
  const char *error; /* reason of the last QN_TOK_ERROR */
} qn_lexer;

void qn_lexer_init(qn_lexer *lexer, qn_str text);
qn_token qn_lexer_next(qn_lexer *lexer);
/* Name of a kind of token in messages. */
const char *qn_token_name(qn_token_kind kind);
/* Whether the text is a bare identifier, which needs no quotes. */
bool qn_is_bare_id(qn_str text);
/* Whether the text needs no quotes after '@', '%', '^', '#' or '!'. */
bool qn_is_suffix_id(qn_str text);

#endif
