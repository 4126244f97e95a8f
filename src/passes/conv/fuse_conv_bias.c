/* fuse-conv-bias: a constant added to a convolution, or subtracted from it or it from the constant,
 * that nothing else reads becomes a bias.
 *
 *   %0 = "ml.conv"(%x, %w, %b)
 *   %1 = "ml.add"(%0, %k) {activation = "relu"}
 *     ->
 *   %1 = "ml.conv"(%x, %w, %b + %k) {activation = "relu"}
 *
 *   "ml.sub"(%k, conv)   ->   weights and bias change sign first
 *
 * %k has one number or one per output channel, and does not make the result larger; the convolution
 * has no activation of its own, and its bias is known. Floats alone: between a quantized
 * convolution and what adds to it the profile rounds.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding, as sums start with the bias.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"

#define ROWS QN_AFFINE_ROWS(QN_CONVOLUTIONS, QN_OP_ML_ADD, QN_OP_ML_SUB)
static const qn_graph_rule rule = {.rows = ROWS, .rewrite = qn_fuse_into_bias};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("add-to-convolution", QN_OP_ML_ADD, rule),
    QN_GRAPH_RULE("subtract-from-convolution", QN_OP_ML_SUB, rule),
};

const qn_pass qn_pass_fuse_conv_bias = {
    .name = "fuse-conv-bias",
    .summary = "make constants added to a convolution its bias",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
