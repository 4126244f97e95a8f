/* expand-dynamic-linear: replaces a linear op whose weights or bias are not constant by a matmul
 * and an add.
 *
 *   %0 = "ml.linear"(%x, %w, %b) {activation = "relu"}
 *     ->
 *   %1 = "ml.matmul"(%x, %w) {transpose_y = true}
 *   %0 = "ml.add"(%1, %b) {activation = "relu"}
 *
 * A linear with constant or compressed weights stays, if its bias is constant, compressed or
 * absent. If only its bias is not constant, it stays without the bias, followed by the add. A bias
 * of zeros, also a compressed one, is not added. Applies to floats only: on quantized tensors a
 * profile rounds the two forms differently.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: a linear starts its sums with the bias,
 * here it is added last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { LINEAR, X, WEIGHTS };

/* Whether the value is a constant, or a compressed constant. */
static bool is_static(const qn_value *value) {
  if (value->op && value->op->kind == QN_OP_QUANT_DCAST) value = qn_op_operand(value->op, 0);
  return qn_value_constant(value) != NULL;
}

static bool stores_zeros(const qn_value *stored) {
  const qn_attr *attr = qn_value_constant(stored);
  const qn_quant_uniform *q = qn_type_quant(stored->type);
  if (!attr || !qn_attr_is_elements(attr) || !q || q->scheme != QN_PER_LAYER) return false;
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(stored->type);
  for (int64_t i = 0; i < count; i++)
    if (qn_dense_int(attr, i) != q->zero_points[0]) return false;
  return true;
}

static bool is_zero(const qn_value *bias) {
  const qn_attr *attr = qn_value_constant(bias);
  if (attr) return qn_attr_is_elements(attr) && qn_literal_is(bias, 0.0);
  return bias->op && bias->op->kind == QN_OP_QUANT_DCAST &&
         stores_zeros(qn_op_operand(bias->op, 0));
}

/* Applies the activation after a matmul, which has no fused activation. */
static qn_value *activated(qn_rewriter *rw, const qn_op *linear, qn_value *y) {
  static const qn_op_kind kinds[] = {[QN_ACT_RELU] = QN_OP_ML_RELU,
                                     [QN_ACT_RELU6] = QN_OP_ML_RELU6,
                                     [QN_ACT_RELU_N1_TO_1] = QN_OP_ML_RELU_N1_TO_1};
  qn_activation activation = qn_op_activation(linear);
  if (activation == QN_ACT_NONE) return y;
  return qn_build_1(&rw->builder, kinds[activation], y->type, QN_VALUES(y), NULL);
}

static qn_value *expanded(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *linear = m->op[LINEAR];
  const qn_type *type = m->value[LINEAR]->type;
  qn_value *bias = linear->operand_count > 2 ? qn_op_operand(linear, 2) : NULL;
  bool fixed = is_static(m->value[WEIGHTS]), has_bias = bias && !is_zero(bias);
  if (!qn_op_is_of_floats(linear) || (fixed && (!bias || is_static(bias)))) return NULL;
  /* Only ops with a fused activation clamp to finite values. */
  if (!has_bias && qn_op_activation(linear) == QN_ACT_FINITE) return NULL;
  qn_value *y = qn_build_1(&rw->builder, fixed ? QN_OP_ML_LINEAR : QN_OP_ML_MATMUL, type,
                           QN_VALUES(m->value[X], m->value[WEIGHTS]), NULL);
  if (!fixed) qn_op_set_attr(rw->module, y->op, "transpose_y", qn_attr_bool(rw->cx, true));
  if (!has_bias) return activated(rw, linear, y);
  y = qn_build_1(&rw->builder, QN_OP_ML_ADD, type, QN_VALUES(y, bias), NULL);
  qn_op_set_attr(rw->module, y->op, "activation", qn_op_find(linear, QN_A_ACTIVATION));
  return y;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_LINEAR}, .operands = {X, WEIGHTS}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE}},
    .rewrite = expanded,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("computed-weights", QN_OP_ML_LINEAR, rule)};

const qn_pass qn_pass_expand_dynamic_linear = {
    .name = "expand-dynamic-linear",
    .summary = "replace ml.linear by ml.matmul and ml.add where weights or bias are not constant",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
