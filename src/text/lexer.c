/* The lexer. Token classes follow MLIR's language reference. There is a function per class, which
 * is called with the start of the token and the cursor after its first character.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/lexer.h"

static const char *const token_names[QN_TOK_COUNT] = {
#define TOKEN(kind, text) text,
#include "text/token.def"
#undef TOKEN
};

const char *qn_token_name(qn_token_kind kind) { return token_names[kind]; }

/* Classes of characters, one bit each. */
enum { DIGIT = 1, LETTER = 2, HEX = 4, BARE = 8, SUFFIX = 16 };
#define NUMERAL (DIGIT | HEX | BARE | SUFFIX)
#define ALPHA (LETTER | BARE | SUFFIX)
#define EACH(class, a, b, c, d, e) [a] = class, [b] = class, [c] = class, [d] = class, [e] = class
static const uint8_t classes[256] = {EACH(NUMERAL, '0', '1', '2', '3', '4'),
                                     EACH(NUMERAL, '5', '6', '7', '8', '9'),
                                     EACH(ALPHA | HEX, 'a', 'b', 'c', 'd', 'e'),
                                     EACH(ALPHA | HEX, 'A', 'B', 'C', 'D', 'E'),
                                     EACH(ALPHA, 'g', 'h', 'i', 'j', 'k'),
                                     EACH(ALPHA, 'G', 'H', 'I', 'J', 'K'),
                                     EACH(ALPHA, 'l', 'm', 'n', 'o', 'p'),
                                     EACH(ALPHA, 'L', 'M', 'N', 'O', 'P'),
                                     EACH(ALPHA, 'q', 'r', 's', 't', 'u'),
                                     EACH(ALPHA, 'Q', 'R', 'S', 'T', 'U'),
                                     EACH(ALPHA, 'v', 'w', 'x', 'y', 'z'),
                                     EACH(ALPHA, 'V', 'W', 'X', 'Y', 'Z'),
                                     ['f'] = ALPHA | HEX,
                                     ['F'] = ALPHA | HEX,
                                     ['_'] = ALPHA,
                                     ['$'] = BARE | SUFFIX,
                                     ['.'] = BARE | SUFFIX,
                                     ['-'] = SUFFIX};

static bool is_a(unsigned class, char c) { return (classes[(uint8_t)c] & class) != 0; }

bool qn_is_bare_id(qn_str text) {
  if (text.size == 0 || !is_a(LETTER, text.data[0])) return false;
  for (size_t i = 1; i < text.size; i++)
    if (!is_a(BARE, text.data[i])) return false;
  return true;
}

bool qn_is_suffix_id(qn_str text) {
  if (text.size == 0) return false;
  bool digits = is_a(DIGIT, text.data[0]);
  for (size_t i = 0; i < text.size; i++)
    if (digits ? !is_a(DIGIT, text.data[i]) : !is_a(SUFFIX, text.data[i])) return false;
  return true;
}

/* Starts at the text, after a UTF-8 byte order mark if there is one. */
void qn_lexer_init(qn_lexer *lexer, qn_str text) {
  static const char mark[] = "\xEF\xBB\xBF";
  if (qn_str_starts(text, mark))
    text = (qn_str){text.data + sizeof mark - 1, text.size - (sizeof mark - 1)};
  const char *data = text.data ? text.data : "";
  *lexer = (qn_lexer){data, data + text.size, data, 1, NULL};
}

static char peek(const qn_lexer *lexer, ptrdiff_t ahead) {
  return lexer->end - lexer->cursor > ahead ? lexer->cursor[ahead] : '\0';
}

/* Skips all characters of a class. */
static void skip(qn_lexer *lexer, unsigned class) {
  const char *at = lexer->cursor;
  while (at < lexer->end && is_a(class, *at)) at++;
  lexer->cursor = at;
}

static void skip_blanks(qn_lexer *lexer) {
  const char *at = lexer->cursor, *end = lexer->end;
  while (at < end) {
    if (*at == ' ' || *at == '\t' || *at == '\r') {
      at++;
    } else if (*at == '\n') {
      lexer->line++;
      lexer->line_start = ++at;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      const char *eol = memchr(at, '\n', (size_t)(end - at));
      at = eol ? eol : end;
    } else {
      break;
    }
  }
  lexer->cursor = at;
}

static qn_token_kind fail(qn_lexer *lexer, const char *why) {
  lexer->error = why;
  return QN_TOK_ERROR;
}

/* Lexes a string without escapes, with memchr: most strings, and all long ones, have none. Returns
 * false if the string has an escape. */
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
  if (lexer->cursor[-1] == '0' && peek(lexer, 0) == 'x' && is_a(HEX, peek(lexer, 1))) {
    lexer->cursor += 2;
    skip(lexer, HEX);
    return QN_TOK_INTEGER;
  }
  skip(lexer, DIGIT);
  if (peek(lexer, 0) != '.') return QN_TOK_INTEGER;
  lexer->cursor++;
  skip(lexer, DIGIT);
  if ((peek(lexer, 0) | 32) == 'e') {
    int sign = peek(lexer, 1) == '-' || peek(lexer, 1) == '+';
    if (is_a(DIGIT, peek(lexer, 1 + sign))) {
      lexer->cursor += 2 + sign;
      skip(lexer, DIGIT);
    }
  }
  return QN_TOK_FLOAT;
}

/* Lexes the part after a sigil: digits, or letters, digits and $._- */
static qn_token_kind lex_suffix(qn_lexer *lexer, qn_token_kind kind) {
  char c = peek(lexer, 0);
  if (is_a(DIGIT, c)) {
    skip(lexer, DIGIT);
    return kind;
  }
  if (!is_a(SUFFIX, c)) return fail(lexer, "expected an identifier after the prefix");
  skip(lexer, SUFFIX);
  return kind;
}

static qn_token_kind lex_at(qn_lexer *lexer) {
  char c = peek(lexer, 0);
  if (c == '"') {
    lexer->cursor++;
    return lex_string(lexer) == QN_TOK_STRING ? QN_TOK_AT_ID : QN_TOK_ERROR;
  }
  if (!is_a(LETTER, c)) return fail(lexer, "@ identifier expected to start with letter or '_'");
  skip(lexer, BARE);
  return QN_TOK_AT_ID;
}

/* Consumes `text` if it is next. */
static bool take(qn_lexer *lexer, const char *text) {
  size_t size = strlen(text);
  if ((size_t)(lexer->end - lexer->cursor) < size || memcmp(lexer->cursor, text, size) != 0)
    return false;
  lexer->cursor += size;
  return true;
}

static qn_token_kind lex_other(qn_lexer *lexer, char c) {
  switch (c) {
  case '(':
    return QN_TOK_LPAREN;
  case ')':
    return QN_TOK_RPAREN;
  case '{':
    return take(lexer, "-#") ? QN_TOK_META_BEGIN : QN_TOK_LBRACE;
  case '}':
    return QN_TOK_RBRACE;
  case '[':
    return QN_TOK_LSQUARE;
  case ']':
    return QN_TOK_RSQUARE;
  case '<':
    return QN_TOK_LESS;
  case '>':
    return QN_TOK_GREATER;
  case ',':
    return QN_TOK_COMMA;
  case ':':
    return take(lexer, ":") ? QN_TOK_COLON_COLON : QN_TOK_COLON;
  case '=':
    return QN_TOK_EQUAL;
  case '-':
    return take(lexer, ">") ? QN_TOK_ARROW : QN_TOK_MINUS;
  case '?':
    return QN_TOK_QUESTION;
  case '*':
    return QN_TOK_STAR;
  case '+':
    return QN_TOK_PLUS;
  case '/':
    return QN_TOK_SLASH;
  case '|':
    return QN_TOK_PIPE;
  case '.':
    return take(lexer, "..") ? QN_TOK_ELLIPSIS : fail(lexer, "expected three dots");
  case '"':
    return lex_string(lexer);
  case '@':
    return lex_at(lexer);
  case '#':
    return take(lexer, "-}") ? QN_TOK_META_END : lex_suffix(lexer, QN_TOK_HASH_ID);
  case '%':
    return lex_suffix(lexer, QN_TOK_PERCENT_ID);
  case '^':
    return lex_suffix(lexer, QN_TOK_CARET_ID);
  case '!':
    return lex_suffix(lexer, QN_TOK_EXCLAIM_ID);
  default:
    return fail(lexer, "unexpected character");
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
    if (is_a(LETTER, c)) {
      skip(lexer, BARE);
      token.kind = QN_TOK_BARE_ID;
    } else if (is_a(DIGIT, c)) {
      token.kind = lex_number(lexer);
    } else {
      token.kind = lex_other(lexer, c);
    }
  }
  token.text = (qn_str){start, (size_t)(lexer->cursor - start)};
  return token;
}
