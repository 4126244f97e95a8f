/* insert-prefix-quantize-dequantize-pair: what is multiplied, added or pooled is quantized first.
 *
 *   %0 = "ml.conv"(%x, %w)          with ranges=0=-1.0:1.0, where %x is tensor 0 of the model
 *   ->
 *   %1 = quant.qcast %x : tensor<..xf32> to tensor<..x!quant.uniform<i8:f32, 0.0078740157>>
 *   %2 = quant.dcast %1
 *   %0 = "ml.conv"(%2, %w)
 *
 * Convolutions, linear, products, sums and pools read a pair in the place of each operand of f32
 * whose range is given: a tensor of the model by its number, a result of an op (quern.tensors) or
 * an argument (quern.index). Ranges are of calibration: scripts/ranges reads them from a dump. 0 is
 * made part of each. mode=linear_symmetric: the scale is the largest magnitude by 127, the zero
 * point the middle; mode=linear: low to high over 255 steps. Constants are left to
 * linear-quantize-weights; a value has one pair for all such ops, and others read it as it was. The
 * rules of rules/integer.rr then make quantized ops of what is between.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by half a step per value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/compression/pairs.h"

static bool quantize_operands(qn_rewriter *rw, qn_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *pair = qn_pair_behind(rw, qn_op_operand(op, i));
    if (!pair) continue;
    qn_op_set_operand(op, i, pair);
    any = true;
  }
  if (any) qn_rewriter_touched(rw, op);
  return any;
}

static const qn_pattern patterns[] = QN_PAIR_PATTERNS(quantize_operands);

static qn_status run(qn_pass_context *pc) {
  return qn_put_pairs(pc, patterns, (uint32_t)QN_COUNT(patterns));
}

const qn_pass qn_pass_insert_prefix_quantize_dequantize_pair = {
    .name = "insert-prefix-quantize-dequantize-pair",
    .summary = "quantize what sums, products and pools of floats read",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = qn_pair_options,
    .run = run,
};
