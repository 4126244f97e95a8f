/* Convolutions and matrix products as exact units: integer ops with a product of doubles for the
 * types that the integer ops support, else integers held in f64 (docs/arithmetic.md 19.2, 20.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "ir/ops/infer/matmul.h"
#include "ir/types/quant_at.h"
#include "ir/weights.h"
#include "plan/channels.h"
#include "plan/units/units.h"
#include "quant/bounds.h"

typedef struct matrix {
  const qn_op *op;
  qn_unit_tensor x, y;       /* y: only if the result is quantized */
  const qn_quant_uniform *w; /* the weights, or the second matrix */
  const qn_quant_uniform *b; /* quantization of the bias; NULL: plain integers, or no bias */
  const qn_attr *bias;       /* values of the bias; NULL if none or not constant */
  qn_channel_layout layout;  /* channels of a matmul: 1 */
  bool fused, real;
} matrix;

/* ---- operands ---- */

static qn_status check_scales(qn_planner *p, const qn_op *op, const qn_quant_uniform *q,
                              const char *role) {
  for (uint32_t c = 0; c < q->count; c++)
    if (!qn_exact_is_scale(qn_unit_scale(q, c)))
      return qn_plan_refuse(p, op, "%s have the scale %g, which is not a positive f32", role,
                            q->scales[c]);
  return QN_OK;
}

static qn_status read_weights(qn_planner *p, matrix *m) {
  const qn_type *type = m->op->operands[1].value->type;
  m->w = qn_type_quant(type);
  if (!m->w) return qn_plan_refuse(p, m->op, "the weights are not quantized");
  if (m->w->scheme == QN_SUB_CHANNEL)
    return qn_plan_refuse(p, m->op,
                          "the weights have scales per block, whose sums are no single "
                          "integer");
  if (m->w->storage->integer.width > 16)
    return qn_plan_refuse(p, m->op, "the weights are stored in more than 16 bits");
  if (!qn_channel_layout_fits(&m->layout))
    return qn_plan_refuse(p, m->op, "there are no weights, or too many");
  uint32_t dim = qn_weights_channel_dim(qn_op_weights(m->op), type->shaped.rank);
  if (m->w->scheme == QN_PER_AXIS &&
      (m->w->axis != (int32_t)dim || m->w->count != m->layout.channels))
    return qn_plan_refuse(p, m->op, "the weights' scales are not per output channel");
  return check_scales(p, m->op, m->w, "the weights");
}

static qn_status read_bias(qn_planner *p, matrix *m) {
  if (m->op->operand_count < 3) return QN_OK;
  const qn_value *bias = m->op->operands[2].value;
  const qn_type *element = qn_type_element(bias->type);
  m->b = qn_type_quant(bias->type);
  m->bias = qn_value_constant(bias);
  if (qn_type_is_float(element, QN_F32) && m->real && m->fused) return QN_OK;
  if (!qn_type_is_int(m->b ? m->b->storage : element, 32))
    return qn_plan_refuse(p, m->op, "the bias is not stored in 32 bits");
  if (qn_type_elements(bias->type) != m->layout.channels)
    return qn_plan_refuse(p, m->op, "the bias is not one value per output channel");
  if (!m->b) return QN_OK;
  if (m->b->scheme == QN_SUB_CHANNEL ||
      (m->b->scheme == QN_PER_AXIS && m->b->count != m->layout.channels))
    return qn_plan_refuse(p, m->op, "the bias has other scales than one or one per channel");
  for (uint32_t c = 0; c < m->b->count; c++)
    if (m->b->zero_points[c] != 0)
      return qn_plan_refuse(p, m->op, "the bias has a zero point other than 0");
  return check_scales(p, m->op, m->b, "the bias");
}

static bool has_plain_bias(const matrix *m) {
  if (m->op->operand_count < 3) return false;
  return qn_type_element(m->op->operands[2].value->type)->kind != QN_TYPE_FLOAT;
}

static double scale_of(const qn_quant_uniform *q, int64_t channel) {
  return qn_unit_scale(q, q->count > 1 ? (uint32_t)channel : 0);
}

/* The exact contribution of a channel's bias whose scale differs from the product of the other
 * scales. */
static qn_status term_of(qn_planner *p, const matrix *m, int64_t channel, qn_exact *io_exact) {
  if (m->fused || !has_plain_bias(m) || !m->b) return QN_OK;
  double scale = scale_of(m->b, channel);
  if (scale == io_exact->factors[0] * io_exact->factors[1]) return QN_OK;
  if (!m->bias)
    return qn_plan_refuse(p, m->op,
                          "the bias is not constant, and its scale %g in channel %lld is not the "
                          "product of the others",
                          scale, (long long)channel);
  io_exact->term = qn_dense_int(m->bias, channel);
  io_exact->term_factor = scale;
  return QN_OK;
}

static qn_status exact_of(qn_planner *p, const matrix *m, int64_t channel, qn_exact *out) {
  *out = (qn_exact){.factors = {m->x.scale, scale_of(m->w, channel)},
                    .term_factor = 1,
                    .step = m->real ? 1 : m->y.scale,
                    .count = 1};
  return term_of(p, m, channel, out);
}

/* ---- bounds of sums ---- */

static int64_t most_of(int64_t min, int64_t max, int64_t zero_point) {
  int64_t below = zero_point - min, above = max - zero_point;
  return above > below ? above : below;
}

static int64_t most_bias(const matrix *m) {
  if (!has_plain_bias(m)) return 0;
  if (!m->bias) return INT64_C(1) << 31;
  int64_t most = 0;
  for (int64_t c = 0; c < m->layout.channels; c++) {
    int64_t value = qn_dense_int(m->bias, c);
    if (value < 0) value = -value;
    if (value > most) most = value;
  }
  return most;
}

/* Upper bound of a sum's magnitude, from types and the number of products; less than 2^60. */
static int64_t most_by_type(const matrix *m) {
  int64_t lo, hi, weight = 0, x;
  qn_storage_range(m->x.width, m->x.is_signed, &lo, &hi);
  x = most_of(lo, hi, m->x.zero_point);
  qn_storage_range(m->w->storage->integer.width, m->w->is_signed, &lo, &hi);
  for (uint32_t c = 0; c < m->w->count; c++) {
    int64_t most = most_of(lo, hi, m->w->zero_points[c]);
    if (most > weight) weight = most;
  }
  return m->layout.taps * x * weight + most_bias(m);
}

static int64_t bits_needed_of_weights(const matrix *m, const qn_attr *weights) {
  int64_t most = 0, lo, hi;
  qn_storage_range(m->x.width, m->x.is_signed, &lo, &hi);
  int64_t x = most_of(lo, hi, m->x.zero_point);
  for (int64_t c = 0; c < m->layout.channels; c++) {
    int64_t sum = 0, zero = m->w->zero_points[m->w->count > 1 ? c : 0];
    for (int64_t t = 0; t < m->layout.taps; t++) {
      const int64_t stored = qn_dense_int(weights, qn_channel_index(&m->layout, c, t));
      const int64_t w = qn_quant_stored(m->w, stored) - zero;
      sum += w < 0 ? -w : w;
    }
    if (sum * x > most) most = sum * x;
  }
  return most + most_bias(m);
}

/* Maximum magnitude of a sum, from constant weights if that matters. */
static int64_t most_sum(const matrix *m) {
  int64_t most = most_by_type(m);
  const qn_attr *weights = qn_value_constant(m->op->operands[1].value);
  if (most <= INT32_MAX || !weights || !qn_attr_is_elements(weights)) return most;
  return bits_needed_of_weights(m, weights);
}

/* ---- plans with an integer op ---- */

static bool has_one_zero_point(const qn_quant_uniform *q) {
  for (uint32_t c = 1; c < q->count; c++)
    if (q->zero_points[c] != q->zero_points[0]) return false;
  return true;
}

static bool is_integer_op(const matrix *m, int64_t most) {
  bool bytes = qn_unit_is_byte(&m->x) && m->w->storage->integer.width == 8;
  return !m->real && bytes && qn_unit_is_byte(&m->y) && has_one_zero_point(m->w) &&
         most <= INT32_MAX;
}

static qn_status integer_single(qn_planner *p, const matrix *m, qn_plan_matrix *out) {
  qn_multiplier *multipliers =
      QN_NEW_ARRAY(p->arena, (size_t)m->layout.channels + 1, qn_multiplier);
  for (int64_t c = 0; c < m->layout.channels; c++) {
    double real = qn_real_single(m->x.scale, scale_of(m->w, c), m->y.scale);
    if (!(real < (1 << QN_SINGLE_MAX_SHIFT)))
      return qn_plan_refuse(p, m->op, "the scales of channel %lld have the ratio %g, beyond 2^%d",
                            (long long)c, real, QN_SINGLE_MAX_SHIFT);
    multipliers[c] = qn_multiplier_of(real);
  }
  out->rounding = QN_REQUANT_SINGLE;
  out->multipliers = multipliers;
  return QN_OK;
}

/* [channel] factors, offsets and divisors; `divide`: at least one channel needs a division. */
typedef struct forms {
  double *factors, *offsets, *divisors;
  bool divide;
} forms;

static forms none_of(qn_planner *p, const matrix *m) {
  const size_t count = (size_t)m->layout.channels + 1;
  return (forms){.factors = QN_NEW_ARRAY(p->arena, count, double),
                 .offsets = QN_NEW_ARRAY(p->arena, count, double)};
}

static qn_status find_forms(qn_planner *p, const matrix *m, int64_t most, forms *out) {
  *out = none_of(p, m);
  out->divisors = QN_NEW_ARRAY(p->arena, (size_t)m->layout.channels + 1, double);
  qn_exact last = {.count = 0};
  qn_even_form form = {.proved = false};
  for (int64_t c = 0; c < m->layout.channels; c++) {
    qn_exact exact;
    QN_TRY(exact_of(p, m, c, &exact));
    bool is_known = c > 0 && qn_exact_equal(&exact, &last);
    if (!is_known) QN_TRY(qn_unit_even(p, m->op, &exact, -most, most, &m->y, &form));
    last = exact;
    out->factors[c] = form.factor;
    out->offsets[c] = form.offset;
    out->divisors[c] = form.divisor;
    out->divide |= form.divisor != 1;
  }
  return QN_OK;
}

/* Plans ml.integer_matmul, whose operands are both 8 bits of any signedness. */
static qn_status plan_product(qn_planner *p, const matrix *m, const forms *found, qn_plan *out) {
  qn_plan_matrix single = {.channels = 1};
  out->kind = QN_PLAN_PRODUCT;
  out->binary =
      (qn_plan_binary){.a_zero_point = (int32_t)m->x.zero_point,
                       .b_zero_point = (int32_t)m->w->zero_points[0],
                       .rounding = QN_REQUANT_EVEN,
                       .output = {(int32_t)m->y.zero_point, (int32_t)m->y.min, (int32_t)m->y.max}};
  out->binary.real = found->factors[0];
  if (!m->fused) return QN_OK;
  QN_TRY(integer_single(p, m, &single));
  out->binary.rounding = QN_REQUANT_SINGLE;
  out->binary.y = single.multipliers[0];
  return QN_OK;
}

static qn_status plan_integer(qn_planner *p, const matrix *m, const forms *found, qn_plan *out) {
  out->kind = QN_PLAN_MATRIX;
  out->matrix =
      (qn_plan_matrix){.channels = m->layout.channels,
                       .rounding = QN_REQUANT_EVEN,
                       .input_zero_point = (int32_t)m->x.zero_point,
                       .weight_zero_point = (int32_t)m->w->zero_points[0],
                       .output = {(int32_t)m->y.zero_point, (int32_t)m->y.min, (int32_t)m->y.max}};
  if (m->fused) return integer_single(p, m, &out->matrix);
  out->matrix.reals = found->factors;
  out->matrix.offsets = found->offsets;
  return QN_OK;
}

/* ---- plans with integers held in f64 ---- */

/* Factor and offset of channel c, with which n * factor + offset is the real result. Both must be
 * exact in double; the difference of two scales is, if their ratio is between 1/2 and 2. */
static qn_status real_of(qn_planner *p, const matrix *m, int64_t c, double *factor,
                         double *offset) {
  qn_exact exact;
  QN_TRY(exact_of(p, m, c, &exact));
  *factor = exact.factors[0] * exact.factors[1];
  *offset = 0;
  if (exact.term == 0) return QN_OK;
  const double more = exact.term_factor - *factor;
  *offset = (double)exact.term * more;
  bool is_near = exact.term_factor <= 2 * *factor && *factor <= 2 * exact.term_factor;
  if (is_near && fma((double)exact.term, more, -*offset) == 0) return QN_OK;
  return qn_plan_refuse(p, m->op,
                        "the bias of channel %lld, %lld times the scale %g, is not a double beside "
                        "the product of the others",
                        (long long)c, (long long)exact.term, exact.term_factor);
}

static qn_status plan_doubles(qn_planner *p, const matrix *m, const forms *found, int64_t most,
                              qn_plan *out) {
  double *factors = found->factors, *offsets = found->offsets;
  qn_unit_numbers n = {.core = QN_UNIT_MATRIX,
                       .finish = m->real ? QN_UNIT_REAL : QN_UNIT_EVEN,
                       .factors = factors,
                       .offsets = offsets,
                       .divisors = found->divide ? found->divisors : NULL,
                       .count = m->layout.channels,
                       .zero_point = m->y.zero_point,
                       .min = m->y.min,
                       .max = m->y.max};
  if (m->fused) n.finish = m->real ? QN_UNIT_SINGLE_REAL : QN_UNIT_SINGLE;
  if (m->fused && most > INT32_MAX)
    return qn_plan_refuse(p, m->op, "its sums may be %lld, beyond the 32 bits of the kernels of %s",
                          (long long)most, p->profile->name);
  for (int64_t c = 0; c < m->layout.channels && m->fused; c++) {
    float product = (float)m->x.scale * (float)scale_of(m->w, c);
    factors[c] = (double)(m->real ? product : product / (float)m->y.scale);
  }
  for (int64_t c = 0; c < m->layout.channels && m->real && !m->fused; c++)
    QN_TRY(real_of(p, m, c, &factors[c], &offsets[c]));
  return qn_unit_form(p, &n, out);
}

/* ---- plans ---- */

static qn_status plan_matrix(qn_planner *p, matrix *m, qn_plan *out) {
  int64_t most = m->op->kind == QN_OP_ML_MATMUL ? most_by_type(m) : most_sum(m);
  forms found;
  if (most >= INT64_C(1) << 52)
    return qn_plan_refuse(p, m->op, "its sums may be %lld, beyond 2^52", (long long)most);
  if (m->real || m->fused)
    found = none_of(p, m);
  else
    QN_TRY(find_forms(p, m, most, &found));
  bool is_integer = is_integer_op(m, most) && !found.divide;
  if (is_integer && m->op->kind == QN_OP_ML_MATMUL) return plan_product(p, m, &found, out);
  if (is_integer) return plan_integer(p, m, &found, out);
  return plan_doubles(p, m, &found, most, out);
}

/* Reads operand and result. Kernels of onnxruntime require bytes of fixed signedness, and return
 * floats for matrix products only. */
static qn_status read_ends(qn_planner *p, matrix *m) {
  const qn_op *op = m->op;
  m->real = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  QN_TRY(qn_unit_operand(p, op, 0, &m->x));
  if (!m->real) QN_TRY(qn_unit_result(p, op, &m->y));
  bool is_conv = qn_op_find(op, QN_A_STRIDES) != NULL;
  bool alike = m->real ? !is_conv : m->y.width == 8 && m->x.is_signed == m->y.is_signed;
  m->fused = qn_unit_is_fused(p, op) && m->x.width == 8 && alike;
  return QN_OK;
}

/* Whether the op is a convolution that is rewritten as a 2-D convolution with the same parameters:
 * another rank, or transposed. */
static bool is_reduced(const qn_op *op) {
  return op->kind == QN_OP_ML_CONV_TRANSPOSE ||
         (op->kind == QN_OP_ML_CONV && op->results[0].type->shaped.rank != 4);
}

qn_status qn_unit_matrix(qn_planner *p, const qn_op *op, qn_plan *out) {
  matrix m = {.op = op, .layout = qn_channel_layout_of(op)};
  const char *problem = is_reduced(op) ? qn_stored_form_problem(op) : NULL;
  if (problem) return qn_plan_refuse(p, op, "%s", problem);
  QN_TRY(read_ends(p, &m));
  QN_TRY(read_weights(p, &m));
  QN_TRY(read_bias(p, &m));
  QN_TRY(plan_matrix(p, &m, out));
  if (!is_reduced(op)) return QN_OK;
  *out = (qn_plan){0};
  return qn_plan_form(out);
}

qn_status qn_unit_matmul(qn_planner *p, const qn_op *op, qn_plan *out) {
  matrix m = {.op = op};
  qn_unit_tensor y;
  qn_matmul product;
  QN_TRY(read_ends(p, &m));
  QN_TRY(qn_unit_operand(p, op, 1, &y));
  const char *problem = qn_matmul_of(op, &product);
  if (problem) return qn_plan_refuse(p, op, "%s", problem);
  m.w = qn_type_quant(op->operands[1].value->type);
  m.layout = (qn_channel_layout){.channels = 1, .taps = product.depth};
  return plan_matrix(p, &m, out);
}
