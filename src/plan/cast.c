/* The quant dialect's casts between f32 and storage of 8 or 16 bits with one scale
 * (docs/arithmetic.md 11). The quant dialect defines all other casts, independently of the profile;
 * ir/cast_form decomposes them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/ops/ml.h"
#include "plan/inside.h"

/* ---- plan ---- */

/* Plans a cast. The kernels compute in float with the scale rounded to f32. */
static qn_status plan_cast(qn_planner *p, const qn_op *op, const qn_value *real,
                           const qn_value *quantized, const char *role, qn_plan_cast *out) {
  if (!qn_ml_is_shape(real->type) || !qn_type_is_float(qn_type_element(real->type), QN_F32))
    return qn_plan_refuse(p, op, "the other side is no tensor of f32 with a kernel's shape");
  qn_plan_tensor q;
  QN_TRY(qn_plan_tensor_of_width(p, op, quantized, role, 8 | 16, &q));
  QN_TRY(qn_plan_symmetric16(p, op, &q));
  *out = (qn_plan_cast){.scale = (float)q.affine.scale,
                        .zero_point = q.affine.zero_point,
                        .min = q.affine.min,
                        .max = q.affine.max,
                        .rounding = p->rounding};
  return QN_OK;
}

static qn_status plan_quantize(qn_planner *p, const qn_op *op, qn_plan *out) {
  out->kind = QN_PLAN_QUANTIZE;
  return plan_cast(p, op, op->operands[0].value, &op->results[0], "the result", &out->cast);
}
static qn_status plan_dequantize(qn_planner *p, const qn_op *op, qn_plan *out) {
  out->kind = QN_PLAN_DEQUANTIZE;
  return plan_cast(p, op, &op->results[0], op->operands[0].value, "the input", &out->cast);
}

/* ---- write ---- */

static const qn_attr *scale_attr(qn_builder *b, const qn_plan_cast *c) {
  return qn_attr_float(b->cx, (double)c->scale, qn_type_float(b->cx, QN_F32));
}

static qn_value *write_quantize(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_cast *c = &plan->cast;
  return qn_plan_build(
      p, b, op, QN_VALUES(op->operands[0].value),
      QN_ATTRS({"scale", scale_attr(b, c)}, {"zero_point", qn_attr_i64(b->cx, c->zero_point)},
               {"min", qn_attr_i64(b->cx, c->min)}, {"max", qn_attr_i64(b->cx, c->max)},
               {"rounding", qn_attr_word(b->cx, QN_A_QUANTIZE_ROUNDING, c->rounding)}));
}

static qn_value *write_dequantize(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_cast *c = &plan->cast;
  return qn_plan_build(
      p, b, op, QN_VALUES(op->operands[0].value),
      QN_ATTRS({"scale", scale_attr(b, c)}, {"zero_point", qn_attr_i64(b->cx, c->zero_point)}));
}

/* ---- read ---- */

static const char *read_cast(qn_planner *p, const qn_op *op, const qn_type *real,
                             qn_plan_cast *out) {
  if (!qn_type_is_float(qn_type_element(real), QN_F32)) return "needs f32 on its float side";
  out->scale = (float)qn_op_scale(op);
  if (!(out->scale > 0) || isinf(out->scale))
    return "attribute 'scale' must be a positive finite float";
  return qn_plan_read_zero_point(p, op, QN_A_ZERO_POINT, &out->zero_point);
}

const char *qn_plan_read_quantize(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                  qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_QUANTIZE};
  QN_PLAN_READ(read_cast(p, op, op->operands[0].value->type, &out->cast));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MIN, INT32_MIN, INT32_MAX, &out->cast.min));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MAX, INT32_MIN, INT32_MAX, &out->cast.max));
  out->cast.rounding = qn_op_quantize_rounding(op);
  return NULL;
}

const char *qn_plan_read_dequantize(qn_planner *p, const qn_plan_operands *operands,
                                    const qn_op *op, qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_DEQUANTIZE};
  return read_cast(p, op, op->results[0].type, &out->cast);
}

/* ---- table entries ---- */

const qn_plan_record qn_plan_quant_qcast = {
    .plan = plan_quantize, .write = write_quantize, .integer = QN_OP_ML_QUANTIZE_FLOAT};
const qn_plan_record qn_plan_quant_dcast = {
    .plan = plan_dequantize, .write = write_dequantize, .integer = QN_OP_ML_DEQUANTIZE_FLOAT};
const qn_plan_record qn_plan_quant_scast = {.none = "gives the same bits another type"};
