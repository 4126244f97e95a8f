/* Blocks of the integer module in the new @main. Ops become kernels and launches; branches and
 * loops remain, on scalars only. Buffer assignment has given slots to the tensors that they yield.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONTROL_H
#define QN_LOWER_LOOPS_CONTROL_H

#include "lower/loops/loops.h"

/* Maximum nesting depth of branches and loops; the code generator supports more. */
enum { QN_LOOPS_MOST_NESTED = 64 };

/* Lowers all ops of a block, except its terminator, of which only the copies are emitted. Continues
 * after an error, so that all errors are reported. */
QN_NODISCARD qn_status qn_loops_lower_block(qn_loops *lo, const qn_block *block);

/* The value in the new @main of a scalar of the integer module. */
qn_value *qn_loops_scalar(qn_loops *lo, const qn_value *scalar);

#endif
