/* Geometry of convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONV_H
#define QN_LOWER_LOOPS_CONV_H

#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/bytes.h"

/* The product that a convolution is (bytes.h: qn_gemm_geometry_fn). */
bool qn_conv_geometry(qn_loops *lo, const qn_op *op, int64_t groups, qn_bytes_product *product,
                      qn_weights *weights, qn_gemm *out_gemm);
/* Lowers as a matrix product whose output channels form `groups` groups, each with its own part of
 * the input channels. */
QN_NODISCARD qn_status qn_conv_gemm(qn_loops *lo, qn_op *op, const qn_weights *weights,
                                    int64_t groups);

#endif
