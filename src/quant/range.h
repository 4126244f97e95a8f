/* Clamp ranges of fused activations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_RANGE_H
#define QN_QUANT_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "quant/profile.h"

typedef enum qn_activation {
  QN_ACT_NONE,
  QN_ACT_RELU,
  QN_ACT_RELU6,
  QN_ACT_RELU_N1_TO_1,
  QN_ACT_FINITE, /* an infinite float32 result becomes the largest finite number of its sign; other
                    results do not change */
  QN_ACT_COUNT
} qn_activation;
#define QN_ACTIVATION_WORDS "none,relu,relu6,relu_n1_to_1,finite" /* names in attributes */

/* Quantization of one 8-bit tensor. */
typedef struct qn_affine8 {
  double scale;
  int32_t zero_point, min, max;
} qn_affine8;

/* The stored values [*out_min, *out_max] to which a fused activation clamps an 8-bit result with
 * this quantization (docs/arithmetic.md 4.2). */
void qn_activation_range(qn_activation activation, qn_affine8 output, int32_t *out_min,
                         int32_t *out_max);

/* The real values to which a fused activation clamps; -infinity and +infinity mean no limit, which
 * includes QN_ACT_FINITE (qn_op_real_limits knows its limits). A
 * result y becomes max(y, low), where -0 < +0, then min of that and high; NaN stays NaN. */
void qn_activation_limits(qn_activation activation, float *out_low, float *out_high);

#endif
