/* Rings of blocks: who owns memory while a call runs (base/heap.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_RING_H
#define QN_BASE_RING_H

#include <stdbool.h>

typedef struct qn_ring_link qn_ring_link;

/* Links of a block, or of the ring itself. */
struct qn_ring_link {
  qn_ring_link *newer, *older;
};
typedef struct qn_ring {
  qn_ring_link ends; /* older: the newest block */
} qn_ring;

void qn_ring_init(qn_ring *ring);
bool qn_ring_is_empty(const qn_ring *ring);
/* All blocks of one ring, as the newest, to another. */
void qn_ring_move(qn_ring *from, qn_ring *to);
/* Adds a block as the next older one of `newer`, which may be the ends of a ring. */
void qn_ring_link_after(qn_ring_link *newer, qn_ring_link *block);
void qn_ring_unlink(qn_ring_link *block);

#endif
