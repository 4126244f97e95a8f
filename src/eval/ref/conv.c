/* Convolution and depthwise convolution (docs/arithmetic.md 5.1, 5.2). Taps in the padding
 * contribute nothing. Accumulators wrap at 32 or 64 bits, so they are unsigned here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "eval/ref/ref.h"

typedef struct conv {
  qn_ref_window window;
  const qn_plan_matrix *plan;
  const int64_t *bias;
  const int32_t *x, *w;             /* without zero points */
  const int16_t *x_small, *w_small; /* the same numbers; NULL if one of them is not small */
  qn_rt_value *y;
  int32_t *pixel; /* the results of one pixel */
} conv;

static uint64_t product(int32_t a, int32_t b) { return (uint64_t)((int64_t)a * b); }

static uint64_t dot(const int32_t *a, const int32_t *b, int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += product(a[i], b[i]);
  return sum;
}

/* Numbers of 8 bits without their zero point. SMALL_RUN products of them add up in 32 bits, and
 * compilers know a fast form of that sum. */
enum { SMALL = 511, SMALL_RUN = 8192 };
static_assert((int64_t)SMALL * SMALL * SMALL_RUN <= INT32_MAX, "sums of products do not overflow");

static int16_t *small_of(qn_eval *ev, const int32_t *numbers, int64_t count) {
  int16_t *small = QN_NEW_ARRAY(ev->arena, (size_t)count + 1, int16_t);
  bool fits = true;
  for (int64_t i = 0; i < count; i++) {
    fits &= numbers[i] >= -SMALL && numbers[i] <= SMALL;
    small[i] = (int16_t)numbers[i];
  }
  return fits ? small : NULL;
}

static uint64_t small_dot(const int16_t *a, const int16_t *b, int64_t count) {
  int64_t sum = 0;
  for (int64_t first = 0; first < count; first += SMALL_RUN) {
    int64_t end = count - first < SMALL_RUN ? count : first + SMALL_RUN;
    int32_t part = 0;
    for (int64_t i = first; i < end; i++) part += (int32_t)a[i] * b[i];
    sum += part;
  }
  return (uint64_t)sum;
}

/* Position of a tap, or false in the padding. */
static bool tap_inside(int64_t out, int64_t stride, int64_t tap, int64_t dilation, int64_t pad,
                       int64_t size, int64_t *out_position) {
  *out_position = out * stride + tap * dilation - pad;
  return *out_position >= 0 && *out_position < size;
}

/* ---- convolution ---- */

static uint64_t conv_pixel(const conv *c, int64_t n, int64_t oy, int64_t ox, int64_t oc,
                           int64_t group_in, int64_t first_in) {
  const qn_ref_window *g = &c->window;
  uint64_t acc = (uint64_t)c->bias[oc];
  for (int64_t ky = 0; ky < g->kernel_h; ky++) {
    int64_t iy, ix;
    if (!tap_inside(oy, g->stride_h, ky, g->dilation_h, g->pad_top, g->in_h, &iy)) continue;
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      if (!tap_inside(ox, g->stride_w, kx, g->dilation_w, g->pad_left, g->in_w, &ix)) continue;
      int64_t x = ((n * g->in_h + iy) * g->in_w + ix) * g->in_c + first_in;
      int64_t w = ((oc * g->kernel_h + ky) * g->kernel_w + kx) * group_in;
      acc += c->x_small && c->w_small ? small_dot(c->x_small + x, c->w_small + w, group_in)
                                      : dot(c->x + x, c->w + w, group_in);
      qn_guard_work(group_in);
    }
  }
  return acc;
}

static void run_conv(const conv *c, int64_t groups) {
  const qn_ref_window *g = &c->window;
  int64_t group_in = g->in_c / groups, group_out = g->out_c / groups, at = 0;
  for (int64_t n = 0; n < g->batch; n++)
    for (int64_t oy = 0; oy < g->out_h; oy++)
      for (int64_t ox = 0; ox < g->out_w; ox++, at += g->out_c) {
        for (int64_t oc = 0; oc < g->out_c; oc++) {
          uint64_t acc = conv_pixel(c, n, oy, ox, oc, group_in, oc / group_out * group_in);
          c->pixel[oc] = qn_ref_requantize(c->plan, oc, acc);
        }
        qn_ref_store(c->y, at, c->pixel, g->out_c);
      }
}

/* ---- depthwise: output channel = input channel * multiplier + m ---- */

static void depthwise_pixel(const conv *c, int64_t n, int64_t oy, int64_t ox, uint64_t *acc) {
  const qn_ref_window *g = &c->window;
  int64_t multiplier = g->out_c / g->in_c;
  for (int64_t oc = 0; oc < g->out_c; oc++) acc[oc] = (uint64_t)c->bias[oc];
  for (int64_t ky = 0; ky < g->kernel_h; ky++) {
    int64_t iy, ix;
    if (!tap_inside(oy, g->stride_h, ky, g->dilation_h, g->pad_top, g->in_h, &iy)) continue;
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      if (!tap_inside(ox, g->stride_w, kx, g->dilation_w, g->pad_left, g->in_w, &ix)) continue;
      const int32_t *x = c->x + ((n * g->in_h + iy) * g->in_w + ix) * g->in_c;
      const int32_t *w = c->w + (ky * g->kernel_w + kx) * g->out_c;
      for (int64_t ic = 0; ic < g->in_c; ic++)
        for (int64_t oc = ic * multiplier; oc < (ic + 1) * multiplier; oc++)
          acc[oc] += product(x[ic], w[oc]);
      qn_guard_work(g->out_c);
    }
  }
}

static void run_depthwise(qn_eval *ev, const conv *c) {
  const qn_ref_window *g = &c->window;
  uint64_t *acc = QN_NEW_ARRAY(ev->arena, (size_t)g->out_c + 1, uint64_t);
  int64_t at = 0;
  for (int64_t n = 0; n < g->batch; n++)
    for (int64_t oy = 0; oy < g->out_h; oy++)
      for (int64_t ox = 0; ox < g->out_w; ox++, at += g->out_c) {
        depthwise_pixel(c, n, oy, ox, acc);
        for (int64_t oc = 0; oc < g->out_c; oc++)
          c->pixel[oc] = qn_ref_requantize(c->plan, oc, acc[oc]);
        qn_ref_store(c->y, at, c->pixel, g->out_c);
      }
}

/* ---- evaluators ---- */

static qn_status prepare(qn_eval *ev, const qn_op *op, const qn_plan *plan, conv *out) {
  const qn_type *weights = qn_ref_operand_type(op, 1);
  if (weights->shaped.rank != 4) return qn_eval_fail(ev, op, "needs weights of rank 4");
  const int64_t *dims = weights->shaped.dims;
  *out = (conv){.plan = &plan->matrix};
  QN_TRY(qn_ref_window_of(ev, op, dims[1], dims[2], &out->window));
  QN_TRY(qn_ref_channels(ev, op, out->plan, &out->bias));
  out->x = qn_ref_load(ev, qn_eval_operand(ev, op, 0), out->plan->input_zero_point);
  out->w = qn_ref_load(ev, qn_eval_operand(ev, op, 1), out->plan->weight_zero_point);
  out->y = qn_eval_result(ev, op, 0);
  out->pixel = QN_NEW_ARRAY(ev->arena, (size_t)out->window.out_c + 1, int32_t);
  return QN_OK;
}

static qn_status convolve(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  conv c;
  QN_TRY(prepare(ev, op, plan, &c));
  int64_t in = qn_ref_operand_type(op, 1)->shaped.dims[3];
  int64_t groups = qn_op_groups(op);
  if (groups < 1 || c.window.in_c != in * groups || c.window.out_c % groups != 0)
    return qn_eval_fail(ev, op, "has %lld input channels for %lld groups of %lld",
                        (long long)c.window.in_c, (long long)groups, (long long)in);
  c.x_small = small_of(ev, c.x, qn_rt_count(qn_eval_operand(ev, op, 0)));
  c.w_small = small_of(ev, c.w, qn_rt_count(qn_eval_operand(ev, op, 1)));
  run_conv(&c, groups);
  return QN_OK;
}

static qn_status convolve_depthwise(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  conv c;
  QN_TRY(prepare(ev, op, plan, &c));
  if (qn_ref_operand_type(op, 1)->shaped.dims[0] != 1 || c.window.in_c < 1 ||
      c.window.out_c % c.window.in_c != 0)
    return qn_eval_fail(ev, op, "has %lld output channels for %lld input channels",
                        (long long)c.window.out_c, (long long)c.window.in_c);
  run_depthwise(ev, &c);
  return QN_OK;
}

qn_status qn_eval_ml_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_either(ev, op, qn_ref_conv_floats, convolve);
}
qn_status qn_eval_ml_integer_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_matrix, convolve);
}
qn_status qn_eval_ml_depthwise_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_either(ev, op, qn_ref_depthwise_floats, convolve_depthwise);
}
qn_status qn_eval_ml_integer_depthwise_conv(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_matrix, convolve_depthwise);
}
