/* insert-prefix-quantize-dequantize-pair: quantizes and dequantizes the operands of convolutions,
 * products, sums and pools.
 *
 *   %0 = "ml.conv"(%x, %w)          with ranges=0=-1.0:1.0, where %x is tensor 0 of the model
 *   ->
 *   %1 = quant.qcast %x : tensor<..xf32> to tensor<..x!quant.uniform<i8:f32, 0.0078740157>>
 *   %2 = quant.dcast %1
 *   %0 = "ml.conv"(%2, %w)
 *
 * Each f32 operand of a convolution, linear, product, sum or pool whose range is given is replaced
 * by a pair of casts. Ranges are given by index of the model's tensor, which is a result of an op
 * (quern.tensors) or an argument (quern.index); scripts/ranges computes them from a dump of a
 * calibration run. A range is extended to contain 0. mode=linear_symmetric: the scale is the
 * largest magnitude / 127, the zero point the middle; mode=linear: 255 steps from low to high.
 * Constants are left to linear-quantize-weights. A value has one pair for all these ops; other ops
 * read it unchanged. The rules of rules/integer.rr can then turn the ops between the casts into
 * quantized ops.
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
