/* merge-consecutive-reshapes: merges consecutive reshapes without other readers into the last one.
 *
 *   %0 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<3x4xf32>
 *   %1 = "ml.reshape"(%0) : (tensor<3x4xf32>) -> tensor<12xf32>
 *     ->
 *   %1 = "ml.reshape"(%x) : (tensor<2x6xf32>) -> tensor<12xf32>
 *
 * Shapes are in the types, without the special values 0 or -1, whose meaning would depend on the
 * operand.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

static qn_value *one_reshape(qn_rewriter *rw, const qn_matched *m) {
  return qn_build_like(rw, m->op[0], QN_VALUES(m->value[2]), m->value[0]->type);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {1}},
             {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = one_reshape,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("reshape-of-reshape", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_merge_consecutive_reshapes = {
    .name = "merge-consecutive-reshapes",
    .summary = "one reshape in the place of several in a row",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
