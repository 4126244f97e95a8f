/* Values of options: numbers, sizes, words, passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/rows.h"

static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool cli_read_integer(const char *text, const char **out_end, int64_t *out_number) {
  char *end;
  errno = 0;
  if (!is_digit(text[text[0] == '-'])) return false;
  *out_number = strtoll(text, &end, 10);
  *out_end = end;
  return errno == 0;
}

bool cli_read_unsigned(const char *text, const char **out_end, uint64_t *out_number) {
  char *end;
  errno = 0;
  if (!is_digit(text[0])) return false;
  *out_number = strtoull(text, &end, 10);
  *out_end = end;
  return errno == 0;
}

/* Parses a decimal number that is finite and not negative. */
static bool read_seconds(const char *text, double *out_seconds) {
  char *end;
  if (!is_digit(text[text[0] == '.']) || strspn(text, "0123456789.eE+-") != strlen(text))
    return false;
  *out_seconds = strtod(text, &end);
  return !*end && *out_seconds >= 0 && *out_seconds <= DBL_MAX;
}

static cli_exit set_number(cli *c, const cli_row *row, const char *text) {
  const char *end;
  int64_t value;
  if (!cli_read_integer(text, &end, &value) || *end || value < 1 || value > INT32_MAX) {
    return cli_fail(c, CLI_USAGE, "--%s takes a positive number, not '%s'", row->name, text);
  }
  *(int64_t *)(void *)((char *)&c->options + row->offset) = value;
  return CLI_OK;
}

cli_exit cli_number(cli *c, const char *option, const char *text, int64_t *out_number) {
  const char *end;
  if (cli_read_integer(text, &end, out_number) && !*end) return CLI_OK;
  return cli_fail(c, CLI_USAGE, "--%s takes a number, not '%s'", option, text);
}

/* Parses a size in bytes with an optional unit, in either case. Returns false if it is invalid. */
static bool read_size(const char *text, size_t *out_size) {
  static const char units[] = "KkMmGg"; /* two letters for each factor of 1024 */
  const char *end;
  uint64_t value;
  if (!cli_read_unsigned(text, &end, &value)) return false;
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (*end && (!unit || end[1])) return false;
  for (int i = unit ? (int)(unit - units) / 2 : -1; i >= 0; i--)
    if (__builtin_mul_overflow(value, 1024, &value)) return false;
  *out_size = value;
  return true;
}

cli_exit cli_size(const cli *c, const char *option, const char *text, size_t *out_size) {
  if (read_size(text, out_size)) return CLI_OK;
  return cli_fail(c, CLI_USAGE, "--%s takes a size like 800M, not '%s'", option, text);
}

cli_exit cli_set_limits(cli *c) {
  qn_limits limits = QN_LIMITS_INIT;
  const cli_options *o = &c->options;
  cli_exit code = CLI_OK;
  if (o->max_memory) code = cli_size(c, "max-memory", o->max_memory, &limits.max_memory);
  if (code != CLI_OK) return code;
  /* cli_set_option has checked it */
  if (o->max_time) (void)read_seconds(o->max_time, &limits.max_seconds);
  qn_context_set_limits(c->context, &limits);
  return CLI_OK;
}

static cli_exit set_switch(cli *c, const cli_row *row, const char *text) {
  bool on = !text || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  bool off = text && (strcmp(text, "false") == 0 || strcmp(text, "0") == 0);
  if (!on && !off) {
    return cli_fail(c, CLI_USAGE, "--%s takes true or false, not '%s'", row->name, text);
  }
  *(cli_switch *)(void *)((char *)&c->options + row->offset) = on ? CLI_ON : CLI_OFF;
  return CLI_OK;
}

cli_exit cli_add_pass(cli *c, const char *name, const char *options_or_null) {
  const char *value = options_or_null;
  char *before = c->options.passes, *all;
  int size = asprintf(&all, "%s%s%s%s%s%s", before ? before : "", before ? "," : "", name,
                      value ? "{" : "", value ? value : "", value ? "}" : "");
  if (size < 0) return cli_fail(c, CLI_LIMIT, "out of memory");
  free(before);
  c->options.passes = all;
  return CLI_OK;
}

void cli_list_words(const char *const *words, char *out, size_t size) {
  size_t used = 0;
  for (size_t i = 0; words[i] && used < size; i++) {
    const char *between = i == 0 ? "" : words[i + 1] ? ", " : " or ";
    used += (size_t)snprintf(out + used, size - used, "%s%s", between, words[i]);
  }
}

static cli_exit check_choice(cli *c, const cli_row *row, const char *text) {
  const char *const *words = cli_row_words(row);
  if (!words || !text || (row->kind == CLI_ROW_OPTIONAL && !text[0])) return CLI_OK;
  for (size_t i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return CLI_OK;
  char all[64];
  cli_list_words(words, all, sizeof all);
  char meant[CLI_SUGGESTION];
  cli_suggest(meant, "", text, words);
  return cli_fail(c, CLI_USAGE, "--%s is %s, not '%s'%s", row->name, all, text, meant);
}

/* Checks options whose text must be a number, even if the command does not use it. */
static cli_exit check_number(cli *c, const cli_row *row, const char *text) {
  int64_t number;
  size_t size;
  double seconds;
  if (row->kind != CLI_ROW_TEXT) return CLI_OK;
  if (strcmp(row->metavar, "N") == 0) return cli_number(c, row->name, text, &number);
  if (strcmp(row->metavar, "SIZE") == 0) return cli_size(c, row->name, text, &size);
  if (strcmp(row->metavar, "SECONDS") != 0 || read_seconds(text, &seconds)) return CLI_OK;
  return cli_fail(c, CLI_USAGE, "--%s takes seconds, not '%s'", row->name, text);
}

cli_exit cli_set_option(cli *c, const cli_row *row, const char *text) {
  cli_exit code = check_choice(c, row, text);
  if (code == CLI_OK) code = check_number(c, row, text);
  if (code != CLI_OK) return code;
  char *field = (char *)&c->options + row->offset;
  if (row->kind == CLI_ROW_FLAG) *(bool *)(void *)field = true;
  if (row->kind == CLI_ROW_SWITCH) return set_switch(c, row, text);
  if (row->kind == CLI_ROW_TEXT) *(const char **)(void *)field = text;
  if (row->kind == CLI_ROW_OPTIONAL) *(const char **)(void *)field = text ? text : "";
  if (row->kind == CLI_ROW_NUMBER) return set_number(c, row, text);
  if (row->kind == CLI_ROW_BINDING || row->kind == CLI_ROW_MARK) {
    const cli_binding_kind kind = (cli_binding_kind)row->offset;
    cli_options *o = &c->options;
    bool loads = kind == CLI_DIMENSION || kind == CLI_CONSTANT;
    size_t *count = loads ? &o->loading_count : &o->binding_count;
    if (*count == CLI_MAX_BINDINGS)
      return cli_fail(c, CLI_USAGE, "more than %d %s", CLI_MAX_BINDINGS,
                      loads ? "dimensions and constants" : "inputs and expectations");
    (loads ? o->loading : o->bindings)[(*count)++] = (cli_binding){kind, text};
  }
  return CLI_OK;
}
