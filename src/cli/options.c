/* The command line: one table of all options; each command lists the names that it takes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef enum option_kind {
  FLAG,
  SWITCH, /* --name[=true|false] */
  TEXT,
  OPTIONAL, /* --name[=text]: empty without */
  NUMBER,
  BINDING,
  MARK, /* between bindings */
} option_kind;

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
    {"then", 0, NULL, MARK, CLI_THEN,
     "run again, on the same states, with the inputs and expectations that follow; other inputs "
     "stay"},
    {"state", 0, "[NAME=]@FILE", BINDING, CLI_STATE,
     "a state before the first run, from an .npy file"},
    {"size", 0, "[NAME=]N", BINDING, CLI_SIZE,
     "how many entries a dimension has that the model leaves open (the most)"},
    {"labels", 0, "FILE", TEXT, FIELD(labels), "names of the classes, one per line"},
    {"top", 0, "K", NUMBER, FIELD(top), "how many classes to print (5)"},
    {"save", 0, "DIR", TEXT, FIELD(save), "write out0.npy, out1.npy ... and state0.npy ... there"},
    {"dump", 0, "DIR", TEXT, FIELD(dump),
     "write every tensor that an operator writes there, with inputs, outputs and index.json"},
    {"replace", 0, "TENSOR=@FILE", BINDING, CLI_REPLACE,
     "give operators this instead of the tensor of that number; needs --stage model or integer"},
    {"golden", 0, "DIR", TEXT, FIELD(golden), "folder of recorded cases"},
    {"record", 0, "DIR", TEXT, FIELD(record), "make such a folder instead of reading one"},
    {"cases", 0, "N", NUMBER, FIELD(cases), "record: random cases, of seeds 1 to N (2)"},
    {"output", 'o', "FILE", TEXT, FIELD(output), "where to write; - is standard output"},
    {"emit", 0, "FORM", TEXT, FIELD(emit),
     "compile: model, integer, loops, llvm, asm or obj, by default what the output's name says; "
     "opt: "
     "mlir (the default), or interpret or run to execute a function and print its results"},
    {"function", 0, "NAME", TEXT, FIELD(function), "what to execute (the model's main function)"},
    {"header", 0, "FILE", TEXT, FIELD(header), "also write the C header of the object"},
    {"symbol", 0, "NAME", TEXT, FIELD(symbol), "prefix of the exported names (model)"},
    {"generic", 0, NULL, FLAG, FIELD(generic), "print every op in generic form"},
    {"print-debuginfo", 0, NULL, FLAG, FIELD(debuginfo), "print loc(...) behind every op"},
    {"print-local-scope", 0, NULL, FLAG, FIELD(local_scope),
     "print attributes in full, without aliases in front"},
    {"print-type-aliases", 0, NULL, FLAG, FIELD(type_aliases),
     "print quantized types with several scales as aliases, !q = ..., in front"},
    {"elide-elements-above", 0, "N", TEXT, FIELD(elide),
     "leave out constants of more than N elements"},
    {"split-input-file", 0, "MARKER", OPTIONAL, FIELD(split_input),
     "treat the parts of the file between lines '// -----' as files of their own"},
    {"verify-diagnostics", 0, "all|only-expected", OPTIONAL, FIELD(verify_diagnostics),
     "compare the diagnostics with expected-error, -warning, -note and -remark comments; "
     "only-expected: others may come, too"},
    {"pass-pipeline", 0, "TEXT", TEXT, FIELD(pass_pipeline),
     "the passes, 'builtin.module(func.func(cse),symbol-dce)'; instead of their flags"},
    {"pipeline", 0, "TEXT", TEXT, FIELD(pipeline), "the passes, 'func.func(cse),symbol-dce'"},
    {"dump-pass-pipeline", 0, NULL, FLAG, FIELD(dump_pipeline),
     "print the pipeline on standard error, required passes and nesting made explicit"},
    {"load-pass-plugin", 0, "FILE", TEXT, FIELD(plugin), "load passes from a shared object"},
    {"config", 0, "KEY=VALUE,...", TEXT, FIELD(config),
     "for lowerings: cpu, features, keep-tensors"},
    {"opt-level", 0, "N", TEXT, FIELD(opt_level), "run no pass of a level above N"},
    {"disable-pass", 0, "LIST", TEXT, FIELD(disable_pass), "passes that don't run"},
    {"require-pass", 0, "LIST", TEXT, FIELD(require_pass), "passes that run whatever their level"},
    {"verify-each", 0, "BOOL", SWITCH, FIELD(verify_each), "verify after each pass (true)"},
    {"print-ir-before", 0, "LIST", OPTIONAL, FIELD(print_before),
     "print the IR before these passes (all) on standard error"},
    {"print-ir-after", 0, "LIST", OPTIONAL, FIELD(print_after), "the same, after"},
    {"print-ir-after-change", 0, NULL, FLAG, FIELD(print_after_change),
     "print the IR after passes that changed it"},
    {"print-ir-after-failure", 0, NULL, FLAG, FIELD(print_after_failure),
     "print the IR after the pass that failed or broke it"},
    {"print-ir-module-scope", 0, NULL, FLAG, FIELD(print_module_scope),
     "in dumps, whole modules instead of functions"},
    {"timing", 0, "tree|list|json", OPTIONAL, FIELD(timing),
     "print how long reading, each pass and printing took"},
    {"timing-display", 0, "tree|list|json", TEXT, FIELD(timing_display),
     "the layout of --timing without a value (tree)"},
    {"pass-stats", 0, NULL, FLAG, FIELD(pass_stats),
     "print how often each pass ran, changed the IR, and was skipped"},
    {"opt-bisect-limit", 0, "N", TEXT, FIELD(bisect_limit),
     "number the runs of passes and do only the first N; -1: all"},
    {"reproducer", 0, "FILE", TEXT, FIELD(reproducer),
     "write the IR and the pipeline there when a pass fails or breaks the IR"},
    {"run-reproducer", 0, NULL, FLAG, FIELD(run_reproducer), "run the pipeline in a reproducer"},
    {"upstream-compatible", 0, NULL, FLAG, FIELD(upstream_compatible),
     "upstream's behaviour in all passes that can have it"},
    {"stress-roundtrip", 0, NULL, FLAG, FIELD(stress_roundtrip),
     "print and read the module after each pass"},
    {"pass-bisect", 0, NULL, FLAG, FIELD(pass_bisect),
     "find the first pass after which the check fails"},
    {"op", 0, NULL, FLAG, FIELD(reduce_op),
     "take ops away for as long as it fails; so it is without --pass-bisect"},
    {"check", 0, "COMMAND", TEXT, FIELD(check),
     "run with the file of a module behind it; exit code 0: the module is good"},
    {"verify-roundtrip", 0, NULL, FLAG, FIELD(verify_roundtrip),
     "print what was read and read it again; fail unless it is the same module"},
    {"no-implicit-module", 0, NULL, FLAG, FIELD(no_implicit_module),
     "the text has one top-level op, which is printed without a module around it"},
    {"mlir-disable-threading", 0, NULL, FLAG, FIELD(disable_threading),
     "has no effect: passes run one after the other"},
    {"show-dialects", 0, NULL, FLAG, FIELD(show_dialects), "print the names of the dialects"},
    {"allow-unregistered-dialect", 0, NULL, FLAG, FIELD(allow_unregistered),
     "let ops of unknown dialects pass"},
    {"strict-grammar", 0, NULL, FLAG, FIELD(strict_grammar),
     "refuse extensions of the rule language, see 'quern list rule-extensions'"},
    {"lint", 0, NULL, FLAG, FIELD(lint), "also warn of what is legal and often a mistake"},
    {"dump-expanded", 0, NULL, FLAG, FIELD(dump_expanded),
     "print the rules with the macros of the language expanded"},
    {"in-place", 'i', NULL, FLAG, FIELD(in_place), "write formatted files back"},
    {"dry-run", 0, NULL, FLAG, FIELD(dry_run),
     "name the files that are not in the canonical layout, exit code 1 if there are any"},
    {"runs", 0, "N", NUMBER, FIELD(runs), "how many timed runs (as many as fit one second)"},
    {"numerics", 0, "PROFILE", TEXT, FIELD(numerics),
     "rounding of every operator, see 'quern list profiles' (litert-ref for .tflite, what the "
     "module says for MLIR text)"},
    {"fall-back", 0, NULL, FLAG, FIELD(fall_back),
     "compute in float what the named profile does not cover, with a warning"},
    {"dim", 0, "N", NUMBER, FIELD(batch),
     "value of dynamic dimensions of .tflite models, such as the batch (1)"},
    {"engine", 0, "ENGINE", TEXT, FIELD(engine), "jit or interpreter (jit)"},
    {"stage", 0, "STAGE", TEXT, FIELD(stage),
     "what the interpreter executes: model, integer or loops (the model's own)"},
    {"threads", 0, "N", NUMBER, FIELD(threads), "size of the thread pool (1)"},
    {"a-engine", 0, "ENGINE", TEXT, FIELD(sides[0].engine), "the same, of A alone"},
    {"b-engine", 0, "ENGINE", TEXT, FIELD(sides[1].engine), "the same, of B alone"},
    {"a-stage", 0, "STAGE", TEXT, FIELD(sides[0].stage), "the same, of A alone"},
    {"b-stage", 0, "STAGE", TEXT, FIELD(sides[1].stage), "the same, of B alone"},
    {"a-numerics", 0, "PROFILE", TEXT, FIELD(sides[0].numerics), "the same, of A alone"},
    {"b-numerics", 0, "PROFILE", TEXT, FIELD(sides[1].numerics), "the same, of B alone"},
    {"a-cpu", 0, "CPU", TEXT, FIELD(sides[0].cpu), "the same, of A alone"},
    {"b-cpu", 0, "CPU", TEXT, FIELD(sides[1].cpu), "the same, of B alone"},
    {"isolate", 0, NULL, FLAG, FIELD(isolate),
     "also feed each operator with A's tensors: what differs then is its own error"},
    {"map", 0, "FILE", TEXT, FIELD(map),
     "lines of a tensor of A, a tab, and what stands for it in B, each by number or name"},
    {"html", 0, "FILE", TEXT, FIELD(html), "also write a page with plots, complete in itself"},
    {"target", 0, "TRIPLE", TEXT, FIELD(target), "LLVM target triple (this machine's)"},
    {"cpu", 0, "CPU", TEXT, FIELD(cpu), "feature level or CPU, see 'quern list targets' (native)"},
    {"features", 0, "LIST", TEXT, FIELD(features), "+feature,-feature on top of the CPU"},
    {"json", 0, NULL, FLAG, FIELD(json), "print JSON"},
    {"markdown", 0, NULL, FLAG, FIELD(markdown), "print a Markdown table"},
    {"man", 0, NULL, FLAG, FIELD(man), "print the manual page, for man -l or an installation"},
    {"completion", 0, "SHELL", TEXT, FIELD(completion), "print completions for bash or zsh"},
    {"max-memory", 0, "SIZE", TEXT, FIELD(max_memory),
     "give up, with exit code 5, before holding more than SIZE bytes; K, M or G behind it: KiB, "
     "MiB, "
     "GiB"},
    {"max-time", 0, "SECONDS", TEXT, FIELD(max_time),
     "give up, with exit code 5, after so many seconds"},
    {"verbose", 'v', NULL, FLAG, FIELD(verbose),
     "say more on standard error: remarks, times, progress"},
    {"help", 'h', NULL, FLAG, FIELD(help), "print this"},
};

/* Other names of rows: upstream's, for the fingers of its users. */
static const struct {
  const char *also, *name;
} synonyms[] = {
    {"mlir-print-op-generic", "generic"},
    {"mlir-print-debuginfo", "print-debuginfo"},
    {"mlir-print-local-scope", "print-local-scope"},
    {"mlir-elide-elementsattrs-if-larger", "elide-elements-above"},
    {"print-ir-before-all", "print-ir-before"},
    {"print-ir-after-all", "print-ir-after"},
    {"mlir-print-ir-before", "print-ir-before"},
    {"mlir-print-ir-before-all", "print-ir-before"},
    {"mlir-print-ir-after", "print-ir-after"},
    {"mlir-print-ir-after-all", "print-ir-after"},
    {"mlir-print-ir-after-change", "print-ir-after-change"},
    {"mlir-print-ir-after-failure", "print-ir-after-failure"},
    {"mlir-print-ir-module-scope", "print-ir-module-scope"},
    {"mlir-timing", "timing"},
    {"mlir-timing-display", "timing-display"},
    {"mlir-pass-statistics", "pass-stats"},
    {"mlir-pass-pipeline-crash-reproducer", "reproducer"},
    {"test", "check"},
};

/* Rows that take one of a few words, whichever command they are given to. */
static const struct {
  const char *name;
  const char *words[4]; /* ended by NULL */
} choices[] = {
    {"completion", {"bash", "zsh"}},
    {"engine", {"jit", "interpreter"}},
    {"stage", {"model", "integer", "loops"}},
    {"a-engine", {"jit", "interpreter"}},
    {"b-engine", {"jit", "interpreter"}},
    {"a-stage", {"model", "integer", "loops"}},
    {"b-stage", {"model", "integer", "loops"}},
    {"timing", {"tree", "list", "json"}},
    {"timing-display", {"tree", "list", "json"}},
    {"verify-diagnostics", {"all", "only-expected"}},
};

static const char *const common[] = {"max-memory", "max-time", "verbose", "help", NULL};

enum { LONG_BASE = 256, PASS_BASE = 4096, MAX_OPTIONS = CLI_COUNT(rows) };

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

size_t cli_options_of(const cli_command *command, cli_option *out) {
  const option_row *list[MAX_OPTIONS];
  size_t count = rows_of(command, list);
  for (size_t i = 0; out && i < count; i++) {
    out[i] = (cli_option){list[i]->name, list[i]->letter, list[i]->metavar, list[i]->help, NULL,
                          list[i]->kind == OPTIONAL || list[i]->kind == SWITCH};
    for (size_t k = 0; k < CLI_COUNT(choices); k++)
      if (strcmp(choices[k].name, list[i]->name) == 0) out[i].words = choices[k].words;
  }
  return count;
}

const char *cli_synonym(const char *option, size_t index) {
  for (size_t i = 0; i < CLI_COUNT(synonyms); i++)
    if (strcmp(synonyms[i].name, option) == 0 && index-- == 0) return synonyms[i].also;
  return NULL;
}

/* ---- help ---- */

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
static void describe(const option_row *row, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s", row->help);
  const char *before = "; also";
  for (size_t i = 0; i < CLI_COUNT(synonyms) && used < size; i++) {
    if (strcmp(synonyms[i].name, row->name) != 0) continue;
    used += (size_t)snprintf(text + used, size - used, "%s --%s", before, synonyms[i].also);
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
  const option_row *list[MAX_OPTIONS];
  size_t count = rows_of(command, list);
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

cli_exit cli_set_limits(cli *c) {
  qn_limits limits = QN_LIMITS_INIT;
  const cli_options *o = &c->options;
  if (o->max_memory && !read_size(o->max_memory, &limits.max_memory))
    return cli_fail(c, CLI_USAGE, "--max-memory takes a size like 800M, not '%s'", o->max_memory);
  if (o->max_time) {
    char *end;
    limits.max_seconds = strtod(o->max_time, &end);
    if (end == o->max_time || *end || !(limits.max_seconds >= 0))
      return cli_fail(c, CLI_USAGE, "--max-time takes seconds, not '%s'", o->max_time);
  }
  qn_context_set_limits(c->context, &limits);
  return CLI_OK;
}

static cli_exit set_switch(cli *c, const option_row *row, const char *text) {
  bool on = !text || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  bool off = text && (strcmp(text, "false") == 0 || strcmp(text, "0") == 0);
  if (!on && !off) {
    return cli_fail(c, CLI_USAGE, "--%s takes true or false, not '%s'", row->name, text);
  }
  *(cli_switch *)(void *)((char *)&c->options + row->offset) = on ? CLI_ON : CLI_OFF;
  return CLI_OK;
}

/* Behind the passes that came before: NAME or NAME{OPTIONS}. */
static cli_exit add_pass(cli *c, const char *name, const char *value) {
  char *before = c->options.passes, *all;
  int size = asprintf(&all, "%s%s%s%s%s%s", before ? before : "", before ? "," : "", name,
                      value ? "{" : "", value ? value : "", value ? "}" : "");
  if (size < 0) return cli_fail(c, CLI_LIMIT, "out of memory");
  free(before);
  c->options.passes = all;
  return CLI_OK;
}

/* "a, b or c" */
static void list_words(const char *const *words, char *out, size_t size) {
  size_t used = 0;
  for (size_t i = 0; words[i] && used < size; i++) {
    const char *between = i == 0 ? "" : words[i + 1] ? ", " : " or ";
    used += (size_t)snprintf(out + used, size - used, "%s%s", between, words[i]);
  }
}

static cli_exit check_choice(cli *c, const option_row *row, const char *text) {
  const char *const *words = NULL;
  for (size_t i = 0; i < CLI_COUNT(choices); i++)
    if (strcmp(choices[i].name, row->name) == 0) words = choices[i].words;
  if (!words || !text || (row->kind == OPTIONAL && !text[0])) return CLI_OK;
  for (size_t i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) return CLI_OK;
  char all[64];
  list_words(words, all, sizeof all);
  char meant[CLI_SUGGESTION];
  cli_suggest(meant, "", text, words);
  return cli_fail(c, CLI_USAGE, "--%s is %s, not '%s'%s", row->name, all, text, meant);
}

static cli_exit set_option(cli *c, const option_row *row, const char *text) {
  cli_exit code = check_choice(c, row, text);
  if (code != CLI_OK) return code;
  char *field = (char *)&c->options + row->offset;
  if (row->kind == FLAG) *(bool *)(void *)field = true;
  if (row->kind == SWITCH) return set_switch(c, row, text);
  if (row->kind == TEXT) *(const char **)(void *)field = text;
  if (row->kind == OPTIONAL) *(const char **)(void *)field = text ? text : "";
  if (row->kind == NUMBER) return set_number(c, row, text);
  if (row->kind == BINDING || row->kind == MARK) {
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
  if (c->command->more) {
    c->options.more = argv + optind;
    c->options.more_count = argc - optind;
    optind = argc;
  }
  if (optind < argc) return cli_fail(c, CLI_USAGE, "unexpected argument '%s'", argv[optind]);
  if (wanted && !c->options.argument && !c->command->argument_optional && !c->options.help) {
    return cli_fail(c, CLI_USAGE, "%s is missing", c->command->argument);
  }
  return CLI_OK;
}

/* Plug-ins bring flags, so they are loaded before the flags are read. */
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
    if (status == QN_IO) return cli_exit_of(status); /* as with any file that can't be read */
    if (status != QN_OK) return cli_usage_of(status);
  }
  return CLI_OK;
}

static int argument_of(const option_row *row) {
  static const int kinds[] = {[FLAG] = no_argument,         [SWITCH] = optional_argument,
                              [TEXT] = required_argument,   [OPTIONAL] = optional_argument,
                              [NUMBER] = required_argument, [BINDING] = required_argument,
                              [MARK] = no_argument};
  return kinds[row->kind];
}

/* What getopt wants: the rows of the command with all of their names, then the passes. */
static void fill_longs(const cli *c, const option_row *const *list, size_t count,
                       struct option *longs) {
  for (size_t i = 0; i < count; i++) {
    struct option row = {list[i]->name, argument_of(list[i]), NULL, LONG_BASE + (int)i};
    *longs++ = row;
    for (size_t k = 0; k < CLI_COUNT(synonyms); k++) {
      if (strcmp(synonyms[k].name, list[i]->name) != 0) continue;
      row.name = synonyms[k].also;
      *longs++ = row;
    }
  }
  uint32_t passes = c->command->takes_passes ? qn_pass_count(c->context) : 0;
  for (uint32_t i = 0; i < passes; i++)
    *longs++ = (struct option){qn_pass_at(c->context, i).name, optional_argument, NULL,
                               PASS_BASE + (int)i};
}

/* The word that the letter came from. Where one dash is enough for a long name, the whole of it was
 * meant: -verify-ech is not the letters v, e ... */
static const char *word_of_letter(const cli *c, char *const *argv, char letter, char spare[3]) {
  const char *const words[] = {argv[optind], argv[optind - 1]};
  snprintf(spare, 3, "-%c", letter);
  for (size_t i = 0; c->command->takes_passes && i < CLI_COUNT(words); i++)
    if (words[i] && words[i][0] == '-' && strchr(words[i], letter)) return words[i];
  return spare;
}

/* The names that begin like a word that was cut short, "--json or --jit"; false when fewer than two
 * do. */
static bool list_begun(const char *word, const struct option *longs, char *out, size_t size) {
  const char *words[8] = {NULL};
  size_t count = 0, length = strlen(word);
  for (; longs->name && count + 1 < CLI_COUNT(words); longs++)
    if (length > 0 && strncmp(longs->name, word, length) == 0) words[count++] = longs->name;
  list_words(words, out, size);
  return count > 1;
}

static cli_exit unknown_option(cli *c, const char *given, const struct option *longs) {
  char name[64], meant[CLI_SUGGESTION], begun[256];
  const char *word = given + strspn(given, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  if (list_begun(name, longs, begun, sizeof begun))
    return cli_fail(c, CLI_USAGE, "'%s' is cut too short: %s", given, begun);
  size_t count = 0;
  while (longs[count].name) count++;
  const char **names = cli_need(calloc(count + 1, sizeof *names));
  for (size_t i = 0; i < count; i++) names[i] = longs[i].name;
  cli_suggest(meant, "--", name, names);
  free(names);
  return cli_fail(c, CLI_USAGE, "unknown option '%s'%s", given, meant);
}

static cli_exit take_option(cli *c, int code, const option_row *const *list, size_t count,
                            const struct option *longs, char *const *argv) {
  char letter[3];
  bool bad = code == '?' || code == ':', is_letter = bad && optopt > 0 && optopt < LONG_BASE;
  const char *given = is_letter ? word_of_letter(c, argv, (char)optopt, letter) : argv[optind - 1];
  if (code == ':') return cli_fail(c, CLI_USAGE, "%s takes a value", given);
  if (code == '?' && optopt >= LONG_BASE)
    return cli_fail(c, CLI_USAGE, "%.*s takes no value", (int)strcspn(given, "="), given);
  if (code >= PASS_BASE)
    return add_pass(c, qn_pass_at(c->context, (uint32_t)(code - PASS_BASE)).name, optarg);
  const option_row *row = bad ? NULL : row_of_code(code, list, count);
  return row ? set_option(c, row, optarg) : unknown_option(c, given, longs);
}

static cli_exit parse_all(cli *c, int argc, char **argv, struct option *longs) {
  const option_row *list[MAX_OPTIONS];
  char shorts[2 * MAX_OPTIONS + 2] = ":";
  size_t count = rows_of(c->command, list), letters = 1;
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

cli_exit cli_options_parse(cli *c, int argc, char **argv) {
  cli_exit code = c->command->takes_passes ? load_plugins(c, argc, argv) : CLI_OK;
  if (code != CLI_OK) return code;
  size_t most = MAX_OPTIONS + CLI_COUNT(synonyms) + qn_pass_count(c->context) + 1;
  struct option *longs = calloc(most, sizeof *longs);
  if (!longs) return cli_fail(c, CLI_LIMIT, "out of memory");
  code = parse_all(c, argc, argv, longs);
  free(longs);
  return code;
}
