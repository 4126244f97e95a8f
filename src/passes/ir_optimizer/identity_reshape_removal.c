/* identity-reshape-removal: removes reshapes to the same shape.
 *
 *   "ml.reshape"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>     ->   %x
 *
 * Operand and result must have the same type: a reshape between two quantized types reinterprets
 * the stored values.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

static qn_value *operand(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  return m->value[1]->type == m->value[0]->type ? m->value[1] : NULL;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {1}}, {.flags = QN_ANY_VALUE}},
    .rewrite = operand,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("identity-reshape", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_identity_reshape_removal = {
    .name = "identity-reshape-removal",
    .summary = "remove reshapes to the shape that is there",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
