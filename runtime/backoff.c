/* Exponential backoff after stalls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/backoff.h"

enum { STALL = 1000000, GROWTH = 4 };

bool qn_backoff_is_stall(int64_t waited) { return waited >= STALL; }

void qn_backoff_stalled(qn_backoff *b, int64_t now) {
  if (b->length == 0 || now - b->end > QN_BACKOFF_CALM)
    b->length = QN_BACKOFF_FIRST;
  else if (b->length > QN_BACKOFF_LONGEST / GROWTH)
    b->length = QN_BACKOFF_LONGEST;
  else
    b->length *= GROWTH;
  b->end = now + b->length;
  b->active = true;
}

bool qn_backoff_alone(qn_backoff *b, int64_t now) {
  if (b->active && now >= b->end) b->active = false;
  return b->active;
}
