/* Shapes of convolutions and pools over NHWC: floor((in + pad - extent) / stride) + 1 per spatial
 * dimension; of transposed convolutions (in - 1) * stride + extent - pad.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

/* One spatial dimension. All values are below 2^31, so nothing overflows. */
typedef struct window {
  int64_t in, kernel, stride, dilation, before, after;
  int64_t stated; /* stated size of the result; 0 if none */
} window;

static window window_of(const qn_op *op, uint32_t spatial, int64_t kernel) {
  qn_i64s strides = qn_op_strides(op), pad = qn_op_pad(op);
  qn_i64s dilations = qn_op_dilations(op), stated = qn_op_output_shape(op);
  return (window){.in = qn_ml_in(op, 0)->shaped.dims[1 + spatial],
                  .kernel = kernel,
                  .stride = strides.data[spatial],
                  .dilation = dilations.count ? dilations.data[spatial] : 1,
                  .before = pad.data[2 * spatial],
                  .after = pad.data[2 * spatial + 1],
                  .stated = stated.count ? stated.data[spatial] : 0};
}

static bool check_image(qn_ir_context *cx, const qn_op *op) {
  return qn_infer_rank(cx, op, "the input", qn_ml_in(op, 0), 4);
}
static bool check_image_or_volume(qn_ir_context *cx, const qn_op *op) {
  const qn_type *x = qn_ml_in(op, 0);
  if (x->shaped.rank == 4 || x->shaped.rank == 5) return true;
  return qn_op_complain(cx, op, "the input must have rank 4 or 5, but got %s",
                        qn_type_quoted(cx, x));
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

/* Number of spatial dimensions: all of x except the first and the last. */
static uint32_t ways_of(const qn_op *op) { return qn_ml_in(op, 0)->shaped.rank - 2; }

static bool check_attrs(qn_ir_context *cx, const qn_op *op, qn_attr_id third) {
  uint32_t ways = ways_of(op);
  return qn_ml_i64s(cx, op, QN_A_STRIDES, ways) && qn_ml_i64s(cx, op, QN_A_PAD, 2 * ways) &&
         qn_ml_i64s(cx, op, third, ways);
}

/* ---- convolutions ---- */

/* Number of output channels, for weights of the rank of x. */
static int64_t output_channels(const qn_op *op) {
  const qn_type *weights = qn_ml_in(op, 1);
  return weights->shaped.dims[qn_weights_channel_dim(qn_op_weights(op), weights->shaped.rank)];
}

/* Computes the size of one spatial dimension of the result. */
typedef bool extent_fn(qn_ir_context *cx, const qn_op *op, const window *w, int64_t *out_extent);

static bool infer_conv_shape(qn_ir_context *cx, const qn_op *op, extent_fn *extent,
                             qn_shape *out_shape) {
  const int64_t *x = qn_ml_in(op, 0)->shaped.dims, *w = qn_ml_in(op, 1)->shaped.dims;
  uint32_t ways = ways_of(op);
  *out_shape = (qn_shape){.rank = ways + 2, .dims = {x[0]}};
  out_shape->dims[ways + 1] = output_channels(op);
  for (uint32_t i = 0; i < ways; i++) {
    window along = window_of(op, i, w[1 + i]);
    if (!extent(cx, op, &along, &out_shape->dims[1 + i])) return false;
  }
  return true;
}

static bool check_conv_operands(qn_ir_context *cx, const qn_op *op) {
  return check_attrs(cx, op, QN_A_DILATIONS) &&
         qn_infer_rank(cx, op, "the weights", qn_ml_in(op, 1), ways_of(op) + 2);
}

/* Checks the groups of weights with output channels first and the group's input channels last. */
static bool check_groups(qn_ir_context *cx, const qn_op *op) {
  uint32_t last = ways_of(op) + 1;
  int64_t in = qn_ml_in(op, 0)->shaped.dims[last], groups = qn_op_groups(op);
  int64_t out = output_channels(op), read = qn_ml_in(op, 1)->shaped.dims[last];
  if (groups < 1 || in % groups != 0 || out % groups != 0)
    return qn_op_complain(cx, op, "%lld groups do not divide %lld input and %lld output channels",
                          (long long)groups, (long long)in, (long long)out);
  return qn_infer_dim(cx, op, "the last dimension of the weights", read, in / groups);
}

static bool infer_grouped(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  return check_conv_operands(cx, op) && check_groups(cx, op) &&
         infer_conv_shape(cx, op, infer_extent, out_shape);
}
static bool infer_conv(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  return check_image_or_volume(cx, op) && infer_grouped(cx, op, out_shape);
}
static bool infer_integer_conv(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  return check_image(cx, op) && infer_grouped(cx, op, out_shape);
}

static bool infer_depthwise(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!check_image(cx, op) || !check_conv_operands(cx, op)) return false;
  int64_t in = qn_ml_in(op, 0)->shaped.dims[3], out = output_channels(op);
  int64_t first = qn_ml_in(op, 1)->shaped.dims[0];
  if (!qn_infer_dim(cx, op, "the first dimension of depthwise weights", first, 1)) return false;
  if (out % in != 0)
    return qn_op_complain(cx, op,
                          "%lld depthwise filters are not a multiple of %lld input channels",
                          (long long)out, (long long)in);
  return infer_conv_shape(cx, op, infer_extent, out_shape);
}

/* ---- transposed convolutions ---- */

/* The full size minus `pad`. A stated size may be larger, but not so large that its convolution
 * would have more elements than the input. */
static bool infer_spread(qn_ir_context *cx, const qn_op *op, const window *w, int64_t *out_extent) {
  int64_t whole = (w->in - 1) * w->stride + (w->kernel - 1) * w->dilation + 1;
  int64_t least = whole - w->before - w->after, extent = w->stated ? w->stated : least;
  if (w->before >= whole || extent < 1)
    return qn_op_complain(cx, op, "pad cuts off %lld and %lld of %lld, and nothing is left",
                          (long long)w->before, (long long)w->after, (long long)whole);
  if (extent > INT32_MAX)
    return qn_op_complain(cx, op, "the result would have %lld rows or columns", (long long)extent);
  *out_extent = extent;
  return (extent >= least && extent - least < w->stride) ||
         qn_op_complain(cx, op, "output_shape has %lld where %lld to %lld go with the input",
                        (long long)extent, (long long)(least < 1 ? 1 : least),
                        (long long)(least + w->stride - 1));
}

static bool infer_conv_transpose(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  bool stated = qn_op_find(op, QN_A_OUTPUT_SHAPE) != NULL;
  return check_image_or_volume(cx, op) && check_conv_operands(cx, op) && check_groups(cx, op) &&
         (!stated || qn_ml_i64s(cx, op, QN_A_OUTPUT_SHAPE, ways_of(op))) &&
         infer_conv_shape(cx, op, infer_spread, out_shape);
}

#define CONV_LAYOUT "NHWC, OHWI, O -> NHWC"
#define DEPTHWISE_LAYOUT "NHWC, 1HWC, C -> NHWC"
const qn_inference qn_inference_ml_conv = {
    .shape = infer_conv, .weights = QN_CHANNELS_FIRST, .layout = CONV_LAYOUT};
const qn_inference qn_inference_ml_integer_conv = {
    .shape = infer_integer_conv, .weights = QN_CHANNELS_FIRST, .layout = CONV_LAYOUT};
const qn_inference qn_inference_ml_conv_transpose = {
    .shape = infer_conv_transpose, .weights = QN_CHANNELS_FIRST, .layout = CONV_LAYOUT};
const qn_inference qn_inference_ml_depthwise_conv = {
    .shape = infer_depthwise, .weights = QN_CHANNELS_LAST, .layout = DEPTHWISE_LAYOUT};
const qn_inference qn_inference_ml_integer_depthwise_conv = {
    .shape = infer_depthwise, .weights = QN_CHANNELS_LAST, .layout = DEPTHWISE_LAYOUT};

/* ---- pools ---- */

/* Checks that every window has a tap inside the input, because averages divide by their number. */
static bool infer_pool_extent(qn_ir_context *cx, const qn_op *op, const window *w,
                              int64_t *out_extent) {
  if (w->before >= w->kernel || w->after >= w->kernel)
    return qn_op_complain(cx, op, "padding of a pool must be less than its kernel size");
  return infer_extent(cx, op, w, out_extent);
}

static bool infer_pool(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!check_image(cx, op) || !check_attrs(cx, op, QN_A_KERNEL_SIZES)) return false;
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
