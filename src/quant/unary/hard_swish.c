/* x * relu6(x + 3) / 6 in 16-bit fixed point (docs/arithmetic.md 9.5), equal in all profiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/unary/unary.h"

/* Both multipliers apply to the input with 7 more fraction bits, x * 128. One converts it to steps
 * of the output. The other converts it to steps of 3 / 2^15, so that the interval [-3, 3] fills 16
 * bits. */
static float finer(double input) { return (float)input / 128.0F; }
double qn_real_hard_swish(double input, double output) {
  return (double)(finer(input) / (float)output);
}

/* The multiplier with its mantissa rounded to 16 bits. */
static qn_multiplier narrowed(double real) {
  qn_multiplier m = qn_multiplier_of(real);
  bool fits = m.mantissa < INT32_MAX - (1 << 15);
  m.mantissa = fits ? (m.mantissa + (1 << 15)) >> 16 : INT16_MAX;
  return m;
}

static void prepare(qn_unary *u) {
  u->multiplier = narrowed(qn_real_hard_swish(u->input.scale, u->output.scale));
  u->other = narrowed((double)(finer(u->input.scale) / (3.0F / 32768.0F)));
}

/* The weight relu6(x + 3) / 6, as an integer of 15 fraction bits in [0, 2^15 - 1]. First r = x / 3
 * is computed with 15 fraction bits, saturated to [-2^15, 2^15 - 1]; then the weight is (r + 2^15)
 * / 2. */
static int32_t weight(qn_multiplier m, int32_t x) {
  int32_t r = x;
  if (m.shift > 0) r = qn_sat16((int64_t)r * (INT64_C(1) << (m.shift - 1)));
  r = qn_rdhm16(r, m.mantissa);
  if (m.shift > 0) r = qn_sat16((int64_t)2 * r);
  if (m.shift < 0) r = qn_rdivp2(r, -m.shift);
  return (r + 32768) >> 1;
}

static int32_t entry(const qn_unary *u, int32_t x) {
  int32_t fine = (x - u->input.zero_point) * 128;
  int32_t y = weight(u->other, fine) * qn_rdhm16(fine, u->multiplier.mantissa) / 32768;
  y = qn_rdivp2(y, -u->multiplier.shift);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}

const qn_unary_rule *qn_unary_hard_swish(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare, entry, NULL};
  (void)profile;
  return &rule;
}
