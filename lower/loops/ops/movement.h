/* Copies between buffers of @main.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MOVEMENT_H
#define QN_LOWER_LOOPS_MOVEMENT_H

#include "lower/loops/loops.h"

/* Launches a copy of a whole buffer to `to`, which has the same type. `op` gives name and location;
 * `tensor` is the tensor in both buffers. */
void qn_movement_copy(qn_loops *lo, const qn_op *op, const qn_value *tensor, qn_value *from,
                      qn_value *to);

/* Launches a kernel that fills the padding of an ml.pad whose interior another kernel stores. */
void qn_movement_border(qn_loops *lo, const qn_op *pad);

#endif
