/* See onnx_samples_parts.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

const uint8_t qn_onnx_part_noise[QN_ONNX_PART_BYTES] = {3,  250, 7, 1,   128, 90, 17,  255,
                                                        33, 64,  5, 200, 11,  99, 150, 42};

void qn_onnx_part_numbers(qn_onb *b, const char *name, const char *dims, uint32_t count) {
  float values[QN_ONNX_PART_BYTES / 4];
  for (uint32_t i = 0; i < count; i++)
    values[i] = (float)((int)qn_onnx_part_noise[i % 16] - 100) / 16;
  qn_onb_tensor(b, name, QN_ONB_FLOAT, dims, values, count * sizeof *values);
}

void qn_onnx_part_ints(qn_onb *b, const char *name, const int64_t *values, uint32_t count) {
  char dims[12];
  snprintf(dims, sizeof dims, "%u", count);
  qn_onb_tensor(b, name, QN_ONB_INT64, dims, values, count * sizeof *values);
}
void qn_onnx_part_scale(qn_onb *b, const char *name, float value) {
  qn_onb_tensor(b, name, QN_ONB_FLOAT, "", &value, sizeof value);
}

void qn_onnx_part_zero_point(qn_onb *b, const char *name, int64_t type, int32_t value) {
  qn_onb_tensor(b, name, type, "", &value,
                type == QN_ONB_UINT16 || type == QN_ONB_INT16 ? 2
                : type == QN_ONB_INT32                        ? 4
                                                              : 1);
}

void qn_onnx_part_parameters(qn_onb *b) {
  qn_onnx_part_scale(b, "s", 0.05F);
  qn_onnx_part_scale(b, "t", 0.03F);
  qn_onnx_part_scale(b, "u", 0.11F);
  qn_onnx_part_zero_point(b, "z", QN_ONB_UINT8, 120);
  qn_onnx_part_zero_point(b, "v", QN_ONB_UINT8, 7);
  qn_onnx_part_zero_point(b, "k", QN_ONB_INT8, 0);
}

void qn_onnx_part_quantized_input(qn_onb *b, const char *dims) {
  qn_onnx_part_parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, dims);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "d");
}

void qn_onnx_part_quantized_output(qn_onb *b, const char *dims) {
  qn_onb_node(b, "", "QuantizeLinear", "r,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, dims);
}

void qn_onnx_part_floats(qn_onb *b, const char *in, const char *out) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, in);
  qn_onb_output(b, "y", QN_ONB_FLOAT, out);
}

void qn_onnx_part_weights(qn_onb *b, const char *dims, uint32_t count, uint32_t channels) {
  float scales[16];
  int32_t bias[16];
  char one[12];
  for (uint32_t i = 0; i < channels; i++) {
    scales[i] = 0.01F + 0.001F * (float)i;
    bias[i] = 100 * (int32_t)i - 150;
  }
  snprintf(one, sizeof one, "%u", channels);
  qn_onb_tensor(b, "w", QN_ONB_INT8, dims, qn_onnx_part_noise, count);
  qn_onb_tensor(b, "ws", QN_ONB_FLOAT, one, scales, channels * sizeof *scales);
  for (uint32_t i = 0; i < channels; i++) scales[i] *= 0.05F;
  qn_onb_tensor(b, "b", QN_ONB_INT32, one, bias, channels * sizeof *bias);
  qn_onb_tensor(b, "bs", QN_ONB_FLOAT, one, scales, channels * sizeof *scales);
  qn_onb_node(b, "", "DequantizeLinear", "w,ws", "dw");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "DequantizeLinear", "b,bs", "db");
  qn_onb_attr_int(b, "axis", 0);
}
