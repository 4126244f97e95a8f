/* Cases in which upstream's lowering has the results of the definition, although it computes in the
 * expressed type, truncates instead of rounding, and does not saturate. Stored values and zero
 * points have fewer bits than the type holds, results are in range, and quotients are integers, or
 * exceed one by 0.1 to 0.4 in magnitude.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "case.h"
#include "ir/types/float_format.h"

/* A stored value of at most `bits` bits. */
static int64_t small_stored(quant_case *c, int bits) {
  int64_t limit = INT64_C(1) << bits;
  return quant_between(c, c->min > -limit ? c->min : -limit, c->max < limit ? c->max : limit);
}

static int precision(const quant_case *c) { return quant_formats[c->expressed].precision; }
/* Number of bits of stored values and zero points for qcast. Six bits of the float's precision
 * remain for rounding errors. */
static int quotient_bits(const quant_case *c) { return precision(c) - 6; }

/* Whether the scale has at most three significant bits: then products with numbers of quotient_bits
 * + 2 bits are exact. */
static bool is_simple(double scale) {
  int exponent;
  double mantissa = 8 * frexp(scale, &exponent);
  return mantissa == floor(mantissa);
}

quant_case quant_case_agreeing(uint64_t seed) {
  quant_case c = quant_case_random(seed, QN_EXACT_EVEN, 0);
  while (c.count == 0) c = quant_case_random(quant_next(&c), QN_EXACT_EVEN, 0);
  c.agrees = true;
  if (c.min > 0 || c.max < 0) c.min = c.low, c.max = c.high;
  int reach = c.expressed == QN_F16 ? 3 : 10;
  for (int64_t i = 0; i < quant_grid_count(&c); i++) {
    double fraction = quant_one_in(&c, 2) ? (double)quant_between(&c, 4, 7) / 8
                                          : 0.5 + (double)(quant_next(&c) >> 11) * 0x1p-54;
    double scale = ldexp(fraction, (int)quant_between(&c, -reach, reach));
    c.scales[i] = qn_float_round(c.expressed, scale);
    c.zero_points[i] = small_stored(&c, quotient_bits(&c));
  }
  return c;
}

double quant_agreeing_real(quant_case *c, int64_t element) {
  int64_t k = quant_grid_at(c, element), stored = small_stored(c, quotient_bits(c));
  double scale = quant_scale_of(c, k), beyond = (double)quant_between(c, 10, 40) / 100;
  if (is_simple(scale) && quant_one_in(c, 2)) beyond = 0;
  if (stored < 0 || (stored == 0 && quant_one_in(c, 2))) beyond = -beyond;
  return qn_float_round(c->expressed, ((double)(stored - c->zero_points[k]) + beyond) * scale);
}

int64_t quant_agreeing_stored(quant_case *c) {
  return small_stored(c, precision(c) < 34 ? precision(c) - 1 : 33);
}
