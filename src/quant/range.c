/* Clamp ranges of fused activations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/range.h"

#include <math.h>

#include "base/check.h"
#include "quant/multiplier.h"

static const struct {
  bool has_lo, has_hi;
  float lo, hi;
} activations[] = {
    [QN_ACT_NONE] = {false, false, 0, 0},   [QN_ACT_RELU] = {true, false, 0, 0},
    [QN_ACT_RELU6] = {true, true, 0, 6},    [QN_ACT_RELU_N1_TO_1] = {true, true, -1, 1},
    [QN_ACT_FINITE] = {false, false, 0, 0},
};

/* The stored value of a real limit, clamped to the storage range. */
static int32_t quantized_limit(float limit, qn_affine8 to) {
  return (int32_t)qn_quantize_f32(limit, (float)to.scale, QN_ROUND_AWAY, to.zero_point, to.min,
                                  to.max);
}

void qn_activation_range(qn_activation activation, qn_affine8 output, int32_t *out_min,
                         int32_t *out_max) {
  *out_min = activations[activation].has_lo ? quantized_limit(activations[activation].lo, output)
                                            : output.min;
  *out_max = activations[activation].has_hi ? quantized_limit(activations[activation].hi, output)
                                            : output.max;
}

void qn_activation_limits(qn_activation activation, float *out_low, float *out_high) {
  *out_low = activations[activation].has_lo ? activations[activation].lo : -INFINITY;
  *out_high = activations[activation].has_hi ? activations[activation].hi : INFINITY;
}
