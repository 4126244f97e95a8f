/* Padding of quantized images whose zero points are known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_BORDER_H
#define QN_LOWER_LOOPS_NARROW_BORDER_H

#include "lower/loops/matrix/frame.h"

/* The shape of ml.hybrid_conv or ml.hybrid_depthwise_conv on padded images. */
qn_conv_shape qn_narrow_padded_shape(const qn_op *op);

/* Returns the buffer of padded images of `op`: the images with the op's padding, filled with the
 * zero point of each image. `buffers`: the op's first operands (images, scales, zero points).
 * Without padding, returns the buffer of the images; else emits a kernel. */
qn_value *qn_narrow_bordered(qn_loops *lo, const qn_op *op, qn_value *const *buffers);

#endif
