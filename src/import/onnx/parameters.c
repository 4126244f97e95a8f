/* Quantized types: scales and zero points of DequantizeLinear and QuantizeLinear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

#include <math.h>

const qn_type *qn_onnx_uniform(qn_graph *graph, uint8_t dtype, uint8_t bits, int32_t axis,
                               uint32_t count, const double *scales, const int64_t *zero_points) {
  uint32_t width = qn_graph_dtype_bits(dtype);
  qn_quant_uniform u = {.scheme = axis < 0 ? QN_PER_LAYER : QN_PER_AXIS,
                        .is_signed = dtype != QN_GRAPH_UINT8 && dtype != QN_GRAPH_UINT16,
                        .storage = qn_type_i(graph->cx, width),
                        .expressed = qn_onnx_f32(graph),
                        .axis = axis < 0 ? 0 : axis,
                        .count = count,
                        .scales = scales,
                        .zero_points = zero_points};
  qn_storage_range(bits ? bits : width, u.is_signed, &u.min, &u.max);
  return qn_type_uniform(graph->cx, &u);
}

bool qn_onnx_is_stored(qn_graph_op *op, const qn_graph_tensor *tensor, uint8_t dtype) {
  static const uint8_t stored[] = {QN_GRAPH_INT8, QN_GRAPH_UINT8, QN_GRAPH_INT16, QN_GRAPH_UINT16,
                                   QN_GRAPH_INT32};
  for (size_t i = 0; i < QN_COUNT(stored); i++)
    if (dtype == stored[i]) return true;
  return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                        "quantized elements of type %s are not supported",
                        qn_graph_dtype_name(dtype));
}

static int64_t zero_point_at(const qn_graph_tensor *z, uint32_t i) {
  qn_graph_list list = {z->data.data, (uint32_t)qn_graph_elements(&z->shape), z->dtype};
  return qn_graph_int_at(list, i);
}

static bool check_scale(qn_graph_op *op, qn_graph_tensor *scale, uint32_t i, double value) {
  return (value > 0 && isfinite(value)) ||
         qn_graph_error(op, scale, QN_INVALID, "scale %u is %g; it must be positive and finite", i,
                        value);
}

const qn_type *qn_onnx_parameters(qn_graph_op *op, uint8_t dtype, uint8_t bits,
                                  qn_graph_tensor *scale, qn_graph_tensor *zero_point, int64_t axis,
                                  const qn_graph_shape *shape) {
  qn_graph *graph = op->graph;
  bool known =
      qn_onnx_is_constant(op, scale) && (!zero_point || qn_onnx_is_constant(op, zero_point));
  if (!known) {
    qn_graph_error(op, scale, QN_UNSUPPORTED, "scales and zero points must be constants");
    return NULL;
  }
  if (!qn_onnx_is_stored(op, scale, dtype)) return NULL;
  if (scale->dtype != QN_GRAPH_FLOAT32) {
    qn_graph_error(op, scale, QN_UNSUPPORTED, "scales of type %s are not supported",
                   qn_graph_dtype_name(scale->dtype));
    return NULL;
  }
  int64_t count = qn_graph_elements(&scale->shape);
  bool one = count == 1 && scale->shape.rank <= 1;
  if (!one && scale->shape.rank != 1) {
    qn_graph_error(op, scale, QN_UNSUPPORTED,
                   "scales of rank %u are not supported here, only one, or one per index of an "
                   "axis",
                   scale->shape.rank);
    return NULL;
  }
  if (zero_point && !(qn_graph_elements(&zero_point->shape) == count)) {
    qn_graph_error(op, zero_point, QN_INVALID, "%lld zero points for %lld scales",
                   (long long)qn_graph_elements(&zero_point->shape), (long long)count);
    return NULL;
  }
  if (zero_point && zero_point->dtype != dtype) {
    qn_graph_error(op, zero_point, QN_INVALID, "a zero point of type %s for elements of type %s",
                   qn_graph_dtype_name(zero_point->dtype), qn_graph_dtype_name(dtype));
    return NULL;
  }
  uint32_t at = 0;
  if (!one && !qn_graph_axis(op, axis, shape->rank, &at)) return NULL;
  if (!one && shape->dims[at] != count) {
    qn_graph_error(op, scale, QN_INVALID, "%lld scales for %lld indices of axis %u",
                   (long long)count, (long long)shape->dims[at], at);
    return NULL;
  }
  if (!qn_graph_spend(op, count)) return NULL;
  double *scales = QN_NEW_ARRAY(&graph->arena, (size_t)count, double);
  int64_t *zeros = QN_NEW_ARRAY(&graph->arena, (size_t)count, int64_t);
  qn_graph_list list = {scale->data.data, (uint32_t)count, QN_GRAPH_FLOAT32};
  for (uint32_t i = 0; i < count; i++) {
    scales[i] = qn_graph_real_at(list, i);
    zeros[i] = zero_point ? zero_point_at(zero_point, i) : 0;
    if (!check_scale(op, scale, i, scales[i])) return NULL;
  }
  return qn_onnx_uniform(graph, dtype, bits, one ? -1 : (int32_t)at, (uint32_t)count, scales,
                         zeros);
}
