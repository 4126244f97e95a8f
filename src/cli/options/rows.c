/* The table of all options. Each command lists the groups and the single options that it accepts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/rows.h"

#include <string.h>

#define FIELD(name) offsetof(cli_options, name)

static const cli_row rows[] = {
    {"input", 0, "[NAME=]VALUE", CLI_ROW_BINDING, CLI_INPUT,
     "input tensor: @x.npy, random:SEED, or a literal such as 4xi8=1,2,3,4; unnamed inputs are "
     "taken in the model's order"},
    {"image", 0, "[NAME=]FILE", CLI_ROW_BINDING, CLI_IMAGE,
     "input tensor from an image file (PNG, JPEG, BMP or PPM)"},
    {"expect", 0, "[NAME=]@FILE", CLI_ROW_BINDING, CLI_EXPECT,
     "compare an output with an .npy file; exit code 1 if any bit differs"},
    {"then", 0, NULL, CLI_ROW_MARK, CLI_THEN,
     "start another invocation; states persist, and inputs that are not given again keep their "
     "values"},
    {"state", 0, "[NAME=]@FILE", CLI_ROW_BINDING, CLI_STATE,
     "initial value of a state, from an .npy file"},
    {"size", 0, "[NAME=]N", CLI_ROW_BINDING, CLI_SIZE,
     "size of a dynamic dimension (default: its upper bound)"},
    {"images", 0, "DIR", CLI_ROW_TEXT, FIELD(images),
     "directory of images or .npy files, one subdirectory per class unless --truth is given"},
    {"truth", 0, "FILE", CLI_ROW_TEXT, FIELD(truth),
     "CSV file: file name in the --images directory, comma, class (an index or a name from "
     "--labels)"},
    {"against", 0, "FILE", CLI_ROW_TEXT, FIELD(against),
     "what to compare with: a second model (eval), or the output of an earlier 'bench --json' "
     "(bench)"},
    {"list", 0, "N", CLI_ROW_NUMBER, FIELD(list), "number of samples to list (10)"},
    {"report", 0, NULL, CLI_ROW_FLAG, FIELD(report),
     "eval: also run the interpreter, and report the loss from quantization and from compiling; "
     "compile: print the report of 'inspect' for the object"},
    {"memory", 0, NULL, CLI_ROW_FLAG, FIELD(memory),
     "also print the contents of the arena, launch by launch"},
    {"svg", 0, "FILE", CLI_ROW_TEXT, FIELD(svg),
     "write the arena's contents over time as an SVG image"},
    {"labels", 0, "FILE", CLI_ROW_TEXT, FIELD(labels), "file of class names, one per line"},
    {"top", 0, "K", CLI_ROW_NUMBER, FIELD(top),
     "number of classes to print, or among which the true class must be (5)"},
    {"part", 0, "K/N", CLI_ROW_TEXT, FIELD(part),
     "only part K of N equal parts of the samples, from 1"},
    {"merge", 0, NULL, CLI_ROW_FLAG, FIELD(merge),
     "merge the --json reports of all parts into one report"},
    {"save", 0, "DIR", CLI_ROW_TEXT, FIELD(save),
     "write outputs to DIR as out0.npy, out1.npy ... and states as state0.npy ..."},
    {"dump", 0, "DIR", CLI_ROW_TEXT, FIELD(dump),
     "write every tensor that an operator writes, the inputs, the outputs and index.json to DIR"},
    {"replace", 0, "TENSOR=@FILE", CLI_ROW_BINDING, CLI_REPLACE,
     "use the values in FILE for tensor number TENSOR; needs --stage model or integer"},
    {"golden", 0, "DIR", CLI_ROW_TEXT, FIELD(golden), "directory of recorded cases"},
    {"record", 0, "DIR", CLI_ROW_TEXT, FIELD(record),
     "record cases to DIR instead of reading them"},
    {"cases", 0, "N", CLI_ROW_NUMBER, FIELD(cases),
     "number of random cases to record, with seeds 1 to N (2)"},
    {"board", 0, "NAME", CLI_ROW_TEXT, FIELD(board),
     "run the object on an emulated board: an385 (Cortex-M3), an386 (M4), an500 (M7), an547 (M55) "
     "or virt (RV32); needs a cross compiler and QEMU"},
    {"output", 'o', "FILE", CLI_ROW_TEXT, FIELD(output), "output file; - is standard output"},
    {"emit", 0, "FORM", CLI_ROW_TEXT, FIELD(emit),
     "compile: model, integer, loops, llvm, asm, obj or c (default: from the output's suffix); "
     "opt: "
     "mlir (default), or interpret or run to execute a function and print its results; verify "
     "--board: obj (default) or c"},
    {"function", 0, "NAME", CLI_ROW_TEXT, FIELD(function),
     "function to execute (the model's main function)"},
    {"header", 0, "FILE", CLI_ROW_TEXT, FIELD(header),
     "also write the C header of the object or C file"},
    {"symbol", 0, "NAME", CLI_ROW_TEXT, FIELD(symbol),
     "prefix of the exported symbols (the output's name without its suffix)"},
    {"generic", 0, NULL, CLI_ROW_FLAG, FIELD(generic), "print every op in generic form"},
    {"print-debuginfo", 0, NULL, CLI_ROW_FLAG, FIELD(debuginfo), "print loc(...) after every op"},
    {"print-local-scope", 0, NULL, CLI_ROW_FLAG, FIELD(local_scope),
     "print attributes in full, without aliases"},
    {"print-type-aliases", 0, NULL, CLI_ROW_FLAG, FIELD(type_aliases),
     "print quantized types that have several scales as aliases, !q = ..."},
    {"print-custom", 0, NULL, CLI_ROW_FLAG, FIELD(own_forms),
     "print Quern's own ops in short form, such as %1 = ml.relu %0 : ..., which only quern reads"},
    {"elide-elements-above", 0, "N", CLI_ROW_TEXT, FIELD(elide),
     "omit constants of more than N elements"},
    {"split-input-file", 0, "MARKER", CLI_ROW_OPTIONAL, FIELD(split_input),
     "process the parts between lines '// -----' as separate files"},
    {"verify-diagnostics", 0, "all|only-expected", CLI_ROW_OPTIONAL, FIELD(verify_diagnostics),
     "compare diagnostics with expected-error, -warning, -note and -remark comments; "
     "only-expected: ignore further diagnostics"},
    {"pass-pipeline", 0, "TEXT", CLI_ROW_TEXT, FIELD(pass_pipeline),
     "pass pipeline, such as 'builtin.module(func.func(cse),symbol-dce)'; excludes pass flags"},
    {"pipeline", 0, "TEXT", CLI_ROW_TEXT, FIELD(pipeline),
     "passes to run, such as 'func.func(cse),symbol-dce'"},
    {"dump-pass-pipeline", 0, NULL, CLI_ROW_FLAG, FIELD(dump_pipeline),
     "print the pipeline to standard error, with required passes and nesting made explicit"},
    {"load-pass-plugin", 0, "FILE", CLI_ROW_TEXT, FIELD(plugin),
     "load passes from a shared object"},
    {"config", 0, "KEY=VALUE,...", CLI_ROW_TEXT, FIELD(config),
     "settings of the lowering passes: cpu, features, keep-tensors"},
    {"opt-level", 0, "N", CLI_ROW_TEXT, FIELD(opt_level), "skip passes whose level is above N"},
    {"disable-pass", 0, "LIST", CLI_ROW_TEXT, FIELD(disable_pass),
     "passes to skip; graph-exact: do not optimize the model's graph"},
    {"explain", 0, "PASS@NODE", CLI_ROW_OPTIONAL, FIELD(explain),
     "report what each pass did to each op; or what PASS did to NODE and why its rules do not "
     "apply. NODE is a tensor number, LINE[:COLUMN], or a name such as 'operator 3'"},
    {"require-pass", 0, "LIST", CLI_ROW_TEXT, FIELD(require_pass),
     "passes to run regardless of --opt-level"},
    {"verify-each", 0, "BOOL", CLI_ROW_SWITCH, FIELD(verify_each),
     "verify the module after each pass (true)"},
    {"print-ir-before", 0, "LIST", CLI_ROW_OPTIONAL, FIELD(print_before),
     "print the IR to standard error before these passes (default: all)"},
    {"print-ir-after", 0, "LIST", CLI_ROW_OPTIONAL, FIELD(print_after),
     "print the IR to standard error after these passes (default: all)"},
    {"print-ir-after-change", 0, NULL, CLI_ROW_FLAG, FIELD(print_after_change),
     "print the IR after each pass that changed it"},
    {"print-ir-after-failure", 0, NULL, CLI_ROW_FLAG, FIELD(print_after_failure),
     "print the IR after a pass that failed or made the IR invalid"},
    {"print-ir-module-scope", 0, NULL, CLI_ROW_FLAG, FIELD(print_module_scope),
     "print whole modules, not functions, in IR dumps"},
    {"timing", 0, "tree|list|json", CLI_ROW_OPTIONAL, FIELD(timing),
     "print the time for parsing, each pass, and printing"},
    {"timing-display", 0, "tree|list|json", CLI_ROW_TEXT, FIELD(timing_display),
     "format of --timing given without a value (tree)"},
    {"pass-stats", 0, NULL, CLI_ROW_FLAG, FIELD(pass_stats),
     "print how often each pass ran, changed the IR, and was skipped"},
    {"opt-bisect-limit", 0, "N", CLI_ROW_TEXT, FIELD(bisect_limit),
     "number the pass runs and execute only the first N; -1: all"},
    {"reproducer", 0, "FILE", CLI_ROW_TEXT, FIELD(reproducer),
     "write the IR and the pipeline to FILE when a pass fails or makes the IR invalid"},
    {"run-reproducer", 0, NULL, CLI_ROW_FLAG, FIELD(run_reproducer),
     "run the pipeline that a reproducer file contains"},
    {"upstream-compatible", 0, NULL, CLI_ROW_FLAG, FIELD(upstream_compatible),
     "use upstream MLIR's behaviour in every pass that supports it"},
    {"stress-roundtrip", 0, NULL, CLI_ROW_FLAG, FIELD(stress_roundtrip),
     "print and parse the module after each pass"},
    {"pass-bisect", 0, NULL, CLI_ROW_FLAG, FIELD(pass_bisect),
     "find the first pass after which the check fails"},
    {"op", 0, NULL, CLI_ROW_FLAG, FIELD(reduce_op),
     "remove ops while the failure persists (default without --pass-bisect)"},
    {"check", 0, "COMMAND", CLI_ROW_TEXT, FIELD(check),
     "shell command to run with a module's file name appended; exit code 0: the module is good"},
    {"verify-roundtrip", 0, NULL, CLI_ROW_FLAG, FIELD(verify_roundtrip),
     "print the parsed module, parse it again, and fail if the two differ"},
    {"no-implicit-module", 0, NULL, CLI_ROW_FLAG, FIELD(no_implicit_module),
     "the input is one top-level op; print it without an enclosing module"},
    {"mlir-disable-threading", 0, NULL, CLI_ROW_FLAG, FIELD(disable_threading),
     "accepted for compatibility, without effect: passes run sequentially"},
    {"show-dialects", 0, NULL, CLI_ROW_FLAG, FIELD(show_dialects),
     "print the names of the dialects"},
    {"allow-unregistered-dialect", 0, NULL, CLI_ROW_FLAG, FIELD(allow_unregistered),
     "accept ops of unknown dialects"},
    {"strict-grammar", 0, NULL, CLI_ROW_FLAG, FIELD(strict_grammar),
     "reject extensions of the rule language, see 'quern list rule-extensions'"},
    {"lint", 0, NULL, CLI_ROW_FLAG, FIELD(lint),
     "also warn about constructs that are legal but often mistakes"},
    {"dump-expanded", 0, NULL, CLI_ROW_FLAG, FIELD(dump_expanded),
     "print the rules with macros expanded"},
    {"in-place", 'i', NULL, CLI_ROW_FLAG, FIELD(in_place),
     "overwrite the files with their formatted text"},
    {"dry-run", 0, NULL, CLI_ROW_FLAG, FIELD(dry_run),
     "list files that are not in canonical format; exit code 1 if there are any"},
    {"rules", 0, "FILE,...", CLI_ROW_TEXT, FIELD(rules),
     "rewrite rule files to apply to the model first"},
    {"rewrite-limit", 0, "N", CLI_ROW_TEXT, FIELD(rewrite_limit), "apply at most N rules"},
    {"rewrite-only", 0, "A-B", CLI_ROW_TEXT, FIELD(rewrite_only),
     "apply only rule applications A to B, counted from 1"},
    {"rule-settings", 0, "NAME=NUMBER,...", CLI_ROW_TEXT, FIELD(rule_settings),
     "values of options that rules declare"},
    {"bit-rules", 0, NULL, CLI_ROW_FLAG, FIELD(bit_rules),
     "apply only rules that preserve every bit"},
    {"validate", 0, NULL, CLI_ROW_FLAG, FIELD(validate),
     "evaluate both sides of each rule application, and undo applications whose results differ"},
    {"runs", 0, "N", CLI_ROW_NUMBER, FIELD(runs),
     "number of timed runs (default: as many as fit in one second)"},
    {"numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(numerics),
     "numerics profile, which fixes the rounding of every operator; see 'quern list profiles' "
     "(without it, that of the file format, see 'quern list formats', or the module's own for MLIR "
     "text)"},
    {"fall-back", 0, NULL, CLI_ROW_FLAG, FIELD(fall_back),
     "compute in float, with a warning, what the profile does not cover"},
    {"dim", 0, "[NAME=]N", CLI_ROW_BINDING, CLI_DIMENSION,
     "size of the unknown dimensions of a model file, such as the batch (1); with NAME: of the "
     "dimensions that have this name in the file"},
    {"constant", 0, "INPUT=FILE", CLI_ROW_BINDING, CLI_CONSTANT,
     "replace an input of a model file by a constant from an .npy file, for example an input that "
     "contains a shape"},
    {"batch", 0, "N", CLI_ROW_NUMBER, FIELD(entries),
     "size of dimension 0 of all inputs of model files; overrides the file's batch"},
    {"any-size", 0, NULL, CLI_ROW_FLAG, FIELD(any_size),
     "compile for dynamic sizes: --dim or --batch is the upper bound, and each run specifies its "
     "own size (--size, recorded inputs, or 1 for eval samples)"},
    {"signature", 0, "NAME", CLI_ROW_TEXT, FIELD(signature),
     "signature of the model file whose subgraph to use (default: the first subgraph)"},
    {"operators", 0, "LIST", CLI_ROW_TEXT, FIELD(operators),
     "only these operators of a .tflite model, such as 10-20,25, with the tensors that connect "
     "them to other operators as inputs and outputs"},
    {"max-iterations", 0, "N", CLI_ROW_NUMBER, FIELD(iterations),
     "limit of loop iterations per invocation, summed over all unbounded loops (1000000)"},
    {"section", 0, "NAME|PART=NAME,...", CLI_ROW_TEXT, FIELD(section),
     "object section for weights and tables (.rodata), or sections of the parts weights, code and "
     "arena; the arena's becomes a macro of the header"},
    {"optimize", 0, "size|speed|balanced", CLI_ROW_TEXT, FIELD(optimize),
     "what code prefers where fewer instructions need larger constants; the bits are the same "
     "(balanced: size on microcontrollers, speed on hosts)"},
    {"arena-limit", 0, "SIZE", CLI_ROW_TEXT, FIELD(arena_limit),
     "compute in bands of rows until the arena takes no more; an error if it still does; suffix K, "
     "M or G"},
    {"io-in-arena", 0, NULL, CLI_ROW_FLAG, FIELD(io_in_arena),
     "give inputs and outputs places in the arena, which other tensors use before and after; "
     "the header has their offsets"},
    {"tflm-arena", 0, "FILE", CLI_ROW_TEXT, FIELD(tflm_arena),
     "table of arenas that TensorFlow Lite Micro was measured to use (name, bytes and SHA-256 of "
     "each model), for --report"},
    {"engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(engine), "jit or interpreter (jit)"},
    {"stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(stage),
     "stage that the interpreter executes: model, integer or loops (default: the model's own)"},
    {"threads", 0, "N", CLI_ROW_NUMBER, FIELD(threads), "number of threads (1)"},
    {"clients", 0, "N", CLI_ROW_NUMBER, FIELD(clients),
     "also measure N concurrent callers, each with a clone of the executable"},
    {"a-engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(sides[0].engine), "--engine for A only"},
    {"b-engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(sides[1].engine), "--engine for B only"},
    {"a-stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(sides[0].stage), "--stage for A only"},
    {"b-stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(sides[1].stage), "--stage for B only"},
    {"a-numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(sides[0].numerics), "--numerics for A only"},
    {"b-numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(sides[1].numerics), "--numerics for B only"},
    {"a-cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(sides[0].cpu), "--cpu for A only"},
    {"b-cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(sides[1].cpu), "--cpu for B only"},
    {"a-any-size", 0, NULL, CLI_ROW_FLAG, FIELD(sides[0].any_size), "--any-size for A only"},
    {"b-any-size", 0, NULL, CLI_ROW_FLAG, FIELD(sides[1].any_size), "--any-size for B only"},
    {"isolate", 0, NULL, CLI_ROW_FLAG, FIELD(isolate),
     "also run each operator alone on A's tensors; differences are then the operator's own"},
    {"loss", 0, NULL, CLI_ROW_FLAG, FIELD(loss),
     "A is the float model: rank B's tensors by lost signal-to-noise ratio, with the cause"},
    {"map", 0, "FILE", CLI_ROW_TEXT, FIELD(map),
     "file that pairs tensors: a tensor of A, a tab, its counterpart in B, by number or name"},
    {"html", 0, "FILE", CLI_ROW_TEXT, FIELD(html),
     "also write a self-contained HTML page with plots"},
    {"target", 0, "TRIPLE", CLI_ROW_TEXT, FIELD(target),
     "the machine that runs the code, as LLVM's target triple: an architecture and a system, such "
     "as "
     "aarch64-linux-gnu, aarch64-linux-android, arm64-apple-macos, x86_64-windows-gnu, "
     "riscv64-unknown-elf or thumbv7em-none-eabi (default: this machine)"},
    {"cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(cpu),
     "CPU level or CPU name, see 'quern list targets' (native; compile: baseline)"},
    {"features", 0, "LIST", CLI_ROW_TEXT, FIELD(features),
     "CPU features to add or remove: +NAME,-NAME"},
    {"json", 0, NULL, CLI_ROW_FLAG, FIELD(json), "print JSON"},
    {"markdown", 0, NULL, CLI_ROW_FLAG, FIELD(markdown), "print a Markdown table"},
    {"man", 0, NULL, CLI_ROW_FLAG, FIELD(man),
     "print the manual page, for 'man -l' or for installation"},
    {"options", 0, NULL, CLI_ROW_FLAG, FIELD(all_options),
     "print a page of all options, each with an example"},
    {"cache", 0, "DIR", CLI_ROW_TEXT, FIELD(cache),
     "directory for compiled code; off: no cache (default: QUERN_CACHE, else quern in "
     "XDG_CACHE_HOME or ~/.cache)"},
    {"cache-size", 0, "SIZE", CLI_ROW_TEXT, FIELD(cache_size),
     "size limit of the cache; the least recently used entries are removed (256M)"},
    {"completion", 0, "SHELL", CLI_ROW_TEXT, FIELD(completion),
     "print completions for bash or zsh"},
    {"max-memory", 0, "SIZE", CLI_ROW_TEXT, FIELD(max_memory),
     "stop with exit code 5 before SIZE bytes are exceeded; suffix K, M or G: KiB, MiB, GiB"},
    {"max-time", 0, "SECONDS", CLI_ROW_TEXT, FIELD(max_time),
     "stop with exit code 5 after this many seconds, also while reading or running"},
    {"verbose", 'v', NULL, CLI_ROW_FLAG, FIELD(verbose),
     "print remarks, times and progress to standard error"},
    {"help-all", 0, NULL, CLI_ROW_FLAG, FIELD(help_all), "print all options of a command"},
    {"help", 'h', NULL, CLI_ROW_FLAG, FIELD(help),
     "print the most used options; 'quern help OPTION' shows an example of one option"},
};

/* Synonyms of options: upstream's names, for users of its tools. */
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

/* Options that accept one of a few words, for all commands. */
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
    {"optimize", {"balanced", "size", "speed"}},
    {"timing", {"tree", "list", "json"}},
    {"timing-display", {"tree", "list", "json"}},
    {"verify-diagnostics", {"all", "only-expected"}},
};

/* The options of each group. The command "rules" lists some of the rewriting options itself,
 * because its rule files are arguments. */
static const struct {
  cli_group group;
  const char *title;
  const char *names[10]; /* ended by NULL */
} groups[] = {
    {CLI_LOADING,
     "how the model is read",
     {"numerics", "fall-back", "dim", "batch", "any-size", "constant", "max-iterations",
      "signature", "operators"}},
    {CLI_REWRITING,
     "rewrite rules",
     {"rules", "rewrite-limit", "rewrite-only", "rule-settings", "validate", "bit-rules"}},
    {CLI_PRINTING,
     "text output",
     {"generic", "print-debuginfo", "print-local-scope", "print-type-aliases", "print-custom",
      "elide-elements-above"}},
    {CLI_KEEPING, "code cache", {"cache", "cache-size"}},
};

_Static_assert(CLI_SECTIONS == CLI_COUNT(groups) + 2, "own options, groups, common options");

static const char *const common[] = {"max-memory", "max-time", "verbose", "help", "help-all", NULL};

_Static_assert(CLI_COUNT(rows) <= CLI_MAX_OPTIONS, "a command may take all options");

static const cli_row *row_of(const char *name) {
  for (size_t i = 0; i < CLI_COUNT(rows); i++) {
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  }
  return NULL;
}

bool cli_is_option(const char *name) { return row_of(name) != NULL; }

size_t cli_rows_all(const cli_row **out_rows) {
  *out_rows = rows;
  return CLI_COUNT(rows);
}

static size_t add_rows(const char *const *names, const cli_row *out[CLI_MAX_OPTIONS],
                       size_t count) {
  for (; *names; names++) out[count++] = row_of(*names);
  return count;
}

size_t cli_rows_of_section(const cli_command *command, size_t section, const char **out_title,
                           const cli_row *out[CLI_MAX_OPTIONS]) {
  if (section == 0) {
    *out_title = "options";
    return add_rows(command->options, out, 0);
  }
  if (section == CLI_SECTIONS - 1) {
    *out_title = "common to all commands";
    return add_rows(common, out, 0);
  }
  *out_title = groups[section - 1].title;
  bool has = command->groups & groups[section - 1].group;
  return has ? add_rows(groups[section - 1].names, out, 0) : 0;
}

size_t cli_rows_of(const cli_command *command, const cli_row *out[CLI_MAX_OPTIONS]) {
  size_t count = 0;
  const char *title;
  for (size_t s = 0; s < CLI_SECTIONS; s++)
    count += cli_rows_of_section(command, s, &title, out + count);
  return count;
}

size_t cli_rows_frequent(const cli_command *command, const cli_row *out[CLI_MAX_FREQUENT]) {
  size_t count = 0;
  for (; command->frequent[count]; count++) out[count] = row_of(command->frequent[count]);
  return count;
}

const char *const *cli_row_words(const cli_row *row) {
  for (size_t i = 0; i < CLI_COUNT(choices); i++)
    if (strcmp(choices[i].name, row->name) == 0) return choices[i].words;
  return NULL;
}

size_t cli_options_of(const cli_command *command, cli_option *out) {
  const cli_row *list[CLI_MAX_OPTIONS];
  size_t count = cli_rows_of(command, list);
  for (size_t i = 0; out && i < count; i++)
    out[i] = (cli_option){list[i]->name,
                          list[i]->letter,
                          list[i]->metavar,
                          list[i]->help,
                          cli_row_words(list[i]),
                          list[i]->kind == CLI_ROW_OPTIONAL || list[i]->kind == CLI_ROW_SWITCH};
  return count;
}

const char *cli_synonym(const char *option, size_t index) {
  for (size_t i = 0; i < CLI_COUNT(synonyms); i++)
    if (strcmp(synonyms[i].name, option) == 0 && index-- == 0) return synonyms[i].also;
  return NULL;
}
