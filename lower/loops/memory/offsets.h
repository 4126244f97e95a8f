/* Offset assignment of buffers with known lifetimes in one arena, without dependencies on the IR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_OFFSETS_H
#define QN_LOWER_LOOPS_OFFSETS_H

#include "base/arena.h"

/* A buffer: bytes, first and last program point of its lifetime (inclusive), alignment (a power of
 * two). */
typedef struct qn_interval_buffer {
  int64_t size, first, last, align;
} qn_interval_buffer;

/* Two buffers that one kernel reads and writes: they should not start at the same address mod 4096.
 */
typedef struct qn_buffer_pair {
  uint32_t a, b;
} qn_buffer_pair;

/* Writes one offset per buffer and returns the size of the arena: the largest end. Buffers that are
 * live at a common program point never overlap. Greedy: large buffers first, each into the smallest
 * hole that holds it. The two buffers of a pair get different page offsets if the hole has room for
 * it, but never at the cost of a larger arena. Requires that the sizes sum to less than 2^62.
 * Temporary memory comes from `scratch`. *out_work: number of spans visited; NULL is allowed. */
int64_t qn_offsets_plan(const qn_interval_buffer *buffers, uint32_t count,
                        const qn_buffer_pair *pairs, uint32_t pair_count, qn_arena *scratch,
                        int64_t *out_offsets, uint64_t *out_work);

#endif
