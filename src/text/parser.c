/* Tokens, errors, recovery, and small productions that all sub-grammars use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

#include "text/text.h"

void qn_parser_init(qn_parser *p, qn_ir_context *cx, qn_str text, qn_str name) {
  enum { FREE_WEIGHT = 1 << 24, WEIGHT_PER_BYTE = 64 };
  *p = (qn_parser){.cx = cx, .name = name, .begin = text.data};
  p->weight_limit = FREE_WEIGHT + (uint64_t)WEIGHT_PER_BYTE * text.size;
  qn_arena_init(&p->scratch);
  qn_lexer_init(&p->lexer, text);
  p->token = qn_lexer_next(&p->lexer);
}

void qn_parser_set_line(qn_parser *p, uint32_t line) {
  p->lexer.line += line - 1;
  p->token.pos.line += line - 1;
}

void qn_parser_deinit(qn_parser *p) {
  qn_array_free(&p->types);
  qn_array_free(&p->attrs);
  qn_array_free(&p->named);
  qn_array_free(&p->refs);
  qn_array_free(&p->operands);
  qn_array_free(&p->blocks);
  qn_array_free(&p->successors);
  qn_array_free(&p->regions);
  qn_array_free(&p->locs);
  qn_array_free(&p->ints);
  qn_array_free(&p->numbers);
  qn_array_free(&p->bytes);
  qn_str_map_deinit(&p->keywords);
  qn_str_map_deinit(&p->type_aliases);
  qn_str_map_deinit(&p->attr_aliases);
  qn_str_map_deinit(&p->loc_aliases);
  qn_str_map_deinit(&p->resources);
  qn_arena_deinit(&p->scratch);
}

/* ---- tokens ---- */

void qn_advance(qn_parser *p) {
  if (p->stopped) return;
  p->previous =
      (qn_consumed){p->token.kind, p->token.pos.line, p->token.text.data + p->token.text.size};
  p->braces += (p->token.kind == QN_TOK_LBRACE) - (p->token.kind == QN_TOK_RBRACE);
  p->token = qn_lexer_next(&p->lexer);
}

void qn_relex(qn_parser *p, const char *from) {
  if (p->stopped) return;
  const char *at = p->token.text.data;
  p->lexer.line = p->token.pos.line;
  p->lexer.line_start = at - (p->token.pos.column - 1);
  while ((at = memchr(at, '\n', (size_t)(from - at)))) {
    p->lexer.line++;
    p->lexer.line_start = ++at;
  }
  p->lexer.cursor = p->previous.end = from;
  p->token = qn_lexer_next(&p->lexer);
}

qn_parse_mark qn_parse_get_mark(const qn_parser *p) {
  return (qn_parse_mark){p->lexer, p->token, p->previous};
}

void qn_parse_rewind(qn_parser *p, qn_parse_mark mark) {
  if (p->stopped) return;
  p->lexer = mark.lexer;
  p->token = mark.token;
  p->previous = mark.previous;
}

bool qn_at_word(const qn_parser *p, const char *word) {
  return p->token.kind == QN_TOK_BARE_ID && qn_str_is(p->token.text, word);
}

bool qn_accept(qn_parser *p, qn_token_kind kind) {
  if (p->token.kind != kind) return false;
  qn_advance(p);
  return true;
}

bool qn_accept_word(qn_parser *p, const char *word) {
  if (!qn_at_word(p, word)) return false;
  qn_advance(p);
  return true;
}

bool qn_expect(qn_parser *p, qn_token_kind kind) { return qn_expect_in(p, kind, ""); }

bool qn_expect_in(qn_parser *p, qn_token_kind kind, const char *where) {
  return qn_accept(p, kind) || qn_fail_behind(p, "expected %s%s", qn_token_name(kind), where);
}

bool qn_expect_word(qn_parser *p, const char *word) {
  return qn_accept_word(p, word) || qn_fail(p, "expected '%s'", word);
}

bool qn_parse_list(qn_parser *p, qn_token_kind open, qn_token_kind close, qn_parse_item *item,
                   void *user) {
  if (!qn_expect(p, open)) return false;
  if (qn_accept(p, close)) return true;
  do {
    if (!item(p, user)) return false;
  } while (qn_accept(p, QN_TOK_COMMA));
  return qn_expect(p, close);
}

/* ---- errors ---- */

const qn_loc *qn_loc_of_pos(qn_parser *p, qn_pos pos) {
  return qn_loc_file(&p->cx->diag, p->name, pos.line, pos.column);
}

/* Stops the parse: every further token is the end of the text, so that all loops end. */
static void stop(qn_parser *p, qn_status status) {
  p->status = status;
  p->stopped = true;
  p->lexer.cursor = p->lexer.end;
  p->token.kind = QN_TOK_EOF;
  p->token.text = (qn_str){p->lexer.end, 0};
}

static void report(qn_parser *p, qn_pos pos, const qn_diag *note_or_null, const char *format,
                   va_list arguments) {
  if (p->stopped) return;
  qn_text text = {0};
  bool at_error = p->token.kind == QN_TOK_ERROR && pos.line == p->token.pos.line &&
                  pos.column == p->token.pos.column;
  if (at_error)
    qn_text_puts(&text, p->lexer.error);
  else
    qn_text_vformat(&text, format, arguments);
  qn_diag diag = {.severity = QN_ERROR,
                  .loc = qn_loc_of_pos(p, pos),
                  .text = qn_text_view(&text),
                  .notes = note_or_null,
                  .note_count = note_or_null != NULL};
  qn_report(&p->cx->diag, &diag);
  qn_text_deinit(&text);
  p->status = QN_INVALID;
  uint32_t limit = p->cx->diag.error_limit;
  if (limit && p->cx->diag.errors >= limit) stop(p, QN_INVALID);
}

bool qn_fail_at(qn_parser *p, qn_pos pos, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(p, pos, NULL, format, arguments);
  va_end(arguments);
  return false;
}

bool qn_fail(qn_parser *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(p, p->token.pos, NULL, format, arguments);
  va_end(arguments);
  return false;
}

static qn_pos end_of_previous(const qn_parser *p) {
  const char *end = p->previous.end, *at = p->token.text.data;
  qn_pos pos = p->token.pos;
  if (!end || end > at || qn_at(p, QN_TOK_ERROR)) return pos;
  const char *start = at - (pos.column - 1);
  if (end < start) { /* the token ends on an earlier line than it starts */
    for (const char *line = end; (line = memchr(line, '\n', (size_t)(at - line))); line++)
      pos.line--;
    for (start = end; start > p->begin && start[-1] != '\n';) start--;
  }
  pos.column = (uint32_t)(end - start) + 1;
  return pos;
}

bool qn_fail_behind(qn_parser *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(p, end_of_previous(p), NULL, format, arguments);
  va_end(arguments);
  return false;
}

bool qn_fail_note(qn_parser *p, qn_pos pos, qn_pos note_pos, qn_str note, const char *format, ...) {
  if (p->stopped) return false;
  qn_diag attached = {.severity = QN_NOTE, .loc = qn_loc_of_pos(p, note_pos), .text = note};
  va_list arguments;
  va_start(arguments, format);
  report(p, pos, &attached, format, arguments);
  va_end(arguments);
  return false;
}

qn_str qn_type_text(qn_parser *p, const qn_type *type) {
  qn_text text = {0};
  qn_text_print_type(type, &text);
  qn_str kept = qn_arena_str(&p->scratch, qn_text_view(&text));
  qn_text_deinit(&text);
  return kept;
}

static bool too_deep(qn_parser *p) {
  if (p->stopped) return false;
  qn_fail(p, "nesting is deeper than %d levels", QN_TEXT_MAX_DEPTH);
  stop(p, QN_LIMIT);
  return false;
}

/* Whether the nesting allows `more` levels. Types, attributes and locations have a limit of their
 * own in addition to that of regions: contents of the innermost region are printed in other forms
 * than they were read in, with or without locations, and must still be readable. */
static bool fits(const qn_parser *p, uint32_t more) {
  enum { INNERMOST = 32, MOST = QN_TEXT_MAX_DEPTH + INNERMOST };
  return p->depth - p->levels + more <= QN_TEXT_MAX_DEPTH && p->depth + more <= MOST;
}

bool qn_enter(qn_parser *p) {
  if (!fits(p, 1)) return too_deep(p);
  p->depth++;
  if (p->depth > p->deepest) p->deepest = p->depth;
  qn_weigh(p, 1);
  return true;
}

void qn_leave(qn_parser *p) { p->depth--; }

bool qn_enter_region(qn_parser *p) {
  if (p->levels == QN_TEXT_MAX_DEPTH) return too_deep(p);
  p->levels++;
  if (p->levels > p->deepest_level) p->deepest_level = p->levels;
  return qn_enter(p);
}

void qn_leave_region(qn_parser *p) {
  p->levels--;
  qn_leave(p);
}

/* ---- aliases ---- */

qn_alias qn_alias_begin(qn_parser *p) {
  qn_alias before = {.weight = p->weight, .height = p->deepest};
  p->deepest = p->depth;
  return before;
}

void qn_alias_end(qn_parser *p, qn_alias *alias, const void *value) {
  uint32_t deepest_before = alias->height;
  *alias = (qn_alias){value, p->weight - alias->weight, p->deepest - p->depth};
  if (p->deepest < deepest_before) p->deepest = deepest_before;
}

bool qn_alias_use(qn_parser *p, const qn_alias *alias) {
  if (!alias->value) return false; /* the definition was invalid, which has been reported */
  if (!fits(p, alias->height)) return too_deep(p);
  if (p->depth + alias->height > p->deepest) p->deepest = p->depth + alias->height;
  qn_weigh(p, alias->weight);
  if (p->weight <= p->weight_limit) return true;
  qn_fail(p, "expanding this alias makes the module too large");
  stop(p, QN_LIMIT);
  return false;
}

void qn_alias_define(qn_parser *p, qn_str_map *map, qn_str name, const qn_alias *alias) {
  qn_str_map_set(map, name, qn_arena_copy(&p->scratch, alias, sizeof *alias));
}

void qn_weigh(qn_parser *p, size_t weight) { p->weight += weight; }

/* ---- recovery ---- */

/* Whether the current token looks like the start of an op: it starts a line and follows a token
 * that can end an op. */
static bool may_begin_op(const qn_parser *p) {
  static const bool begins[QN_TOK_COUNT] = {
      [QN_TOK_PERCENT_ID] = true, [QN_TOK_STRING] = true,  [QN_TOK_BARE_ID] = true,
      [QN_TOK_CARET_ID] = true,   [QN_TOK_HASH_ID] = true, [QN_TOK_EXCLAIM_ID] = true,
      [QN_TOK_META_BEGIN] = true};
  static const bool continues[QN_TOK_COUNT] = {
      [QN_TOK_COMMA] = true, [QN_TOK_LPAREN] = true, [QN_TOK_LSQUARE] = true, [QN_TOK_LESS] = true,
      [QN_TOK_COLON] = true, [QN_TOK_ARROW] = true,  [QN_TOK_EQUAL] = true};
  return begins[p->token.kind] && p->token.pos.line != p->previous.line &&
         !continues[p->previous.kind];
}

void qn_recover(qn_parser *p, int64_t braces) {
  for (; p->token.kind != QN_TOK_EOF; qn_advance(p)) {
    if (p->braces < braces) return;
    if (p->braces == braces && (p->token.kind == QN_TOK_RBRACE || may_begin_op(p))) return;
  }
}

/* ---- balanced text ---- */

static char closer_of(char open) {
  return open == '<' ? '>' : open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* Whether the body of a dialect type ends at this newline: the next line is not indented and does
 * not start with a bracket. If unclosed bodies have cost too many scanned characters, every body
 * ends at its line, so that the total time stays linear. */
static bool body_ends(const qn_parser *p, const char *newline, const char *end) {
  enum { PATIENCE = 1 << 20 };
  if (p->failed_scans > PATIENCE || newline + 1 == end) return true;
  return !strchr(" \t\r\n<>()[]{}", newline[1]);
}

/* From a '<' to after the matching '>'. NULL if brackets do not match; *out_open is then the
 * bracket that is not closed. */
static const char *balance(qn_parser *p, const char *at, const char *end, char *out_open) {
  QN_ARRAY(char) open = {0};
  const char *start = at, *found = NULL;
  *out_open = '<';
  for (; at < end && !found; at++) {
    if (*at == '\0' || (*at == '\n' && body_ends(p, at, end))) break;
    if (*at == '"') {
      for (at++; at < end && *at != '"' && *at != '\n'; at++) at += *at == '\\' && at + 1 < end;
      if (at >= end) break;
    } else if (*at == '-' && at + 1 < end && at[1] == '>') {
      at++;
    } else if (strchr("<([{", *at)) {
      qn_array_push(&open, *at);
    } else if (strchr(">)]}", *at)) {
      if (closer_of(open.data[open.count - 1]) != *at) break;
      if (--open.count == 0) found = at + 1;
    }
  }
  if (!found && open.count) *out_open = open.data[open.count - 1];
  if (!found) p->failed_scans += (size_t)(at - start);
  qn_array_free(&open);
  return found;
}

/* At '<': the position after its '>'. NULL after a reported error. */
static const char *end_of_body(qn_parser *p) {
  char open;
  const char *end = balance(p, p->token.text.data, p->lexer.end, &open);
  if (!end) qn_fail(p, "unbalanced '%c' character in pretty dialect name", open);
  return end;
}

bool qn_is_balanced(qn_parser *p, qn_str body) {
  char open;
  return balance(p, body.data, body.data + body.size, &open) == body.data + body.size;
}

bool qn_check_balanced(qn_parser *p) { return !qn_at(p, QN_TOK_LESS) || end_of_body(p); }

bool qn_parse_balanced(qn_parser *p, qn_str *out_body) {
  if (!qn_at(p, QN_TOK_LESS)) return qn_fail(p, "expected '<'");
  const char *start = p->token.text.data, *end = end_of_body(p);
  if (!end) return false;
  *out_body = (qn_str){start, (size_t)(end - start)};
  qn_relex(p, end);
  return true;
}

/* ---- literals ---- */

/* The character that an escape denotes; -1 if unknown. *at advances to the escape's last
 * character. */
static int unescape(const char **at, const char *end) {
  char c = **at;
  if (c == '"' || c == '\\') return c;
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  int high = qn_hex_digit(c), low = *at + 1 < end ? qn_hex_digit((*at)[1]) : -1;
  if (high < 0 || low < 0) return -1;
  ++*at;
  return high * 16 + low;
}

bool qn_unquote(qn_parser *p, qn_token token, qn_str *out_text) {
  const char *at = memchr(token.text.data, '"', token.text.size);
  const char *end = token.text.data + token.text.size - 1;
  qn_str raw = {at + 1, (size_t)(end - at - 1)};
  if (!memchr(raw.data, '\\', raw.size)) {
    *out_text = qn_intern(p->cx, raw);
    return true;
  }
  qn_text text = {0};
  bool ok = true;
  for (at++; ok && at < end; at++) {
    int c = *at;
    if (c == '\\') {
      at++;
      c = unescape(&at, end);
    }
    if (c == -1 && at[-1] == '\\')
      ok = false;
    else
      qn_text_putc(&text, (char)c);
  }
  if (ok) *out_text = qn_intern(p->cx, qn_text_view(&text));
  qn_text_deinit(&text);
  return ok || qn_fail_at(p, token.pos, "unknown escape in string literal");
}

bool qn_parse_string(qn_parser *p, qn_str *out_text) {
  qn_token token = p->token;
  return qn_expect(p, QN_TOK_STRING) && qn_unquote(p, token, out_text);
}

bool qn_parse_int(qn_parser *p, int64_t *out_value) {
  qn_pos pos = p->token.pos;
  bool negative = qn_accept(p, QN_TOK_MINUS);
  qn_token literal = p->token;
  uint64_t magnitude = 0;
  if (!qn_at(p, QN_TOK_INTEGER)) return qn_fail(p, "expected integer value");
  qn_advance(p);
  bool fits =
      qn_number_read_uint(literal.text, &magnitude) && magnitude <= (uint64_t)INT64_MAX + negative;
  *out_value = (int64_t)(negative ? 0 - magnitude : magnitude);
  return fits || qn_fail_at(p, pos, "integer value too large");
}
