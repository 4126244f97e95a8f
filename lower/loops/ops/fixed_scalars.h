/* Scalar integer arithmetic of runtime/fixed.h in kernels, and the exponential of softmax.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FIXED_SCALARS_H
#define QN_LOWER_LOOPS_FIXED_SCALARS_H

#include "ir/builder.h"
#include "quant/multiplier.h"

qn_value *qn_scalar_i32(qn_builder *b, int64_t value);
/* qn_rdhm32(x, y) of i32, scalars or lanes, for all but INT32_MIN times itself; i32 result. */
qn_value *qn_scalar_high_product(qn_builder *b, qn_value *x, qn_value *y);
/* qn_fixed_recip_1p of a scalar a >= 0 */
qn_value *qn_scalar_recip_1p(qn_builder *b, qn_value *a);
/* The exponential of a difference from the maximum, a scalar i32 in [0, 255]: qn_softmax_exp of its
 * negative value, or 0 if that is below params->diff_min. */
qn_value *qn_scalar_softmax_exp(qn_builder *b, qn_value *difference,
                                const qn_softmax_params *params);

#endif
