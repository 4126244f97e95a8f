/* The one allocation of an instance: aligned, and of the planned size rounded up to the alignment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/arena.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

void *qn_runtime_arena_create(uint64_t bytes) {
  if (bytes > SIZE_MAX - QN_ABI_ALIGN) return NULL;
  size_t size = ((size_t)bytes + QN_ABI_ALIGN - 1) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  if (size == 0) size = QN_ABI_ALIGN;
  void *arena = aligned_alloc(QN_ABI_ALIGN, size);
  if (arena) memset(arena, 0, size);
  return arena;
}

void qn_runtime_arena_destroy(void *arena) { free(arena); }
