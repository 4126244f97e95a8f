/* Exponential backoff after stalls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/backoff.h"

/* 0.3 ms: the shortest time slices of Linux take 1.4 ms on two CPUs and more on others, of which
 * the caller works for a part. A virtual CPU that wakes up takes 0.1 ms. */
enum { STALL = 300000, GROWTH = 8 };

bool qn_backoff_is_stall(int64_t worked, int64_t waited) {
  return waited >= STALL && waited >= worked / 2;
}

void qn_backoff_stalled(qn_backoff *b, int64_t now) {
  if (b->end == 0 || b->shared > QN_BACKOFF_CALM)
    b->length = QN_BACKOFF_FIRST;
  else if (b->length > QN_BACKOFF_LONGEST / GROWTH)
    b->length = QN_BACKOFF_LONGEST;
  else
    b->length *= GROWTH;
  b->shared = 0;
  b->end = now + b->length;
}
