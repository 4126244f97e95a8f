/* quern bench: what is measured, and the report that table and JSON are made of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_BENCH_H
#define QN_CLI_BENCH_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/tensors/tensors.h"

/* Of whole invocations, in seconds. */
typedef struct bench_timing {
  double p10, median, p90, p99;
  size_t runs, warm_up;
} bench_timing;

typedef struct bench_run {
  bench_timing time;
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

/* ---- bound.c: the best that the machine allows ---- */

typedef struct bench_bound {
  const char *by; /* "compute" or a level of memory; NULL: unknown */
  double seconds; /* that it takes at least */
} bench_bound;
/* Kernels that fill borders are named so: they touch little of their buffer, and their time is no
 * operator's own work. */
bool bench_fills_border(const char *kernel);
/* Of a launch. */
bench_bound bench_bound_of(const bench_run *run, const qn_step_info *step);

/* ---- report ---- */

json_t *bench_report(const cli *c, const bench_run *run);
void bench_print(const json_t *report);
/* Reads the document of an earlier run and adds to the report, under "against", how the two
 * differ. */
cli_exit bench_against(cli *c, const char *path, json_t *report);

#endif
