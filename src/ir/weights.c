/* Which ops have weights, and what that says.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/weights.h"

#include "ir/ops/infer/matmul.h"
#include "ir/types/type.h"

qn_weights_layout qn_op_weights(const qn_op *op) {
  static const uint8_t layouts[QN_OP_COUNT] = {
      [QN_OP_ML_CONV] = QN_CHANNELS_FIRST,
      [QN_OP_ML_DEPTHWISE_CONV] = QN_CHANNELS_LAST,
      [QN_OP_ML_LINEAR] = QN_CHANNELS_FIRST,
      [QN_OP_ML_INTEGER_CONV] = QN_CHANNELS_FIRST,
      [QN_OP_ML_INTEGER_DEPTHWISE_CONV] = QN_CHANNELS_LAST,
      [QN_OP_ML_INTEGER_LINEAR] = QN_CHANNELS_FIRST,
  };
  return (qn_weights_layout)layouts[op->kind];
}

int64_t qn_op_products(const qn_op *op) {
  qn_matmul m;
  if (op->kind == QN_OP_ML_MATMUL && !qn_matmul_of(op, &m))
    return m.batch_count * m.rows * m.columns * m.depth;
  if (!qn_op_has_weights(op)) return 0;
  const qn_type *out = op->results[0].type, *weights = qn_op_operand(op, 1)->type;
  int64_t channels = out->shaped.dims[out->shaped.rank - 1];
  return channels > 0 ? qn_type_elements(out) / channels * qn_type_elements(weights) : 0;
}
