/* fuse-linear-bias: folds a constant that is added to the result of a linear op, subtracted from
 * it, or from which it is subtracted, into the bias.
 *
 *   %0 = "ml.linear"(%x, %w, %b)
 *   %1 = "ml.sub"(%k, %0)       ->   %1 = "ml.linear"(%x, -%w, %k - %b)
 *
 * Conditions and effect are those of fuse-conv-bias.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: sums start with the new bias.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"

#define LINEAR                                                                                     \
  { QN_OP_ML_LINEAR }
#define ROWS QN_AFFINE_ROWS(LINEAR, QN_OP_ML_ADD, QN_OP_ML_SUB)
static const qn_graph_rule rule = {.rows = ROWS, .rewrite = qn_fuse_into_bias};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("add-to-linear", QN_OP_ML_ADD, rule),
    QN_GRAPH_RULE("subtract-from-linear", QN_OP_ML_SUB, rule),
};

const qn_pass qn_pass_fuse_linear_bias = {
    .name = "fuse-linear-bias",
    .summary = "make constants added to a linear its bias",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
