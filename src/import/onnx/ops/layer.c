/* Operands, bias and result of convolutions and matrix products (layer.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"

#include <float.h>
#include <math.h>

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

/* A float constant as int32 with a power of two as scale per channel, which is exact: a float32 has
 * 24 bits. NULL for infinities and NaN, and numbers whose scale is no normal float32. */
static qn_value *exact_bias(qn_graph_op *op, const qn_graph_tensor *bias, int64_t channels) {
  const size_t count = (size_t)channels + 1;
  const qn_graph_list list = {bias->data.data, (uint32_t)channels, QN_GRAPH_FLOAT32};
  double *scales = QN_NEW_ARRAY(&op->graph->arena, count, double);
  int64_t *zeros = QN_NEW_ARRAY(&op->graph->arena, count, int64_t);
  int32_t *stored = QN_NEW_ARRAY(&op->graph->arena, count, int32_t);
  for (int64_t i = 0; i < channels; i++) {
    const double value = qn_graph_real_at(list, (uint32_t)i);
    int exponent;
    const double fraction = frexp(value, &exponent);
    if (!isfinite(value) || exponent - FLT_MANT_DIG < FLT_MIN_EXP) return NULL;
    scales[i] = value == 0 ? 1 : ldexp(1, exponent - FLT_MANT_DIG);
    stored[i] = (int32_t)ldexp(fraction, FLT_MANT_DIG);
  }
  const qn_graph_shape vector = {1, {channels}};
  const qn_type *element =
      qn_onnx_uniform(op->graph, QN_GRAPH_INT32, 0, 0, (uint32_t)channels, scales, zeros);
  return qn_graph_const(op, element, &vector, stored);
}

static bool report_biases(qn_graph_op *op, const qn_onnx_layer *layer, int64_t count,
                          int64_t channels) {
  return qn_graph_error(op, layer->bias, QN_INVALID,
                        "a bias with %lld elements for %lld output channels", (long long)count,
                        (long long)channels);
}

/* The scale of the bias: its own if a DequantizeLinear writes it; plain int32 has input scale times
 * weight scale. */
bool qn_onnx_layer_bias(qn_graph_op *op, const qn_onnx_layer *layer, int64_t channels,
                        qn_onnx_recipe *r) {
  qn_value **out = &r->operands[2];
  *out = NULL;
  if (!layer->bias) return true;
  if (layer->rounded_bias) {
    const int64_t biases = qn_graph_shape_of(layer->rounded_bias).dims[0];
    *out = layer->rounded_bias;
    return biases == channels || report_biases(op, layer, biases, channels);
  }
  qn_graph *graph = op->graph;
  qn_onnx_source source = {layer->bias, NULL};
  const bool exact = qn_onnx_layer_is_exact(op, layer);
  if (exact && !layer->result && layer->bias->dtype == QN_GRAPH_FLOAT32)
    source = qn_onnx_source_of(op, 2);
  int64_t count = qn_graph_elements(&source.tensor->shape);
  if (count != channels) return report_biases(op, layer, count, channels);
  const qn_graph_shape vector = {1, {channels}};
  r->has_float_bias = exact && !source.element && source.tensor->dtype == QN_GRAPH_FLOAT32;
  if (r->has_float_bias && qn_onnx_is_constant(op, source.tensor))
    *out = exact_bias(op, source.tensor, channels);
  if (*out) return true;
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
