/* Helpers of the integer lowering: quantization of operands, clamps, multipliers, constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lower/integer/integer.h"

static bool unsupported(qn_integer *in, const qn_op *op, const char *role, const char *problem) {
  (void)qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s %s",
                 QN_STR_ARG(op->name), role, problem);
  return false;
}

bool qn_integer_quant8(qn_integer *in, const qn_op *op, const qn_value *value, const char *role,
                       qn_quant8 *out_quant) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  if (!q) return unsupported(in, op, role, "is not quantized");
  if (q->storage->integer.width != 8) return unsupported(in, op, role, "is not stored in 8 bits");
  if (q->scheme != QN_PER_LAYER) return unsupported(in, op, role, "has more than one scale");
  int64_t lowest, highest;
  qn_storage_range(8, q->is_signed, &lowest, &highest);
  if (q->zero_points[0] < lowest || q->zero_points[0] > highest)
    return unsupported(in, op, role, "has a zero point outside of its storage type");
  *out_quant = (qn_quant8){
      .affine = {q->scales[0], (int32_t)q->zero_points[0], (int32_t)q->min, (int32_t)q->max},
      .is_unsigned = !q->is_signed,
  };
  return true;
}

bool qn_integer_same_sign(qn_integer *in, const qn_op *op, const qn_quant8 *a, const qn_quant8 *b) {
  return a->is_unsigned == b->is_unsigned ||
         unsupported(in, op, "the operation", "mixes signed and unsigned storage");
}

bool qn_integer_unary_quant8(qn_integer *in, const qn_op *op, qn_quant8 *out_x, qn_quant8 *out_y) {
  return qn_integer_quant8(in, op, qn_op_operand(op, 0), "the input", out_x) &&
         qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", out_y) &&
         qn_integer_same_sign(in, op, out_x, out_y);
}

bool qn_quant8_equal(const qn_quant8 *a, const qn_quant8 *b) {
  return a->affine.scale == b->affine.scale && a->affine.zero_point == b->affine.zero_point &&
         a->is_unsigned == b->is_unsigned;
}

bool qn_integer_multiplier(qn_integer *in, const qn_op *op, double real,
                           qn_multiplier *out_multiplier) {
  if (qn_multiplier_exists(real)) {
    *out_multiplier = qn_multiplier_of(real);
    return true;
  }
  (void)qn_error(&in->cx->diag, op->loc, QN_INVALID,
                 "'%.*s' has scales whose ratio %g is out of range for a fixed-point multiplier",
                 QN_STR_ARG(op->name), real);
  return false;
}

/* ---- building ---- */

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

qn_value *qn_integer_i32s(qn_builder *b, const int32_t *values, int64_t count) {
  return build_constant(b, qn_type_i(b->cx, 32), values, count, sizeof *values);
}

qn_value *qn_integer_f64s(qn_builder *b, const double *values, int64_t count) {
  return build_constant(b, qn_type_float(b->cx, QN_F64), values, count, sizeof *values);
}

qn_value *qn_integer_table(qn_builder *b, const uint8_t table[256], const qn_type *element) {
  return build_constant(b, element, table, 256, 1);
}

qn_value *qn_integer_lut(qn_builder *b, qn_value *x, const uint8_t table[256],
                         const qn_type *result) {
  const qn_type *element = qn_integer_storage_element(b->cx, qn_type_element(result));
  qn_value *constant = qn_integer_table(b, table, element);
  return qn_build_1(b, QN_OP_ML_LUT, result, QN_VALUES(x, constant), NULL);
}

bool qn_integer_is_kept(const qn_pass_context *pc, const qn_op *op) {
  const qn_lower_config *config = pc->config;
  return config && config->keep_tensors && qn_op_find(op, QN_A_TENSORS);
}

void qn_integer_move_marks(qn_module *module, const qn_op *op, qn_op *to) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    const qn_named_attr *attr = &op->attrs[i];
    if (qn_str_starts(attr->name, "quern."))
      qn_op_set_attr(module, to, attr->name.data, attr->value);
  }
}

void qn_integer_replace(qn_integer *in, qn_op *op, qn_value *with) {
  qn_integer_move_marks(in->module, op, with->op);
  qn_value_replace_all_uses(qn_op_result(op, 0), with);
  qn_op_erase(in->module, op);
}
