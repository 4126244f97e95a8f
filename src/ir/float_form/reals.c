/* Real values of stored values: casts to them and back, and the scale of the bias.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/form.h"
#include "ir/types/float_format.h"
#include "ir/weights.h"

/* ---- element types ---- */

const qn_type *qn_form_expressed(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_type *element = q ? q->expressed : qn_type_element(type);
  if (element->kind != QN_TYPE_FLOAT) return NULL;
  return qn_float_format_of(element->float_kind)->computes ? element : NULL;
}

static bool is_bias(const qn_op *op, uint32_t i) { return i == 2 && qn_op_has_weights(op); }

bool qn_form_is_plain_bias(const qn_op *op, uint32_t i) {
  return is_bias(op, i) && qn_type_element(qn_op_operand(op, i)->type)->kind == QN_TYPE_INTEGER;
}

/* ---- the bias ---- */

static double bias_scale(const qn_quant_uniform *x, const qn_quant_uniform *w, uint32_t i) {
  return qn_float_round(x->expressed->float_kind, x->scales[0] * w->scales[i]);
}

const char *qn_form_bias_problem(const qn_op *op) {
  const qn_quant_uniform *x = qn_type_quant(qn_op_operand(op, 0)->type);
  const qn_type *weights = qn_op_operand(op, 1)->type;
  const qn_quant_uniform *w = qn_type_quant(weights);
  if (!qn_type_is_int(qn_type_element(qn_op_operand(op, 2)->type), 32))
    return "its bias is an integer of other than 32 bits";
  if (!x || !w || x->scheme != QN_PER_LAYER || w->scheme == QN_SUB_CHANNEL)
    return "an integer bias has no scale beside input and weights that are not quantized, or have "
           "scales per block";
  uint32_t channel_dim = qn_weights_channel_dim(qn_op_weights(op), weights->shaped.rank);
  if (w->scheme == QN_PER_AXIS && w->axis != (int32_t)channel_dim)
    return "an integer bias has no scale beside weights whose scales are not per output channel";
  for (uint32_t i = 0; i < w->count; i++) {
    double scale = bias_scale(x, w, i);
    if (!(scale > 0) || !(scale <= qn_float_format_of(x->expressed->float_kind)->largest))
      return "the scale of its bias is out of range";
  }
  return NULL;
}

static const qn_type *bias_type(const qn_form *f) {
  const qn_quant_uniform *x = qn_type_quant(f->operands[0]->type);
  const qn_quant_uniform *w = qn_type_quant(f->operands[1]->type);
  qn_arena *arena = &f->b->module->arena;
  double *scales = qn_arena_array(arena, w->count, sizeof *scales);
  int64_t *zero_points = qn_arena_array(arena, w->count, sizeof *zero_points);
  for (uint32_t i = 0; i < w->count; i++) scales[i] = bias_scale(x, w, i);
  qn_quant_uniform bias = {.scheme = w->scheme,
                           .is_signed = true,
                           .storage = qn_type_i(f->cx, 32),
                           .expressed = x->expressed,
                           .min = INT32_MIN,
                           .max = INT32_MAX,
                           .count = w->count,
                           .scales = scales,
                           .zero_points = zero_points};
  return qn_type_with_element(f->cx, f->operands[2]->type, qn_type_uniform(f->cx, &bias));
}

/* ---- reals ---- */

static qn_value *to_real(qn_form *f, qn_value *x) {
  const qn_type *expressed = qn_form_expressed(x->type);
  if (qn_type_quant(x->type))
    x = qn_build_unary(f->b, QN_OP_QUANT_DCAST, x, qn_type_with_element(f->cx, x->type, expressed));
  if (expressed == f->real) return x;
  return qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, qn_type_with_element(f->cx, x->type, f->real));
}

qn_value *qn_form_operand(qn_form *f, uint32_t i) { return to_real(f, f->operands[i]); }

qn_value *qn_form_bias(qn_form *f) {
  qn_value *bias = f->operands[2];
  if (qn_form_is_plain_bias(f->op, 2))
    bias = qn_build_unary(f->b, QN_OP_QUANT_SCAST, bias, bias_type(f));
  return to_real(f, bias);
}

qn_value *qn_form_quantized(qn_form *f, qn_value *y) {
  const qn_type *type = f->op->results[0].type, *expressed = qn_form_expressed(type);
  if (expressed != f->real)
    y = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, qn_type_with_element(f->cx, type, expressed));
  return qn_type_quant(type) ? qn_build_unary(f->b, QN_OP_QUANT_QCAST, y, type) : y;
}

const qn_type *qn_form_result_type(const qn_form *f) {
  return qn_type_with_element(f->cx, f->op->results[0].type, f->real);
}

/* The op itself, on float operands. "quern.*" attributes, which refer to tensors of the model, are
 * not copied. */
qn_value *qn_form_itself(qn_form *f) {
  const qn_op *op = f->op;
  qn_arena *arena = &f->b->module->arena;
  qn_value **operands = qn_arena_array(arena, op->operand_count, sizeof *operands);
  for (uint32_t i = 0; i < op->operand_count; i++)
    operands[i] = is_bias(op, i) ? qn_form_bias(f) : qn_form_operand(f, i);
  qn_value *y =
      qn_build_1(f->b, op->kind, qn_form_result_type(f), operands, op->operand_count, NULL);
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (!qn_str_starts(op->attrs[i].name, "quern."))
      qn_op_set_attr(f->b->module, y->op, op->attrs[i].name.data, op->attrs[i].value);
  return y;
}

qn_activation qn_form_activation(const qn_form *f) { return qn_op_activation(f->op); }

bool qn_form_clamps(const qn_form *f, float *out_low, float *out_high) {
  qn_op_real_limits(f->b->module, f->op, out_low, out_high);
  return !isinf(*out_low) || !isinf(*out_high);
}

qn_value *qn_form_activate(qn_form *f, qn_value *x) {
  float low, high;
  return qn_form_clamps(f, &low, &high) ? qn_build_float_clamp(f->b, x, low, high) : x;
}
