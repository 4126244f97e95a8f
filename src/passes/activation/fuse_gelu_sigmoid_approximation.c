/* fuse-gelu-sigmoid-approximation: gelu that is approximated with the logistic function becomes one
 * op.
 *
 *   x * sigmoid(1.702 * x)   ->   "ml.gelu"(%x) {mode = "sigmoid_approximation"}
 *
 * The operands of each product can be in any order. The constant has one element, or all its
 * elements are equal, within 1e-4 of 1.702. No other op reads an intermediate result; x may have
 * other uses. Applies to floats only, and if the result has the type of x. x * sigmoid(x) is
 * another function and stays.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, as the model's constant is rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/activation/gelu.h"
#include "ir/ops/forms.h"

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
