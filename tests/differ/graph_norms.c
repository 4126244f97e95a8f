/* Steps that normalize, by ops and spelled out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/ops/infer/infer.h"
#include "tests/differ/graph_build.h"

enum { RANK = 4, RARELY = 12 };

static qn_value *pair(qn_random_model *m, qn_op_kind kind, qn_value *x, qn_value *y) {
  bool turned = (qn_op_infos[kind].traits & QN_COMMUTATIVE) && qn_random_chance(m, 2);
  const qn_type *f32 = qn_type_element(x->type);
  return qn_build_inferred(&m->b, kind, f32, QN_VALUES(turned ? y : x, turned ? x : y), NULL);
}

static qn_value *number(qn_random_model *m, float value) {
  const qn_type *type = graph_tensor(m, 0, NULL);
  const qn_attr *attr = qn_attr_dense(&m->cx, type, (qn_bytes){(uint8_t *)&value, 4}, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", attr}));
}

static qn_value *reduced(qn_random_model *m, qn_op_kind kind, qn_value *x, const int64_t *axes,
                         uint32_t count) {
  int64_t dims[RANK];
  for (uint32_t i = 0; i < RANK; i++) dims[i] = x->type->shaped.dims[i];
  for (uint32_t i = 0; i < count; i++) dims[axes[i]] = 1;
  return qn_build_1(&m->b, kind, graph_tensor(m, RANK, dims), QN_VALUES(x),
                    QN_ATTRS({"axes", qn_random_i64s(m, axes, count)},
                             {"keep_dims", qn_attr_bool(&m->cx, true)}));
}

static qn_value *squared(qn_random_model *m, qn_value *x) {
  return qn_random_chance(m, 2) ? graph_unary(m, QN_OP_ML_SQUARE, x) : pair(m, QN_OP_ML_MUL, x, x);
}

/* What a spelling is made of. */
typedef struct spelling {
  qn_value *x, *mean, *difference, *variance, *gamma, *beta; /* the variance with epsilon */
} spelling;

static qn_value *spread(qn_random_model *m, const spelling *s) {
  qn_value *scale = pair(m, QN_OP_ML_MUL, graph_unary(m, QN_OP_ML_RSQRT, s->variance), s->gamma);
  qn_value *shift = pair(m, QN_OP_ML_SUB, s->beta, pair(m, QN_OP_ML_MUL, s->mean, scale));
  return pair(m, QN_OP_ML_ADD, pair(m, QN_OP_ML_MUL, s->x, scale), shift);
}
static qn_value *quotient(qn_random_model *m, const spelling *s) {
  qn_value *root = qn_random_chance(m, 2) ? graph_unary(m, QN_OP_ML_SQRT, s->variance)
                                          : pair(m, QN_OP_ML_POW, s->variance, number(m, 0.5F));
  qn_value *y = pair(m, QN_OP_ML_REAL_DIV, s->difference, root);
  return pair(m, QN_OP_ML_ADD, pair(m, QN_OP_ML_MUL, y, s->gamma), s->beta);
}
static qn_value *plain(qn_random_model *m, const spelling *s) {
  return pair(m, QN_OP_ML_MUL, graph_unary(m, QN_OP_ML_RSQRT, s->variance), s->difference);
}
static qn_value *negated(qn_random_model *m, const spelling *s) {
  qn_value *r = graph_unary(m, QN_OP_ML_RSQRT, s->variance);
  qn_value *shift = pair(m, QN_OP_ML_MUL, pair(m, QN_OP_ML_MUL, r, s->mean), number(m, -1));
  return pair(m, QN_OP_ML_ADD, pair(m, QN_OP_ML_MUL, s->x, r), shift);
}
static qn_value *scaled_first(qn_random_model *m, const spelling *s) {
  return pair(m, QN_OP_ML_ADD, pair(m, QN_OP_ML_MUL, plain(m, s), s->gamma), s->beta);
}
static qn_value *shifted_first(qn_random_model *m, const spelling *s) {
  return pair(m, QN_OP_ML_MUL, pair(m, QN_OP_ML_ADD, plain(m, s), s->beta), s->gamma);
}

static qn_value *mean_of(qn_random_model *m, qn_value *x, const int64_t *axes, uint32_t count,
                         bool sums) {
  if (!sums) return reduced(m, QN_OP_ML_REDUCE_MEAN, x, axes, count);
  qn_value *sum = reduced(m, QN_OP_ML_REDUCE_SUM, x, axes, count);
  int64_t terms = qn_type_elements(x->type) / qn_type_elements(sum->type);
  return pair(m, QN_OP_ML_MUL, sum, number(m, 1 / (float)terms));
}

/* Over rows and columns, or over the last dimensions; parameters per channel, or of what is
 * reduced. Rarely the variance is over something else. An epsilon that is not small keeps what is
 * computed with sums of squares near. */
qn_value *step_normalized(qn_random_model *m, qn_value *x) {
  static qn_value *(*const spellings[])(qn_random_model *, const spelling *) = {
      spread, quotient, plain, negated, scaled_first, shifted_first};
  static const struct {
    int64_t axes[3];
    uint32_t count, first, rank; /* the parameters' dimensions: of these of x, the others are 1 */
  } rows[] = {
      {{1, 2}, 2, 3, 1}, {{2, 3}, 2, 1, 3}, {{3}, 1, 3, 1}, {{2, 3}, 2, 2, 2}, {{1}, 1, 1, 3}};
  uint32_t row = (uint32_t)qn_random_between(m, 0, QN_COUNT(rows) - 1);
  int64_t dims[3] = {1, 1, 1};
  dims[0] = x->type->shaped.dims[rows[row].first];
  if (row == 3) dims[1] = x->type->shaped.dims[3];
  spelling s = {.x = x,
                .gamma = graph_reals(m, rows[row].rank, dims),
                .beta = graph_reals(m, rows[row].rank, dims)};
  bool sums = qn_random_chance(m, 5);
  s.mean = mean_of(m, x, rows[row].axes, rows[row].count, sums);
  if (sums) {
    s.variance = mean_of(m, squared(m, x), rows[row].axes, rows[row].count, true);
    s.variance = pair(m, QN_OP_ML_SUB, s.variance, squared(m, s.mean));
  } else {
    s.difference = pair(m, QN_OP_ML_SUB, x, s.mean);
    uint32_t other = qn_random_chance(m, RARELY) ? (row + 1) % QN_COUNT(rows) : row;
    s.variance = mean_of(m, squared(m, s.difference), rows[other].axes, rows[other].count, false);
  }
  s.variance = qn_build_1(&m->b, QN_OP_ML_ADD, s.variance->type,
                          QN_VALUES(s.variance, number(m, 0.125F)), NULL);
  x = sums ? spread(m, &s) : spellings[qn_random_between(m, 0, QN_COUNT(spellings) - 1)](m, &s);
  return x;
}

qn_value *step_batch_norm(qn_random_model *m, qn_value *x) {
  int64_t axis = qn_random_chance(m, 8) ? 1 : 3, channels = x->type->shaped.dims[axis];
  qn_value *operands[5] = {x};
  for (int i = 1; i < 5; i++) operands[i] = graph_reals(m, 1, &channels);
  operands[2] = graph_unary(m, QN_OP_ML_ABS, operands[2]);
  const float quarter = 0.25F;
  if (!qn_random_chance(m, RARELY)) {
    const qn_attr *attr =
        qn_attr_dense(&m->cx, operands[1]->type, (qn_bytes){(const uint8_t *)&quarter, 4}, false);
    operands[2] =
        qn_build_1(&m->b, QN_OP_ML_CONST, operands[1]->type, NULL, 0, QN_ATTRS({"value", attr}));
  }
  return qn_build_1(&m->b, QN_OP_ML_BATCH_NORM, x->type, operands,
                    (uint32_t)qn_random_between(m, 3, 5),
                    QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}));
}

qn_value *step_scale_and_shift(qn_random_model *m, qn_value *x) {
  uint32_t first = qn_random_chance(m, 2) ? 1 : 3;
  int64_t dims[3] = {x->type->shaped.dims[first], 1, 1};
  qn_value *k[2];
  for (int i = 0; i < 2; i++) k[i] = graph_reals(m, 4 - first, dims);
  x = qn_build_1(&m->b, QN_OP_ML_MUL, x->type, QN_VALUES(x, k[0]), NULL);
  return qn_build_1(&m->b, QN_OP_ML_ADD, x->type, QN_VALUES(k[1], x), NULL);
}
