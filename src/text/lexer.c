/* The lexer. Token classes follow MLIR's language reference; one function per class, each given the
 * start of the token with the cursor behind its first character.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/lexer.h"

static const char *const token_names[QN_TOK_COUNT] = {
#define TOKEN(kind, text) text,
#include "text/token.def"
#undef TOKEN
};

const char *qn_token_name(qn_token_kind kind) { return token_names[kind]; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }
static bool is_hex(char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
static bool is_bare(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
static bool is_suffix(char c) { return is_bare(c) || c == '-'; }

bool qn_is_bare_id(qn_str text) {
  if (text.size == 0 || !is_letter(text.data[0])) return false;
  for (size_t i = 1; i < text.size; i++)
    if (!is_bare(text.data[i])) return false;
  return true;
}

bool qn_is_suffix_id(qn_str text) {
  if (text.size == 0) return false;
  bool digits = is_digit(text.data[0]);
  for (size_t i = 0; i < text.size; i++)
    if (digits ? !is_digit(text.data[i]) : !is_suffix(text.data[i])) return false;
  return true;
}

void qn_lexer_init(qn_lexer *lexer, qn_str text) {
  const char *data = text.data ? text.data : "";
  *lexer = (qn_lexer){data, data + text.size, data, 1, NULL};
}

static char peek(const qn_lexer *lexer, ptrdiff_t ahead) {
  return lexer->end - lexer->cursor > ahead ? lexer->cursor[ahead] : '\0';
}

static void skip_blanks(qn_lexer *lexer) {
  while (lexer->cursor < lexer->end) {
    char c = *lexer->cursor;
    if (c == '\n') {
      lexer->line++;
      lexer->line_start = ++lexer->cursor;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      lexer->cursor++;
    } else if (c == '/' && peek(lexer, 1) == '/') {
      const char *eol = memchr(lexer->cursor, '\n', (size_t)(lexer->end - lexer->cursor));
      lexer->cursor = eol ? eol : lexer->end;
    } else {
      return;
    }
  }
}

static qn_token_kind fail(qn_lexer *lexer, const char *why) {
  lexer->error = why;
  return QN_TOK_ERROR;
}

/* Most strings, and all of the long ones, hold no escape: found at memory speed. */
static bool lex_plain_string(qn_lexer *lexer) {
  const char *start = lexer->cursor;
  const char *quote = memchr(start, '"', (size_t)(lexer->end - start));
  if (!quote) return false;
  size_t size = (size_t)(quote - start);
  if (memchr(start, '\\', size) || memchr(start, '\n', size) || memchr(start, '\v', size) ||
      memchr(start, '\f', size))
    return false;
  lexer->cursor = quote + 1;
  return true;
}

static qn_token_kind lex_string(qn_lexer *lexer) {
  if (lex_plain_string(lexer)) return QN_TOK_STRING;
  while (lexer->cursor < lexer->end) {
    char c = *lexer->cursor;
    if (c == '\n' || c == '\v' || c == '\f') break;
    lexer->cursor++;
    if (c == '"') return QN_TOK_STRING;
    if (c == '\\' && lexer->cursor < lexer->end && *lexer->cursor != '\n') lexer->cursor++;
  }
  return fail(lexer, "expected '\"' in string literal");
}

static qn_token_kind lex_number(qn_lexer *lexer) {
  if (lexer->cursor[-1] == '0' && peek(lexer, 0) == 'x' && is_hex(peek(lexer, 1))) {
    lexer->cursor += 2;
    while (is_hex(peek(lexer, 0))) lexer->cursor++;
    return QN_TOK_INTEGER;
  }
  while (is_digit(peek(lexer, 0))) lexer->cursor++;
  if (peek(lexer, 0) != '.') return QN_TOK_INTEGER;
  lexer->cursor++;
  while (is_digit(peek(lexer, 0))) lexer->cursor++;
  if ((peek(lexer, 0) | 32) == 'e') {
    int sign = peek(lexer, 1) == '-' || peek(lexer, 1) == '+';
    if (is_digit(peek(lexer, 1 + sign))) {
      lexer->cursor += 2 + sign;
      while (is_digit(peek(lexer, 0))) lexer->cursor++;
    }
  }
  return QN_TOK_FLOAT;
}

/* What follows a sigil: digits, or letters, digits and $._- */
static qn_token_kind lex_suffix(qn_lexer *lexer, qn_token_kind kind) {
  char c = peek(lexer, 0);
  if (is_digit(c)) {
    while (is_digit(peek(lexer, 0))) lexer->cursor++;
    return kind;
  }
  if (!is_suffix(c)) return fail(lexer, "expected an identifier behind the prefix");
  while (is_suffix(peek(lexer, 0))) lexer->cursor++;
  return kind;
}

static qn_token_kind lex_at(qn_lexer *lexer) {
  char c = peek(lexer, 0);
  if (c == '"') {
    lexer->cursor++;
    return lex_string(lexer) == QN_TOK_STRING ? QN_TOK_AT_ID : QN_TOK_ERROR;
  }
  if (!is_letter(c)) return fail(lexer, "@ identifier expected to start with letter or '_'");
  while (is_bare(peek(lexer, 0))) lexer->cursor++;
  return QN_TOK_AT_ID;
}

/* Consumes `text` if it comes next. */
static bool take(qn_lexer *lexer, const char *text) {
  size_t size = strlen(text);
  if ((size_t)(lexer->end - lexer->cursor) < size || memcmp(lexer->cursor, text, size) != 0)
    return false;
  lexer->cursor += size;
  return true;
}

static qn_token_kind lex_other(qn_lexer *lexer, char c) {
  switch (c) {
  case '(': return QN_TOK_LPAREN;
  case ')': return QN_TOK_RPAREN;
  case '{': return take(lexer, "-#") ? QN_TOK_META_BEGIN : QN_TOK_LBRACE;
  case '}': return QN_TOK_RBRACE;
  case '[': return QN_TOK_LSQUARE;
  case ']': return QN_TOK_RSQUARE;
  case '<': return QN_TOK_LESS;
  case '>': return QN_TOK_GREATER;
  case ',': return QN_TOK_COMMA;
  case ':': return take(lexer, ":") ? QN_TOK_COLON_COLON : QN_TOK_COLON;
  case '=': return QN_TOK_EQUAL;
  case '-': return take(lexer, ">") ? QN_TOK_ARROW : QN_TOK_MINUS;
  case '?': return QN_TOK_QUESTION;
  case '*': return QN_TOK_STAR;
  case '+': return QN_TOK_PLUS;
  case '/': return QN_TOK_SLASH;
  case '|': return QN_TOK_PIPE;
  case '.': return take(lexer, "..") ? QN_TOK_ELLIPSIS : fail(lexer, "expected three dots");
  case '"': return lex_string(lexer);
  case '@': return lex_at(lexer);
  case '#': return take(lexer, "-}") ? QN_TOK_META_END : lex_suffix(lexer, QN_TOK_HASH_ID);
  case '%': return lex_suffix(lexer, QN_TOK_PERCENT_ID);
  case '^': return lex_suffix(lexer, QN_TOK_CARET_ID);
  case '!': return lex_suffix(lexer, QN_TOK_EXCLAIM_ID);
  default: return fail(lexer, "unexpected character");
  }
}

qn_token qn_lexer_next(qn_lexer *lexer) {
  skip_blanks(lexer);
  const char *start = lexer->cursor;
  qn_token token = {.pos = {lexer->line, (uint32_t)(start - lexer->line_start) + 1}};
  if (start == lexer->end) {
    token.kind = QN_TOK_EOF;
  } else {
    char c = *lexer->cursor++;
    if (is_letter(c)) {
      while (is_bare(peek(lexer, 0))) lexer->cursor++;
      token.kind = QN_TOK_BARE_ID;
    } else if (is_digit(c)) {
      token.kind = lex_number(lexer);
    } else {
      token.kind = lex_other(lexer, c);
    }
  }
  token.text = (qn_str){start, (size_t)(lexer->cursor - start)};
  return token;
}
