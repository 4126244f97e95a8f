/* Quantization parameters of tensors with one scale, and checks of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

static const char *widths_text(uint32_t widths) {
  if (widths == 8) return "8";
  return widths == (8 | 16) ? "8 or 16" : widths == 16 ? "16" : "8, 16 or 32";
}

qn_status qn_plan_tensor_of_width(qn_planner *p, const qn_op *op, const qn_value *value,
                                  const char *role, uint32_t widths, qn_plan_tensor *out_tensor) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  if (!q) return qn_plan_refuse(p, op, "%s is not quantized", role);
  uint32_t width = q->storage->integer.width;
  bool known = (width == 8 || width == 16 || width == 32) && (widths & width) != 0;
  if (!known || (width > 8 && !q->is_signed))
    return qn_plan_refuse(p, op, "%s is not stored in %s bits", role, widths_text(widths));
  if (q->scheme != QN_PER_LAYER) return qn_plan_refuse(p, op, "%s has more than one scale", role);
  int64_t lowest, highest;
  qn_storage_range(width, q->is_signed, &lowest, &highest);
  if (q->zero_points[0] < lowest || q->zero_points[0] > highest)
    return qn_plan_refuse(p, op, "%s has a zero point outside of its storage type", role);
  *out_tensor = (qn_plan_tensor){
      .affine = {q->scales[0], (int32_t)q->zero_points[0], (int32_t)q->min, (int32_t)q->max},
      .width = width,
      .is_unsigned = !q->is_signed,
  };
  return QN_OK;
}

qn_status qn_plan_tensor_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                            qn_plan_tensor *out_tensor) {
  return qn_plan_tensor_of_width(p, op, value, role, 8, out_tensor);
}

qn_status qn_plan_same_sign(qn_planner *p, const qn_op *op, const qn_plan_tensor *a,
                            const qn_plan_tensor *b) {
  if (a->is_unsigned == b->is_unsigned) return QN_OK;
  return qn_plan_refuse(p, op, "the operation mixes signed and unsigned storage");
}

qn_status qn_plan_pair(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                       qn_plan_tensor *out_y) {
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[0].value, "the input", out_x));
  return qn_plan_tensor_of(p, op, &op->results[0], "the result", out_y);
}

qn_status qn_plan_pair_of_one_sign(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                                   qn_plan_tensor *out_y) {
  QN_TRY(qn_plan_pair(p, op, out_x, out_y));
  return qn_plan_same_sign(p, op, out_x, out_y);
}

qn_status qn_plan_symmetric16(qn_planner *p, const qn_op *op, const qn_plan_tensor *tensor) {
  if (tensor->width == 8 || tensor->affine.zero_point == 0) return QN_OK;
  return qn_plan_refuse(p, op, "a tensor of 16 bits has a zero point other than 0");
}

qn_status qn_plan_same_type(qn_planner *p, const qn_op *op, const qn_plan_tensor *a,
                            const qn_plan_tensor *b) {
  if (a->width != b->width)
    return qn_plan_refuse(p, op, "the operation mixes tensors of %u and %u bits", a->width,
                          b->width);
  return qn_plan_same_sign(p, op, a, b);
}

qn_status qn_plan_pair_of_one_type(qn_planner *p, const qn_op *op, qn_plan_tensor *out_x,
                                   qn_plan_tensor *out_y) {
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "the input", 8 | 16, out_x));
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16, out_y));
  QN_TRY(qn_plan_symmetric16(p, op, out_x));
  QN_TRY(qn_plan_symmetric16(p, op, out_y));
  return qn_plan_same_type(p, op, out_x, out_y);
}

bool qn_plan_tensors_equal(const qn_plan_tensor *a, const qn_plan_tensor *b) {
  return a->affine.scale == b->affine.scale && a->affine.zero_point == b->affine.zero_point &&
         a->is_unsigned == b->is_unsigned && a->width == b->width;
}

qn_status qn_plan_check_ratio(qn_planner *p, const qn_op *op, double real) {
  if (qn_multiplier_exists(real)) return QN_OK;
  return qn_plan_refuse_numbers(
      p, "'%.*s' has scales whose ratio %g is out of range for a fixed-point multiplier",
      QN_STR_ARG(op->name), real);
}

bool qn_plan_bound_fits(float bound, const qn_plan_tensor *tensor) {
  return bound / (float)tensor->affine.scale < 0x1p31F;
}

qn_plan_output qn_plan_output_of(const qn_op *op, const qn_plan_tensor *y) {
  qn_plan_output output = {.zero_point = y->affine.zero_point};
  qn_activation_range(qn_op_activation(op), y->affine, &output.min, &output.max);
  return output;
}
