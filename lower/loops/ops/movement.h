/* Copies between buffers of @main.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MOVEMENT_H
#define QN_LOWER_LOOPS_MOVEMENT_H

#include "lower/loops/loops.h"

/* A dimension of a strided copy: strides in elements of source and destination. A source stride may
 * be negative. */
typedef struct qn_copy_dim {
  int64_t extent, from, to;
} qn_copy_dim;

/* Drops dimensions of one element and merges those that are contiguous on both sides. Returns the
 * number of dimensions, at least 1. */
uint32_t qn_movement_merge(qn_copy_dim *dims, uint32_t count);

/* Launches a copy of operand 0 of `op` to its result, element by element or, where the last
 * dimension is contiguous on both sides, in vectors. */
void qn_movement_strided(qn_loops *lo, const qn_op *op, const char *stem, qn_copy_dim *dims,
                         uint32_t rank);

/* Launches a copy of a whole buffer to `to`, which has the same type. `op` gives name and location;
 * `tensor` is the tensor in both buffers. */
void qn_movement_copy(qn_loops *lo, const qn_op *op, const qn_value *tensor, qn_value *from,
                      qn_value *to);

/* Padding: `value` of integers, `real` of floats, in vectors of `lanes`. */
typedef struct qn_filling {
  qn_value *to; /* kernel argument */
  int64_t lanes, value;
  double real;
} qn_filling;
/* In a kernel: stores `count` elements of padding from `index` on. */
void qn_movement_fill(qn_kernel *k, const qn_filling *filling, qn_value *index, int64_t count);

/* Implements qn_schedule.takes: flipped bits of an argument, which the kernel of a copy applies
 * itself. A tensor that another op computes might exist in its kernel only. */
bool qn_movement_takes_flipped(qn_loops *lo, qn_op *op, const qn_op *from);

/* Launches a kernel that fills the padding of an ml.pad whose interior another kernel stores. */
void qn_movement_border(qn_loops *lo, const qn_op *pad);

#endif
