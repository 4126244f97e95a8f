/* Float weights and biases that onnxruntime quantizes when it optimizes a model, for the profile
 * "ort": those of a Conv or Gemm whose operand is dequantized with one scale, and whose result is
 * quantized, possibly after clamps.
 *
 * Weights become int8 with one scale and zero point. A bias becomes int32 with the scale of the
 * products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"

#include <float.h>
#include <math.h>

#include "quant/rounding.h"

static bool is_constant(qn_graph_op *op, const qn_graph_tensor *x) {
  return x->dtype == QN_GRAPH_FLOAT32 && qn_onnx_is_constant(op, x) &&
         !qn_onnx_extra(op->graph, x)->is_dequantized;
}

static float float_at(const qn_graph_tensor *x, int64_t i) {
  float value;
  memcpy(&value, x->data.data + (size_t)i * sizeof value, sizeof value);
  return value;
}

/* Whether the scales of quantized weights are one per output channel, or one alone. */
static bool has_channel_scales(qn_graph_op *op, const qn_onnx_layer *layer) {
  const qn_quant_uniform *w = &layer->w.element->uniform;
  if (w->scheme == QN_PER_LAYER) return true;
  const bool is_gemm = strcmp(op->row->name, "Gemm") == 0;
  const bool is_second =
      is_gemm ? qn_onnx_int(op, "transB", 0) == 0 : strcmp(op->row->name, "ConvTranspose") == 0;
  const int32_t axis = is_second;
  return layer->bias && w->scheme == QN_PER_AXIS && w->axis == axis &&
         (int64_t)w->count == qn_graph_elements(&layer->bias->shape);
}

static bool is_rounded(qn_graph_op *op, const qn_onnx_layer *layer) {
  const qn_graph *graph = op->graph;
  if (graph->profile->units != QN_UNITS_FUSED || !layer->x.element) return false;
  if (layer->x.element->uniform.scheme != QN_PER_LAYER || !qn_onnx_is_quantized_next(op))
    return false;
  if (layer->bias && (!is_constant(op, layer->bias) || layer->bias->shape.rank != 1)) return false;
  return layer->w.element ? layer->bias && has_channel_scales(op, layer)
                          : is_constant(op, layer->w.tensor);
}

/* ---- weights ---- */

static bool has_sound_scale(qn_graph_op *op, const qn_graph_tensor *x, float scale) {
  return (scale >= FLT_MIN && scale <= FLT_MAX) ||
         qn_graph_error(op, x, QN_UNSUPPORTED,
                        "it can't be quantized as in the profile %s, because its scale would be %g",
                        op->graph->profile->name, (double)scale);
}

static bool find_range(qn_graph_op *op, const qn_graph_tensor *x, int64_t count, float *out_low,
                       float *out_high) {
  *out_low = *out_high = 0;
  for (int64_t i = 0; i < count; i++) {
    const float value = float_at(x, i);
    if (!isfinite(value))
      return qn_graph_error(op, x, QN_UNSUPPORTED,
                            "it can't be quantized as in the profile %s, because not all elements "
                            "are finite",
                            op->graph->profile->name);
    if (value < *out_low) *out_low = value;
    if (value > *out_high) *out_high = value;
  }
  return true;
}

/* The weights as int8. All steps are those of onnxruntime, in f32. */
static bool round_weights(qn_graph_op *op, qn_onnx_layer *layer) {
  const qn_graph_tensor *w = layer->w.tensor;
  const int64_t count = qn_graph_elements(&w->shape);
  float low, high;
  if (w->data.size != (size_t)count * sizeof low || !qn_graph_spend(op, 8 * count)) return false;
  if (!find_range(op, w, count, &low, &high)) return false;
  const float scale = low == high ? 1 : (high - low) / (float)UINT8_MAX;
  if (!has_sound_scale(op, w, scale)) return false;
  const float zero = fminf(fmaxf((float)INT8_MIN - low / scale, INT8_MIN), INT8_MAX);
  const int64_t zero_point = (int64_t)nearbyintf(zero);
  const double real_scale = (double)scale;
  int8_t *stored = qn_arena_alloc(&op->graph->cx->arena, (size_t)count);
  for (int64_t i = 0; i < count; i++)
    stored[i] = (int8_t)qn_quantize_f32(float_at(w, i), scale, QN_ROUND_EVEN, zero_point, INT8_MIN,
                                        INT8_MAX);
  qn_graph_tensor *rounded = QN_NEW(&op->graph->arena, qn_graph_tensor);
  *rounded = *w;
  rounded->dtype = QN_GRAPH_INT8;
  rounded->data = (qn_bytes){(const uint8_t *)stored, (size_t)count};
  layer->w.tensor = rounded;
  layer->rounded_weights = true;
  layer->w.element = qn_onnx_uniform(op->graph, QN_GRAPH_INT8, 0, -1, 1, &real_scale, &zero_point);
  return true;
}

/* ---- bias ---- */

static bool round_bias(qn_graph_op *op, qn_onnx_layer *layer) {
  const qn_quant_uniform *x = &layer->x.element->uniform, *w = &layer->w.element->uniform;
  const int64_t count = layer->bias->shape.dims[0];
  const bool by_channel = w->scheme == QN_PER_AXIS;
  if (layer->bias->data.size != (size_t)count * sizeof(float) || !qn_graph_spend(op, 8 * count))
    return false;
  double *scales = QN_NEW_ARRAY(&op->graph->arena, (size_t)count + 1, double);
  int64_t *zeros = QN_NEW_ARRAY(&op->graph->arena, (size_t)count + 1, int64_t);
  int32_t *stored = QN_NEW_ARRAY(&op->graph->arena, (size_t)count + 1, int32_t);
  for (int64_t i = 0; i < count; i++) {
    const float scale = (float)x->scales[0] * (float)w->scales[by_channel ? i : 0];
    if (!has_sound_scale(op, layer->bias, scale)) return false;
    const float steps = nearbyintf(float_at(layer->bias, i) / scale);
    if (!(fabsf(steps) <= (float)(1 << 30)))
      return qn_graph_error(op, layer->bias, QN_UNSUPPORTED,
                            "element %lld is %g steps of the products, which is too large",
                            (long long)i, (double)steps);
    scales[i] = (double)scale;
    stored[i] = (int32_t)steps;
  }
  const qn_graph_shape vector = {1, {count}};
  const qn_type *element = qn_onnx_uniform(op->graph, QN_GRAPH_INT32, 0, by_channel ? 0 : -1,
                                           by_channel ? (uint32_t)count : 1, scales, zeros);
  layer->rounded_bias = qn_graph_const(op, element, &vector, stored);
  return layer->rounded_bias != NULL;
}

bool qn_onnx_round_parameters(qn_graph_op *op, qn_onnx_layer *layer) {
  if (!is_rounded(op, layer)) return !op->failed;
  if (!layer->w.element && !round_weights(op, layer)) return false;
  return !layer->bias || round_bias(op, layer);
}
