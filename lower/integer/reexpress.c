/* ml.reexpress: constants are rewritten at compile time, in any scheme and width; 8-bit tensors of one
 * scale each take a table of all 256 results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/reexpress.h"

#include "lower/integer/integer.h"

static qn_status fail(qn_integer *in, const qn_op *op, const char *problem) {
  return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s",
                  QN_STR_ARG(op->name), problem);
}

static qn_status lower_constant(qn_integer *in, qn_op *op, const qn_attr *value) {
  const qn_type *y = qn_op_result(op, 0)->type;
  const qn_type *storage = qn_integer_storage_element(in->cx, qn_type_element(y));
  int64_t count = qn_type_elements(y);
  size_t size = qn_type_bytes(storage);
  uint8_t *bytes = QN_NEW_ARRAY(in->scratch, (size_t)count * size, uint8_t);
  qn_reexpression r = qn_reexpression_of(op);
  bool is_unsigned = !qn_type_quant(r.from)->is_signed;
  uint32_t unused = 64 - qn_type_quant(r.from)->storage->integer.width;
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = (uint64_t)qn_dense_int(value, i) << unused; /* i8 payload of a u8 type */
    int64_t stored = is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    if (problem)
      return qn_error(&in->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s: element %lld",
                      QN_STR_ARG(op->name), problem, (long long)i);
    for (size_t k = 0; k < size; k++) bytes[(size_t)i * size + k] = (uint8_t)((uint64_t)result >> 8 * k);
  }
  const qn_type *payload = qn_type_with_element(in->cx, y, storage);
  qn_builder b = qn_builder_before(in->module, op);
  const qn_attr *dense = qn_attr_dense(in->cx, payload, (qn_bytes){bytes, (size_t)count * size}, false);
  qn_integer_replace(in, op, qn_build_1(&b, QN_OP_ML_CONST, y, NULL, 0, QN_ATTRS({"value", dense})));
  return QN_OK;
}

qn_status qn_integer_ml_reexpress(qn_integer *in, qn_op *op) {
  const qn_attr *value = qn_value_constant(qn_op_operand(op, 0));
  if (value) return lower_constant(in, op, value);
  qn_quant8 x, y;
  if (!qn_integer_quant8(in, op, qn_op_operand(op, 0), "the input", &x) ||
      !qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &y))
    return QN_UNSUPPORTED;
  qn_reexpression r = qn_reexpression_of(op);
  uint8_t table[256] = {0};
  for (int byte = 0; byte < 256; byte++) {
    int64_t stored = x.is_unsigned ? byte : (int8_t)byte, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    bool possible = stored >= x.affine.min && stored <= x.affine.max;
    if (problem && possible) return fail(in, op, "a table can't report what the result can't hold");
    table[byte] = (uint8_t)result;
  }
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op, qn_integer_lut(&b, qn_op_operand(op, 0), table, qn_op_result(op, 0)->type));
  return QN_OK;
}
