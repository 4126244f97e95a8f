/* fuse-squeeze-expand-dims: removes a squeeze and an expand_dims, in either order, that cancel.
 *
 *   %0 = "ml.squeeze"(%x) {axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
 *   %1 = "ml.expand_dims"(%0) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
 *     ->
 *   uses of %1 become %x
 *
 * No other op reads the intermediate value. Operand and result have the same type: a dimension of
 * size 1 that is inserted elsewhere gives another shape, or, for per-axis quantization, another
 * axis.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

static qn_value *as_it_was(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  return m->value[2]->type == m->value[0]->type ? m->value[2] : NULL;
}

static const qn_graph_rule inserted = {
    .rows = {{.kinds = {QN_OP_ML_EXPAND_DIMS}, .operands = {1}},
             {.kinds = {QN_OP_ML_SQUEEZE}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = as_it_was,
};
static const qn_graph_rule dropped = {
    .rows = {{.kinds = {QN_OP_ML_SQUEEZE}, .operands = {1}},
             {.kinds = {QN_OP_ML_EXPAND_DIMS}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = as_it_was,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("inserted-again", QN_OP_ML_EXPAND_DIMS, inserted),
    QN_GRAPH_RULE("dropped-again", QN_OP_ML_SQUEEZE, dropped)};

const qn_pass qn_pass_fuse_squeeze_expand_dims = {
    .name = "fuse-squeeze-expand-dims",
    .summary = "drop pairs of ops of which one undoes the other's dimensions of size 1",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
