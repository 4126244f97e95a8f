/* quern reduce: which run of a pass makes a check fail. The passes up to a limit are run on a fresh
 * copy of the input for each question; between a limit at which the check succeeds and one at which
 * it fails lies, by halving, a single run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

typedef struct reduction {
  cli *c;
  qn_pipeline *pipeline;
  qn_bytes input;
  const char *name;
  char file[64];     /* that the check reads */
  int64_t steps;     /* of the last run, whether they ran or not */
  qn_pass_step last; /* the last one that ran */
  char symbol[256];
} reduction;

static void take_step(void *user, const qn_pass_step *step) {
  reduction *r = user;
  r->steps = step->number;
  if (!step->runs) return;
  r->last = *step;
  snprintf(r->symbol, sizeof r->symbol, "%s", step->symbol ? step->symbol : "");
}

static void drop_message(void *user, const qn_message *message) {
  (void)user;
  (void)message;
}

/* Exit code 0 of the command with the file behind it. */
static cli_exit run_check(reduction *r, bool *out_good) {
  char *command;
  if (asprintf(&command, "%s '%s'", r->c->options.check, r->file) < 0)
    return cli_fail(r->c, CLI_LIMIT, "out of memory");
  fflush(NULL);
  int status = system(command);
  free(command);
  if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == 127 ||
      WEXITSTATUS(status) == 126)
    return cli_fail(r->c, CLI_USAGE, "the check can't be run: %s", r->c->options.check);
  *out_good = WEXITSTATUS(status) == 0;
  return CLI_OK;
}

/* The module after at most `limit` runs of passes (-1: all). A pass that fails is as bad as a check
 * that does. */
static cli_exit is_good(reduction *r, int64_t limit, bool *out_good) {
  qn_load_options load = cli_load_options(r->c);
  qn_model *model;
  qn_status status = qn_model_load_memory(r->c->context, r->input, r->name, &load, &model);
  if (status != QN_OK) return cli_exit_of(status);
  qn_run_options run = QN_RUN_OPTIONS_INIT;
  run.config = r->c->options.config;
  run.bisect_limit = limit;
  run.on_step = take_step;
  run.user = r;
  bool quiet = limit >= 0; /* the run of all passes has said what there is to say */
  r->steps = 0;
  if (quiet) qn_context_set_parts_handler(r->c->context, drop_message, NULL);
  status = qn_model_run(model, r->pipeline, &run);
  if (quiet) qn_context_set_parts_handler(r->c->context, NULL, NULL);
  char *text = NULL;
  size_t size;
  cli_exit code = CLI_OK;
  *out_good = false;
  if (status == QN_OK) {
    status = qn_model_print(model, NULL, &text, &size);
    code = status == QN_OK ? cli_write_file(r->c, r->file, text, size) : cli_exit_of(status);
    if (code == CLI_OK) code = run_check(r, out_good);
  }
  qn_free(text);
  qn_model_destroy(model);
  return code;
}

/* Halves (good, bad]: the check succeeds after `good` runs and fails after `bad`. */
static cli_exit halve(reduction *r, int64_t good, int64_t bad) {
  bool holds;
  cli_exit code = CLI_OK;
  while (code == CLI_OK && bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    code = is_good(r, middle, &holds);
    if (holds)
      good = middle;
    else
      bad = middle;
  }
  if (code == CLI_OK) code = is_good(r, bad, &holds); /* for the name of the step */
  if (code != CLI_OK) return code;
  printf("the check first fails after pass '%s' (run %lld) on %s%s%s\n", r->last.pass,
         (long long)bad, r->last.op, r->symbol[0] ? " @" : "", r->symbol);
  return CLI_MISMATCH;
}

static cli_exit bisect(reduction *r) {
  bool holds;
  cli_exit code = is_good(r, -1, &holds);
  int64_t all = r->steps;
  if (code != CLI_OK) return code;
  if (holds) {
    printf("the check succeeds after all %lld runs of passes\n", (long long)all);
    return CLI_OK;
  }
  code = is_good(r, 0, &holds);
  if (code != CLI_OK) return code;
  if (!holds) return cli_fail(r->c, CLI_INVALID, "the check fails without any pass");
  return halve(r, 0, all);
}

static cli_exit make_file(reduction *r) {
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
  if (!o->pass_bisect || !o->check)
    return cli_fail(c, CLI_USAGE, "--pass-bisect and --check are needed");
  if (o->pipeline && o->passes)
    return cli_fail(c, CLI_USAGE, "--pipeline and flags of passes don't go together");
  const char *text = o->pipeline ? o->pipeline : o->passes;
  reduction r = {.c = c, .name = o->argument};
  if (qn_pipeline_parse(c->context, text ? text : "", &r.pipeline) != QN_OK) return CLI_USAGE;
  char *input = NULL;
  const char *reason = cli_read_file(r.name, &input, &r.input.size);
  cli_exit code = reason ? cli_fail(c, CLI_INVALID, "%s: %s", r.name, reason) : make_file(&r);
  if (code == CLI_OK) {
    r.input.data = (const uint8_t *)input;
    code = bisect(&r);
    unlink(r.file);
  }
  free(input);
  qn_pipeline_destroy(r.pipeline);
  return code;
}

static const char *const options[] = {
    "pipeline", "pass-bisect", "check", "config", "load-pass-plugin", "allow-unregistered-dialect",
    "numerics", "dim",         NULL};

const cli_command cli_reduce = {
    .name = "reduce",
    .argument = "MODEL",
    .summary = "find the pass after which a check first fails",
    .options = options,
    .takes_passes = true,
    .details =
        "\nThe check is a shell command that gets the name of a file with the module behind it:\n"
        "  quern reduce m.mlir --pipeline='cse,canonicalize' --pass-bisect --check ./test.sh\n"
        "Exit code 1 when a pass was found, 0 when the check succeeds after all of them.\n",
    .run = reduce,
};
