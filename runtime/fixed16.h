/* The 16-bit versions of the fixed-point functions in fixed.h: 16-bit integers, held in int32_t
 * (docs/arithmetic.md 3, 9.3 and 14.2). "Qk" is a 16-bit integer with k integer bits: the real
 * number is raw / 2^(15 - k).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_FIXED16_H
#define QN_RUNTIME_FIXED16_H

#include "runtime/fixed.h"

/* ---- words ---- */

static inline int32_t qn_wrap16(int32_t x) { return (int16_t)(uint16_t)(uint32_t)x; }
/* SL(x, n): x * 2^n saturated to 16 bits, 0 <= n <= 15. */
static inline int32_t qn_sat_shl16(int32_t x, int32_t n) { return qn_sat16((int64_t)x * (1 << n)); }
/* A constant of the 32-bit functions, rounded to 16 bits. */
static inline int32_t qn_fixed16_constant(int32_t word) { return qn_rdivp2(word, 16); }

/* ---- functions ---- */

/* exp(a) for a <= 0 in Qk, 0 <= k <= 7; result in Q0. */
static inline int32_t qn_fixed16_exp(int32_t a, int32_t k) {
  const int32_t fraction = 15 - k, quarter = 1 << (fraction - 2);
  int32_t r = (a & (quarter - 1)) - quarter;
  int32_t x = qn_sat_shl16(r, k) + qn_fixed16_constant(QN_FIXED_EIGHTH);
  int32_t x2 = qn_rdhm16(x, x), x3 = qn_rdhm16(x2, x), x4 = qn_rdhm16(x2, x2);
  int32_t third = qn_rdhm16(qn_rdivp2(x4, 2) + x3, qn_fixed16_constant(QN_FIXED_THIRD));
  int32_t u = qn_rdivp2(third + x2, 1);
  const int32_t centre = qn_fixed16_constant(QN_FIXED_EXP_CENTRE);
  int32_t result = qn_sat16(centre + qn_rdhm16(centre, x + u));
  int32_t rest = qn_wrap16(r - a); /* a non-negative multiple of 1/4 */
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH && p < k; p++)
    if (((uint32_t)rest >> (fraction + p)) & 1)
      result = qn_rdhm16(result, qn_fixed16_constant(qn_fixed_exp_factor(p)));
  if (k > 5 && a < -(INT32_C(1) << (20 - k))) result = 0;
  return a == 0 ? INT16_MAX : result;
}

/* 2 / (1 + h) by three Newton steps, h = (a + 1) / 2; in Q2. */
static inline int32_t qn_fixed16_recip_half(int32_t a) {
  int32_t h = qn_half_sum32(a, INT16_MAX);
  int32_t y = qn_fixed16_constant(QN_FIXED_RECIP_START) +
              qn_rdhm16(h, qn_fixed16_constant(QN_FIXED_RECIP_SLOPE));
  for (int i = 0; i < 3; i++) {
    int32_t correction = qn_rdhm16(y, (1 << 13) - qn_rdhm16(h, y));
    y = qn_wrap16(y + qn_sat_shl16(correction, 2));
  }
  return y;
}
/* 1 / (1 + a) and (1 - a) / (1 + a) for 0 <= a <= 1 in Q0; result in Q0. */
static inline int32_t qn_fixed16_recip_1p(int32_t a) {
  return qn_sat_shl16(qn_fixed16_recip_half(a), 1);
}
static inline int32_t qn_fixed16_ratio_1p(int32_t a) {
  return qn_sat_shl16(qn_wrap16(qn_fixed16_recip_half(a) - (1 << 13)), 2);
}

/* logistic and tanh of x in Qk; result in Q0. The integer of -|x|, read with one more integer bit,
 * is -2|x|. */
static inline int32_t qn_fixed16_logistic(int32_t x, int32_t k) {
  if (x == 0) return 1 << 14;
  int32_t half = qn_fixed16_recip_1p(qn_fixed16_exp(x > 0 ? -x : x, k));
  return x > 0 ? half : INT16_MAX - half;
}
static inline int32_t qn_fixed16_tanh(int32_t x, int32_t k) {
  if (x == 0) return 0;
  int32_t ratio = qn_fixed16_ratio_1p(qn_fixed16_exp(x > 0 ? -x : x, k + 1));
  return x > 0 ? ratio : -ratio;
}

#endif
