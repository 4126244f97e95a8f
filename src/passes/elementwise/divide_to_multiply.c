/* divide-to-multiply: replaces a division by a constant by a multiplication.
 *
 *   %0 = "ml.real_div"(%x, 8.0)   ->   %0 = "ml.mul"(%x, 0.125)
 *
 * The inverse of each element, rounded to its type, is finite and normal: no divisor is 0,
 * infinite, NaN, or so large or small that its inverse is subnormal or infinite. Applies to floats
 * only, because integer division truncates. A divisor that is computed from constants counts only
 * after const-elimination has folded it.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: the inverse is rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { QUOTIENT, X, DIVISOR };

static qn_value *product(qn_rewriter *rw, const qn_matched *m) {
  qn_value *y = m->value[DIVISOR];
  if (!qn_matched_floats(m)) return NULL;
  qn_float_kind kind = qn_type_element(y->type)->float_kind;
  int64_t count = qn_type_elements(y->type);
  double *inverses = QN_NEW_ARRAY(rw->pc->scratch, count, double);
  for (int64_t i = 0; i < count; i++) {
    inverses[i] = qn_float_inverse(kind, qn_literal_real(y, i));
    if (inverses[i] == 0) return NULL;
  }
  y = qn_build_reals(rw, y->type, inverses);
  y = qn_build_1(&rw->builder, QN_OP_ML_MUL, m->value[QUOTIENT]->type, QN_VALUES(m->value[X], y),
                 NULL);
  qn_op_set_attr(rw->module, y->op, "activation", qn_op_find(m->op[QUOTIENT], QN_A_ACTIVATION));
  return y;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_REAL_DIV}, .operands = {X, DIVISOR}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = product,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("divide-by-constant", QN_OP_ML_REAL_DIV, rule)};

const qn_pass qn_pass_divide_to_multiply = {
    .name = "divide-to-multiply",
    .summary = "multiply by the inverse instead of dividing by a constant",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
