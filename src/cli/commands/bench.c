/* quern bench: times of whole invocations and of launches, beside what the machine can do.
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

static const char *const options[] = {"runs",  "threads",      "clients", "against", "input",
                                      "image", "engine",       "stage",   "cpu",     "features",
                                      "json",  "disable-pass", NULL};

const cli_command cli_bench = {
    .name = "bench",
    .argument = "MODEL",
    .summary = "measure how long a model takes, as a whole and per operator",
    .groups = CLI_LOADING | CLI_REWRITING,
    .options = options,
    .details =
        "Inputs that are not given get random:1. Column # is the operator's number in the model\n"
        "file, as in inspect, verify and the text of every stage; line and column for a model in\n"
        "text. Its times are medians of separate, profiled invocations. An operator whose work is\n"
        "done in the kernel of the one before stands behind it, after a plus sign.\n"
        "\n"
        "The bound is what takes longest at best: computing, on the peak of the level's\n"
        "dot-product instructions, or reading from the level of memory that holds what is read.\n"
        "Peak, bandwidths and clock are measured in the same run, for one core, times the "
        "threads.\n"
        "'of it' is how near the kernel comes. With --any-size the largest size is measured.\n"
        "\n"
        "--clients N also measures N callers at once, one thread each (--threads gives each "
        "more),\n"
        "as in a server: they share code and constants, and have an arena each.\n"
        "\n"
        "--against FILE compares with what an earlier 'quern bench --json' printed.\n",
    .run = bench,
};
