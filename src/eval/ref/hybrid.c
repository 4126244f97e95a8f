/* Rows of f32 as bytes by their own ranges, and products of these (docs/arithmetic.md 15). What
 * expressions say in src/ir/float_form/hybrid_rules.c is written here as numbers, on its own, so that
 * a mistake in one shows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "eval/ref/ref.h"
#include "ir/numerics.h"

enum { OFFSET = 128, BLOCK = 8 }; /* of bytes; elements of a row that are converted together */

/* ---- numbers of a row ---- */

typedef struct row {
  qn_row_scheme scheme;
  float scale, inverse, zero;
} row;

static float flushed(float x) { return fabsf(x) < FLT_MIN ? x * 0.0F : x; }

/* NaN if either is; of zeros the one of that sign. */
static float extreme(float a, float b, bool greatest) {
  if (isnan(a) || isnan(b)) return a + b;
  if (a == b) return (signbit(a) != 0) == greatest ? b : a;
  return (a > b) == greatest ? a : b;
}

static double clamped_zero(double zero) {
  zero = zero > INT8_MIN ? zero : INT8_MIN;
  return zero < INT8_MAX ? zero : INT8_MAX;
}

static void set_symmetric(row *r, float greatest) {
  r->scale = greatest == 0 ? 1 : greatest / INT8_MAX;
  r->inverse = greatest == 0 ? 0 : INT8_MAX / greatest;
  r->zero = 0;
}

static float asymmetric_zero(float low, float high, float range) {
  double step = (double)range / UINT8_MAX;
  double lows = (double)low / step, highs = (double)high / step;
  bool from_low = -INT8_MIN + fabs(lows) < INT8_MAX + fabs(highs);
  double zero = from_low ? INT8_MIN - lows : INT8_MAX - highs;
  return (float)round(clamped_zero(isnan(zero) ? 0 : zero));
}

static void set_asymmetric(row *r, float low, float high) {
  float range = high - low;
  *r = (row){.scheme = r->scheme, .scale = 1};
  if (range == 0) return;
  r->scale = range / UINT8_MAX;
  r->inverse = r->scale == 0 ? 0 : 1 / r->scale;
  r->zero = asymmetric_zero(low, high, range);
}

static void set_dynamic(row *r, float low, float high) {
  low = flushed(low), high = flushed(high);
  float range = flushed(high - low);
  r->inverse = flushed(low == high ? 1 : UINT8_MAX / range);
  r->scale = flushed(1 / r->inverse);
  float lows = flushed(low * r->inverse), highs = flushed(high * r->inverse);
  float error = (INT8_MIN + lows) + (INT8_MAX + highs);
  float zero = error > 0 ? INT8_MIN - lows : INT8_MAX - highs;
  r->zero = rintf((float)clamped_zero((double)zero));
}

static row row_of(qn_row_scheme scheme, const float *x, int64_t count) {
  float low = 0, high = 0;
  bool symmetric = scheme == QN_ROWS_SYMMETRIC;
  for (int64_t i = 0; i < count; i++) {
    high = extreme(high, symmetric ? fabsf(x[i]) : x[i], true);
    low = extreme(low, x[i], false);
  }
  row r = {.scheme = scheme};
  if (symmetric) set_symmetric(&r, high);
  if (scheme == QN_ROWS_ASYMMETRIC) set_asymmetric(&r, low, high);
  if (scheme == QN_ROWS_DYNAMIC) set_dynamic(&r, low, high);
  return r;
}

/* ---- elements ---- */

static float clamped(float q, float least) {
  q = q > least ? q : least;
  return q < INT8_MAX ? q : INT8_MAX;
}

/* Of two nearest integers the greater magnitude; of blocks, also where just less than a half is
 * added. */
static float rounded(float v, bool in_block) {
  float half = in_block ? 0.5F : 0.5F - FLT_EPSILON / 4;
  return truncf(v + (v < 0 ? -half : half));
}

/* Conversions to int32 in the rest give their lowest value whatever is beyond. */
static float symmetric_byte(float v, bool in_block) {
  float t = rounded(v, in_block);
  if (!in_block && !(t < 0x1p31F)) t = -INT8_MAX;
  return clamped(t, -INT8_MAX);
}

/* In blocks the zero point is added to an int32, which wraps. */
static float asymmetric_byte(float v, bool in_block, float zero) {
  float t = rounded(v, in_block);
  if (!in_block && isnan(t)) return 0;
  if (in_block && !(t > -0x1p31F)) return zero < 0 ? INT8_MAX : INT8_MIN;
  if (in_block && t >= 0x1p31F) return zero > 0 ? INT8_MIN : INT8_MAX;
  return clamped(t + zero, INT8_MIN);
}

static float dynamic_byte(float v, float zero) {
  float most = INT8_MAX - zero;
  float q = rintf(v < most ? v : most) + zero;
  return q > INT8_MIN ? q : INT8_MIN;
}

static uint8_t byte_of(const row *r, float x, bool in_block) {
  bool dynamic = r->scheme == QN_ROWS_DYNAMIC;
  float v = (dynamic ? flushed(x) : x) * r->inverse, q;
  if (dynamic)
    q = dynamic_byte(v, r->zero);
  else if (r->scheme == QN_ROWS_ASYMMETRIC)
    q = asymmetric_byte(v, in_block, r->zero);
  else
    q = symmetric_byte(v, in_block);
  return (uint8_t)((int)q + OFFSET);
}

static qn_status quantize_rows(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *bytes = qn_eval_result(ev, op, 0), *scales = qn_eval_result(ev, op, 1),
              *zeros = qn_eval_result(ev, op, 2);
  int64_t rows = qn_rt_count(scales), count = qn_rt_count(x), depth = rows > 0 ? count / rows : 0;
  if (rows < 1 || depth * rows != count || qn_rt_count(zeros) != rows ||
      qn_rt_count(bytes) != count)
    return qn_eval_fail(ev, op, "has results that are not the rows of its input");
  const float *values = (const float *)(const void *)x->data;
  for (int64_t i = 0; i < rows; i++) {
    const row r = row_of(qn_op_row_scheme(op), values + i * depth, depth);
    for (int64_t k = 0; k < depth; k++)
      bytes->data[i * depth + k] = byte_of(&r, values[i * depth + k], k < depth - depth % BLOCK);
    qn_rt_set_float(scales, i, (double)r.scale);
    qn_rt_set_int(zeros, i, (int64_t)r.zero + OFFSET);
    qn_guard_work(depth);
  }
  return QN_OK;
}

qn_status qn_eval_ml_quantize_rows(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, quantize_rows);
}

/* ---- products ---- */

typedef struct product {
  qn_scale_order order;
  const uint8_t *x;
  const int8_t *w;
  int64_t depth;
  int32_t zero;
  float scale; /* of the row */
} product;

static float sum_of(const product *p, const int8_t *w) {
  uint32_t sum = 0;
  for (int64_t k = 0; k < p->depth; k++)
    sum += (uint32_t)(((int32_t)p->x[k] - p->zero) * (int32_t)w[k]);
  return (float)(int32_t)sum;
}

static float result_of(const product *p, int64_t channel, float scale, float bias) {
  float sum = sum_of(p, p->w + channel * p->depth);
  if (p->order == QN_ORDER_FUSED) return flushed(fmaf(sum * p->scale, scale, flushed(bias)));
  if (p->order == QN_ORDER_SCALES) return sum * (p->scale * scale) + bias;
  return (sum * scale) * p->scale + bias;
}

static qn_status multiply_rows(qn_eval *ev, const qn_op *op) {
  enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };
  const qn_rt_value *x = qn_eval_operand(ev, op, X), *scales = qn_eval_operand(ev, op, SCALES);
  const qn_rt_value *zeros = qn_eval_operand(ev, op, ZERO_POINTS);
  const qn_rt_value *w = qn_eval_operand(ev, op, WEIGHTS);
  const qn_rt_value *w_scales = qn_eval_operand(ev, op, WEIGHT_SCALES);
  const qn_rt_value *bias = op->operand_count > BIAS ? qn_eval_operand(ev, op, BIAS) : NULL;
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  int64_t channels = qn_rt_count(w_scales), depth = channels > 0 ? qn_rt_count(w) / channels : 0;
  int64_t rows = depth > 0 ? qn_rt_count(x) / depth : 0, ranges = qn_rt_count(scales);
  if (rows < 1 || ranges < 1 || rows % ranges != 0 || qn_rt_count(zeros) != ranges ||
      qn_rt_count(y) != rows * channels || qn_rt_count(x) != rows * depth ||
      qn_rt_count(w) != channels * depth || (bias && qn_rt_count(bias) != channels))
    return qn_eval_fail(ev, op, "has operands that don't go together");
  float low, high;
  qn_module_activation_limits(ev->module, qn_op_activation(op), qn_type_element(y->type), &low,
                              &high);
  for (int64_t r = 0; r < rows; r++) {
    int64_t range = r / (rows / ranges);
    const product p = {.order = qn_op_scale_order(op),
                       .x = x->data + r * depth,
                       .w = (const int8_t *)w->data,
                       .depth = depth,
                       .zero = (int32_t)qn_rt_int(zeros, range),
                       .scale = (float)qn_rt_float(scales, range)};
    for (int64_t c = 0; c < channels; c++) {
      float b = bias ? (float)qn_rt_float(bias, c) : 0;
      float value = result_of(&p, c, (float)qn_rt_float(w_scales, c), b);
      if (value < low) value = low;
      if (high < value) value = high;
      qn_rt_set_float(y, r * channels + c, (double)value);
    }
    qn_guard_work(channels * depth);
  }
  return QN_OK;
}

qn_status qn_eval_ml_hybrid_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, multiply_rows);
}
