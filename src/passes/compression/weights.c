/* Replaces the weights of an op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/compression/weights.h"

#include <math.h>

qn_value *qn_with_weights(qn_rewriter *rw, const qn_matched *m, qn_value *weights) {
  const qn_op *op = m->op[QN_WEIGHTS_OP];
  qn_value *operands[3] = {qn_op_operand(op, 0), weights, NULL};
  QN_ASSERT(op->operand_count >= 2 && op->operand_count <= QN_COUNT(operands));
  QN_ASSERT(!weights || weights->type == m->value[QN_WEIGHTS]->type);
  if (op->operand_count > 2) operands[2] = qn_op_operand(op, 2);
  const qn_type *type = m->value[QN_WEIGHTS_OP]->type;
  return weights ? qn_build_like(rw, op, operands, op->operand_count, type) : NULL;
}

double *qn_finite_weights(qn_rewriter *rw, const qn_value *weights) {
  int64_t count = qn_type_elements(weights->type);
  const qn_type *element = qn_type_element(weights->type);
  if (element->kind != QN_TYPE_FLOAT || qn_bit_width(element) > 32) return NULL;
  double *values = qn_arena_array(rw->pc->scratch, (size_t)count + 1, sizeof *values);
  for (int64_t i = 0; i < count; i++) {
    values[i] = qn_literal_real(weights, i);
    if (!isfinite(values[i])) return NULL;
  }
  return values;
}
