/* Compares diagnostics with the comments in the input that announce them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/expect.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct expectation {
  int severity;
  uint32_t at;      /* line of the comment */
  uint32_t line;    /* line of the diagnostic; 0: no line */
  const char *text; /* text between the braces, a pointer into the input */
  size_t size;
  bool is_regex, seen;
  regex_t regex;
};

static const struct {
  const char *word;
  int severity;
} kinds[] = {{"error", QN_MESSAGE_ERROR},
             {"warning", QN_MESSAGE_WARNING},
             {"note", QN_MESSAGE_NOTE},
             {"remark", QN_MESSAGE_REMARK}};

static const char *word_of(int severity) {
  for (size_t i = 0; i < CLI_COUNT(kinds); i++)
    if (kinds[i].severity == severity) return kinds[i].word;
  return "diagnostic";
}

/* ---- reading ---- */

/* The position of the braces that close those before `at`; NULL if there are none. */
static const char *closing(const char *at, const char *end) {
  for (int depth = 1; end - at >= 2; at++) {
    if (at[0] == '{' && at[1] == '{')
      depth++, at++;
    else if (at[0] == '}' && at[1] == '}') {
      /* in "}}}" at the end of the text, the last two braces close */
      if (depth == 1 && end - at > 2 && at[2] == '}') continue;
      if (--depth == 0) return at;
      at++;
    }
  }
  return NULL;
}

/* Converts plain text with {{regular expressions}} to one extended regular expression. */
static char *regex_text(const char *text, size_t size) {
  char *out = malloc(2 * size + 1), *to = out;
  const char *end = text + size;
  while (out && text < end) {
    const char *close =
        end - text >= 2 && text[0] == '{' && text[1] == '{' ? closing(text + 2, end) : NULL;
    if (close) {
      *to++ = '(';
      memcpy(to, text + 2, (size_t)(close - text - 2));
      to += close - text - 2;
      *to++ = ')';
      text = close + 2;
      continue;
    }
    if (strchr(".[]{}()\\*+?|^$", *text)) *to++ = '\\';
    *to++ = *text++;
  }
  if (out) *to = '\0';
  return out;
}

static cli_exit bad(cli *c, const char *name, uint32_t line, const char *what) {
  return cli_fail(c, CLI_INVALID, "%s:%u: %s", name, line, what);
}

/* Reads @+N, @-N, @above, @below, @unknown, or nothing. Returns false for other text. The line for
 * @below is UINT32_MAX until it is known. */
static bool read_place(const char **at, uint32_t line, uint32_t above, uint32_t *out_line) {
  static const struct {
    const char *word;
    int kind;
  } words[] = {{"above", 0}, {"below", 1}, {"unknown", 2}};
  *out_line = line;
  if (**at != '@') return true;
  (*at)++;
  if (**at == '+' || **at == '-') {
    char *end;
    long offset = strtol(*at, &end, 10);
    if (end == *at + 1 || offset < -INT32_MAX || offset > INT32_MAX) return false;
    if (offset + (long)line < 1) return false;
    *at = end;
    *out_line = (uint32_t)((long)line + offset);
    return true;
  }
  const uint32_t lines[] = {above, UINT32_MAX, 0};
  for (size_t i = 0; i < CLI_COUNT(words); i++) {
    size_t size = strlen(words[i].word);
    if (strncmp(*at, words[i].word, size) != 0) continue;
    *at += size;
    *out_line = lines[words[i].kind];
    return true;
  }
  return false;
}

static bool add(expectations *e, expectation row) {
  if (e->count == e->capacity) {
    size_t capacity = e->capacity ? 2 * e->capacity : 16;
    expectation *rows = realloc(e->rows, capacity * sizeof *rows);
    if (!rows) return false;
    e->rows = rows;
    e->capacity = capacity;
  }
  e->rows[e->count++] = row;
  return true;
}

/* Reads one comment from after "expected-". If no valid kind follows, the text is not such a
 * comment and *at stays. */
static cli_exit read_one(cli *c, expectations *e, const char **at, const char *end, uint32_t line,
                         uint32_t above) {
  const char *from = *at;
  expectation row = {.at = line, .severity = -1};
  for (size_t i = 0; i < CLI_COUNT(kinds) && row.severity < 0; i++) {
    size_t size = strlen(kinds[i].word);
    if ((size_t)(end - from) < size || strncmp(from, kinds[i].word, size) != 0) continue;
    row.severity = kinds[i].severity;
    from += size;
  }
  if (row.severity < 0) return CLI_OK;
  row.is_regex = strncmp(from, "-re", 3) == 0;
  if (row.is_regex) from += 3;
  while (*from == ' ') from++;
  if (!read_place(&from, line, above, &row.line))
    return bad(c, e->name, line, "expected @+N, @-N, @above, @below or @unknown");
  while (*from == ' ') from++;
  if (strncmp(from, "{{", 2) != 0) return CLI_OK;
  const char *close = closing(from + 2, end);
  if (!close) return bad(c, e->name, line, "expected '}}' after the text");
  row.text = from + 2;
  row.size = (size_t)(close - row.text);
  if (row.is_regex) {
    char *pattern = regex_text(row.text, row.size);
    int failure = pattern ? regcomp(&row.regex, pattern, REG_EXTENDED | REG_NOSUB) : REG_ESPACE;
    free(pattern);
    if (failure) return bad(c, e->name, line, "the regular expression can't be read");
  }
  *at = close + 2;
  return add(e, row) ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

static cli_exit read_line(cli *c, expectations *e, const char *at, const char *end, uint32_t line,
                          uint32_t above) {
  static const char word[] = "expected-";
  while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1))) {
    at += sizeof word - 1;
    cli_exit code = read_one(c, e, &at, end, line, above);
    if (code != CLI_OK) return code;
  }
  return CLI_OK;
}

cli_exit expect_read(cli *c, const char *name, const char *text, size_t size, uint32_t line,
                     expectations *out_expected) {
  expectations *e = out_expected;
  *e = (expectations){.name = name};
  uint32_t above = line;
  size_t below = 0; /* rows from this index on may still wait for the line of @below */
  for (const char *at = text, *stop = text + size; at < stop; line++) {
    const char *newline = memchr(at, '\n', (size_t)(stop - at));
    const char *end = newline ? newline : stop;
    size_t before = e->count;
    cli_exit code = read_line(c, e, at, end, line, above);
    if (code != CLI_OK) {
      (void)expect_end(e);
      return code;
    }
    if (e->count == before) { /* a line without such a comment */
      for (above = line; below < e->count; below++)
        if (e->rows[below].line == UINT32_MAX) e->rows[below].line = line;
    }
    at = newline ? newline + 1 : stop;
  }
  return CLI_OK;
}

/* ---- comparing ---- */

static bool matches(const expectation *row, const qn_message *message) {
  if (row->seen || row->severity != message->severity || row->line != message->line) return false;
  if (row->is_regex) return regexec(&row->regex, message->text, 0, NULL, 0) == 0;
  return row->size == 0 || memmem(message->text, strlen(message->text), row->text, row->size);
}

void expect_take(void *user, const qn_message *message) {
  expectations *e = user;
  for (size_t i = 0; i < e->count; i++) {
    if (!matches(&e->rows[i], message)) continue;
    e->rows[i].seen = true;
    return;
  }
  if (e->only_expected) return;
  e->failed = true;
  if (message->line)
    fprintf(stderr, "%s:%u:%u: ", message->file, message->line, message->column);
  else
    fprintf(stderr, "%s: ", message->file[0] ? message->file : "unknown");
  fprintf(stderr, "error: unexpected %s: %s\n", word_of(message->severity), message->text);
}

cli_exit expect_end(expectations *expected) {
  for (size_t i = 0; i < expected->count; i++) {
    expectation *row = &expected->rows[i];
    if (!row->seen) {
      expected->failed = true;
      fprintf(stderr, "%s:%u: error: expected %s \"%.*s\" was not produced\n", expected->name,
              row->at, word_of(row->severity), (int)row->size, row->text);
    }
    if (row->is_regex) regfree(&row->regex);
  }
  free(expected->rows);
  expected->rows = NULL;
  expected->count = expected->capacity = 0;
  return expected->failed ? CLI_MISMATCH : CLI_OK;
}
