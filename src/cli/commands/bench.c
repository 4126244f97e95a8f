/* quern bench: times of whole invocations and of single launches, compared with the limits of the
 * machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench/bench.h"
#include "cli/document.h"

static cli_exit report(cli *c, const bench_run *run) {
  json_t *document = bench_report(c, run);
  cli_exit code = CLI_OK;
  if (c->options.against) code = bench_against(c, c->options.against, document);
  if (code == CLI_OK && c->options.json) return cli_print_document(c, document, JSON_INDENT(1));
  if (code == CLI_OK) bench_print(document);
  json_decref(document);
  return code;
}

static cli_exit bench_executable(cli *c, qn_executable *executable) {
  cli_tensors t;
  cli_exit code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  bench_run run = {.executable = executable};
  code = cli_tensors_bind(c, &t, true);
  if (code == CLI_OK) code = bench_measure(c, executable, &t, &run);
  if (code == CLI_OK && c->options.clients) code = bench_measure_clients(c, &run, &t);
  if (code == CLI_OK) code = report(c, &run);
  bench_free(&run);
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit bench(cli *c) {
  if (c->options.clients > BENCH_MAX_CLIENTS)
    return cli_fail(c, CLI_USAGE, "--clients takes at most %d", BENCH_MAX_CLIENTS);
  return cli_with_executable(c, bench_executable);
}

static const char *const options[] = {"runs",     "threads", "clients",      "against", "input",
                                      "image",    "engine",  "stage",        "cpu",     "features",
                                      "optimize", "json",    "disable-pass", NULL};
static const char *const frequent[] = {"runs",  "threads",  "clients", "cpu",  "against",
                                       "batch", "numerics", "image",   "json", NULL};

const cli_command cli_bench = {
    .name = "bench",
    .argument = "MODEL",
    .summary = "measure the time of a model, as a whole and per operator",
    .groups = CLI_LOADING | CLI_REWRITING,
    .options = options,
    .frequent = frequent,
    .details =
        "Inputs that are not given are random:1. Column # is the operator's index in the model "
        "file,\n"
        "as in inspect, verify and the text of every stage; for MLIR text it is line and column. "
        "Times\n"
        "per operator are medians of separate, profiled invocations. A fused operator is listed "
        "after\n"
        "its host operator, with a plus sign.\n"
        "\n"
        "The bound is the larger of two times: computing at the measured peak of the level's\n"
        "dot-product instructions, and reading from the memory level (L1d to DRAM) that holds the "
        "data.\n"
        "Peak, bandwidths and clock are measured in the same run for one core, times the number "
        "of\n"
        "threads. 'of it' is bound / measured time. With --any-size, the largest size is "
        "measured.\n"
        "\n"
        "--clients N also measures N concurrent callers, one thread each (--threads gives each "
        "more), as\n"
        "in a server. They share code and constants; each has its own arena.\n"
        "\n"
        "--against FILE compares with the output of an earlier 'quern bench --json'.\n",
    .run = bench,
};
