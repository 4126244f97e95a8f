/* See spatial.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/spatial.h"
#include "import/onnx/ops/parts.h"

qn_graph_shape qn_onnx_spatial_shape(const qn_graph_shape *shape) {
  qn_graph_shape out = {1, {shape->dims[0]}};
  if (shape->rank == 3) out.dims[out.rank++] = 1;
  for (uint32_t i = 2; i < shape->rank; i++) out.dims[out.rank++] = shape->dims[i];
  out.dims[out.rank++] = shape->dims[1];
  return out;
}

void qn_onnx_spatial_attrs(qn_graph_op *op, const qn_graph_window *window, uint32_t ways,
                           qn_graph_attrs *attrs) {
  const uint32_t first = ways == 1, all = ways + first;
  int64_t stride[QN_GRAPH_MOST_WAYS] = {1}, dilation[QN_GRAPH_MOST_WAYS] = {1};
  int64_t pad[2 * QN_GRAPH_MOST_WAYS] = {0};
  for (uint32_t i = 0; i < ways; i++) {
    stride[first + i] = window->stride[i], dilation[first + i] = window->dilation[i];
    for (uint32_t k = 0; k < 2; k++) pad[2 * (first + i) + k] = window->pad[2 * i + k];
  }
  qn_graph_attr_i64s(op, attrs, "strides", stride, all);
  qn_graph_attr_i64s(op, attrs, "dilations", dilation, all);
  qn_graph_attr_i64s(op, attrs, "pad", pad, 2 * all);
}

/* ---- operands ---- */

/* perm[i] is the dimension of [N, C, D...] that is dimension i with channels last. */
static void channels_last(uint32_t rank, int64_t *perm) {
  perm[0] = 0, perm[rank - 1] = 1;
  for (uint32_t i = 2; i < rank; i++) perm[i - 1] = i;
}

static qn_value *as_image(qn_graph_op *op, qn_value *x) {
  int64_t perm[QN_GRAPH_MAX_RANK];
  if (!x) return NULL;
  const qn_graph_shape from = qn_graph_shape_of(x), shape = qn_onnx_spatial_shape(&from);
  channels_last(from.rank, perm);
  return qn_graph_view(op, qn_onnx_transpose(op, x, perm), &shape);
}

qn_value *qn_onnx_spatial_weights(qn_graph_op *op, qn_onnx_source w, bool swaps) {
  qn_graph_tensor shaped = *w.tensor;
  qn_graph_shape *shape = &shaped.shape;
  int64_t perm[QN_GRAPH_MAX_RANK];
  if (shape->rank == 3) {
    shape->dims[3] = shape->dims[2], shape->dims[2] = 1;
    shape->rank = 4;
  }
  channels_last(shape->rank, perm);
  if (swaps) perm[0] = 1, perm[shape->rank - 1] = 0;
  w.tensor = &shaped;
  return qn_onnx_weights(op, w, perm);
}

qn_value *qn_onnx_scaled(qn_graph_op *op, qn_onnx_source w, qn_value *value) {
  if (!value || !w.element) return value;
  const qn_graph_shape shape = qn_graph_shape_of(value);
  return qn_graph_part(op, QN_OP_QUANT_DCAST, qn_onnx_f32(op->graph), &shape, &value, 1, NULL);
}

/* ---- results ---- */

/* The op has a result with channels last, and the recipe has that of the file. */
static qn_value *build_turned(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_onnx_recipe last = *r;
  int64_t dims[QN_GRAPH_MAX_RANK], perm[QN_GRAPH_MAX_RANK];
  last.build = NULL;
  qn_value *y = qn_onnx_build(op, &last, element);
  if (!y) return NULL;
  qn_graph_shape shape = qn_graph_shape_of(y);
  if (r->axis == 3) { /* the rank in the file */
    shape = (qn_graph_shape){3, {shape.dims[0], shape.dims[2], shape.dims[3]}};
    y = qn_graph_view(op, y, &shape);
  }
  channels_last(shape.rank, dims);
  for (uint32_t i = 0; i < shape.rank; i++) perm[dims[i]] = i;
  return qn_onnx_transpose(op, y, perm);
}

void qn_onnx_finish_conv(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                         const qn_graph_shape *shape, qn_onnx_recipe *r) {
  const bool planar = shape->rank == 4;
  const qn_onnx_layout layout = planar ? QN_ONNX_NHWC : QN_ONNX_PLAIN;
  r->is_layer = true;
  r->is_exact = qn_onnx_layer_is_exact(op, layer);
  r->activations[0] = layer->x.tensor;
  r->shape = qn_onnx_spatial_shape(shape);
  r->layout = layout;
  r->operands[0] = r->is_exact ? qn_onnx_source_value(op, layer->x, layout)
                               : qn_onnx_value_in(op, qn_graph_input(op, 0), layout);
  if (!planar) {
    r->operands[0] = as_image(op, r->operands[0]);
    r->build = build_turned;
    r->axis = shape->rank;
  }
  if (!qn_onnx_layer_bias(op, layer, channels, r) || !r->operands[0] || !r->operands[1]) return;
  r->count = r->operands[2] ? 3 : 2;
  qn_onnx_finish_layer(op, layer, shape, r);
}
