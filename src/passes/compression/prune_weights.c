/* prune-weights: sets the constant weights of smallest magnitude to 0.
 *
 *   %w = ml.const dense<[0.5, -0.01, 0.02, -0.7]>
 *   ->
 *   %w = ml.const dense<[0.5, 0.0, 0.0, -0.7]>                    percent=50
 *
 * mode=magnitude prunes `percent` percent of each constant, smallest magnitudes first, and among
 * equal ones the first; mode=threshold prunes all magnitudes below 10^-digits. Applies to
 * convolutions and linear whose weights are finite floats of at most 32 bits and have more than
 * weight_threshold elements. Upstream stores the remaining weights in a sparse form. There is none
 * here: the constant contains zeros, and only a compressed file gets smaller. Other readers of the
 * weights keep the original constant.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by the pruned magnitudes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "passes/compression/weights.h"

typedef struct choice {
  bool by_magnitude;
  int64_t percent, threshold;
  double below;
} choice;

typedef struct weight {
  double magnitude;
  int64_t at;
} weight;

static int by_magnitude(const void *left, const void *right) {
  const weight *a = left, *b = right;
  if (a->magnitude != b->magnitude) return a->magnitude < b->magnitude ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* How many of the sorted weights become 0. */
static int64_t pruned_count(const choice *how, const weight *sorted, int64_t count) {
  if (how->by_magnitude) return count / 100 * how->percent + count % 100 * how->percent / 100;
  int64_t pruned = 0;
  while (pruned < count && sorted[pruned].magnitude < how->below) pruned++;
  return pruned;
}

static qn_value *pruned(qn_rewriter *rw, const qn_matched *m) {
  const choice *how = rw->state;
  const qn_value *weights = m->value[QN_WEIGHTS];
  int64_t count = qn_type_elements(weights->type);
  double *values = count > how->threshold ? qn_finite_weights(rw, weights) : NULL;
  if (!values) return NULL;
  weight *sorted = QN_NEW_ARRAY(rw->pc->scratch, count, weight);
  for (int64_t i = 0; i < count; i++) sorted[i] = (weight){fabs(values[i]), i};
  qsort(sorted, (size_t)count, sizeof *sorted, by_magnitude);
  bool changes = false;
  int64_t zeros = pruned_count(how, sorted, count);
  QN_ASSERT(zeros >= 0 && zeros <= count);
  for (int64_t i = zeros; i-- > 0;) {
    changes |= sorted[i].magnitude != 0;
    values[sorted[i].at] = 0;
  }
  return changes ? qn_with_weights(rw, m, qn_build_reals(rw, weights->type, values)) : NULL;
}

static const qn_graph_rule rule = {.rows = QN_WEIGHTS_ROWS, .rewrite = pruned};
static const qn_pattern patterns[] = QN_WEIGHTS_PATTERNS(rule);

static const qn_option_spec options[] = {
    {"mode", QN_OPTION_CHOICE, "magnitude|threshold", "how many of them, or how large"},
    {"percent", QN_OPTION_I64, "50", "of each constant, from 0 to 100"},
    {"digits", QN_OPTION_I64, "3", "what is below 10 to the power of this, negated"},
    {"weight_threshold", QN_OPTION_I64, "0", "weights of no more elements stay"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  choice how = {.by_magnitude = strcmp(qn_pass_string(pc, "mode"), "magnitude") == 0,
                .percent = qn_pass_i64(pc, "percent"),
                .below = pow(10, -(double)qn_pass_i64(pc, "digits")),
                .threshold = qn_pass_i64(pc, "weight_threshold")};
  if (how.percent < 0 || how.percent > 100)
    return qn_error(&pc->cx->diag, pc->root->loc, QN_INVALID,
                    "percent is %lld, which is not from 0 to 100", (long long)how.percent);
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &how});
}

const qn_pass qn_pass_prune_weights = {
    .name = "prune-weights",
    .summary = "make zeros of the least of constant weights",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
