/* Convolutions and matrix products in f32: this is what they are, in every engine.
 *
 * A sum starts with its bias, or +0, and takes one product after the other, x times w, with one
 * rounding for the product and the sum (fused multiply-add). The order is that of the weights of
 * one output: rows of the window, columns, input channels; or k. Elements of the padding are zeros
 * and are multiplied like all others, so that an infinite weight there gives NaN. The activation
 * comes last: NaN stays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "eval/ref/ref.h"
#include "ir/ops/infer/matmul.h"
#include "quant/range.h"

static const float *floats_of(qn_eval *ev, const qn_op *op, uint32_t operand) {
  return (const float *)(const void *)qn_eval_operand(ev, op, operand)->data;
}
static float *result_of(qn_eval *ev, const qn_op *op) {
  return (float *)(void *)qn_eval_result(ev, op, 0)->data;
}

/* A run of products: `count` elements, each so far from the one before. */
static float add_products(float sum, const float *x, int64_t x_step, const float *w, int64_t w_step,
                          int64_t count) {
  for (int64_t i = 0; i < count; i++) sum = fmaf(x[i * x_step], w[i * w_step], sum);
  return sum;
}

static float activate(qn_activation activation, float y) {
  float low, high;
  qn_activation_limits(activation, &low, &high);
  if (isnan(y)) return y;
  if (!(y > low)) y = low;
  return y < high ? y : high;
}

/* ---- convolutions ---- */

typedef struct conv {
  qn_ref_window window;
  int64_t depth, filters; /* input channels of a group, output channels of a group */
  const float *x, *w, *bias;
  int64_t w_channel, w_tap, w_step; /* steps in w: output channel, tap, input channel */
  float *y;
  qn_activation activation;
} conv;

static float output_of(const conv *c, int64_t n, int64_t oy, int64_t ox, int64_t oc) {
  static const float zero = 0;
  const qn_ref_window *g = &c->window;
  int64_t first = oc / c->filters * c->depth;
  float sum = c->bias ? c->bias[oc] : 0;
  for (int64_t ky = 0; ky < g->kernel_h; ky++)
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      int64_t iy = oy * g->stride_h + ky * g->dilation_h - g->pad_top;
      int64_t ix = ox * g->stride_w + kx * g->dilation_w - g->pad_left;
      bool inside = iy >= 0 && iy < g->in_h && ix >= 0 && ix < g->in_w;
      const float *x = &zero;
      if (inside) x = c->x + ((n * g->in_h + iy) * g->in_w + ix) * g->in_c + first;
      const float *w = c->w + oc * c->w_channel + (ky * g->kernel_w + kx) * c->w_tap;
      sum = add_products(sum, x, inside ? 1 : 0, w, c->w_step, c->depth);
    }
  return activate(c->activation, sum);
}

static void run_conv(const conv *c) {
  const qn_ref_window *g = &c->window;
  int64_t at = 0;
  for (int64_t n = 0; n < g->batch; n++)
    for (int64_t oy = 0; oy < g->out_h; oy++)
      for (int64_t ox = 0; ox < g->out_w; ox++)
        for (int64_t oc = 0; oc < g->out_c; oc++) c->y[at++] = output_of(c, n, oy, ox, oc);
}

static qn_status read_bias(qn_eval *ev, const qn_op *op, int64_t channels, const float **out) {
  *out = NULL;
  if (op->operand_count < 3) return QN_OK;
  if (qn_rt_count(qn_eval_operand(ev, op, 2)) != channels)
    return qn_eval_fail(ev, op, "has a bias that is not one value per output channel");
  *out = floats_of(ev, op, 2);
  return QN_OK;
}

static qn_status read_conv(qn_eval *ev, const qn_op *op, conv *out) {
  const qn_type *weights = qn_ref_operand_type(op, 1);
  if (weights->shaped.rank != 4) return qn_eval_fail(ev, op, "needs weights of rank 4");
  const int64_t *dims = weights->shaped.dims;
  *out = (conv){.activation = qn_op_activation(op)};
  QN_TRY(qn_ref_window_of(ev, op, dims[1], dims[2], &out->window));
  QN_TRY(read_bias(ev, op, out->window.out_c, &out->bias));
  out->x = floats_of(ev, op, 0);
  out->w = floats_of(ev, op, 1);
  out->y = result_of(ev, op);
  return QN_OK;
}

qn_status qn_ref_conv_f32(qn_eval *ev, const qn_op *op) {
  conv c;
  QN_TRY(read_conv(ev, op, &c));
  const int64_t *dims = qn_ref_operand_type(op, 1)->shaped.dims;
  int64_t groups = qn_op_groups(op);
  c.depth = dims[3];
  if (groups < 1 || c.window.in_c != c.depth * groups || c.window.out_c % groups != 0 ||
      dims[0] != c.window.out_c)
    return qn_eval_fail(ev, op, "has channels that do not fit its weights and groups");
  c.filters = c.window.out_c / groups;
  c.w_channel = dims[1] * dims[2] * dims[3], c.w_tap = dims[3], c.w_step = 1;
  run_conv(&c);
  return QN_OK;
}

qn_status qn_ref_depthwise_f32(qn_eval *ev, const qn_op *op) {
  conv c;
  QN_TRY(read_conv(ev, op, &c));
  const int64_t *dims = qn_ref_operand_type(op, 1)->shaped.dims;
  if (dims[0] != 1 || dims[3] != c.window.out_c || c.window.in_c < 1 ||
      c.window.out_c % c.window.in_c != 0)
    return qn_eval_fail(ev, op, "has %lld output channels for %lld input channels",
                        (long long)c.window.out_c, (long long)c.window.in_c);
  c.depth = 1, c.filters = c.window.out_c / c.window.in_c;
  c.w_channel = 1, c.w_tap = dims[3];
  run_conv(&c);
  return QN_OK;
}

/* ---- matrix products ---- */

qn_status qn_ref_linear_f32(qn_eval *ev, const qn_op *op) {
  const qn_type *weights = qn_ref_operand_type(op, 1);
  int64_t depth = weights->shaped.rank == 2 ? weights->shaped.dims[1] : 0;
  int64_t x_count = qn_rt_count(qn_eval_operand(ev, op, 0));
  if (depth < 1 || x_count % depth != 0 ||
      x_count / depth * weights->shaped.dims[0] != qn_rt_count(qn_eval_result(ev, op, 0)))
    return qn_eval_fail(ev, op, "has an input that is not the result's number of rows of %lld",
                        (long long)depth);
  int64_t units = weights->shaped.dims[0];
  const float *x = floats_of(ev, op, 0), *w = floats_of(ev, op, 1), *bias;
  QN_TRY(read_bias(ev, op, units, &bias));
  float *y = result_of(ev, op);
  qn_activation activation = qn_op_activation(op);
  for (int64_t row = 0; row < x_count / depth; row++)
    for (int64_t unit = 0; unit < units; unit++) {
      float sum = bias ? bias[unit] : 0;
      sum = add_products(sum, x + row * depth, 1, w + unit * depth, 1, depth);
      y[row * units + unit] = activate(activation, sum);
    }
  return QN_OK;
}

static qn_status matmul(qn_eval *ev, const qn_op *op) {
  qn_matmul m;
  const char *problem = qn_matmul_of(op, &m);
  if (!problem && m.batch_count * m.rows * m.columns != qn_rt_count(qn_eval_result(ev, op, 0)))
    problem = "has a result of another shape";
  if (problem) return qn_eval_fail(ev, op, "%s", problem);
  const float *x = floats_of(ev, op, 0), *y = floats_of(ev, op, 1);
  float *out = result_of(ev, op);
  for (int64_t batch = 0; batch < m.batch_count; batch++) {
    const float *rows = x + qn_matmul_batch_offset(op, &m, 0, batch);
    const float *columns = y + qn_matmul_batch_offset(op, &m, 1, batch);
    for (int64_t r = 0; r < m.rows; r++)
      for (int64_t c = 0; c < m.columns; c++)
        *out++ = add_products(0, rows + r * m.x_row, m.x_step, columns + c * m.y_column, m.y_step,
                              m.depth);
  }
  return QN_OK;
}

/* Without a plan there is nothing to run with one. */
static qn_status never(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  (void)plan;
  return qn_eval_fail(ev, op, "has no integer form");
}
qn_status qn_eval_ml_matmul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_either(ev, op, matmul, never);
}
