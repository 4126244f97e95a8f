/* Finds rules and declarations in a file. In C++ files they start a line, and all other text is
 * skipped by C++'s rules for comments, literals and directives. Rule files (.rr) contain rules,
 * declarations and comments only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/functions.h"
#include "rules/syntax/parser.h"

#include "base/array.h"

enum { MAX_FILE = 16 << 20 };

typedef struct scanner {
  qn_rule_parser p;
  qn_rule_file *file;
  const qn_rule_reading *reading;
  qn_rule_comment *header; /* "//:rule" comment before the next rule; NULL if none */
  QN_ARRAY(qn_rule_item) items;
  QN_ARRAY(qn_rule_pos) conditionals; /* open #if directives; line 0 after a warning */
  uint32_t rules;
} scanner;

static char peek(const scanner *s) { return qn_rule_lexer_peek(&s->p.lexer, 0); }
static bool at_end(const scanner *s) { return s->p.lexer.at.offset >= s->file->source.size; }
static void step(scanner *s) { qn_rule_lexer_step(&s->p.lexer); }

/* ---- other text ---- */

/* Skips a comment. If it is a "//:rule" comment, keeps it for the rule after it. */
static bool skip_comment(scanner *s) {
  qn_rule_comment *comment = qn_rule_lexer_comment(&s->p.lexer);
  if (!comment) return false;
  if (qn_str_starts(comment->text, "//:rule")) s->header = comment;
  return true;
}

/* Skips a C++ literal "..." or '...', at most to the end of the line. */
static void skip_literal(scanner *s) {
  char quote = peek(s);
  step(s);
  while (!at_end(s) && peek(s) != '\n') {
    char c = peek(s);
    step(s);
    if (c == quote) return;
    if (c == '\\' && !at_end(s) && peek(s) != '\n') step(s);
  }
}

static bool line_goes_on(const scanner *s) {
  const char *data = s->file->source.data;
  uint32_t at = s->p.lexer.at.offset;
  if (at > 0 && data[at - 1] == '\r') at--;
  return at > 0 && data[at - 1] == '\\';
}

/* Skips a preprocessor directive with its continuation lines. */
static void skip_directive(scanner *s) {
  qn_rule_pos pos = s->p.lexer.at;
  step(s);
  while (peek(s) == ' ' || peek(s) == '\t') step(s);
  qn_str rest = {s->file->source.data + s->p.lexer.at.offset,
                 s->file->source.size - s->p.lexer.at.offset};
  if (qn_str_starts(rest, "if")) qn_array_push(&s->conditionals, pos);
  if (qn_str_starts(rest, "endif") && s->conditionals.count > 0) s->conditionals.count--;
  while (!at_end(s) && (peek(s) != '\n' || line_goes_on(s)))
    if (!skip_comment(s)) step(s);
}

/* Skips a word. Warns if it is the keyword of a rule, because a rule in the middle of a line is not
 * read and never applied. */
static void skip_word(scanner *s) {
  qn_rule_pos pos = s->p.lexer.at;
  while (qn_rule_is_name_part(peek(s)) || (peek(s) == '\'' && !at_end(s))) step(s);
  qn_str word = {s->file->source.data + pos.offset, s->p.lexer.at.offset - pos.offset};
  if (qn_rule_keyword_of(word) && peek(s) == '(')
    qn_rule_warning(s->p.reporter, "W0111", pos, "this is not read: it does not start its line");
}

/* Reports text that is not allowed in a rule file, and skips it up to the next keyword. */
static void refuse_text(scanner *s) {
  qn_rule_lexer ahead = s->p.lexer;
  const qn_rule_token token = qn_rule_lexer_next(&ahead);
  bool keyword = qn_rule_keyword_of(token.text) != QN_RULE_NO_KEYWORD;
  qn_rule_error(s->p.reporter, "RR0212", token.pos,
                keyword ? "%s has to start its line"
                        : "only rules, declarations of ops and comments may be in a rule file, "
                          "found %s",
                qn_rule_token_name(&ahead, &token));
  qn_rule_guess guess = qn_rule_guess_begin(token.text);
  if (!keyword) qn_rule_guess_offer(&guess, qn_str_of("DEF_PACKAGE_OPTIMIZATION"));
  qn_rule_guess_help(s->p.reporter, &guess, "", "");
  qn_rule_parser_start(&s->p, s->p.lexer.at);
  do {
    qn_rule_parser_advance(&s->p);
  } while (s->p.token.kind != QN_RULE_TOK_END && !qn_rule_parser_at_keyword(&s->p));
  s->p.lexer.at = s->p.last;
  s->p.lexer.line_is_blank = false;
}

static void skip_other(scanner *s) {
  char c = peek(s);
  if (skip_comment(s)) return;
  bool blank = c != '\0' && strchr(" \t\r\n\v\f", c);
  if (!blank) s->header = NULL;
  if (blank) {
    step(s);
  } else if (s->file->pure) {
    refuse_text(s);
  } else {
    bool starts = s->p.lexer.line_is_blank;
    s->p.lexer.line_is_blank = false;
    if (c == '#' && starts)
      skip_directive(s);
    else if (c == '"' || c == '\'')
      skip_literal(s);
    else if (qn_rule_is_name_part(c))
      skip_word(s);
    else
      step(s);
  }
}

/* ---- rules and declarations ---- */

/* The keyword at the start of this line, if a parenthesis follows it. Reports a parenthesis on a
 * later line, because other tools require it on the same line. */
static qn_rule_keyword keyword_here(scanner *s, qn_str *out_word) {
  if (!s->p.lexer.line_is_blank || !qn_rule_is_name_start(peek(s))) return QN_RULE_NO_KEYWORD;
  qn_rule_lexer ahead = s->p.lexer;
  const qn_rule_token word = qn_rule_lexer_next(&ahead), open = qn_rule_lexer_next(&ahead);
  *out_word = word.text;
  qn_rule_keyword keyword = qn_rule_keyword_of(word.text);
  if (!keyword || open.kind != QN_RULE_TOK_OPEN) return QN_RULE_NO_KEYWORD;
  if (open.pos.line != word.pos.line)
    qn_rule_error(s->p.reporter, "RR0216", open.pos, "the '(' must be on the line of %.*s",
                  QN_STR_ARG(word.text));
  return keyword;
}

static void warn_of_conditional(scanner *s) {
  for (size_t i = 0; i < s->conditionals.count; i++) {
    qn_rule_pos *pos = &s->conditionals.data[i];
    if (pos->line == 0) continue;
    qn_rule_warning(s->p.reporter, "W0108", s->p.rule_pos,
                    "this rule is read whatever the condition around it says");
    qn_rule_note(s->p.reporter, *pos, "the condition is here");
    pos->line = 0;
  }
}

static void name_rule(scanner *s, qn_rule *rule) {
  qn_str path = s->file->path;
  const char *slash = memrchr(path.data, '/', path.size);
  qn_str stem = slash ? (qn_str){slash + 1, path.size - (size_t)(slash + 1 - path.data)} : path;
  const char *dot = memchr(stem.data, '.', stem.size);
  if (dot && dot > stem.data) stem.size = (size_t)(dot - stem.data);
  rule->file = s->file;
  rule->index = s->rules++;
  rule->name = qn_arena_format(s->p.arena, "%.*s-%u", QN_STR_ARG(stem), rule->index + 1);
  if (!s->header || s->reading->strict) return;
  qn_rule_parse_header(s->p.reporter, s->header, rule);
  rule->extensions |= 1u << 7;
}

static void read_item(scanner *s, qn_rule_keyword keyword, qn_str word) {
  qn_rule_parser *p = &s->p;
  qn_rule_item item = {.begin = p->lexer.at.offset};
  p->rule_pos = p->lexer.at;
  p->damaged = p->abandoned = false;
  p->depth = p->operands = 0;
  warn_of_conditional(s);
  qn_rule_parser_start(p, p->lexer.at);
  qn_rule_parser_advance(p); /* the keyword */
  qn_rule_parser_advance(p); /* the parenthesis */
  if (keyword == QN_RULE_KEYWORD_UNSUPPORTED) {
    qn_rule_error(p->reporter, "RR0213", p->rule_pos, "%.*s is known but not supported",
                  QN_STR_ARG(word));
    p->damaged = true;
  } else if (keyword == QN_RULE_KEYWORD_RULE) {
    item.rule = qn_rule_parse_rule(p);
    if (item.rule)
      name_rule(s, item.rule);
    else
      s->rules++;
  } else {
    item.decl = qn_rule_parse_op_decl(p, keyword, word);
  }
  /* so that recovery does not stop at a closing parenthesis */
  if (p->abandoned) p->depth = INT32_MAX;
  qn_rule_parser_recover(p);
  item.end = p->last.offset;
  if (item.rule || item.decl) qn_array_push(&s->items, item);
  p->lexer.at = p->last; /* comments after the rule can belong to the next rule */
  p->lexer.line_is_blank = false;
  s->header = NULL;
  if (item.rule) s->reading->on_rule(s->reading->user, item.rule);
}

qn_status qn_rule_file_read(qn_arena *arena, qn_rule_reporter *reporter,
                            const qn_rule_reading *reading, qn_rule_file *file) {
  const qn_rule_pos start = {1, 1, 0};
  if (file->source.size > MAX_FILE) {
    qn_rule_error(reporter, "RR0219", (qn_rule_pos){0}, "the file has more than %d MiB",
                  MAX_FILE >> 20);
    return QN_LIMIT;
  }
  qn_rule_parse_declared(arena, file);
  scanner s = {.file = file, .reading = reading};
  s.p = (qn_rule_parser){.arena = arena, .reporter = reporter};
  qn_rule_lexer_init(&s.p.lexer, arena, file->source, start);
  while (!at_end(&s)) {
    qn_str word;
    qn_rule_keyword keyword = keyword_here(&s, &word);
    if (keyword)
      read_item(&s, keyword, word);
    else
      skip_other(&s);
  }
  file->items = qn_arena_copy(arena, s.items.data, s.items.count * sizeof *s.items.data);
  file->item_count = (uint32_t)s.items.count;
  qn_array_free(&s.items);
  qn_array_free(&s.conditionals);
  return QN_OK;
}
