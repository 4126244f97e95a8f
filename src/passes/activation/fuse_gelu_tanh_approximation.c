/* fuse-gelu-tanh-approximation: gelu that is approximated with a hyperbolic tangent becomes one op.
 *
 *   x * (0.5 * (1 + tanh(0.79788 * (x + 0.044715 * x^3))))
 *     ->
 *   "ml.gelu"(%x) {mode = "tanh_approximation"}
 *
 * The factors x, 0.5 and the sum can be in any order, and so can the operands of each sum and
 * product; the cube is an ml.pow. Each constant has one element, or all its elements are equal:
 * 0.5, 1 and 3 exactly, the others within 1e-4. No other op reads an intermediate result; x may
 * have other uses. Applies to floats only, and if the result has the type of x.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, as the model's constants are rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/activation/gelu.h"
#include "ir/ops/forms.h"

enum { TANH = GELU_WEIGHT, SCALED, SCALE, POLYNOMIAL, TERM, FACTOR, CUBE, THREE };

static bool is_near(const qn_value *literal, double value, double part) {
  return qn_type_element(literal->type)->kind == QN_TYPE_FLOAT &&
         qn_literal_near(literal, value, part);
}

static qn_value *gelu(qn_rewriter *rw, const qn_matched *m) {
  if (!is_near(m->value[SCALE], 0.7978845608028654, QN_GELU_NEAR) ||
      !is_near(m->value[FACTOR], 0.044715, QN_GELU_NEAR) || !is_near(m->value[THREE], 3, 0))
    return NULL;
  return qn_build_gelu(rw, m, "tanh_approximation");
}

QN_GELU_RULES(rules, gelu, {.kinds = {QN_OP_ML_TANH}, .flags = QN_ONLY_USE, .operands = {SCALED}},
              {.kinds = {QN_OP_ML_MUL},
               .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
               .operands = {POLYNOMIAL, SCALE}},
              {.flags = QN_ANY_VALUE | QN_LITERAL},
              {.kinds = {QN_OP_ML_ADD},
               .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
               .operands = {TERM, GELU_X}},
              {.kinds = {QN_OP_ML_MUL},
               .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
               .operands = {CUBE, FACTOR}},
              {.flags = QN_ANY_VALUE | QN_LITERAL},
              {.kinds = {QN_OP_ML_POW}, .flags = QN_ONLY_USE, .operands = {GELU_X, THREE}},
              {.flags = QN_ANY_VALUE | QN_LITERAL});
static const qn_pattern patterns[] = {QN_GRAPH_RULE("half-of-sum", QN_OP_ML_MUL, rules[0]),
                                      QN_GRAPH_RULE("half-of-product", QN_OP_ML_MUL, rules[1]),
                                      QN_GRAPH_RULE("half-of-x", QN_OP_ML_MUL, rules[2])};

const qn_pass qn_pass_fuse_gelu_tanh_approximation = {
    .name = "fuse-gelu-tanh-approximation",
    .summary = "make one op of a gelu that is spelled with a tangent",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
