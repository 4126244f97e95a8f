/* Rings: see ring.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/ring.h"

void qn_ring_link_after(qn_ring_link *newer, qn_ring_link *block) {
  block->newer = newer;
  block->older = newer->older;
  newer->older->newer = block;
  newer->older = block;
}

void qn_ring_unlink(qn_ring_link *block) {
  block->newer->older = block->older;
  block->older->newer = block->newer;
}

void qn_ring_init(qn_ring *ring) { ring->ends.newer = ring->ends.older = &ring->ends; }

bool qn_ring_is_empty(const qn_ring *ring) { return ring->ends.older == &ring->ends; }

void qn_ring_move(qn_ring *from, qn_ring *to) {
  if (qn_ring_is_empty(from)) return;
  qn_ring_link *newest = from->ends.older, *oldest = from->ends.newer, *next = to->ends.older;
  newest->newer = &to->ends;
  to->ends.older = newest;
  oldest->older = next;
  next->newer = oldest;
  qn_ring_init(from);
}
