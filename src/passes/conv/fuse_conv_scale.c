/* fuse-conv-scale: folds a multiplication or division of a convolution's result by constants into
 * weights and bias.
 *
 *   %0 = "ml.conv"(%x, %w, %b)
 *   %1 = "ml.mul"(%0, %k)       ->   %1 = "ml.conv"(%x, %w * %k, %b * %k)
 *
 *   "ml.real_div"(%0, %k)       ->   the same with 1 / %k
 *
 * %k has one element or one per output channel, on either side of a product, and does not make the
 * result larger. Weights and bias are constant; no other op reads the convolution, which has no
 * fused activation. Applies to floats only, as fuse-conv-bias. A divisor must have an inverse as
 * for divide-to-multiply. Weights that a quant.dcast makes are compressed, and stay.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: products are rounded in the weights
 * instead of the results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"
#include "ir/ops/forms.h"

#define ROWS QN_AFFINE_ROWS(QN_CONVOLUTIONS, QN_OP_ML_MUL, QN_OP_ML_REAL_DIV)
static const qn_graph_rule rule = {.rows = ROWS, .rewrite = qn_fuse_into_weights};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("multiply-convolution", QN_OP_ML_MUL, rule),
    QN_GRAPH_RULE("divide-convolution", QN_OP_ML_REAL_DIV, rule),
};

const qn_pass qn_pass_fuse_conv_scale = {
    .name = "fuse-conv-scale",
    .summary = "multiply the weights instead of the result of a convolution",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
