/* Buffer assignment: which buffer holds each tensor of the integer module, and its lifetime.
 *
 * A buffer is a range of the arena, an input, output or state of @main, or a constant. Tensors
 * share a buffer if no byte has to be moved: reshapes, contiguous slices and splits (views of the
 * operand), contiguous concatenation (parts are written into the result), and elementwise ops at
 * the last use of their operand (in place). A result of @main is written to the output, or to its
 * state if the old value is not read later; else it is copied there at the end. The same holds for
 * yielded values of branches and loops (slots.h). With keep_tensors nothing is shared, and every
 * tensor of the model lives to the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PLAN_H
#define QN_LOWER_LOOPS_PLAN_H

#include "lower/loops/memory/buffers.h"

/* Assigns buffers for the body of `func`, the module's @main before the lowering. Requires static
 * tensors of types that the lowering supports (check.h). */
qn_memory_plan *qn_memory_plan_create(qn_loops *lo, const qn_op *func);
void qn_memory_plan_destroy(qn_memory_plan *plan); /* NULL is allowed */

/* Whether the results of `op` must live to the end (keep_tensors). Results in branches and loops
 * are computed any number of times and not kept. */
bool qn_memory_keeps(const qn_loops *lo, const qn_op *op);

/* Writes the offset of each buffer in the arena or in prepared memory to out_offsets[buffer]; 0 for
 * others. Returns the sizes of the two. */
qn_memory_sizes qn_memory_offsets(const qn_loops *lo, const qn_op *func, int64_t *out_offsets);

#endif
