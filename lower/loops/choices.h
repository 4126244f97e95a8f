/* Per-op decisions that must precede fusion and buffer assignment, because both depend on them.
 * Each is made once (qn_schedule.choose) and kept until the op's kernel is built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHOICES_H
#define QN_LOWER_LOOPS_CHOICES_H

#include "lower/loops/loops.h"

typedef struct qn_choices qn_choices;
/* Calls qn_schedule.choose of every op in `func`. */
qn_choices *qn_choices_make(qn_loops *lo, const qn_op *func);
void qn_choices_destroy(qn_choices *choices); /* NULL is allowed */

/* The decision for `op`; NULL if its schedule makes none. */
const void *qn_choice_of(const qn_loops *lo, const qn_op *op);

#endif
