/* Computes the interval of all values that a dot product can have (bounds.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/bounds.h"

qn_interval qn_bounds_dot(const int32_t *weights, int64_t count, int64_t x_lo, int64_t x_hi,
                          int64_t bias, bool taps_may_miss) {
  qn_interval sum = {bias, bias};
  for (int64_t i = 0; i < count; i++) {
    int64_t at_lo = weights[i] * x_lo, at_hi = weights[i] * x_hi;
    int64_t lo = at_lo < at_hi ? at_lo : at_hi, hi = at_lo < at_hi ? at_hi : at_lo;
    if (taps_may_miss && lo > 0) lo = 0;
    if (taps_may_miss && hi < 0) hi = 0;
    sum.lo += lo;
    sum.hi += hi;
  }
  return sum;
}
