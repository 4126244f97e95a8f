/* Fused multiply-adds of floats, and rounding of sums to integers, with the results of the
 * instructions: by doubles and without calls, so that loops over steps are vectorized.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_FUSED_H
#define QN_QUANT_FUSED_H

#include <stdint.h>
#include <string.h>

/* fma(x, scale, offset) of floats, unless *io_unsure is set. The product is exact in double, so the
 * sum is rounded twice. That is wrong only if the first rounding is inexact and ends halfway
 * between two floats. (Sums below the normal floats are not detected, but they are 0 as integers.)
 */
static inline float qn_fused(double x, double scale, double offset, int32_t *io_unsure) {
  double product = x * scale, sum = product + offset;
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  int32_t middle = ((uint32_t)bits & ((1U << 29) - 1)) == 1U << 28;
  int32_t rounded = (sum - product != offset) | (sum - offset != product);
  *io_unsure |= middle & rounded;
  return (float)sum;
}

/* nearbyintf for magnitudes far below 2^51: adding 1.5 * 2^52 rounds to an integer. */
static inline float qn_nearest(float y) { return (float)(((double)y + 0x1.8p52) - 0x1.8p52); }

#endif
