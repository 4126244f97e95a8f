/* fuse-gelu-sigmoid-approximation: gelu spelled with the logistic function becomes one op.
 *
 *   x * sigmoid(1.702 * x)   ->   "ml.gelu"(%x) {mode = "sigmoid_approximation"}
 *
 * The operands of each product are in any order. The constant is of one number, or all the same,
 * within 1e-4 of 1.702: a sigmoid of x itself is another function. Nothing else reads what is
 * computed between; x may have other uses. Floats alone, and the result has the type of x.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, as the model's constant is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/activation/gelu.h"

enum { PRODUCT, SIGMOID, SCALED, X, FACTOR };

static qn_value *gelu(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = m->value[X]->type;
  if (m->value[PRODUCT]->type != type || m->value[SCALED]->type != type || !qn_matched_floats(m) ||
      !qn_literal_near(m->value[FACTOR], 1.702, QN_GELU_NEAR))
    return NULL;
  return qn_build_1(&rw->builder, QN_OP_ML_GELU, type, QN_VALUES(m->value[X]),
                    QN_ATTRS({"mode", qn_attr_word(rw->cx, QN_A_GELU_MODE, QN_GELU_SIGMOID)}));
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_MUL},
              .flags = QN_PLAIN | QN_EITHER_SIDE,
              .operands = {SIGMOID, X}},
             {.kinds = {QN_OP_ML_SIGMOID}, .flags = QN_ONLY_USE, .operands = {SCALED}},
             {.kinds = {QN_OP_ML_MUL},
              .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
              .operands = {X, FACTOR}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = gelu,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("weighted-by-logistic", QN_OP_ML_MUL, rule)};

const qn_pass qn_pass_fuse_gelu_sigmoid_approximation = {
    .name = "fuse-gelu-sigmoid-approximation",
    .summary = "make one op of a gelu that is spelled with the logistic function",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
