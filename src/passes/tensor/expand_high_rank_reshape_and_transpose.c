/* expand-high-rank-reshape-and-transpose: replaces a reshape to six or more dimensions, a transpose
 * and a reshape to five or fewer by ops of fewer dimensions.
 *
 *   %0 = "ml.reshape"(%x) : -> tensor<2x3x2x2x2x5xf32>
 *   %1 = "ml.transpose"(%0) {perm = array<i64: 4, 5, 3, 2, 0, 1>}
 *   %2 = "ml.reshape"(%1) : -> tensor<...>
 *     ->
 *   %0 = "ml.reshape"(%x) : -> tensor<6x2x2x10xf32>          adjacent dimensions are merged
 *   %1 = "ml.transpose"(%0) {perm = array<i64: 3, 2, 1, 0>}
 *   %2 = "ml.reshape"(%1)
 *
 * If six or more dimensions remain after merging, they are moved to their positions one at a time,
 * each by a transpose of the middle two of four dimensions: [in position, before it, it, after it].
 *
 * No other op reads the first reshape or the transpose. Types with a scale per channel stay, and so
 * do reshapes that change the element type.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

enum { HIGH_RANK = 6 };
enum { LAST, TRANSPOSE, FIRST, SOURCE };

/* The merged dimensions, in which dimensions that the permutation keeps adjacent are one: their
 * sizes in the order of the input, and their permutation. */
typedef struct runs {
  uint32_t count;
  int64_t sizes[QN_ML_MAX_RANK], perm[QN_ML_MAX_RANK];
} runs;

static runs runs_of(const qn_type *type, qn_i64s perm) {
  int64_t sizes[QN_ML_MAX_RANK], position[QN_ML_MAX_RANK];
  bool starts[QN_ML_MAX_RANK] = {false};
  runs r = {0};
  for (uint32_t i = 0; i < perm.count; i++) {
    bool start = i == 0 || perm.data[i] != perm.data[i - 1] + 1;
    starts[perm.data[i]] = start;
    if (start) r.perm[r.count++] = perm.data[i];
  }
  uint32_t at = 0;
  for (uint32_t axis = 0; axis < perm.count; axis++) {
    if (starts[axis]) {
      position[axis] = at;
      sizes[at++] = 1;
    }
    sizes[at - 1] *= type->shaped.dims[axis];
  }
  QN_ASSERT(at == r.count); /* a run starts as often in the input */
  for (uint32_t i = 0; i < r.count; i++) {
    r.perm[i] = position[r.perm[i]];
    r.sizes[i] = sizes[i];
  }
  return r;
}

static qn_value *reshape(qn_rewriter *rw, const qn_matched *m, qn_value *x, uint32_t rank,
                         const int64_t *dims) {
  const qn_type *type = qn_type_with_dims(rw->cx, m->value[LAST]->type, rank, dims);
  return qn_build_like(rw, m->op[FIRST], QN_VALUES(x), type);
}

static qn_value *transpose(qn_rewriter *rw, const qn_matched *m, qn_value *x, const int64_t *perm) {
  qn_i64s list = {perm, qn_rank(x)};
  const qn_type *type = qn_type_permuted(rw->cx, x->type, list);
  qn_value *made = qn_build_like(rw, m->op[TRANSPOSE], QN_VALUES(x), type);
  qn_set_i64s(rw, made, "perm", perm, list.count);
  return made;
}

/* Moves the merged dimensions one at a time. After step k, the first dimensions of the result are
 * perm[0..k], followed by the others in their original order. */
static qn_value *one_by_one(qn_rewriter *rw, const qn_matched *m, const runs *r) {
  static const int64_t middle[4] = {0, 2, 1, 3};
  bool placed[QN_ML_MAX_RANK] = {false};
  qn_value *x = m->value[SOURCE];
  int64_t in_place = 1;
  for (uint32_t i = 0; i < r->count; i++) {
    int64_t dims[4] = {in_place, 1, r->sizes[r->perm[i]], 1};
    placed[r->perm[i]] = true;
    for (uint32_t k = 0; k < r->count; k++)
      if (!placed[k]) dims[k < r->perm[i] ? 1 : 3] *= r->sizes[k];
    x = transpose(rw, m, reshape(rw, m, x, 4, dims), middle);
    in_place *= dims[2];
  }
  return x;
}

static qn_value *lower_rank(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *high = m->value[FIRST]->type, *to = m->value[LAST]->type;
  const qn_type *element = to->shaped.element;
  if (high->shaped.rank < HIGH_RANK || to->shaped.rank >= HIGH_RANK || !qn_is_position_free(to))
    return NULL;
  for (uint32_t i = TRANSPOSE; i <= SOURCE; i++)
    if (m->value[i]->type->shaped.element != element) return NULL;
  runs r = runs_of(high, qn_op_perm(m->op[TRANSPOSE]));
  qn_value *x;
  if (r.count < HIGH_RANK)
    x = transpose(rw, m, reshape(rw, m, m->value[SOURCE], r.count, r.sizes), r.perm);
  else
    x = one_by_one(rw, m, &r);
  return qn_build_like(rw, m->op[LAST], QN_VALUES(x), to);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {TRANSPOSE}},
             {.kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE, .operands = {FIRST}},
             {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {SOURCE}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = lower_rank,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("lower-rank", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_expand_high_rank_reshape_and_transpose = {
    .name = "expand-high-rank-reshape-and-transpose",
    .summary = "do what needs six dimensions or more with fewer",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
