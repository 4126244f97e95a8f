/* Activation clamps and 256-entry tables of unary 8-bit operators.
 *
 * A table is filled by one function of the stored value per (operator, profile); everything that
 * does not depend on the element is prepared once in `unary`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/range.h"

#include "base/check.h"
#include "quant/multiplier.h"

static const struct { bool has_lo, has_hi; float lo, hi; } activations[] = {
    [QN_ACT_NONE] = {false, false, 0, 0},
    [QN_ACT_RELU] = {true, false, 0, 0},
    [QN_ACT_RELU6] = {true, true, 0, 6},
    [QN_ACT_RELU_N1_TO_1] = {true, true, -1, 1},
};

/* The stored value of a real limit, within the storage range. */
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

/* One table in the making. */
typedef struct unary {
  qn_affine8 input, output;
  qn_multiplier multiplier;
  int32_t min, max;    /* clamp */
  int32_t radius;      /* fixed-point functions: saturated beyond */
  float scale, offset; /* float forms */
} unary;
typedef int32_t entry_fn(const unary *u, int32_t x);

/* ---- fixed-point logistic and tanh (spec 8.1), input in Q4 ---- */

enum { FIXED_INTEGER_BITS = 4 };

static void prepare_fixed(unary *u) {
  const int fraction = 31 - FIXED_INTEGER_BITS;
  u->multiplier = qn_multiplier_of(ldexp(u->input.scale, fraction));
  double radius = ldexp((1 << FIXED_INTEGER_BITS) - 1, fraction - u->multiplier.shift);
  u->radius = (int32_t)fmin(floor(radius), (double)INT32_MAX);
}

static int32_t fixed_argument(const unary *u, int32_t diff) {
  return qn_requant32(diff, u->multiplier.mantissa, u->multiplier.shift);
}

static int32_t fixed_logistic(const unary *u, int32_t x) {
  int32_t diff = x - u->input.zero_point;
  if (diff <= -u->radius) return u->min;
  if (diff >= u->radius) return u->max;
  int32_t y = qn_fixed_logistic(fixed_argument(u, diff), FIXED_INTEGER_BITS);
  return qn_clamp32(qn_rdivp2(y, 23) - 128, u->min, u->max);
}

static int32_t fixed_tanh(const unary *u, int32_t x) {
  int32_t diff = x - u->input.zero_point;
  if (diff <= -u->radius) return u->min;
  if (diff >= u->radius) return u->max;
  int32_t y = qn_fixed_tanh(fixed_argument(u, diff), FIXED_INTEGER_BITS);
  return qn_clamp32(qn_rdivp2(y, 24), u->min, u->max);
}

/* ---- float logistic and tanh (2.9): times the rounded reciprocal, not a division ---- */

static void prepare_float(unary *u) { u->scale = 1.0F / (float)u->output.scale; }

static int32_t float_entry(const unary *u, int32_t x, float (*function)(float)) {
  float y = function((float)u->input.scale * (float)(x - u->input.zero_point));
  float stored = roundf(y * u->scale) + (float)u->output.zero_point;
  /* Already integral: rounding away changes nothing and saturates what float can't hold. */
  return qn_clamp32(qn_round_away_i32((double)stored), u->min, u->max);
}

static float logistic(float x) { return 1.0F / (1.0F + expf(-x)); }
static int32_t float_logistic(const unary *u, int32_t x) { return float_entry(u, x, logistic); }
static int32_t float_tanh(const unary *u, int32_t x) { return float_entry(u, x, tanhf); }

/* ---- rescaling (8.4, 11) ---- */

static void prepare_relu(unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_relu(u->input.scale, u->output.scale));
  qn_activation_range(QN_ACT_RELU, u->output, &u->min, &u->max);
}
static void prepare_relu6(unary *u) {
  prepare_relu(u);
  qn_activation_range(QN_ACT_RELU6, u->output, &u->min, &u->max);
}
static void prepare_requantize(unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_requantize(u->input.scale, u->output.scale));
}
static int32_t rescaled(const unary *u, int32_t x) {
  int32_t y = qn_requant32(x - u->input.zero_point, u->multiplier.mantissa, u->multiplier.shift);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}

/* Equal quantization is assumed, not applied: a quirk of that runtime's RELU6. */
static void prepare_relu6_unscaled(unary *u) {
  qn_activation_range(QN_ACT_RELU6, u->input, &u->min, &u->max);
}
static int32_t clamped(const unary *u, int32_t x) { return qn_clamp32(x, u->min, u->max); }

/* uint8 concatenation with other parameters (9): product and sum are rounded separately. */
static void prepare_concat(unary *u) {
  float inverse = 1.0F / (float)u->output.scale;
  u->scale = (float)u->input.scale * inverse;
  u->offset = (float)-u->input.zero_point * u->scale;
}
static int32_t concat_entry(const unary *u, int32_t x) {
  if (u->input.scale == u->output.scale && u->input.zero_point == u->output.zero_point) return x;
  float scaled = (float)x * u->scale;
  float y = scaled + u->offset;
  return qn_clamp32((int64_t)qn_round_away_i32((double)y) + u->output.zero_point, u->min, u->max);
}

typedef struct unary_rule { void (*prepare)(unary *u); entry_fn *entry; } unary_rule;
static const unary_rule sigmoid[] = {[QN_SIGMOIDAL_FLOAT] = {prepare_float, float_logistic},
                                     [QN_SIGMOIDAL_FIXED] = {prepare_fixed, fixed_logistic}};
static const unary_rule hyperbolic[] = {[QN_SIGMOIDAL_FLOAT] = {prepare_float, float_tanh},
                                        [QN_SIGMOIDAL_FIXED] = {prepare_fixed, fixed_tanh}};
static const unary_rule relu6[] = {[QN_RELU6_RESCALED] = {prepare_relu6, rescaled},
                                   [QN_RELU6_CLAMPED] = {prepare_relu6_unscaled, clamped}};
static const unary_rule relu = {prepare_relu, rescaled};
static const unary_rule requantize = {prepare_requantize, rescaled};
static const unary_rule concat = {prepare_concat, concat_entry};

static const unary_rule *rule_of(qn_unary op, const qn_profile *profile) {
  const unary_rule *const rules[] = {
      [QN_UNARY_SIGMOID] = &sigmoid[profile->sigmoidal],
      [QN_UNARY_TANH] = &hyperbolic[profile->sigmoidal],
      [QN_UNARY_RELU] = &relu,
      [QN_UNARY_RELU6] = &relu6[profile->relu6],
      [QN_UNARY_REQUANTIZE] = &requantize,
      [QN_UNARY_CONCAT_RESCALE] = &concat,
  };
  return rules[op];
}

void qn_unary_table(qn_unary op, const qn_profile *profile, qn_affine8 input, bool input_unsigned,
                    qn_affine8 output, uint8_t table[256]) {
  const unary_rule *rule = rule_of(op, input_unsigned ? profile->uint8_as : profile);
  unary u = {.input = input, .output = output, .min = output.min, .max = output.max};
  rule->prepare(&u);
  for (int32_t byte = 0; byte < 256; byte++) {
    int32_t x = input_unsigned ? byte : (int8_t)byte;
    table[byte] = (uint8_t)rule->entry(&u, x);
  }
}
