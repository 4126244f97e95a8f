/* Statistics of two arrays for the same tensor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_STATISTICS_H
#define QN_CLI_STATISTICS_H

#include <quern/quern.h>
#include <stdbool.h>

enum { STATISTICS_STEPS = 16, STATISTICS_BINS = 2 * STATISTICS_STEPS + 3 };

/* Differences are b - a. A step is one unit of the stored integers if both sides have the same
 * encoding; if one side has floats, it is the scale of the other. There are no steps between two
 * floats, nor between two different encodings; then elements differ if no real value could be
 * stored as both. */
typedef struct statistics {
  size_t elements, differing;
  bool has_steps;
  /* histogram, index step + STATISTICS_STEPS + 1; the first and last bin count larger steps */
  uint64_t steps[STATISTICS_BINS];
  double mean_step;
  double largest_step, largest_real; /* difference of the element that differs most */
  size_t at;                         /* index of that element; 0 if none differs */
  double a_stored, b_stored, a_real, b_real;
  double snr_db; /* with a as signal; INFINITY if no element differs, NAN if a is zero */
  double cosine; /* NAN if one side is all zero */
} statistics;

/* Computes the statistics of two arrays with the same number of elements. If both sides have
 * integers of the same type and one has no scale, it gets the scale of the other. Otherwise a side
 * without scale has real values. */
statistics statistics_of(const qn_tensor_info *a, const void *a_data, const qn_tensor_info *b,
                         const void *b_data);

#endif
