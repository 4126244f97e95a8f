/* Logistic and tanh of 16-bit values as lanes of i32: in fixed point (runtime/fixed16.h) and by the
 * interpolated table (quant/table16.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUNCTIONS16_H
#define QN_LOWER_LOOPS_FUNCTIONS16_H

#include "lower/loops/loops.h"

/* qn_fixed16_logistic(x, integer_bits) and qn_fixed16_tanh. */
qn_value *qn_lanes_fixed16(qn_builder *b, bool tanh, qn_value *x, int32_t integer_bits);

/* A constant of the loops module: the table's entries, then the steps between them. */
qn_value *qn_lanes_sigmoid_table(qn_loops *lo);
/* qn_logistic16(table, x, multiplier, shift) and qn_tanh16, with that constant as a buffer. */
qn_value *qn_lanes_table16(qn_builder *b, bool tanh, qn_value *table, qn_value *x,
                           int32_t multiplier, int32_t shift);

#endif
