/* transpose-pair-folding: removes two transposes if the second one inverts the first, also with
 * elementwise ops of one operand between them.
 *
 *   %0 = "ml.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>}
 *   %1 = "ml.relu"(%0)                                         ->   %1 = "ml.relu"(%x)
 *   %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 3, 1>}
 *
 * No op of the chain has other readers. Types with a scale per channel stay, because the transpose
 * changes the channel dimension.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/between.h"

static qn_value *fold(qn_rewriter *rw, const qn_matched *m) {
  qn_i64s first = qn_op_perm(m->op[1]), second = qn_op_perm(m->op[0]);
  for (uint32_t i = 0; i < second.count; i++)
    if (first.data[second.data[i]] != i) return NULL;
  return qn_reshape_between(rw, m);
}

static const qn_graph_rule rule = {
    .rows = QN_BETWEEN_ROWS(QN_OP_ML_TRANSPOSE),
    .rewrite = fold,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("transpose-pair", QN_OP_ML_TRANSPOSE, rule)};

const qn_pass qn_pass_transpose_pair_folding = {
    .name = "transpose-pair-folding",
    .summary = "remove transposes that undo each other around elementwise ops",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
