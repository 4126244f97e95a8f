/* Inside the tool: what every subcommand uses. The tool includes nothing of Quern but <quern/...>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_CLI_H
#define QN_CLI_CLI_H

#include <quern/quern.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/memory.h"
#include "cli/progress.h"

#define CLI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef enum cli_exit {
  CLI_OK,
  CLI_MISMATCH, /* the tool worked, but results differ */
  CLI_USAGE,    /* the command line, or a name on it, makes no sense */
  CLI_INVALID,  /* an input is malformed, or a file can't be read or written */
  CLI_UNSUPPORTED,
  CLI_LIMIT,
  CLI_INTERNAL,
} cli_exit;
cli_exit cli_exit_of(qn_status status);
/* For checks of the command line: any error is CLI_USAGE. */
cli_exit cli_usage_of(qn_status status);

/* --input, --image, --expect, --then, --state, --size and --replace, in the order of the command
 * line. */
typedef enum cli_binding_kind {
  CLI_INPUT,
  CLI_IMAGE,
  CLI_EXPECT,
  CLI_THEN,  /* what follows is for the next run */
  CLI_STATE, /* for all of them, like: */
  CLI_SIZE,
  CLI_REPLACE,
  CLI_DIMENSION, /* of how a model is read, in a list of their own: */
  CLI_CONSTANT,
} cli_binding_kind;
typedef struct cli_binding {
  cli_binding_kind kind;
  const char *text; /* [NAME=]VALUE */
} cli_binding;

enum { CLI_MAX_BINDINGS = 256 };

/* --name, --name=true or --name=false. */
typedef enum cli_switch { CLI_NOT_GIVEN, CLI_ON, CLI_OFF } cli_switch;

/* Options of one of two models; NULL, false: those of both. */
typedef struct cli_side {
  const char *engine, *stage, *numerics, *cpu;
  bool any_size;
} cli_side;

typedef struct cli_options {
  bool help, help_all, man, all_options, json, markdown, verbose, generic, allow_unregistered;
  const char *numerics, *engine, *stage, *target, *cpu, *features, *emit, *output, *header, *symbol,
      *labels, *save, *dump, *golden, *record, *function;
  const char *section, *signature, *operators;
  int64_t threads, clients, batch, entries, iterations, top, runs, cases; /* 0: not given */
  cli_switch verify_each;
  bool print_after_change, print_after_failure, print_module_scope, debuginfo, stress_roundtrip,
      pass_stats, run_reproducer, local_scope, type_aliases, own_forms, dump_pipeline, pass_bisect,
      reduce_op, upstream_compatible, verify_roundtrip, no_implicit_module, disable_threading,
      show_dialects, strict_grammar, lint, dump_expanded, in_place, dry_run, fall_back, validate,
      bit_rules, any_size;
  const char *rules, *rewrite_only, *rewrite_limit, *rule_settings; /* of rewriting */
  cli_side sides[2];
  bool isolate, loss, merge;
  const char *part;
  const char *map, *html;
  const char *images, *truth, *against;
  int64_t list; /* 0: not given */
  bool report, memory;
  const char *svg;
  const char *pass_pipeline, *pipeline, *config, *disable_pass, *require_pass, *print_before,
      *print_after, *timing, *timing_display, *reproducer, *split_input, *verify_diagnostics,
      *plugin, *check, *completion;
  const char *explain;                          /* "": --explain alone */
  const char *opt_level, *bisect_limit, *elide; /* numbers that may be 0 or negative */
  const char *max_memory, *max_time;
  const char *cache, *cache_size;
  char *passes; /* the flags of passes in order, as a pipeline; NULL: none were given */
  cli_binding bindings[CLI_MAX_BINDINGS];
  size_t binding_count;
  cli_binding loading[CLI_MAX_BINDINGS];
  size_t loading_count;
  const char *argument; /* the positional one, or NULL */
  char *const *more;    /* of a command that takes several: those after the first */
  int more_count;
} cli_options;

typedef struct cli_command cli_command;

typedef struct cli {
  const cli_command *command;
  const cli_command *const *commands; /* all of them, ended by NULL */
  cli_options options;
  qn_context *context;
  bool colour;            /* stderr is a terminal that wants it */
  cli_progress *progress; /* shown at the moment, or NULL */
  uint32_t *operators;    /* --operators, read; NULL: all */
  uint32_t operator_count;
  qn_named_dimension *dimensions; /* --dim NAME=N */
  qn_constant_input *constants;   /* --constant, read */
  uint32_t dimension_count, constant_count;
  size_t run_begin; /* first binding of the run at hand; it ends at CLI_THEN */
} cli;

/* Whether binding i exists and is of the run at hand, when those from run_begin on are visited. */
static inline bool cli_in_run(const cli *c, size_t i) {
  return i < c->options.binding_count && c->options.bindings[i].kind != CLI_THEN;
}

/* Options that belong together: a command takes all of a group or none of it. rows.c says which. */
typedef enum cli_group {
  CLI_LOADING = 1,   /* how a model is read */
  CLI_REWRITING = 2, /* rules that are applied to it then */
  CLI_PRINTING = 4,  /* how a stage is printed */
  CLI_KEEPING = 8,   /* where compiled code is kept */
} cli_group;

enum { CLI_MAX_FREQUENT = 10 };

struct cli_command {
  const char *name, *argument /* "MODEL" or NULL */, *summary;
  bool argument_optional;
  const char *more;            /* "FILE...": further arguments; NULL: there are none */
  unsigned groups;             /* bits of cli_group */
  const char *const *options;  /* names of further rows in options/rows.c, ended by NULL; the common
                                  ones come by themselves */
  const char *const *frequent; /* the rows that --help shows, most used first, ended by NULL; at
                                  most CLI_MAX_FREQUENT; NULL: it shows all */
  const char *details;         /* further help, or NULL */
  bool keeps_unsupported;      /* models are to look at, not to compile */
  bool takes_names;            /* its argument is no file, but a command or an option */
  bool takes_passes;           /* one flag per registered pass; long options with one dash, too */
  cli_exit (*run)(cli *c);
};

/* Prints "quern NAME: error: text" on standard error and returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
cli_exit
cli_fail(const cli *c, cli_exit code, const char *format, ...);

/* ---- options/ ---- */

/* Reads the command line after the subcommand's name. argv[0] is that name. Loads plug-ins first,
 * as they bring flags. */
cli_exit cli_options_parse(cli *c, int argc, char **argv);
/* Sets --max-memory and --max-time on the context. */
cli_exit cli_set_limits(cli *c);
/* Reads --operators into c->operators, which the caller frees. */
cli_exit cli_set_operators(cli *c);
/* Reads --dim and --constant for cli_load_options. */
cli_exit cli_set_loading(cli *c);
void cli_free_loading(cli *c);
/* A size of bytes on the command line, with K, M or G after it. */
cli_exit cli_size(const cli *c, const char *option, const char *text, size_t *out_size);
/* The decimal number at the front, without blanks or a '+'; false: there is none, or it does not
 * fit. */
bool cli_read_integer(const char *text, const char **out_end, int64_t *out_number);
bool cli_read_unsigned(const char *text, const char **out_end, uint64_t *out_number);
/* A number of the command line that may be negative. */
cli_exit cli_number(cli *c, const char *option, const char *text, int64_t *out_number);
/* Prints usage, options and details of the command: the most used options, or, with `all`, every
 * option by group, and the flags of passes. */
void cli_help(const cli *c, bool all, FILE *to);

/* A row of the table as manual and completions want it. */
typedef struct cli_option {
  const char *name;
  char letter;
  const char *metavar, *help;
  const char *const *words; /* that it takes, ended by NULL; NULL: others, too */
  bool value_optional;      /* --name or --name=value */
} cli_option;
/* The options of a command; `out` may be NULL, to count them. */
size_t cli_options_of(const cli_command *command, cli_option *out);
/* Whether any command has an option of the name. */
bool cli_is_option(const char *name);
/* Other names of an option, by index; NULL after the last. */
const char *cli_synonym(const char *option, size_t index);

/* ---- options/suggest.c ---- */

enum { CLI_SUGGESTION = 128 };
/* "; did you mean '--json'?" when one of the names, ended by NULL, is near; empty otherwise. */
void cli_suggest(char out[CLI_SUGGESTION], const char *prefix, const char *word,
                 const char *const *names);
/* What an unknown option stands for at that place: a model that needs none, or the subject of
 * 'help'; else empty. */
void cli_suggest_place(char out[CLI_SUGGESTION], const cli_command *command, const char *word);
/* The command of that name; NULL, and what was meant, when there is none. */
const cli_command *cli_find_command(const cli_command *const *commands, const char *name,
                                    char meant[CLI_SUGGESTION]);

/* ---- options/manual.c: made from the table and the records of commands ---- */

void cli_print_overview(const cli_command *const *commands, FILE *to);
void cli_print_manual(const cli_command *const *commands, FILE *to);
/* A page in Markdown of all options, with who takes them and an example. */
void cli_print_options(const cli_command *const *commands, FILE *to);
/* The same of one option, by its name without dashes, as text; false when there is none. */
bool cli_print_option(const cli_command *const *commands, const char *name, FILE *to);
void cli_print_bash(const cli_command *const *commands, FILE *to);
void cli_print_zsh(const cli_command *const *commands, FILE *to);

/* ---- session.c: from options to models and executables ---- */

/* Those of CLI_LOADING, --allow-unregistered-dialect and --no-implicit-module. */
qn_load_options cli_load_options(const cli *c);
/* The model that the command line names. */
cli_exit cli_load(cli *c, qn_model **out_model);
/* Compiles with --engine, --stage, --target, --cpu, --features and --threads. */
cli_exit cli_compile(cli *c, const qn_model *model, bool keep_tensors,
                     qn_executable **out_executable);
/* --engine; by default the JIT, or with --stage the interpreter. */
qn_engine cli_engine(const cli *c);
/* Those of CLI_PRINTING and --no-implicit-module. */
cli_exit cli_text_options(cli *c, qn_text_options *out_options);
/* The options alone. */
cli_exit cli_compile_options(cli *c, const qn_model *model, qn_compile_options *out_options);
/* Loads, compiles, uses and destroys: the whole of a command on one executable. */
cli_exit cli_with_executable(cli *c, cli_exit (*use)(cli *c, qn_executable *executable));
/* Reads a whole file; "-" is standard input. The data ends in a NUL and is freed with qn_free. */
cli_exit cli_read_file(cli *c, const char *path, char **out_data, size_t *out_size);
/* The same without the mark that some editors put before UTF-8. */
cli_exit cli_read_text(cli *c, const char *path, char **out_data, size_t *out_size);
cli_exit cli_write_file(cli *c, const char *path, const void *data, size_t size);

/* ---- commands ---- */

extern const cli_command cli_inspect, cli_run, cli_verify, cli_compile_command, cli_opt, cli_bench,
    cli_help_command, cli_list, cli_reduce, cli_rules, cli_compare_command, cli_eval;

#endif
