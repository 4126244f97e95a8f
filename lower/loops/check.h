/* What the lowering to loops takes for granted, checked before it starts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CHECK_H
#define QN_LOWER_LOOPS_CHECK_H

#include "lower/loops/loops.h"

/* Reports everything in `func` (and beside it in the module) that can't be lowered. */
QN_NODISCARD qn_status qn_loops_check(qn_module *module, const qn_op *func);

/* "i8", "ui8", "i16", "i32", "i64" or "f32"; NULL for a type that tensors at run time can't have.
 */
const char *qn_loops_dtype(const qn_type *element);

#endif
