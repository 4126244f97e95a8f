/* quern reduce: finds a smaller input for the same failure. With --pass-bisect, it finds the run of
 * a pass that makes a check fail, by bisection: each step runs the passes up to a limit on a fresh
 * copy of the input. Otherwise it finds the smallest module that fails (reduce_ops.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/reduce.h"

typedef struct bisection {
  reduction *r;
  int64_t steps;     /* of the last run, whether they ran or not */
  qn_pass_step last; /* the last one that ran */
  char symbol[256];
} bisection;

static void take_step(void *user, const qn_pass_step *step) {
  bisection *b = user;
  b->steps = step->number;
  if (!step->runs) return;
  b->last = *step;
  snprintf(b->symbol, sizeof b->symbol, "%s", step->symbol ? step->symbol : "");
}

/* Whether the check succeeds after at most `limit` runs of passes (-1: all). A failing pass counts
 * as a failing check. */
static cli_exit is_good(bisection *b, int64_t limit, bool *out_good) {
  reduction *r = b->r;
  qn_load_options load = cli_load_options(r->c);
  qn_model *model;
  qn_status status = qn_model_load_memory(r->c->context, r->input, r->name, &load, &model);
  if (status != QN_OK) return cli_exit_of(status);
  qn_run_options run = QN_RUN_OPTIONS_INIT;
  run.config = r->c->options.config;
  run.bisect_limit = limit;
  run.on_step = take_step;
  run.user = b;
  bool quiet = limit >= 0; /* the run of all passes has said what there is to say */
  b->steps = 0;
  if (quiet) qn_context_set_parts_handler(r->c->context, reduce_drop_message, NULL);
  status = qn_model_run(model, r->pipeline, &run);
  if (quiet) qn_context_set_parts_handler(r->c->context, NULL, NULL);
  *out_good = false;
  cli_exit code = status == QN_OK ? reduce_check(r, model, out_good) : CLI_OK;
  qn_model_destroy(model);
  return code;
}

/* Halves (good, bad]: the check succeeds after `good` runs and fails after `bad`. */
static cli_exit halve(bisection *b, int64_t good, int64_t bad) {
  bool holds;
  cli_exit code = CLI_OK;
  while (code == CLI_OK && bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    code = is_good(b, middle, &holds);
    if (holds)
      good = middle;
    else
      bad = middle;
  }
  if (code == CLI_OK) code = is_good(b, bad, &holds); /* for the name of the step */
  if (code != CLI_OK) return code;
  printf("the check first fails after pass '%s' (run %lld) on %s%s%s\n", b->last.pass,
         (long long)bad, b->last.op, b->symbol[0] ? " @" : "", b->symbol);
  return CLI_MISMATCH;
}

static cli_exit bisect(reduction *r) {
  bool holds;
  bisection state = {.r = r}, *b = &state;
  cli_exit code = is_good(b, -1, &holds);
  int64_t all = b->steps;
  if (code != CLI_OK) return code;
  if (holds) {
    printf("the check succeeds after all %lld runs of passes\n", (long long)all);
    return CLI_OK;
  }
  code = is_good(b, 0, &holds);
  if (code != CLI_OK) return code;
  if (!holds) return cli_fail(r->c, CLI_INVALID, "the check fails without any pass");
  return halve(b, 0, all);
}

cli_exit reduce_make_file(reduction *r) {
  const char *folder = getenv("TMPDIR");
  int size = snprintf(r->file, sizeof r->file, "%s/quern-reduce-XXXXXX",
                      folder && folder[0] ? folder : "/tmp");
  int file = size < (int)sizeof r->file ? mkstemp(r->file) : -1;
  if (file < 0) return cli_fail(r->c, CLI_INVALID, "no temporary file can be made");
  close(file);
  return CLI_OK;
}

static cli_exit reduce(cli *c) {
  const cli_options *o = &c->options;
  if (o->pass_bisect && (!o->check || o->reduce_op))
    return cli_fail(c, CLI_USAGE, "--pass-bisect needs --check and goes without --op");
  if (!o->check && !o->pipeline && !o->passes)
    return cli_fail(c, CLI_USAGE, "passes or --check are needed: what is it that fails?");
  if (o->pipeline && o->passes)
    return cli_fail(c, CLI_USAGE, "--pipeline and flags of passes don't go together");
  const char *text = o->pipeline ? o->pipeline : o->passes;
  reduction r = {.c = c, .name = o->argument};
  cli_exit parsed = cli_usage_of(qn_pipeline_parse(c->context, text ? text : "", &r.pipeline));
  if (parsed != CLI_OK) return parsed;
  char *input = NULL;
  cli_exit code = cli_read_file(c, r.name, &input, &r.input.size);
  if (code == CLI_OK) code = reduce_make_file(&r);
  if (code == CLI_OK) {
    r.input.data = (const uint8_t *)input;
    code = o->pass_bisect ? bisect(&r) : reduce_ops(&r);
    unlink(r.file);
  }
  qn_free(input);
  qn_pipeline_destroy(r.pipeline);
  return code;
}

static const char *const options[] = {
    "op",     "pass-bisect",      "check",  "pipeline",
    "config", "load-pass-plugin", "output", "allow-unregistered-dialect",
    NULL};
static const char *const frequent[] = {"check", "op", "pass-bisect", "pipeline", "output", NULL};

const cli_command cli_reduce = {
    .name = "reduce",
    .argument = "MODEL",
    .summary = "find the smallest failing module, or the first pass after which a check fails",
    .groups = CLI_LOADING,
    .options = options,
    .frequent = frequent,
    .takes_passes = true,
    .details =
        "\n"
        "Ops and functions are removed while the failure persists: the same pass fails or makes "
        "the IR\n"
        "invalid, the process ends, or the check fails after the passes. The smallest module is "
        "printed:\n"
        "  quern reduce m.mlir --canonicalize --cse -o small.mlir\n"
        "  quern reduce m.mlir --check ./test.sh\n"
        "With --pass-bisect, the list of passes is bisected instead. The exit code is 1 if a pass "
        "was\n"
        "found, 0 if the check succeeds after all passes:\n"
        "  quern reduce m.mlir --pipeline='cse,canonicalize' --pass-bisect --check ./test.sh\n"
        "The check is a shell command; the file name of a module is appended. Exit code 0 means "
        "that the\n"
        "module is good.\n",
    .run = reduce,
};
