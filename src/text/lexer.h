/* Characters to tokens with positions. A token is a view of the text; nothing is copied. The lexer
 * never fails: what is no token becomes QN_TOK_ERROR with the reason in lexer->error, and lexing
 * goes on after it. Every call consumes at least one character unless at the end.
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

/* Lines and columns count from 1; columns are bytes. */
typedef struct qn_pos {
  uint32_t line, column;
} qn_pos;

typedef struct qn_token {
  qn_token_kind kind;
  qn_pos pos;
  qn_str text; /* as written, with sigil or quotes */
} qn_token;

typedef struct qn_lexer {
  const char *cursor, *end, *line_start;
  uint32_t line;
  const char *error; /* why the last QN_TOK_ERROR is one */
} qn_lexer;

void qn_lexer_init(qn_lexer *lexer, qn_str text);
qn_token qn_lexer_next(qn_lexer *lexer);
/* How a kind of token is named in messages. */
const char *qn_token_name(qn_token_kind kind);
/* Whether the whole text is a bare identifier, so that it needs no quotes. */
bool qn_is_bare_id(qn_str text);
/* The same for what may follow '@', '%', '^', '#' or '!' without quotes. */
bool qn_is_suffix_id(qn_str text);

#endif
