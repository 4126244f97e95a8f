/* The definition of every rounding. The interpreter, constant folding, the proofs of the lowering,
 * and the tables in generated code use these functions. Generated code repeats their operations,
 * and tests compare it with the functions. Formulas: docs/arithmetic.md 1 to 3. Arithmetic wraps
 * where the reference wraps, and never relies on undefined behaviour.
 *
 * "Qk" below is a 32-bit integer with k integer bits: the real number is raw / 2^(31 - k).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_FIXED_H
#define QN_RUNTIME_FIXED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- integers that wrap or saturate ---- */

/* x * 2^n reduced to 32 bits, 0 <= n <= 31. */
static inline int32_t qn_shl32(int32_t x, int32_t n) { return (int32_t)((uint32_t)x << n); }
static inline int32_t qn_wrap_add32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}
static inline int32_t qn_wrap_sub32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}
static inline int32_t qn_wrap_mul32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a * (uint32_t)b);
}
static inline int32_t qn_clamp32(int64_t x, int32_t lo, int32_t hi) {
  return x < lo ? lo : x > hi ? hi : (int32_t)x;
}
static inline int32_t qn_sat32(int64_t x) { return qn_clamp32(x, INT32_MIN, INT32_MAX); }
static inline int32_t qn_sat16(int64_t x) { return qn_clamp32(x, INT16_MIN, INT16_MAX); }
/* SL(x, n): x * 2^n saturated to 32 bits, 0 <= n <= 31. */
static inline int32_t qn_sat_shl32(int32_t x, int32_t n) {
  return qn_sat32((int64_t)((uint64_t)(int64_t)x << n));
}
/* Leading zeros of the 32-bit pattern; 32 for 0. */
static inline int32_t qn_clz32(uint32_t x) { return x ? __builtin_clz(x) : 32; }
/* Number of sign bits after the first one: 31 for 0 and -1. */
static inline int32_t qn_clrsb32(int32_t x) { return qn_clz32((uint32_t)(x < 0 ? ~x : x)) - 1; }

/* ---- rounding of reals ---- */

/* rha(x): nearest integer, ties away from zero, saturated to 32 bits; NaN gives the minimum. */
static inline int32_t qn_round_away_i32(double x) {
  double rounded = round(x);
  if (!(rounded > (double)INT32_MIN)) return INT32_MIN;
  return rounded < (double)INT32_MAX ? (int32_t)rounded : INT32_MAX;
}
/* Roundings of a real to an integer. EVEN and AWAY round to the nearest integer; the name is the
 * direction of ties. */
typedef enum qn_rounding {
  QN_ROUND_EVEN,
  QN_ROUND_AWAY,
  QN_ROUND_TOWARD_ZERO,
  QN_ROUND_FLOOR,
} qn_rounding;
static inline double qn_round(double x, qn_rounding rounding) {
  switch (rounding) {
  case QN_ROUND_AWAY:
    return round(x);
  case QN_ROUND_TOWARD_ZERO:
    return trunc(x);
  case QN_ROUND_FLOOR:
    return floor(x);
  default:
    return nearbyint(x);
  }
}
/* Quantizes one element: clamp(round(quotient) + zero_point), where the caller has rounded quotient
 * = x / scale. Infinities saturate, NaN counts as 0. All integers must fit 33 bits. */
static inline int64_t qn_quantize(double quotient, qn_rounding rounding, int64_t zero_point,
                                  int64_t min, int64_t max) {
  double value = (isnan(quotient) ? 0 : qn_round(quotient, rounding)) + (double)zero_point;
  if (!(value > (double)min)) return min;
  return value < (double)max ? (int64_t)value : max;
}
/* Quantizes an f32, with a quotient rounded to f32. */
static inline int64_t qn_quantize_f32(float x, float scale, qn_rounding rounding,
                                      int64_t zero_point, int64_t min, int64_t max) {
  return qn_quantize((double)(x / scale), rounding, zero_point, min, max);
}
/* One element of a dequantization, in f64 or f32. */
static inline double qn_dequantize(int64_t q, double scale, int64_t zero_point) {
  return scale * (double)(q - zero_point);
}
static inline float qn_dequantize_f32(int64_t q, float scale, int64_t zero_point) {
  return scale * (float)(q - zero_point);
}

/* ---- fixed-point products and quotients ---- */

/* H(a, b): the high half of the doubled product, to nearest, ties toward plus infinity. Saturates
 * for INT32_MIN * INT32_MIN. */
static inline int32_t qn_rdhm32(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  return (int32_t)(((int64_t)a * b + (1 << 30)) >> 31);
}
/* H(a, b) for 16-bit integers. */
static inline int32_t qn_rdhm16(int32_t a, int32_t b) {
  if (a == INT16_MIN && b == INT16_MIN) return INT16_MAX;
  return (a * b + (1 << 14)) >> 15;
}
/* D(x, n): divide by 2^n, nearest, ties away from zero; 0 <= n <= 31. */
static inline int32_t qn_rdivp2(int32_t x, int32_t n) {
  int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
  int32_t remainder = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> n) + (remainder > threshold);
}
/* HS(a, b): (a + b) / 2, ties away from zero. */
static inline int32_t qn_half_sum32(int32_t a, int32_t b) {
  int64_t sum = (int64_t)a + b;
  return (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
}

/* M32(x, mantissa, shift): requantization with two roundings (2.2); shift > 0 is a left shift. A
 * shift above 31 has no left shift: every x except 0 saturates. */
static inline int32_t qn_requant32(int32_t x, int32_t mantissa, int32_t shift) {
  if (shift > 31) return x > 0 ? INT32_MAX : x < 0 ? INT32_MIN : 0;
  int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  return qn_rdivp2(qn_rdhm32(qn_shl32(x, left), mantissa), right);
}
/* M32 with ties of the second rounding up (2.8). */
static inline int32_t qn_requant32_up(int32_t x, int32_t mantissa, int32_t shift) {
  if (shift > 31) return qn_requant32(x, mantissa, shift);
  int64_t high = qn_rdhm32(qn_shl32(x, shift > 0 ? shift : 0), mantissa);
  return shift < 0 ? (int32_t)((high + (INT64_C(1) << (-shift - 1))) >> -shift) : (int32_t)high;
}
/* M32s: requantization with one rounding, ties toward plus infinity (2.4). -31 <= shift <= 30. The
 * result wraps. */
static inline int32_t qn_requant32_once(int32_t x, int32_t mantissa, int32_t shift) {
  int64_t product = (int64_t)x * mantissa;
  return (int32_t)((product + (INT64_C(1) << (30 - shift))) >> (31 - shift));
}
/* M64: requantization of a 64-bit accumulator, with the mantissa reduced to 15 bits (2.5). -31 <=
 * shift <= 32. Accumulators beyond 2^47 in magnitude wrap. With a shift above 7, which the
 * reference does not support, results saturate. */
static inline int64_t qn_reduced_mantissa(int32_t mantissa) {
  return mantissa < 0x7FFF0000 ? (mantissa + (1 << 15)) >> 16 : 0x7FFF;
}
static inline int32_t qn_requant64_far(int64_t x, int32_t mantissa, int32_t shift) {
  const int64_t far = 1 << 25; /* times a factor of at least 2^7, this exceeds 32 bits */
  int64_t product = (x < -far ? -far : x > far ? far : x) * qn_reduced_mantissa(mantissa);
  if (shift >= 15) return qn_sat32(product * (INT64_C(1) << (shift - 15)));
  return qn_sat32((product + (INT64_C(1) << (14 - shift))) >> (15 - shift));
}
static inline int32_t qn_requant64(int64_t x, int32_t mantissa, int32_t shift) {
  if (shift > 7) return qn_requant64_far(x, mantissa, shift);
  uint64_t product = (uint64_t)x * (uint64_t)qn_reduced_mantissa(mantissa);
  product += UINT64_C(1) << (14 - shift);
  return (int32_t)(uint32_t)(uint64_t)((int64_t)product >> (15 - shift));
}
/* The rounding "real": acc * real in double, half away from zero. */
static inline int32_t qn_requant_real(int64_t x, double real) {
  return qn_round_away_i32((double)x * real);
}

/* The rounding "single": float(acc) * m, then + offset, each in float32, to the nearest integer,
 * ties to even; m = mantissa * 2^(shift - 31) is exactly a float32. Saturates. */
static inline int32_t qn_requant_single(int32_t x, int32_t mantissa, int32_t shift, float offset) {
  float product = (float)x * ldexpf((float)mantissa, shift - 31);
  float y = nearbyintf(product + offset);
  return y >= 0x1p31F ? INT32_MAX : y < -0x1p31F ? INT32_MIN : (int32_t)y;
}

/* The rounding "even": acc * real + offset, both steps in double, to the nearest integer, ties to
 * even. Saturates. */
static inline int32_t qn_requant_even(int64_t x, double real, double offset) {
  double product = (double)x * real;
  double y = nearbyint(product + offset);
  return y >= 0x1p31 ? INT32_MAX : y < -0x1p31 ? INT32_MIN : (int32_t)y;
}

/* Rounded average of stored values over `count` taps (7.1): half away from zero for signed storage,
 * floor((sum + count / 2) / count) for unsigned storage, whose sums are not negative. */
static inline int32_t qn_average_half_away(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}
static inline int32_t qn_average_half_up(int32_t sum, int32_t count) {
  return (sum + count / 2) / count;
}

/* ---- transcendental functions (3.1 to 3.3, 16) ---- */

enum {
  QN_FIXED_EIGHTH = 1 << 28,          /* 1/8 in Q0 */
  QN_FIXED_THIRD = 715827883,         /* 1/3 in Q0 */
  QN_FIXED_EXP_CENTRE = 1895147668,   /* exp(-1/8) in Q0 */
  QN_FIXED_RECIP_START = 1515870810,  /* 48/17 in Q2 */
  QN_FIXED_RECIP_SLOPE = -1010580540, /* -32/17 in Q2 */
  QN_FIXED_EXP_LOW = -2,              /* exponentials are products of exp(-2^p), */
  QN_FIXED_EXP_HIGH = 4               /* with p from LOW to HIGH */
};
/* exp(-2^power) in Q0. */
static inline int32_t qn_fixed_exp_factor(int32_t power) {
  static const int32_t factors[QN_FIXED_EXP_HIGH - QN_FIXED_EXP_LOW + 1] = {
      1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  return factors[power - QN_FIXED_EXP_LOW];
}

/* exp(a) for a <= 0 in Qk, 0 <= k <= 29; result in Q0. */
static inline int32_t qn_fixed_exp(int32_t a, int32_t k) {
  const int32_t fraction = 31 - k, quarter = 1 << (fraction - 2);
  int32_t r = (a & (quarter - 1)) - quarter;
  int32_t x = qn_sat_shl32(r, k) + QN_FIXED_EIGHTH;
  int32_t x2 = qn_rdhm32(x, x), x3 = qn_rdhm32(x2, x), x4 = qn_rdhm32(x2, x2);
  int32_t u = qn_rdivp2(qn_rdhm32(qn_rdivp2(x4, 2) + x3, QN_FIXED_THIRD) + x2, 1);
  int32_t result = qn_wrap_add32(QN_FIXED_EXP_CENTRE, qn_rdhm32(QN_FIXED_EXP_CENTRE, x + u));
  int32_t rest = qn_wrap_sub32(r, a); /* a non-negative multiple of 1/4 */
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH && p < k; p++)
    if (((uint32_t)rest >> (fraction + p)) & 1) result = qn_rdhm32(result, qn_fixed_exp_factor(p));
  if (k > 5 && a < -(INT32_C(1) << (36 - k))) result = 0;
  return a == 0 ? INT32_MAX : result;
}

/* 2 / (1 + h) by three Newton steps, with h = (a + 1) / 2; in Q2. Used by the next two functions.
 */
static inline int32_t qn_fixed_recip_half(int32_t a) {
  int32_t h = qn_half_sum32(a, INT32_MAX);
  int32_t y = qn_wrap_add32(QN_FIXED_RECIP_START, qn_rdhm32(h, QN_FIXED_RECIP_SLOPE));
  for (int i = 0; i < 3; i++) {
    int32_t correction = qn_rdhm32(y, qn_wrap_sub32(1 << 29, qn_rdhm32(h, y)));
    y = qn_wrap_add32(y, qn_sat_shl32(correction, 2));
  }
  return y;
}
/* 1 / (1 + a) and (1 - a) / (1 + a) for 0 <= a <= 1 in Q0; result in Q0. */
static inline int32_t qn_fixed_recip_1p(int32_t a) {
  return qn_sat_shl32(qn_fixed_recip_half(a), 1);
}
static inline int32_t qn_fixed_ratio_1p(int32_t a) {
  return qn_sat_shl32(qn_wrap_sub32(qn_fixed_recip_half(a), 1 << 29), 2);
}

/* logistic and tanh of x in Qk; result in Q0. */
static inline int32_t qn_fixed_logistic(int32_t x, int32_t k) {
  if (x == 0) return 1 << 30;
  if (x > 0) return qn_fixed_recip_1p(qn_fixed_exp(-x, k));
  return qn_wrap_sub32(INT32_MAX, qn_fixed_recip_1p(qn_fixed_exp(x, k)));
}
static inline int32_t qn_fixed_tanh(int32_t x, int32_t k) {
  if (x == 0) return 0;
  /* The integer of -|x|, read with one more integer bit, is -2|x|. */
  int32_t ratio = qn_fixed_ratio_1p(qn_fixed_exp(x > 0 ? -x : x, k + 1));
  return x > 0 ? ratio : -ratio;
}

/* 1 / x = value * 2^-31 * 2^-exponent, for x > 0 with k integer bits. x is unsigned. */
typedef struct qn_fixed_recip {
  int32_t value, exponent;
} qn_fixed_recip;
static inline qn_fixed_recip qn_fixed_recip_of(uint32_t x, int32_t k) {
  int32_t zeros = qn_clz32(x);
  int32_t fraction = (int32_t)((x << zeros) - (UINT32_C(1) << 31));
  return (qn_fixed_recip){qn_fixed_recip_1p(fraction), k - zeros};
}

/* ln(x) for x >= 1, from Q(in) to Q(out); used with in = 12 and out = 5. */
static inline int32_t qn_fixed_log(int32_t x, int32_t in, int32_t out) {
  const int32_t guard = out + 1, quarter = qn_rdivp2(536870912, guard);
  int32_t zeros = qn_clz32((uint32_t)x);
  int32_t ra = qn_sat_shl32(qn_rdhm32(qn_sat_shl32(x, zeros - 1), 1518500250), 1);
  int32_t pa = qn_sat32((int64_t)qn_sat_shl32(in - zeros, 31 - guard) + quarter);
  int32_t head = qn_clz32((uint32_t)qn_rdhm32(x, 1518500250)) - 1;
  int32_t rb = qn_sat_shl32(x, head);
  int32_t pb = qn_sat32((int64_t)qn_sat_shl32(in - head, 31 - guard) - quarter);
  int32_t r = ra < rb ? ra : rb, power = pa > pb ? pa : pb;
  const int32_t centre = 1805811301;
  int32_t p = qn_half_sum32(r, centre), q = qn_wrap_mul32(2, qn_wrap_sub32(r, centre));
  int32_t q2 = qn_rdhm32(q, q);
  int32_t numerator = qn_wrap_add32(qn_rdhm32(q, r), qn_rdhm32(qn_rdhm32(q, q2), 117049297));
  int32_t inner = qn_wrap_add32(qn_wrap_add32(1057819769, q), qn_rdhm32(127690142, q2));
  int32_t denominator = qn_wrap_add32(qn_rdhm32(p, inner), qn_rdhm32(638450708, q));
  int32_t y = qn_wrap_add32(qn_rdhm32(power, 1488522236),
                            qn_rdhm32(qn_rdivp2(numerator, guard), qn_fixed_recip_1p(denominator)));
  return qn_sat_shl32(y, guard - out);
}

/* 1 / sqrt(v) = value * 2^-31 * 2^-exponent for an integer v >= 0; 0 and 1 give almost 1. */
static inline qn_fixed_recip qn_fixed_inv_sqrt(int32_t v) {
  if (v <= 1) return (qn_fixed_recip){INT32_MAX, 0};
  int32_t n = 11;
  for (; v >= 1 << 29; n++) v /= 4;
  int32_t pairs = (qn_clz32((uint32_t)v) - 1) / 2 - 1;
  n -= pairs;
  v <<= 2 * pairs; /* 2^27 <= v < 2^29 */
  int32_t half = qn_rdivp2(v >> 1, 1), y = 1 << 28;
  for (int i = 0; i < 5; i++) {
    int32_t y3 = qn_sat_shl32(qn_rdhm32(qn_rdhm32(y, y), y), 6);
    y = qn_sat_shl32(qn_wrap_sub32(qn_rdhm32(3 << 27, y), qn_rdhm32(half, y3)), 3);
  }
  int32_t value = qn_rdhm32(y, 1518500250);
  if (n < 0) return (qn_fixed_recip){qn_sat_shl32(value, -n), 0};
  return (qn_fixed_recip){value, n};
}

/* ---- softmax (8) ---- */

/* E_i for the difference of an element to the row's maximum, which is in [diff_min, 0]; Q0. */
static inline int32_t qn_softmax_exp(int32_t diff, int32_t mantissa, int32_t shift) {
  return qn_fixed_exp(qn_rdhm32(qn_shl32(diff, shift), mantissa), 5);
}
/* The contribution of E_i to the sum of a row, in Q12. The sum is an unsigned 32-bit integer. */
static inline uint32_t qn_softmax_term(int32_t exponential) {
  return (uint32_t)qn_rdivp2(exponential, 12);
}
/* The output of 8 or 16 bits, before the zero point is added and the result clamped. Rows of many
 * equal elements require a division by 2^32 or more, which the reference does not support; the
 * result is 0 then, as for any smaller quotient. */
static inline int32_t qn_softmax_scale(int32_t exponential, qn_fixed_recip sum_recip,
                                       int32_t bits) {
  int32_t shift = sum_recip.exponent + 31 - bits;
  int32_t product = qn_rdhm32(sum_recip.value, exponential);
  return shift > 31 ? 0 : qn_rdivp2(product, shift);
}

#endif
