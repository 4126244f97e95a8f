/* What the samples of onnx_samples_*.c share: constants, inputs and outputs under usual names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_ONNX_SAMPLES_PARTS_H
#define QN_TESTS_ONNX_SAMPLES_PARTS_H

#include "tests/support/onnx_samples.h"

enum { QN_ONNX_PART_BYTES = 1024 };
extern const uint8_t qn_onnx_part_noise[QN_ONNX_PART_BYTES];

/* ---- constants ---- */

void qn_onnx_part_numbers(qn_onb *b, const char *name, const char *dims, uint32_t count);
void qn_onnx_part_ints(qn_onb *b, const char *name, const int64_t *values, uint32_t count);
#define QN_ONNX_INTS(b, name, ...)                                                                 \
  qn_onnx_part_ints(b, name, (const int64_t[]){__VA_ARGS__},                                       \
                    (uint32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
void qn_onnx_part_scale(qn_onb *b, const char *name, float value);
void qn_onnx_part_zero_point(qn_onb *b, const char *name, int64_t type, int32_t value);
/* Adds scales s, t, u, zero points z, v of uint8 and k of int8. */
void qn_onnx_part_parameters(qn_onb *b);
/* Adds weights w of `count` int8 values with scales ws and a bias b with scales bs, per channel,
 * and dequantizes them to "dw" and "db". */
void qn_onnx_part_weights(qn_onb *b, const char *dims, uint32_t count, uint32_t channels);

/* ---- inputs and outputs ---- */

/* Quantizes x to "q", and dequantizes q to "d". */
void qn_onnx_part_quantized_input(qn_onb *b, const char *dims);
/* Quantizes "r", and dequantizes the result to the output y. */
void qn_onnx_part_quantized_output(qn_onb *b, const char *dims);
/* The input x and the output y. */
void qn_onnx_part_floats(qn_onb *b, const char *in, const char *out);

/* ---- samples ---- */

#define S(name, ops) void qn_onnx_sample_##name(qn_onb *b);
#include "tests/support/onnx_samples.def"
#undef S

#endif
