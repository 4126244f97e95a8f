/* What the lowering to loops takes for granted, checked before it starts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHECK_H
#define QN_LOWER_LOOPS_CHECK_H

#include "lower/loops/loops.h"

/* Reports everything in `func` (and beside it in the module) that can't be lowered. Otherwise
 * *out_entry says what its arguments and results are; its arrays live in `arena`. */
QN_NODISCARD qn_status qn_loops_check(qn_module *module, const qn_op *func, qn_arena *arena,
                                      qn_entry *out_entry);

/* 0 for a type that inputs, outputs and states at run time can't have. */
qn_dtype qn_loops_dtype(const qn_type *element);

#endif
