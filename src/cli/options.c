/* The command line: one table of all options; each command lists the names that it takes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef enum option_kind { FLAG, TEXT, NUMBER, BINDING } option_kind;

typedef struct option_row {
  const char *name;
  char letter; /* 0: none */
  const char *metavar;
  option_kind kind;
  size_t offset; /* of the field in cli_options; BINDING: the kind of binding */
  const char *help;
} option_row;

#define FIELD(name) offsetof(cli_options, name)

static const option_row rows[] = {
    {"input", 0, "[NAME=]VALUE", BINDING, CLI_INPUT,
     "an input: @x.npy, random:SEED, or a literal like 4xi8=1,2,3,4; in the model's order when "
     "unnamed"},
    {"image", 0, "[NAME=]FILE", BINDING, CLI_IMAGE, "an input from a picture: PNG, JPEG, BMP, PPM"},
    {"expect", 0, "[NAME=]@FILE", BINDING, CLI_EXPECT,
     "compare an output with an .npy file; exit code 1 when a bit differs"},
    {"labels", 0, "FILE", TEXT, FIELD(labels), "names of the classes, one per line"},
    {"top", 0, "K", NUMBER, FIELD(top), "how many classes to print (5)"},
    {"save", 0, "DIR", TEXT, FIELD(save), "write out0.npy, out1.npy ... there"},
    {"golden", 0, "DIR", TEXT, FIELD(golden), "folder of recorded cases"},
    {"output", 'o', "FILE", TEXT, FIELD(output), "where to write; - is standard output"},
    {"emit", 0, "FORM", TEXT, FIELD(emit),
     "model, integer, loops, llvm, asm or obj; by default what the output's name says"},
    {"header", 0, "FILE", TEXT, FIELD(header), "also write the C header of the object"},
    {"symbol", 0, "NAME", TEXT, FIELD(symbol), "prefix of the exported names (model)"},
    {"generic", 0, NULL, FLAG, FIELD(generic), "print every op in generic form"},
    {"allow-unregistered-dialect", 0, NULL, FLAG, FIELD(allow_unregistered),
     "let ops of unknown dialects pass"},
    {"runs", 0, "N", NUMBER, FIELD(runs), "how many timed runs (as many as fit one second)"},
    {"numerics", 0, "PROFILE", TEXT, FIELD(numerics),
     "rounding of every operator, see 'quern list profiles' (litert-ref for .tflite)"},
    {"dim", 0, "N", NUMBER, FIELD(batch), "value of dynamic dimensions, such as the batch (1)"},
    {"engine", 0, "ENGINE", TEXT, FIELD(engine), "jit or interpreter (jit)"},
    {"stage", 0, "STAGE", TEXT, FIELD(stage),
     "what the interpreter executes: model, integer or loops (the model's own)"},
    {"threads", 0, "N", NUMBER, FIELD(threads), "size of the thread pool (1)"},
    {"target", 0, "TRIPLE", TEXT, FIELD(target), "LLVM target triple (this machine's)"},
    {"cpu", 0, "CPU", TEXT, FIELD(cpu), "feature level or CPU, see 'quern list targets' (native)"},
    {"features", 0, "LIST", TEXT, FIELD(features), "+feature,-feature on top of the CPU"},
    {"json", 0, NULL, FLAG, FIELD(json), "print JSON"},
    {"markdown", 0, NULL, FLAG, FIELD(markdown), "print a Markdown table"},
    {"verbose", 'v', NULL, FLAG, FIELD(verbose), "say more on standard error: remarks, times, progress"},
    {"help", 'h', NULL, FLAG, FIELD(help), "print this"},
};

static const char *const common[] = {"verbose", "help", NULL};

enum { LONG_BASE = 256, MAX_OPTIONS = CLI_COUNT(rows) };

static const option_row *row_of(const char *name) {
  for (size_t i = 0; i < CLI_COUNT(rows); i++) {
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  }
  return NULL;
}

/* The rows of a command, its own and the common ones. */
static size_t rows_of(const cli_command *command, const option_row *out[MAX_OPTIONS]) {
  const char *const *const lists[] = {command->options, common};
  size_t count = 0;
  for (size_t l = 0; l < CLI_COUNT(lists); l++) {
    for (const char *const *name = lists[l]; *name; name++) out[count++] = row_of(*name);
  }
  return count;
}

/* ---- help ---- */

static void print_wrapped(const char *text, int indent, FILE *to) {
  enum { WIDTH = 96 };
  int column = indent;
  while (*text) {
    int word = (int)strcspn(text, " ");
    if (column + word > WIDTH) {
      fprintf(to, "\n%*s", indent, "");
      column = indent;
    }
    fprintf(to, "%.*s", word, text);
    column += word;
    text += word;
    if (*text == ' ') {
      fputc(' ', to);
      column++;
      text++;
    }
  }
  fputc('\n', to);
}

void cli_help(const cli_command *command, FILE *to) {
  const option_row *list[MAX_OPTIONS];
  size_t count = rows_of(command, list);
  fprintf(to, "usage: quern %s %s [options]\n\n%s\n\noptions:\n", command->name,
          command->argument ? command->argument : "", command->summary);
  for (size_t i = 0; i < count; i++) {
    char left[64], letter[8] = "";
    if (list[i]->letter) snprintf(letter, sizeof letter, "-%c, ", list[i]->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, list[i]->name, list[i]->metavar ? " " : "",
             list[i]->metavar ? list[i]->metavar : "");
    fprintf(to, "  %-30s ", left);
    print_wrapped(list[i]->help, 33, to);
  }
  if (command->details) fprintf(to, "\n%s", command->details);
}

/* ---- parsing ---- */

cli_exit cli_fail(const cli *c, cli_exit code, const char *format, ...) {
  cli_progress_clear(c->progress);
  fprintf(stderr, "quern %s: error: ", c->command->name);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  if (code == CLI_USAGE) fprintf(stderr, "'quern %s --help' describes it\n", c->command->name);
  return code;
}

static cli_exit set_number(cli *c, const option_row *row, const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > INT32_MAX) {
    return cli_fail(c, CLI_USAGE, "--%s takes a positive number, not '%s'", row->name, text);
  }
  *(int64_t *)(void *)((char *)&c->options + row->offset) = value;
  return CLI_OK;
}

static cli_exit set_option(cli *c, const option_row *row, const char *text) {
  char *field = (char *)&c->options + row->offset;
  if (row->kind == FLAG) *(bool *)(void *)field = true;
  if (row->kind == TEXT) *(const char **)(void *)field = text;
  if (row->kind == NUMBER) return set_number(c, row, text);
  if (row->kind == BINDING) {
    if (c->options.binding_count == CLI_MAX_BINDINGS) {
      return cli_fail(c, CLI_USAGE, "more than %d inputs and expectations", CLI_MAX_BINDINGS);
    }
    c->options.bindings[c->options.binding_count++] =
        (cli_binding){(cli_binding_kind)row->offset, text};
  }
  return CLI_OK;
}

static const option_row *row_of_code(int code, const option_row *const *list, size_t count) {
  if (code >= LONG_BASE) return list[code - LONG_BASE];
  for (size_t i = 0; i < count; i++) {
    if (list[i]->letter == code) return list[i];
  }
  return NULL;
}

static cli_exit take_argument(cli *c, int argc, char **argv) {
  bool wanted = c->command->argument != NULL;
  if (optind < argc && wanted) c->options.argument = argv[optind++];
  if (optind < argc) return cli_fail(c, CLI_USAGE, "unexpected argument '%s'", argv[optind]);
  if (wanted && !c->options.argument && !c->command->argument_optional && !c->options.help) {
    return cli_fail(c, CLI_USAGE, "%s is missing", c->command->argument);
  }
  return CLI_OK;
}

cli_exit cli_options_parse(cli *c, int argc, char **argv) {
  const option_row *list[MAX_OPTIONS];
  struct option longs[MAX_OPTIONS + 1] = {{0}};
  char shorts[2 * MAX_OPTIONS + 2] = ":";
  size_t count = rows_of(c->command, list), letters = 1;
  for (size_t i = 0; i < count; i++) {
    int has_value = list[i]->kind == FLAG ? no_argument : required_argument;
    longs[i] = (struct option){list[i]->name, has_value, NULL, LONG_BASE + (int)i};
    if (list[i]->letter) shorts[letters++] = list[i]->letter;
    if (list[i]->letter && has_value) shorts[letters++] = ':';
  }
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    const char *given = argv[optind - 1];
    if (code == ':') return cli_fail(c, CLI_USAGE, "%s takes a value", given);
    const option_row *row = code == '?' ? NULL : row_of_code(code, list, count);
    if (!row) return cli_fail(c, CLI_USAGE, "unknown option '%s'", given);
    cli_exit exit = set_option(c, row, optarg);
    if (exit != CLI_OK) return exit;
  }
  return take_argument(c, argc, argv);
}
