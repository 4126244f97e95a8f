/* One table of all options; each command lists the groups and the names that it takes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/rows.h"

#include <string.h>

#define FIELD(name) offsetof(cli_options, name)

static const cli_row rows[] = {
    {"input", 0, "[NAME=]VALUE", CLI_ROW_BINDING, CLI_INPUT,
     "an input: @x.npy, random:SEED, or a literal like 4xi8=1,2,3,4; in the model's order when "
     "unnamed"},
    {"image", 0, "[NAME=]FILE", CLI_ROW_BINDING, CLI_IMAGE,
     "an input from a picture: PNG, JPEG, BMP, PPM"},
    {"expect", 0, "[NAME=]@FILE", CLI_ROW_BINDING, CLI_EXPECT,
     "compare an output with an .npy file; exit code 1 when a bit differs"},
    {"then", 0, NULL, CLI_ROW_MARK, CLI_THEN,
     "run again, on the same states, with the inputs and expectations that follow; other inputs "
     "stay"},
    {"state", 0, "[NAME=]@FILE", CLI_ROW_BINDING, CLI_STATE,
     "a state before the first run, from an .npy file"},
    {"size", 0, "[NAME=]N", CLI_ROW_BINDING, CLI_SIZE,
     "how many entries a dimension has that the model leaves open (the most)"},
    {"images", 0, "DIR", CLI_ROW_TEXT, FIELD(images),
     "folder of pictures or .npy files, with one folder per class in it or as --truth says"},
    {"truth", 0, "FILE", CLI_ROW_TEXT, FIELD(truth),
     "lines of a file's name in the folder, a comma and its class: a number or one of --labels"},
    {"against", 0, "FILE", CLI_ROW_TEXT, FIELD(against),
     "what to compare with: eval: a second model, such as the one before quantization; bench: what "
     "an earlier bench --json printed"},
    {"list", 0, "N", CLI_ROW_NUMBER, FIELD(list), "how many samples to list (10)"},
    {"report", 0, NULL, CLI_ROW_FLAG, FIELD(report),
     "eval: also run the interpreter, and say what quantization cost and what compiling cost; "
     "compile: print what 'inspect' prints, of the object"},
    {"memory", 0, NULL, CLI_ROW_FLAG, FIELD(memory),
     "also print what lies where in the arena, launch by launch"},
    {"svg", 0, "FILE", CLI_ROW_TEXT, FIELD(svg), "write that as a picture"},
    {"labels", 0, "FILE", CLI_ROW_TEXT, FIELD(labels), "names of the classes, one per line"},
    {"top", 0, "K", CLI_ROW_NUMBER, FIELD(top),
     "how many classes to print, or of how many the true one is to be one (5)"},
    {"save", 0, "DIR", CLI_ROW_TEXT, FIELD(save),
     "write out0.npy, out1.npy ... and state0.npy ... there"},
    {"dump", 0, "DIR", CLI_ROW_TEXT, FIELD(dump),
     "write every tensor that an operator writes there, with inputs, outputs and index.json"},
    {"replace", 0, "TENSOR=@FILE", CLI_ROW_BINDING, CLI_REPLACE,
     "give operators this instead of the tensor of that number; needs --stage model or integer"},
    {"golden", 0, "DIR", CLI_ROW_TEXT, FIELD(golden), "folder of recorded cases"},
    {"record", 0, "DIR", CLI_ROW_TEXT, FIELD(record), "make such a folder instead of reading one"},
    {"cases", 0, "N", CLI_ROW_NUMBER, FIELD(cases), "record: random cases, of seeds 1 to N (2)"},
    {"output", 'o', "FILE", CLI_ROW_TEXT, FIELD(output), "where to write; - is standard output"},
    {"emit", 0, "FORM", CLI_ROW_TEXT, FIELD(emit),
     "compile: model, integer, loops, llvm, asm or obj, by default what the output's name says; "
     "opt: "
     "mlir (the default), or interpret or run to execute a function and print its results"},
    {"function", 0, "NAME", CLI_ROW_TEXT, FIELD(function),
     "what to execute (the model's main function)"},
    {"header", 0, "FILE", CLI_ROW_TEXT, FIELD(header), "also write the C header of the object"},
    {"symbol", 0, "NAME", CLI_ROW_TEXT, FIELD(symbol),
     "prefix of the exported names (the name of the output, without its suffix)"},
    {"generic", 0, NULL, CLI_ROW_FLAG, FIELD(generic), "print every op in generic form"},
    {"print-debuginfo", 0, NULL, CLI_ROW_FLAG, FIELD(debuginfo), "print loc(...) behind every op"},
    {"print-local-scope", 0, NULL, CLI_ROW_FLAG, FIELD(local_scope),
     "print attributes in full, without aliases in front"},
    {"print-type-aliases", 0, NULL, CLI_ROW_FLAG, FIELD(type_aliases),
     "print quantized types with several scales as aliases, !q = ..., in front"},
    {"print-custom", 0, NULL, CLI_ROW_FLAG, FIELD(own_forms),
     "print ops of our own dialects like %1 = ml.relu %0 : ..., which only quern reads"},
    {"elide-elements-above", 0, "N", CLI_ROW_TEXT, FIELD(elide),
     "leave out constants of more than N elements"},
    {"split-input-file", 0, "MARKER", CLI_ROW_OPTIONAL, FIELD(split_input),
     "treat the parts of the file between lines '// -----' as files of their own"},
    {"verify-diagnostics", 0, "all|only-expected", CLI_ROW_OPTIONAL, FIELD(verify_diagnostics),
     "compare the diagnostics with expected-error, -warning, -note and -remark comments; "
     "only-expected: others may come, too"},
    {"pass-pipeline", 0, "TEXT", CLI_ROW_TEXT, FIELD(pass_pipeline),
     "the passes, 'builtin.module(func.func(cse),symbol-dce)'; instead of their flags"},
    {"pipeline", 0, "TEXT", CLI_ROW_TEXT, FIELD(pipeline),
     "the passes, 'func.func(cse),symbol-dce'"},
    {"dump-pass-pipeline", 0, NULL, CLI_ROW_FLAG, FIELD(dump_pipeline),
     "print the pipeline on standard error, required passes and nesting made explicit"},
    {"load-pass-plugin", 0, "FILE", CLI_ROW_TEXT, FIELD(plugin),
     "load passes from a shared object"},
    {"config", 0, "KEY=VALUE,...", CLI_ROW_TEXT, FIELD(config),
     "for lowerings: cpu, features, keep-tensors"},
    {"opt-level", 0, "N", CLI_ROW_TEXT, FIELD(opt_level), "run no pass of a level above N"},
    {"disable-pass", 0, "LIST", CLI_ROW_TEXT, FIELD(disable_pass),
     "passes that don't run; graph-exact: leave the graph of the model as it is"},
    {"explain", 0, "PASS@NODE", CLI_ROW_OPTIONAL, FIELD(explain),
     "say what each pass did to which op, or what PASS did to NODE and why its rules don't apply; "
     "NODE: a tensor's number, LINE[:COLUMN], or a name like 'operator 3'"},
    {"require-pass", 0, "LIST", CLI_ROW_TEXT, FIELD(require_pass),
     "passes that run whatever their level"},
    {"verify-each", 0, "BOOL", CLI_ROW_SWITCH, FIELD(verify_each), "verify after each pass (true)"},
    {"print-ir-before", 0, "LIST", CLI_ROW_OPTIONAL, FIELD(print_before),
     "print the IR before these passes (all) on standard error"},
    {"print-ir-after", 0, "LIST", CLI_ROW_OPTIONAL, FIELD(print_after), "the same, after"},
    {"print-ir-after-change", 0, NULL, CLI_ROW_FLAG, FIELD(print_after_change),
     "print the IR after passes that changed it"},
    {"print-ir-after-failure", 0, NULL, CLI_ROW_FLAG, FIELD(print_after_failure),
     "print the IR after the pass that failed or broke it"},
    {"print-ir-module-scope", 0, NULL, CLI_ROW_FLAG, FIELD(print_module_scope),
     "in dumps, whole modules instead of functions"},
    {"timing", 0, "tree|list|json", CLI_ROW_OPTIONAL, FIELD(timing),
     "print how long reading, each pass and printing took"},
    {"timing-display", 0, "tree|list|json", CLI_ROW_TEXT, FIELD(timing_display),
     "the layout of --timing without a value (tree)"},
    {"pass-stats", 0, NULL, CLI_ROW_FLAG, FIELD(pass_stats),
     "print how often each pass ran, changed the IR, and was skipped"},
    {"opt-bisect-limit", 0, "N", CLI_ROW_TEXT, FIELD(bisect_limit),
     "number the runs of passes and do only the first N; -1: all"},
    {"reproducer", 0, "FILE", CLI_ROW_TEXT, FIELD(reproducer),
     "write the IR and the pipeline there when a pass fails or breaks the IR"},
    {"run-reproducer", 0, NULL, CLI_ROW_FLAG, FIELD(run_reproducer),
     "run the pipeline in a reproducer"},
    {"upstream-compatible", 0, NULL, CLI_ROW_FLAG, FIELD(upstream_compatible),
     "upstream's behaviour in all passes that can have it"},
    {"stress-roundtrip", 0, NULL, CLI_ROW_FLAG, FIELD(stress_roundtrip),
     "print and read the module after each pass"},
    {"pass-bisect", 0, NULL, CLI_ROW_FLAG, FIELD(pass_bisect),
     "find the first pass after which the check fails"},
    {"op", 0, NULL, CLI_ROW_FLAG, FIELD(reduce_op),
     "take ops away for as long as it fails; so it is without --pass-bisect"},
    {"check", 0, "COMMAND", CLI_ROW_TEXT, FIELD(check),
     "run with the file of a module behind it; exit code 0: the module is good"},
    {"verify-roundtrip", 0, NULL, CLI_ROW_FLAG, FIELD(verify_roundtrip),
     "print what was read and read it again; fail unless it is the same module"},
    {"no-implicit-module", 0, NULL, CLI_ROW_FLAG, FIELD(no_implicit_module),
     "the text has one top-level op, which is printed without a module around it"},
    {"mlir-disable-threading", 0, NULL, CLI_ROW_FLAG, FIELD(disable_threading),
     "has no effect: passes run one after the other"},
    {"show-dialects", 0, NULL, CLI_ROW_FLAG, FIELD(show_dialects),
     "print the names of the dialects"},
    {"allow-unregistered-dialect", 0, NULL, CLI_ROW_FLAG, FIELD(allow_unregistered),
     "let ops of unknown dialects pass"},
    {"strict-grammar", 0, NULL, CLI_ROW_FLAG, FIELD(strict_grammar),
     "refuse extensions of the rule language, see 'quern list rule-extensions'"},
    {"lint", 0, NULL, CLI_ROW_FLAG, FIELD(lint), "also warn of what is legal and often a mistake"},
    {"dump-expanded", 0, NULL, CLI_ROW_FLAG, FIELD(dump_expanded),
     "print the rules with the macros of the language expanded"},
    {"in-place", 'i', NULL, CLI_ROW_FLAG, FIELD(in_place), "write formatted files back"},
    {"dry-run", 0, NULL, CLI_ROW_FLAG, FIELD(dry_run),
     "name the files that are not in the canonical layout, exit code 1 if there are any"},
    {"rules", 0, "FILE,...", CLI_ROW_TEXT, FIELD(rules),
     "rewrite the model by these files of rules first"},
    {"rewrite-limit", 0, "N", CLI_ROW_TEXT, FIELD(rewrite_limit),
     "only so many applications of rules"},
    {"rewrite-only", 0, "A-B", CLI_ROW_TEXT, FIELD(rewrite_only),
     "only these applications of rules, by number from 1"},
    {"rule-settings", 0, "NAME=NUMBER,...", CLI_ROW_TEXT, FIELD(rule_settings),
     "values of the options that rules ask for"},
    {"bit-rules", 0, NULL, CLI_ROW_FLAG, FIELD(bit_rules), "only rules that promise the same bits"},
    {"validate", 0, NULL, CLI_ROW_FLAG, FIELD(validate),
     "compute what each application of a rule replaces and builds, undo what differs"},
    {"runs", 0, "N", CLI_ROW_NUMBER, FIELD(runs),
     "how many timed runs (as many as fit one second)"},
    {"numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(numerics),
     "rounding of every operator, see 'quern list profiles' (litert-ref for .tflite, what the "
     "module says for MLIR text)"},
    {"fall-back", 0, NULL, CLI_ROW_FLAG, FIELD(fall_back),
     "compute in float what the named profile does not cover, with a warning"},
    {"dim", 0, "N", CLI_ROW_NUMBER, FIELD(batch),
     "value of dynamic dimensions of .tflite models, such as the batch (1)"},
    {"batch", 0, "N", CLI_ROW_NUMBER, FIELD(entries),
     "entries of dimension 0 of all inputs of .tflite models, also where the file fixes another "
     "number"},
    {"any-size", 0, NULL, CLI_ROW_FLAG, FIELD(any_size),
     "--dim or --batch is the largest size, and each run of the model says its own: as --size, "
     "recorded inputs (verify, compare) or samples (eval, 1) do, else the largest"},
    {"signature", 0, "NAME", CLI_ROW_TEXT, FIELD(signature),
     "of a .tflite model: whose subgraph is the model; without it, the first subgraph"},
    {"max-iterations", 0, "N", CLI_ROW_NUMBER, FIELD(iterations),
     "how often loops that nothing else bounds may go on in a run, all together, before it ends "
     "with an error (1000000)"},
    {"section", 0, "NAME", CLI_ROW_TEXT, FIELD(section),
     "put weights and tables into this section of the object (.rodata)"},
    {"engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(engine), "jit or interpreter (jit)"},
    {"stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(stage),
     "what the interpreter executes: model, integer or loops (the model's own)"},
    {"threads", 0, "N", CLI_ROW_NUMBER, FIELD(threads), "size of the thread pool (1)"},
    {"a-engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(sides[0].engine), "--engine of A alone"},
    {"b-engine", 0, "ENGINE", CLI_ROW_TEXT, FIELD(sides[1].engine), "--engine of B alone"},
    {"a-stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(sides[0].stage), "--stage of A alone"},
    {"b-stage", 0, "STAGE", CLI_ROW_TEXT, FIELD(sides[1].stage), "--stage of B alone"},
    {"a-numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(sides[0].numerics), "--numerics of A alone"},
    {"b-numerics", 0, "PROFILE", CLI_ROW_TEXT, FIELD(sides[1].numerics), "--numerics of B alone"},
    {"a-cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(sides[0].cpu), "--cpu of A alone"},
    {"b-cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(sides[1].cpu), "--cpu of B alone"},
    {"a-any-size", 0, NULL, CLI_ROW_FLAG, FIELD(sides[0].any_size), "--any-size of A alone"},
    {"b-any-size", 0, NULL, CLI_ROW_FLAG, FIELD(sides[1].any_size), "--any-size of B alone"},
    {"isolate", 0, NULL, CLI_ROW_FLAG, FIELD(isolate),
     "also feed each operator with A's tensors: what differs then is its own error"},
    {"loss", 0, NULL, CLI_ROW_FLAG, FIELD(loss),
     "A has floats: rank the tensors of B by the signal-to-noise ratio they lose, with the cause"},
    {"map", 0, "FILE", CLI_ROW_TEXT, FIELD(map),
     "lines of a tensor of A, a tab, and what stands for it in B, each by number or name"},
    {"html", 0, "FILE", CLI_ROW_TEXT, FIELD(html),
     "also write a page with plots, complete in itself"},
    {"target", 0, "TRIPLE", CLI_ROW_TEXT, FIELD(target), "LLVM target triple (this machine's)"},
    {"cpu", 0, "CPU", CLI_ROW_TEXT, FIELD(cpu),
     "feature level or CPU, see 'quern list targets' (native; compile: baseline)"},
    {"features", 0, "LIST", CLI_ROW_TEXT, FIELD(features), "+feature,-feature on top of the CPU"},
    {"json", 0, NULL, CLI_ROW_FLAG, FIELD(json), "print JSON"},
    {"markdown", 0, NULL, CLI_ROW_FLAG, FIELD(markdown), "print a Markdown table"},
    {"man", 0, NULL, CLI_ROW_FLAG, FIELD(man),
     "print the manual page, for man -l or an installation"},
    {"options", 0, NULL, CLI_ROW_FLAG, FIELD(all_options),
     "print a page of all options, each with an example"},
    {"cache", 0, "DIR", CLI_ROW_TEXT, FIELD(cache),
     "where compiled code is kept for the next run; off: nowhere (QUERN_CACHE, else the folder "
     "quern in XDG_CACHE_HOME or ~/.cache)"},
    {"cache-size", 0, "SIZE", CLI_ROW_TEXT, FIELD(cache_size),
     "how much may be kept there; what was not used for longest goes (256M)"},
    {"completion", 0, "SHELL", CLI_ROW_TEXT, FIELD(completion),
     "print completions for bash or zsh"},
    {"max-memory", 0, "SIZE", CLI_ROW_TEXT, FIELD(max_memory),
     "give up, with exit code 5, before holding more than SIZE bytes; K, M or G behind it: KiB, "
     "MiB, "
     "GiB"},
    {"max-time", 0, "SECONDS", CLI_ROW_TEXT, FIELD(max_time),
     "give up, with exit code 5, after so many seconds, also while reading and running"},
    {"verbose", 'v', NULL, CLI_ROW_FLAG, FIELD(verbose),
     "say more on standard error: remarks, times, progress"},
    {"help", 'h', NULL, CLI_ROW_FLAG, FIELD(help),
     "print this; 'quern help OPTION' has an example of an option"},
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

/* What the groups have. "rules" takes some of the rewriting ones by itself: its files are
 * arguments.
 */
static const struct {
  cli_group group;
  const char *names[8]; /* ended by NULL */
} groups[] = {
    {CLI_LOADING,
     {"numerics", "fall-back", "dim", "batch", "any-size", "max-iterations", "signature"}},
    {CLI_REWRITING,
     {"rules", "rewrite-limit", "rewrite-only", "rule-settings", "validate", "bit-rules"}},
    {CLI_PRINTING,
     {"generic", "print-debuginfo", "print-local-scope", "print-type-aliases", "print-custom",
      "elide-elements-above"}},
    {CLI_KEEPING, {"cache", "cache-size"}},
};

static const char *const common[] = {"max-memory", "max-time", "verbose", "help", NULL};

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

size_t cli_rows_of(const cli_command *command, const cli_row *out[CLI_MAX_OPTIONS]) {
  size_t count = add_rows(command->options, out, 0);
  for (size_t g = 0; g < CLI_COUNT(groups); g++)
    if (command->groups & groups[g].group) count = add_rows(groups[g].names, out, count);
  return add_rows(common, out, count);
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
