/* Bias operands: constants or inputs whose stored scales are not used.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/build.h"

/* Tolerance of a stored bias scale, in units of the output (docs/arithmetic.md 4.3). */
static const double BIAS_TOLERANCE = 0.02;

/* Whether the stored bias scales equal the products of input and weight scales, within the
 * tolerance. */
static bool bias_scales_fit(const qn_graph_list *scales, double input_scale,
                            const qn_quant_uniform *weights, double output_scale) {
  for (uint32_t i = 0; i < scales->count; i++) {
    double product = input_scale * weights->scales[weights->count == 1 ? 0 : i];
    double stored = qn_graph_real_at(*scales, scales->count == 1 ? 0 : i);
    if (!(fabs(product - stored) / output_scale <= BIAS_TOLERANCE)) return false;
  }
  return true;
}

static bool compare_bias_scales(qn_graph_op *op, const qn_graph_tensor *bias, int64_t channels,
                                double input_scale, const qn_quant_uniform *weights,
                                double output_scale) {
  const qn_graph_list *scales = &bias->quantization.scales;
  bool comparable = scales->count <= 1 || (scales->count == channels && weights->count == channels);
  if (!qn_graph_spend(op, scales->count)) return false;
  if (!comparable || !bias_scales_fit(scales, input_scale, weights, output_scale))
    qn_graph_warn(op, bias,
                  "its stored scale is not input scale times weight scale; it is ignored");
  return true;
}

/* Checks the type of the bias: int64 is valid with int16 activations. */
static bool check_bias_type(qn_graph_op *op, const qn_graph_tensor *bias, bool is_float,
                            uint32_t width) {
  bool wide = !is_float && width == 16;
  uint8_t expected = is_float ? QN_GRAPH_FLOAT32 : QN_GRAPH_INT32;
  if (bias->dtype == expected || (wide && bias->dtype == QN_GRAPH_INT64)) return true;
  return qn_graph_error(op, bias, QN_UNSUPPORTED, "a bias of type %s is not supported, only %s%s",
                        qn_graph_dtype_name(bias->dtype), is_float ? "float32" : "int32",
                        wide ? " and int64" : "");
}

bool qn_graph_bias(qn_graph_op *op, uint32_t operand, int64_t channels, const qn_graph_q8 *input,
                   const qn_type *weights, double output_scale, qn_value **out_value) {
  *out_value = NULL;
  qn_graph_tensor *bias = qn_graph_input(op, operand);
  if (!bias) return !op->failed;
  bool is_float = input->width == 0;
  if (!check_bias_type(op, bias, is_float, input->width)) return false;
  if (qn_graph_elements(&bias->shape) != channels)
    return qn_graph_error(op, bias, QN_INVALID,
                          "a bias with %lld elements for %lld output channels",
                          (long long)qn_graph_elements(&bias->shape), (long long)channels);
  if (!is_float &&
      !compare_bias_scales(op, bias, channels, input->scale, qn_type_quant(weights), output_scale))
    return false;
  qn_graph_shape vector = {1, {channels}};
  const qn_type *element = is_float
                               ? qn_type_float(op->graph->cx, QN_F32)
                               : qn_type_i(op->graph->cx, bias->dtype == QN_GRAPH_INT64 ? 64 : 32);
  const qn_type *type = qn_graph_shaped(op->graph, element, &vector);
  if (bias->is_input && bias->value)
    *out_value = qn_graph_view(op, bias->value, &vector);
  else
    *out_value = qn_graph_constant(op, bias, type);
  return *out_value != NULL;
}
