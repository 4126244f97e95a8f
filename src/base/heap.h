/* Memory that has an owner while a call runs. Each block is linked in a ring: that of the guard of
 * the running call (base/guard.h), or that of something which outlives it. Nothing here returns
 * NULL: without memory the call is aborted.
 *
 * A block that replaces or extends another is made beside it, in the same ring: so a table of the
 * context stays the context's when it grows in the middle of a call that fails.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_HEAP_H
#define QN_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ring.h"

typedef struct qn_account qn_account;

/* Zeroed memory. */
void *qn_heap_new(size_t size);
/* Zeroed memory that represents a resource which must not leak: when the call is aborted,
 * `release` is called with it before any memory is freed, the newest owner first. It neither
 * allocates nor frees blocks. */
void *qn_heap_own(size_t size, void (*release)(void *owner));
/* In the ring of `neighbour`, as it comes or zeroed; NULL: of the running call. */
void *qn_heap_beside(const void *neighbour, size_t size);
void *qn_heap_zeroed_beside(const void *neighbour, size_t size);
/* As realloc; stays in its ring. */
void *qn_heap_resize(void *memory, size_t size);
/* Does not call `release`. NULL is allowed. */
void qn_heap_free(void *memory);
/* Counted, but in no ring, for what has a count of references: NULL when there is no memory.
 * Whoever can then gives the call up with qn_guard_unwind_tried. */
void *qn_heap_try(size_t size);
void *qn_heap_try_resize(void *memory, size_t size);
/* As qn_heap_try, in pages of its own: what is freed is the system's again. It is not resized. */
void *qn_heap_try_pages(size_t size);
/* Makes such memory read-only. Returns false, without effect, if the system can't. */
bool qn_heap_seal_pages(void *memory);

/* What is free becomes the system's again, as far as malloc can: some milliseconds. */
void qn_heap_trim(void);

/* Releases the resources of owners, then frees all blocks. */
void qn_ring_free(qn_ring *ring);

#endif
