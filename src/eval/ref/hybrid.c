/* Quantization of f32 rows by their own ranges, and products of the bytes (docs/arithmetic.md 15).
 * Implements independently what src/ir/float_form/hybrid_rules.c builds as expressions, so that a
 * mistake in one is detected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "eval/ref/blocks.h"
#include "eval/ref/ref.h"
#include "ir/numerics.h"

enum {
  OFFSET = 128,
  BLOCK = 8
}; /* offset of bytes; elements of a row that are converted together */

/* ---- numbers of a row ---- */

typedef struct row {
  qn_row_scheme scheme;
  float scale, inverse, zero;
} row;

static float flushed(float x) { return fabsf(x) < FLT_MIN ? x * 0.0F : x; }

/* Maximum or minimum; NaN if either is NaN. `largest` prefers +0, else -0. */
static float extreme(float a, float b, bool largest) {
  if (isnan(a) || isnan(b)) return a + b;
  if (a == b) return (signbit(a) != 0) == largest ? b : a;
  return (a > b) == largest ? a : b;
}

static double clamped_zero(double zero) {
  zero = zero > INT8_MIN ? zero : INT8_MIN;
  return zero < INT8_MAX ? zero : INT8_MAX;
}

static void set_symmetric(row *r, float largest) {
  r->scale = largest == 0 ? 1 : largest / INT8_MAX;
  r->inverse = largest == 0 ? 0 : INT8_MAX / largest;
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

/* Rounds half away from zero. In blocks, the kernel adds 0.5 to the magnitude, which also rounds up
 * a value just below one half; outside of blocks it adds slightly less. */
static float rounded(float v, bool in_block) {
  float half = in_block ? 0.5F : 0.5F - FLT_EPSILON / 4;
  return truncf(v + (v < 0 ? -half : half));
}

/* The byte of a value without zero point. Outside of blocks, the kernel converts to int32, which
 * gives INT_MIN for any value out of range. */
static float symmetric_byte(float v, bool in_block) {
  float t = rounded(v, in_block);
  if (!in_block && !(t < 0x1p31F)) t = -INT8_MAX;
  return clamped(t, -INT8_MAX);
}

/* The byte of a value with zero point. In blocks, the kernel adds the zero point to an int32, which
 * wraps. */
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

/* The stored value: the byte minus 128. */
static float stored_of(const row *r, float x, bool in_block) {
  bool dynamic = r->scheme == QN_ROWS_DYNAMIC;
  float v = (dynamic ? flushed(x) : x) * r->inverse;
  if (dynamic) return dynamic_byte(v, r->zero);
  if (r->scheme == QN_ROWS_ASYMMETRIC) return asymmetric_byte(v, in_block, r->zero);
  return symmetric_byte(v, in_block);
}

/* Sets the steps of a row: stored values minus the zero point, or as bytes. */
static void set_steps(const row *r, const float *x, int64_t depth, float *numbers, uint8_t *bytes) {
  int64_t whole = depth - depth % BLOCK;
  for (int64_t k = 0; k < depth; k++) {
    float stored = stored_of(r, x[k], k < whole);
    if (numbers)
      numbers[k] = stored - r->zero;
    else
      bytes[k] = (uint8_t)((int)stored + OFFSET);
  }
}

static qn_status quantize_rows(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *steps = qn_eval_result(ev, op, 0), *scales = qn_eval_result(ev, op, 1),
              *zeros = qn_eval_result(ev, op, 2);
  int64_t rows = qn_rt_count(scales), count = qn_rt_count(x), depth = rows > 0 ? count / rows : 0;
  if (rows < 1 || depth * rows != count || qn_rt_count(zeros) != rows ||
      qn_rt_count(steps) != count)
    return qn_eval_fail(ev, op, "has results that are not the rows of its input");
  const float *values = (const float *)(const void *)x->data;
  qn_row_scheme scheme = qn_op_row_scheme(op);
  bool reals = qn_type_is_float(qn_type_element(steps->type), QN_F32);
  for (int64_t i = 0; i < rows; i++, values += depth) {
    const row r = row_of(scheme, values, depth);
    float *numbers = reals ? (float *)(void *)steps->data + i * depth : NULL;
    set_steps(&r, values, depth, numbers, reals ? NULL : steps->data + i * depth);
    qn_rt_set_float(scales, i, (double)r.scale);
    qn_rt_set_int(zeros, i, (int64_t)r.zero + OFFSET);
    qn_guard_work(depth);
  }
  return QN_OK;
}

qn_status qn_eval_ml_quantize_rows(qn_eval *ev, const qn_op *op) {
  bool blocks = qn_op_row_scheme(op) == QN_ROWS_ROW8;
  return qn_ref_run(ev, op, blocks ? qn_ref_quantize_row8 : quantize_rows);
}

/* ---- products ---- */

enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };

typedef struct product {
  qn_scale_order order;
  const qn_rt_value *scales, *zeros, *w_scales, *bias;
  const uint8_t *x;
  const int8_t *w;
  int64_t depth, channels;
  float low, high; /* bounds of the activation */
} product;

static product product_of(qn_eval *ev, const qn_op *op) {
  product p = {.order = qn_op_scale_order(op),
               .scales = qn_eval_operand(ev, op, SCALES),
               .zeros = qn_eval_operand(ev, op, ZERO_POINTS),
               .w_scales = qn_eval_operand(ev, op, WEIGHT_SCALES),
               .bias = op->operand_count > BIAS ? qn_eval_operand(ev, op, BIAS) : NULL,
               .x = qn_eval_operand(ev, op, X)->data,
               .w = (const int8_t *)qn_eval_operand(ev, op, WEIGHTS)->data};
  p.channels = qn_rt_count(p.w_scales);
  if (p.channels > 0) p.depth = qn_rt_count(qn_eval_operand(ev, op, WEIGHTS)) / p.channels;
  qn_op_real_limits(ev->module, op, &p.low, &p.high);
  return p;
}

static bool fits(qn_eval *ev, const qn_op *op, const product *p) {
  return p->channels > 0 && p->depth > 0 && qn_rt_count(p->scales) > 0 &&
         qn_rt_count(p->zeros) == qn_rt_count(p->scales) &&
         qn_rt_count(qn_eval_operand(ev, op, WEIGHTS)) == p->channels * p->depth &&
         (!p->bias || qn_rt_count(p->bias) == p->channels);
}

/* Adds products of bytes to the sum, which wraps. */
static uint32_t add_products(uint32_t sum, const uint8_t *x, const int8_t *w, int64_t count,
                             int32_t zero) {
  for (int64_t k = 0; k < count; k++) sum += (uint32_t)(((int32_t)x[k] - zero) * (int32_t)w[k]);
  return sum;
}

/* sum * first * second, where `fours` selects the order of channels by group. */
static float scaled(const product *p, float sum, float of_row, float of_channel, int64_t channel) {
  enum { GROUP = 4 };
  bool in_group = channel < p->channels - p->channels % GROUP;
  if (p->order == QN_ORDER_SCALES) return sum * (of_row * of_channel);
  if (p->order == QN_ORDER_FOURS && !in_group) return (sum * of_row) * of_channel;
  return (sum * of_channel) * of_row;
}

static double result_of(const product *p, uint32_t sum, int64_t range, int64_t channel) {
  float acc = (float)(int32_t)sum, of_row = (float)qn_rt_float(p->scales, range);
  float scale = (float)qn_rt_float(p->w_scales, channel), y;
  float bias = p->bias ? (float)qn_rt_float(p->bias, channel) : 0;
  if (p->order == QN_ORDER_FUSED)
    y = flushed(fmaf(acc * of_row, scale, flushed(bias)));
  else
    y = scaled(p, acc, of_row, scale, channel) + bias;
  if (y < p->low) y = p->low;
  return (double)(p->high < y ? p->high : y);
}

static qn_status multiply_rows(qn_eval *ev, const qn_op *op) {
  const product p = product_of(ev, op);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  int64_t rows = p.depth > 0 ? qn_rt_count(qn_eval_operand(ev, op, X)) / p.depth : 0;
  if (!fits(ev, op, &p) || rows < 1 || rows % qn_rt_count(p.scales) != 0 ||
      qn_rt_count(y) != rows * p.channels ||
      qn_rt_count(qn_eval_operand(ev, op, X)) != rows * p.depth)
    return qn_eval_fail(ev, op, "has operands that don't go together");
  int64_t each = rows / qn_rt_count(p.scales);
  for (int64_t r = 0; r < rows; r++) {
    int32_t zero = (int32_t)qn_rt_int(p.zeros, r / each);
    for (int64_t c = 0; c < p.channels; c++) {
      uint32_t sum = add_products(0, p.x + r * p.depth, p.w + c * p.depth, p.depth, zero);
      qn_rt_set_float(y, r * p.channels + c, result_of(&p, sum, r / each, c));
    }
    qn_guard_work(p.channels * p.depth);
  }
  return QN_OK;
}

qn_status qn_eval_ml_hybrid_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, multiply_rows);
}

/* The sum of a window of `channel`. Padding is the real 0 and adds nothing. Depthwise: the window
 * has one channel of x. */
static uint32_t window_sum(const product *p, const qn_ref_window *g, const int64_t at[3],
                           int64_t channel, int32_t zero, bool depthwise) {
  uint32_t sum = 0;
  for (int64_t ky = 0; ky < g->kernel_h; ky++)
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      int64_t iy = at[1] * g->stride_h + ky * g->dilation_h - g->pad_top;
      int64_t ix = at[2] * g->stride_w + kx * g->dilation_w - g->pad_left;
      if (iy < 0 || iy >= g->in_h || ix < 0 || ix >= g->in_w) continue;
      int64_t tap = (ky * g->kernel_w + kx) * g->in_c;
      const uint8_t *x = p->x + ((at[0] * g->in_h + iy) * g->in_w + ix) * g->in_c;
      if (depthwise)
        sum = add_products(sum, x + channel, p->w + tap + channel, 1, zero);
      else
        sum = add_products(sum, x, p->w + channel * p->depth + tap, g->in_c, zero);
    }
  return sum;
}

static qn_status multiply_windows(qn_eval *ev, const qn_op *op) {
  const product p = product_of(ev, op);
  const qn_type *w = qn_ref_operand_type(op, WEIGHTS);
  bool depthwise = op->kind == QN_OP_ML_HYBRID_DEPTHWISE_CONV;
  if (w->shaped.rank != 4) return qn_eval_fail(ev, op, "needs weights of rank 4");
  qn_ref_window g;
  QN_TRY(qn_ref_window_of(ev, op, w->shaped.dims[1], w->shaped.dims[2], &g));
  int64_t depth = g.kernel_h * g.kernel_w * (depthwise ? 1 : g.in_c);
  if (!fits(ev, op, &p) || qn_rt_count(p.scales) != g.batch || g.out_c != p.channels ||
      p.depth != depth || (depthwise && g.in_c != g.out_c))
    return qn_eval_fail(ev, op, "has operands that don't go together");
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  int64_t next = 0, at[3];
  for (at[0] = 0; at[0] < g.batch; at[0]++)
    for (at[1] = 0; at[1] < g.out_h; at[1]++)
      for (at[2] = 0; at[2] < g.out_w; at[2]++) {
        int32_t zero = (int32_t)qn_rt_int(p.zeros, at[0]);
        for (int64_t c = 0; c < p.channels; c++) {
          uint32_t sum = window_sum(&p, &g, at, c, zero, depthwise);
          qn_rt_set_float(y, next++, result_of(&p, sum, at[0], c));
        }
        qn_guard_work(p.channels * p.depth);
      }
  return QN_OK;
}

qn_status qn_eval_ml_hybrid_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, multiply_windows);
}
qn_status qn_eval_ml_hybrid_depthwise_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, multiply_windows);
}
