/* From the exact sum of byte products of ml.hybrid_linear, ml.hybrid_conv or
 * ml.hybrid_depthwise_conv to its f32 result: the same instructions in all kernels, so that results
 * do not depend on the kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_REALS_H
#define QN_LOWER_LOOPS_NARROW_REALS_H

#include "ir/builder.h"

/* Vectors with a lane per channel. */
typedef struct qn_narrow_channel {
  qn_value *scale, *bias; /* f32 */
  qn_value *total;        /* i32: the sum of the weights; only qn_narrow_real reads it */
  qn_value *in_group;     /* QN_ORDER_FOURS: f32, 1 in whole groups of four channels, else 0; NULL
                             otherwise */
} qn_narrow_channel;
/* Scale (f32) and zero point (i32) of a row, in all lanes. */
typedef struct qn_narrow_row {
  qn_value *scale, *zero;
} qn_narrow_row;

/* Element `at` of a buffer with one number per row, in all lanes. */
qn_value *qn_narrow_row_number(qn_builder *b, qn_value *buffer, qn_value *at, int64_t lanes);
/* The results of `op`, a vector of f32: (sum - zero * total) scaled in the op's order, plus bias,
 * clamped by the activation. `sum`: vector of i32, the products without zero point. */
qn_value *qn_narrow_real(qn_builder *b, const qn_op *op, qn_value *sum, const qn_narrow_row *row,
                         const qn_narrow_channel *channel);
/* The same from a sum without the part of the zero point; row->zero is not read. */
qn_value *qn_narrow_scaled(qn_builder *b, const qn_op *op, qn_value *sum, const qn_narrow_row *row,
                           const qn_narrow_channel *channel);

#endif
