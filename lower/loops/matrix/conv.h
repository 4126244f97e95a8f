/* Geometry of convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONV_H
#define QN_LOWER_LOOPS_CONV_H

#include "lower/loops/matrix/frame.h"
#include "lower/loops/matrix/weights.h"

/* Lowers as a matrix product whose output channels form `groups` groups, each with its own part of
 * the input channels. */
QN_NODISCARD qn_status qn_conv_gemm(qn_loops *lo, qn_op *op, const qn_weights *weights,
                                    int64_t groups);

#endif
