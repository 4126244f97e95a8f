/* fuse-conv-batchnorm: a convolution that only a normalization by constants reads gets other
 * weights and another bias.
 *
 *   %0 = "ml.conv"(%x, %w, %b)
 *   %1 = "ml.batch_norm"(%0, %mean, %variance, %gamma, %beta) {axis = 3 : i64}
 *     ->
 *   k = %gamma / root of (%variance + epsilon)
 *   %1 = "ml.conv"(%x, %w * k, k * (%b - %mean) + %beta)
 *
 * Where there are no gamma, beta and bias they are 1, 0 and 0; a bias there is afterwards. The axis
 * is the channels of the convolution, which has no activation of its own; every k and bias is
 * finite. Floats alone. Weights that a quant.dcast makes are compressed, and stay.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding, as products are rounded elsewhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"
#include "ir/ops/forms.h"

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_BATCH_NORM}, .operands = {QN_AFFINE_OP}},
             {.kinds = QN_CONVOLUTIONS, .flags = QN_ONLY_USE | QN_PLAIN}},
    .rewrite = qn_fuse_batch_norm,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("normalize-weights", QN_OP_ML_BATCH_NORM, rule)};

const qn_pass qn_pass_fuse_conv_batchnorm = {
    .name = "fuse-conv-batchnorm",
    .summary = "normalize the weights instead of the result of a convolution",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
