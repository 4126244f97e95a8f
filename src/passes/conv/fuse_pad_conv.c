/* fuse-pad-conv: folds a pad with zeros into the convolution after it, and moves a pad before a
 * transpose and a convolution to after the transpose.
 *
 *   %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 2, 2, 0, 0>}
 *   %1 = "ml.conv"(%0, %w) {pad = array<i64: 0, 0, 0, 0>, ...}
 *     ->
 *   %1 = "ml.conv"(%x, %w) {pad = array<i64: 1, 1, 2, 2>, ...}
 *
 *   conv(transpose(pad(%x)))   ->   conv(pad(transpose(%x)))
 *
 * A convolution pads with the real 0. So the value that the pad stores must be the zero point of
 * the type that the convolution reads, and the pad must not change the type. Only rows, columns and
 * planes are padded, and by less than the kernel's extent, because no kernel is made for windows of
 * padding only. No other op reads the pad or the transpose.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

enum { CONV, PAD, X, WEIGHTS };

static bool pads_with_zero(const qn_op *pad) {
  const qn_type *type = pad->results[0].type;
  const qn_quant_uniform *q = qn_type_quant(type);
  bool zero = q ? !qn_pad_names_border(pad) || qn_pad_border_is(pad, q->zero_points[0])
                : qn_pad_border_is(pad, 0);
  return qn_op_operand(pad, 0)->type->shaped.element == type->shaped.element &&
         qn_is_position_free(type) && zero;
}

static qn_value *own_padding(qn_rewriter *rw, const qn_matched *m) {
  qn_op *conv = m->op[CONV], *pad = m->op[PAD];
  const int64_t *more = qn_op_pad(pad).data, *own = qn_op_pad(conv).data;
  const int64_t *dilations = qn_op_dilations(conv).data;
  uint32_t count = qn_op_pad(conv).count;
  QN_ASSERT(qn_op_pad(pad).count == count + 4); /* batch and channels, too */
  if (!pads_with_zero(pad) || more[0] || more[1] || more[count + 2] || more[count + 3]) return NULL;
  int64_t sum[2 * QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < count; i++) {
    sum[i] = own[i] + more[2 + i];
    int64_t reach = (qn_dim(m->value[WEIGHTS], 1 + i / 2) - 1) * dilations[i / 2];
    if (sum[i] > reach) return NULL;
  }
  qn_value *operands[3] = {m->value[X], m->value[WEIGHTS], NULL};
  if (conv->operand_count > 2) operands[2] = qn_op_operand(conv, 2);
  qn_value *made = qn_build_like(rw, conv, operands, conv->operand_count, m->value[CONV]->type);
  qn_set_i64s(rw, made, "pad", sum, count);
  return made;
}

static const qn_graph_rule zeros = {
    .rows = {{.kinds = {QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV}, .operands = {PAD, WEIGHTS}},
             {.kinds = {QN_OP_ML_PAD}, .flags = QN_ONLY_USE, .operands = {X}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE}},
    .rewrite = own_padding,
};

/* ---- after a transpose ---- */

enum { TRANSPOSE = 1, TRANSPOSED_PAD, SOURCE };

static qn_value *pad_behind(qn_rewriter *rw, const qn_matched *m) {
  qn_op *conv = m->op[CONV], *transpose = m->op[TRANSPOSE], *pad = m->op[TRANSPOSED_PAD];
  const qn_type *to = transpose->results[0].type;
  int64_t amounts[2 * QN_ML_MAX_RANK];
  bool moves = pad->results[0].type->shaped.element == to->shaped.element &&
               m->value[SOURCE]->type->shaped.element == to->shaped.element &&
               qn_is_position_free(to);
  if (!moves) return NULL;
  qn_i64s perm = qn_op_perm(transpose), old = qn_op_pad(pad);
  QN_ASSERT(old.count == 2 * perm.count && old.count <= QN_COUNT(amounts));
  for (uint32_t i = 0; i < 2 * perm.count; i++) amounts[i] = old.data[2 * perm.data[i / 2] + i % 2];
  const qn_type *moved = qn_type_permuted(rw->cx, m->value[SOURCE]->type, perm);
  qn_value *y = qn_build_like(rw, transpose, QN_VALUES(m->value[SOURCE]), moved);
  y = qn_build_like(rw, pad, QN_VALUES(y), to);
  qn_set_i64s(rw, y, "pad", amounts, 2 * perm.count);
  qn_value *operands[3] = {y, qn_op_operand(conv, 1), NULL};
  if (conv->operand_count > 2) operands[2] = qn_op_operand(conv, 2);
  return qn_build_like(rw, conv, operands, conv->operand_count, m->value[CONV]->type);
}

static const qn_graph_rule transposed = {
    .rows = {{.kinds = {QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV}, .operands = {TRANSPOSE}},
             {.kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE, .operands = {TRANSPOSED_PAD}},
             {.kinds = {QN_OP_ML_PAD}, .flags = QN_ONLY_USE, .operands = {SOURCE}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = pad_behind,
};

static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("pad-of-convolution", QN_OP_ML_CONV, zeros),
    QN_GRAPH_RULE("pad-of-depthwise", QN_OP_ML_DEPTHWISE_CONV, zeros),
    QN_GRAPH_RULE("pad-behind-transpose", QN_OP_ML_CONV, transposed),
    QN_GRAPH_RULE("pad-behind-transpose", QN_OP_ML_DEPTHWISE_CONV, transposed),
};

const qn_pass qn_pass_fuse_pad_conv = {
    .name = "fuse-pad-conv",
    .summary = "make pads of zeros the padding of the convolution after them",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
