/* Bump allocation: a list of chunks, the newest first. A request that does not fit opens a chunk
 * of its own size or of the usual one, whichever is larger; chunks grow with the arena, so that
 * the number of chunks stays logarithmic until they reach their maximum.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/guard.h"

enum { MIN_CHUNK = 4 << 10, MAX_CHUNK = 1 << 20 };

struct qn_arena_chunk {
  qn_arena_chunk *older;
  size_t size;
  alignas(max_align_t) unsigned char data[];
};

void qn_arena_init(qn_arena *arena) { *arena = (qn_arena){0}; }

void qn_arena_deinit(qn_arena *arena) {
  qn_arena_rewind(arena, (qn_arena_mark){0});
  *arena = (qn_arena){0};
}

/* Whether its memory is zeros: of large chunks the system's pages, which are touched when used. */
static bool add_chunk(qn_arena *arena, size_t needed) {
  size_t size = arena->total;
  if (size < MIN_CHUNK) size = MIN_CHUNK;
  if (size > MAX_CHUNK) size = MAX_CHUNK;
  if (size < needed) size = needed;
  if (size > SIZE_MAX - sizeof(qn_arena_chunk)) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  bool zeroed = size > MAX_CHUNK;
  qn_arena_chunk *chunk = zeroed ? qn_heap_zeroed_beside(arena->chunks, sizeof *chunk + size)
                                 : qn_heap_beside(arena->chunks, sizeof *chunk + size);
  chunk->older = arena->chunks;
  chunk->size = size;
  arena->chunks = chunk;
  arena->used = 0;
  return zeroed;
}

void *qn_arena_alloc(qn_arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  if (size > SIZE_MAX - align) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  size = (size + align - 1) & ~(align - 1);
  bool zeroed = false;
  if (!arena->chunks || arena->chunks->size - arena->used < size) zeroed = add_chunk(arena, size);
  void *memory = arena->chunks->data + arena->used;
  arena->used += size;
  arena->total += size;
  return zeroed ? memory : memset(memory, 0, size);
}

void *qn_arena_array(qn_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  return qn_arena_alloc(arena, bytes);
}

void *qn_arena_copy(qn_arena *arena, const void *data, size_t size) {
  return size == 0 ? NULL : memcpy(qn_arena_alloc(arena, size), data, size);
}

qn_str qn_arena_str(qn_arena *arena, qn_str text) {
  char *copy = qn_arena_alloc(arena, text.size + 1);
  if (text.size) memcpy(copy, text.data, text.size);
  return (qn_str){copy, text.size};
}

qn_str qn_arena_vformat(qn_arena *arena, const char *format, va_list arguments) {
  char usual[128]; /* most need no second attempt */
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(usual, sizeof usual, format, again);
  va_end(again);
  QN_ASSERT(size >= 0);
  if ((size_t)size < sizeof usual) return qn_arena_str(arena, (qn_str){usual, (size_t)size});
  char *text = qn_arena_alloc(arena, (size_t)size + 1);
  vsnprintf(text, (size_t)size + 1, format, arguments);
  return (qn_str){text, (size_t)size};
}

qn_str qn_arena_format(qn_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(arena, format, arguments);
  va_end(arguments);
  return text;
}

qn_arena_mark qn_arena_get_mark(const qn_arena *arena) {
  return (qn_arena_mark){arena->chunks, arena->used};
}

void qn_arena_rewind(qn_arena *arena, qn_arena_mark mark) {
  while (arena->chunks != mark.chunk) {
    qn_arena_chunk *older = arena->chunks->older;
    qn_heap_free(arena->chunks);
    arena->chunks = older;
  }
  arena->used = mark.used;
}
