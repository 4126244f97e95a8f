/* Memory that has an owner while a call runs. Each block is in a list of allocations, a "ring": the
 * ring of the running call's guard (base/guard.h), or the ring of an object that outlives the call.
 * If allocation fails, the call is aborted; only the functions qn_heap_try* return NULL instead.
 *
 * A block that replaces or extends another block is allocated in the same ring. So a table of the
 * context still belongs to the context if it grows during a call that fails.
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
/* A block in the ring of `neighbour`, uninitialized or zeroed. If `neighbour` is NULL, the block is
 * in the ring of the running call. */
void *qn_heap_beside(const void *neighbour, size_t size);
void *qn_heap_zeroed_beside(const void *neighbour, size_t size);
/* Like realloc. The block stays in its ring. */
void *qn_heap_resize(void *memory, size_t size);
/* Frees a block; does not call the `release` function of qn_heap_own. NULL is allowed. */
void qn_heap_free(void *memory);
/* Memory that the account counts but no ring owns, for reference-counted objects. Returns NULL if
 * allocation fails; the caller may then release what it holds and abort the call by
 * qn_guard_unwind_tried. */
void *qn_heap_try(size_t size);
void *qn_heap_try_resize(void *memory, size_t size);
/* Like qn_heap_try, but in separate pages, which go back to the system when the block is freed.
 * Such a block can't be resized. */
void *qn_heap_try_pages(size_t size);
/* Makes the pages of qn_heap_try_pages read-only. Returns false, without effect, if the system does
 * not support it. */
bool qn_heap_seal_pages(void *memory);

/* Returns freed memory to the system as far as malloc can. Takes some milliseconds. */
void qn_heap_trim(void);

/* Releases the resources of owners, then frees all blocks. */
void qn_ring_free(qn_ring *ring);

#endif
