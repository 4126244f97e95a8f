/* Shapes of convolutions and pools over NHWC: floor((in + pad - extent) / stride) + 1 per spatial
 * dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

/* One spatial dimension. All values are below 2^31, so nothing overflows. */
typedef struct window {
  int64_t in, kernel, stride, dilation, before, after;
} window;

static window window_of(const qn_op *op, int spatial, int64_t kernel) {
  qn_i64s strides = qn_op_strides(op), pad = qn_op_pad(op);
  qn_i64s dilations = qn_op_dilations(op);
  return (window){.in = qn_ml_in(op, 0)->shaped.dims[1 + spatial],
                  .kernel = kernel,
                  .stride = strides.data[spatial],
                  .dilation = dilations.count ? dilations.data[spatial] : 1,
                  .before = pad.data[2 * spatial],
                  .after = pad.data[2 * spatial + 1]};
}

static bool infer_extent(qn_ir_context *cx, const qn_op *op, const window *w, int64_t *out_extent) {
  int64_t padded = w->in + w->before + w->after;
  int64_t extent = (w->kernel - 1) * w->dilation + 1;
  if (extent > padded)
    return qn_op_complain(cx, op, "the kernel covers %lld, but the padded input has only %lld",
                          (long long)extent, (long long)padded);
  *out_extent = (padded - extent) / w->stride + 1;
  return true;
}

static bool check_attrs(qn_ir_context *cx, const qn_op *op, qn_attr_id third) {
  return qn_ml_i64s(cx, op, QN_A_STRIDES, 2) && qn_ml_i64s(cx, op, QN_A_PAD, 4) &&
         qn_ml_i64s(cx, op, third, 2) && qn_infer_rank(cx, op, "the input", qn_ml_in(op, 0), 4);
}

/* ---- convolutions ---- */

/* Of weights of rank 4. */
static int64_t output_channels(const qn_op *op) {
  return qn_ml_in(op, 1)->shaped.dims[qn_weights_channel_dim(qn_op_weights(op), 4)];
}

static bool infer_conv_shape(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims, *w = qn_ml_in(op, 1)->shaped.dims;
  window vertical = window_of(op, 0, w[1]), horizontal = window_of(op, 1, w[2]);
  *out_shape = (qn_shape){.rank = 4, .dims = {x[0], 0, 0, output_channels(op)}};
  return infer_extent(cx, op, &vertical, &out_shape->dims[1]) &&
         infer_extent(cx, op, &horizontal, &out_shape->dims[2]);
}

static bool check_conv_operands(qn_ir_context *cx, const qn_op *op) {
  return check_attrs(cx, op, QN_A_DILATIONS) &&
         qn_infer_rank(cx, op, "the weights", qn_ml_in(op, 1), 4);
}

static bool infer_conv(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!check_conv_operands(cx, op)) return false;
  int64_t in = qn_ml_in(op, 0)->shaped.dims[3], groups = qn_op_groups(op);
  int64_t out = output_channels(op), read = qn_ml_in(op, 1)->shaped.dims[3];
  if (groups < 1 || in % groups != 0 || out % groups != 0)
    return qn_op_complain(cx, op, "%lld groups do not divide %lld input and %lld output channels",
                          (long long)groups, (long long)in, (long long)out);
  return qn_infer_dim(cx, op, "the last dimension of the weights", read, in / groups) &&
         infer_conv_shape(cx, op, out_shape);
}

static bool infer_depthwise(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!check_conv_operands(cx, op)) return false;
  int64_t in = qn_ml_in(op, 0)->shaped.dims[3], out = output_channels(op);
  int64_t first = qn_ml_in(op, 1)->shaped.dims[0];
  if (!qn_infer_dim(cx, op, "the first dimension of depthwise weights", first, 1)) return false;
  if (out % in != 0)
    return qn_op_complain(cx, op, "%lld depthwise filters are no multiple of %lld input channels",
                          (long long)out, (long long)in);
  return infer_conv_shape(cx, op, out_shape);
}

#define CONV_LAYOUT "NHWC, OHWI, O -> NHWC"
#define DEPTHWISE_LAYOUT "NHWC, 1HWC, C -> NHWC"
const qn_inference qn_inference_ml_conv = {
    .shape = infer_conv, .weights = QN_CHANNELS_FIRST, .layout = CONV_LAYOUT};
const qn_inference qn_inference_ml_integer_conv = {
    .shape = infer_conv, .weights = QN_CHANNELS_FIRST, .layout = CONV_LAYOUT};
const qn_inference qn_inference_ml_depthwise_conv = {
    .shape = infer_depthwise, .weights = QN_CHANNELS_LAST, .layout = DEPTHWISE_LAYOUT};
const qn_inference qn_inference_ml_integer_depthwise_conv = {
    .shape = infer_depthwise, .weights = QN_CHANNELS_LAST, .layout = DEPTHWISE_LAYOUT};

/* ---- pools ---- */

/* Every window has a tap inside of the input: the average divides by their number. */
static bool infer_pool_extent(qn_ir_context *cx, const qn_op *op, const window *w,
                              int64_t *out_extent) {
  if (w->before >= w->kernel || w->after >= w->kernel)
    return qn_op_complain(cx, op, "padding of a pool must be less than its kernel size");
  return infer_extent(cx, op, w, out_extent);
}

static bool infer_pool(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!check_attrs(cx, op, QN_A_KERNEL_SIZES)) return false;
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims, *kernel = qn_op_kernel_sizes(op).data;
  window vertical = window_of(op, 0, kernel[0]), horizontal = window_of(op, 1, kernel[1]);
  *out_shape = (qn_shape){.rank = 4, .dims = {x[0], 0, 0, x[3]}};
  return infer_pool_extent(cx, op, &vertical, &out_shape->dims[1]) &&
         infer_pool_extent(cx, op, &horizontal, &out_shape->dims[2]);
}

const qn_inference qn_inference_ml_avg_pool = {.shape = infer_pool, .layout = QN_IMAGES};
const qn_inference qn_inference_ml_max_pool = {.shape = infer_pool, .layout = QN_IMAGES};
const qn_inference qn_inference_ml_integer_avg_pool = {.shape = infer_pool, .layout = QN_IMAGES};
const qn_inference qn_inference_ml_integer_max_pool = {.shape = infer_pool, .layout = QN_IMAGES};
