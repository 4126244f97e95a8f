/* Row groups: consecutive linalg.generic ops that one kernel computes row by row, as the reductions
 * and elementwise ops of a softmax or a norm. Each row is then read and written while it is in the
 * cache, and one launch replaces several. The arithmetic of each op and its order are unchanged.
 *
 * The first loops of all ops of a group are the same rows. At row r an op reads only constants, and
 * of other tensors the elements of row r: [r * size, (r + 1) * size) of the buffer; it writes only
 * these elements of its results. So ops may run in any interleaving that keeps their order in each
 * row. Every op but the first reads a result of the group, or makes a value that the group reads.
 * Buffers of a group live from its first op to its last (memory/plan.c). With keep_tensors there
 * are no groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_ROW_GROUPS_H
#define QN_LOWER_LOOPS_ROW_GROUPS_H

#include "lower/loops/loops.h"

typedef struct qn_row_group {
  const qn_op **ops; /* in program order */
  uint32_t count;    /* at least 2 */
  uint32_t loops;    /* number of leading loops of each op that are the rows */
} qn_row_group;

typedef struct qn_row_groups qn_row_groups;

/* Finds the groups of `func`; requires fusion, fused producers and prepared ops. */
qn_row_groups *qn_row_groups_find(qn_loops *lo, const qn_op *func);
void qn_row_groups_destroy(qn_row_groups *groups); /* NULL is allowed */

/* The group of an op; NULL if it has a kernel of its own or is part of another kernel. */
const qn_row_group *qn_row_group_of(const qn_loops *lo, const qn_op *op);

static inline const qn_op *qn_row_group_last(const qn_row_group *group) {
  return group->ops[group->count - 1];
}

#endif
