/* fuse-prelu: relu of x plus a multiple of relu of -x becomes one op.
 *
 *   relu(x) + a * relu(-x)   ->   "ml.prelu"(%x, -a)
 *
 * -x is an ml.neg or a product with -1. The operands of sum and products can be in any order, and
 * no other op reads an intermediate result. %a is a finite constant of any shape that does not make
 * the result larger than x. It can have a value per channel in any dimension, so no transpose has
 * to be looked through. Applies to floats only.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: only the sign of zeros can change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { SUM, ABOVE, PRODUCT, BELOW, ALPHA, NEGATIVE, X, MINUS_ONE };

static qn_value *prelu(qn_rewriter *rw, const qn_matched *m) {
  const qn_value *alpha = m->value[ALPHA];
  if (m->value[SUM]->type != m->value[X]->type || !qn_matched_floats(m)) return NULL;
  if (m->value[MINUS_ONE] && !qn_literal_is(m->value[MINUS_ONE], -1)) return NULL;
  int64_t count = qn_type_elements(alpha->type);
  double *slopes = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  for (int64_t i = 0; i < count; i++) {
    slopes[i] = -qn_literal_real(alpha, i);
    if (!isfinite(slopes[i])) return NULL;
  }
  return qn_build_1(&rw->builder, QN_OP_ML_PRELU, m->value[X]->type,
                    QN_VALUES(m->value[X], qn_build_reals(rw, alpha->type, slopes)), NULL);
}

#define ROWS(...)                                                                                  \
  {                                                                                                \
    {.kinds = {QN_OP_ML_ADD}, .flags = QN_PLAIN | QN_EITHER_SIDE, .operands = {PRODUCT, ABOVE}},   \
        {.kinds = {QN_OP_ML_RELU}, .flags = QN_ONLY_USE, .operands = {X}},                         \
        {.kinds = {QN_OP_ML_MUL},                                                                  \
         .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,                                         \
         .operands = {BELOW, ALPHA}},                                                              \
        {.kinds = {QN_OP_ML_RELU}, .flags = QN_ONLY_USE, .operands = {NEGATIVE}},                  \
        {.flags = QN_ANY_VALUE | QN_LITERAL}, __VA_ARGS__                                          \
  }
static const qn_graph_rule negated = {
    .rows = ROWS({.kinds = {QN_OP_ML_NEG}, .flags = QN_ONLY_USE, .operands = {X}},
                 {.flags = QN_ANY_VALUE}),
    .rewrite = prelu,
};
static const qn_graph_rule multiplied = {
    .rows = ROWS({.kinds = {QN_OP_ML_MUL},
                  .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,
                  .operands = {X, MINUS_ONE}},
                 {.flags = QN_ANY_VALUE}, {.flags = QN_ANY_VALUE | QN_LITERAL}),
    .rewrite = prelu,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("relus-of-negated", QN_OP_ML_ADD, negated),
                                      QN_GRAPH_RULE("relus-of-product", QN_OP_ML_ADD, multiplied)};

const qn_pass qn_pass_fuse_prelu = {
    .name = "fuse-prelu",
    .summary = "make one op of a rectifier for each side of zero",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
