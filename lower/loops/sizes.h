/* Limits of the target's index.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_SIZES_H
#define QN_LOWER_LOOPS_SIZES_H

#include "lower/loops/loops.h"

/* Rejects a function that computes with an index if the index of its module has another width than
 * the target's, because its arithmetic would wrap at another value. Reports the first such op. */
QN_NODISCARD qn_status qn_loops_check_index_width(const qn_module *module, const qn_op *func,
                                                  const qn_target *target);
/* Reports every size and index of the lowered module that exceeds a 32-bit index of the target.
 * These are the sizes of arena, states, constants and prepared memory, and constants of type index;
 * each is reported at the op that needs it. */
QN_NODISCARD qn_status qn_loops_check_sizes(const qn_loops *lo, const qn_op *main_func,
                                            qn_memory_sizes sizes);

#endif
