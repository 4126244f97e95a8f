/* Reading of operands, attributes and quantization parameters, with checks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "eval/ref/ref.h"
#include "ir/numerics.h"

/* Static, and small enough that no product of dimensions, strides and counts overflows, also when a
 * dimension is 0. */
static bool is_usable(const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR || !qn_type_is_static(type)) return false;
  int64_t bytes = qn_type_bytes(qn_type_element(type));
  for (uint32_t d = 0; d < type->shaped.rank; d++) {
    int64_t size = type->shaped.dims[d];
    if (!qn_checked_mul(bytes, size > 1 ? size : 1, &bytes)) return false;
  }
  return bytes > 0 && bytes <= QN_REF_MAX_BYTES;
}

static qn_status open_results(qn_eval *ev, const qn_op *op) {
  bool good = true;
  for (uint32_t i = 0; i < op->operand_count; i++) good &= is_usable(qn_ref_operand_type(op, i));
  for (uint32_t i = 0; i < op->result_count; i++) good &= is_usable(qn_ref_result_type(op, i));
  if (!good) return qn_eval_fail(ev, op, "needs tensors of static shape and at most 2 GiB");
  for (uint32_t i = 0; i < op->result_count; i++) qn_eval_result(ev, op, i);
  return QN_OK;
}

qn_status qn_ref_run(qn_eval *ev, const qn_op *op, qn_eval_fn *body) {
  QN_TRY(open_results(ev, op));
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  qn_status status = body(ev, op);
  qn_arena_rewind(ev->arena, mark);
  return status;
}

qn_status qn_ref_run_model(qn_eval *ev, const qn_op *op, qn_eval_fn *body) {
  QN_TRY(open_results(ev, op));
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  qn_status status = qn_ref_profile_or_float(ev, op, body);
  qn_arena_rewind(ev->arena, mark);
  return status;
}

int32_t *qn_ref_load(qn_eval *ev, const qn_rt_value *value, int32_t zero_point) {
  int64_t count = qn_rt_count(value);
  int32_t *loaded = QN_NEW_ARRAY(ev->arena, (size_t)count + 1, int32_t);
  for (int64_t i = 0; i < count; i++)
    loaded[i] = qn_wrap_sub32((int32_t)qn_rt_int(value, i), zero_point);
  return loaded;
}

/* ---- attributes ---- */

qn_status qn_ref_i32(qn_eval *ev, const qn_op *op, qn_attr_id id, int64_t lo, int64_t hi,
                     int32_t *out_value) {
  const char *name = qn_attr_decls[id].name;
  if (!qn_op_find(op, id)) return qn_eval_fail(ev, op, "needs attribute '%s'", name);
  int64_t value = qn_op_read_i64(op, id);
  if (value < lo || value > hi)
    return qn_eval_fail(ev, op, "attribute '%s' must be an integer from %lld to %lld", name,
                        (long long)lo, (long long)hi);
  *out_value = (int32_t)value;
  return QN_OK;
}

qn_status qn_ref_zero_point(qn_eval *ev, const qn_op *op, qn_attr_id id, int32_t *out_value) {
  return qn_ref_i32(ev, op, id, -UINT16_MAX, UINT16_MAX, out_value);
}

qn_status qn_ref_multiplier(qn_eval *ev, const qn_op *op, qn_attr_id mantissa, qn_attr_id shift,
                            qn_multiplier *out_multiplier) {
  QN_TRY(qn_ref_i32(ev, op, mantissa, 0, INT32_MAX, &out_multiplier->mantissa));
  return qn_ref_i32(ev, op, shift, -31, 31, &out_multiplier->shift);
}

qn_status qn_ref_i64s(qn_eval *ev, const qn_op *op, qn_attr_id id, uint32_t count, int64_t lo,
                      const int64_t **out_values) {
  const char *name = qn_attr_decls[id].name;
  qn_i64s values = qn_op_read_i64s(op, id);
  if (values.count != count)
    return qn_eval_fail(ev, op, "attribute '%s' must have %u values", name, count);
  for (uint32_t i = 0; i < count; i++)
    if (values.data[i] < lo || values.data[i] > INT32_MAX)
      return qn_eval_fail(ev, op, "attribute '%s' has the value %lld, out of range", name,
                          (long long)values.data[i]);
  *out_values = values.data;
  return QN_OK;
}

/* ---- quantization ---- */

qn_status qn_ref_profile(qn_eval *ev, const qn_op *op, const qn_profile **out_profile) {
  qn_module_numerics numerics;
  QN_TRY(qn_module_numerics_of(ev->module, op->loc, &numerics));
  *out_profile = numerics.profile;
  return QN_OK;
}

qn_status qn_ref_quant8(qn_eval *ev, const qn_op *op, const qn_value *value, const char *role,
                        qn_ref_quant *out_quant) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  if (!q || q->scheme != QN_PER_LAYER || q->storage->integer.width != 8)
    return qn_eval_fail(ev, op, "needs %s quantized to 8 bits with one scale", role);
  int64_t lo, hi;
  qn_storage_range(8, q->is_signed, &lo, &hi);
  if (q->zero_points[0] < lo || q->zero_points[0] > hi)
    return qn_eval_fail(ev, op, "needs %s with a zero point within its storage type", role);
  out_quant->affine =
      (qn_affine8){q->scales[0], (int32_t)q->zero_points[0], (int32_t)q->min, (int32_t)q->max};
  out_quant->is_unsigned = !q->is_signed;
  return QN_OK;
}

qn_status qn_ref_unary_quant8(qn_eval *ev, const qn_op *op, qn_ref_quant *out_x,
                              qn_ref_quant *out_y) {
  QN_TRY(qn_ref_quant8(ev, op, qn_op_operand(op, 0), "an input", out_x));
  QN_TRY(qn_ref_quant8(ev, op, qn_op_result(op, 0), "a result", out_y));
  if (out_x->is_unsigned != out_y->is_unsigned)
    return qn_eval_fail(ev, op, "mixes signed and unsigned storage");
  return QN_OK;
}

bool qn_ref_same_quant(const qn_ref_quant *a, const qn_ref_quant *b) {
  return a->affine.scale == b->affine.scale && a->affine.zero_point == b->affine.zero_point &&
         a->is_unsigned == b->is_unsigned;
}

qn_status qn_ref_check_real(qn_eval *ev, const qn_op *op, double real) {
  if (qn_multiplier_exists(real)) return QN_OK;
  return qn_eval_fail(ev, op, "has scales whose ratio %g has no fixed-point form", real);
}
