/* dequantize-quantize-pair-elimination: removes a quantization of dequantized values with the same
 * type.
 *
 *   %0 = quant.dcast %x : tensor<4x!q> to tensor<4xf32>
 *   %1 = quant.qcast %0 : tensor<4xf32> to tensor<4x!q>     ->   uses of %1 become %x
 *
 * Both types are equal: scales, zero points, axis, storage type and signedness. Each qcast of a
 * dcast is replaced by itself; a dcast with other readers stays. The inverse pair, dcast(qcast(x)),
 * rounds and is never removed. Types with stored values that f32 can't distinguish stay.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"
#include "passes/support/graph.h"

static qn_value *stored(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  bool same = m->value[2]->type == m->value[0]->type;
  return same && qn_canonical_survives(m->value[2]->type) ? m->value[2] : NULL;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_QUANT_QCAST}, .operands = {1}},
             {.kinds = {QN_OP_QUANT_DCAST}, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = stored,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("quantize-dequantized", QN_OP_QUANT_QCAST, rule)};

const qn_pass qn_pass_dequantize_quantize_pair_elimination = {
    .name = "dequantize-quantize-pair-elimination",
    .summary = "remove quantizations of what was dequantized from the same type",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
