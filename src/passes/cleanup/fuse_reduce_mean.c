/* fuse-reduce-mean: replaces a sum over axes that is divided by the number of its terms by a mean.
 *
 *   %0 = "ml.reduce_sum"(%x) {axes = array<i64: 1>, keep_dims = true} : (tensor<2x4xf32>) -> ...
 *   %1 = "ml.real_div"(%0, 4.0)   or   "ml.mul"(%0, 0.25)
 *     ->
 *   %1 = "ml.reduce_mean"(%x) {axes = array<i64: 1>, keep_dims = true}
 *
 * The constant has one element, or equal elements, with a relative error of at most 1e-6 from the
 * number of terms or its inverse, and does not make the result larger. The sum is the dividend, and
 * no other op reads it. Applies to floats only.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: the op divides, or rounds products,
 * elsewhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { MEAN, SUM, COUNT };
#define NEAR 1e-6

static qn_value *mean(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *sum = m->op[SUM];
  if (m->value[MEAN]->type != m->value[SUM]->type || !qn_matched_floats(m)) return NULL;
  qn_value *x = qn_op_operand(sum, 0);
  if (!qn_op_is_of_floats(sum)) return NULL;
  double terms = (double)(qn_type_elements(x->type) / qn_type_elements(m->value[SUM]->type));
  bool divides = m->op[MEAN]->kind == QN_OP_ML_REAL_DIV;
  if (!qn_literal_near(m->value[COUNT], divides ? terms : 1 / terms, NEAR)) return NULL;
  return qn_build_1(&rw->builder, QN_OP_ML_REDUCE_MEAN, m->value[MEAN]->type, QN_VALUES(x),
                    QN_ATTRS({"axes", qn_op_find(sum, QN_A_AXES)},
                             {"keep_dims", qn_op_find(sum, QN_A_KEEP_DIMS)}));
}

#define ROWS(kind, either)                                                                         \
  {                                                                                                \
    {.kinds = {kind}, .flags = QN_PLAIN | (either), .operands = {SUM, COUNT}},                     \
        {.kinds = {QN_OP_ML_REDUCE_SUM}, .flags = QN_ONLY_USE}, {                                  \
      .flags = QN_ANY_VALUE | QN_LITERAL                                                           \
    }                                                                                              \
  }
static const qn_graph_rule multiplied = {ROWS(QN_OP_ML_MUL, QN_EITHER_SIDE), mean};
static const qn_graph_rule divided = {ROWS(QN_OP_ML_REAL_DIV, 0), mean};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("multiply-sum", QN_OP_ML_MUL, multiplied),
                                      QN_GRAPH_RULE("divide-sum", QN_OP_ML_REAL_DIV, divided)};

const qn_pass qn_pass_fuse_reduce_mean = {
    .name = "fuse-reduce-mean",
    .summary = "make a mean of a sum over axes that is divided by its terms",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
