/* Sizes of a convolution, and the location of its results in a padded destination.
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

/* Offset of the first result, and strides of images, rows and columns, in elements of the tensor
 * that the op's kernel stores. If a pad ends the op's chain, that tensor is larger than the result:
 * results are in its interior, and the padding is filled by an earlier kernel. It is also larger if
 * the results are some channels of a concatenation. */
typedef struct qn_conv_frame {
  int64_t first, image, row, column;
} qn_conv_frame;
qn_conv_frame qn_conv_frame_of(const qn_loops *lo, const qn_op *op);

#endif
