/* Bit patterns of floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/float_format.h"

#include <math.h>
#include <string.h>

/* f80 and f128 are read, held and printed as doubles. */
#define AS_DOUBLE                                                                                  \
  { 64, 52, 0x1p-1074, 0x1.fffffffffffffp1023 }
static const qn_float_format formats[] = {
    [QN_F16] = {16, 10, 0x1p-24, 0x1.ffcp15},
    [QN_BF16] = {16, 7, 0x1p-133, 0x1.fep127},
    [QN_TF32] = {19, 10, 0x1p-136, 0x1.ffcp127},
    [QN_F32] = {32, 23, 0x1p-149, 0x1.fffffep127},
    [QN_F64] = AS_DOUBLE,
    [QN_F80] = AS_DOUBLE,
    [QN_F128] = AS_DOUBLE,
};

const qn_float_format *qn_float_format_of(qn_float_kind kind) { return &formats[kind]; }

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The significand shifted right by 1..63 bits, nearest even. */
static uint64_t shift_round(uint64_t significand, uint32_t shift) {
  uint64_t kept = significand >> shift, half = UINT64_C(1) << (shift - 1);
  uint64_t rest = significand & (half * 2 - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

uint64_t qn_float_encode(qn_float_kind kind, double value) {
  const qn_float_format *format = &formats[kind];
  uint64_t bits = bits_of(value);
  if (format->width == 64) return bits;
  uint32_t mantissa = format->mantissa, drop = 52 - mantissa;
  int32_t top = (INT32_C(1) << (format->width - mantissa - 1)) - 1, bias = top >> 1;
  uint64_t sign = bits >> 63 << (format->width - 1), infinity = (uint64_t)top << mantissa;
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) {
    uint64_t payload = fraction >> drop;
    return sign | infinity | (fraction && !payload ? UINT64_C(1) << (mantissa - 1) : payload);
  }
  if (exponent == -1023) return sign; /* zero, or far below the narrow format's range */
  uint64_t significand = fraction | UINT64_C(1) << 52;
  int32_t below = 1 - bias - exponent; /* steps below the smallest normal number */
  if (below > 0) {
    uint32_t shift = drop + (uint32_t)below;
    return sign | (shift > 63 ? 0 : shift_round(significand, shift));
  }
  /* A carry out of the mantissa increments the exponent by itself. */
  uint64_t magnitude =
      ((uint64_t)(exponent + bias - 1) << mantissa) + shift_round(significand, drop);
  return sign | (magnitude > infinity ? infinity : magnitude);
}

double qn_float_decode(qn_float_kind kind, uint64_t bits) {
  const qn_float_format *format = &formats[kind];
  uint32_t mantissa = format->mantissa;
  uint64_t fraction = bits & ((UINT64_C(1) << mantissa) - 1);
  int32_t top = (INT32_C(1) << (format->width - mantissa - 1)) - 1, bias = top >> 1;
  int32_t exponent = (int32_t)(bits >> mantissa) & top;
  uint64_t sign = bits >> (format->width - 1) & 1;
  double magnitude;
  if (format->width == 64) {
    memcpy(&magnitude, &bits, sizeof bits);
    return magnitude;
  }
  if (exponent == top) { /* by bits: arithmetic could change the payload of a NaN */
    uint64_t wide = sign << 63 | UINT64_C(0x7ff) << 52 | fraction << (52 - mantissa);
    memcpy(&magnitude, &wide, sizeof wide);
    return magnitude;
  }
  if (exponent == 0)
    magnitude = ldexp((double)fraction, 1 - bias - (int)mantissa);
  else
    magnitude =
        ldexp((double)(fraction | UINT64_C(1) << mantissa), exponent - bias - (int)mantissa);
  return sign ? -magnitude : magnitude;
}

double qn_float_round(qn_float_kind kind, double value) {
  return qn_float_decode(kind, qn_float_encode(kind, value));
}

static qn_float_kind stored_kind(qn_float_kind kind) { return kind == QN_TF32 ? QN_F32 : kind; }

double qn_float_load(qn_float_kind kind, const uint8_t *at) {
  float single;
  uint64_t bits = 0;
  if (stored_kind(kind) == QN_F32) {
    memcpy(&single, at, sizeof single);
    return (double)single;
  }
  memcpy(&bits, at, formats[kind].width / 8); /* little endian */
  return qn_float_decode(kind, bits);
}

void qn_float_store(qn_float_kind kind, double value, uint8_t *at) {
  float single = (float)value;
  if (kind == QN_F32) {
    memcpy(at, &single, sizeof single);
    return;
  }
  uint64_t bits = qn_float_encode(kind, value);
  if (kind == QN_TF32) bits = qn_float_encode(QN_F32, qn_float_decode(kind, bits));
  memcpy(at, &bits, formats[stored_kind(kind)].width / 8);
}
