/* Bias, multiplier and clamp per output channel: derived from types or read from operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

qn_status qn_ref_output_of(qn_eval *ev, const qn_op *op, qn_ref_output *out) {
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_OUTPUT_ZERO_POINT, &out->zero_point));
  QN_TRY(qn_ref_i32(ev, op, QN_A_MIN, INT32_MIN, INT32_MAX, &out->min));
  return qn_ref_i32(ev, op, QN_A_MAX, INT32_MIN, INT32_MAX, &out->max);
}

int32_t qn_ref_requantize(const qn_ref_channels *channels, int64_t c, int32_t acc) {
  int32_t y = channels->reals ? qn_requant_real(acc, channels->reals[c])
                              : qn_requant32(acc, channels->multipliers[c].mantissa,
                                             channels->multipliers[c].shift);
  return qn_ref_finish(&channels->output, y);
}

/* Output channels of the weights and of the result, which must agree. */
static qn_status count_channels(qn_eval *ev, const qn_op *op, uint32_t channel_dim,
                                int64_t *out_count) {
  const qn_type *weights = qn_ref_operand_type(op, 1), *y = qn_ref_result_type(op, 0);
  if (weights->shaped.rank <= channel_dim || y->shaped.rank == 0 ||
      weights->shaped.dims[channel_dim] != y->shaped.dims[y->shaped.rank - 1])
    return qn_eval_fail(ev, op, "has weights and a result with different output channels");
  *out_count = weights->shaped.dims[channel_dim];
  return QN_OK;
}

/* ---- model stage ---- */

static qn_status check_weights(qn_eval *ev, const qn_op *op, uint32_t channel_dim, int64_t channels,
                               const qn_quant_uniform *q, bool is_unsigned) {
  if (!q || q->scheme == QN_SUB_CHANNEL || q->storage->integer.width != 8 ||
      q->is_signed == is_unsigned)
    return qn_eval_fail(ev, op, "needs weights quantized to 8 bits like the input");
  if (q->scheme == QN_PER_AXIS && (q->axis != (int32_t)channel_dim || q->count != channels))
    return qn_eval_fail(ev, op, "needs the weights' scales along the output channels");
  return QN_OK;
}

/* int8 convolutions and weights with a scale per channel ignore the weights' zero point. */
static int32_t weight_zero_point(const qn_op *op, const qn_quant_uniform *q) {
  bool ignored = q->is_signed && (op->kind != QN_OP_ML_LINEAR || q->scheme == QN_PER_AXIS);
  return ignored ? 0 : (int32_t)q->zero_points[0];
}

static qn_status model_bias(qn_eval *ev, const qn_op *op, qn_ref_channels *out) {
  out->bias = QN_NEW_ARRAY(ev->arena, (size_t)out->count + 1, int32_t);
  if (op->operand_count < 3) return QN_OK;
  const qn_rt_value *bias = qn_eval_operand(ev, op, 2);
  if (qn_rt_count(bias) != out->count || qn_type_bytes(qn_type_element(bias->type)) != 4)
    return qn_eval_fail(ev, op, "needs a bias of 32 bits per output channel");
  out->bias = qn_ref_load(ev, bias, 0);
  return QN_OK;
}

static qn_status model_multipliers(qn_eval *ev, const qn_op *op, double input, double output,
                                   const qn_quant_uniform *weights, bool is_unsigned,
                                   qn_ref_channels *out) {
  const qn_profile *profile;
  QN_TRY(qn_ref_profile(ev, op, &profile));
  bool linear = op->kind == QN_OP_ML_LINEAR, per_axis = weights->scheme == QN_PER_AXIS;
  double *reals = QN_NEW_ARRAY(ev->arena, (size_t)out->count + 1, double);
  qn_multiplier *multipliers = QN_NEW_ARRAY(ev->arena, (size_t)out->count + 1, qn_multiplier);
  for (int64_t c = 0; c < out->count; c++) {
    double weight = weights->scales[per_axis ? c : 0];
    reals[c] = linear ? qn_real_linear(profile, input, weight, output, per_axis)
                      : qn_real_conv(input, weight, output, is_unsigned);
    QN_TRY(qn_ref_check_real(ev, op, reals[c]));
    multipliers[c] = qn_multiplier_of(reals[c]);
  }
  if (linear && profile->linear_requant == QN_REQUANT_BY_REAL)
    out->reals = reals;
  else
    out->multipliers = multipliers;
  return QN_OK;
}

qn_status qn_ref_channels_of_types(qn_eval *ev, const qn_op *op, uint32_t channel_dim,
                                   qn_ref_channels *out) {
  qn_ref_quant x, y;
  *out = (qn_ref_channels){0};
  QN_TRY(qn_ref_unary_quant8(ev, op, &x, &y));
  QN_TRY(count_channels(ev, op, channel_dim, &out->count));
  const qn_quant_uniform *weights = qn_type_quant(qn_ref_operand_type(op, 1));
  QN_TRY(check_weights(ev, op, channel_dim, out->count, weights, x.is_unsigned));
  out->input_zero_point = x.affine.zero_point;
  out->weight_zero_point = weight_zero_point(op, weights);
  out->output.zero_point = y.affine.zero_point;
  qn_activation_range(qn_op_activation(op), y.affine, &out->output.min, &out->output.max);
  QN_TRY(model_bias(ev, op, out));
  return model_multipliers(ev, op, x.affine.scale, y.affine.scale, weights, x.is_unsigned, out);
}

/* ---- integer stage ---- */

static qn_status integer_multipliers(qn_eval *ev, const qn_op *op, qn_ref_channels *out) {
  const qn_rt_value *mantissa = qn_eval_operand(ev, op, 3), *shift = qn_eval_operand(ev, op, 4);
  qn_multiplier *multipliers = QN_NEW_ARRAY(ev->arena, (size_t)out->count + 1, qn_multiplier);
  for (int64_t c = 0; c < out->count; c++) {
    int64_t m = qn_rt_int(mantissa, c), s = qn_rt_int(shift, c);
    if (m < 0 || m > INT32_MAX || s < -31 || s > 31)
      return qn_eval_fail(ev, op, "channel %lld has multiplier %lld and shift %lld, out of range",
                          (long long)c, (long long)m, (long long)s);
    multipliers[c] = (qn_multiplier){(int32_t)m, (int32_t)s};
  }
  out->multipliers = multipliers;
  return QN_OK;
}

static qn_status integer_reals(qn_eval *ev, const qn_op *op, qn_ref_channels *out) {
  const qn_rt_value *operand = qn_eval_operand(ev, op, 3);
  if (!qn_type_is_float(qn_type_element(operand->type), QN_F64))
    return qn_eval_fail(ev, op, "rounding \"real\" needs f64 multipliers");
  double *reals = QN_NEW_ARRAY(ev->arena, (size_t)out->count + 1, double);
  for (int64_t c = 0; c < out->count; c++) reals[c] = qn_rt_float(operand, c);
  out->reals = reals;
  return QN_OK;
}

qn_status qn_ref_channels_of_operands(qn_eval *ev, const qn_op *op, uint32_t channel_dim,
                                      qn_ref_channels *out) {
  *out = (qn_ref_channels){0};
  QN_TRY(count_channels(ev, op, channel_dim, &out->count));
  for (uint32_t i = 2; i < 5; i++)
    if (qn_rt_count(qn_eval_operand(ev, op, i)) != out->count)
      return qn_eval_fail(ev, op, "operand %u must have one value per output channel", i);
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_INPUT_ZERO_POINT, &out->input_zero_point));
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_WEIGHT_ZERO_POINT, &out->weight_zero_point));
  QN_TRY(qn_ref_output_of(ev, op, &out->output));
  out->bias = qn_ref_load(ev, qn_eval_operand(ev, op, 2), 0);
  return qn_op_requant_rounding(op) == QN_REQUANT_REAL ? integer_reals(ev, op, out)
                                                       : integer_multipliers(ev, op, out);
}
