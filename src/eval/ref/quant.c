/* Casts between float, quantized and storage tensors (spec "tflite numerics" 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "ir/verify/check.h"

static qn_status check_f32(qn_eval *ev, const qn_op *op, const qn_type *float_type) {
  if (qn_type_is_float(qn_type_element(float_type), QN_F32)) return QN_OK;
  return qn_eval_fail(ev, op, "needs f32 on its float side");
}

static qn_status check_sizes(qn_eval *ev, const qn_op *op, const qn_type *float_type) {
  QN_TRY(check_f32(ev, op, float_type));
  if (qn_rt_count(qn_eval_operand(ev, op, 0)) != qn_rt_count(qn_eval_result(ev, op, 0)))
    return qn_eval_fail(ev, op, "has a result of another size");
  return QN_OK;
}

/* ---- model stage: parameters of the type, per layer or per axis ---- */

/* The number of the scale of element i. */
typedef struct scale_map {
  const qn_quant_uniform *q;
  int64_t inner; /* elements per step along the axis */
} scale_map;

static uint32_t scale_at(const scale_map *map, int64_t i) {
  return map->q->count == 1 ? 0 : (uint32_t)(i / map->inner % map->q->count);
}

static qn_status scale_map_of(qn_eval *ev, const qn_op *op, const qn_type *type, scale_map *out) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q) return qn_eval_fail(ev, op, "needs a quantized type with scales");
  if (q->scheme == QN_SUB_CHANNEL)
    return qn_eval_fail(ev, op, "can't be executed on scales per block");
  *out = (scale_map){q, 1};
  if (q->scheme != QN_PER_AXIS) return QN_OK;
  if (!qn_type_is_shaped(type) || q->axis < 0 || (uint32_t)q->axis >= type->shaped.rank ||
      type->shaped.dims[q->axis] != q->count)
    return qn_eval_fail(ev, op, "has %u scales along an axis of another size", q->count);
  for (uint32_t d = (uint32_t)q->axis + 1; d < type->shaped.rank; d++)
    out->inner *= type->shaped.dims[d];
  return QN_OK;
}

static qn_status model_qcast(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y;
  QN_TRY(qn_eval_result_like_operands(ev, op, &y));
  scale_map map;
  QN_TRY(check_f32(ev, op, x->type));
  QN_TRY(scale_map_of(ev, op, y->type, &map));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++) {
    uint32_t k = scale_at(&map, i);
    qn_rt_set_int(y, i,
                  qn_quantize_f32((float)qn_rt_float(x, i), (float)map.q->scales[k],
                                  (int32_t)map.q->zero_points[k], (int32_t)map.q->min,
                                  (int32_t)map.q->max));
  }
  return QN_OK;
}

static qn_status model_dcast(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y;
  QN_TRY(qn_eval_result_like_operands(ev, op, &y));
  scale_map map;
  QN_TRY(check_f32(ev, op, y->type));
  QN_TRY(scale_map_of(ev, op, x->type, &map));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++) {
    uint32_t k = scale_at(&map, i);
    float real = qn_dequantize_f32((int32_t)qn_rt_int(x, i), (double)(float)map.q->scales[k],
                                   (int32_t)map.q->zero_points[k]);
    qn_rt_set_float(y, i, (double)real);
  }
  return QN_OK;
}

/* The low bits of the storage integer, read with the signedness of the other side. */
static qn_status model_scast(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y;
  QN_TRY(qn_eval_result_like_operands(ev, op, &y));
  const qn_type *element = qn_type_element(y->type);
  const qn_quant_uniform *q = qn_type_quant(y->type);
  uint32_t width = qn_bit_width(q ? q->storage : element), unused = 64 - width;
  if (width == 0 || width > 64) return qn_eval_fail(ev, op, "needs storage of at most 64 bits");
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++) {
    uint64_t bits = (uint64_t)qn_rt_int(x, i) << unused;
    qn_rt_set_int(y, i,
                  qn_type_is_unsigned(element) || qn_type_is_int(element, 1)
                      ? (int64_t)(bits >> unused)
                      : (int64_t)bits >> unused);
  }
  return QN_OK;
}

/* ---- integer stage: parameters are attributes ---- */

static qn_status scale_attr(qn_eval *ev, const qn_op *op, float *out_scale) {
  *out_scale = (float)qn_op_float(op, "scale", 0);
  if (*out_scale > 0 && !isinf(*out_scale)) return QN_OK;
  return qn_eval_fail(ev, op, "attribute 'scale' must be a positive finite float");
}

static qn_status integer_quantize(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  float scale;
  int32_t zero_point, min, max;
  QN_TRY(check_sizes(ev, op, x->type));
  QN_TRY(scale_attr(ev, op, &scale));
  QN_TRY(qn_ref_zero_point(ev, op, "zero_point", &zero_point));
  QN_TRY(qn_ref_i32(ev, op, "min", INT32_MIN, INT32_MAX, &min));
  QN_TRY(qn_ref_i32(ev, op, "max", INT32_MIN, INT32_MAX, &max));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++)
    qn_rt_set_int(y, i, qn_quantize_f32((float)qn_rt_float(x, i), scale, zero_point, min, max));
  return QN_OK;
}

static qn_status integer_dequantize(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  float scale;
  int32_t zero_point;
  QN_TRY(check_sizes(ev, op, y->type));
  QN_TRY(scale_attr(ev, op, &scale));
  QN_TRY(qn_ref_zero_point(ev, op, "zero_point", &zero_point));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++)
    qn_rt_set_float(y, i,
                    (double)qn_dequantize_f32((int32_t)qn_rt_int(x, i), (double)scale, zero_point));
  return QN_OK;
}

qn_status qn_eval_quant_qcast(qn_eval *ev, const qn_op *op) { return model_qcast(ev, op); }
qn_status qn_eval_quant_dcast(qn_eval *ev, const qn_op *op) { return model_dcast(ev, op); }
qn_status qn_eval_quant_scast(qn_eval *ev, const qn_op *op) { return model_scast(ev, op); }
qn_status qn_eval_ml_quantize_float(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_quantize);
}
qn_status qn_eval_ml_dequantize_float(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_dequantize);
}
