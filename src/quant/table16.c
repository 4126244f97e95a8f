/* Tables of 16-bit functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/table16.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/fixed.h"

static double scaled_sigmoid(double i) { return 65536 / (1 + exp(-i / 24)); }

void qn_sigmoid_table(uint16_t table[256]) {
  for (int i = 0; i < 255; i++) {
    double here = scaled_sigmoid(i), next = scaled_sigmoid(i + 1);
    double error = scaled_sigmoid(i + 0.5) - (here + next) / 2;
    table[i] = (uint16_t)round(here + error / 2);
  }
  table[255] = 65535;
}

static int32_t scaled_input(int32_t x, int32_t multiplier, int32_t shift) {
  int64_t bias = shift > 0 ? INT64_C(1) << (shift - 1) : 0;
  return (int32_t)(((int64_t)x * multiplier + bias) >> shift);
}

/* sigmoid(|v|) between two entries, `bits` fraction bits below the entry number. */
static int64_t interpolate(const uint16_t sigmoid[256], int64_t magnitude, int bits,
                           int64_t saturated) {
  int64_t entry = magnitude >> bits, fraction = magnitude & ((1 << bits) - 1);
  if (entry >= 255) return saturated;
  return ((int64_t)sigmoid[entry] << bits) + fraction * (sigmoid[entry + 1] - sigmoid[entry]);
}

int32_t qn_logistic16(const uint16_t sigmoid[256], int32_t x, int32_t multiplier, int32_t shift) {
  int32_t v = scaled_input(x, multiplier, shift);
  int64_t g = interpolate(sigmoid, llabs(v), 9, INT64_C(32767) << 10);
  return (int32_t)((v >= 0 ? g + 512 : (1 << 25) - g + 511) >> 10);
}

int32_t qn_tanh16(const uint16_t sigmoid[256], int32_t x, int32_t multiplier, int32_t shift) {
  int32_t v = scaled_input(x, multiplier, shift);
  int64_t g = interpolate(sigmoid, llabs(v), 8, INT64_C(65535) << 8);
  return (int32_t)((v >= 0 ? g - (1 << 23) + 128 : -g + (1 << 23) + 127) >> 8);
}

void qn_table16(qn_affine16 input, qn_affine16 output, float (*function)(float),
                int16_t table[QN_TABLE16_SIZE]) {
  const int steps = QN_TABLE16_SIZE - 1;
  float lo = input.scale * (float)(INT16_MIN - input.zero_point);
  float hi = input.scale * (float)(INT16_MAX - input.zero_point);
  float out_lo = output.scale * (float)(INT16_MIN - output.zero_point);
  float out_hi = output.scale * (float)(INT16_MAX - output.zero_point);
  float step = (hi - lo) / (float)steps, half = step / 2, inverse = 65536.0F / (out_hi - out_lo);
  for (int i = 0; i < steps; i++) {
    float here = function(lo + (float)i * step), next = function(lo + (float)(i + 1) * step);
    float middle = function(lo + (float)i * step + half);
    float sample = roundf(here * inverse);
    float between = roundf((next * inverse + sample) / 2);
    float error = between - roundf(middle * inverse);
    table[i] = (int16_t)qn_sat16(qn_round_away_i32((double)(sample - roundf(error / 2))));
  }
  table[steps] = (int16_t)qn_sat16(qn_round_away_i32((double)(function(hi) * inverse)));
}

int32_t qn_table16_lookup(const int16_t table[QN_TABLE16_SIZE], int32_t x) {
  int32_t entry = 256 + (x >> 7), offset = x & 127;
  int32_t slope = (int16_t)(table[entry + 1] - table[entry]);
  return (int16_t)(table[entry] + ((slope * offset + 64) >> 7));
}
