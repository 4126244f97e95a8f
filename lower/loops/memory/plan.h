/* The memory plan: in which storage each tensor of the integer module lives, and for how long.
 *
 * A storage is a range of the arena, an input, output or state of @main, or a constant. Tensors
 * share one where no byte has to move: reshapes, contiguous slices and splits (views of the
 * operand), contiguous concatenation (the parts are written into the result), elementwise ops whose
 * operand dies (in place). A result of @main is written straight to the output, or to its state
 * when nothing reads the old one any more; else it is copied there at the end. The same holds of
 * what branches and loops hand on (slots.h). With keep_tensors
 * nothing is shared and every tensor of the model lives to the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PLAN_H
#define QN_LOWER_LOOPS_PLAN_H

#include "lower/loops/memory/storages.h"

/* Assigns storages for the body of `func`, the module's @main before the lowering. Steps are the
 * positions of its ops. Tensors are static and of a type that the lowering knows. */
qn_memory_plan *qn_plan_create(qn_loops *lo, const qn_op *func);
void qn_plan_destroy(qn_memory_plan *plan); /* NULL is allowed */

/* Whether the tensors that the op makes are to be there in the end. What stands in branches and
 * loops is executed any number of times, and not kept. */
bool qn_plan_keeps(const qn_loops *lo, const qn_op *op);

/* Offsets of all arena storages, by storage number; returns the size of the arena. */
int64_t qn_plan_offsets(const qn_loops *lo, const qn_op *func, int64_t *out_offsets);

#endif
