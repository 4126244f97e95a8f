/* Checks the preconditions of the lowering to loops before it starts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHECK_H
#define QN_LOWER_LOOPS_CHECK_H

#include "lower/loops/loops.h"

/* Reports every problem of `func`, and of the rest of the module, that prevents the lowering. If
 * there is none, fills *out_entry with the roles of the arguments and results of `func`; its arrays
 * are in `arena`. */
QN_NODISCARD qn_status qn_loops_check(qn_module *module, const qn_op *func, qn_arena *arena,
                                      qn_entry *out_entry);

/* The dtype of an element type; 0 if runtime inputs, outputs and states cannot have it. */
qn_dtype qn_loops_dtype(const qn_type *element);

#endif
