/* Parses the command line with getopt: options of the table, flags of passes, and arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/rows.h"

enum { LONG_BASE = 256, PASS_BASE = 4096 };

static const cli_row *row_of_code(int code, const cli_row *const *list, size_t count) {
  if (code >= LONG_BASE) return list[code - LONG_BASE];
  for (size_t i = 0; i < count; i++) {
    if (list[i]->letter == code) return list[i];
  }
  return NULL;
}

static cli_exit take_argument(cli *c, int argc, char **argv) {
  bool wanted = c->command->argument != NULL;
  if (optind < argc && wanted) c->options.argument = argv[optind++];
  if (c->command->more) {
    c->options.more = argv + optind;
    c->options.more_count = argc - optind;
    optind = argc;
  }
  if (optind < argc) return cli_fail(c, CLI_USAGE, "unexpected argument '%s'", argv[optind]);
  if (wanted && !c->options.argument && !c->command->argument_optional && !c->options.help &&
      !c->options.help_all) {
    return cli_fail(c, CLI_USAGE, "%s is missing", c->command->argument);
  }
  return CLI_OK;
}

/* Loads plug-ins before other options are parsed, because they register passes, which are flags. */
static cli_exit load_plugins(cli *c, int argc, char **argv) {
  static const char option[] = "load-pass-plugin";
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *name = argv[i] + strspn(argv[i], "-"), *path = NULL;
    if (argv[i][0] != '-' || strncmp(name, option, sizeof option - 1) != 0) continue;
    if (name[sizeof option - 1] == '=')
      path = name + sizeof option;
    else if (name[sizeof option - 1] == '\0')
      path = argv[i + 1];
    qn_status status = path ? qn_context_load_plugin(c->context, path) : QN_OK;
    if (status == QN_IO) return cli_exit_of(status); /* reported like any file that can't be read */
    if (status != QN_OK) return cli_usage_of(status);
  }
  return CLI_OK;
}

static int argument_of(const cli_row *row) {
  static const int kinds[] = {
      [CLI_ROW_FLAG] = no_argument,         [CLI_ROW_SWITCH] = optional_argument,
      [CLI_ROW_TEXT] = required_argument,   [CLI_ROW_OPTIONAL] = optional_argument,
      [CLI_ROW_NUMBER] = required_argument, [CLI_ROW_BINDING] = required_argument,
      [CLI_ROW_MARK] = no_argument};
  return kinds[row->kind];
}

/* Fills the array for getopt: the options of the command with their synonyms, then the passes. */
static void fill_longs(const cli *c, const cli_row *const *list, size_t count,
                       struct option *longs) {
  for (size_t i = 0; i < count; i++) {
    struct option row = {list[i]->name, argument_of(list[i]), NULL, LONG_BASE + (int)i};
    *longs++ = row;
    const char *also;
    for (size_t k = 0; (also = cli_synonym(list[i]->name, k)); k++) {
      row.name = also;
      *longs++ = row;
    }
  }
  uint32_t passes = c->command->takes_passes ? qn_pass_count(c->context) : 0;
  for (uint32_t i = 0; i < passes; i++)
    *longs++ = (struct option){qn_pass_at(c->context, i).name, optional_argument, NULL,
                               PASS_BASE + (int)i};
}

/* The word on the command line that contains an unknown letter. For commands that accept long
 * options with one dash, the whole word is meant: -verify-ech is not the options -v, -e ... */
static const char *word_of_letter(const cli *c, char *const *argv, char letter, char spare[3]) {
  const char *const words[] = {argv[optind], argv[optind - 1]};
  snprintf(spare, 3, "-%c", letter);
  for (size_t i = 0; c->command->takes_passes && i < CLI_COUNT(words); i++)
    if (words[i] && words[i][0] == '-' && strchr(words[i], letter)) return words[i];
  return spare;
}

/* Lists the names that start with an ambiguous abbreviation, as "--json or --jit". Returns false if
 * there are less than two. */
static bool list_begun(const char *word, const struct option *longs, char *out, size_t size) {
  const char *words[8] = {NULL};
  size_t count = 0, length = strlen(word);
  for (; longs->name && count + 1 < CLI_COUNT(words); longs++)
    if (length > 0 && strncmp(longs->name, word, length) == 0) words[count++] = longs->name;
  cli_list_words(words, out, size);
  return count > 1;
}

static cli_exit unknown_option(cli *c, const char *given, const struct option *longs) {
  char name[64], meant[CLI_SUGGESTION], begun[256];
  const char *word = given + strspn(given, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  const bool is_letter = given[1] != '-' && strlen(name) == 1; /* which abbreviates nothing */
  if (!is_letter && list_begun(name, longs, begun, sizeof begun))
    return cli_fail(c, CLI_USAGE, "'%s' is cut too short: %s", given, begun);
  size_t count = 0;
  while (longs[count].name) count++;
  const char **names = cli_need(calloc(count + 1, sizeof *names));
  for (size_t i = 0; i < count; i++) names[i] = longs[i].name;
  cli_suggest_place(meant, c->command, name);
  if (!meant[0]) cli_suggest(meant, "--", name, names);
  free(names);
  return cli_fail(c, CLI_USAGE, "unknown option '%s'%s", given, meant);
}

static cli_exit take_option(cli *c, int code, const cli_row *const *list, size_t count,
                            const struct option *longs, char *const *argv) {
  char letter[3];
  bool bad = code == '?' || code == ':', is_letter = bad && optopt > 0 && optopt < LONG_BASE;
  const char *given = is_letter ? word_of_letter(c, argv, (char)optopt, letter) : argv[optind - 1];
  if (code == ':') return cli_fail(c, CLI_USAGE, "%s takes a value", given);
  if (code == '?' && optopt >= LONG_BASE)
    return cli_fail(c, CLI_USAGE, "%.*s takes no value", (int)strcspn(given, "="), given);
  if (code >= PASS_BASE)
    return cli_add_pass(c, qn_pass_at(c->context, (uint32_t)(code - PASS_BASE)).name, optarg);
  const cli_row *row = bad ? NULL : row_of_code(code, list, count);
  return row ? cli_set_option(c, row, optarg) : unknown_option(c, given, longs);
}

static cli_exit parse_all(cli *c, int argc, char **argv, struct option *longs) {
  const cli_row *list[CLI_MAX_OPTIONS];
  char shorts[2 * CLI_MAX_OPTIONS + 2] = ":";
  size_t count = cli_rows_of(c->command, list), letters = 1;
  for (size_t i = 0; i < count; i++) {
    if (!list[i]->letter) continue;
    shorts[letters++] = list[i]->letter;
    if (argument_of(list[i]) == required_argument) shorts[letters++] = ':';
  }
  fill_longs(c, list, count, longs);
  opterr = 0;
  bool one_dash = c->command->takes_passes;
  for (;;) {
    int code = one_dash ? getopt_long_only(argc, argv, shorts, longs, NULL)
                        : getopt_long(argc, argv, shorts, longs, NULL);
    if (code == -1) return take_argument(c, argc, argv);
    cli_exit exit = take_option(c, code, list, count, longs, argv);
    if (exit != CLI_OK) return exit;
  }
}

/* Number of entries for getopt, without the one that ends the array. */
static size_t count_longs(const cli *c) {
  const cli_row *list[CLI_MAX_OPTIONS];
  size_t rows = cli_rows_of(c->command, list), count = rows + qn_pass_count(c->context) + 1;
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; cli_synonym(list[i]->name, k); k++) count++;
  return count;
}

cli_exit cli_options_parse(cli *c, int argc, char **argv) {
  cli_exit code = c->command->takes_passes ? load_plugins(c, argc, argv) : CLI_OK;
  if (code != CLI_OK) return code;
  struct option *longs = calloc(count_longs(c), sizeof *longs);
  if (!longs) return cli_fail(c, CLI_LIMIT, "out of memory");
  code = parse_all(c, argc, argv, longs);
  free(longs);
  return code;
}
