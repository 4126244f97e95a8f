/* What --help prints of a command.
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

/* A name and what it is; a long name has a line of its own. */
static void print_row(const char *name, const char *text, FILE *to) {
  enum { INDENT = 33, NAME = INDENT - 3 };
  if (strlen(name) > NAME)
    fprintf(to, "  %s\n%*s", name, INDENT, "");
  else
    fprintf(to, "  %-*s ", NAME, name);
  print_wrapped(text, INDENT, to);
}

/* The help of a row, and its other names. */
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

void cli_help(const cli *c, FILE *to) {
  const cli_command *command = c->command;
  const cli_row *list[CLI_MAX_OPTIONS];
  size_t count = cli_rows_of(command, list);
  bool optional = command->argument_optional;
  fprintf(to, "usage: quern %s %s%s%s%s%s [options]\n\n%s\n\noptions:\n", command->name,
          optional ? "[" : "", command->argument ? command->argument : "", optional ? "]" : "",
          command->more ? " " : "", command->more ? command->more : "", command->summary);
  for (size_t i = 0; i < count; i++) {
    char left[64], text[512], letter[8] = "";
    describe(list[i], text, sizeof text);
    if (list[i]->letter) snprintf(letter, sizeof letter, "-%c, ", list[i]->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, list[i]->name, list[i]->metavar ? " " : "",
             list[i]->metavar ? list[i]->metavar : "");
    print_row(left, text, to);
  }
  if (command->takes_passes) print_passes(c, to);
  if (command->details) fprintf(to, "\n%s", command->details);
}
