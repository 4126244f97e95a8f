/* Multiply-adds of floats, and the integers nearest to sums, as instructions make them: by doubles
 * and without calls, so that loops over steps become vectors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_FUSED_H
#define QN_QUANT_FUSED_H

#include <stdint.h>
#include <string.h>

/* fma(x, scale, offset) of floats, unless *io_unsure is set. The product is exact, so that the sum
 * is rounded twice, which is wrong only where the first rounding loses something and ends in the
 * middle between two floats. (Sums below the normal floats show nothing, and are 0 as integers all
 * the same.) */
static inline float qn_fused(double x, double scale, double offset, int32_t *io_unsure) {
  double product = x * scale, sum = product + offset;
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  int32_t middle = ((uint32_t)bits & ((1U << 29) - 1)) == 1U << 28;
  int32_t rounded = (sum - product != offset) | (sum - offset != product);
  *io_unsure |= middle & rounded;
  return (float)sum;
}

/* As nearbyintf, of a magnitude far below 2^51: a sum with 1.5 * 2^52 has no fraction. */
static inline float qn_nearest(float y) { return (float)(((double)y + 0x1.8p52) - 0x1.8p52); }

#endif
