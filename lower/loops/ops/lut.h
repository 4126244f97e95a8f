/* ml.lut on vectors of bytes. A table that flips bits, such as the one between int8 and uint8 of
 * one scale, is no table in a kernel, but an exclusive or.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LUT_H
#define QN_LOWER_LOOPS_LUT_H

#include "lower/loops/loops.h"

bool qn_lut_has_table(const qn_op *op);
/* The buffer of the op's table; NULL if it has none. */
qn_value *qn_lut_table(qn_loops *lo, const qn_op *op);
/* The results of the bytes `x`. `table`: the kernel's argument for the table; NULL if none. */
qn_value *qn_lut_emit(qn_builder *b, const qn_op *op, qn_value *table, qn_value *x);

#endif
