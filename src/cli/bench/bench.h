/* quern bench: measurements, and the report that table and JSON are printed from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_BENCH_H
#define QN_CLI_BENCH_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/tensors/tensors.h"

/* Times of whole invocations, in seconds. */
typedef struct bench_timing {
  double p10, median, p90, p99;
  size_t runs, warm_up;
} bench_timing;

enum { BENCH_MAX_CLIENTS = 1024 };
/* Measurement of several callers that run concurrently. */
typedef struct bench_clients {
  uint32_t count;         /* number of callers; 0: not measured */
  double runs_per_second; /* of all callers together */
  double scaling;         /* runs_per_second divided by those of a single caller */
  bench_timing time;      /* of the runs of all callers */
} bench_clients;

typedef struct bench_run {
  bench_timing time;
  bench_clients clients;
  qn_executable *executable;
  double *steps; /* median of each launch, in profiled invocations */
  uint32_t step_count;
  uint32_t threads;
  qn_executable_stats stats;
  qn_machine machine;
  bool machine_known;
} bench_run;

/* `out_run` is freed with bench_free, also after a failure. */
cli_exit bench_measure(cli *c, qn_executable *executable, const cli_tensors *tensors,
                       bench_run *out_run);
void bench_free(bench_run *run);
/* Measures --clients callers with a clone each, into run->clients. `tensors` holds the inputs and
 * the outputs of the last run. */
cli_exit bench_measure_clients(cli *c, bench_run *run, const cli_tensors *tensors);

/* Sorts the times. */
bench_timing bench_timing_of(double *seconds, size_t count, size_t warm_up);
/* Whether `count` runs, which took `seconds`, are enough: at least `wanted` runs; if `wanted` is 0,
 * at least a second. */
bool bench_is_enough(size_t wanted, size_t count, double seconds);
/* The maximum number of runs for this `wanted`. */
size_t bench_capacity(size_t wanted);

/* ---- bound.c: lower bounds of the time on this machine ---- */

typedef struct bench_bound {
  const char *by; /* "compute" or a level of memory; NULL: unknown */
  double seconds; /* lower bound of the time */
} bench_bound;
/* Whether a kernel fills padding, by its name. Such kernels touch only a small part of their
 * buffer, and their time is not counted as work of an operator. */
bool bench_fills_border(const char *kernel);
/* The bound of a launch. */
bench_bound bench_bound_of(const bench_run *run, const qn_step_info *step);

/* ---- report ---- */

json_t *bench_report(const cli *c, const bench_run *run);
void bench_print(const json_t *report);
/* Reads the JSON report of an earlier run, and adds the differences to `report` under the key
 * "against". */
cli_exit bench_against(cli *c, const char *path, json_t *report);

#endif
