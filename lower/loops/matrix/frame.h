/* Sizes of a convolution, and the location of its results in the tensor that its kernel stores to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FRAME_H
#define QN_LOWER_LOOPS_FRAME_H

#include "lower/loops/fusion/placement.h"
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
 * that the op's kernel stores to (qn_fusion_placement). Channels are consecutive, or `parts` ranges
 * of equal size are: those of the phases of a transposed convolution, which are in different rows
 * and columns. */
typedef struct qn_conv_frame {
  int64_t first, image, row, column;
  int64_t parts;
  const int64_t *part; /* [parts] offset of each part from the first one */
} qn_conv_frame;
/* Arrays of the frame are in `scratch`. */
qn_conv_frame qn_conv_frame_of(const qn_loops *lo, const qn_op *op);
/* The frame of results of type `of`, of rank 4, at that placement; its arrays are in `arena`.
 * Returns false if images, rows and columns are not equally spaced or channels no parts of equal
 * size. */
bool qn_conv_frame_at(qn_arena *arena, const qn_placement *at, const qn_type *of,
                      qn_conv_frame *out);

#endif
