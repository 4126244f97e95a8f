/* Constants of integer-stage ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/constants.h"

static qn_value *build_constant(qn_builder *b, const qn_type *element, const void *values,
                                int64_t count, size_t size) {
  const qn_type *type = qn_type_tensor(b->cx, element, 1, (const int64_t[]){count});
  const uint8_t *bytes = values;
  bool splat = count > 0;
  for (int64_t i = 1; i < count && splat; i++)
    splat = memcmp(bytes, bytes + (size_t)i * size, size) == 0;
  qn_bytes payload = {bytes, splat ? size : (size_t)count * size};
  const qn_attr *value = qn_attr_dense(b->cx, type, payload, false);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_plan_i32s(qn_builder *b, const int32_t *values, int64_t count) {
  return build_constant(b, qn_type_i(b->cx, 32), values, count, sizeof *values);
}

qn_value *qn_plan_i64s(qn_builder *b, const int64_t *values, int64_t count) {
  return build_constant(b, qn_type_i(b->cx, 64), values, count, sizeof *values);
}

qn_value *qn_plan_i16s(qn_builder *b, const int16_t *values, int64_t count) {
  return build_constant(b, qn_type_i(b->cx, 16), values, count, sizeof *values);
}

qn_value *qn_plan_f64s(qn_builder *b, const double *values, int64_t count) {
  return build_constant(b, qn_type_float(b->cx, QN_F64), values, count, sizeof *values);
}

bool qn_plan_table_flips(const uint8_t table[256]) {
  for (int i = 0; i < 256; i++)
    if (table[i] != (i ^ table[0])) return false;
  return true;
}

qn_value *qn_plan_table(qn_builder *b, const uint8_t table[256], const qn_type *element) {
  return build_constant(b, element, table, 256, 1);
}

qn_value *qn_plan_lut(qn_builder *b, qn_value *x, const uint8_t table[256], const qn_type *result) {
  const qn_type *element = qn_plan_storage_element(b->cx, qn_type_element(result));
  qn_value *constant = qn_plan_table(b, table, element);
  return qn_build_1(b, QN_OP_ML_LUT, result, QN_VALUES(x, constant), NULL);
}

const qn_type *qn_plan_storage_element(qn_ir_context *cx, const qn_type *element) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return element;
  const qn_type *storage = element->uniform.storage;
  bool u8 = storage->integer.width == 8 && !element->uniform.is_signed;
  return qn_type_integer(cx, 8 * qn_type_bytes(storage), u8 ? QN_UNSIGNED : QN_SIGNLESS);
}
