/* Values of options: numbers, sizes, words, passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/rows.h"

static cli_exit set_number(cli *c, const cli_row *row, const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > INT32_MAX) {
    return cli_fail(c, CLI_USAGE, "--%s takes a positive number, not '%s'", row->name, text);
  }
  *(int64_t *)(void *)((char *)&c->options + row->offset) = value;
  return CLI_OK;
}

cli_exit cli_number(cli *c, const char *option, const char *text, int64_t *out_number) {
  char *end;
  errno = 0;
  *out_number = strtoll(text, &end, 10);
  if (!errno && end != text && !*end) return CLI_OK;
  return cli_fail(c, CLI_USAGE, "--%s takes a number, not '%s'", option, text);
}

/* A size of bytes with a unit; false when it is none. */
static bool read_size(const char *text, size_t *out_size) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || end == text || text[0] == '-') return false;
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (*end && (!unit || end[1])) return false;
  for (int i = unit ? (int)(unit - units) : -1; i >= 0; i--)
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
  if (o->max_time) {
    char *end;
    limits.max_seconds = strtod(o->max_time, &end);
    if (end == o->max_time || *end || !(limits.max_seconds >= 0))
      return cli_fail(c, CLI_USAGE, "--max-time takes seconds, not '%s'", o->max_time);
  }
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

cli_exit cli_set_option(cli *c, const cli_row *row, const char *text) {
  cli_exit code = check_choice(c, row, text);
  if (code != CLI_OK) return code;
  char *field = (char *)&c->options + row->offset;
  if (row->kind == CLI_ROW_FLAG) *(bool *)(void *)field = true;
  if (row->kind == CLI_ROW_SWITCH) return set_switch(c, row, text);
  if (row->kind == CLI_ROW_TEXT) *(const char **)(void *)field = text;
  if (row->kind == CLI_ROW_OPTIONAL) *(const char **)(void *)field = text ? text : "";
  if (row->kind == CLI_ROW_NUMBER) return set_number(c, row, text);
  if (row->kind == CLI_ROW_BINDING || row->kind == CLI_ROW_MARK) {
    if (c->options.binding_count == CLI_MAX_BINDINGS) {
      return cli_fail(c, CLI_USAGE, "more than %d inputs and expectations", CLI_MAX_BINDINGS);
    }
    c->options.bindings[c->options.binding_count++] =
        (cli_binding){(cli_binding_kind)row->offset, text};
  }
  return CLI_OK;
}
