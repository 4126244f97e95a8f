/* Geometry of convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONV_H
#define QN_LOWER_LOOPS_CONV_H

#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/bytes.h"

/* The matrix product of a convolution (bytes.h: qn_gemm_geometry_fn). */
bool qn_conv_geometry(qn_loops *lo, const qn_op *op, int64_t groups, qn_bytes_product *product,
                      qn_weights *weights, qn_gemm *out_gemm);
/* Lowers a convolution as a matrix product. Its output channels form `groups` groups, and each
 * group reads its own part of the input channels. */
QN_NODISCARD qn_status qn_conv_gemm(qn_loops *lo, qn_op *op, const qn_weights *weights,
                                    int64_t groups);

#endif
