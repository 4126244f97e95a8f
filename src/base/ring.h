/* Rings: circular, doubly linked lists of allocated blocks. The ring that a block is in decides
 * which object owns the block (base/heap.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_RING_H
#define QN_BASE_RING_H

#include <stdbool.h>

typedef struct qn_ring_link qn_ring_link;

/* Links of a block, or of the head of a ring. */
struct qn_ring_link {
  qn_ring_link *newer, *older;
};
typedef struct qn_ring {
  qn_ring_link ends; /* the head: `older` is the newest block, `newer` the oldest */
} qn_ring;

void qn_ring_init(qn_ring *ring);
bool qn_ring_is_empty(const qn_ring *ring);
/* Moves all blocks of `from` to `to`, where they become the newest. */
void qn_ring_move(qn_ring *from, qn_ring *to);
/* Adds a block as the next older one of `newer`, which may be the ends of a ring. */
void qn_ring_link_after(qn_ring_link *newer, qn_ring_link *block);
void qn_ring_unlink(qn_ring_link *block);

#endif
