/* Real functions evaluated in float32, and functions with two slopes (docs/arithmetic.md 3.4, 9.6).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "quant/unary/unary.h"

#define RULE(name, prepare_fn, entry_fn, sample_fn)                                                \
  const qn_unary_rule *qn_unary_##name(const qn_profile *profile) {                                \
    static const qn_unary_rule rule = {prepare_fn, entry_fn, sample_fn};                           \
    (void)profile;                                                                                 \
    return &rule;                                                                                  \
  }
#define SAMPLED(name, function)                                                                    \
  static int32_t name##_entry(const qn_unary *u, int32_t x) {                                      \
    return qn_unary_float(u, x, function);                                                         \
  }                                                                                                \
  static float name##_sample(const qn_unary *u, float x) {                                         \
    (void)u;                                                                                       \
    return function(x);                                                                            \
  }                                                                                                \
  RULE(name, qn_unary_prepare_float, name##_entry, name##_sample)

SAMPLED(exp, expf)

/* For real x <= 0, where the logarithm is not defined, the result is the minimum. */
static int32_t log_entry(const qn_unary *u, int32_t x) {
  return x <= u->input.zero_point ? u->min : qn_unary_float(u, x, logf);
}
static float log_sample(const qn_unary *u, float x) {
  float lowest = (float)(u->min - u->output.zero_point) * (float)u->output.scale;
  return x <= 0.0F ? lowest : logf(x);
}
RULE(log, qn_unary_prepare_float, log_entry, log_sample)

/* ---- ELU: an exponential below 0 ---- */

static float elu_by_expm1(float x) { return x < 0 ? expm1f(x) : x; }
static float elu_by_exp(float x) { return x < 0 ? expf(x) - 1.0F : x; }
static int32_t elu_expm1_entry(const qn_unary *u, int32_t x) {
  return qn_unary_float(u, x, elu_by_expm1);
}
static int32_t elu_exp_entry(const qn_unary *u, int32_t x) {
  return qn_unary_float(u, x, elu_by_exp);
}
const qn_unary_rule *qn_unary_elu(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_ELU_BY_EXPM1] = {qn_unary_prepare_float, elu_expm1_entry, NULL},
      [QN_ELU_BY_EXP] = {qn_unary_prepare_float, elu_exp_entry, NULL}};
  return &rules[profile->elu];
}

/* ---- GELU: three approximations, evaluated from left to right in f32 ---- */

static float gelu_by_error(float x) { return 0.5F * x * erfcf(-x * 0.70710677F); }
static float gelu_by_tangent(float x) {
  float cubic = x + 0.044715F * x * x * x;
  return 0.5F * x * (1.0F + tanhf(0.7978846F * cubic));
}
static float gelu_by_logistic(float x) { return x / (1.0F + expf(-1.702F * x)); }
SAMPLED(gelu, gelu_by_error)
SAMPLED(gelu_approximate, gelu_by_tangent)
SAMPLED(gelu_logistic, gelu_by_logistic)

/* ---- LEAKY_RELU and ABS: one slope for negative and one for other values ---- */

static void prepare_leaky(qn_unary *u) {
  float input = (float)u->input.scale, output = (float)u->output.scale;
  float below = input * fabsf(u->parameter);
  u->multiplier = qn_multiplier_of((double)(input / output));
  u->other = qn_multiplier_of((double)(below / output));
  if (u->parameter < 0) u->other.mantissa = -u->other.mantissa;
}
static int32_t leaky_entry(const qn_unary *u, int32_t x) {
  int32_t d = x - u->input.zero_point;
  qn_multiplier m = d >= 0 ? u->multiplier : u->other;
  return qn_clamp32((int64_t)qn_requant32(d, m.mantissa, m.shift) + u->output.zero_point, u->min,
                    u->max);
}
static void prepare_leaky_8_bits(qn_unary *u) {
  float ratio = (float)u->input.scale / (float)u->output.scale;
  u->multiplier = qn_multiplier_of_8_bits(ratio);
  u->other = qn_multiplier_of_8_bits(ratio * u->parameter);
}
const qn_unary_rule *qn_unary_leaky_relu(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_FACTOR_31_BITS] = {prepare_leaky, leaky_entry, NULL},
      [QN_FACTOR_8_BITS] = {prepare_leaky_8_bits, leaky_entry, NULL},
  };
  return &rules[profile->leaky];
}
RULE(leaky_relu_words, prepare_leaky, leaky_entry, NULL)

static int32_t abs_entry(const qn_unary *u, int32_t x) {
  int32_t d = x - u->input.zero_point, y = d < 0 ? -d : d;
  if (u->input.scale != u->output.scale)
    y = qn_requant32(y, u->multiplier.mantissa, u->multiplier.shift);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}
static void prepare_abs(qn_unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_relu(u->input.scale, u->output.scale));
}
RULE(abs, prepare_abs, abs_entry, NULL)

/* ---- SQRT and RSQRT ---- */

/* The root in steps of the output, truncated like by the kernel, plus the zero point. NaN becomes
 * the zero point, as in all functions. */
static int32_t sqrt_entry(const qn_unary *u, int32_t x) {
  float root = sqrtf((float)u->input.scale * (float)(x - u->input.zero_point));
  float steps = root / (float)u->output.scale;
  int64_t y = steps < 0x1p31F ? (int64_t)steps : INT32_MAX;
  if (!isnan(root)) qn_unary_check_held(u, steps);
  return qn_clamp32((isnan(root) ? 0 : y) + u->output.zero_point, u->min, u->max);
}
static void prepare_nothing(qn_unary *u) { (void)u; }
RULE(sqrt, prepare_nothing, sqrt_entry, NULL)

double qn_real_rsqrt(double input, double output) {
  float root = sqrtf((float)input), product = root * (float)output;
  return 1.0 / (double)product;
}
static void prepare_rsqrt(qn_unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_rsqrt(u->input.scale, u->output.scale));
}
/* The kernel rejects x < 0; here such x gives the result of 0, the maximum. */
static int32_t rsqrt_entry(const qn_unary *u, int32_t x) {
  enum { SHIFT = 20 };
  int32_t d = x - u->input.zero_point;
  if (d <= 0) return u->max;
  qn_fixed_recip root = qn_fixed_inv_sqrt(d);
  int32_t y = qn_requant32(1, root.value, SHIFT - root.exponent);
  y = qn_requant32(y, u->multiplier.mantissa, u->multiplier.shift - SHIFT);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}
static float rsqrt_sample(const qn_unary *u, float x) {
  return x <= 0.0F ? (float)u->max * (float)u->output.scale : 1.0F / sqrtf(x);
}
RULE(rsqrt, prepare_rsqrt, rsqrt_entry, rsqrt_sample)
