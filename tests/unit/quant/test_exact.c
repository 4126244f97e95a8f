/* Exact requantization compared with rational numbers of 128 bits, and proved products of doubles
 * compared with it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/check.h"
#include "quant/exact.h"
#include "quant/exact_unary.h"
#include "quant/fma_form.h"
#include "runtime/fixed.h"

__extension__ typedef __int128 wide;

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* m * 2^e, where m has few bits or 24. */
static double random_scale(uint64_t *state, int bits) {
  uint64_t mantissa = (next_random(state) >> 20) % (UINT64_C(1) << bits) | 1;
  return ldexp((double)mantissa, -bits - (int)(next_random(state) >> 40) % 4);
}

/* ---- the same with integers of 128 bits, for scales with exponents near 0 ---- */

enum { PLACES = 36 }; /* all scales here are multiples of 2^-PLACES */

static wide fixed_of(double scale) { return (wide)ldexp(scale, PLACES); }

/* Numerator and denominator of r(n). */
static void fraction_of(const qn_exact *e, int64_t n, wide *above, wide *below) {
  *above = (wide)(n - e->term) * fixed_of(e->factors[0]) * fixed_of(e->factors[1]);
  if (e->term) *above += (wide)e->term * fixed_of(e->term_factor) * ((wide)1 << PLACES);
  *below = fixed_of(e->step) * e->count * ((wide)1 << PLACES);
}

static int64_t rounded(const qn_exact *e, int64_t n) {
  wide above, below;
  fraction_of(e, n, &above, &below);
  wide floor_ = above / below;
  if (above < 0 && floor_ * below != above) floor_--;
  const wide most = (wide)1 << 32;
  wide rest = 2 * (above - floor_ * below);
  wide y = floor_ + (rest > below || (rest == below && (floor_ & 1)));
  return (int64_t)(y > most ? most : y < -most ? -most : y);
}

static qn_exact random_exact(uint64_t *state) {
  static const int bits[] = {1, 2, 3, 8, 24};
  int of = bits[next_random(state) >> 20 & 3], step_of = bits[(next_random(state) >> 20) % 5];
  qn_exact e = {.factors = {random_scale(state, of), random_scale(state, of)},
                .term_factor = random_scale(state, of),
                .step = random_scale(state, step_of),
                .count = 1 + (int64_t)(next_random(state) >> 30) % 50};
  if (next_random(state) & 1) e.count = 1;
  if (next_random(state) & 2) e.term = (int64_t)(next_random(state) >> 50) - 8192;
  return e;
}

static void test_rounds_as_rationals(void **unused) {
  (void)unused;
  uint64_t state = 88172645463325252U;
  int ties = 0;
  for (int i = 0; i < 200000; i++) {
    const qn_exact e = random_exact(&state);
    int64_t n = (int64_t)(next_random(&state) >> 44) - (1 << 19);
    wide above, below;
    fraction_of(&e, n, &above, &below);
    ties += (2 * above) % below == 0 && above % below != 0;
    assert_int_equal(qn_exact_round(&e, n), rounded(&e, n));
    int64_t half = 2 * rounded(&e, n) + 1;
    wide difference = 2 * above - (wide)half * below;
    assert_int_equal(qn_exact_compare(&e, n, half), (difference > 0) - (difference < 0));
  }
  assert_true(ties > 1000);
}

/* All exponents, also pairs of which one term is negligible. */
static void test_far_scales(void **unused) {
  (void)unused;
  const qn_exact small = {.factors = {0x1p-149, 0x1p-149}, .step = 0x1.fffffep127, .count = 1};
  const qn_exact large = {
      .factors = {0x1.fffffep127, 0x1.fffffep127}, .step = 0x1p-149, .count = UINT32_MAX};
  assert_int_equal(qn_exact_round(&small, INT64_C(1) << 61), 0);
  assert_int_equal(qn_exact_compare(&small, 1, 0), 1);
  assert_int_equal(qn_exact_compare(&small, 0, 0), 0);
  assert_int_equal(qn_exact_round(&large, 1), INT64_C(1) << 32);
  assert_int_equal(qn_exact_round(&large, -1), -(INT64_C(1) << 32));
  /* The bias, in another scale, changes the result by less than a double can represent beside it.
   */
  const qn_exact tie = {.factors = {0.5, 1}, .term_factor = 0.5, .term = 1, .step = 1, .count = 1};
  qn_exact above = tie;
  above.term_factor = (double)nextafterf(0.5F, 1);
  assert_int_equal(qn_exact_round(&tie, 1), 0);
  assert_int_equal(qn_exact_round(&above, 1), 1);
  assert_int_equal(qn_exact_round(&tie, 3), 2);
}

static int64_t evaluated(const qn_even_form *f, int64_t n) {
  double y = (double)n * f->factor + f->offset;
  return (int64_t)nearbyint(fmax(fmin(y / f->divisor, 0x1p40), -0x1p40));
}

static int64_t clamped(int64_t y, int64_t min, int64_t max) {
  return y < min ? min : y > max ? max : y;
}

/* All n of a small range. */
static void test_forms_are_exact(void **unused) {
  (void)unused;
  uint64_t state = 362436069362436069U;
  int found = 0, divided = 0, all = 0;
  for (int i = 0; i < 1500; i++, all++) {
    const qn_exact e = random_exact(&state);
    const int64_t max = i % 2 ? 127 : 4000, reach = 3000;
    qn_even_form f = qn_even_form_find(&e, -reach, reach, -max - 1, max);
    found += f.proved;
    divided += f.proved && f.divisor != 1;
    for (int64_t n = -reach; f.proved && n <= reach; n++)
      if (clamped(evaluated(&f, n), -max - 1, max) != clamped(rounded(&e, n), -max - 1, max))
        fail_msg("case %d, n %lld", i, (long long)n);
  }
  assert_int_equal(found, all);
  assert_true(divided > 0 && divided < all / 10);
}

/* Kernels round as the form does. */
static void test_rounding_even(void **unused) {
  (void)unused;
  assert_int_equal(qn_requant_even(1, 0.5, 0), 0);
  assert_int_equal(qn_requant_even(3, 0.5, 0), 2);
  assert_int_equal(qn_requant_even(-1, 0.5, 1), 0);
  assert_int_equal(qn_requant_even(1 << 30, 0x1p40, 0), INT32_MAX);
  assert_int_equal(qn_requant_even(-(1 << 30), 0x1p40, 0), INT32_MIN);
}

/* For nearly all channels, kernels have a cheap form, as for other roundings; the others use
 * doubles. */
static void test_kernels_have_forms(void **unused) {
  (void)unused;
  enum { CHANNELS = 400 };
  uint64_t state = 88172645463325252U;
  int bits = 0, floats = 0;
  for (int i = 0; i < CHANNELS; i++) {
    const qn_exact e = {.factors = {random_scale(&state, 24) / 32, random_scale(&state, 24) / 64},
                        .step = (0.5 + random_scale(&state, 24)) / 4,
                        .count = 1};
    const qn_interval range = {-(1 << 20), 1 << 20};
    qn_exact single = e;
    single.step = (double)(float)e.step;
    qn_even_form f = qn_even_form_find(&single, INT32_MIN, INT32_MAX, -128 - 3, 127 - 3);
    const qn_requant r = {.rounding = QN_REQUANT_EVEN,
                          .real = f.factor,
                          .offset = f.offset,
                          .zero_point = 3,
                          .min = -128,
                          .max = 127};
    assert_true(f.proved && f.divisor == 1);
    qn_steps steps;
    qn_steps_find(&r, range, &steps);
    assert_true(steps.found);
    for (int32_t v = steps.first + 1; v <= steps.last; v++) {
      int32_t at = qn_steps_threshold(&steps, v);
      assert_true(rounded(&single, at) + 3 >= v && rounded(&single, at - 1) + 3 < v);
    }
    bits += qn_fma_form_find_bits(&steps).kind != QN_FMA_NONE;
    qn_fma_form any = qn_fma_form_find(&steps);
    if (any.kind == QN_FMA_NONE) any = qn_fma_form_find_truncated(&steps);
    floats += any.kind != QN_FMA_NONE;
  }
  printf("of %d channels %d have a form by bits, %d one of float32\n", CHANNELS, bits, floats);
  assert_true(bits >= CHANNELS * 45 / 100 && floats >= CHANNELS * 95 / 100);
}

/* ---- functions of one value ---- */

static long double logistic(long double x) { return 1 / (1 + expl(-x)); }
static long double hard_swish(long double x) { return x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6; }
static long double root(long double x) { return sqrtl(x); }
static long double square(long double x) { return x * x; }

static const struct {
  qn_exact_function function;
  long double (*real)(long double x);
  bool is_unsigned;
} functions[] = {
    {QN_EXACT_SIGMOID, logistic, false}, {QN_EXACT_TANH, tanhl, false},
    {QN_EXACT_EXP, expl, false},         {QN_EXACT_ERF, erfl, false},
    {QN_EXACT_LOG, logl, true},          {QN_EXACT_HARD_SWISH, hard_swish, false},
    {QN_EXACT_SQRT, root, true},         {QN_EXACT_SQUARE, square, false},
    {QN_EXACT_ABS, fabsl, false},        {QN_EXACT_FLOOR, floorl, false},
};

static void test_functions(void **unused) {
  (void)unused;
  uint64_t state = 521288629521288629U;
  for (size_t i = 0; i < QN_COUNT(functions); i++)
    for (int turn = 0; turn < 50; turn++) {
      const qn_exact_unary u = {.function = functions[i].function,
                                .scale = random_scale(&state, turn % 2 ? 2 : 24),
                                .step = random_scale(&state, turn % 3 ? 24 : 2) / 16};
      for (int64_t n = functions[i].is_unsigned ? 1 : -128; n < 128; n++) {
        long double y = functions[i].real((long double)n * (long double)u.scale);
        long double steps = y / (long double)u.step;
        int64_t got;
        if (!(fabsl(steps) < 0x1p31L)) continue;
        assert_true(qn_exact_unary_round(&u, n, &got));
        assert_int_equal(got, llrintl(steps));
      }
    }
}

/* Roots of so many steps that they are near a tie for doubles, and that their squares do not fit.
 */
static void test_large_roots(void **unused) {
  (void)unused;
  uint64_t state = 362436069362436069U;
  for (int bits = 20; bits < 40; bits++)
    for (int64_t n = 1; n < 4096; n++) {
      const qn_exact_unary u = {.function = QN_EXACT_SQRT,
                                .scale = random_scale(&state, 24),
                                .step = ldexp(random_scale(&state, 24), -bits)};
      long double steps = sqrtl((long double)n * (long double)u.scale) / (long double)u.step;
      int64_t got;
      assert_true(qn_exact_unary_round(&u, n, &got));
      assert_int_equal(got, steps < 0x1p30L ? llrintl(steps) : INT64_C(1) << 32);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds_as_rationals), cmocka_unit_test(test_far_scales),
      cmocka_unit_test(test_forms_are_exact),     cmocka_unit_test(test_rounding_even),
      cmocka_unit_test(test_functions),           cmocka_unit_test(test_large_roots),
      cmocka_unit_test(test_kernels_have_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
