/* Operands, bias and result of convolutions and matrix products (layer.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"

static qn_graph_tensor *optional(qn_graph_op *op, uint32_t i) {
  return qn_graph_has_input(op, i) ? qn_graph_input(op, i) : NULL;
}

bool qn_onnx_quantized_operand(qn_graph_op *op, uint32_t i, int64_t axis, qn_onnx_source *out) {
  qn_graph_tensor *x = qn_graph_input(op, i), *scale = qn_graph_input(op, i + 1);
  qn_graph_tensor *zero = optional(op, i + 2);
  if (op->failed) return false;
  uint8_t bits = qn_onnx_extra(op->graph, x)->bits;
  *out = (qn_onnx_source){x, qn_onnx_parameters(op, x->dtype, bits, scale, zero, axis, &x->shape)};
  return out->element != NULL;
}

const qn_type *qn_onnx_quantized_result(qn_graph_op *op, uint32_t i, uint8_t fallback,
                                        uint8_t *out_dtype) {
  const qn_graph_shape none = {0};
  qn_graph_tensor *scale = qn_graph_input(op, i), *zero = optional(op, i + 1);
  if (op->failed) return NULL;
  *out_dtype = zero ? zero->dtype : fallback;
  return qn_onnx_parameters(op, *out_dtype, 0, scale, zero, 0, &none);
}

bool qn_onnx_open_layer(qn_graph_op *op, qn_onnx_layer *out) {
  *out = (qn_onnx_layer){
      .x = qn_onnx_source_of(op, 0), .w = qn_onnx_source_of(op, 1), .bias = optional(op, 2)};
  if (op->failed) return false;
  for (uint32_t i = 0; i < 2; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (!qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return false;
  }
  return qn_graph_has_elements(op, out->x.tensor) && qn_graph_has_elements(op, out->w.tensor);
}

bool qn_onnx_layer_is_exact(qn_graph_op *op, const qn_onnx_layer *layer) {
  (void)op;
  return layer->x.element && layer->w.element;
}

/* The scale of the bias: its own if a DequantizeLinear writes it; plain int32 has input scale times
 * weight scale. */
bool qn_onnx_layer_bias(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                        qn_value **out) {
  *out = NULL;
  if (!layer->bias) return true;
  qn_graph *graph = op->graph;
  qn_onnx_source source = {layer->bias, NULL};
  const bool exact = qn_onnx_layer_is_exact(op, layer);
  if (exact && !layer->result && layer->bias->dtype == QN_GRAPH_FLOAT32)
    source = qn_onnx_source_of(op, 2);
  int64_t count = qn_graph_elements(&source.tensor->shape);
  if (count != channels)
    return qn_graph_error(op, layer->bias, QN_INVALID,
                          "a bias with %lld elements for %lld output channels", (long long)count,
                          (long long)channels);
  const qn_graph_shape vector = {1, {channels}};
  *out = exact ? qn_onnx_source_value(op, source, QN_ONNX_PLAIN)
               : qn_onnx_value_as(op, layer->bias, qn_onnx_f32(graph), QN_ONNX_PLAIN);
  if (*out) *out = qn_graph_view(op, *out, &vector);
  return *out != NULL;
}

void qn_onnx_finish_layer(qn_graph_op *op, const qn_onnx_layer *layer, const qn_graph_shape *shape,
                          const qn_onnx_recipe *recipe) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  if (op->failed) return;
  if (layer->result)
    qn_onnx_make(op, y, layer->result_dtype, shape, recipe, layer->result);
  else
    qn_onnx_leave(op, y, QN_GRAPH_FLOAT32, shape, recipe);
}
