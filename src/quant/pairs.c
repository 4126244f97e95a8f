/* Functions of two 8-bit values.
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
    return scaled(a, QN_COMPARISON_SHIFT, p->first) is scaled(b, QN_COMPARISON_SHIFT, p->second);  \
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

/* ---- PRELU: the slope is an operand (8.5) ---- */

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

/* ---- quotients (6.5) ---- */

static void prepare_div(qn_pair *p, const qn_profile *profile) {
  (void)profile;
  float below = (float)p->b.scale * (float)p->output.scale;
  p->result = qn_multiplier_of((double)((float)p->a.scale / below));
}

/* x / 2^n, rounded. For n > 31 the shift count is n modulo 32, as CPUs mask it; measurements of the
 * kernels show these results. */
static int32_t shifted(int32_t x, int32_t n) {
  return n <= 31 ? qn_rdivp2(x, n) : (x >> (n & 31)) + (x >= 0);
}

/* Division by 0, which the kernels reject, gives 0. */
static int32_t div_entry(const qn_pair *p, int32_t a, int32_t b) {
  if (b == 0) return stored(p, 0);
  if (b < 0) a = -a, b = -b;
  qn_fixed_recip inverse = qn_fixed_recip_of((uint32_t)b, 31);
  int32_t headroom = qn_clrsb32(a);
  int32_t quotient = qn_rdhm32(qn_shl32(a, headroom), inverse.value);
  int32_t shift = p->result.shift - inverse.exponent - headroom;
  quotient = qn_rdhm32(quotient, p->result.mantissa);
  return stored(p, shift <= 0 ? shifted(quotient, -shift) : qn_shl32(quotient, shift & 31));
}
const qn_pair_rule qn_pair_div = {prepare_div, div_entry, NULL};
