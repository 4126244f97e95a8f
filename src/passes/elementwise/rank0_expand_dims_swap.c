/* rank0-expand-dims-swap: moves an expand_dims of a scalar before the binary op that computes the
 * scalar.
 *
 *   %0 = "ml.sub"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
 *   %1 = "ml.expand_dims"(%0) {axes = array<i64: 0>} : (tensor<f32>) -> tensor<1xf32>
 *     ->
 *   %2 = "ml.expand_dims"(%a) {axes = array<i64: 0>}
 *   %3 = "ml.expand_dims"(%c) {axes = array<i64: 0>}
 *   %1 = "ml.sub"(%2, %3) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
 *
 * Applies to add, sub, mul, real_div and floor_div with one constant operand. Other ops that read
 * the scalar read "ml.squeeze"(%1). The scalar must not be returned or yielded, and must have one
 * expand_dims only.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { EXPAND, BINARY, VARIABLE, KNOWN };

static qn_value *expanded(qn_rewriter *rw, const qn_matched *m, qn_value *scalar) {
  int64_t one = 1;
  const qn_type *type = qn_type_with_dims(rw->cx, scalar->type, 1, &one);
  return qn_build_like(rw, m->op[EXPAND], QN_VALUES(scalar), type);
}

/* Whether exactly one expand_dims reads the scalar, and no terminator does. */
static bool is_one_vector(const qn_rewriter *rw, const qn_matched *m) {
  const qn_value *scalar = m->value[BINARY];
  uint32_t vectors = 0;
  for (const qn_use *use = scalar->first_use; use; use = use->next) {
    if (qn_op_has(use->owner, QN_TERMINATOR)) return false;
    vectors += use->owner->kind == QN_OP_ML_EXPAND_DIMS;
  }
  return vectors == 1 && (qn_value_has_one_use(scalar) || !qn_pass_keeps(rw->pc, scalar->op));
}

static qn_value *of_vectors(qn_rewriter *rw, const qn_matched *m) {
  bool scalars = qn_rank(m->value[VARIABLE]) == 0 && qn_rank(m->value[KNOWN]) == 0;
  bool moves = m->value[EXPAND]->type->shaped.element == m->value[BINARY]->type->shaped.element;
  if (!scalars || !moves || qn_value_constant(m->value[VARIABLE]) || !is_one_vector(rw, m))
    return NULL;
  const qn_builder at_root = rw->builder;
  /* before all ops that read the scalar */
  rw->builder = qn_builder_before(rw->module, m->op[BINARY]);
  qn_value *operands[2];
  for (uint32_t i = 0; i < 2; i++) operands[i] = expanded(rw, m, qn_op_operand(m->op[BINARY], i));
  qn_value *made = qn_build_like(rw, m->op[BINARY], operands, 2, m->value[EXPAND]->type);
  if (!qn_value_has_one_use(m->value[BINARY])) {
    int64_t first = 0;
    qn_value *scalar =
        qn_build_1(&rw->builder, QN_OP_ML_SQUEEZE, m->value[BINARY]->type, QN_VALUES(made),
                   QN_ATTRS({"axes", qn_attr_i64s(rw->cx, &first, 1)}));
    qn_value_replace_all_uses(m->value[BINARY], scalar);
  }
  rw->builder = at_root;
  return made;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_EXPAND_DIMS}, .operands = {BINARY}},
             {.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB, QN_OP_ML_MUL, QN_OP_ML_REAL_DIV,
                        QN_OP_ML_FLOOR_DIV},
              .flags = QN_EITHER_SIDE,
              .operands = {VARIABLE, KNOWN}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = of_vectors,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("expand-before", QN_OP_ML_EXPAND_DIMS, rule)};

const qn_pass qn_pass_rank0_expand_dims_swap = {
    .name = "rank0-expand-dims-swap",
    .summary = "make vectors of scalars before, not after, arithmetic",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
