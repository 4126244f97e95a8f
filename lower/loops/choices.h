/* What is chosen of each op before chains are found and memory is planned, which both depend on it:
 * once, and kept until its kernel is built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHOICES_H
#define QN_LOWER_LOOPS_CHOICES_H

#include "lower/loops/loops.h"

typedef struct qn_choices qn_choices;
/* Asks the schedule of each op (schedule.h: choose). */
qn_choices *qn_choices_make(qn_loops *lo, const qn_op *func);
void qn_choices_destroy(qn_choices *choices); /* NULL is allowed */

/* What its schedule has chosen; NULL: nothing. */
const void *qn_choice_of(const qn_loops *lo, const qn_op *op);

#endif
