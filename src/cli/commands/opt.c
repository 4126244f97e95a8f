/* quern opt: parse, verify, run passes, print.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/opt.h"

/* An empty list of passes to print means all. */
static const char *all_if_empty(const char *list) { return list && !list[0] ? "all" : list; }

/* The value of qn_run_options.timing for --timing; 0 if there is no report. */
static int timing_of(const cli_options *o) {
  static const char *const layouts[] = {"", "tree", "json", "list"};
  const char *text = o->timing;
  if (text && !text[0]) text = o->timing_display ? o->timing_display : "tree";
  for (int i = 1; text && i < (int)CLI_COUNT(layouts); i++)
    if (strcmp(text, layouts[i]) == 0) return i;
  return 0;
}

/* Applies the options of a reproducer that the command line does not set. */
static void run_as_then(const cli_options *o, const qn_reproducer *then, qn_run_options *run) {
  if (!run->config) run->config = then->config;
  if (!run->disabled) run->disabled = then->disabled;
  if (!run->required) run->required = then->required;
  if (!o->opt_level) run->opt_level = then->opt_level;
  if (o->verify_each != CLI_ON) run->verify_each &= then->verify_each;
  run->stress_roundtrip |= then->stress_roundtrip;
}

static cli_exit run_options(cli *c, opt_job *job) {
  const cli_options *o = &c->options;
  qn_run_options run = QN_RUN_OPTIONS_INIT;
  int64_t level = -1;
  run.bisect_limit = -2;
  cli_exit code = o->opt_level ? cli_number(c, "opt-level", o->opt_level, &level) : CLI_OK;
  if (code == CLI_OK && o->bisect_limit)
    code = cli_number(c, "opt-bisect-limit", o->bisect_limit, &run.bisect_limit);
  if (code != CLI_OK) return code;
  run.timing = timing_of(o);
  run.opt_level = level < 0 || level > 255 ? -1 : (int)level;
  run.config = o->config;
  run.verify_each = o->verify_each != CLI_OFF;
  run.disabled = o->disable_pass;
  run.explain = o->explain;
  run.required = o->require_pass;
  run.print_before = all_if_empty(o->print_before);
  run.print_after = all_if_empty(o->print_after);
  run.print_after_change = o->print_after_change;
  run.print_after_failure = o->print_after_failure;
  run.print_module_scope = o->print_module_scope;
  run.stress_roundtrip = o->stress_roundtrip;
  run.stats = o->pass_stats;
  run.reproducer = o->reproducer;
  run.print = &job->text;
  if (job->reproducer.pipeline) run_as_then(o, &job->reproducer, &run);
  job->run = run;
  return cli_usage_of(qn_run_options_check(c->context, &run));
}

/* Makes the pipeline from --pass-pipeline, from pass flags, or from the reproducer. */
static cli_exit make_pipeline(cli *c, opt_job *job, const char *from_reproducer) {
  const char *text = c->options.pass_pipeline;
  if (text && c->options.passes)
    return cli_fail(c, CLI_USAGE, "--pass-pipeline and flags of passes don't go together");
  if (from_reproducer && (text || c->options.passes))
    return cli_fail(c, CLI_USAGE, "--run-reproducer brings the passes; give no others");
  if (!text) text = from_reproducer ? from_reproducer : c->options.passes;
  cli_exit code = cli_usage_of(qn_pipeline_parse(c->context, text ? text : "", &job->pipeline));
  if (code == CLI_OK && c->options.upstream_compatible)
    code = cli_usage_of(qn_pipeline_set_option(job->pipeline, "upstream-compatible", "true"));
  if (code != CLI_OK) return code;
  if (!c->options.dump_pipeline) return CLI_OK;
  char *dump;
  size_t size;
  if (qn_pipeline_print(job->pipeline, &dump, &size) != QN_OK)
    return cli_fail(c, CLI_LIMIT, "out of memory");
  fprintf(stderr, "%s\n", dump);
  qn_free(dump);
  return CLI_OK;
}

static cli_exit check_emit(cli *c, opt_job *job) {
  const char *emit = c->options.emit;
  bool interprets = emit && strcmp(emit, "interpret") == 0;
  bool runs = emit && strcmp(emit, "run") == 0;
  job->executes = interprets || runs;
  job->engine = QN_ENGINE_INTERPRETER;
  if (emit && !job->executes && strcmp(emit, "mlir") != 0)
    return cli_fail(c, CLI_USAGE, "--emit is mlir, interpret or run, not '%s'", emit);
  bool asks = c->options.function || c->options.binding_count;
  if (asks && !job->executes)
    return cli_fail(c, CLI_USAGE, "--function and --input need --emit=interpret or --emit=run");
  if ((c->options.engine || c->options.cpu || c->options.features) && !runs)
    return cli_fail(c, CLI_USAGE, "--engine, --cpu and --features need --emit=run");
  if (runs) job->engine = cli_engine(c);
  return CLI_OK;
}

static cli_exit prepare(cli *c, opt_job *job) {
  if (c->options.run_reproducer) {
    qn_bytes bytes = {(const uint8_t *)job->input, job->input_size};
    qn_status status = qn_reproducer_read(c->context, bytes, job->name, &job->reproducer);
    if (status != QN_OK) return cli_exit_of(status);
  }
  cli_exit code = check_emit(c, job);
  if (code == CLI_OK) code = cli_text_options(c, &job->text);
  if (code == CLI_OK) code = make_pipeline(c, job, job->reproducer.pipeline);
  return code == CLI_OK ? run_options(c, job) : code;
}

/* Prints the dialects in one line, like mlir-opt. */
static cli_exit show_dialects(cli *c) {
  char *text;
  size_t size;
  qn_status status = qn_list("dialects", &text, &size);
  if (status != QN_OK) return cli_fail(c, cli_exit_of(status), "%s", qn_status_name(status));
  json_t *rows = json_loadb(text, size, 0, NULL), *row;
  size_t i;
  json_array_foreach(rows, i, row) printf(
      "%s%s", i ? "," : "Available Dialects: ", json_string_value(json_object_get(row, "name")));
  putchar('\n');
  json_decref(rows);
  qn_free(text);
  return CLI_OK;
}

static cli_exit opt(cli *c) {
  if (c->options.show_dialects) return show_dialects(c);
  const char *path = c->options.argument ? c->options.argument : "-";
  opt_job job = {.name = path};
  char *input;
  cli_exit code = cli_read_file(c, path, &input, &job.input_size);
  if (code != CLI_OK) return code;
  job.input = input;
  code = prepare(c, &job);
  if (code == CLI_OK) code = opt_run(c, &job);
  qn_pipeline_destroy(job.pipeline);
  qn_reproducer_free(&job.reproducer);
  qn_free(input);
  return code;
}

static const char *const options[] = {"emit",
                                      "function",
                                      "engine",
                                      "cpu",
                                      "features",
                                      "input",
                                      "output",
                                      "allow-unregistered-dialect",
                                      "verify-roundtrip",
                                      "no-implicit-module",
                                      "mlir-disable-threading",
                                      "show-dialects",
                                      "split-input-file",
                                      "verify-diagnostics",
                                      "pass-pipeline",
                                      "dump-pass-pipeline",
                                      "load-pass-plugin",
                                      "config",
                                      "opt-level",
                                      "disable-pass",
                                      "explain",
                                      "require-pass",
                                      "verify-each",
                                      "print-ir-before",
                                      "print-ir-after",
                                      "print-ir-after-change",
                                      "print-ir-after-failure",
                                      "print-ir-module-scope",
                                      "timing",
                                      "timing-display",
                                      "pass-stats",
                                      "opt-bisect-limit",
                                      "reproducer",
                                      "run-reproducer",
                                      "stress-roundtrip",
                                      "upstream-compatible",
                                      NULL};
static const char *const frequent[] = {"pass-pipeline",
                                       "explain",
                                       "print-ir-after",
                                       "print-ir-after-change",
                                       "verify-diagnostics",
                                       "emit",
                                       "input",
                                       "output",
                                       "timing",
                                       "generic",
                                       NULL};

const cli_command cli_opt = {
    .name = "opt",
    .argument = "FILE.mlir",
    .argument_optional = true,
    .summary = "parse a module (from FILE or standard input), verify it, run passes, print it",
    .groups = CLI_LOADING | CLI_PRINTING,
    .options = options,
    .frequent = frequent,
    .takes_passes = true,
    .details = "\n"
               "Reads MLIR text of any stage, or a model file. Every error is reported with its "
               "location;\n"
               "nothing is printed if there was one. Long options may have one dash. Each pass is "
               "a flag, see\n"
               "'quern list passes'.\n"
               "--emit=interpret executes a function of any stage instead of printing the module. "
               "Its arguments\n"
               "are --input, by name (%x=3 or x=@x.npy) or in order: @x.npy, 2xf32=1,2 or an MLIR "
               "constant\n"
               "such as 'dense<[1, 2]> : tensor<2xi4>' or '3 : index'. Dynamic shapes follow from "
               "the inputs.\n"
               "--emit=run does the same with --engine: jit compiles functions on tensors, as "
               "lower-quant-ops\n"
               "produces them, for the shapes of the inputs.\n",
    .run = opt,
};
