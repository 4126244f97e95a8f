/* The lexer of rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/syntax/lexer.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool qn_rule_is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool qn_rule_is_name_part(char c) { return qn_rule_is_name_start(c) || is_digit(c); }

void qn_rule_lexer_init(qn_rule_lexer *lexer, qn_arena *arena, qn_str source, qn_rule_pos at) {
  *lexer = (qn_rule_lexer){.arena = arena, .source = source, .at = at, .line_is_blank = true};
}

char qn_rule_lexer_peek(const qn_rule_lexer *lexer, size_t ahead) {
  size_t i = lexer->at.offset + ahead;
  return i < lexer->source.size ? lexer->source.data[i] : '\0';
}

static bool at_end(const qn_rule_lexer *lexer) { return lexer->at.offset >= lexer->source.size; }

void qn_rule_lexer_step(qn_rule_lexer *lexer) {
  QN_ASSERT(lexer->at.offset < lexer->source.size);
  char c = lexer->source.data[lexer->at.offset++];
  if (c == '\n') {
    lexer->at.line++;
    lexer->at.column = 1;
    lexer->line_is_blank = true;
  } else {
    lexer->at.column++;
  }
}

static qn_str text_from(const qn_rule_lexer *lexer, uint32_t begin) {
  return (qn_str){lexer->source.data + begin, lexer->at.offset - begin};
}

qn_rule_comment *qn_rule_lexer_comment(qn_rule_lexer *lexer) {
  char second = qn_rule_lexer_peek(lexer, 1);
  if (qn_rule_lexer_peek(lexer, 0) != '/' || (second != '/' && second != '*')) return NULL;
  qn_rule_comment *comment = QN_NEW(lexer->arena, qn_rule_comment);
  comment->pos = lexer->at;
  comment->line = second == '/';
  comment->alone = lexer->line_is_blank;
  bool was_blank = lexer->line_is_blank;
  qn_rule_lexer_step(lexer);
  qn_rule_lexer_step(lexer);
  while (!at_end(lexer)) {
    if (comment->line && qn_rule_lexer_peek(lexer, 0) == '\n') break;
    bool ends = !comment->line && qn_rule_lexer_peek(lexer, 0) == '*' &&
                qn_rule_lexer_peek(lexer, 1) == '/';
    qn_rule_lexer_step(lexer);
    if (!ends) continue;
    qn_rule_lexer_step(lexer);
    break;
  }
  comment->text = text_from(lexer, comment->pos.offset);
  while (comment->line && comment->text.size > 0 &&
         strchr(" \t\r", comment->text.data[comment->text.size - 1]))
    comment->text.size--;
  comment->end_line = lexer->at.line;
  lexer->line_is_blank = was_blank;
  return comment;
}

/* Skips blanks and comments. Returns the list of comments in order. */
static qn_rule_comment *skip_blanks(qn_rule_lexer *lexer) {
  qn_rule_comment *first = NULL, **last = &first;
  while (!at_end(lexer)) {
    qn_rule_comment *comment = qn_rule_lexer_comment(lexer);
    if (comment) {
      *last = comment;
      last = &comment->next;
      continue;
    }
    char c = qn_rule_lexer_peek(lexer, 0);
    if (c == '\0' || !strchr(" \t\r\n\v\f", c)) break;
    qn_rule_lexer_step(lexer);
  }
  for (qn_rule_comment *c = first; c; c = c->next)
    c->alone = c->alone && (at_end(lexer) || c->end_line < lexer->at.line);
  return first;
}

static void take_string(qn_rule_lexer *lexer, qn_rule_token *token) {
  qn_rule_lexer_step(lexer);
  for (;;) {
    char c = qn_rule_lexer_peek(lexer, 0);
    token->unterminated = at_end(lexer) || c == '\n';
    if (token->unterminated) return;
    qn_rule_lexer_step(lexer);
    if (c == '"') return;
    char next = qn_rule_lexer_peek(lexer, 0); /* skip an escaped character, which may be a quote */
    if (c == '\\' && !at_end(lexer) && next != '\n') qn_rule_lexer_step(lexer);
  }
}

/* Takes a preprocessing number of C: exponents can have signs and letters can follow. The parser
 * checks it. */
static void take_number(qn_rule_lexer *lexer) {
  bool hex = qn_rule_lexer_peek(lexer, 0) == '0' && (qn_rule_lexer_peek(lexer, 1) | 32) == 'x';
  for (;;) {
    char c = qn_rule_lexer_peek(lexer, 0), sign = qn_rule_lexer_peek(lexer, 1);
    if (!qn_rule_is_name_part(c) && c != '.') return;
    qn_rule_lexer_step(lexer);
    if (!hex && (c | 32) == 'e' && (sign == '+' || sign == '-')) qn_rule_lexer_step(lexer);
  }
}

static const struct {
  const char *text;
  qn_rule_token_kind kind;
} marks[] = {/* longer marks before their prefixes */
             {"::", QN_RULE_TOK_COLONS},   {"==", QN_RULE_TOK_OPERATOR},
             {"!=", QN_RULE_TOK_OPERATOR}, {"<=", QN_RULE_TOK_OPERATOR},
             {">=", QN_RULE_TOK_OPERATOR}, {"&&", QN_RULE_TOK_OPERATOR},
             {"||", QN_RULE_TOK_OPERATOR}, {"(", QN_RULE_TOK_OPEN},
             {")", QN_RULE_TOK_CLOSE},     {",", QN_RULE_TOK_COMMA},
             {"+", QN_RULE_TOK_PLUS},      {"-", QN_RULE_TOK_MINUS},
             {"<", QN_RULE_TOK_OPERATOR},  {">", QN_RULE_TOK_OPERATOR},
             {"*", QN_RULE_TOK_OPERATOR},  {"/", QN_RULE_TOK_OPERATOR},
             {"%", QN_RULE_TOK_OPERATOR}};

static void take_mark(qn_rule_lexer *lexer, qn_rule_token *token) {
  token->kind = QN_RULE_TOK_OTHER;
  size_t size = 1;
  for (size_t i = 0; i < QN_COUNT(marks) && token->kind == QN_RULE_TOK_OTHER; i++) {
    size_t length = strlen(marks[i].text);
    qn_str rest = {lexer->source.data + lexer->at.offset, lexer->source.size - lexer->at.offset};
    if (!qn_str_starts(rest, marks[i].text)) continue;
    token->kind = marks[i].kind;
    size = length;
  }
  for (size_t i = 0; i < size; i++) qn_rule_lexer_step(lexer);
}

qn_rule_token qn_rule_lexer_next(qn_rule_lexer *lexer) {
  qn_rule_token token = {.kind = QN_RULE_TOK_END};
  token.comments = skip_blanks(lexer);
  token.pos = lexer->at;
  token.starts_line = lexer->line_is_blank;
  lexer->line_is_blank = false;
  if (at_end(lexer)) return token;
  char c = qn_rule_lexer_peek(lexer, 0);
  if (c == '"') {
    token.kind = QN_RULE_TOK_STRING;
    take_string(lexer, &token);
  } else if (is_digit(c) || (c == '.' && is_digit(qn_rule_lexer_peek(lexer, 1)))) {
    token.kind = QN_RULE_TOK_NUMBER;
    take_number(lexer);
  } else if (qn_rule_is_name_start(c)) {
    token.kind = QN_RULE_TOK_NAME;
    while (qn_rule_is_name_part(qn_rule_lexer_peek(lexer, 0))) qn_rule_lexer_step(lexer);
  } else {
    take_mark(lexer, &token);
  }
  QN_ASSERT(lexer->at.offset > token.pos.offset); /* so that the parser ends */
  token.text = text_from(lexer, token.pos.offset);
  return token;
}

const char *qn_rule_token_name(qn_rule_lexer *lexer, const qn_rule_token *token) {
  enum { SHOWN = 32 };
  if (token->kind == QN_RULE_TOK_END) return "the end of the file";
  bool is_string = token->kind == QN_RULE_TOK_STRING;
  bool cut = token->text.size > SHOWN;
  int size = cut ? SHOWN : (int)token->text.size;
  return qn_arena_format(lexer->arena, "%s%.*s%s%s", is_string ? "" : "'", size, token->text.data,
                         cut ? "..." : "", is_string ? "" : "'")
      .data;
}
