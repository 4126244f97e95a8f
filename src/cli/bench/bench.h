/* quern bench: what is measured, and the report that table and JSON are made of.
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
/* Several callers at once. */
typedef struct bench_clients {
  uint32_t count;         /* 0: not asked for */
  double runs_per_second; /* of all together */
  double scaling;         /* that, divided by what one client alone reaches */
  bench_timing time;      /* of the runs of all */
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

/* Seconds of a clock that only goes forward. */
double bench_now(void);
/* Sorts the times. */
bench_timing bench_timing_of(double *seconds, size_t count, size_t warm_up);
/* Whether `count` runs in so many seconds are enough: those that are wanted; of 0, a second's. */
bool bench_is_enough(size_t wanted, size_t count, double seconds);
/* The most runs that are ever made. */
size_t bench_capacity(size_t wanted);

/* ---- bound.c: the best that the machine allows ---- */

typedef struct bench_bound {
  const char *by; /* "compute" or a level of memory; NULL: unknown */
  double seconds; /* that it takes at least */
} bench_bound;
/* Kernels that fill borders are named so: they touch little of their buffer, and their time is no
 * operator's own work. */
bool bench_fills_border(const char *kernel);
/* The bound of a launch. */
bench_bound bench_bound_of(const bench_run *run, const qn_step_info *step);

/* ---- report ---- */

json_t *bench_report(const cli *c, const bench_run *run);
void bench_print(const json_t *report);
/* Reads the document of an earlier run and adds to the report, under "against", how the two
 * differ. */
cli_exit bench_against(cli *c, const char *path, json_t *report);

#endif
