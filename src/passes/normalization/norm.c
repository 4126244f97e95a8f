/* Chooses the normalization op that fits axes and parameters, and builds it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/normalization/norm.h"
#include "ir/ops/forms.h"

/* Marks the dimensions over which the means are computed. Returns false if mean and variance have
 * different axes or drop dimensions. */
static bool read_axes(const qn_spelled_norm *n, bool out_reduced[QN_ML_MAX_RANK]) {
  bool second[QN_ML_MAX_RANK] = {false};
  qn_i64s a = qn_op_axes(n->mean), b = qn_op_axes(n->variance);
  if (!qn_op_keep_dims(n->mean) || !qn_op_keep_dims(n->variance) || a.count != b.count)
    return false;
  for (uint32_t i = 0; i < a.count; i++) out_reduced[a.data[i]] = true;
  for (uint32_t i = 0; i < b.count; i++) second[b.data[i]] = true;
  return memcmp(out_reduced, second, sizeof second) == 0;
}

/* Whether a parameter has one element, or exactly the dimensions `at` of x. */
static bool fits(const qn_value *parameter, const qn_value *x, const bool at[QN_ML_MAX_RANK]) {
  if (!parameter || qn_type_elements(parameter->type) == 1) return true;
  if (qn_rank(parameter) > qn_rank(x)) return false;
  uint32_t missing = qn_rank(x) - qn_rank(parameter);
  for (uint32_t i = 0; i < qn_rank(x); i++)
    if ((i < missing ? 1 : qn_dim(parameter, i - missing)) != (at[i] ? qn_dim(x, i) : 1))
      return false;
  return true;
}

/* The channel dimension if x has rank 4 and is reduced over the two dimensions of the plane: 1 or
 * 3; else -1. */
static int64_t channels_of(const qn_value *x, const bool reduced[QN_ML_MAX_RANK]) {
  if (qn_rank(x) != 4 || reduced[0] || !reduced[2] || reduced[1] == reduced[3]) return -1;
  return reduced[1] ? 3 : 1;
}

static double element(const qn_value *parameter, int64_t i) {
  return qn_literal_real(parameter, qn_type_elements(parameter->type) == 1 ? 0 : i);
}

/* Builds gamma and beta as vectors over the dimensions `at`. Requires both parameters. */
static void build_parameters(qn_rewriter *rw, const qn_spelled_norm *n,
                             const bool at[QN_ML_MAX_RANK], qn_value *out[2]) {
  QN_ASSERT(n->gamma && n->beta && qn_rank(n->x) <= QN_ML_MAX_RANK);
  int64_t dims[QN_ML_MAX_RANK], count = 1;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < qn_rank(n->x); i++)
    if (at[i]) count *= dims[rank++] = qn_dim(n->x, i);
  double *gamma = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  double *beta = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  for (int64_t i = 0; i < count; i++) {
    gamma[i] = element(n->gamma, i);
    beta[i] = element(n->beta, i) * (n->beta_first ? gamma[i] : 1);
  }
  const qn_type *type = qn_type_with_dims(rw->cx, n->x->type, rank, dims);
  out[0] = qn_build_reals(rw, type, gamma);
  out[1] = qn_build_reals(rw, type, beta);
}

static qn_value *build(qn_rewriter *rw, const qn_spelled_norm *n, qn_op_kind kind,
                       const bool at[QN_ML_MAX_RANK]) {
  qn_value *operands[3] = {n->x};
  if (n->gamma) build_parameters(rw, n, at, operands + 1);
  return qn_build_1(&rw->builder, kind, n->x->type, operands, n->gamma ? 3 : 1,
                    QN_ATTRS({"epsilon", qn_attr_real(rw, qn_literal_real(n->epsilon, 0))}));
}

static qn_value *instance_norm(qn_rewriter *rw, const qn_spelled_norm *n, int64_t channels) {
  QN_ASSERT(channels < qn_rank(n->x));
  bool at[QN_ML_MAX_RANK] = {false};
  at[channels] = true;
  if (!fits(n->gamma, n->x, at) || !fits(n->beta, n->x, at)) return NULL;
  qn_value *y = build(rw, n, QN_OP_ML_INSTANCE_NORM, at);
  qn_op_set_attr(rw->module, y->op, "axis", qn_attr_i64(rw->cx, channels));
  return y;
}

static qn_value *layer_norm(qn_rewriter *rw, const qn_spelled_norm *n,
                            const bool reduced[QN_ML_MAX_RANK]) {
  int64_t axes[QN_ML_MAX_RANK];
  uint32_t count = 0;
  if (!fits(n->gamma, n->x, reduced) || !fits(n->beta, n->x, reduced)) return NULL;
  for (uint32_t i = 0; i < qn_rank(n->x); i++)
    if (reduced[i]) axes[count++] = i;
  qn_value *y = build(rw, n, QN_OP_ML_LAYER_NORM, reduced);
  qn_set_i64s(rw, y, "axes", axes, count);
  return y;
}

qn_value *qn_build_norm(qn_rewriter *rw, const qn_matched *m, const qn_spelled_norm *n) {
  bool reduced[QN_ML_MAX_RANK] = {false};
  if (m->value[0]->type != n->x->type || !qn_matched_floats(m) || !read_axes(n, reduced))
    return NULL;
  double epsilon = qn_literal_real(n->epsilon, 0);
  if (!(epsilon >= 0 && epsilon <= 1) || !qn_literal_is(n->epsilon, epsilon)) return NULL;
  int64_t channels = channels_of(n->x, reduced);
  qn_value *y = channels > 0 ? instance_norm(rw, n, channels) : NULL;
  return y ? y : layer_norm(rw, n, reduced);
}
