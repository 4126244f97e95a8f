/* The chains that could run in bands where the arena is full.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_BANDS_CANDIDATES_H
#define QN_API_BANDS_CANDIDATES_H

#include "base/array.h"
#include "lower/bands/chain.h"

/* Ops `first` to `last` of the function, without constants, in `bands` bands. */
typedef struct qn_band_choice {
  uint32_t first, last;
  int64_t bands;
  int64_t more_macs; /* multiply-accumulates that are done again, and what launches cost */
  int64_t bytes;     /* live bytes while they run, estimated */
} qn_band_choice;
typedef QN_ARRAY(qn_band_choice) qn_band_choices;

/* Appends the choices whose chains contain op `at`, and whose estimate is below `bytes`. Those of
 * at most `limit` bytes come first, in the order of their additional work; the others follow in the
 * order of their bytes. `io_in_arena`: as in qn_lower_config. */
void qn_band_candidates(const qn_op *func, uint32_t at, int64_t bytes, int64_t limit,
                        bool io_in_arena, qn_band_choices *out);

#endif
