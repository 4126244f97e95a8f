/* Stored bytes of literals.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/stored.h"

uint8_t *qn_stored_bytes(qn_rewriter *rw, const qn_value *literal, int64_t *out_count) {
  const qn_attr *attr = qn_value_constant(literal);
  int64_t count = qn_type_elements(literal->type);
  QN_ASSERT(attr->dense.bytes.size == 1 || attr->dense.bytes.size == (size_t)count);
  uint8_t *bytes = QN_NEW_ARRAY(rw->pc->scratch, count, uint8_t);
  for (int64_t i = 0; i < count; i++)
    bytes[i] = attr->dense.bytes.data[attr->dense.bytes.size == 1 ? 0 : i];
  *out_count = count;
  return bytes;
}

qn_value *qn_build_stored(qn_rewriter *rw, const qn_type *type, const uint8_t *bytes,
                          int64_t count) {
  QN_ASSERT(qn_type_quant(type) && qn_type_elements(type) == count);
  const qn_type *integers = qn_type_with_element(rw->cx, type, qn_type_i(rw->cx, 8));
  const qn_attr *value = qn_attr_dense(rw->cx, integers, (qn_bytes){bytes, (size_t)count}, false);
  return qn_build_1(&rw->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}
