/* distributive-quantized-binary-op-scale-normalization: divides the scales around an addition of
 * dequantized values by the scale of one operand, so that this operand needs no multiplication.
 *
 *   %0 = quant.dcast %x : !quant.uniform<i8:f32, 0.2>
 *   %1 = quant.dcast %y : !quant.uniform<i8:f32, 0.4>
 *   %2 = "ml.add"(%0, %1)
 *   %3 = quant.qcast %2 : !quant.uniform<i8:f32, 0.8>
 *     ->   with the scales 0.5, 1 and 2, between storage casts
 *
 * Applies to add and sub, also with a relu after them. The operand whose scale becomes 1 has one
 * scale; it is the second operand if possible. All quotients are finite and in [2^-24, 65504], the
 * range of f16. Scales are positive, so a relu commutes with the division. An op with an operand of
 * scale 1 stays. Other readers of the two dcasts are not affected.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: the quotients of scales are rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/ops/forms.h"
#include "ir/types/float_format.h"
#include "passes/support/graph.h"

enum { QUANTIZED, BINARY, LEFT_CAST, RIGHT_CAST, LEFT, RIGHT, RELU };

/* The element type with its scales divided by `by`; NULL if a quotient is out of range. */
static const qn_type *divided(qn_ir_context *cx, const qn_type *type, double by) {
  qn_quant_uniform q = *qn_type_quant(type);
  double *scales = qn_arena_array(&cx->arena, q.count, sizeof *scales);
  for (uint32_t i = 0; i < q.count; i++) {
    /* casts round scales to the expressed type, too */
    scales[i] = qn_float_round(q.expressed->float_kind, q.scales[i] / by);
    if (!isfinite(scales[i]) || scales[i] > 65504 || scales[i] < 0x1p-24) return NULL;
  }
  q.scales = scales;
  return qn_type_with_element(cx, type, qn_type_uniform(cx, &q));
}

static qn_value *cast(qn_rewriter *rw, qn_op_kind kind, qn_value *x, const qn_type *type) {
  qn_value *y = qn_build_unary(&rw->builder, kind, x, type);
  qn_rewriter_touched(rw, y->op);
  return y;
}

typedef struct scaling {
  const qn_type *left, *right, *result;
} scaling;

static bool scale_by(qn_ir_context *cx, const qn_matched *m, uint32_t side, scaling *out) {
  const qn_quant_uniform *q = qn_type_quant(m->value[side]->type);
  if (q->scheme != QN_PER_LAYER || q->scales[0] == 1) return false;
  out->left = divided(cx, m->value[LEFT]->type, q->scales[0]);
  out->right = divided(cx, m->value[RIGHT]->type, q->scales[0]);
  out->result = divided(cx, m->value[QUANTIZED]->type, q->scales[0]);
  return out->left && out->right && out->result;
}

static bool is_scaled(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR && qn_type_quant(type) != NULL;
}

static qn_value *normalize(qn_rewriter *rw, const qn_matched *m) {
  scaling s;
  if (!is_scaled(m->value[LEFT]->type) || !is_scaled(m->value[RIGHT]->type) ||
      !is_scaled(m->value[QUANTIZED]->type))
    return NULL;
  for (uint32_t side = LEFT; side <= RIGHT; side++) {
    const qn_quant_uniform *q = qn_type_quant(m->value[side]->type);
    if (q->scheme == QN_PER_LAYER && q->scales[0] == 1) return NULL; /* normalized already */
  }
  if (!scale_by(rw->cx, m, RIGHT, &s) && !scale_by(rw->cx, m, LEFT, &s)) return NULL;
  qn_value *sides[2] = {m->value[LEFT], m->value[RIGHT]};
  const qn_type *types[2] = {s.left, s.right};
  for (uint32_t i = 0; i < 2; i++) {
    const qn_type *real = qn_op_operand(m->op[BINARY], i)->type;
    qn_value *x = cast(rw, QN_OP_QUANT_SCAST, sides[i], qn_type_stored(rw->cx, sides[i]->type));
    sides[i] = cast(rw, QN_OP_QUANT_DCAST, cast(rw, QN_OP_QUANT_SCAST, x, types[i]), real);
  }
  qn_value *y = qn_build_like(rw, m->op[BINARY], sides, 2, m->value[BINARY]->type);
  if (m->op[RELU]) y = qn_build_like(rw, m->op[RELU], QN_VALUES(y), m->value[RELU]->type);
  y = cast(rw, QN_OP_QUANT_QCAST, y, s.result);
  const qn_type *was = m->value[QUANTIZED]->type;
  return cast(rw, QN_OP_QUANT_SCAST, cast(rw, QN_OP_QUANT_SCAST, y, qn_type_stored(rw->cx, was)),
              was);
}

static qn_value *unclamped(qn_rewriter *rw, const qn_matched *m) {
  qn_activation activation = qn_op_activation(m->op[BINARY]);
  return activation == QN_ACT_NONE || activation == QN_ACT_RELU ? normalize(rw, m) : NULL;
}

#define SUM                                                                                        \
  {.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB}, .flags = QN_ONLY_USE, .operands = {2, 3}},               \
      {.kinds = {QN_OP_QUANT_DCAST}, .operands = {4}},                                             \
      {.kinds = {QN_OP_QUANT_DCAST}, .operands = {5}}, {.flags = QN_ANY_VALUE}, {                  \
    .flags = QN_ANY_VALUE                                                                          \
  }
static const qn_graph_rule plain = {
    .rows = {{.kinds = {QN_OP_QUANT_QCAST}, .operands = {BINARY}}, SUM},
    .rewrite = unclamped,
};
static const qn_graph_rule clamped = {
    .rows = {{.kinds = {QN_OP_QUANT_QCAST}, .operands = {RELU}},
             SUM,
             {.kinds = {QN_OP_ML_RELU}, .flags = QN_ONLY_USE, .operands = {BINARY}}},
    .rewrite = unclamped,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("sum", QN_OP_QUANT_QCAST, plain),
    QN_GRAPH_RULE("clamped-sum", QN_OP_QUANT_QCAST, clamped),
};

const qn_pass qn_pass_distributive_quantized_binary_op_scale_normalization = {
    .name = "distributive-quantized-binary-op-scale-normalization",
    .summary = "compute quantized sums in steps of one of the scales",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
