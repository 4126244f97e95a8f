/* Accumulator ranges proved from weights and input ranges.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_BOUNDS_H
#define QN_QUANT_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct qn_interval {
  int64_t lo, hi;
} qn_interval; /* inclusive */

/* Range of bias + sum of w[i] * x[i], with x[i] in [x_lo, x_hi] independently per tap; with
 * `taps_may_miss` also for every subset of taps. Exact, without overflow for count < 2^31 and
 * 16-bit operands. */
qn_interval qn_bounds_dot(const int32_t *weights, int64_t count, int64_t x_lo, int64_t x_hi,
                          int64_t bias, bool taps_may_miss);
static inline bool qn_interval_fits_i32(qn_interval r) {
  return r.lo >= INT32_MIN && r.hi <= INT32_MAX;
}

#endif
