/* When what happens: ops are numbered in their order, those of branches and loops between the
 * beginning and the end of these.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_H
#define QN_LOWER_LOOPS_STEPS_H

#include "lower/loops/memory/storages.h"

/* Fills def_step, last_step and step_count of the plan. A value from outside of a loop that is read
 * in it is read to the loop's end, as the next round reads it again; a follower in a fused chain
 * runs at the step of its root. */
void qn_plan_steps(const qn_assigner *a);

/* Of any op of the function: its number, and of a branch or loop that behind its last op. */
int64_t qn_plan_step(const qn_memory_plan *plan, const qn_op *op);
int64_t qn_plan_end(const qn_memory_plan *plan, const qn_op *op);

#endif
