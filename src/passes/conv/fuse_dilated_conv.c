/* fuse-dilated-conv: replaces a convolution between space_to_batch and batch_to_space by a
 * convolution with larger dilation.
 *
 *   %0 = "ml.space_to_batch"(%x) {block_shape = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>}
 *   %1 = "ml.conv"(%0, %w) {dilations = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, ...}
 *   %2 = "ml.batch_to_space"(%1) {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>}
 *     ->
 *   %2 = "ml.conv"(%x, %w) {dilations = array<i64: 2, 2>, pad = array<i64: 2, 2, 2, 2>, ...}
 *
 * For rows and columns alike, tap t of result element n reads element n + crop - pad + b (t d -
 * own), with block size b, and dilation d and padding `own` of the convolution. So the new dilation
 * is b d, and the new padding is b own + pad - crop. It must be in [0, (k - 1) b d], because no
 * kernel is made for windows of padding only. Padding is the real 0 in both forms, and sums have
 * the same terms in the same order. Strides are 1, both blocks are equal and cover rows and columns
 * only, no other op reads an intermediate result, and the element type does not change.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { BACK, CONV, THERE, WEIGHTS, X };

static bool are_same_blocks(qn_i64s a, qn_i64s b) {
  for (uint32_t i = 0; i < a.count && a.count == b.count; i++)
    if (a.data[i] != b.data[i]) return false;
  return a.count == b.count && a.count <= 2;
}

static bool keeps_elements(const qn_value *from, const qn_value *to) {
  return from->type->shaped.element == to->type->shaped.element && qn_is_position_free(to->type);
}

/* Computes dilations and padding of the combined convolution. Returns false if there is none. */
static bool place(const qn_matched *m, int64_t dilations[2], int64_t pad[4]) {
  const qn_op *conv = m->op[CONV];
  qn_i64s block = qn_op_block_shape(m->op[THERE]);
  for (uint32_t i = 0; i < 2; i++) {
    int64_t b = i < block.count ? block.data[i] : 1;
    if (qn_op_strides(conv).data[i] != 1) return false;
    dilations[i] = b * qn_op_dilations(conv).data[i];
    int64_t reach = (qn_dim(m->value[WEIGHTS], 1 + i) - 1) * dilations[i];
    for (uint32_t k = 2 * i; k < 2 * i + 2; k++) {
      pad[k] = b * qn_op_pad(conv).data[k];
      if (i < block.count)
        pad[k] += qn_op_pad(m->op[THERE]).data[k] - qn_op_crops(m->op[BACK]).data[k];
      if (pad[k] < 0 || pad[k] > reach) return false;
    }
  }
  return true;
}

static qn_value *dilated(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *conv = m->op[CONV];
  int64_t dilations[2], pad[4];
  if (qn_rank(m->value[CONV]) != 4 ||
      !are_same_blocks(qn_op_block_shape(m->op[THERE]), qn_op_block_shape(m->op[BACK])) ||
      !keeps_elements(m->value[X], m->value[THERE]) ||
      !keeps_elements(m->value[CONV], m->value[BACK]) || !place(m, dilations, pad))
    return NULL;
  qn_value *operands[3] = {m->value[X], m->value[WEIGHTS], NULL};
  if (conv->operand_count > 2) operands[2] = qn_op_operand(conv, 2);
  qn_value *made = qn_build_like(rw, conv, operands, conv->operand_count, m->value[BACK]->type);
  qn_set_i64s(rw, made, "dilations", dilations, 2);
  qn_set_i64s(rw, made, "pad", pad, 4);
  return made;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_BATCH_TO_SPACE}, .operands = {CONV}},
             {.kinds = {QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV},
              .flags = QN_ONLY_USE,
              .operands = {THERE, WEIGHTS}},
             {.kinds = {QN_OP_ML_SPACE_TO_BATCH}, .flags = QN_ONLY_USE, .operands = {X}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE}},
    .rewrite = dilated,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("convolution-of-blocks", QN_OP_ML_BATCH_TO_SPACE, rule)};

const qn_pass qn_pass_fuse_dilated_conv = {
    .name = "fuse-dilated-conv",
    .summary = "move the taps of a convolution apart instead of the image",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
