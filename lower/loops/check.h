/* What the lowering to loops takes for granted, checked before it starts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHECK_H
#define QN_LOWER_LOOPS_CHECK_H

#include "lower/loops/loops.h"

/* Reports everything in `func` (and in the module next to it) that can't be lowered for the target.
 * Otherwise *out_entry says what its arguments and results are; its arrays live in `arena`. */
QN_NODISCARD qn_status qn_loops_check(qn_module *module, const qn_op *func, const qn_target *target,
                                      qn_arena *arena, qn_entry *out_entry);
/* Reports every size and index of the lowered module that an index of the target, which is narrower
 * than 64 bits, does not hold: the arena, the states, the constants, and constants of type index,
 * each at the op that needs it. */
QN_NODISCARD qn_status qn_loops_check_sizes(const qn_loops *lo, const qn_op *main_func,
                                            int64_t arena_bytes);

/* 0 for a type that inputs, outputs and states at run time can't have. */
qn_dtype qn_loops_dtype(const qn_type *element);

#endif
