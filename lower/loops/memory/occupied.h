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

/* For steps in [0, steps). All memory comes from `arena`. */
qn_occupied *qn_occupied_create(qn_arena *arena, uint32_t steps);
/* `span` is taken at the steps in [first, last]. Not empty. */
void qn_occupied_add(qn_occupied *occupied, uint32_t first, uint32_t last, qn_span span);
/* What is taken at any of the steps in [first, last]: spans that don't touch, ascending. They are
 * valid until the next call. */
const qn_span *qn_occupied_find(qn_occupied *occupied, uint32_t first, uint32_t last,
                                uint32_t *out_count);
/* How many spans were looked at or moved so far: the work. */
uint64_t qn_occupied_work(const qn_occupied *occupied);

#endif
