/* ml.conv, ml.depthwise_conv and ml.linear: one accumulator, and one multiplier per output channel
 * (docs/arithmetic.md 4.3, 2.6, 5 and 4.4); and ml.matmul.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/channels.h"
#include "plan/inside.h"

#include "ir/ops/ml.h"
#include "ir/weights.h"
#include "quant/steps.h"

/* ---- plan ---- */

/* Whether the kernels ignore the zero points of the op's weights. */
static bool leaves_zero_points_out(const qn_op *op) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[1].value->type);
  bool one_scale = q->scheme != QN_PER_AXIS;
  return !qn_weights_have_zero_points(q->is_signed, op->kind == QN_OP_ML_LINEAR, one_scale);
}

static bool refuses_zero_points(const qn_planner *p, const qn_op *op) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[1].value->type);
  bool conv = qn_op_find(op, QN_A_GROUPS) != NULL;
  if (conv ? p->profile->conv_zero_points || !leaves_zero_points_out(op)
           : p->profile->all_weights || !q->is_signed)
    return false;
  for (uint32_t c = 0; c < q->count; c++)
    if (q->zero_points[c] != 0) return true;
  return false;
}

static const char *weight_problem(const qn_planner *p, const qn_op *op,
                                  const qn_channel_layout *layout, bool is_unsigned) {
  const qn_type *type = op->operands[1].value->type;
  const qn_quant_uniform *q = qn_type_quant(type);
  if (q && q->scheme == QN_SUB_CHANNEL) {
    if (op->operand_count > 2) return "a bias has no scale beside weights with scales per block";
    return "the weights have scales per block that no int8 with a scale per channel holds";
  }
  if (!q || q->storage->integer.width != 8) return "the weights are not stored in quantized 8 bits";
  if (q->is_signed == is_unsigned) return "input and weights mix signed and unsigned storage";
  if (!qn_channel_layout_fits(layout)) return "there are no weights, or too many";
  if (refuses_zero_points(p, op))
    return "int8 weights have a zero point other than 0, which the profile's kernels reject";
  if (q->scheme == QN_PER_LAYER) return NULL;
  if (q->count != layout->channels) return "the weights' scales are not one per output channel";
  for (uint32_t c = 1; c < q->count; c++)
    if (q->zero_points[c] != q->zero_points[0])
      return "the weights have different zero points per channel";
  if (q->axis != (int32_t)qn_weights_channel_dim(qn_op_weights(op), type->shaped.rank))
    return "the weights' scales are not per output channel";
  return NULL;
}

static bool has_bias_of(qn_planner *p, const qn_op *op, uint32_t width) {
  const qn_type *element = qn_type_element(op->operands[2].value->type);
  return qn_type_is_int(qn_plan_storage_element(p->cx, element), width);
}

/* The reason why the bias is not supported; NULL if it is. `width`: bits of the activations. */
static const char *bias_problem(qn_planner *p, const qn_op *op, uint32_t width, int64_t channels) {
  bool bare = width == 16 && (op->operand_count < 3 || !has_bias_of(p, op, 64));
  if (bare && op->kind == QN_OP_ML_LINEAR && !p->profile->bare_linear16)
    return "the profile has no rule for activations of 16 bits without a bias of 64";
  if (op->operand_count < 3) return NULL;
  const qn_type *type = op->operands[2].value->type;
  bool narrow = has_bias_of(p, op, 32), wide = width == 16 && has_bias_of(p, op, 64);
  if (width == 16 && op->kind == QN_OP_ML_DEPTHWISE_CONV && narrow)
    return "a bias of 32 bits beside activations of 16";
  if (width == 16 && narrow && !p->profile->narrow_sums16)
    return "the profile has no rule for a bias of 32 bits beside activations of 16";
  if (!narrow && !wide)
    return width == 8 ? "the bias is not stored in 32 bits"
                      : "the bias is not stored in 32 or 64 bits";
  if (qn_type_elements(type) != channels) return "the bias is not one value per output channel";
  return NULL;
}

/* The zero point that the reference kernels subtract from weights: 0 for int8 convolution weights
 * and for weights with a scale per channel, even if the model specifies another one. */
static int32_t weight_zero_point(qn_planner *p, const qn_op *op, qn_plan *plan) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[1].value->type);
  if (!leaves_zero_points_out(op)) return (int32_t)q->zero_points[0];
  if (q->zero_points[0] != 0)
    qn_plan_note_on(p, plan, QN_WARNING,
                    "the weights' zero point %lld is ignored, as by the kernels of the profile",
                    (long long)q->zero_points[0]);
  return 0;
}

static double real_multiplier(const qn_planner *p, const qn_op *op, qn_requant_rounding rounding,
                              const qn_plan_tensor *x, const qn_plan_tensor *y, int64_t channel) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[1].value->type);
  bool per_axis = q->scheme == QN_PER_AXIS;
  double weight = q->scales[per_axis ? channel : 0];
  if (rounding == QN_REQUANT_SINGLE)
    return qn_real_single(x->affine.scale, weight, y->affine.scale);
  if (rounding == QN_REQUANT_REAL) return x->affine.scale * weight / y->affine.scale;
  if (op->kind == QN_OP_ML_LINEAR)
    return qn_real_linear(p->profile, x->affine.scale, weight, y->affine.scale, per_axis);
  return qn_real_conv(x->affine.scale, weight, y->affine.scale, x->is_unsigned);
}

/* The profile's rounding of 8-bit ops. */
static qn_requant_rounding rounding_of_bytes(const qn_planner *p, const qn_op *op) {
  const qn_profile *rules = p->profile;
  bool depthwise = qn_op_weights(op) == QN_CHANNELS_LAST;
  const qn_quant_uniform *x = qn_type_quant(op->operands[0].value->type);
  qn_requant_rounding rounding = rules->conv_requant;
  if (op->kind == QN_OP_ML_LINEAR)
    rounding = rules->linear_requant;
  else if (depthwise)
    rounding = x->is_signed ? rules->depthwise_requant : rules->depthwise_u8_requant;
  else if (qn_op_groups(op) > 1)
    rounding = rules->grouped_requant;
  return rounding == QN_REQUANT_ONCE && !x->is_signed ? QN_REQUANT_DOUBLE : rounding;
}

/* The rounding of requantization: multiplier and shift for int32 accumulators, reduced multipliers
 * for int64 accumulators, unless the profile multiplies by a double. */
static qn_requant_rounding rounding_of(const qn_planner *p, const qn_op *op, uint32_t width,
                                       bool wide) {
  bool linear = op->kind == QN_OP_ML_LINEAR;
  if (width == 8) return rounding_of_bytes(p, op);
  if (linear && p->profile->linear16_real) return QN_REQUANT_REAL;
  if (wide) return QN_REQUANT_REDUCED;
  return linear ? QN_REQUANT_DOUBLE : p->profile->conv16_requant;
}

/* ---- channels with a factor that the reference's arithmetic can't represent ---- */

/* The largest shift of a multiplier, up to 31, for which the rounding is defined. */
static int32_t most_shift(qn_requant_rounding rounding) {
  if (rounding == QN_REQUANT_SINGLE) return QN_SINGLE_MAX_SHIFT;
  if (rounding == QN_REQUANT_ONCE) return QN_ONCE_MAX_SHIFT;
  return rounding == QN_REQUANT_REDUCED ? QN_REDUCED_MAX_SHIFT : 31;
}

static bool is_far(const qn_plan_matrix *m, double real) {
  if (m->rounding == QN_REQUANT_SINGLE) return !(real < (1 << QN_SINGLE_MAX_SHIFT));
  return !qn_multiplier_exists(real) || qn_multiplier_of(real).shift > most_shift(m->rounding);
}

/* Rejects the op if the module names a profile, because the profile defines no result. */
static qn_status refuse_far(qn_planner *p, const qn_op *op, const qn_plan_matrix *m, double real,
                            int64_t channel) {
  const int32_t most = most_shift(m->rounding);
  if (most < 31 && qn_multiplier_exists(real))
    return qn_plan_refuse(p, op, "the scales of channel %lld have the ratio %g, beyond 2^%d",
                          (long long)channel, real, most);
  if (qn_type_quant(op->operands[1].value->type)->scheme == QN_PER_LAYER)
    return qn_plan_check_ratio(p, op, real);
  return qn_plan_refuse_numbers(p,
                                "'%.*s' has in channel %lld scales whose ratio %g is out of range "
                                "for a fixed-point multiplier",
                                QN_STR_ARG(op->name), (long long)channel, real);
}

/* Adds a note, if the module names no profile: results of these channels saturate, whereas the
 * reference would wrap. */
static void note_far(qn_planner *p, const qn_op *op, qn_plan *plan, double real, int64_t channel,
                     int64_t others) {
  char more[48] = "";
  if (others > 0) snprintf(more, sizeof more, " (and %lld more)", (long long)others);
  qn_plan_note_on(p, plan, p->is_named ? QN_WARNING : QN_REMARK,
                  "'%.*s' has in channel %lld%s scales whose ratio %g is beyond the multipliers of "
                  "%s; its results saturate",
                  QN_STR_ARG(op->name), (long long)channel, more, real, p->profile->name);
}

static qn_status plan_multipliers(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                                  const qn_plan_tensor *y, qn_plan *plan) {
  qn_plan_matrix *m = &plan->matrix;
  double *reals = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, double), first_real = 0;
  qn_multiplier *multipliers = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, qn_multiplier);
  int64_t first = 0, far = 0;
  for (int64_t c = 0; c < m->channels; c++) {
    double real = real_multiplier(p, op, m->rounding, x, y, c);
    if (is_far(m, real)) {
      bool never = isnan(real) || m->rounding == QN_REQUANT_ONCE;
      if (p->needs_opt_in || never) return refuse_far(p, op, m, real, c);
      if (far++ == 0) first = c, first_real = real;
    }
    reals[c] = fmin(real, 0x1p31);
    multipliers[c] = qn_multiplier_exists(real) ? qn_multiplier_of(real) : qn_multiplier_far();
  }
  if (far > 0) note_far(p, op, plan, first_real, first, far - 1);
  if (m->rounding == QN_REQUANT_REAL)
    m->reals = reals;
  else
    m->multipliers = multipliers;
  return QN_OK;
}

/* The maximum magnitude of the bias; of its type if it is not constant. */
static double most_bias(const qn_op *op) {
  if (op->operand_count < 3) return 0;
  const qn_attr *value = qn_value_constant(op->operands[2].value);
  int64_t count = qn_type_elements(op->operands[2].value->type);
  double most = value ? 0 : 0x1p31;
  for (int64_t i = 0; value && i < count; i++)
    most = fmax(most, fabs((double)qn_dense_int(value, i)));
  return most;
}

/* Checks that results fit in 32 bits: kernels that multiply by a double convert without a range
 * check. */
static qn_status check_held(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                            const qn_plan_matrix *m) {
  if (m->rounding != QN_REQUANT_REAL || !p->needs_opt_in) return QN_OK;
  const qn_type *weights = op->operands[1].value->type;
  double factor = x->width == 16 ? 0x1p15 : UINT8_MAX,
         weight = m->weight_zero_point || x->is_unsigned ? UINT8_MAX : -INT8_MIN;
  int64_t depth = weights->shaped.dims[weights->shaped.rank - 1];
  double most = (double)depth * factor * weight + most_bias(op);
  for (int64_t c = 0; c < m->channels; c++)
    if (!(most * m->reals[c] < 0x1p31 - UINT16_MAX))
      return qn_plan_refuse(p, op,
                            "with the ratio %g of its scales in channel %lld the kernels of %s "
                            "convert floats that 32 bits may not hold",
                            m->reals[c], (long long)c, p->profile->name);
  return QN_OK;
}

static qn_status plan_matrix(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  if (qn_plan_is_hybrid(p, op)) return qn_plan_hybrid(p, op, out);
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  qn_channel_layout layout = qn_channel_layout_of(op);
  const char *problem = weight_problem(p, op, &layout, x.is_unsigned);
  if (!problem) problem = bias_problem(p, op, x.width, layout.channels);
  if (problem) return qn_plan_refuse(p, op, "%s", problem);
  bool wide = x.width == 16 && (op->operand_count < 3 || has_bias_of(p, op, 64));
  out->kind = QN_PLAN_MATRIX;
  out->matrix = (qn_plan_matrix){.channels = layout.channels,
                                 .rounding = rounding_of(p, op, x.width, wide),
                                 .wide = wide,
                                 .input_zero_point = x.affine.zero_point,
                                 .weight_zero_point = weight_zero_point(p, op, out),
                                 .output = qn_plan_output_of(op, &y)};
  QN_TRY(plan_multipliers(p, op, &x, &y, out));
  return check_held(p, op, &x, &out->matrix);
}

/* ---- write ---- */

static qn_value *write_bias(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan_matrix *m) {
  if (op->operand_count > 2) return op->operands[2].value;
  size_t count = (size_t)m->channels + 1;
  if (m->wide) return qn_plan_i64s(b, QN_NEW_ARRAY(p->arena, count, int64_t), m->channels);
  return qn_plan_i32s(b, QN_NEW_ARRAY(p->arena, count, int32_t), m->channels);
}

static qn_value *write_multipliers(qn_planner *p, qn_builder *b, const qn_plan_matrix *m,
                                   qn_value **out_shift) {
  int32_t *mantissas = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, int32_t);
  int32_t *shifts = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, int32_t);
  for (int64_t c = 0; c < m->channels && m->multipliers; c++) {
    mantissas[c] = m->multipliers[c].mantissa;
    shifts[c] = m->multipliers[c].shift;
  }
  qn_value *multiplier =
      m->reals ? qn_plan_f64s(b, m->reals, m->channels) : qn_plan_i32s(b, mantissas, m->channels);
  *out_shift =
      m->offsets ? qn_plan_f64s(b, m->offsets, m->channels) : qn_plan_i32s(b, shifts, m->channels);
  return multiplier;
}

/* Attributes that model-stage and integer-stage op share. */
static const qn_attr_id geometry[] = {QN_A_STRIDES, QN_A_PAD, QN_A_DILATIONS, QN_A_GROUPS};

static qn_value *write_matrix(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_matrix *m = &plan->matrix;
  qn_value *bias = write_bias(p, b, op, m), *shift;
  qn_value *multiplier = write_multipliers(p, b, m, &shift);
  qn_value *y = qn_plan_build(
      p, b, op, QN_VALUES(op->operands[0].value, op->operands[1].value, bias, multiplier, shift),
      QN_ATTRS({"input_zero_point", qn_attr_i64(b->cx, m->input_zero_point)},
               {"weight_zero_point", qn_attr_i64(b->cx, m->weight_zero_point)},
               {"output_zero_point", qn_attr_i64(b->cx, m->output.zero_point)},
               {"rounding", qn_attr_word(b->cx, QN_A_REQUANT_ROUNDING, m->rounding)},
               {"min", qn_attr_i64(b->cx, m->output.min)},
               {"max", qn_attr_i64(b->cx, m->output.max)}));
  for (size_t i = 0; i < QN_COUNT(geometry); i++) {
    const qn_attr *value = qn_op_find(op, geometry[i]);
    if (value) qn_op_set_attr(b->module, y->op, qn_attr_decls[geometry[i]].name, value);
  }
  return y;
}

/* ---- read ---- */

static const char *read_multipliers(qn_planner *p, const qn_plan_operands *operands,
                                    const qn_op *op, qn_plan_matrix *m) {
  qn_multiplier *multipliers = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, qn_multiplier);
  for (int64_t c = 0; c < m->channels; c++) {
    int64_t mantissa = operands->integer(operands->user, op, 3, c);
    int64_t shift = operands->integer(operands->user, op, 4, c);
    const int32_t most = m->rounding == QN_REQUANT_ONCE ? QN_ONCE_MAX_SHIFT : QN_FAR_SHIFT;
    if (mantissa < 0 || mantissa > INT32_MAX || shift < -31 || shift > most)
      return qn_plan_bad(p, "channel %lld has multiplier %lld and shift %lld, out of range",
                         (long long)c, (long long)mantissa, (long long)shift);
    multipliers[c] = (qn_multiplier){(int32_t)mantissa, (int32_t)shift};
  }
  m->multipliers = multipliers;
  return NULL;
}

/* Reads the offsets that replace shifts. Factors and offsets are bounded, so that sums stay
 * finite. */
static const char *read_offsets(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                qn_plan_matrix *m) {
  if (!qn_type_is_float(qn_type_element(op->operands[4].value->type), QN_F64))
    return "rounding \"even\" needs f64 offsets";
  double *offsets = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, double);
  for (int64_t c = 0; c < m->channels; c++) {
    offsets[c] = operands->real(operands->user, op, 4, c);
    if (!(fabs(offsets[c]) <= 0x1p100) || !(m->reals[c] >= 0 && m->reals[c] <= 0x1p100))
      return qn_plan_bad(p, "channel %lld has factor %g and offset %g, out of range", (long long)c,
                         m->reals[c], offsets[c]);
  }
  m->offsets = offsets;
  return NULL;
}

static const char *read_reals(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan_matrix *m) {
  if (!qn_type_is_float(qn_type_element(op->operands[3].value->type), QN_F64))
    return "rounding \"real\" or \"even\" needs f64 multipliers";
  double *reals = QN_NEW_ARRAY(p->arena, (size_t)m->channels + 1, double);
  for (int64_t c = 0; c < m->channels; c++) reals[c] = operands->real(operands->user, op, 3, c);
  m->reals = reals;
  return m->rounding == QN_REQUANT_EVEN ? read_offsets(p, operands, op, m) : NULL;
}

const char *qn_plan_read_matrix(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                qn_plan *out) {
  *out = (qn_plan){.kind = QN_PLAN_MATRIX};
  qn_plan_matrix *m = &out->matrix;
  qn_channel_layout layout = qn_channel_layout_of(op);
  m->channels = layout.channels;
  for (uint32_t i = 2; i < 5; i++)
    if (qn_type_elements(op->operands[i].value->type) != m->channels)
      return qn_plan_bad(p, "operand %u must have one value per output channel", i);
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &m->input_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_WEIGHT_ZERO_POINT, &m->weight_zero_point));
  QN_PLAN_READ(qn_plan_read_output(p, op, &m->output));
  m->rounding = qn_op_requant_rounding(op);
  m->wide = qn_type_is_int(qn_type_element(op->operands[2].value->type), 64);
  return qn_requant_is_real(m->rounding) ? read_reals(p, operands, op, m)
                                         : read_multipliers(p, operands, op, m);
}

/* ---- convolutions that are rewritten as 2-D convolutions ---- */

/* Checks only whether such a convolution can be planned, with messages for the original op. Its
 * parameters are those of the 2-D convolution, which is planned when it exists. */
static qn_status plan_reduced(qn_planner *p, const qn_op *op, qn_plan *out) {
  const char *problem = qn_stored_form_problem(op);
  if (!problem && qn_plan_is_hybrid(p, op))
    problem = "no profile has kernels of it for floats beside weights of 8 bits";
  if (problem) return qn_plan_refuse(p, op, "%s", problem);
  QN_TRY(plan_matrix(p, op, out));
  *out = (qn_plan){.kind = QN_PLAN_FORM};
  return QN_OK;
}

static qn_status plan_transposed(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[0].value->type);
  if (q && q->storage->integer.width == 8 && !p->profile->transpose_conv8)
    return qn_plan_refuse(p, op, "the profile %s has no rule for it on 8 bits", p->profile->name);
  /* It becomes a convolution, whose rounding is that of another kernel. */
  bool narrow =
      q && q->storage->integer.width == 16 && op->operand_count > 2 && has_bias_of(p, op, 32);
  if (narrow && p->profile->conv16_requant != QN_REQUANT_DOUBLE)
    return qn_plan_refuse(p, op, "the profile %s has no rule for a bias of 32 bits",
                          p->profile->name);
  return plan_reduced(p, op, out);
}

static qn_status plan_conv(qn_planner *p, const qn_op *op, qn_plan *out) {
  bool planar = op->results[0].type->shaped.rank == 4;
  return planar ? plan_matrix(p, op, out) : plan_reduced(p, op, out);
}

/* ---- table entries ---- */

#define MATRIX_NEEDS "weights per layer or per channel; i32 bias"
const qn_plan_record qn_plan_ml_conv_transpose = {
    .plan = plan_transposed, .integer = QN_OP_ML_INTEGER_CONV, .needs = MATRIX_NEEDS};
#define MATRIX(stem, plan_fn, kind)                                                                \
  const qn_plan_record qn_plan_##stem = {                                                          \
      .plan = plan_fn, .write = write_matrix, .integer = kind, .needs = MATRIX_NEEDS};
MATRIX(ml_conv, plan_conv, QN_OP_ML_INTEGER_CONV)
MATRIX(ml_depthwise_conv, plan_matrix, QN_OP_ML_INTEGER_DEPTHWISE_CONV)
MATRIX(ml_linear, plan_matrix, QN_OP_ML_INTEGER_LINEAR)
#undef MATRIX

/* ---- products of two computed operands ---- */

static qn_plan_binary bytes_of_matmul(const qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                                      const qn_plan_tensor *y, const qn_plan_tensor *z,
                                      double real) {
  return (qn_plan_binary){.a_zero_point = x->affine.zero_point,
                          .b_zero_point = y->affine.zero_point,
                          .y = qn_multiplier_of(real),
                          .rounding = p->profile->matmul_requant,
                          .output = qn_plan_output_of(op, z)};
}

/* Plans a product of 16-bit operands, which has int64 accumulators. */
static qn_status plan_words_of_matmul(qn_planner *p, const qn_op *op, const qn_plan_tensor *z,
                                      double real, qn_plan *out) {
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){.y = qn_multiplier_of(real), .min = z->affine.min, .max = z->affine.max};
  if (n->y.shift > QN_REDUCED_MAX_SHIFT)
    return qn_plan_refuse(p, op, "the scales have the ratio %g, beyond 2^%d", real,
                          QN_REDUCED_MAX_SHIFT);
  out->numbers = n;
  return qn_plan_form(out);
}

static qn_status plan_matmul(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y, z;
  if (qn_plan_is_whole(op->operands[0].value)) return qn_plan_form(out);
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &z));
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[1].value, "operand 1", 8 | 16, &y));
  QN_TRY(qn_plan_symmetric16(p, op, &y));
  QN_TRY(qn_plan_same_type(p, op, &x, &y));
  if (x.is_unsigned) return qn_plan_refuse(p, op, "no profile has it of unsigned storage");
  double real = qn_real_conv(x.affine.scale, y.affine.scale, z.affine.scale, true);
  QN_TRY(qn_plan_check_ratio(p, op, real));
  if (x.width == 16) return plan_words_of_matmul(p, op, &z, real, out);
  out->kind = QN_PLAN_PRODUCT;
  QN_TRY(qn_plan_check_once(p, op, p->profile->matmul_requant, real));
  out->binary = bytes_of_matmul(p, op, &x, &y, &z, real);
  return QN_OK;
}

/* Builds the integer form, which requires contiguous rows of x. */
static qn_value *write_matmul(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  qn_value *x = op->operands[0].value;
  if (qn_op_transpose_x(op)) x = qn_build_matrix_transposed(b, x);
  qn_value *y = qn_plan_build_product(p, b, op, x, op->operands[1].value, &plan->binary);
  if (qn_op_transpose_y(op))
    qn_op_set_attr(b->module, y->op, "transpose_y", qn_attr_bool(b->cx, true));
  if (plan->binary.rounding != QN_REQUANT_DOUBLE)
    qn_plan_set_rounding(b, y->op, plan->binary.rounding);
  if (plan->binary.rounding == QN_REQUANT_EVEN)
    qn_op_set_attr(b->module, y->op, qn_attr_decls[QN_A_FACTOR].name,
                   qn_attr_float(b->cx, plan->binary.real, qn_type_float(b->cx, QN_F64)));
  return y;
}
const qn_plan_record qn_plan_ml_matmul = {.plan = plan_matmul,
                                          .write = write_matmul,
                                          .integer = QN_OP_ML_INTEGER_MATMUL,
                                          .needs = "one width, signed storage"};
