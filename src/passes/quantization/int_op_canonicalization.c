/* int-op-canonicalization: moves data movement between a dcast and a qcast to the stored integers.
 *
 *   %0 = quant.dcast %x : tensor<6x!q> to tensor<6xf32>
 *   %1 = "ml.reshape"(%0) : (tensor<6xf32>) -> tensor<2x3xf32>
 *   %2 = quant.qcast %1 : tensor<2x3xf32> to tensor<2x3x!q>
 *     ->
 *   %2 = "ml.reshape"(%x) : (tensor<6x!q>) -> tensor<2x3x!q>
 *
 * Both casts have the same element type with one scale: between different types values are
 * requantized, and scales per channel would have to move along. No other op reads the moved values;
 * the dcast stays if it has other uses. Applies to reshape, squeeze, expand_dims, transpose and
 * slice_by_index.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"
#include "passes/support/graph.h"

static qn_value *move_stored(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *from = m->value[3]->type, *to = m->value[0]->type;
  bool known = from->kind == QN_TYPE_TENSOR && to->kind == QN_TYPE_TENSOR &&
               from->shaped.element == to->shaped.element;
  if (!known || !qn_is_position_free(to) || !qn_canonical_survives(to)) return NULL;
  return qn_build_like(rw, m->op[1], QN_VALUES(m->value[3]), to);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_QUANT_QCAST}, .operands = {1}},
             {.kinds = {QN_OP_ML_RESHAPE, QN_OP_ML_SQUEEZE, QN_OP_ML_EXPAND_DIMS,
                        QN_OP_ML_TRANSPOSE, QN_OP_ML_SLICE_BY_INDEX},
              .flags = QN_ONLY_USE,
              .operands = {2}},
             {.kinds = {QN_OP_QUANT_DCAST}, .operands = {3}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = move_stored,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("move-stored-values", QN_OP_QUANT_QCAST, rule)};

const qn_pass qn_pass_int_op_canonicalization = {
    .name = "int-op-canonicalization",
    .summary = "move stored integers instead of floats between casts",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
