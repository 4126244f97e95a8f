/* Casts between float, quantized and storage tensors. Model-stage casts support everything the
 * dialect can express and compute as their lowering does; the integer-stage ops have 8 bits
 * (docs/arithmetic.md 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "ir/numerics.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/types/quant_cast.h"
#include "ir/types/reexpress.h"
#include "ir/verify/check.h"

/* ---- model stage: parameters of the type, at each coordinate ---- */

/* A walk over the elements of a cast. */
typedef struct cast_walk {
  const qn_rt_value *x;
  qn_rt_value *y;
  const qn_type *type; /* runtime type of the quantized side */
  const qn_quant_uniform *q;
  qn_float_kind compute;
  int64_t at[QN_EVAL_MAX_RANK];
} cast_walk;

static qn_status open_walk(qn_eval *ev, const qn_op *op, qn_quant_direction direction,
                           cast_walk *out) {
  *out = (cast_walk){.x = qn_eval_operand(ev, op, 0)};
  QN_TRY(qn_eval_result_like_operands(ev, op, &out->y));
  out->type = direction == QN_QUANTIZE ? out->y->type : out->x->type;
  out->q = qn_type_quant(out->type);
  if (!out->q || !qn_quant_has_arithmetic(out->q))
    return qn_eval_fail(ev, op, "is interpreted for f16, bf16, f32 and f64 only");
  if (qn_type_is_shaped(out->type) && out->type->shaped.rank > QN_EVAL_MAX_RANK)
    return qn_eval_fail(ev, op, "is interpreted up to rank %d", QN_EVAL_MAX_RANK);
  if (!qn_verify_quant_shape(ev->cx, op, out->type)) return QN_INVALID;
  out->compute = qn_quant_compute_kind(out->q, direction);
  return QN_OK;
}

/* The parameters of the next element. */
static qn_quant_cell next_cell(cast_walk *walk) {
  bool shaped = qn_type_is_shaped(walk->type);
  qn_quant_cell cell;
  QN_ASSERT(qn_quant_at(walk->type, walk->at, shaped ? walk->type->shaped.rank : 0, &cell) ==
            QN_OK); /* the shape has been checked against the type */
  if (shaped) (void)qn_next_coordinate(walk->type, NULL, walk->at);
  return cell;
}

qn_status qn_eval_quant_qcast(qn_eval *ev, const qn_op *op) {
  qn_module_numerics numerics;
  cast_walk walk;
  QN_TRY(qn_module_numerics_of(ev->module, op->loc, &numerics));
  QN_TRY(open_walk(ev, op, QN_QUANTIZE, &walk));
  for (int64_t i = 0, n = qn_rt_count(walk.x); i < n; i++) {
    qn_quant_cell cell = next_cell(&walk);
    qn_rt_set_int(
        walk.y, i,
        qn_quant_quantize(walk.q, walk.compute, &cell, qn_rt_float(walk.x, i), numerics.rounding));
  }
  return QN_OK;
}

qn_status qn_eval_quant_dcast(qn_eval *ev, const qn_op *op) {
  cast_walk walk;
  QN_TRY(open_walk(ev, op, QN_DEQUANTIZE, &walk));
  for (int64_t i = 0, n = qn_rt_count(walk.x); i < n; i++) {
    qn_quant_cell cell = next_cell(&walk);
    int64_t stored = qn_quant_stored(walk.q, qn_rt_int(walk.x, i));
    qn_rt_set_float(walk.y, i, qn_quant_dequantize(walk.q, walk.compute, &cell, stored));
  }
  return QN_OK;
}

/* Casts between quantized and storage types. The low bits of each element, as many as the storage
 * type has, are sign- or zero-extended as the result type requires. */
qn_status qn_eval_quant_scast(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y;
  QN_TRY(qn_eval_result_like_operands(ev, op, &y));
  const qn_type *element = qn_type_element(y->type);
  qn_quant_storage storage;
  bool quantized = qn_quant_storage_of(y->type, &storage);
  uint32_t width = quantized ? storage.width : qn_bit_width(element);
  if (width == 0 || width > 64) return qn_eval_fail(ev, op, "needs storage of at most 64 bits");
  bool is_signed = !qn_type_is_unsigned(element) && !qn_type_is_int(element, 1);
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++)
    qn_rt_set_int(y, i, qn_low_bits(qn_rt_int(x, i), width, is_signed));
  return QN_OK;
}

/* ---- integer stage: parameters are attributes ---- */

static qn_status check_sizes(qn_eval *ev, const qn_op *op) {
  if (qn_rt_count(qn_eval_operand(ev, op, 0)) != qn_rt_count(qn_eval_result(ev, op, 0)))
    return qn_eval_fail(ev, op, "has a result of another size");
  return QN_OK;
}

static qn_status quantize(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_cast *c = &plan->cast;
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  QN_TRY(check_sizes(ev, op));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++)
    qn_rt_set_int(y, i,
                  qn_quantize_f32((float)qn_rt_float(x, i), c->scale, c->rounding, c->zero_point,
                                  c->min, c->max));
  return QN_OK;
}

static qn_status dequantize(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_cast *c = &plan->cast;
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  QN_TRY(check_sizes(ev, op));
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++)
    qn_rt_set_float(y, i, (double)qn_dequantize_f32(qn_rt_int(x, i), c->scale, c->zero_point));
  return QN_OK;
}

qn_status qn_eval_ml_quantize_float(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_quantize, quantize);
}
qn_status qn_eval_ml_dequantize_float(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_dequantize, dequantize);
}
