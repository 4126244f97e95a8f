/* Two arrays of one tensor, in numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_STATISTICS_H
#define QN_CLI_STATISTICS_H

#include <quern/quern.h>
#include <stdbool.h>

enum { STATISTICS_STEPS = 16, STATISTICS_BINS = 2 * STATISTICS_STEPS + 3 };

/* Differences are b - a. A step is one unit of stored integers that both sides encode alike or,
 * where one side has floats, the scale of the other; between floats there are no steps, nor between
 * two encodings, whose elements differ where no real number is stored as both. */
typedef struct statistics {
  size_t elements, differing;
  bool has_steps;
  uint64_t steps[STATISTICS_BINS]; /* by step + STATISTICS_STEPS + 1; the ends: beyond */
  double mean_step;
  double largest_step, largest_real; /* of the element that differs most */
  size_t at;                         /* which that is; 0 when none differs */
  double a_stored, b_stored, a_real, b_real;
  double snr_db; /* of a as signal; INFINITY when none differs, NAN when it has no power */
  double cosine; /* NAN when a side is all zero */
} statistics;

/* Both have the same number of elements. A side without a scale has the other's when both have
 * integers of one type, else it has real values. */
statistics statistics_of(const qn_tensor_info *a, const void *a_data, const qn_tensor_info *b,
                         const void *b_data);

#endif
