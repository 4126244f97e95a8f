/* Requantization of stored values to another quantization. The quotient n * a / b of an integer and
 * two doubles is never computed: an estimate of its floor is corrected by exact comparisons of
 * products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/reexpress.h"

#include <math.h>

#include "base/check.h"

/* Upper bound of the distance of a stored value from its zero point; larger quotients are clamped.
 */
#define FAR 0x1p40

/* The sign of n * a - m * b for |n|, |m| < 2^53. Each product is represented exactly as a double
 * and its rounding error. `a` and `b` must come from `common`, so that neither product overflows or
 * loses its error. */
static int compare(int64_t n, double a, int64_t m, double b) {
  double x = (double)n * a, y = (double)m * b;
  if (x != y) return x < y ? -1 : 1;
  double x_rest = fma((double)n, a, -x), y_rest = fma((double)m, b, -y);
  return (x_rest > y_rest) - (x_rest < y_rest);
}

/* Multiplies both scales by the same power of two, so that they are near 1. A ratio beyond 2^200 is
 * limited: no stored value can tell the difference. */
static void common(double *a, double *b) {
  int ea, eb;
  double ma = frexp(*a, &ea), mb = frexp(*b, &eb);
  int apart = ea - eb;
  if (apart > 200) apart = 200;
  if (apart < -200) apart = -200;
  *a = ldexp(ma, apart);
  *b = mb;
}

/* Whether n * a / b, which is in [floor, floor + 1), is rounded up. */
static bool rounds_up(int64_t n, double a, double b, int64_t floor, qn_rounding rounding) {
  if (rounding == QN_ROUND_FLOOR) return false;
  if (rounding == QN_ROUND_TOWARD_ZERO) return floor < 0 && compare(n, a, floor, b) != 0;
  int half = compare(2 * n, a, 2 * floor + 1, b);
  if (half != 0) return half > 0;
  return rounding == QN_ROUND_EVEN ? floor % 2 != 0 : floor >= 0;
}

qn_reexpressed qn_reexpress(int64_t stored, const qn_quant_cell *from, const qn_quant_cell *to,
                            qn_rounding rounding) {
  int64_t n = stored - from->zero_point;
  double a = from->scale, b = to->scale;
  common(&a, &b);
  double estimate = (double)n * a / b;
  if (estimate > FAR) return (qn_reexpressed){to->max, false, true};
  if (estimate < -FAR) return (qn_reexpressed){to->min, false, true};
  int64_t floor_ = (int64_t)floor(estimate);
  if (compare(n, a, floor_, b) < 0)
    floor_--;
  else if (compare(n, a, floor_ + 1, b) >= 0)
    floor_++;
  bool inexact = compare(n, a, floor_, b) != 0;
  int64_t value = floor_ + rounds_up(n, a, b, floor_, rounding) + to->zero_point;
  if (value > to->max) return (qn_reexpressed){to->max, inexact, true};
  if (value < to->min) return (qn_reexpressed){to->min, inexact, true};
  return (qn_reexpressed){value, inexact, false};
}

/* If two neighbouring values are exact, the ratio of the scales is an integer, so all values are
 * exact. The mapping is monotone, so its ends decide whether all values are in range. */
bool qn_reexpress_always_exact(const qn_quant_cell *from, const qn_quant_cell *to,
                               int64_t *out_stored) {
  const int64_t tried[] = {from->min, from->min + 1, from->max};
  for (size_t i = 0; i < QN_COUNT(tried); i++) {
    qn_reexpressed r = qn_reexpress(tried[i], from, to, QN_ROUND_FLOOR);
    if (!r.inexact && !r.saturated) continue;
    *out_stored = tried[i];
    return false;
  }
  return true;
}
