/* Describes single options: meaning, commands that accept it, and an example.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/options/rows.h"

static const struct {
  const char *option, *line;
  cli_exit code; /* exit code that the tests expect */
} examples[] = {
#define EXAMPLE(option, line, code) {option, line, code},
#include "cli/options/examples.def"
#undef EXAMPLE
};

static bool takes(const cli_command *command, const char *option) {
  const cli_row *rows[CLI_MAX_OPTIONS];
  size_t count = cli_rows_of(command, rows);
  for (size_t i = 0; i < count; i++)
    if (strcmp(rows[i]->name, option) == 0) return true;
  return false;
}

/* Writes "of run, eval" or "of all commands". */
static void put_commands(const cli_command *const *commands, const char *option, FILE *to) {
  size_t all = 0, taking = 0;
  for (; commands[all]; all++) taking += takes(commands[all], option);
  if (taking == all) {
    fputs("of all commands", to);
    return;
  }
  const char *before = "of ";
  for (size_t i = 0; i < all; i++) {
    if (!takes(commands[i], option)) continue;
    fprintf(to, "%s%s", before, commands[i]->name);
    before = ", ";
  }
}

static void put_name(const cli_row *row, FILE *to) {
  bool optional = row->kind == CLI_ROW_OPTIONAL || row->kind == CLI_ROW_SWITCH;
  if (row->letter) fprintf(to, "-%c, ", row->letter);
  fprintf(to, "--%s", row->name);
  if (row->metavar) fprintf(to, optional ? "[=%s]" : " %s", row->metavar);
}

static void put_also(const cli_row *row, FILE *to) {
  const char *also;
  for (size_t i = 0; (also = cli_synonym(row->name, i)); i++)
    fprintf(to, "%s--%s", i ? ", " : "; also ", also);
}

/* Writes the examples of an option. A test checks that each option has one. */
static void put_examples(const cli_row *row, const char *prompt, FILE *to) {
  for (size_t i = 0; i < CLI_COUNT(examples); i++)
    if (strcmp(examples[i].option, row->name) == 0)
      fprintf(to, "%squern %s%s\n", prompt, examples[i].line,
              examples[i].code == CLI_MISMATCH ? "   # exit code 1: they differ" : "");
}

void cli_print_options(const cli_command *const *commands, FILE *to) {
  const cli_row *rows;
  size_t count = cli_rows_all(&rows);
  for (size_t i = 0; i < count; i++) {
    fputs("### `", to);
    put_name(&rows[i], to);
    fprintf(to, "`\n\n%s", rows[i].help);
    put_also(&rows[i], to);
    fputs(" (", to);
    put_commands(commands, rows[i].name, to);
    fputs(")\n\n", to);
    put_examples(&rows[i], "    ", to);
    fputc('\n', to);
  }
}

bool cli_print_option(const cli_command *const *commands, const char *name, FILE *to) {
  const cli_row *rows;
  size_t count = cli_rows_all(&rows), i = 0;
  while (i < count && strcmp(rows[i].name, name) != 0) i++;
  if (i == count) return false;
  put_name(&rows[i], to);
  fputs(" (", to);
  put_commands(commands, name, to);
  fprintf(to, ")\n\n%s", rows[i].help);
  put_also(&rows[i], to);
  fputs("\n\n", to);
  put_examples(&rows[i], "  ", to);
  return true;
}
