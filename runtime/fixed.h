/* Every rounding, once. The interpreter, the constant folder, the lowering's proofs and the tables
 * in generated code all use these functions; generated code repeats the sequences and the tests
 * compare it with them. Formulas: spec "tflite numerics" 1 and 2. Arithmetic wraps where the
 * original wraps and never relies on undefined behaviour.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_FIXED_H
#define QN_RUNTIME_FIXED_H

#include <math.h>
#include <stdint.h>

/* x * 2^n reduced to 32 bits, 0 <= n <= 31. */
static inline int32_t qn_shl32(int32_t x, int32_t n) { return (int32_t)((uint32_t)x << n); }

/* H(a, b): rounding doubling high multiply, nearest, ties toward plus infinity; saturates for the one
 * overflowing pair. */
static inline int32_t qn_rdhm32(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  return (int32_t)(((int64_t)a * b + (1 << 30)) >> 31);
}

/* D(x, n): divide by 2^n, nearest, ties away from zero; 0 <= n <= 31. */
static inline int32_t qn_rdivp2(int32_t x, int32_t n) {
  int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
  int32_t remainder = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> n) + (remainder > threshold);
}

/* M32(x, mantissa, shift): requantization with double rounding (1.4); shift > 0 is to the left. */
static inline int32_t qn_requant32(int32_t x, int32_t mantissa, int32_t shift) {
  int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  return qn_rdivp2(qn_rdhm32(qn_shl32(x, left), mantissa), right);
}

static inline int32_t qn_clamp32(int64_t x, int32_t lo, int32_t hi) {
  return x < lo ? lo : x > hi ? hi : (int32_t)x;
}

#endif
