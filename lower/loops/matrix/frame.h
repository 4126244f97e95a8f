/* Sizes of a convolution, and where its results lie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FRAME_H
#define QN_LOWER_LOOPS_FRAME_H

#include "lower/loops/loops.h"

typedef struct qn_conv_shape {
  int64_t batch, out_height, out_width, out_channels;
  int64_t height, width, channels; /* of x */
  int64_t kernel_height, kernel_width;
  int64_t stride_y, stride_x, dilation_y, dilation_x;
} qn_conv_shape;

/* The shape of an integer_conv or integer_depthwise_conv. */
qn_conv_shape qn_conv_shape_of(const qn_op *op);

/* Where the results are in the tensor that the op's kernel stores, in elements: inside of the
 * border, which is filled before, when the chain of the op ends with a pad. */
typedef struct qn_conv_frame {
  int64_t first, image, row, column;
} qn_conv_frame;
qn_conv_frame qn_conv_frame_of(const qn_loops *lo, const qn_op *op);

#endif
