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

/* sigmoid(|v|), interpolated between two table entries. The lowest `bits` bits of the magnitude are
 * the fraction, the others the index of the entry. */
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

/* Rounds a result that was computed in double from float32 operands as if computed in float32. */
static double in(qn_step step, double x) { return step == QN_IN_F32 ? (double)(float)x : x; }

/* The table entry; NaN, which interpolation next to an infinite sample gives, becomes 0. */
static int16_t entry_of(double x) {
  return (int16_t)(isnan(x) ? 0 : qn_sat16(qn_round_away_i32(x)));
}

void qn_table16(qn_affine16 input, qn_affine16 output, qn_step step, qn_function16 *function,
                const void *user, int16_t table[QN_TABLE16_SIZE]) {
  const int steps = QN_TABLE16_SIZE - 1;
  double lo = in(step, input.scale * (INT16_MIN - input.zero_point));
  double hi = in(step, input.scale * (INT16_MAX - input.zero_point));
  double out_lo = in(step, output.scale * (INT16_MIN - output.zero_point));
  double out_hi = in(step, output.scale * (INT16_MAX - output.zero_point));
  double width = in(step, in(step, hi - lo) / steps), half = width / 2;
  double inverse = in(step, 65536.0 / in(step, out_hi - out_lo));
  for (int i = 0; i < steps; i++) {
    double from = in(step, lo + in(step, i * width));
    double here = function(user, from, step);
    double next = function(user, in(step, lo + in(step, (i + 1) * width)), step);
    double middle = function(user, in(step, from + half), step);
    double sample = round(in(step, here * inverse));
    double between = round(in(step, in(step, next * inverse) + sample) / 2);
    double error = between - round(in(step, middle * inverse));
    table[i] = entry_of(sample - round(error / 2));
  }
  double last = in(step, function(user, hi, step) * inverse);
  table[steps] = entry_of(last);
}

static double exponential(const void *user, double x, qn_step step) {
  (void)user;
  return step == QN_IN_F32 ? (double)expf((float)x) : exp(x);
}
static double reciprocal(const void *user, double x, qn_step step) {
  (void)user;
  return in(step, 1 / in(step, 1 + x));
}

void qn_softmax16_tables(qn_step step, int16_t exponentials[QN_TABLE16_SIZE],
                         int16_t reciprocals[QN_TABLE16_SIZE]) {
  double unit = in(step, 1.0 / 65535), two = in(step, 2.0 / 65535), ten = in(step, 10.0 / 65535);
  qn_table16((qn_affine16){ten, INT16_MAX}, (qn_affine16){two, 0}, step, exponential, NULL,
             exponentials);
  qn_table16((qn_affine16){unit, INT16_MIN}, (qn_affine16){two, 0}, step, reciprocal, NULL,
             reciprocals);
}

int32_t qn_table16_lookup(const int16_t table[QN_TABLE16_SIZE], int32_t x) {
  int32_t entry = 256 + (x >> 7), offset = x & 127;
  int32_t slope = (int16_t)(table[entry + 1] - table[entry]);
  return (int16_t)(table[entry] + ((slope * offset + 64) >> 7));
}
