/* Builds the JSON report of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/document.h"
#include "cli/location.h"

static const char *const factors[QN_FACTOR_COUNT] = {"i8", "i16", "f32"};

static json_t *step_row(const bench_run *run, uint32_t index) {
  qn_step_info step = qn_executable_step(run->executable, index);
  bench_bound bound = bench_bound_of(run, &step);
  json_t *followers = json_array();
  for (uint32_t i = 0; i < step.follower_count; i++)
    json_array_append_new(followers, cli_json_text(step.followers[i]));
  json_t *row =
      json_pack("{s:i, s:o, s:s, s:o, s:o, s:I, s:s, s:I, s:I, s:I, s:f, s:s?, s:f}", "index",
                (int)index, "location", cli_json_text(step.name), "kernel", step.kernel, "shapes",
                cli_json_text(step.shapes), "followers", followers, "macs", (json_int_t)step.macs,
                "factor", factors[step.factor], "bytes",
                (json_int_t)(step.value_bytes + step.constant_bytes), "value_bytes",
                (json_int_t)step.value_bytes, "constant_bytes", (json_int_t)step.constant_bytes,
                "seconds", run->steps[index], "bound", bound.by, "bound_seconds", bound.seconds);
  return row;
}

/* ---- per type of operator ---- */

static const char *type_of(const json_t *step, cli_operator *op) {
  const char *kernel = json_string_value(json_object_get(step, "kernel"));
  const char *location = json_string_value(json_object_get(step, "location"));
  if (kernel && bench_fills_border(kernel)) return "border filling";
  return location && cli_location_operator(location, op) ? op->name : kernel ? kernel : "";
}

static json_t *find_type(json_t *types, const char *name) {
  size_t i;
  json_t *row;
  json_array_foreach(types, i, row) {
    const char *known = json_string_value(json_object_get(row, "type"));
    if (known && strcmp(known, name) == 0) return row;
  }
  row = json_pack("{s:s, s:i, s:f, s:f, s:i}", "type", name, "steps", 0, "seconds", 0.0,
                  "bound_seconds", 0.0, "macs", 0);
  json_array_append_new(types, row);
  return row;
}

static void add_to(json_t *row, const json_t *step, const char *key) {
  double sum =
      json_number_value(json_object_get(row, key)) + json_number_value(json_object_get(step, key));
  json_object_set_new(row, key, json_real(sum));
}

static void count_in(json_t *row, const char *key, json_int_t more) {
  json_int_t sum = json_integer_value(json_object_get(row, key)) + more;
  json_object_set_new(row, key, json_integer(sum));
}

static json_t *types_of(const json_t *steps) {
  json_t *types = json_array();
  size_t i;
  json_t *step;
  json_array_foreach(steps, i, step) {
    cli_operator op;
    json_t *row = find_type(types, type_of(step, &op));
    count_in(row, "steps", 1);
    count_in(row, "macs", json_integer_value(json_object_get(step, "macs")));
    add_to(row, step, "seconds");
    add_to(row, step, "bound_seconds");
  }
  return types;
}

/* ---- totals ---- */

static json_t *machine_value(const bench_run *run) {
  const qn_machine *m = &run->machine;
  json_t *memory = json_array();
  for (uint32_t i = 0; i < m->level_count; i++) {
    bool bounded = m->levels[i].bytes != SIZE_MAX;
    json_t *bytes = bounded ? json_integer((json_int_t)m->levels[i].bytes) : json_null();
    json_array_append_new(memory,
                          json_pack("{s:s, s:o, s:f}", "name", m->levels[i].name, "bytes", bytes,
                                    "bytes_per_second", m->levels[i].bytes_per_second));
  }
  return json_pack("{s:o, s:f, s:o}", "cpu", cli_json_text(m->cpu), "clock_hertz", m->clock_hertz,
                   "memory", memory);
}

/* Peak of all threads in MAC/s, weighted by the operand types that the model uses. */
static double peak_of(const bench_run *run) {
  if (!run->machine_known) return 0;
  double macs = 0, seconds = 0;
  for (uint32_t i = 0; i < run->step_count; i++) {
    qn_step_info step = qn_executable_step(run->executable, i);
    macs += (double)step.macs;
    seconds += (double)step.macs / run->machine.macs_per_second[step.factor];
  }
  double peak = macs > 0 ? macs / seconds : run->machine.macs_per_second[QN_FACTOR_I8];
  return peak * run->threads;
}

static json_t *clients_value(const bench_clients *k) {
  return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:I}", "count", (int)k->count, "runs_per_second",
                   k->runs_per_second, "scaling", k->scaling, "median_seconds", k->time.median,
                   "p90_seconds", k->time.p90, "p99_seconds", k->time.p99, "runs",
                   (json_int_t)k->time.runs);
}

json_t *bench_report(const cli *c, const bench_run *run) {
  json_t *steps = json_array();
  json_int_t macs = 0;
  for (uint32_t i = 0; i < run->step_count; i++) {
    json_array_append_new(steps, step_row(run, i));
    macs += qn_executable_step(run->executable, i).macs;
  }
  json_t *types = types_of(steps);
  const bench_timing *t = &run->time;
  json_t *report = json_pack(
      "{s:o, s:f, s:f, s:f, s:f, s:I, s:I, s:i, s:s, s:I, s:f, s:I, s:f, s:f, s:o, s:o}", "model",
      cli_json_text(c->options.argument), "median_seconds", t->median, "p10_seconds", t->p10,
      "p90_seconds", t->p90, "p99_seconds", t->p99, "runs", (json_int_t)t->runs, "warm_up_runs",
      (json_int_t)t->warm_up, "threads", (int)run->threads, "level", run->stats.level, "macs", macs,
      "peak_macs_per_second", peak_of(run), "arena_bytes", (json_int_t)run->stats.arena_bytes,
      "lower_seconds", run->stats.lower_seconds, "codegen_seconds", run->stats.codegen_seconds,
      "steps", steps, "types", types);
  if (run->clients.count) json_object_set_new(report, "clients", clients_value(&run->clients));
  if (run->machine_known) json_object_set_new(report, "machine", machine_value(run));
  return report;
}
