/* Blocks: a header, then malloc's memory or pages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/heap.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/guard.h"

typedef struct header {
  qn_ring_link link;
  qn_account *account; /* NULL: made without a guard */
  void (*release)(void *owner);
  size_t size;
  bool pages;
  alignas(max_align_t) unsigned char memory[];
} header;

static header *header_of(const void *memory) {
  return (header *)((uintptr_t)memory - offsetof(header, memory));
}

void qn_ring_free(qn_ring *ring) {
  for (qn_ring_link *block = ring->ends.older; block != &ring->ends; block = block->older) {
    header *owner = (header *)block;
    if (owner->release) owner->release(owner->memory);
  }
  while (!qn_ring_is_empty(ring)) qn_heap_free(((header *)ring->ends.older)->memory);
}

/* ---- accounts ---- */

/* Charges `bytes` to the account; returns which limit is exceeded, if any. */
static qn_exceeded charge(qn_account *account, size_t bytes) {
  if (!account) return QN_EXCEEDED_NOTHING;
  size_t before = atomic_fetch_add(&account->used, bytes);
  if (bytes <= account->max_memory && before <= account->max_memory - bytes)
    return QN_EXCEEDED_NOTHING;
  atomic_fetch_sub(&account->used, bytes);
  return QN_EXCEEDED_MEMORY;
}

static void discharge(qn_account *account, size_t bytes) {
  if (account) atomic_fetch_sub(&account->used, bytes);
}

/* ---- memory ---- */

typedef enum source { MALLOC, ZEROED, PAGES } source;

/* The header is at the end of the first page of blocks with pages of their own. */
static size_t front_page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static header *get_pages(size_t size) {
  if (size > SIZE_MAX - front_page()) return NULL;
  char *all =
      mmap(NULL, front_page() + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return all == MAP_FAILED ? NULL : header_of(all + front_page());
}

static header *get(size_t size, source from) {
  if (from == PAGES) return get_pages(size);
  return from == ZEROED ? calloc(1, sizeof(header) + size) : malloc(sizeof(header) + size);
}

static void give_back(header *block) {
  if (block->pages)
    munmap(block->memory - front_page(), front_page() + block->size);
  else
    free(block);
}

/* ---- blocks ---- */

static qn_exceeded make(size_t size, source from, qn_account *account, header **out_made) {
  if (size > SIZE_MAX - sizeof(header)) return QN_EXCEEDED_SYSTEM;
  qn_exceeded exceeded = charge(account, size);
  if (exceeded) return exceeded;
  header *made = get(size, from);
  if (!made) {
    discharge(account, size);
    return QN_EXCEEDED_SYSTEM;
  }
  *made = (header){
      .link = {&made->link, &made->link}, .account = account, .size = size, .pages = from == PAGES};
  *out_made = made;
  return QN_EXCEEDED_NOTHING;
}

static header *make_beside(const void *neighbour, size_t size, source from) {
  header *made;
  qn_guard *guard = qn_guard_current();
  qn_guard_check_time();
  qn_exceeded exceeded = make(size, from, guard ? guard->account : NULL, &made);
  if (exceeded) qn_guard_unwind(exceeded);
  if (neighbour)
    qn_ring_link_after(&header_of(neighbour)->link, &made->link);
  else if (guard)
    qn_ring_link_after(&guard->ring.ends, &made->link);
  return made;
}

void *qn_heap_new(size_t size) { return make_beside(NULL, size, ZEROED)->memory; }

void *qn_heap_own(size_t size, void (*release)(void *owner)) {
  header *made = make_beside(NULL, size, ZEROED);
  made->release = release;
  return made->memory;
}

void *qn_heap_beside(const void *neighbour, size_t size) {
  return make_beside(neighbour, size, MALLOC)->memory;
}

void *qn_heap_zeroed_beside(const void *neighbour, size_t size) {
  return make_beside(neighbour, size, ZEROED)->memory;
}

static qn_exceeded resize(header *old, size_t size, header **out_moved) {
  if (size > SIZE_MAX - sizeof(header)) return QN_EXCEEDED_SYSTEM;
  QN_ASSERT(!old->pages);
  qn_account *account = old->account;
  size_t before = old->size;
  qn_exceeded exceeded = size > before ? charge(account, size - before) : QN_EXCEEDED_NOTHING;
  if (exceeded) return exceeded;
  qn_ring_link *newer = old->link.newer;
  bool alone = newer == &old->link;
  header *moved = realloc(old, sizeof *moved + size);
  if (!moved) {
    if (size > before) discharge(account, size - before);
    return QN_EXCEEDED_SYSTEM;
  }
  if (size < before) discharge(account, before - size);
  moved->size = size;
  if (alone) {
    moved->link = (qn_ring_link){&moved->link, &moved->link};
  } else { /* its links moved with it; those of its neighbours did not */
    moved->link.newer->older = &moved->link;
    moved->link.older->newer = &moved->link;
  }
  *out_moved = moved;
  return QN_EXCEEDED_NOTHING;
}

void *qn_heap_resize(void *memory, size_t size) {
  if (!memory) return qn_heap_beside(NULL, size);
  qn_guard_check_time();
  header *moved;
  qn_exceeded exceeded = resize(header_of(memory), size, &moved);
  if (exceeded) qn_guard_unwind(exceeded);
  return moved->memory;
}

void qn_heap_free(void *memory) {
  if (!memory) return;
  header *block = header_of(memory);
  qn_ring_unlink(&block->link);
  discharge(block->account, block->size);
  give_back(block);
}

/* Keeps the reason for who gives the call up after all. */
static void *tried(qn_exceeded exceeded, header *made) {
  qn_guard *guard = qn_guard_current();
  if (guard) guard->exceeded = exceeded;
  return exceeded ? NULL : made->memory;
}

static void *try_from(source from, size_t size) {
  header *made = NULL;
  const qn_guard *guard = qn_guard_current();
  qn_exceeded exceeded = make(size, from, guard ? guard->account : NULL, &made);
  return tried(exceeded, made);
}

void *qn_heap_try(size_t size) { return try_from(ZEROED, size); }

void *qn_heap_try_pages(size_t size) { return try_from(PAGES, size); }

bool qn_heap_seal_pages(void *memory) {
  return mprotect(memory, header_of(memory)->size, PROT_READ) == 0;
}

void qn_heap_trim(void) { malloc_trim(0); }

void *qn_heap_try_resize(void *memory, size_t size) {
  if (!memory) return qn_heap_try(size);
  header *moved = NULL;
  qn_exceeded exceeded = resize(header_of(memory), size, &moved);
  return tried(exceeded, moved);
}
