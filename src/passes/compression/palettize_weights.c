/* palettize-weights: replaces constant weights by values of a small palette.
 *
 *   %w = ml.const dense<[0.1, 0.12, -0.5, -0.48]>
 *   ->
 *   %w = ml.const dense<[0.11, 0.11, -0.49, -0.49]>               nbits=1
 *
 * Each constant has 2^nbits values. mode=kmeans starts with evenly spaced values and repeats, until
 * nothing changes or 300 times: each weight is assigned to its nearest value, and each value
 * becomes the mean of its weights. mode=uniform takes values evenly spaced from the lowest to the
 * highest weight. Values are rounded to the constant's type. Applies to convolutions and linear
 * whose weights are finite floats of at most 32 bits, have more than weight_threshold elements, and
 * more distinct values than the palette. Upstream stores indices into the palette. No type here
 * does, so the constant has the values themselves; linear-quantize-weights reduces the storage.
 * Other readers of the weights keep the original constant.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by the distance to the palette.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "ir/types/float_format.h"
#include "passes/compression/weights.h"

enum { MOST_BITS = 8, MOST_ROUNDS = 300 };

typedef struct choice {
  bool by_means;
  int64_t values, threshold;
} choice;

typedef struct palette {
  double value[1 << MOST_BITS]; /* increasing */
  int64_t count;
} palette;

static int increasing(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

static int64_t distinct(const double *sorted, int64_t count) {
  int64_t values = count > 0;
  for (int64_t i = 1; i < count; i++) values += sorted[i] != sorted[i - 1];
  return values;
}

static void space_evenly(palette *p, double low, double high) {
  for (int64_t i = 0; i < p->count; i++)
    p->value[i] = p->count > 1 ? low + (high - low) * (double)i / (double)(p->count - 1)
                               : low + (high - low) / 2;
}

/* Index of the first weight in `sorted`, from `from` on, that is nearer to value i + 1 than to
 * value i. */
static int64_t end_of(const palette *p, int64_t i, const double *sorted, int64_t from,
                      int64_t count) {
  QN_ASSERT(i < p->count && from <= count);
  if (i + 1 == p->count) return count;
  double middle = p->value[i] + (p->value[i + 1] - p->value[i]) / 2;
  int64_t high = count;
  while (from < high) {
    int64_t at = from + (high - from) / 2;
    if (sorted[at] <= middle)
      from = at + 1;
    else
      high = at;
  }
  return from;
}

/* Moves each value to the mean of its weights. `sums[i]` is the sum of the first i weights. A value
 * without weights stays. Returns whether a value moved. */
static bool move_to_means(palette *p, const double *sorted, const double *sums, int64_t count) {
  bool moved = false;
  for (int64_t i = 0, from = 0; i < p->count; i++) {
    int64_t end = end_of(p, i, sorted, from, count);
    double mean = end > from ? (sums[end] - sums[from]) / (double)(end - from) : p->value[i];
    moved |= mean != p->value[i];
    p->value[i] = mean;
    from = end;
  }
  qsort(p->value, (size_t)p->count, sizeof *p->value, increasing);
  return moved;
}

static void find_means(qn_rewriter *rw, palette *p, const double *sorted, int64_t count) {
  double *sums = QN_NEW_ARRAY(rw->pc->scratch, count + 1, double);
  sums[0] = 0;
  for (int64_t i = 0; i < count; i++) sums[i + 1] = sums[i] + sorted[i];
  for (int round = 0; round < MOST_ROUNDS; round++)
    if (!move_to_means(p, sorted, sums, count)) return;
}

static double nearest(const palette *p, double x) {
  int64_t low = 0, high = p->count - 1;
  while (low < high) {
    int64_t at = low + (high - low) / 2;
    if (x <= p->value[at] + (p->value[at + 1] - p->value[at]) / 2)
      high = at;
    else
      low = at + 1;
  }
  return p->value[low];
}

static qn_value *palettized(qn_rewriter *rw, const qn_matched *m) {
  const choice *how = rw->state;
  const qn_value *weights = m->value[QN_WEIGHTS];
  int64_t count = qn_type_elements(weights->type);
  double *values = count > how->threshold ? qn_finite_weights(rw, weights) : NULL;
  if (!values) return NULL;
  double *sorted = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  memcpy(sorted, values, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, increasing);
  if (distinct(sorted, count) <= how->values) return NULL;
  palette p = {.count = how->values};
  QN_ASSERT(p.count > 0 && p.count <= (int64_t)QN_COUNT(p.value));
  space_evenly(&p, sorted[0], sorted[count - 1]);
  if (how->by_means) find_means(rw, &p, sorted, count);
  qn_float_kind kind = qn_type_element(weights->type)->float_kind;
  for (int64_t i = 0; i < p.count; i++) p.value[i] = qn_float_round(kind, p.value[i]);
  for (int64_t i = 0; i < count; i++) values[i] = nearest(&p, values[i]);
  return qn_with_weights(rw, m, qn_build_reals(rw, weights->type, values));
}

static const qn_graph_rule rule = {.rows = QN_WEIGHTS_ROWS, .rewrite = palettized};
static const qn_pattern patterns[] = QN_WEIGHTS_PATTERNS(rule);

static const qn_option_spec options[] = {
    {"mode", QN_OPTION_CHOICE, "kmeans|uniform", "values near the weights, or evenly spaced"},
    {"nbits", QN_OPTION_I64, "4", "of an index into the palette, from 1 to 8"},
    {"weight_threshold", QN_OPTION_I64, "0", "weights of no more elements stay"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  int64_t bits = qn_pass_i64(pc, "nbits");
  if (bits < 1 || bits > MOST_BITS)
    return qn_error(&pc->cx->diag, pc->root->loc, QN_INVALID,
                    "nbits is %lld, which is not from 1 to %d", (long long)bits, MOST_BITS);
  choice how = {.by_means = strcmp(qn_pass_string(pc, "mode"), "kmeans") == 0,
                .values = INT64_C(1) << bits,
                .threshold = qn_pass_i64(pc, "weight_threshold")};
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &how});
}

const qn_pass qn_pass_palettize_weights = {
    .name = "palettize-weights",
    .summary = "let constant weights take few values",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
