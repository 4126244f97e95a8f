/* insert-suffix-quantize-dequantize-pair: quantizes and dequantizes the results of convolutions,
 * products, sums and pools.
 *
 *   %0 = "ml.conv"(%x, %w) {quern.tensors = array<i64: 2>}          with ranges=2=0.0:6.0
 *   ->
 *   %0 = "ml.conv"(%x, %w) {quern.tensors = array<i64: 2>}
 *   %1 = quant.qcast %0
 *   %2 = quant.dcast %1                                             and uses of %0 become %2
 *
 * Applies to f32 results of convolutions, linear, products, sums and pools whose range is given, as
 * for insert-prefix-quantize-dequantize-pair. If the only reader of a result is an elementwise op
 * with one operand, an activation, the pair follows that op and uses its range.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by half a step per value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/compression/pairs.h"

/* The result of the activation after `result`, or `result` if there is none. */
static qn_value *end_of(qn_value *result) {
  qn_op *reader = qn_value_has_one_use(result) ? result->first_use->owner : NULL;
  bool activates = reader && qn_op_has(reader, QN_MODEL_STAGE) && qn_is_unary_elementwise(reader) &&
                   reader->results[0].type == result->type;
  return activates ? &reader->results[0] : result;
}

static bool quantize_result(qn_rewriter *rw, qn_op *op) {
  qn_value *value = end_of(&op->results[0]);
  if (!value->first_use) return false;
  qn_value *pair = qn_pair_behind(rw, value);
  if (!pair || qn_value_has_one_use(value)) return false; /* only the pair itself reads it */
  qn_op *quantize = qn_op_operand(pair->op, 0)->op;
  qn_value_replace_all_uses(value, pair);
  qn_op_set_operand(quantize, 0, value);
  qn_rewriter_touched(rw, value->op);
  return true;
}

static const qn_pattern patterns[] = QN_PAIR_PATTERNS(quantize_result);

static qn_status run(qn_pass_context *pc) {
  return qn_put_pairs(pc, patterns, (uint32_t)QN_COUNT(patterns));
}

const qn_pass qn_pass_insert_suffix_quantize_dequantize_pair = {
    .name = "insert-suffix-quantize-dequantize-pair",
    .summary = "quantize what sums, products and pools of floats make",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = qn_pair_options,
    .run = run,
};
