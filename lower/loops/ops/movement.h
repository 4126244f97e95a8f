/* Copies between buffers of @main.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MOVEMENT_H
#define QN_LOWER_LOOPS_MOVEMENT_H

#include "lower/loops/loops.h"

/* Launches a copy of all of `to` from a buffer of the same type; `op` gives name and location, and
 * `tensor` is what they hold. */
void qn_movement_copy(qn_loops *lo, const qn_op *op, const qn_value *tensor, qn_value *from,
                      qn_value *to);

/* Launches the filling of the border of an ml.pad whose inside is stored by another kernel. */
void qn_movement_border(qn_loops *lo, const qn_op *pad);

#endif
