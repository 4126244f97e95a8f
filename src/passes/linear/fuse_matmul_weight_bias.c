/* fuse-matmul-weight-bias: replaces a matmul with constant weights and the addition of a constant
 * by a linear op.
 *
 *   %0 = "ml.matmul"(%x, %w)
 *   %1 = "ml.add"(%0, %k)       ->   %1 = "ml.linear"(%x, transposed %w, %k)
 *
 *   "ml.sub"(%0, %k)            ->   the bias is -%k
 *   "ml.sub"(%k, %0)            ->   the weights are negated
 *
 * %w has two dimensions and no other use. %k has one element, or one per output channel (the last
 * dimension), and does not make the result larger. No other op reads the matmul. With transpose_x,
 * a transpose op of x is inserted. Weights as left operand stay, because a linear multiplies from
 * the right. Weights that a quant.dcast makes are compressed, and stay. Applies to floats only.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: sums start with the bias.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"

enum { SUM, PRODUCT, CONSTANT, X, WEIGHTS };

/* Builds the weights of the linear, [out, in], multiplied by `sign`. */
static qn_value *weights_of(qn_rewriter *rw, const qn_matched *m, const int64_t dims[2],
                            double sign) {
  const qn_value *w = m->value[WEIGHTS];
  bool transposed = qn_op_transpose_y(m->op[PRODUCT]);
  double *values = QN_NEW_ARRAY(rw->pc->scratch, dims[0] * dims[1], double);
  for (int64_t unit = 0; unit < dims[0]; unit++)
    for (int64_t i = 0; i < dims[1]; i++) {
      int64_t at = transposed ? unit * dims[1] + i : i * dims[0] + unit;
      values[unit * dims[1] + i] = sign * qn_literal_real(w, at);
    }
  return qn_build_reals(rw, qn_type_with_dims(rw->cx, w->type, 2, dims), values);
}

static qn_value *bias_of(qn_rewriter *rw, const qn_matched *m, int64_t units, double sign) {
  const qn_value *k = m->value[CONSTANT];
  double *values = QN_NEW_ARRAY(rw->pc->scratch, units, double);
  bool one = qn_type_elements(k->type) == 1;
  for (int64_t i = 0; i < units; i++) values[i] = sign * qn_literal_real(k, one ? 0 : i);
  return qn_build_reals(rw, qn_type_with_dims(rw->cx, k->type, 1, &units), values);
}

static qn_value *input_of(qn_rewriter *rw, const qn_matched *m) {
  qn_value *x = m->value[X];
  if (!qn_op_transpose_x(m->op[PRODUCT])) return x;
  int64_t perm[QN_ML_MAX_RANK];
  uint32_t rank = qn_rank(x);
  for (uint32_t i = 0; i < rank; i++) perm[i] = i;
  perm[rank - 2] = rank - 1, perm[rank - 1] = rank - 2;
  const qn_type *type = qn_type_permuted(rw->cx, x->type, (qn_i64s){perm, rank});
  return qn_build_1(&rw->builder, QN_OP_ML_TRANSPOSE, type, QN_VALUES(x),
                    QN_ATTRS({"perm", qn_attr_i64s(rw->cx, perm, rank)}));
}

static qn_value *linear(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = m->value[SUM]->type;
  if (!qn_matched_floats(m) || m->value[PRODUCT]->type != type || qn_rank(m->value[X]) < 2 ||
      qn_rank(m->value[WEIGHTS]) != 2)
    return NULL;
  bool ty = qn_op_transpose_y(m->op[PRODUCT]);
  const int64_t dims[2] = {qn_dim(m->value[WEIGHTS], ty ? 0 : 1),
                           qn_dim(m->value[WEIGHTS], ty ? 1 : 0)};
  if (!qn_is_per_channel(m->value[CONSTANT], dims[0])) return NULL;
  bool subtracts = m->op[SUM]->kind == QN_OP_ML_SUB, negates = subtracts && m->swapped;
  qn_value *x = input_of(rw, m), *w = weights_of(rw, m, dims, negates ? -1 : 1);
  qn_value *b = bias_of(rw, m, dims[0], subtracts && !negates ? -1 : 1);
  qn_value *y = qn_build_1(&rw->builder, QN_OP_ML_LINEAR, type, QN_VALUES(x, w, b), NULL);
  qn_op_set_attr(rw->module, y->op, "activation", qn_op_find(m->op[SUM], QN_A_ACTIVATION));
  return y;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB},
              .flags = QN_EITHER_SIDE,
              .operands = {PRODUCT, CONSTANT}},
             {.kinds = {QN_OP_ML_MATMUL}, .flags = QN_ONLY_USE, .operands = {X, WEIGHTS}},
             {.flags = QN_ANY_VALUE | QN_LITERAL},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL | QN_ONLY_USE}},
    .rewrite = linear,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("add-to-product", QN_OP_ML_ADD, rule),
    QN_GRAPH_RULE("subtract-from-product", QN_OP_ML_SUB, rule),
};

const qn_pass qn_pass_fuse_matmul_weight_bias = {
    .name = "fuse-matmul-weight-bias",
    .summary = "make linears of products with constant weights and a bias",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
