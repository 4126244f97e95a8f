/* Blocks of the integer module in the new @main: ops as kernels and launches, branches and loops as
 * such, on scalars alone. The memory plan has put tensors that they yield into slots.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONTROL_H
#define QN_LOWER_LOOPS_CONTROL_H

#include "lower/loops/loops.h"

/* Branches and loops in each other; the code generator takes more. */
enum { QN_LOOPS_MOST_NESTED = 64 };

/* Lowers all ops of a block but what ends it, whose copies are made. Goes on after an error, so
 * that all are reported. */
QN_NODISCARD qn_status qn_loops_lower_block(qn_loops *lo, const qn_block *block);

/* A scalar of the integer module, in the new @main. */
qn_value *qn_loops_scalar(qn_loops *lo, const qn_value *scalar);

#endif
