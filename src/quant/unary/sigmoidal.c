/* Logistic and tanh: in float32, or in fixed point with the output quantization built in.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/unary/unary.h"

#include <math.h>

/* ---- fixed-point logistic and tanh (docs/arithmetic.md 9.1), input in Q4 ---- */

enum { FIXED_INTEGER_BITS = 4 };

static void prepare_fixed(qn_unary *u) {
  const int fraction = 31 - FIXED_INTEGER_BITS;
  u->multiplier = qn_multiplier_of(ldexp(u->input.scale, fraction));
  double radius = ldexp((1 << FIXED_INTEGER_BITS) - 1, fraction - u->multiplier.shift);
  u->radius = (int32_t)fmin(floor(radius), (double)INT32_MAX);
}

static int32_t fixed_argument(const qn_unary *u, int32_t diff) {
  return qn_requant32(diff, u->multiplier.mantissa, u->multiplier.shift);
}

static int32_t fixed_logistic(const qn_unary *u, int32_t x) {
  int32_t diff = x - u->input.zero_point;
  if (diff <= -u->radius) return u->min;
  if (diff >= u->radius) return u->max;
  int32_t y = qn_fixed_logistic(fixed_argument(u, diff), FIXED_INTEGER_BITS);
  return qn_clamp32(qn_rdivp2(y, 23) - 128, u->min, u->max);
}

static int32_t fixed_tanh(const qn_unary *u, int32_t x) {
  int32_t diff = x - u->input.zero_point;
  if (diff <= -u->radius) return u->min;
  if (diff >= u->radius) return u->max;
  int32_t y = qn_fixed_tanh(fixed_argument(u, diff), FIXED_INTEGER_BITS);
  return qn_clamp32(qn_rdivp2(y, 24), u->min, u->max);
}

/* ---- float logistic and tanh (9.2) ---- */

static float logistic(float x) { return 1.0F / (1.0F + expf(-x)); }
static int32_t float_logistic(const qn_unary *u, int32_t x) {
  return qn_unary_float(u, x, logistic);
}
static int32_t float_tanh(const qn_unary *u, int32_t x) { return qn_unary_float(u, x, tanhf); }

/* ---- rules ---- */

const qn_unary_rule *qn_unary_sigmoid(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_SIGMOIDAL_FLOAT] = {qn_unary_prepare_float, float_logistic, NULL},
      [QN_SIGMOIDAL_FIXED] = {prepare_fixed, fixed_logistic, NULL}};
  return &rules[profile->sigmoidal];
}

const qn_unary_rule *qn_unary_tanh(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_SIGMOIDAL_FLOAT] = {qn_unary_prepare_float, float_tanh, NULL},
      [QN_SIGMOIDAL_FIXED] = {prepare_fixed, fixed_tanh, NULL}};
  return &rules[profile->sigmoidal];
}
