/* Internal interface of the tool, used by every subcommand. The tool uses Quern only through the
 * public headers <quern/...>.
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
  CLI_USAGE,    /* the command line is invalid, or has an unknown name */
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
  CLI_THEN,  /* the bindings that follow are for the next run */
  CLI_STATE, /* this kind and the next ones are for all runs */
  CLI_SIZE,
  CLI_REPLACE,
  CLI_DIMENSION, /* this kind and the next: how a model is read; kept in a separate list */
  CLI_CONSTANT,
} cli_binding_kind;
typedef struct cli_binding {
  cli_binding_kind kind;
  const char *text; /* [NAME=]VALUE */
} cli_binding;

enum { CLI_MAX_BINDINGS = 256 };

/* --name, --name=true or --name=false. */
typedef enum cli_switch { CLI_NOT_GIVEN, CLI_ON, CLI_OFF } cli_switch;

/* Options of one of two models. NULL or false: the option of both models applies. */
typedef struct cli_side {
  const char *engine, *stage, *numerics, *cpu;
  bool any_size;
} cli_side;

typedef struct cli_options {
  bool help, help_all, man, all_options, json, markdown, verbose, generic, allow_unregistered;
  const char *numerics, *engine, *stage, *target, *cpu, *features, *emit, *output, *header, *symbol,
      *labels, *save, *dump, *golden, *record, *function;
  const char *section, *arena_limit, *optimize, *signature, *operators, *board, *tflm_arena;
  int64_t threads, clients, batch, entries, iterations, top, runs, cases; /* 0: not given */
  cli_switch verify_each;
  bool print_after_change, print_after_failure, print_module_scope, debuginfo, stress_roundtrip,
      pass_stats, run_reproducer, local_scope, type_aliases, own_forms, dump_pipeline, pass_bisect,
      reduce_op, upstream_compatible, verify_roundtrip, no_implicit_module, disable_threading,
      show_dialects, strict_grammar, lint, dump_expanded, in_place, dry_run, fall_back, validate,
      bit_rules, any_size;
  const char *rules, *rewrite_only, *rewrite_limit, *rule_settings; /* options of rewriting */
  cli_side sides[2];
  bool isolate, loss, merge;
  const char *part;
  const char *map, *html;
  const char *images, *truth, *against;
  int64_t list; /* 0: not given */
  bool report, memory, io_in_arena;
  const char *svg;
  const char *pass_pipeline, *pipeline, *config, *disable_pass, *require_pass, *print_before,
      *print_after, *timing, *timing_display, *reproducer, *split_input, *verify_diagnostics,
      *plugin, *check, *completion;
  const char *explain; /* "": --explain alone */
  const char *opt_level, *bisect_limit,
      *elide; /* numbers as text, because 0 and negative values are valid */
  const char *max_memory, *max_time;
  const char *cache, *cache_size;
  char *passes; /* pass flags in their order, as a pipeline; NULL if none was given */
  cli_binding bindings[CLI_MAX_BINDINGS];
  size_t binding_count;
  cli_binding loading[CLI_MAX_BINDINGS];
  size_t loading_count;
  const char *argument; /* the positional argument; NULL if none */
  char *const *more;    /* further positional arguments after the first */
  int more_count;
} cli_options;

typedef struct cli_command cli_command;

typedef struct cli {
  const cli_command *command;
  const cli_command *const *commands; /* all commands; ended by NULL */
  cli_options options;
  qn_context *context;
  bool colour;            /* stderr is a terminal with colours */
  cli_progress *progress; /* progress line that is shown now; NULL if none */
  uint32_t *operators;    /* operators of --operators; NULL: all */
  uint32_t operator_count;
  qn_named_dimension *dimensions; /* dimensions of --dim */
  qn_constant_input *constants;   /* values of --constant */
  uint32_t dimension_count, constant_count;
  size_t
      run_begin; /* index of the first binding of the current run, whose bindings end at CLI_THEN */
} cli;

/* Whether binding i exists and belongs to the current run. For loops over bindings from run_begin
 * on. */
static inline bool cli_in_run(const cli *c, size_t i) {
  return i < c->options.binding_count && c->options.bindings[i].kind != CLI_THEN;
}

/* Groups of options: a command accepts all options of a group or none. rows.c lists the options of
 * each group. */
typedef enum cli_group {
  CLI_LOADING = 1,   /* how a model is read */
  CLI_REWRITING = 2, /* rewrite rules that are applied to the model after it was read */
  CLI_PRINTING = 4,  /* how a stage is printed */
  CLI_KEEPING = 8,   /* the code cache */
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
  bool keeps_unsupported;      /* unsupported operators are kept, because the command only shows the
                                  model */
  bool takes_names;            /* its argument is a command or an option, not a file */
  bool takes_passes; /* accepts one flag per registered pass, and long options with one dash */
  cli_exit (*run)(cli *c);
};

/* Seconds of a monotonic clock (clock.c). */
double cli_now(void);
/* Prints "quern NAME: error: text" on standard error and returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
cli_exit
cli_fail(const cli *c, cli_exit code, const char *format, ...);

/* ---- options/ ---- */

/* Parses the command line after the subcommand's name, which is argv[0]. Loads plug-ins first,
 * because they register passes, which are flags. */
cli_exit cli_options_parse(cli *c, int argc, char **argv);
/* Sets --max-memory and --max-time on the context. */
cli_exit cli_set_limits(cli *c);
/* Reads --operators into c->operators, which the caller frees. */
cli_exit cli_set_operators(cli *c);
/* Reads --dim and --constant for cli_load_options. */
cli_exit cli_set_loading(cli *c);
void cli_free_loading(cli *c);
/* Parses a number of bytes on the command line, with an optional suffix K, M or G. */
cli_exit cli_size(const cli *c, const char *option, const char *text, size_t *out_size);
/* Parses a decimal number at the start of `text`, without blanks or a '+'. Returns false if there
 * is none, or if it does not fit 64 bits. */
bool cli_read_integer(const char *text, const char **out_end, int64_t *out_number);
bool cli_read_unsigned(const char *text, const char **out_end, uint64_t *out_number);
/* Parses a number on the command line that may be negative. */
cli_exit cli_number(cli *c, const char *option, const char *text, int64_t *out_number);
/* Prints usage, options and details of the command: the most used options, or, with `all`, every
 * option by group, and the flags of passes. */
void cli_help(const cli *c, bool all, FILE *to);

/* A row of the option table, in the form that the manual and completions use. */
typedef struct cli_option {
  const char *name;
  char letter;
  const char *metavar, *help;
  const char *const *words; /* valid values, ended by NULL; NULL if any text is valid */
  bool value_optional;      /* --name or --name=value */
} cli_option;
/* Stores the options of a command and returns their number. `out` may be NULL, to count only. */
size_t cli_options_of(const cli_command *command, cli_option *out);
/* Whether any command has an option of the name. */
bool cli_is_option(const char *name);
/* Other names of an option, by index; NULL after the last. */
const char *cli_synonym(const char *option, size_t index);

/* ---- options/suggest.c ---- */

enum { CLI_SUGGESTION = 128 };
/* Stores "; did you mean '--json'?" if one of `names`, a list ended by NULL, is similar to `word`;
 * else an empty string. */
void cli_suggest(char out[CLI_SUGGESTION], const char *prefix, const char *word,
                 const char *const *names);
/* Stores a hint if an unknown option was given in place of the command's argument; else an empty
 * string. */
void cli_suggest_place(char out[CLI_SUGGESTION], const cli_command *command, const char *word);
/* The command of that name. If there is none, returns NULL and stores a suggestion in `meant`. */
const cli_command *cli_find_command(const cli_command *const *commands, const char *name,
                                    char meant[CLI_SUGGESTION]);

/* ---- options/manual.c: made from the table and the records of commands ---- */

void cli_print_overview(const cli_command *const *commands, FILE *to);
void cli_print_manual(const cli_command *const *commands, FILE *to);
/* Prints a Markdown page of all options, with the commands that accept each option and an example.
 */
void cli_print_options(const cli_command *const *commands, FILE *to);
/* Prints the description of one option as text; `name` has no dashes. Returns false if there is no
 * such option. */
bool cli_print_option(const cli_command *const *commands, const char *name, FILE *to);
void cli_print_bash(const cli_command *const *commands, FILE *to);
void cli_print_zsh(const cli_command *const *commands, FILE *to);

/* ---- session.c: from options to models and executables ---- */

/* Load options from the options of CLI_LOADING, --allow-unregistered-dialect and
 * --no-implicit-module. */
qn_load_options cli_load_options(const cli *c);
/* The model that the command line names. */
cli_exit cli_load(cli *c, qn_model **out_model);
/* Compiles with --engine, --stage, --target, --cpu, --features and --threads. */
cli_exit cli_compile(cli *c, const qn_model *model, bool keep_tensors,
                     qn_executable **out_executable);
/* The engine of --engine. The default is the JIT; with --stage, the interpreter. */
qn_engine cli_engine(const cli *c);
/* Text options from the options of CLI_PRINTING and --no-implicit-module. */
cli_exit cli_text_options(cli *c, qn_text_options *out_options);
/* The options that cli_compile passes to qn_compile. */
cli_exit cli_compile_options(cli *c, const qn_model *model, qn_compile_options *out_options);
/* Loads the model, compiles it, calls `use` and destroys both. For commands that work on one
 * executable. */
cli_exit cli_with_executable(cli *c, cli_exit (*use)(cli *c, qn_executable *executable));
/* Reads a whole file; "-" is standard input. The data ends in a NUL and is freed with qn_free. */
cli_exit cli_read_file(cli *c, const char *path, char **out_data, size_t *out_size);
/* Like cli_read_file, without a UTF-8 byte order mark. */
cli_exit cli_read_text(cli *c, const char *path, char **out_data, size_t *out_size);
cli_exit cli_write_file(cli *c, const char *path, const void *data, size_t size);

/* ---- commands ---- */

extern const cli_command cli_inspect, cli_run, cli_verify, cli_compile_command, cli_opt, cli_bench,
    cli_help_command, cli_list, cli_reduce, cli_rules, cli_compare_command, cli_eval;

#endif
