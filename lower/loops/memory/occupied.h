/* Which addresses are in use at which program points.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_OCCUPIED_H
#define QN_LOWER_LOOPS_OCCUPIED_H

#include "base/arena.h"

typedef struct qn_span {
  int64_t start, end; /* end exclusive */
} qn_span;

typedef struct qn_occupied qn_occupied;

/* Creates an empty map for program points [0, steps). All memory comes from `arena`. */
qn_occupied *qn_occupied_create(qn_arena *arena, uint32_t steps);
/* Marks `span`, which is not empty, as in use at program points [first, last]. */
void qn_occupied_add(qn_occupied *occupied, uint32_t first, uint32_t last, qn_span span);
/* The address ranges in use at any program point in [first, last]: ascending, not touching. Valid
 * until the next call. */
const qn_span *qn_occupied_find(qn_occupied *occupied, uint32_t first, uint32_t last,
                                uint32_t *out_count);
/* Number of spans visited or moved so far, a measure of work. */
uint64_t qn_occupied_work(const qn_occupied *occupied);

#endif
