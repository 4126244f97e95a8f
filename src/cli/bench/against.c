/* Compares two bench reports. A launch of one run is matched with a launch of the other by its
 * operator, its shapes and its index among the launches of the operator, because the kernel's name
 * may have changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/document.h"

/* Relative noise of a launch's time: it is the median of few single runs on a machine that other
 * processes share. */
static const double launch_noise = 0.10;

static double number(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

static bool same(const json_t *a, const json_t *b, const char *key) {
  return json_equal(json_object_get(a, key), json_object_get(b, key));
}

static bool is_taken(const json_t *taken, size_t index) {
  return json_is_true(json_array_get(taken, index));
}

/* The first launch of the old run for the same work that has not been matched yet; marks it as
 * matched. */
static const json_t *find_before(const json_t *old, json_t *taken, const json_t *step) {
  size_t i;
  json_t *row;
  json_array_foreach(old, i, row) {
    if (is_taken(taken, i) || !same(row, step, "location") || !same(row, step, "shapes")) continue;
    json_array_set_new(taken, i, json_true());
    return row;
  }
  return NULL;
}

static json_t *base_row(const json_t *step) {
  json_t *row = json_object();
  static const char *const keys[] = {"location", "kernel", "shapes"};
  for (size_t i = 0; i < CLI_COUNT(keys); i++) {
    json_t *value = json_object_get(step, keys[i]);
    json_object_set_new(row, keys[i], value ? json_incref(value) : json_null());
  }
  return row;
}

static const char *verdict_of(double ratio, double noise) {
  if (ratio > 1 + noise) return "slower";
  return ratio < 1 / (1 + noise) ? "faster" : "";
}

static json_t *compared_row(const json_t *step, const json_t *before) {
  json_t *row = base_row(step);
  double now = number(step, "seconds"), then = before ? number(before, "seconds") : 0;
  json_object_set_new(row, "seconds", json_real(now));
  if (before) json_object_set_new(row, "before_seconds", json_real(then));
  if (then > 0) json_object_set_new(row, "ratio", json_real(now / then));
  const char *verdict = !before ? "new" : then > 0 ? verdict_of(now / then, launch_noise) : "";
  json_object_set_new(row, "verdict", json_string(verdict));
  return row;
}

static json_t *compare_steps(const json_t *old, const json_t *new) {
  json_t *rows = json_array(), *taken = json_array();
  size_t i;
  json_t *step;
  json_array_foreach(old, i, step) json_array_append_new(taken, json_false());
  json_array_foreach(new, i, step)
      json_array_append_new(rows, compared_row(step, find_before(old, taken, step)));
  json_array_foreach(old, i, step) {
    if (is_taken(taken, i)) continue;
    json_t *row = base_row(step);
    json_object_set_new(row, "before_seconds", json_real(number(step, "seconds")));
    json_object_set_new(row, "verdict", json_string("gone"));
    json_array_append_new(rows, row);
  }
  json_decref(taken);
  return rows;
}

/* Settings in which the runs differ, so that they are hard to compare. */
static json_t *differences(const json_t *old, const json_t *new) {
  static const char *const keys[] = {"model", "level", "threads"};
  json_t *list = json_array();
  for (size_t i = 0; i < CLI_COUNT(keys); i++)
    if (!same(old, new, keys[i])) json_array_append_new(list, json_string(keys[i]));
  const json_t *then = json_object_get(old, "machine"), *now = json_object_get(new, "machine");
  if (then && now && !same(then, now, "cpu")) json_array_append_new(list, json_string("cpu"));
  return list;
}

/* Compares the medians. A change is significant only if it exceeds the spread of both runs. */
static json_t *compare(const json_t *old, const json_t *new) {
  double then = number(old, "median_seconds"), now = number(new, "median_seconds");
  double spread = 0;
  const json_t *const both[] = {old, new};
  for (size_t i = 0; i < CLI_COUNT(both); i++) {
    double median = number(both[i], "median_seconds");
    double width = number(both[i], "p90_seconds") - number(both[i], "p10_seconds");
    if (median > 0 && width / median > spread) spread = width / median;
  }
  double ratio = then > 0 ? now / then : 0;
  const char *verdict = verdict_of(ratio, spread);
  json_t *model = json_object_get(old, "model");
  return json_pack("{s:O, s:f, s:f, s:f, s:f, s:s, s:o, s:o}", "model", model, "before_seconds",
                   then, "seconds", now, "ratio", ratio, "spread", spread, "verdict",
                   *verdict ? verdict : "within the spread of the runs", "differences",
                   differences(old, new), "steps",
                   compare_steps(json_object_get(old, "steps"), json_object_get(new, "steps")));
}

cli_exit bench_against(cli *c, const char *path, json_t *report) {
  char *text;
  size_t size;
  cli_exit code = cli_read_file(c, path, &text, &size);
  if (code != CLI_OK) return code;
  json_t *old = json_loadb(text, size, 0, NULL);
  qn_free(text);
  bool fits = json_object_get(old, "model") && json_is_array(json_object_get(old, "steps")) &&
              number(old, "median_seconds") > 0;
  if (fits)
    json_object_set_new(report, "against", compare(old, report));
  else
    code = cli_fail(c, CLI_INVALID, "%s: not what 'quern bench --json' prints", path);
  json_decref(old);
  return code;
}
