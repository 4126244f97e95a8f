/* Measures times of invocations and launches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/bench/bench.h"

enum { WARM_UP = 3, MIN_RUNS = 10, MAX_RUNS = 100000, PROFILES = 15 };
static const double budget_seconds = 1.0;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The value at quantile `share` of sorted values, nearest rank. */
static double quantile(const double *values, size_t count, double share) {
  return values[(size_t)(share * (double)(count - 1) + 0.5)];
}

bench_timing bench_timing_of(double *seconds, size_t count, size_t warm_up) {
  qsort(seconds, count, sizeof *seconds, by_value);
  return (bench_timing){quantile(seconds, count, 0.1),
                        quantile(seconds, count, 0.5),
                        quantile(seconds, count, 0.9),
                        quantile(seconds, count, 0.99),
                        count,
                        warm_up};
}

size_t bench_capacity(size_t wanted) { return wanted ? wanted : MAX_RUNS; }
bool bench_is_enough(size_t wanted, size_t count, double seconds) {
  if (wanted) return count == wanted;
  return count == MAX_RUNS || (count >= MIN_RUNS && seconds > budget_seconds);
}

static cli_exit invoke(qn_executable *executable, const cli_tensors *t) {
  return cli_exit_of(
      qn_executable_invoke(executable, (const void *const *)t->inputs, (void *const *)t->outputs));
}

static cli_exit measure_runs(cli *c, qn_executable *executable, const cli_tensors *t,
                             bench_timing *out) {
  cli_exit code = CLI_OK;
  double start = cli_now();
  size_t warm_up = 0;
  for (; warm_up < WARM_UP && code == CLI_OK && cli_now() - start < budget_seconds; warm_up++)
    code = invoke(executable, t);
  size_t wanted = (size_t)c->options.runs, count = 0;
  double *seconds = calloc(bench_capacity(wanted), sizeof *seconds);
  if (!seconds) return cli_fail(c, CLI_LIMIT, "out of memory");
  start = cli_now();
  while (code == CLI_OK && !bench_is_enough(wanted, count, cli_now() - start)) {
    double before = cli_now();
    code = invoke(executable, t);
    seconds[count++] = cli_now() - before;
    cli_progress_set(c->progress, (int64_t)count, (int64_t)wanted);
  }
  if (code == CLI_OK) *out = bench_timing_of(seconds, count, warm_up);
  free(seconds);
  return code;
}

/* Measures each launch: the median over several profiled invocations. */
static cli_exit measure_steps(const cli_tensors *t, bench_run *run) {
  uint32_t count = run->step_count;
  qn_step_time *steps = cli_need(calloc((size_t)count + 1, sizeof *steps));
  double *samples = cli_need(calloc(((size_t)count + 1) * PROFILES, sizeof *samples));
  run->steps = cli_need(calloc((size_t)count + 1, sizeof *run->steps));
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < PROFILES && code == CLI_OK; i++) {
    code = cli_exit_of(qn_executable_profile(run->executable, (const void *const *)t->inputs,
                                             (void *const *)t->outputs, steps));
    for (uint32_t k = 0; k < count; k++) samples[k * PROFILES + i] = steps[k].seconds;
  }
  for (uint32_t k = 0; k < count && code == CLI_OK; k++)
    run->steps[k] = bench_timing_of(samples + (size_t)k * PROFILES, PROFILES, 0).median;
  free(steps);
  free(samples);
  return code;
}

cli_exit bench_measure(cli *c, qn_executable *executable, const cli_tensors *tensors,
                       bench_run *out_run) {
  *out_run = (bench_run){.executable = executable,
                         .step_count = qn_executable_step_count(executable),
                         .threads = c->options.threads ? (uint32_t)c->options.threads : 1,
                         .stats = qn_executable_get_stats(executable)};
  c->progress = cli_progress_begin("measuring", c->options.verbose);
  cli_exit code = measure_runs(c, executable, tensors, &out_run->time);
  if (code == CLI_OK && out_run->step_count) {
    code = measure_steps(tensors, out_run);
    out_run->machine_known = code == CLI_OK && qn_measure_machine(c->context, out_run->stats.level,
                                                                  &out_run->machine) == QN_OK;
  }
  cli_progress_end(c->progress);
  c->progress = NULL;
  return code;
}

void bench_free(bench_run *run) { free(run->steps); }
