/* Conv and QLinearConv: ml.conv and ml.depthwise_conv; ConvInteger.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/integer.h"
#include "import/onnx/ops/spatial.h"

/* Checks weights [M, C / group, kernel...] against the input's channels. */
static bool check_channels(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *w,
                           int64_t group) {
  const int64_t *d = w->shape.dims;
  if (group < 1 || x->shape.dims[1] != group * d[1] || d[0] % group != 0)
    return qn_graph_error(op, w, QN_INVALID,
                          "%lld filters of %lld channels for an input of %lld channels in %lld "
                          "groups",
                          (long long)d[0], (long long)d[1], (long long)x->shape.dims[1],
                          (long long)group);
  return true;
}

/* Sets op kind, window and attributes of a recipe, without operands. */
static bool place(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *w,
                  qn_onnx_recipe *r, qn_graph_shape *out_shape) {
  const int64_t *d = w->shape.dims;
  const uint32_t ways = x->shape.rank - 2;
  int64_t group = qn_onnx_int(op, "group", 1), kernel[QN_GRAPH_MOST_WAYS];
  bool stated;
  if (op->failed || !qn_onnx_is_spatial(op, x) || !qn_onnx_has_rank(op, w, x->shape.rank) ||
      !check_channels(op, x, w, group) || !qn_onnx_kernel(op, ways, kernel, &stated))
    return false;
  for (uint32_t i = 0; i < ways; i++) {
    if (stated && kernel[i] != d[2 + i])
      return qn_graph_error(op, w, QN_INVALID, "a kernel of size %lld where kernel_shape has %lld",
                            (long long)d[2 + i], (long long)kernel[i]);
    kernel[i] = d[2 + i];
  }
  qn_graph_window window;
  if (!qn_onnx_place_window(op, x, kernel, &window)) return false;
  const bool depthwise = group > 1 && d[1] == 1 && ways < 3;
  *r = (qn_onnx_recipe){.kind = depthwise ? QN_OP_ML_DEPTHWISE_CONV : QN_OP_ML_CONV,
                        .layout = QN_ONNX_NHWC};
  qn_onnx_spatial_attrs(op, &window, ways, &r->attrs);
  if (!depthwise) qn_graph_attr(&r->attrs, "groups", qn_attr_i64(op->graph->cx, group));
  *out_shape = (qn_graph_shape){ways + 2, {x->shape.dims[0], d[0]}};
  for (uint32_t i = 0; i < ways; i++) out_shape->dims[2 + i] = window.out[i];
  r->shape = qn_onnx_spatial_shape(out_shape);
  return true;
}

static const int64_t *order_of(const qn_onnx_recipe *r) {
  static const int64_t filters[] = {0, 2, 3, 1}, channels[] = {1, 2, 3, 0};
  return r->kind == QN_OP_ML_CONV ? filters : channels;
}

static void import_layer(qn_graph_op *op, qn_onnx_layer *layer) {
  qn_onnx_recipe r;
  qn_graph_shape shape;
  if (!place(op, layer->x.tensor, layer->w.tensor, &r, &shape)) return;
  const bool is_exact = qn_onnx_layer_is_exact(op, layer);
  const qn_onnx_source w = is_exact ? layer->w : qn_onnx_source_of(op, 1);
  r.operands[1] = qn_onnx_spatial_weights(op, w, r.kind == QN_OP_ML_DEPTHWISE_CONV);
  if (!is_exact) r.operands[1] = qn_onnx_scaled(op, w, r.operands[1]);
  qn_onnx_finish_conv(op, layer, shape.dims[1], &shape, &r);
}

void qn_onnx_import_conv(qn_graph_op *op) {
  qn_onnx_layer layer;
  if (qn_onnx_open_layer(op, &layer) && qn_onnx_round_parameters(op, &layer))
    import_layer(op, &layer);
}

void qn_onnx_import_qlinear_conv(qn_graph_op *op) {
  qn_onnx_layer layer = {0};
  if (!qn_onnx_quantized_operand(op, 0, 0, &layer.x) ||
      !qn_onnx_quantized_operand(op, 3, 0, &layer.w))
    return;
  layer.result = qn_onnx_quantized_result(op, 6, layer.x.tensor->dtype, &layer.result_dtype);
  layer.bias = qn_graph_has_input(op, 8) ? qn_graph_input(op, 8) : NULL;
  if (!op->failed) import_layer(op, &layer);
}

void qn_onnx_import_conv_integer(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *w = qn_graph_input(op, 1);
  qn_onnx_recipe r;
  qn_graph_shape shape;
  if (op->failed || !qn_onnx_is_image(op, x) || !place(op, x, w, &r, &shape)) return;
  const int64_t *d = w->shape.dims;
  qn_onnx_integer_product product = {.x = x, .w = w, .terms = d[1] * d[2] * d[3]};
  product.layout = QN_ONNX_NHWC;
  product.perm = order_of(&r);
  qn_onnx_build_integer_product(op, &product, &r, &shape);
}
