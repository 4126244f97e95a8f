/* What convolutions and matrix products have in common: weights, bias, multiplier and shift per
 * output channel, and the proof that the 32-bit accumulator does not wrap.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"
#include "quant/bounds.h"

qn_channel_layout qn_channel_layout_of(const qn_op *op) {
  const qn_type *weights = qn_op_operand(op, 1)->type;
  bool last = op->kind == QN_OP_ML_DEPTHWISE_CONV || op->kind == QN_OP_ML_INTEGER_DEPTHWISE_CONV;
  int64_t channels = weights->shaped.dims[last ? weights->shaped.rank - 1 : 0];
  int64_t elements = qn_type_elements(weights);
  int64_t taps = channels > 0 && elements >= 0 ? elements / channels : INT64_MAX;
  return (qn_channel_layout){channels, taps, last};
}

/* The weights' constant and parameters. */
typedef struct weight_info {
  const qn_attr *payload;
  const qn_quant_uniform *quant;
  int64_t zero_point; /* as the arithmetic uses it */
  qn_channel_layout layout;
} weight_info;

static bool refuse(qn_integer *in, const qn_op *op, const char *reason) {
  (void)qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s",
                 QN_STR_ARG(op->name), reason);
  return false;
}

static const char *weight_problem(const weight_info *w, const qn_op *op, const qn_quant8 *x) {
  const qn_quant_uniform *q = w->quant;
  if (q && q->scheme == QN_SUB_CHANNEL) {
    if (op->operand_count > 2) return "a bias has no scale beside weights with scales per block";
    return "the weights have scales per block that no int8 with a scale per channel holds";
  }
  if (!q || q->storage->integer.width != 8) return "the weights are not stored in quantized 8 bits";
  if (q->is_signed == x->is_unsigned) return "input and weights mix signed and unsigned storage";
  if (!w->payload) return "the weights are not constant";
  if (!qn_channel_layout_fits(&w->layout)) return "there are no weights, or too many";
  if (q->scheme == QN_PER_LAYER) return NULL;
  if (q->count != w->layout.channels) return "the weights' scales are not one per output channel";
  for (uint32_t c = 1; c < q->count; c++)
    if (q->zero_points[c] != q->zero_points[0])
      return "the weights have different zero points per channel";
  return NULL;
}

/* Which zero point the reference kernels subtract: none from int8 convolution weights or from
 * weights with a scale per channel, whatever the file says. */
static int64_t used_weight_zero_point(qn_integer *in, const qn_op *op, const qn_quant_uniform *q) {
  bool ignored = q->is_signed && (op->kind != QN_OP_ML_LINEAR || q->scheme == QN_PER_AXIS);
  if (!ignored) return q->zero_points[0];
  if (q->zero_points[0] != 0)
    qn_warning(&in->cx->diag, op->loc,
               "the weights' zero point %lld is ignored, as by the kernels of the profile",
               (long long)q->zero_points[0]);
  return 0;
}

static weight_info weight_info_of(const qn_op *op) {
  const qn_value *value = qn_op_operand(op, 1);
  return (weight_info){.payload = qn_value_constant(value),
                       .quant = qn_type_quant(value->type),
                       .layout = qn_channel_layout_of(op)};
}

static bool weights_of(qn_integer *in, qn_op *op, const qn_quant8 *x, weight_info *out_w) {
  weight_info w = weight_info_of(op);
  uint32_t axis = w.layout.channels_last ? qn_op_operand(op, 1)->type->shaped.rank - 1 : 0;
  bool constant = w.quant && w.payload && qn_channel_layout_fits(&w.layout);
  if (constant && qn_integer_weights_to_int8(in, op, axis))
    w = weight_info_of(op);
  const char *problem = weight_problem(&w, op, x);
  if (problem) return refuse(in, op, problem);
  if (w.quant->scheme == QN_PER_AXIS && w.quant->axis != (int32_t)axis)
    return refuse(in, op, "the weights' scales are not per output channel");
  w.zero_point = used_weight_zero_point(in, op, w.quant);
  *out_w = w;
  return true;
}

/* ---- bias ---- */

static bool bias_of(qn_integer *in, const qn_op *op, qn_builder *b, int64_t channels,
                    qn_value **out_bias) {
  if (op->operand_count < 3) {
    int32_t *zeros = QN_NEW_ARRAY(in->scratch, (size_t)channels + 1, int32_t);
    *out_bias = qn_integer_i32s(b, zeros, channels);
    return true;
  }
  qn_value *bias = qn_op_operand(op, 2);
  const qn_type *element = qn_integer_storage_element(in->cx, qn_type_element(bias->type));
  if (!qn_type_is_int(element, 32)) return refuse(in, op, "the bias is not stored in 32 bits");
  if (!qn_value_constant(bias)) return refuse(in, op, "the bias is not constant");
  if (qn_type_elements(bias->type) != channels)
    return refuse(in, op, "the bias is not one value per output channel");
  *out_bias = bias;
  return true;
}

/* ---- multipliers ---- */

static double real_multiplier(const qn_integer *in, const qn_op *op, const qn_channels *ch,
                              const weight_info *w, int64_t channel) {
  bool per_axis = w->quant->scheme == QN_PER_AXIS;
  double weight = w->quant->scales[per_axis ? channel : 0];
  double x = ch->x.affine.scale, y = ch->y.affine.scale;
  return op->kind == QN_OP_ML_LINEAR ? qn_real_linear(in->profile, x, weight, y, per_axis)
                                     : qn_real_conv(x, weight, y, ch->x.is_unsigned);
}

/* litert-ref multiplies the accumulators of matrix products by a double and rounds once; everything
 * else has mantissa and shift. */
static bool build_multipliers(qn_integer *in, const qn_op *op, qn_builder *b, const weight_info *w,
                              qn_channels *ch) {
  int64_t channels = w->layout.channels;
  bool real = op->kind == QN_OP_ML_LINEAR && in->profile->linear_requant == QN_REQUANT_BY_REAL;
  int32_t *mantissas = QN_NEW_ARRAY(in->scratch, (size_t)channels + 1, int32_t);
  int32_t *shifts = QN_NEW_ARRAY(in->scratch, (size_t)channels + 1, int32_t);
  double *reals = QN_NEW_ARRAY(in->scratch, (size_t)channels + 1, double);
  for (int64_t c = 0; c < channels; c++) {
    reals[c] = real_multiplier(in, op, ch, w, c);
    qn_multiplier m;
    if (!qn_integer_multiplier(in, op, reals[c], &m)) return false;
    mantissas[c] = m.mantissa;
    shifts[c] = real ? 0 : m.shift;
  }
  ch->rounding = real ? "real" : "double";
  ch->multiplier =
      real ? qn_integer_f64s(b, reals, channels) : qn_integer_i32s(b, mantissas, channels);
  ch->shift = qn_integer_i32s(b, shifts, channels);
  return true;
}

/* ---- accumulator range ---- */

static bool has_padding(const qn_op *op) {
  qn_i64s pad = qn_op_pad(op);
  for (uint32_t i = 0; i < pad.count; i++)
    if (pad.data[i] != 0) return true;
  return false;
}

static void warn_range(qn_integer *in, const qn_op *op, int64_t channel, qn_interval range,
                       int64_t others) {
  char more[48] = "";
  if (others > 0) snprintf(more, sizeof more, " (and of %lld more channels)", (long long)others);
  qn_warning(
      &in->cx->diag, op->loc,
      "the accumulator of channel %lld%s may be anywhere in [%lld, %lld] and wrap at 32 bits",
      (long long)channel, more, (long long)range.lo, (long long)range.hi);
}

/* Whether no weights and inputs of 8 bits and no bias up to this one could leave 32 bits. */
static bool is_plainly_narrow(int64_t taps, int64_t bias) {
  return taps < (1 << 14) && bias > -(1 << 30) && bias < (1 << 30);
}

static qn_interval accumulator_range(qn_integer *in, const weight_info *w, const qn_channels *ch,
                                     int64_t channel, int64_t bias, bool padded) {
  qn_arena_mark mark = qn_arena_get_mark(in->scratch);
  int32_t *taps = QN_NEW_ARRAY(in->scratch, (size_t)w->layout.taps + 1, int32_t);
  qn_weight_bytes weights = qn_weight_bytes_of(w->payload, ch->x.is_unsigned);
  for (int64_t t = 0; t < w->layout.taps; t++) {
    int64_t i = qn_channel_index(&w->layout, channel, t);
    taps[t] = qn_weight_at(weights, i) - (int32_t)w->zero_point;
  }
  /* Every 8-bit input counts, not only the range that the type states: nothing enforces it. */
  int64_t lowest, highest, zero = ch->x.affine.zero_point;
  qn_storage_range(8, !ch->x.is_unsigned, &lowest, &highest);
  qn_interval range =
      qn_bounds_dot(taps, w->layout.taps, lowest - zero, highest - zero, bias, padded);
  qn_arena_rewind(in->scratch, mark);
  return range;
}

static void check_accumulators(qn_integer *in, const qn_op *op, const weight_info *w,
                               const qn_channels *ch) {
  const qn_attr *biases = qn_value_constant(ch->bias);
  bool padded = has_padding(op);
  int64_t first = -1, wide = 0;
  qn_interval first_range = {0, 0};
  for (int64_t c = 0; c < w->layout.channels; c++) {
    int64_t bias = qn_dense_int(biases, c);
    if (is_plainly_narrow(w->layout.taps, bias)) continue;
    qn_interval range = accumulator_range(in, w, ch, c, bias, padded);
    if (qn_interval_fits_i32(range)) continue;
    if (wide++ > 0) continue;
    first = c;
    first_range = range;
  }
  if (wide > 0) warn_range(in, op, first, first_range, wide - 1);
}

bool qn_integer_channels(qn_integer *in, qn_op *op, qn_builder *b, qn_channels *out_channels) {
  qn_channels ch = {0};
  weight_info w;
  if (!qn_integer_unary_quant8(in, op, &ch.x, &ch.y) || !weights_of(in, op, &ch.x, &w) ||
      !bias_of(in, op, b, w.layout.channels, &ch.bias) || !build_multipliers(in, op, b, &w, &ch))
    return false;
  qn_activation_range(qn_op_activation(op), ch.y.affine, &ch.min, &ch.max);
  ch.weight_zero_point = w.zero_point;
  check_accumulators(in, op, &w, &ch);
  *out_channels = ch;
  return true;
}
