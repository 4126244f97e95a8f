/* Conv and QLinearConv: ml.conv and ml.depthwise_conv; ConvInteger.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/integer.h"
#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/window.h"

/* Checks weights [M, C / group, KH, KW] against the input's channels. */
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

static void set_attrs(qn_graph_op *op, const qn_graph_window *window, qn_onnx_recipe *r) {
  qn_graph_attr_i64s(op, &r->attrs, "strides", window->stride, 2);
  qn_graph_attr_i64s(op, &r->attrs, "dilations", window->dilation, 2);
  qn_graph_attr_i64s(op, &r->attrs, "pad", window->pad, 4);
}

/* Sets op kind, window and shape of a recipe, without operands. */
static bool place(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *w,
                  qn_onnx_recipe *r, qn_graph_shape *out_shape) {
  const int64_t *d = w->shape.dims;
  int64_t group = qn_onnx_int(op, "group", 1), kernel[2] = {d[2], d[3]};
  bool stated;
  if (op->failed || !qn_onnx_is_image(op, x) || !qn_onnx_is_image(op, w) ||
      !check_channels(op, x, w, group) || !qn_onnx_kernel(op, 2, kernel, &stated))
    return false;
  if (stated && (kernel[0] != d[2] || kernel[1] != d[3]))
    return qn_graph_error(
        op, w, QN_INVALID, "a kernel of %lld x %lld where kernel_shape is %lld x %lld",
        (long long)d[2], (long long)d[3], (long long)kernel[0], (long long)kernel[1]);
  kernel[0] = d[2], kernel[1] = d[3];
  qn_graph_window window;
  if (!qn_onnx_place_window(op, x, kernel, &window)) return false;
  const bool depthwise = group > 1 && d[1] == 1;
  *r = (qn_onnx_recipe){.kind = depthwise ? QN_OP_ML_DEPTHWISE_CONV : QN_OP_ML_CONV,
                        .layout = QN_ONNX_NHWC};
  set_attrs(op, &window, r);
  if (!depthwise) qn_graph_attr(&r->attrs, "groups", qn_attr_i64(op->graph->cx, group));
  *out_shape = (qn_graph_shape){4, {x->shape.dims[0], d[0], window.out[0], window.out[1]}};
  r->shape = qn_onnx_shape_in(out_shape, QN_ONNX_NHWC);
  return true;
}

static const int64_t *order_of(const qn_onnx_recipe *r) {
  static const int64_t filters[] = {0, 2, 3, 1}, channels[] = {1, 2, 3, 0};
  return r->kind == QN_OP_ML_CONV ? filters : channels;
}

/* Float weights for float inputs, with scales per channel applied. */
static qn_value *float_weights(qn_graph_op *op, const qn_onnx_recipe *r) {
  qn_onnx_source w = qn_onnx_source_of(op, 1);
  qn_value *value = qn_onnx_weights(op, w, order_of(r));
  if (!value || !w.element) return value;
  const qn_graph_shape shape = qn_graph_shape_of(value);
  return qn_graph_part(op, QN_OP_QUANT_DCAST, qn_onnx_f32(op->graph), &shape, &value, 1, NULL);
}

static void import_layer(qn_graph_op *op, qn_onnx_layer *layer) {
  qn_onnx_recipe r;
  qn_graph_shape shape;
  qn_graph_tensor *x = layer->x.tensor, *w = layer->w.tensor;
  if (!place(op, x, w, &r, &shape)) return;
  r.is_layer = true;
  r.activations[0] = x;
  r.is_exact = qn_onnx_layer_is_exact(op, layer);
  r.operands[0] = r.is_exact ? qn_onnx_source_value(op, layer->x, QN_ONNX_NHWC)
                             : qn_onnx_value_in(op, qn_graph_input(op, 0), QN_ONNX_NHWC);
  r.operands[1] = r.is_exact ? qn_onnx_weights(op, layer->w, order_of(&r)) : float_weights(op, &r);
  bool good = qn_onnx_layer_bias(op, layer, w->shape.dims[0], &r);
  if (!good || !r.operands[0] || !r.operands[1]) return;
  r.count = r.operands[2] ? 3 : 2;
  qn_onnx_finish_layer(op, layer, &shape, &r);
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
  if (op->failed || !place(op, x, w, &r, &shape)) return;
  const int64_t *d = w->shape.dims;
  qn_onnx_integer_product product = {.x = x, .w = w, .terms = d[1] * d[2] * d[3]};
  product.layout = QN_ONNX_NHWC;
  product.perm = order_of(&r);
  qn_onnx_build_integer_product(op, &product, &r, &shape);
}
