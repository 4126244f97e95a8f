/* fuse-gelu-exact: gelu that is computed with the error function becomes one op.
 *
 *   x * (0.5 * (1 + erf(x / 1.41421)))   ->   "ml.gelu"(%x) {mode = "exact"}
 *
 * The factors x, 0.5 and the sum can be in any order, and x * 0.70711 can replace the quotient.
 * Each constant has one element, or all its elements are equal: 0.5 and 1 exactly, the square root
 * within 1e-4. No other op reads an intermediate result; x may have other uses. Applies to floats
 * only, and if the result has the type of x: a constant of a higher rank would make it larger.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, as the model's square root is rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/activation/gelu.h"
#include "ir/ops/forms.h"

enum { ERF = GELU_WEIGHT, SCALED, ROOT };

static qn_value *gelu(qn_rewriter *rw, const qn_matched *m) {
  bool divides = m->op[SCALED]->kind == QN_OP_ML_REAL_DIV;
  if (divides && qn_op_operand(m->op[SCALED], 0) != m->value[GELU_X]) return NULL;
  if (qn_type_element(m->value[ROOT]->type)->kind != QN_TYPE_FLOAT ||
      !qn_literal_near(m->value[ROOT], divides ? 1.4142135623730951 : 0.7071067811865476,
                       QN_GELU_NEAR))
    return NULL;
  return qn_build_gelu(rw, m, "exact");
}

QN_GELU_RULES(rules, gelu, {.kinds = {QN_OP_ML_ERF}, .flags = QN_ONLY_USE, .operands = {SCALED}},
              {.kinds = {QN_OP_ML_MUL, QN_OP_ML_REAL_DIV},
               .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
               .operands = {GELU_X, ROOT}},
              {.flags = QN_ANY_VALUE | QN_LITERAL});
static const qn_pattern patterns[] = {QN_GRAPH_RULE("half-of-sum", QN_OP_ML_MUL, rules[0]),
                                      QN_GRAPH_RULE("half-of-product", QN_OP_ML_MUL, rules[1]),
                                      QN_GRAPH_RULE("half-of-x", QN_OP_ML_MUL, rules[2])};

const qn_pass qn_pass_fuse_gelu_exact = {
    .name = "fuse-gelu-exact",
    .summary = "make one op of a gelu that is spelled with the error function",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
