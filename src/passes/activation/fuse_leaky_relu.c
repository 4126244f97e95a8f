/* fuse-leaky-relu: the maximum of x and x times a constant becomes one op.
 *
 *   %0 = "ml.mul"(%x, %a)
 *   %1 = "ml.maximum"(%0, %x)   ->   %1 = "ml.leaky_relu"(%x) {alpha = a}
 *
 * %a is a constant with one element, or equal elements, in (0, 1]: with 0, an infinite x would give
 * NaN. The operands of both ops can be in any order, and no other op reads the product. Applies to
 * floats only, and if the result has the type of x: a constant of a higher rank would make it
 * larger.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { MAXIMUM, PRODUCT, X, ALPHA };

static qn_value *leaky(qn_rewriter *rw, const qn_matched *m) {
  if (m->value[MAXIMUM]->type != m->value[X]->type || !qn_matched_floats(m)) return NULL;
  double alpha = qn_literal_real(m->value[ALPHA], 0);
  if (!(alpha > 0 && alpha <= 1) || !qn_literal_is(m->value[ALPHA], alpha)) return NULL;
  return qn_build_leaky_relu(rw, m->value[X], alpha);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_MAXIMUM}, .flags = QN_EITHER_SIDE, .operands = {PRODUCT, X}},
             {.kinds = {QN_OP_ML_MUL},
              .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
              .operands = {X, ALPHA}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = leaky,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("greater-part", QN_OP_ML_MAXIMUM, rule)};

const qn_pass qn_pass_fuse_leaky_relu = {
    .name = "fuse-leaky-relu",
    .summary = "make one op of the greater of a tensor and a part of it",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
