/* quern bench: times of whole invocations and of operators, beside the peak of the machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/table.h"
#include "cli/tensors/tensors.h"

enum { WARM_UP = 3, MIN_RUNS = 10, MAX_RUNS = 100000, PROFILES = 15 };
static const double budget_seconds = 1.0;

typedef struct timing {
  double median, p10, p90;
  size_t runs;
} timing;

typedef struct layer {
  const char *name;
  int64_t macs, bytes;
  double seconds;
} layer;

typedef struct bench_result {
  timing time;
  layer *layers;
  uint32_t layer_count;
  int64_t macs;
  double peak; /* multiply-accumulates per second of all threads; 0 unknown */
  uint32_t threads;
  qn_executable_stats stats;
} bench_result;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The value below which the share lies; sorts. */
static double quantile(double *values, size_t count, double share) {
  qsort(values, count, sizeof *values, by_value);
  return values[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* ---- measuring ---- */

static cli_exit invoke(qn_executable *executable, const cli_tensors *t) {
  return cli_exit_of(
      qn_executable_invoke(executable, (const void *const *)t->inputs, (void *const *)t->outputs));
}

static cli_exit measure_runs(cli *c, qn_executable *executable, const cli_tensors *t, timing *out) {
  cli_exit code = CLI_OK;
  double start = now();
  for (int i = 0; i < WARM_UP && code == CLI_OK && now() - start < budget_seconds; i++) {
    code = invoke(executable, t);
  }
  size_t wanted = (size_t)c->options.runs, count = 0;
  double *seconds = calloc(wanted > MAX_RUNS ? wanted : MAX_RUNS, sizeof *seconds);
  if (!seconds) return cli_fail(c, CLI_LIMIT, "out of memory");
  start = now();
  while (code == CLI_OK) {
    bool enough = wanted
                      ? count == wanted
                      : count == MAX_RUNS || (count >= MIN_RUNS && now() - start > budget_seconds);
    if (enough) break;
    double before = now();
    code = invoke(executable, t);
    seconds[count++] = now() - before;
    cli_progress_set(c->progress, (int64_t)count, (int64_t)wanted);
  }
  if (code == CLI_OK) {
    *out = (timing){quantile(seconds, count, 0.5), quantile(seconds, count, 0.1),
                    quantile(seconds, count, 0.9), count};
  }
  free(seconds);
  return code;
}

/* Median of every step over a few profiled invocations. */
static cli_exit measure_layers(qn_executable *executable, const cli_tensors *t, bench_result *r) {
  uint32_t count = qn_executable_step_count(executable);
  qn_step_time *steps = cli_need(calloc(count + 1, sizeof *steps));
  double *samples = cli_need(calloc(((size_t)count + 1) * PROFILES, sizeof *samples));
  r->layers = cli_need(calloc(count + 1, sizeof *r->layers));
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < PROFILES && code == CLI_OK; i++) {
    code = cli_exit_of(qn_executable_profile(executable, (const void *const *)t->inputs,
                                             (void *const *)t->outputs, steps));
    for (uint32_t k = 0; k < count; k++) samples[k * PROFILES + i] = steps[k].seconds;
  }
  for (uint32_t k = 0; k < count && code == CLI_OK; k++) {
    r->layers[k] = (layer){steps[k].name, steps[k].macs, steps[k].bytes,
                           quantile(samples + (size_t)k * PROFILES, PROFILES, 0.5)};
    r->macs += steps[k].macs;
  }
  r->layer_count = count;
  free(steps);
  free(samples);
  return code;
}

static cli_exit measure(cli *c, qn_executable *executable, const cli_tensors *t, bench_result *r) {
  c->progress = cli_progress_begin("measuring", c->options.verbose);
  cli_exit code = measure_runs(c, executable, t, &r->time);
  if (code == CLI_OK && qn_executable_step_count(executable)) {
    code = measure_layers(executable, t, r);
    double peak = 0; /* stays 0 where the machine has no level to measure */
    if (code == CLI_OK && qn_measure_peak(c->context, r->stats.level, &peak) == QN_OK) {
      r->peak = peak * r->threads;
    }
  }
  cli_progress_end(c->progress);
  c->progress = NULL;
  return code;
}

/* ---- printing ---- */

static double rate(int64_t count, double seconds) {
  return seconds > 0 ? (double)count / seconds : 0;
}

static void print_text(const bench_result *r) {
  printf("median %.3f ms, p10 %.3f ms, p90 %.3f ms over %zu runs, %u thread%s, %s\n",
         1e3 * r->time.median, 1e3 * r->time.p10, 1e3 * r->time.p90, r->time.runs, r->threads,
         r->threads == 1 ? "" : "s", r->stats.level);
  if (!r->layer_count) return;
  printf("%.3f GMAC, %.1f GMAC/s", 1e-9 * (double)r->macs, 1e-9 * rate(r->macs, r->time.median));
  if (r->peak > 0) {
    printf(", %.0f %% of the measured peak of %.0f GMAC/s",
           100 * rate(r->macs, r->time.median) / r->peak, 1e-9 * r->peak);
  }
  printf("\narena %zu bytes, compiled in %.3f s\n\n", r->stats.arena_bytes,
         r->stats.lower_seconds + r->stats.codegen_seconds);
  static const char *const titles[] = {"#",    "operator", "tensor", "ms",  "share",
                                       "MMAC", "GMAC/s",   "peak",   "GB/s"};
  double sum = 0;
  for (uint32_t i = 0; i < r->layer_count; i++) sum += r->layers[i].seconds;
  cli_table table;
  cli_table_begin(&table, "rllrrrrrr", titles);
  for (uint32_t i = 0; i < r->layer_count; i++) {
    const layer *l = &r->layers[i];
    cli_table_cell(&table, "%u", i);
    cli_table_operator(&table, l->name);
    cli_table_tensor(&table, l->name);
    cli_table_cell(&table, "%.4f", 1e3 * l->seconds);
    cli_table_cell(&table, "%.1f %%", sum > 0 ? 100 * l->seconds / sum : 0);
    cli_table_cell_if(&table, l->macs, "%.3f", 1e-6 * (double)l->macs);
    cli_table_cell_if(&table, l->macs, "%.1f", 1e-9 * rate(l->macs, l->seconds));
    cli_table_cell_if(&table, l->macs && r->peak > 0, "%.0f %%",
                      100 * rate(l->macs, l->seconds) / r->peak);
    cli_table_cell(&table, "%.1f", 1e-9 * rate(l->bytes, l->seconds));
  }
  cli_table_end(&table, stdout);
}

static cli_exit print_json(const cli *c, const bench_result *r) {
  json_t *layers = json_array();
  for (uint32_t i = 0; i < r->layer_count; i++) {
    json_array_append_new(layers, json_pack("{s:i, s:o, s:I, s:I, s:f}", "index", (int)i,
                                            "location", cli_json_text(r->layers[i].name), "macs",
                                            (json_int_t)r->layers[i].macs, "bytes",
                                            (json_int_t)r->layers[i].bytes, "seconds",
                                            r->layers[i].seconds));
  }
  json_t *all = json_pack(
      "{s:o, s:f, s:f, s:f, s:I, s:i, s:s, s:I, s:f, s:I, s:f, s:f, s:o}", "model",
      cli_json_text(c->options.argument), "median_seconds", r->time.median, "p10_seconds",
      r->time.p10, "p90_seconds", r->time.p90, "runs", (json_int_t)r->time.runs, "threads",
      (int)r->threads, "level", r->stats.level, "macs", (json_int_t)r->macs, "peak_macs_per_second",
      r->peak, "arena_bytes", (json_int_t)r->stats.arena_bytes, "lower_seconds",
      r->stats.lower_seconds, "codegen_seconds", r->stats.codegen_seconds, "steps", layers);
  return cli_print_document(c, all, JSON_INDENT(1));
}

static cli_exit bench_executable(cli *c, qn_executable *executable) {
  cli_tensors t;
  cli_exit code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  bench_result r = {.threads = c->options.threads ? (uint32_t)c->options.threads : 1,
                    .stats = qn_executable_get_stats(executable)};
  code = cli_tensors_bind(c, &t, true);
  if (code == CLI_OK) code = measure(c, executable, &t, &r);
  if (code == CLI_OK) {
    if (c->options.json) code = print_json(c, &r);
    if (!c->options.json) print_text(&r);
  }
  free(r.layers);
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit bench(cli *c) { return cli_with_executable(c, bench_executable); }

static const char *const options[] = {"runs",     "threads",       "input",        "image",
                                      "engine",   "stage",         "cpu",          "features",
                                      "numerics", "fall-back",     "dim",          "json",
                                      "rules",    "rewrite-limit", "rewrite-only", "rule-settings",
                                      "validate", "bit-rules",     "disable-pass", NULL};

const cli_command cli_bench = {
    .name = "bench",
    .argument = "MODEL",
    .summary = "measure how long a model takes, as a whole and per operator",
    .options = options,
    .details = "Inputs that are not given get random:1. Times per operator are medians of "
               "separate, profiled\n"
               "invocations. The peak is what the machine reaches with the level's dot-product "
               "instructions\n"
               "on registers, measured in the same run, times the threads.\n",
    .run = bench,
};
