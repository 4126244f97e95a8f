/* Filling a table; what rules share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/unary/unary.h"

#include <math.h>

void qn_unary_table(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    bool input_unsigned, uint8_t table[256]) {
  const qn_unary_rule *rule = function(input_unsigned ? profile->uint8_as : profile);
  qn_unary u = {.input = ends->input,
                .output = ends->output,
                .parameter = ends->parameter,
                .min = ends->output.min,
                .max = ends->output.max};
  rule->prepare(&u);
  for (int32_t byte = 0; byte < 256; byte++) {
    int32_t x = input_unsigned ? byte : (int8_t)byte;
    table[byte] = (uint8_t)rule->entry(&u, x);
  }
}

void qn_unary_prepare_float(qn_unary *u) { u->scale = 1.0F / (float)u->output.scale; }

int32_t qn_unary_float(const qn_unary *u, int32_t x, float (*function)(float)) {
  float y = function((float)u->input.scale * (float)(x - u->input.zero_point));
  float stored = roundf(y * u->scale) + (float)u->output.zero_point;
  /* Already integral: rounding away changes nothing and saturates what float can't hold. */
  return qn_clamp32(qn_round_away_i32((double)stored), u->min, u->max);
}
