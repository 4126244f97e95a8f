/* What the records say of weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/weights.h"

#include "ir/ops/infer/infer.h"
#include "ir/ops/infer/matmul.h"
#include "ir/types/type.h"

qn_weights_layout qn_op_weights(const qn_op *op) { return qn_inference_of(op->kind)->weights; }

int64_t qn_op_products(const qn_op *op) {
  qn_matmul m;
  if (op->kind == QN_OP_ML_MATMUL && !qn_matmul_of(op, &m))
    return m.batch_count * m.rows * m.columns * m.depth;
  if (!qn_op_has_weights(op)) return 0;
  const qn_type *out = op->results[0].type, *weights = qn_op_operand(op, 1)->type;
  int64_t channels = out->shaped.dims[out->shaped.rank - 1];
  return channels > 0 ? qn_type_elements(out) / channels * qn_type_elements(weights) : 0;
}
