/* Program points: ops are numbered in their order, those in a branch or loop between its beginning
 * and its end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_STEPS_H
#define QN_LOWER_LOOPS_STEPS_H

#include "lower/loops/memory/buffers.h"

/* Fills def_step, last_step and step_count of the plan. A value from outside of a loop lives to the
 * end of the loop, because the next iteration reads it again. A fused post-op runs at the program
 * point of its fusion root. */
void qn_memory_steps(const qn_assigner *a);

/* The program point of an op, and the one after the last op of a branch or loop. */
int64_t qn_memory_step(const qn_memory_plan *plan, const qn_op *op);
int64_t qn_memory_end(const qn_memory_plan *plan, const qn_op *op);

#endif
