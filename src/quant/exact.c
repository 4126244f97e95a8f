/* Exact comparison of dyadic rationals as multi-limb integers, and proofs for products of doubles.
 *
 * A value farther from a threshold than the rounding error is decided in double; others are
 * compared exactly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/exact.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "runtime/fixed.h"

/* ---- integers of many limbs ---- */

/* Scales are m * 2^e with 24-bit m and -172 <= e <= 104. Products of two scales are multiples of
 * 2^-344 below 2^256. They fit these limbs after multiplication by all factors used here. */
enum { LIMBS = 24, LIMB_BITS = 32, LEAST_EXPONENT = -344 };

/* A non-negative integer. */
typedef struct natural {
  uint32_t limbs[LIMBS];
} natural;

static natural natural_of(uint64_t value) {
  natural n = {{(uint32_t)value, (uint32_t)(value >> LIMB_BITS)}};
  return n;
}

static void multiply(natural *io_n, uint32_t by) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)io_n->limbs[i] * by;
    io_n->limbs[i] = (uint32_t)carry;
    carry >>= LIMB_BITS;
  }
  QN_ASSERT(carry == 0);
}

static void shift_left(natural *io_n, int by) {
  const int limbs = by / LIMB_BITS, bits = by % LIMB_BITS;
  for (int i = LIMBS - 1; i >= 0; i--) {
    uint64_t high = i >= limbs ? io_n->limbs[i - limbs] : 0;
    uint64_t low = i > limbs ? io_n->limbs[i - limbs - 1] : 0;
    uint64_t both = (high << LIMB_BITS | low) << bits;
    io_n->limbs[i] = (uint32_t)(both >> LIMB_BITS);
  }
}

static void add(natural *io_n, const natural *other) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)io_n->limbs[i] + other->limbs[i];
    io_n->limbs[i] = (uint32_t)carry;
    carry >>= LIMB_BITS;
  }
  QN_ASSERT(carry == 0);
}

static int compare(const natural *a, const natural *b) {
  for (int i = LIMBS - 1; i >= 0; i--)
    if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i] ? -1 : 1;
  return 0;
}

/* ---- terms ---- */

typedef struct dyadic {
  uint32_t mantissa;
  int exponent;
} dyadic;

static dyadic dyadic_of(double scale) {
  int exponent;
  double fraction = frexp(scale, &exponent);
  return (dyadic){(uint32_t)ldexp(fraction, 24), exponent - 24};
}

bool qn_exact_is_scale(double scale) {
  return scale > 0 && isfinite(scale) && (double)(float)scale == scale;
}

/* Adds |value| * first * second, in units of 2^LEAST_EXPONENT, to sides[0] if value >= 0, else to
 * sides[1]. */
static void add_term(natural sides[2], int64_t value, dyadic first, dyadic second) {
  natural n = natural_of(value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
  multiply(&n, first.mantissa);
  multiply(&n, second.mantissa);
  shift_left(&n, first.exponent + second.exponent - LEAST_EXPONENT);
  add(&sides[value < 0], &n);
}

int qn_exact_compare(const qn_exact *exact, int64_t n, int64_t half) {
  natural sides[2] = {{{0}}, {{0}}}; /* sums of the positive and of the negative terms */
  const dyadic one = {1, 0}, step = dyadic_of(exact->step);
  const dyadic part = {(uint32_t)exact->count, -1};
  add_term(sides, n - exact->term, dyadic_of(exact->factors[0]), dyadic_of(exact->factors[1]));
  if (exact->term != 0) add_term(sides, exact->term, dyadic_of(exact->term_factor), one);
  add_term(sides, -half, step, part);
  return compare(&sides[0], &sides[1]);
}

/* ---- rounding ---- */

static double factor_of(const qn_exact *e) {
  return e->factors[0] * e->factors[1] / (e->step * (double)e->count);
}
static double offset_of(const qn_exact *e) {
  if (e->term == 0) return 0;
  double more = e->term_factor - e->factors[0] * e->factors[1]; /* the product is exact in double */
  return (double)e->term * more / (e->step * (double)e->count);
}

/* Upper bound of the rounding error of n * factor + offset near the value `y`. */
static double error_of(double y, double offset) { return (fabs(y) + 2 * fabs(offset)) * 0x1p-49; }

static bool reaches(const qn_exact *e, int64_t n, int64_t value) {
  int order = qn_exact_compare(e, n, 2 * value - 1);
  return order > 0 || (order == 0 && value % 2 == 0);
}

int64_t qn_exact_round(const qn_exact *exact, int64_t n) {
  const int64_t most = INT64_C(1) << 32;
  double offset = offset_of(exact), y = (double)n * factor_of(exact) + offset;
  double error = error_of(y, offset);
  if (y >= (double)most + 1 && error < 1) return most;
  if (y <= -(double)most - 1 && error < 1) return -most;
  int64_t value = (int64_t)fmax(fmin(nearbyint(y), (double)most), -(double)most);
  if (fabs(y - (double)value) + error < 0.5) return value;
  while (value < most && reaches(exact, n, value + 1)) value++;
  while (value > -most && !reaches(exact, n, value)) value--;
  return value;
}

/* ---- products of doubles ---- */

static double sum_of(const qn_even_form *f, int64_t n) {
  double product = (double)n * f->factor, sum = product + f->offset;
  return f->divisor == 1 ? sum : sum / f->divisor;
}
static double offset_in_steps(const qn_even_form *f) { return f->offset / f->divisor; }
static double factor_in_steps(const qn_even_form *f) { return f->factor / f->divisor; }

/* Whether f and the exact value at n are on the same side of the border value - 1/2. */
static bool agrees(const qn_exact *e, const qn_even_form *f, int64_t n, int64_t value) {
  double away = sum_of(f, n) - ((double)value - 0.5);
  double error = error_of((double)value, offset_in_steps(f)) + 0x1p-60;
  if (fabs(away) > error) return true;
  bool up = away > 0 || (away == 0 && value % 2 == 0);
  return up == reaches(e, n, value);
}

/* Whether f and the exact rounding agree on the border value - 1/2 for all n in [lo, hi]. Both grow
 * with n. If no integer n is within the rounding error of the position where f meets the border,
 * both cross it between the same two integers. Otherwise the four integers nearest to that position
 * are checked. All others are farther from it than the errors, because one step of n exceeds the
 * errors. */
static bool agrees_near(const qn_exact *e, const qn_even_form *f, int64_t lo, int64_t hi,
                        int64_t value) {
  const double factor = factor_in_steps(f), offset = offset_in_steps(f);
  double at = ((double)value - 0.5 - offset) / factor;
  if (at < (double)lo - 2 || at > (double)hi + 2) return true;
  if (!(factor > 4 * error_of((double)value, offset))) return false;
  const double below = floor(at), error = 2 * error_of((double)value, offset) + 0x1p-60;
  if ((at - below) * factor > error && (below + 1 - at) * factor > error) return true;
  int64_t first = (int64_t)below - 1;
  for (int64_t n = first; n <= first + 3; n++)
    if (n >= lo && n <= hi && !agrees(e, f, n, value)) return false;
  return true;
}

static bool is_proved(const qn_exact *e, const qn_even_form *f, int64_t lo, int64_t hi, int64_t min,
                      int64_t max) {
  for (int64_t v = min + 1; v <= max; v++)
    if (!agrees_near(e, f, lo, hi, v)) return false;
  return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The factor as a quotient of the integer mantissas, reduced by their gcd. */
static qn_even_form quotient_of(const qn_exact *e) {
  const dyadic first = dyadic_of(e->factors[0]), second = dyadic_of(e->factors[1]);
  const dyadic step = dyadic_of(e->step);
  uint64_t above = (uint64_t)first.mantissa * second.mantissa;
  uint64_t below = step.mantissa * (uint64_t)e->count;
  const uint64_t common = common_divisor(above, below);
  above /= common, below /= common;
  qn_even_form form = {.factor =
                           ldexp((double)above, first.exponent + second.exponent - step.exponent),
                       .divisor = (double)below};
  if (e->term != 0) {
    double more = e->term_factor - e->factors[0] * e->factors[1];
    form.offset = ldexp((double)e->term * more / (double)common, -step.exponent);
  }
  return form;
}

qn_even_form qn_even_form_find(const qn_exact *exact, int64_t lo, int64_t hi, int64_t min,
                               int64_t max) {
  static const int ulps[] = {0, 1, -1, 2, -2};
  qn_even_form form = {false, factor_of(exact), offset_of(exact), 1};
  const double factor = form.factor;
  if (!isfinite(factor) || !(factor >= 0x1p-500) || !isfinite(form.offset)) return form;
  for (size_t i = 0; i < sizeof ulps / sizeof *ulps && !form.proved; i++) {
    form.factor = factor + ulps[i] * (nextafter(factor, HUGE_VAL) - factor);
    form.proved = is_proved(exact, &form, lo, hi, min, max);
  }
  if (form.proved) return form;
  form = quotient_of(exact);
  form.proved = is_proved(exact, &form, lo, hi, min, max);
  return form;
}
