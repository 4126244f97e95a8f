/* Table of the ops that have a plan as exact units, and functions shared by all families.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "plan/units/units.h"

#include <math.h>

/* ---- tensors ---- */

qn_status qn_unit_tensor_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                            qn_unit_tensor *out) {
  enum { LEAST = 2, MOST = 16 };
  const qn_quant_uniform *q = qn_type_quant(value->type);
  if (!q) return qn_plan_refuse(p, op, "%s is not quantized", role);
  uint32_t width = q->storage->integer.width;
  if (width < LEAST || width > MOST)
    return qn_plan_refuse(p, op, "%s is stored in %u bits, where %d to %d are known", role, width,
                          LEAST, MOST);
  if (q->scheme != QN_PER_LAYER) return qn_plan_refuse(p, op, "%s has more than one scale", role);
  if (!qn_type_is_float(q->expressed, QN_F32) || !qn_exact_is_scale(qn_unit_scale(q, 0)))
    return qn_plan_refuse(p, op, "%s has the scale %g, which is not a positive f32", role,
                          q->scales[0]);
  int64_t lowest, highest;
  qn_storage_range(width, q->is_signed, &lowest, &highest);
  if (q->zero_points[0] < lowest || q->zero_points[0] > highest)
    return qn_plan_refuse(p, op, "%s has a zero point outside of its storage type", role);
  *out = (qn_unit_tensor){.scale = qn_unit_scale(q, 0),
                          .zero_point = q->zero_points[0],
                          .min = q->min,
                          .max = q->max,
                          .width = width,
                          .is_signed = q->is_signed};
  return QN_OK;
}

qn_status qn_unit_operand(qn_planner *p, const qn_op *op, uint32_t i, qn_unit_tensor *out) {
  char role[24];
  snprintf(role, sizeof role, "operand %u", i);
  return qn_unit_tensor_of(p, op, op->operands[i].value, role, out);
}

/* The stored value of a bound, rounded exactly and clamped to the range of y. */
static int64_t stored_bound(double bound, const qn_unit_tensor *y) {
  const double size = fabs(bound);
  const qn_exact exact = {.factors = {size, 1}, .step = y->scale, .count = 1};
  if (size == 0) return y->zero_point;
  int64_t steps = qn_exact_round(&exact, bound < 0 ? -1 : 1) + y->zero_point;
  return steps < y->min ? y->min : steps > y->max ? y->max : steps;
}

void qn_unit_narrow(qn_activation activation, qn_unit_tensor *io_y) {
  float low, high;
  qn_activation_limits(activation, &low, &high);
  int64_t min = isinf(low) ? io_y->min : stored_bound((double)low, io_y);
  int64_t max = isinf(high) ? io_y->max : stored_bound((double)high, io_y);
  io_y->min = min;
  io_y->max = max;
}

qn_status qn_unit_result(qn_planner *p, const qn_op *op, qn_unit_tensor *out) {
  QN_TRY(qn_unit_tensor_of(p, op, &op->results[0], "the result", out));
  qn_unit_narrow(qn_op_activation(op), out);
  return QN_OK;
}

qn_status qn_unit_pair(qn_planner *p, const qn_op *op, qn_unit_tensor *x, qn_unit_tensor *y) {
  QN_TRY(qn_unit_tensor_of(p, op, op->operands[0].value, "the input", x));
  return qn_unit_result(p, op, y);
}

bool qn_unit_is_fused(const qn_planner *p, const qn_op *op) {
  return p->profile->units == QN_UNITS_FUSED && !qn_op_unfused(op);
}

int64_t qn_unit_shift(const qn_op *op) { return qn_op_as_unsigned(op) ? -(int64_t)INT8_MIN : 0; }

qn_affine8 qn_unit_affine(const qn_unit_tensor *t) {
  return (qn_affine8){t->scale, (int32_t)t->zero_point, (int32_t)t->min, (int32_t)t->max};
}

/* ---- plans ---- */

const double *qn_unit_number(qn_planner *p, double value) {
  double *number = QN_NEW(p->arena, double);
  *number = value;
  return number;
}

void qn_unit_take(qn_planner *p, const qn_even_form *form, qn_unit_numbers *io_numbers) {
  io_numbers->factors = qn_unit_number(p, form->factor);
  io_numbers->offsets = qn_unit_number(p, form->offset);
  io_numbers->divisors = form->divisor == 1 ? NULL : qn_unit_number(p, form->divisor);
}

qn_status qn_unit_form(qn_planner *p, const qn_unit_numbers *numbers, qn_plan *out) {
  qn_unit_numbers *kept = QN_NEW(p->arena, qn_unit_numbers);
  *kept = *numbers;
  if (kept->count == 0) kept->count = 1;
  if (!kept->offsets) kept->offsets = QN_NEW_ARRAY(p->arena, (size_t)kept->count, double);
  out->kind = QN_PLAN_FORM;
  out->unit = kept;
  return QN_OK;
}

qn_status qn_unit_even(qn_planner *p, const qn_op *op, const qn_exact *exact, int64_t lo,
                       int64_t hi, const qn_unit_tensor *y, qn_even_form *out) {
  *out = qn_even_form_find(exact, lo, hi, y->min - y->zero_point, y->max - y->zero_point);
  if (out->proved) return QN_OK;
  return qn_plan_refuse(p, op,
                        "no product and no quotient of doubles is proved to round its scales, of "
                        "the ratio %g, exactly",
                        out->factor / out->divisor);
}

/* ---- the table of ops ---- */

static qn_status none(qn_planner *p, const qn_op *op, qn_plan *out) {
  (void)out;
  return qn_plan_refuse(p, op, "the profile %s has no exact form of it on these types",
                        p->profile->name);
}

/* Plans an op that moves, compares or selects stored values, which is exact. Requires equal
 * quantization of operands and results. */
static qn_status moved(qn_planner *p, const qn_op *op, qn_plan *out) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    for (uint32_t j = 0; j < op->result_count; j++)
      if (qn_type_quant(op->operands[i].value->type) && qn_type_quant(op->results[j].type) &&
          qn_type_element(op->operands[i].value->type) != qn_type_element(op->results[j].type))
        return qn_plan_refuse(p, op, "operand %u has another quantization than the result", i);
  return p->record->plan(p, op, out);
}

static qn_plan_fn *const plans[QN_OP_COUNT] = {
    [QN_OP_QUANT_QCAST] = moved,
    [QN_OP_QUANT_DCAST] = moved,
    [QN_OP_ML_CONV] = qn_unit_matrix,
    [QN_OP_ML_CONV_TRANSPOSE] = qn_unit_matrix,
    [QN_OP_ML_DEPTHWISE_CONV] = qn_unit_matrix,
    [QN_OP_ML_LINEAR] = qn_unit_matrix,
    [QN_OP_ML_MATMUL] = qn_unit_matmul,
    [QN_OP_ML_AVG_POOL] = qn_unit_avg_pool,
    [QN_OP_ML_MAX_POOL] = qn_unit_max_pool,
    [QN_OP_ML_REDUCE_MEAN] = qn_unit_mean,
    [QN_OP_ML_REDUCE_SUM] = qn_unit_reduce_sum,
    [QN_OP_ML_ADD] = qn_unit_add,
    [QN_OP_ML_SUB] = qn_unit_sub,
    [QN_OP_ML_MUL] = qn_unit_mul,
    [QN_OP_ML_REAL_DIV] = qn_unit_div,
    [QN_OP_ML_SOFTMAX] = qn_unit_softmax_rows,
    [QN_OP_ML_CONCAT] = qn_unit_concat,
    [QN_OP_ML_REQUANTIZE] = qn_unit_requantize,
    [QN_OP_ML_RELU] = qn_unit_unary,
    [QN_OP_ML_RELU6] = qn_unit_unary,
    [QN_OP_ML_RELU_N1_TO_1] = qn_unit_unary,
    [QN_OP_ML_LEAKY_RELU] = qn_unit_unary,
    [QN_OP_ML_ABS] = qn_unit_unary,
    [QN_OP_ML_NEG] = qn_unit_unary,
    [QN_OP_ML_SQUARE] = qn_unit_unary,
    [QN_OP_ML_HARD_SWISH] = qn_unit_unary,
    [QN_OP_ML_SQRT] = qn_unit_unary,
    [QN_OP_ML_RSQRT] = qn_unit_unary,
    [QN_OP_ML_SIGMOID] = qn_unit_unary,
    [QN_OP_ML_TANH] = qn_unit_unary,
    [QN_OP_ML_EXP] = qn_unit_unary,
    [QN_OP_ML_LOG] = qn_unit_unary,
    [QN_OP_ML_GELU] = qn_unit_unary,
    [QN_OP_ML_ELU] = qn_unit_unary,
    [QN_OP_ML_ERF] = qn_unit_unary,
    [QN_OP_ML_SOFTPLUS] = qn_unit_unary,
    [QN_OP_ML_SOFTSIGN] = qn_unit_unary,
    [QN_OP_ML_SILU] = qn_unit_unary,
    [QN_OP_ML_SIN] = qn_unit_unary,
    [QN_OP_ML_COS] = qn_unit_unary,
    [QN_OP_ML_FLOOR] = qn_unit_unary,
    [QN_OP_ML_CEIL] = qn_unit_unary,
    [QN_OP_ML_ROUND] = qn_unit_unary,
    [QN_OP_ML_SIGN] = qn_unit_unary,
    [QN_OP_ML_PAD] = moved,
    [QN_OP_ML_RESHAPE] = moved,
    [QN_OP_ML_SQUEEZE] = moved,
    [QN_OP_ML_EXPAND_DIMS] = moved,
    [QN_OP_ML_TRANSPOSE] = moved,
    [QN_OP_ML_SPLIT] = moved,
    [QN_OP_ML_SLICE_BY_INDEX] = moved,
    [QN_OP_ML_GATHER] = moved,
    [QN_OP_ML_STACK] = moved,
    [QN_OP_ML_TILE] = moved,
    [QN_OP_ML_REVERSE] = moved,
    [QN_OP_ML_MIRROR_PAD] = moved,
    [QN_OP_ML_SPACE_TO_DEPTH] = moved,
    [QN_OP_ML_DEPTH_TO_SPACE] = moved,
    [QN_OP_ML_SPACE_TO_BATCH] = moved,
    [QN_OP_ML_BATCH_TO_SPACE] = moved,
    [QN_OP_ML_GATHER_ND] = moved,
    [QN_OP_ML_RESIZE_NEAREST_NEIGHBOR] = moved,
    [QN_OP_ML_REDUCE_ARGMAX] = moved,
    [QN_OP_ML_REDUCE_ARGMIN] = moved,
    [QN_OP_ML_SELECT] = moved,
    [QN_OP_ML_TOP_INDICES] = moved,
    [QN_OP_ML_MAXIMUM] = qn_unit_maximum,
    [QN_OP_ML_MINIMUM] = qn_unit_minimum,
    [QN_OP_ML_PRELU] = qn_unit_prelu,
    [QN_OP_ML_EQUAL] = qn_unit_equal,
    [QN_OP_ML_NOT_EQUAL] = qn_unit_not_equal,
    [QN_OP_ML_LESS] = qn_unit_less,
    [QN_OP_ML_LESS_EQUAL] = qn_unit_less_equal,
    [QN_OP_ML_GREATER] = qn_unit_greater,
    [QN_OP_ML_GREATER_EQUAL] = qn_unit_greater_equal,
    [QN_OP_ML_REDUCE_MAX] = moved,
    [QN_OP_ML_REDUCE_MIN] = moved,
};

qn_status qn_plan_unit(qn_planner *p, const qn_op *op, qn_plan *out) {
  return (plans[op->kind] ? plans[op->kind] : none)(p, op, out);
}
