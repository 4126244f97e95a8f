/* Inside the command line: the rows of the table of all options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OPTIONS_ROWS_H
#define CLI_OPTIONS_ROWS_H

#include "cli/cli.h"

typedef enum cli_row_kind {
  CLI_ROW_FLAG,
  CLI_ROW_SWITCH, /* --name[=true|false] */
  CLI_ROW_TEXT,
  CLI_ROW_OPTIONAL, /* --name[=text]: empty without */
  CLI_ROW_NUMBER,
  CLI_ROW_BINDING,
  CLI_ROW_MARK, /* between bindings */
} cli_row_kind;

typedef struct cli_row {
  const char *name;
  char letter; /* 0: none */
  const char *metavar;
  cli_row_kind kind;
  size_t offset; /* of the field in cli_options; bindings: their kind */
  const char *help;
} cli_row;

/* ---- rows.c ---- */

/* The rows of a command: its own, those of its groups, and the common ones; returns their number.
 */
enum { CLI_MAX_OPTIONS = 160 };
size_t cli_rows_of(const cli_command *command, const cli_row *out[CLI_MAX_OPTIONS]);
/* The rows of one section of a command's help, and its title: the command's own options, those of
 * each of its groups, the common ones. Returns their number; 0 if the command has no such section.
 * Sections are numbered from 0 to CLI_SECTIONS - 1. */
enum { CLI_SECTIONS = 6 };
size_t cli_rows_of_section(const cli_command *command, size_t section, const char **out_title,
                           const cli_row *out[CLI_MAX_OPTIONS]);
/* The rows that --help shows of a command with a list of frequent ones; returns their number. */
size_t cli_rows_frequent(const cli_command *command, const cli_row *out[CLI_MAX_FREQUENT]);
/* All rows; returns their number. */
size_t cli_rows_all(const cli_row **out_rows);
/* The words of which such a row takes one, ended by NULL; NULL: it takes any text. */
const char *const *cli_row_words(const cli_row *row);

/* ---- values.c ---- */

/* Stores what was given, after a check; text is NULL without a value. */
cli_exit cli_set_option(cli *c, const cli_row *row, const char *text);
/* A pass after those that came before: NAME or NAME{OPTIONS}. */
cli_exit cli_add_pass(cli *c, const char *name, const char *options_or_null);
/* "a, b or c" */
void cli_list_words(const char *const *words, char *out, size_t size);

#endif
