/* Internal to option parsing: the rows of the option table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OPTIONS_ROWS_H
#define CLI_OPTIONS_ROWS_H

#include "cli/cli.h"

typedef enum cli_row_kind {
  CLI_ROW_FLAG,
  CLI_ROW_SWITCH, /* --name[=true|false] */
  CLI_ROW_TEXT,
  CLI_ROW_OPTIONAL, /* --name[=text]: empty text without a value */
  CLI_ROW_NUMBER,
  CLI_ROW_BINDING,
  CLI_ROW_MARK, /* separates the bindings of two runs */
} cli_row_kind;

typedef struct cli_row {
  const char *name;
  char letter; /* short option; 0: none */
  const char *metavar;
  cli_row_kind kind;
  size_t offset; /* offset of the field in cli_options; for bindings, their kind */
  const char *help;
} cli_row;

/* ---- rows.c ---- */

/* Stores the rows that a command accepts: its own, those of its groups, and the common ones.
 * Returns their number. */
enum { CLI_MAX_OPTIONS = 160 };
size_t cli_rows_of(const cli_command *command, const cli_row *out[CLI_MAX_OPTIONS]);
/* The rows of one section of a command's help, and its title: the command's own options, those of
 * each of its groups, the common ones. Returns their number; 0 if the command has no such section.
 * Sections are numbered from 0 to CLI_SECTIONS - 1. */
enum { CLI_SECTIONS = 6 };
size_t cli_rows_of_section(const cli_command *command, size_t section, const char **out_title,
                           const cli_row *out[CLI_MAX_OPTIONS]);
/* Stores the rows that --help shows if the command has a list of frequent options. Returns their
 * number. */
size_t cli_rows_frequent(const cli_command *command, const cli_row *out[CLI_MAX_FREQUENT]);
/* Returns all rows and their number. */
size_t cli_rows_all(const cli_row **out_rows);
/* The words that the option accepts, ended by NULL; NULL if it accepts any text. */
const char *const *cli_row_words(const cli_row *row);

/* ---- values.c ---- */

/* Checks and stores the value of an option; `text` is NULL if there is no value. */
cli_exit cli_set_option(cli *c, const cli_row *row, const char *text);
/* Appends a pass to the pipeline of pass flags: NAME or NAME{OPTIONS}. */
cli_exit cli_add_pass(cli *c, const char *name, const char *options_or_null);
/* Writes "a, b or c". */
void cli_list_words(const char *const *words, char *out, size_t size);

#endif
