/* Builds the report: a JSON document with a row per tensor. All text and HTML output is made from
 * it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/compare/encoding.h"
#include "cli/compare/feed.h"
#include "cli/compare/statistics.h"
#include "cli/memory.h"

typedef struct pair {
  recorded *a, *b;
  recorded *alone; /* what an operator computes from the other side's tensors; NULL if not known */
  size_t order;
} pair;

static void set(json_t *row, const char *key, json_t *value) {
  json_object_set_new(row, key, value ? value : json_null());
}

/* Sets a number. JSON has no infinity or NaN; they become null. */
static void set_number(json_t *row, const char *key, double value) {
  set(row, key, isfinite(value) ? json_real(value) : NULL);
}

/* ---- one tensor ---- */

static json_t *steps_json(const statistics *s) {
  json_t *bins = json_array();
  for (int i = 0; i < STATISTICS_BINS; i++) {
    if (!s->steps[i]) continue;
    bool beyond = i == 0 || i == STATISTICS_BINS - 1;
    json_array_append_new(bins,
                          json_pack("{s:i, s:I, s:b}", "step", i - STATISTICS_STEPS - 1, "elements",
                                    (json_int_t)s->steps[i], "or_beyond", beyond));
  }
  return bins;
}

static json_t *coordinate_json(const qn_tensor_info *info, size_t at) {
  json_t *coordinate = json_array();
  for (uint32_t d = info->rank; d-- > 0;) {
    size_t dim = info->dims[d] > 0 ? (size_t)info->dims[d] : 1;
    json_array_insert_new(coordinate, 0, json_integer((json_int_t)(at % dim)));
    at /= dim;
  }
  return coordinate;
}

static void set_statistics(json_t *row, const statistics *s, const qn_tensor_info *info) {
  set(row, "status", json_string(s->differing ? "differs" : "equal"));
  set(row, "elements", json_integer((json_int_t)s->elements));
  set(row, "differing", json_integer((json_int_t)s->differing));
  set(row, "steps", s->has_steps ? steps_json(s) : NULL);
  set_number(row, "mean_step", s->has_steps ? s->mean_step : NAN);
  set_number(row, "snr_db", s->snr_db);
  set_number(row, "cosine", s->cosine);
  if (!s->differing) return;
  set_number(row, "largest_step", s->has_steps ? s->largest_step : NAN);
  set_number(row, "largest_real", s->largest_real);
  set(row, "at", coordinate_json(info, s->at));
  set_number(row, "a", s->a_stored);
  set_number(row, "b", s->b_stored);
  set_number(row, "a_real", s->a_real);
  set_number(row, "b_real", s->b_real);
}

/* Whether the shapes are equal without dimensions of size 1. */
static bool same_shape(const qn_tensor_info *a, const qn_tensor_info *b) {
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->rank && a->dims[i] == 1) i++;
    while (k < b->rank && b->dims[k] == 1) k++;
    if (i >= a->rank || k >= b->rank) return i >= a->rank && k >= b->rank;
    if (a->dims[i] != b->dims[k]) return false;
  }
}

static cli_exit set_comparison(cli *c, json_t *row, recorded *a, recorded *b) {
  const void *a_data, *b_data;
  cli_exit code = recording_data(c, a, &a_data);
  if (code == CLI_OK) code = recording_data(c, b, &b_data);
  if (code != CLI_OK) return code;
  if (a_data && b_data && !same_shape(&a->info, &b->info)) {
    set(row, "status", json_string("shapes differ"));
  } else if (a_data && b_data && encodings_differ(a, b) && !encodings_have_reals(a, b)) {
    set(row, "status", json_string("encodings differ"));
  } else if (a_data && b_data) {
    statistics s = statistics_of(&a->info, a_data, &b->info, b_data);
    set_statistics(row, &s, &a->info);
  } else {
    char digest[2][DIGEST_HEX];
    const recorded *sides[] = {a, b};
    for (int i = 0; i < 2; i++) {
      snprintf(digest[i], DIGEST_HEX, "%s", sides[i]->sha256);
      if (sides[i]->data) digest_sha256(sides[i]->data, sides[i]->info.bytes, digest[i]);
    }
    bool equal = digest[0][0] && strcmp(digest[0], digest[1]) == 0;
    set(row, "status", json_string(equal ? "equal" : "differs"));
  }
  return CLI_OK;
}

/* Copies the keys that identify the tensor from A, or, where A lacks them, from B. */
static json_t *identity_of(const recorded *a, const recorded *b) {
  static const char *const keys[] = {"tensor", "name", "operator", "op", "multiplier"};
  json_t *row = json_object();
  for (size_t i = 0; i < CLI_COUNT(keys); i++) {
    json_t *value = a ? json_object_get(a->row, keys[i]) : NULL;
    const char *text = json_string_value(value);
    bool says = value && !json_is_null(value) && !(text && !text[0]) &&
                !(json_is_integer(value) && json_integer_value(value) < 0);
    if (!says && b) value = json_object_get(b->row, keys[i]);
    set(row, keys[i], json_incref(value));
  }
  return row;
}

/* Marks a row whose encodings differ. Such tensors count as different, even if no value differs. */
static void set_encodings(json_t *row, const recorded *a, const recorded *b) {
  if (!a->data || !b->data || !encodings_differ(a, b)) return;
  set(row, "encodings", encodings_json(a, b));
  set(row, "status", json_string("encodings differ"));
}

/* Adds what the operator computes from the other side's tensors, or the reason why it is not
 * known. */
static cli_exit add_alone(cli *c, json_t *row, const pair *p, const compare_how *how) {
  json_t *own = json_object();
  cli_exit code =
      set_comparison(c, own, how->a_fed ? p->alone : p->a, how->a_fed ? p->b : p->alone);
  bool told = strcmp(compare_text(own, "status"), "encodings differ") != 0;
  set(row, told ? "alone" : "why_not_alone",
      told ? own : json_string("what it writes has several scales on one side"));
  if (!told) json_decref(own);
  return code;
}

static cli_exit add_pair(cli *c, const pair *p, const compare_how *how, json_t *rows) {
  json_t *row = identity_of(p->a ? p->a : p->b, p->b);
  json_array_append_new(rows, row);
  if (!p->a || !p->b) {
    set(row, "status", json_string(p->a ? "only in a" : "only in b"));
    return CLI_OK;
  }
  cli_exit code = set_comparison(c, row, p->a, p->b);
  if (code != CLI_OK) return code;
  if (strcmp(compare_text(row, "status"), "shapes differ") != 0) set_encodings(row, p->a, p->b);
  char *lacks = p->alone ? feed_lacks(how->fed, how->a_fed ? p->a : p->b) : NULL;
  json_t *loss = how->loss ? compare_loss(p->a, p->b, lacks ? NULL : p->alone) : NULL;
  if (loss) set(row, "loss", loss);
  if (lacks)
    set(row, "why_not_alone", json_string(lacks));
  else if (p->alone)
    code = add_alone(c, row, p, how);
  free(lacks);
  return code;
}

/* ---- inputs ---- */

json_t *compare_inputs(const recording *a, const recording *b, bool loss) {
  json_t *rows = json_array();
  for (size_t i = 0; i < a->given_count && i < b->given_count; i++) {
    recorded *in_a = &a->given[i], *in_b = &b->given[i];
    json_t *row = json_pack("{s:I}", "input", (json_int_t)i), *name = NULL;
    name = json_object_get(in_a->row ? in_a->row : in_b->row, "name");
    set(row, "name", name ? json_incref(name) : json_string(""));
    set_encodings(row, in_a, in_b);
    json_object_del(row, "status");
    json_t *lost = loss ? compare_loss(in_a, in_b, NULL) : NULL;
    if (lost) set(row, "loss", lost);
    if (json_object_get(row, "loss") || json_object_get(row, "encodings"))
      json_array_append_new(rows, row);
    else
      json_decref(row);
  }
  return rows;
}

/* ---- all tensors ---- */

static int by_order(const void *a, const void *b) {
  size_t left = ((const pair *)a)->order, right = ((const pair *)b)->order;
  return (left > right) - (left < right);
}

/* Pairs the tensors in order of execution, which the first side that stores it determines, followed
 * by tensors that only B has. */
static size_t make_pairs(const recording *a, const recording *b, const compare_how *how,
                         pair *pairs) {
  bool *found = cli_need(calloc(b->count + 1, sizeof *found));
  bool by_b = !a->ordered && b->ordered;
  size_t count = 0;
  for (size_t i = 0; i < a->count; i++) {
    recorded *in_a = &a->tensors[i], *in_b = tensor_map_find(how->map, in_a, b);
    size_t place = in_b ? (size_t)(in_b - b->tensors) : b->count;
    if (in_b) found[place] = true;
    const recorded *runs = how->a_fed ? in_a : in_b;
    recorded *fed = how->alone && in_b ? recording_by_index(how->alone, runs->info.index) : NULL;
    pairs[count++] = (pair){in_a, in_b, fed, by_b ? place : i};
  }
  qsort(pairs, count, sizeof *pairs, by_order);
  for (size_t i = 0; i < b->count; i++)
    if (!found[i]) pairs[count++] = (pair){.b = &b->tensors[i]};
  free(found);
  return count;
}

static void set_summary(json_t *report) {
  json_int_t compared = 0, differing = 0, own = 0, lone = 0, encoded = 0, untold = 0;
  json_t *first = NULL, *row;
  size_t i;
  json_array_foreach(json_object_get(report, "tensors"), i, row) {
    const char *status = compare_text(row, "status");
    bool alone = strncmp(status, "only", 4) == 0, differs = !alone && strcmp(status, "equal") != 0;
    const json_t *isolated = json_object_get(row, "alone");
    lone += alone;
    compared += !alone;
    differing += differs;
    own += isolated && strcmp(compare_text(isolated, "status"), "equal") != 0;
    encoded += json_object_get(row, "encodings") != NULL;
    untold += json_object_get(row, "why_not_alone") != NULL;
    if (differs && !first) first = row;
  }
  set(report, "compared", json_integer(compared));
  set(report, "differing", json_integer(differing));
  set(report, "unmatched", json_integer(lone));
  bool isolated = json_is_true(json_object_get(report, "isolated"));
  set(report, "encoded_differently", json_integer(encoded));
  set(report, "differing_alone", isolated ? json_integer(own) : NULL);
  set(report, "unknown_alone", isolated ? json_integer(untold) : NULL);
  set(report, "first", json_incref(first));
}

cli_exit compare_recordings(cli *c, const recording *a, const recording *b, const compare_how *how,
                            json_t **out_report) {
  json_t *rows = json_array();
  json_t *report = json_pack("{s:b, s:o}", "isolated", how->alone != NULL, "tensors", rows);
  set(report, "a", json_incref(a->head));
  set(report, "b", json_incref(b->head));
  *out_report = report;
  pair *pairs = cli_need(calloc(a->count + b->count + 1, sizeof *pairs));
  size_t count = make_pairs(a, b, how, pairs);
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < count && code == CLI_OK; i++) code = add_pair(c, &pairs[i], how, rows);
  free(pairs);
  set_summary(report);
  json_t *inputs = compare_inputs(a, b, how->loss);
  if (how->loss) set(report, "ranked", compare_ranked(rows, inputs));
  set(report, "inputs", inputs);
  set(report, "random_inputs", json_boolean(a->random || b->random));
  return code;
}
