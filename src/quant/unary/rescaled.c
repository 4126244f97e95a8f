/* Functions that rescale: rectifiers, requantization, operands of a concatenation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/unary/unary.h"

static void prepare_relu(qn_unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_relu(u->input.scale, u->output.scale));
  qn_activation_range(QN_ACT_RELU, u->output, &u->min, &u->max);
}
static void prepare_relu6(qn_unary *u) {
  prepare_relu(u);
  qn_unary_check_held(u, 6.0F / (float)u->output.scale);
  qn_activation_range(QN_ACT_RELU6, u->output, &u->min, &u->max);
}
static void prepare_relu_n1_to_1(qn_unary *u) {
  prepare_relu(u);
  qn_unary_check_held(u, 1.0F / (float)u->output.scale);
  qn_activation_range(QN_ACT_RELU_N1_TO_1, u->output, &u->min, &u->max);
}
static void prepare_requantize(qn_unary *u) {
  u->multiplier = qn_multiplier_of(qn_real_requantize(u->input.scale, u->output.scale));
}
static void prepare_requantize_8_bits(qn_unary *u) {
  u->multiplier = qn_multiplier_of_8_bits((float)u->input.scale / (float)u->output.scale);
}
static int32_t rescaled(const qn_unary *u, int32_t x) {
  int32_t y = qn_requant32(x - u->input.zero_point, u->multiplier.mantissa, u->multiplier.shift);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}

static int32_t rescaled_up(const qn_unary *u, int32_t x) {
  int32_t y = qn_requant32_up(x - u->input.zero_point, u->multiplier.mantissa, u->multiplier.shift);
  return qn_clamp32((int64_t)y + u->output.zero_point, u->min, u->max);
}

/* Clamps stored values only, as if input and result had equal quantization (QN_RELU6_CLAMPED). */
static void prepare_relu6_unscaled(qn_unary *u) {
  qn_activation_range(QN_ACT_RELU6, u->input, &u->min, &u->max);
}
static int32_t clamped(const qn_unary *u, int32_t x) { return qn_clamp32(x, u->min, u->max); }

/* A uint8 operand of CONCATENATION with another quantization than the result (docs/arithmetic.md
 * 9): product and sum are rounded to float32 separately. */
static void prepare_concat(qn_unary *u) {
  float inverse = 1.0F / (float)u->output.scale;
  u->scale = (float)u->input.scale * inverse;
  u->offset = (float)-u->input.zero_point * u->scale;
}
static int32_t concat_entry(const qn_unary *u, int32_t x) {
  if (u->input.scale == u->output.scale && u->input.zero_point == u->output.zero_point) return x;
  float scaled = (float)x * u->scale;
  float y = scaled + u->offset;
  return qn_clamp32((int64_t)qn_round_away_i32((double)y) + u->output.zero_point, u->min, u->max);
}

/* ---- rules ---- */

const qn_unary_rule *qn_unary_relu(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare_relu, rescaled, NULL};
  (void)profile;
  return &rule;
}

const qn_unary_rule *qn_unary_relu6(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_RELU6_RESCALED] = {prepare_relu6, rescaled, NULL},
      [QN_RELU6_CLAMPED] = {prepare_relu6_unscaled, clamped, NULL}};
  return &rules[profile->relu6];
}

const qn_unary_rule *qn_unary_relu_n1_to_1(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare_relu_n1_to_1, rescaled, NULL};
  (void)profile;
  return &rule;
}

const qn_unary_rule *qn_unary_requantize(const qn_profile *profile) {
  static const qn_unary_rule rules[] = {
      [QN_FACTOR_31_BITS] = {prepare_requantize, rescaled, NULL},
      [QN_FACTOR_31_BITS_BY_PLACE] = {prepare_requantize, rescaled, NULL},
      [QN_FACTOR_8_BITS] = {prepare_requantize_8_bits, rescaled, NULL}};
  return &rules[profile->rescale];
}

const qn_unary_rule *qn_unary_recode(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare_requantize, rescaled, NULL};
  (void)profile;
  return &rule;
}

const qn_unary_rule *qn_unary_recode_up(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare_requantize, rescaled_up, NULL};
  (void)profile;
  return &rule;
}

const qn_unary_rule *qn_unary_concat_rescale(const qn_profile *profile) {
  static const qn_unary_rule rule = {prepare_concat, concat_entry, NULL};
  (void)profile;
  return &rule;
}
