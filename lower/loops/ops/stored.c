/* Loads that widen and stores that narrow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/stored.h"

#include "lower/loops/vec.h"

qn_value *qn_stored_load(qn_builder *b, qn_value *buffer, qn_value *index, int64_t offset,
                         int64_t count, bool is_unsigned) {
  qn_value *stored = qn_vec_load(b, buffer, index, offset, count);
  const qn_type *i32 = qn_type_i(b->cx, 32);
  if (qn_type_element(stored->type) == i32) return stored;
  return qn_vec_cast(b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, stored, i32);
}

void qn_stored_store(qn_builder *b, qn_value *lanes, qn_value *buffer, qn_value *index,
                     int64_t offset) {
  const qn_type *element = qn_type_element(buffer->type);
  QN_ASSERT(qn_type_bytes(element) <= qn_type_bytes(qn_type_element(lanes->type)));
  if (element != qn_type_element(lanes->type))
    lanes = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, lanes, element);
  qn_vec_store(b, lanes, buffer, index, offset);
}

int64_t qn_stored_constant(const qn_op *op, uint32_t operand, int64_t i) {
  QN_ASSERT(i >= 0 && i < qn_type_elements(qn_op_operand(op, operand)->type));
  const qn_attr *payload = qn_loops_payload(op, operand);
  return qn_dense_int(payload, payload->dense.splat ? 0 : i);
}
