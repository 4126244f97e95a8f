/* The rules of functions of two 8-bit values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/pairs.h"

bool qn_pair_table(const qn_pair_rule *rule, const qn_profile *profile, const qn_pair *ends,
                   bool is_unsigned, uint8_t table[QN_PAIRS]) {
  qn_pair p = {.a = ends->a, .b = ends->b, .output = ends->output};
  rule->prepare(&p, profile);
  if (rule->is_defined && !rule->is_defined(&p)) return false;
  for (int32_t a = 0; a < 256; a++)
    for (int32_t b = 0; b < 256; b++) {
      int32_t x = is_unsigned ? a : (int8_t)a, y = is_unsigned ? b : (int8_t)b;
      table[256 * a + b] = (uint8_t)rule->entry(&p, x - p.a.zero_point, y - p.b.zero_point);
    }
  return true;
}

static int32_t scaled(int32_t x, int32_t left, qn_multiplier m) {
  return qn_requant32(qn_shl32(x, left), m.mantissa, m.shift);
}

static int32_t stored(const qn_pair *p, int32_t y) {
  return qn_clamp32((int64_t)y + p->output.zero_point, p->output.min, p->output.max);
}

/* ---- comparisons: reals in steps of 2^-8 (12) ---- */

static void prepare_comparison(qn_pair *p, const qn_profile *profile) {
  (void)profile;
  p->first = qn_multiplier_of(p->a.scale);
  p->second = qn_multiplier_of(p->b.scale);
}
#define COMPARISON(name, is)                                                                       \
  static int32_t name##_entry(const qn_pair *p, int32_t a, int32_t b) {                            \
    return scaled(a, 8, p->first) is scaled(b, 8, p->second);                                      \
  }                                                                                                \
  const qn_pair_rule qn_pair_##name = {prepare_comparison, name##_entry, NULL};
COMPARISON(equal, ==)
COMPARISON(not_equal, !=)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)

/* ---- squared difference (5.4) ---- */

enum { SQUARE_SHIFT = 7 };

static void prepare_square(qn_pair *p, const qn_profile *profile) {
  (void)profile;
  double twice = 2.0 * (p->a.scale > p->b.scale ? p->a.scale : p->b.scale);
  p->first = qn_multiplier_of(p->a.scale / twice);
  p->second = qn_multiplier_of(p->b.scale / twice);
  p->result =
      qn_multiplier_of(twice * twice / ((double)(1 << (2 * SQUARE_SHIFT)) * p->output.scale));
}
static int32_t square_entry(const qn_pair *p, int32_t a, int32_t b) {
  int32_t u = scaled(a, SQUARE_SHIFT, p->first), v = scaled(b, SQUARE_SHIFT, p->second);
  int32_t d = qn_wrap_sub32(u, v);
  return stored(p, qn_requant32(qn_wrap_mul32(d, d), p->result.mantissa, p->result.shift));
}
static bool below_one(const qn_pair *p) { return p->result.shift <= 0; }
const qn_pair_rule qn_pair_squared_difference = {prepare_square, square_entry, below_one};

/* ---- a slope per element (8.5) ---- */

static void prepare_prelu(qn_pair *p, const qn_profile *profile) {
  float x = (float)p->a.scale, slope = (float)p->b.scale, y = (float)p->output.scale;
  float product = x * slope;
  bool single = profile->mul_ratio == QN_IN_F32;
  p->first = qn_multiplier_of(single ? (double)(x / y) : p->a.scale / p->output.scale);
  p->second =
      qn_multiplier_of(single ? (double)(product / y) : p->a.scale * p->b.scale / p->output.scale);
}
static int32_t prelu_entry(const qn_pair *p, int32_t a, int32_t b) {
  int32_t y = a >= 0 ? scaled(a, 0, p->first) : scaled(qn_wrap_mul32(a, b), 0, p->second);
  return stored(p, y);
}
const qn_pair_rule qn_pair_prelu = {prepare_prelu, prelu_entry, NULL};
