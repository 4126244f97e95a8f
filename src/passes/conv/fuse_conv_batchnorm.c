/* fuse-conv-batchnorm: folds a batch normalization with constant parameters into weights and bias
 * of the convolution before it.
 *
 *   %0 = "ml.conv"(%x, %w, %b)
 *   %1 = "ml.batch_norm"(%0, %mean, %variance, %gamma, %beta) {axis = 3 : i64}
 *     ->
 *   k = %gamma / sqrt(%variance + epsilon)
 *   %1 = "ml.conv"(%x, %w * k, k * (%b - %mean) + %beta)
 *
 * A missing gamma is 1, a missing beta or bias 0; the result always has a bias. The axis is the
 * channels of the convolution, which has no fused activation and no other reader; every k and every
 * bias is finite. Applies to floats only. Weights that a quant.dcast makes are compressed, and
 * stay.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: products are rounded in the weights
 * instead of the results.
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
