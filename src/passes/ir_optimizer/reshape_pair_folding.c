/* reshape-pair-folding: removes two reshapes if the second one restores the shape, also with
 * elementwise ops of one operand between them.
 *
 *   %0 = "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
 *   %1 = "ml.tanh"(%0)                                            ->   %1 = "ml.tanh"(%x)
 *   %2 = "ml.reshape"(%1) : (tensor<6xf32>) -> tensor<2x3xf32>
 *
 * No op of the chain has other readers. Types with a scale per channel stay, because the reshape
 * changes the channel of an element.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/between.h"

#include "ir/verify/check.h"

static qn_value *fold(qn_rewriter *rw, const qn_matched *m) {
  bool restored = qn_same_shape(m->value[2]->type, m->value[0]->type);
  return restored ? qn_reshape_between(rw, m) : NULL;
}

static const qn_graph_rule rule = {
    .rows = QN_BETWEEN_ROWS(QN_OP_ML_RESHAPE),
    .rewrite = fold,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("reshape-pair", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_reshape_pair_folding = {
    .name = "reshape-pair-folding",
    .summary = "remove reshapes that undo each other around elementwise ops",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
