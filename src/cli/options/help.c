/* Prints the text of --help for a command.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/options/rows.h"

static void print_wrapped(const char *text, int indent, FILE *to) {
  enum { WIDTH = 96 };
  int column = indent;
  while (*text) {
    int word = (int)strcspn(text, " ");
    if (column > indent && column + 1 + word > WIDTH) {
      fprintf(to, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', to);
      column++;
    }
    fprintf(to, "%.*s", word, text);
    column += word;
    text += word + (text[word] == ' ');
  }
  fputc('\n', to);
}

/* Prints a name and its description. A long name gets a line of its own. */
static void print_row(const char *name, const char *text, FILE *to) {
  enum { INDENT = 33, NAME = INDENT - 3 };
  if (strlen(name) > NAME)
    fprintf(to, "  %s\n%*s", name, INDENT, "");
  else
    fprintf(to, "  %-*s ", NAME, name);
  print_wrapped(text, INDENT, to);
}

/* Writes the description of an option, and its synonyms. */
static void describe(const cli_row *row, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s", row->help);
  const char *before = "; also";
  const char *also;
  for (size_t i = 0; (also = cli_synonym(row->name, i)) && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s --%s", before, also);
    before = ",";
  }
}

static void print_passes(const cli *c, FILE *to) {
  fputs("\npasses, run in the order of their flags; options: --NAME=\"option=value ...\":\n", to);
  for (uint32_t i = 0; i < qn_pass_count(c->context); i++) {
    qn_pass_name pass = qn_pass_at(c->context, i);
    char name[64];
    snprintf(name, sizeof name, "--%s", pass.name);
    print_row(name, pass.summary, to);
  }
}

static void print_option(const cli_row *row, FILE *to) {
  char left[64], text[512], letter[8] = "";
  describe(row, text, sizeof text);
  if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
  snprintf(left, sizeof left, "%s--%s%s%s", letter, row->name, row->metavar ? " " : "",
           row->metavar ? row->metavar : "");
  print_row(left, text, to);
}

static void print_frequent(const cli *c, FILE *to) {
  const cli_row *list[CLI_MAX_FREQUENT], *all[CLI_MAX_OPTIONS];
  size_t count = cli_rows_frequent(c->command, list), total = cli_rows_of(c->command, all);
  fputs("\nmost used options:\n", to);
  for (size_t i = 0; i < count; i++) print_option(list[i], to);
  fprintf(to, "\n'quern %s --help-all' shows %zu more%s; 'quern help OPTION' shows an example.\n",
          c->command->name, total - count, c->command->takes_passes ? " and all passes" : "");
}

static void print_all(const cli *c, FILE *to) {
  for (size_t s = 0; s < CLI_SECTIONS; s++) {
    const cli_row *list[CLI_MAX_OPTIONS];
    const char *title;
    size_t count = cli_rows_of_section(c->command, s, &title, list);
    if (count > 0) fprintf(to, "\n%s:\n", title);
    for (size_t i = 0; i < count; i++) print_option(list[i], to);
  }
  if (c->command->takes_passes) print_passes(c, to);
}

void cli_help(const cli *c, bool all, FILE *to) {
  const cli_command *command = c->command;
  bool optional = command->argument_optional;
  fprintf(to, "usage: quern %s %s%s%s%s%s [options]\n\n%s\n", command->name, optional ? "[" : "",
          command->argument ? command->argument : "", optional ? "]" : "", command->more ? " " : "",
          command->more ? command->more : "", command->summary);
  if (command->frequent && !all)
    print_frequent(c, to);
  else
    print_all(c, to);
  if (command->details) fprintf(to, "\n%s", command->details);
}
