/* What the schedules of convolutions and matrix products of floats share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FLOATS_H
#define QN_LOWER_LOOPS_FLOATS_H

#include "lower/loops/matrix/gemm_emit.h"

/* QN_UNSUPPORTED, reported, unless the op is one on f32, or f64, throughout, without padding. */
QN_NODISCARD qn_status qn_floats_check(qn_loops *lo, const qn_op *op);
/* What they know of the product: qn_gemm.own. */
typedef struct qn_floats_product {
  qn_activation activation;
} qn_floats_product;
/* The op's operands 1 and 2 as weights and bias. */
qn_gemm qn_floats_gemm(qn_loops *lo, qn_op *op, const char *stem, int64_t channels, int64_t taps);
/* One output channel at a time: convolution with multiplier 1 (depthwise/floats.c). */
QN_NODISCARD qn_status qn_floats_depthwise(qn_loops *lo, qn_op *op);
extern const struct qn_producer qn_floats_producer; /* rows of it */

/* In a kernel: x times w added to the sum, rounded once of f32, twice of f64. */
qn_value *qn_float_add_product(qn_builder *b, qn_value *x, qn_value *w, qn_value *sum);
/* In a kernel: y within the range of an activation; NaN stays. */
qn_value *qn_float_activate(qn_builder *b, qn_value *y, qn_activation activation);

#endif
