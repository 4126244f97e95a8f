/* Bump allocation by lifetime. Everything in the compiler is owned by an arena: a context's (types,
 * attributes, strings, locations), a module's (ops, values), or a scratch arena of one pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_ARENA_H
#define QN_BASE_ARENA_H

#include <quern/base.h>
#include <stdarg.h>

#include "base/check.h"

typedef struct qn_arena_chunk qn_arena_chunk;

typedef struct qn_arena {
  qn_arena_chunk *chunks; /* newest first */
  size_t used;            /* bytes used in the newest chunk */
  size_t total;           /* bytes allocated since init, for statistics */
} qn_arena;

typedef struct qn_arena_mark {
  qn_arena_chunk *chunk;
  size_t used;
} qn_arena_mark;

void qn_arena_init(qn_arena *arena);
void qn_arena_deinit(qn_arena *arena);

/* Zeroed memory, aligned for any type. Never returns NULL: if allocation fails, the call is aborted
 * (guard.h). If the arena was initialized and used before the call, its new chunks belong to the
 * owner of the earlier ones, not to the call (heap.h). */
void *qn_arena_alloc(qn_arena *arena, size_t size);
/* count * size with an overflow check. */
void *qn_arena_array(qn_arena *arena, size_t count, size_t size);
/* A copy of the bytes. NULL for size 0. */
void *qn_arena_copy(qn_arena *arena, const void *data, size_t size);
/* A NUL-terminated copy, as a view. */
qn_str qn_arena_str(qn_arena *arena, qn_str text);
/* printf into the arena. */
qn_str qn_arena_format(qn_arena *arena, const char *format, ...) QN_PRINTF(2, 3);
qn_str qn_arena_vformat(qn_arena *arena, const char *format, va_list arguments);

/* Everything allocated after a mark is released by rewinding to it. */
qn_arena_mark qn_arena_get_mark(const qn_arena *arena);
void qn_arena_rewind(qn_arena *arena, qn_arena_mark mark);

#define QN_NEW(arena, type) ((type *)qn_arena_alloc((arena), sizeof(type)))
#define QN_NEW_ARRAY(arena, count, type) ((type *)qn_arena_array((arena), (count), sizeof(type)))

#endif
