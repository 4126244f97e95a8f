/* Bit patterns of floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/float_format.h"

#include <math.h>
#include <string.h>

/* f80 and f128 are parsed, stored and printed as doubles. */
#define AS_DOUBLE 64, 52, 1023, 0x1p-1074, 0x1.fffffffffffffp1023, QN_FLOAT_IEEE
static const qn_float_format formats[QN_FLOAT_KINDS] = {
    [QN_F16] = {"f16", 16, 2, 11, 16, 10, 15, 0x1p-24, 0x1.ffcp15, QN_FLOAT_IEEE, true},
    [QN_BF16] = {"bf16", 16, 2, 8, 16, 7, 127, 0x1p-133, 0x1.fep127, QN_FLOAT_IEEE, true},
    [QN_TF32] = {"tf32", 19, 4, 11, 19, 10, 127, 0x1p-136, 0x1.ffcp127, QN_FLOAT_IEEE, false},
    [QN_F32] = {"f32", 32, 4, 24, 32, 23, 127, 0x1p-149, 0x1.fffffep127, QN_FLOAT_IEEE, true},
    [QN_F64] = {"f64", 64, 8, 53, AS_DOUBLE, true},
    [QN_F80] = {"f80", 80, 16, 64, AS_DOUBLE, false},
    [QN_F128] = {"f128", 128, 16, 113, AS_DOUBLE, false},
#define SMALL(name, width, mantissa, bias, denormal, largest, specials)                            \
  { name, width, 1, (mantissa) + 1, width, mantissa, bias, denormal, largest, specials, false }
    [QN_F8E5M2] = SMALL("f8E5M2", 8, 2, 15, 0x1p-16, 0x1.cp15, QN_FLOAT_IEEE),
    [QN_F8E5M2FNUZ] = SMALL("f8E5M2FNUZ", 8, 2, 16, 0x1p-17, 0x1.cp15, QN_FLOAT_NAN_ZERO),
    [QN_F8E4M3] = SMALL("f8E4M3", 8, 3, 7, 0x1p-9, 0x1.ep7, QN_FLOAT_IEEE),
    [QN_F8E4M3FN] = SMALL("f8E4M3FN", 8, 3, 7, 0x1p-9, 0x1.cp8, QN_FLOAT_NAN_ONES),
    [QN_F8E4M3FNUZ] = SMALL("f8E4M3FNUZ", 8, 3, 8, 0x1p-10, 0x1.ep7, QN_FLOAT_NAN_ZERO),
    [QN_F8E4M3B11FNUZ] = SMALL("f8E4M3B11FNUZ", 8, 3, 11, 0x1p-13, 0x1.ep4, QN_FLOAT_NAN_ZERO),
    [QN_F8E3M4] = SMALL("f8E3M4", 8, 4, 3, 0x1p-6, 0x1.fp3, QN_FLOAT_IEEE),
    [QN_F8E8M0FNU] = SMALL("f8E8M0FNU", 8, 0, 127, 0x1p-127, 0x1p127, QN_FLOAT_POWERS),
    [QN_F6E3M2FN] = SMALL("f6E3M2FN", 6, 2, 3, 0x1p-4, 0x1.cp4, QN_FLOAT_FINITE),
    [QN_F6E2M3FN] = SMALL("f6E2M3FN", 6, 3, 1, 0x1p-3, 0x1.ep2, QN_FLOAT_FINITE),
    [QN_F4E2M1FN] = SMALL("f4E2M1FN", 4, 1, 1, 0x1p-1, 0x1.8p2, QN_FLOAT_FINITE),
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

static double magnitude_of(const qn_float_format *f, uint64_t magnitude) {
  uint32_t mantissa = f->mantissa;
  uint64_t fraction = magnitude & ((UINT64_C(1) << mantissa) - 1);
  int32_t exponent = (int32_t)(magnitude >> mantissa);
  if (exponent == 0) return ldexp((double)fraction, 1 - f->bias - (int)mantissa);
  return ldexp((double)(fraction | UINT64_C(1) << mantissa), exponent - f->bias - (int)mantissa);
}

/* Encoded magnitude of a finite value, rounded to nearest even, with unbounded exponent. */
static uint64_t magnitude_bits(const qn_float_format *f, double value) {
  uint64_t bits = bits_of(value), fraction = bits & ((UINT64_C(1) << 52) - 1);
  uint32_t drop = 52 - f->mantissa;
  int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == -1023) return 0; /* zero, or far below the narrow format's range */
  uint64_t significand = fraction | UINT64_C(1) << 52;
  int32_t below = 1 - f->bias - exponent; /* binades below the smallest normal number */
  if (below > 0) {
    uint32_t shift = drop + (uint32_t)below;
    return shift > 63 ? 0 : shift_round(significand, shift);
  }
  /* A carry out of the mantissa increments the exponent by itself. */
  return ((uint64_t)(exponent + f->bias - 1) << f->mantissa) + shift_round(significand, drop);
}

/* ---- formats with infinities ---- */

static uint64_t encode_ieee(const qn_float_format *f, double value) {
  uint64_t bits = bits_of(value), sign = bits >> 63 << (f->width - 1);
  uint64_t top = (UINT64_C(1) << (f->width - f->mantissa - 1)) - 1, infinity = top << f->mantissa;
  if (!isfinite(value)) {
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1), payload = fraction >> (52 - f->mantissa);
    return sign | infinity | (fraction && !payload ? UINT64_C(1) << (f->mantissa - 1) : payload);
  }
  uint64_t magnitude = magnitude_bits(f, value);
  return sign | (magnitude > infinity ? infinity : magnitude);
}

static double decode_ieee(const qn_float_format *f, uint64_t bits) {
  uint64_t top = (UINT64_C(1) << (f->width - f->mantissa - 1)) - 1,
           sign = bits >> (f->width - 1) & 1;
  uint64_t magnitude = bits & ((UINT64_C(1) << (f->width - 1)) - 1);
  double value;
  if (magnitude >> f->mantissa ==
      top) { /* by bits, because arithmetic could change the payload of a NaN */
    uint64_t fraction = magnitude & ((UINT64_C(1) << f->mantissa) - 1);
    uint64_t wide = sign << 63 | UINT64_C(0x7ff) << 52 | fraction << (52 - f->mantissa);
    memcpy(&value, &wide, sizeof wide);
    return value;
  }
  value = magnitude_of(f, magnitude);
  return sign ? -value : value;
}

/* ---- formats without ---- */

static uint64_t nan_bits(const qn_float_format *f, uint64_t sign) {
  uint64_t top = UINT64_C(1) << (f->width - 1);
  if (f->specials == QN_FLOAT_NAN_ZERO) return top;
  if (f->specials == QN_FLOAT_POWERS) return top | (top - 1);
  return f->specials == QN_FLOAT_NAN_ONES ? sign | (top - 1) : 0;
}

/* Encodes powers of two; ties go to the larger one, because the hidden bit of both is odd. */
static uint64_t encode_power(const qn_float_format *f, double value) {
  if (!(value > f->denormal)) return isnan(value) || value < 0 ? nan_bits(f, 0) : 0;
  if (isinf(value)) return nan_bits(f, 0);
  int exponent;
  double part = frexp(value, &exponent); /* in [1/2, 1) */
  int64_t bits = exponent - 1 + f->bias + (part >= 0.75);
  return bits > 2 * f->bias ? nan_bits(f, 0) : (uint64_t)bits;
}

static uint64_t encode_finite(const qn_float_format *f, double value) {
  uint64_t sign = bits_of(value) >> 63 << (f->width - 1);
  if (f->specials == QN_FLOAT_POWERS) return encode_power(f, value);
  if (isnan(value)) return nan_bits(f, sign);
  uint64_t largest = magnitude_bits(f, f->largest);
  uint64_t magnitude = isinf(value) ? largest + 1 : magnitude_bits(f, value);
  if (magnitude > largest)
    return f->specials == QN_FLOAT_FINITE ? sign | largest : nan_bits(f, sign);
  return magnitude == 0 && f->specials == QN_FLOAT_NAN_ZERO ? 0 : sign | magnitude;
}

static double decode_finite(const qn_float_format *f, uint64_t bits) {
  uint64_t sign = bits & UINT64_C(1) << (f->width - 1), magnitude = bits ^ sign;
  if (f->specials != QN_FLOAT_FINITE && bits == nan_bits(f, sign))
    return sign ? -(double)NAN : (double)NAN;
  if (f->specials == QN_FLOAT_POWERS) return ldexp(1, (int)bits - f->bias);
  double value = magnitude_of(f, magnitude);
  return sign ? -value : value;
}

/* ---- both ---- */

uint64_t qn_float_encode(qn_float_kind kind, double value) {
  const qn_float_format *f = &formats[kind];
  if (f->width == 64) return bits_of(value);
  return f->specials == QN_FLOAT_IEEE ? encode_ieee(f, value) : encode_finite(f, value);
}

double qn_float_decode(qn_float_kind kind, uint64_t bits) {
  const qn_float_format *f = &formats[kind];
  double value;
  memcpy(&value, &bits, sizeof bits);
  if (f->width == 64) return value;
  return f->specials == QN_FLOAT_IEEE ? decode_ieee(f, bits) : decode_finite(f, bits);
}

double qn_float_round(qn_float_kind kind, double value) {
  if (kind == QN_F32 && !isnan(value)) return (double)(float)value;
  return qn_float_decode(kind, qn_float_encode(kind, value));
}

static qn_float_kind stored_kind(qn_float_kind kind) { return kind == QN_TF32 ? QN_F32 : kind; }

/* Loads f32 and f64 as the CPU converts them, except NaNs, which are converted by bits because the
 * CPU would quiet them. */
double qn_float_load(qn_float_kind kind, const uint8_t *at) {
  float single;
  uint64_t bits = 0;
  if (stored_kind(kind) == QN_F32) {
    memcpy(&single, at, sizeof single);
    if (!isnan(single)) return (double)single;
    memcpy(&bits, at, sizeof single);
    return qn_float_decode(QN_F32, bits);
  }
  memcpy(&bits, at, (formats[kind].width + 7) / 8); /* little endian */
  return qn_float_decode(kind, bits);
}

void qn_float_store(qn_float_kind kind, double value, uint8_t *at) {
  if (kind == QN_F32 && !isnan(value)) {
    float single = (float)value;
    memcpy(at, &single, sizeof single);
    return;
  }
  uint64_t bits = qn_float_encode(kind, value);
  if (kind == QN_TF32) bits = qn_float_encode(QN_F32, qn_float_decode(kind, bits));
  memcpy(at, &bits, (formats[stored_kind(kind)].width + 7) / 8);
}
