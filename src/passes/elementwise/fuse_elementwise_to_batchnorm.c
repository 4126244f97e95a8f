/* fuse-elementwise-to-batchnorm: replaces a multiplication and an addition of constants per channel
 * by a batch normalization.
 *
 *   %0 = "ml.mul"(%x, %g)
 *   %1 = "ml.add"(%0, %b)
 *     ->
 *   %1 = "ml.batch_norm"(%x, 0.0, 1.0, %g, %b) {axis = 1 : i64, epsilon = 0.0 : f64}
 *
 * Both constants have more than one element, all in one dimension of x that is not the first. The
 * operands of product and sum can be in any order, and no other op reads the product. x has 4
 * dimensions and is of floats.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { SUM, PRODUCT, X, GAMMA, BETA, RANK = 4 };

/* The dimension of x that the constant's elements vary along; 0 if there is none, or several. */
static uint32_t channel_axis(const qn_value *constant, const qn_value *x) {
  uint32_t axis = 0, missing = RANK - qn_rank(constant);
  for (uint32_t i = 0; i < qn_rank(constant); i++) {
    if (qn_dim(constant, i) == 1) continue;
    if (axis || qn_dim(constant, i) != qn_dim(x, missing + i)) return 0;
    axis = missing + i;
  }
  return axis;
}

static qn_value *vector(qn_rewriter *rw, const qn_value *x, uint32_t axis, const qn_value *constant,
                        double otherwise) {
  int64_t count = qn_dim(x, axis);
  double *values = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  for (int64_t i = 0; i < count; i++)
    values[i] = constant ? qn_literal_real(constant, i) : otherwise;
  return qn_build_reals(rw, qn_type_with_dims(rw->cx, x->type, 1, &count), values);
}

static qn_value *normalization(qn_rewriter *rw, const qn_matched *m) {
  qn_value *x = m->value[X], *gamma = m->value[GAMMA], *beta = m->value[BETA];
  if (x->type != m->value[SUM]->type || !qn_matched_floats(m) || qn_rank(x) != RANK) return NULL;
  uint32_t axis = channel_axis(gamma, x);
  if (axis == 0 || axis != channel_axis(beta, x)) return NULL;
  qn_value *operands[] = {x, vector(rw, x, axis, NULL, 0), vector(rw, x, axis, NULL, 1),
                          vector(rw, x, axis, gamma, 0), vector(rw, x, axis, beta, 0)};
  return qn_build_1(
      &rw->builder, QN_OP_ML_BATCH_NORM, x->type, operands, QN_COUNT(operands),
      QN_ATTRS({"axis", qn_attr_i64(rw->cx, axis)}, {"epsilon", qn_attr_real(rw, 0)}));
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_ADD},
              .flags = QN_PLAIN | QN_EITHER_SIDE,
              .operands = {PRODUCT, BETA}},
             {.kinds = {QN_OP_ML_MUL},
              .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
              .operands = {X, GAMMA}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = normalization,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("product-and-sum", QN_OP_ML_ADD, rule)};

const qn_pass qn_pass_fuse_elementwise_to_batchnorm = {
    .name = "fuse-elementwise-to-batchnorm",
    .summary = "make a normalization of a product and a sum per channel",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
