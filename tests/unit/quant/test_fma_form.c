/* Requantization by one FMA: an independent proof by evaluation, and success rates.
 *
 * Thresholds are found here by stepping, not by the library's search. Each proved form is checked
 * on both sides of every threshold and, for some channels, for every accumulator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/forms.h"

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}
static double unit_random(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

/* A channel with a real multiplier in [2^octave, 2^(octave + 1)) and the full range of results. */
static qn_requant random_channel(uint64_t *state, int octave, qn_requant_rounding rounding) {
  double real = exp2(octave + unit_random(state));
  if (rounding == QN_REQUANT_SINGLE) real = (double)(float)real;
  int32_t zero_point = (int32_t)(next_random(state) % 256) - 128;
  return (qn_requant){.rounding = rounding,
                      .multiplier = qn_multiplier_of(real),
                      .real = real,
                      .zero_point = zero_point,
                      .min = -128,
                      .max = 127};
}

/* The reference by its definition, without code of qn_requant_apply. */
static int32_t model(const qn_requant *r, int32_t acc) {
  int64_t y;
  if (r->rounding == QN_REQUANT_REAL) {
    y = (int64_t)roundl((long double)((double)acc * r->real));
  } else if (r->rounding == QN_REQUANT_SINGLE) { /* products of floats are exact in double */
    y = (int64_t)rint((double)(float)((double)(float)acc * r->real));
  } else if (r->rounding == QN_REQUANT_ONCE) {
    int64_t half = INT64_C(1) << (30 - r->multiplier.shift);
    y = ((int64_t)acc * r->multiplier.mantissa + half) >> (31 - r->multiplier.shift);
  } else {
    int64_t shifted = (int64_t)acc * (1 << (r->multiplier.shift > 0 ? r->multiplier.shift : 0));
    int64_t high = (shifted * r->multiplier.mantissa + (1 << 30)) >> 31;
    long double again =
        ldexpl((long double)high, r->multiplier.shift < 0 ? r->multiplier.shift : 0);
    y = (int64_t)(r->rounding == QN_REQUANT_UP ? floorl(again + 0.5L) : roundl(again));
  }
  y += r->zero_point;
  return (int32_t)(y < r->min ? r->min : y > r->max ? r->max : y);
}

static void check_at(const qn_requant *r, const qn_fma_form *form, qn_interval range, int64_t acc) {
  if (acc < range.lo || acc > range.hi) return;
  assert_int_equal(qn_fma_form_apply(form, (int32_t)acc, r->min, r->max), model(r, (int32_t)acc));
}

/* Checks the form on both sides of every step of the reference, at both ends, and around zero. */
static void check_steps(const qn_requant *r, const qn_fma_form *form, qn_interval range) {
  for (int32_t v = r->min + 1; v <= r->max; v++) {
    double middle = (v - 0.5 - r->zero_point) / r->real;
    if (fabs(middle) > 2e9) continue;
    int64_t t = (int64_t)middle;
    while (t > range.lo && t <= range.hi && model(r, (int32_t)t) >= v) t--;
    while (t >= range.lo && t < range.hi && model(r, (int32_t)t) < v) t++;
    for (int64_t acc = t - 2; acc <= t + 2; acc++) check_at(r, form, range, acc);
  }
  for (int64_t d = -2; d <= 2; d++) {
    check_at(r, form, range, range.lo + d);
    check_at(r, form, range, d);
    check_at(r, form, range, range.hi + d);
  }
}

/* Percentage of random channels of an octave that have a form. All forms are checked. */
static double success_rate(qn_fma_form_search *search, int octave, qn_requant_rounding rounding,
                           bool relu) {
  const int channels = 80;
  uint64_t seed = 0x9E3779B97F4A7C15ull + (uint64_t)(octave + 64);
  int found = 0;
  for (int i = 0; i < channels; i++) {
    qn_requant r = random_channel(&seed, octave, rounding);
    if (relu) r.zero_point = r.min;
    int64_t reach = (int64_t)fmin(400 / r.real, 1 << 30);
    qn_interval range = {-reach, reach};
    qn_fma_form form = qn_fma_form_of(search, &r, range);
    if (form.kind == QN_FMA_NONE) continue;
    found++;
    check_steps(&r, &form, range);
  }
  return 100.0 * found / channels;
}

typedef struct rates {
  double twice, relu, real, single;
} rates;

static rates measure(qn_fma_form_search *search, int octave, const char *name) {
  rates r = {success_rate(search, octave, QN_REQUANT_DOUBLE, false),
             success_rate(search, octave, QN_REQUANT_DOUBLE, true),
             success_rate(search, octave, QN_REQUANT_REAL, false),
             success_rate(search, octave, QN_REQUANT_SINGLE, false)};
  printf("scale 2^%-3d %-9s double %5.1f%%  double with zero point at the minimum %5.1f%%  real "
         "%5.1f%%  single %5.1f%%\n",
         octave, name, r.twice, r.relu, r.real, r.single);
  return r;
}

static void expect_rates(rates got, rates least) {
  assert_true(got.twice >= least.twice);
  assert_true(got.relu >= least.relu);
  assert_true(got.real >= least.real);
  assert_true(got.single >= least.single);
}

/* Lower bounds of the success rate in percent, by octave of the multiplier; measured and rounded
 * down. For small multipliers, a float between 64 and 128 is too coarse to have all 255 thresholds
 * right. Without conversions, the float multiplier is too coarse. */
static void test_success_rates(void **unused) {
  (void)unused;
  static const struct {
    int octave;
    rates nearest, truncated, bits;
  } rows[] = {
      {-16, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {-13, {8, 2, 8, 8}, {50, 25, 55, 10}, {0, 30, 20, 2}},
      {-12, {24, 7, 28, 18}, {70, 45, 75, 24}, {0, 45, 50, 10}},
      {-11, {64, 32, 62, 50}, {92, 82, 94, 64}, {0, 75, 80, 45}},
      {-10, {88, 75, 88, 78}, {98, 95, 98, 86}, {0, 97, 97, 80}},
      {-9, {98, 96, 98, 98}, {99, 99, 99, 99}, {0, 99, 99, 98}},
      {-8, {99, 98, 99, 99}, {100, 100, 100, 100}, {0, 100, 100, 99}},
      {-7, {100, 100, 100, 100}, {100, 100, 100, 100}, {0, 100, 100, 100}},
      {-5, {100, 100, 100, 100}, {100, 100, 100, 100}, {0, 100, 100, 100}},
      {-2, {100, 100, 100, 100}, {100, 100, 100, 100}, {0, 100, 100, 100}},
      {0, {100, 100, 100, 100}, {100, 100, 100, 100}, {0, 0, 0, 0}},
      {1, {100, 100, 100, 100}, {100, 100, 100, 100}, {0, 0, 0, 0}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    expect_rates(measure(qn_fma_form_find, rows[i].octave, "nearest"), rows[i].nearest);
    expect_rates(measure(qn_fma_form_find_truncated, rows[i].octave, "truncated"),
                 rows[i].truncated);
    expect_rates(measure(qn_fma_form_find_bits, rows[i].octave, "bits"), rows[i].bits);
  }
}

/* Thousands of channels with multipliers and ranges of accumulators as in real layers. */
static void test_typical_channels(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  int found = 0, kinds[4] = {0};
  enum { CHANNELS = 2000 };
  for (int i = 0; i < CHANNELS; i++) {
    qn_requant r =
        random_channel(&seed, -9 + i % 5, i % 7 == 0 ? QN_REQUANT_REAL : QN_REQUANT_DOUBLE);
    if (i % 8 != 0) r.zero_point = r.min;
    int64_t reach = 1000 + (int64_t)(next_random(&seed) % 1000000);
    qn_interval range = {-reach, reach / (1 + i % 3)};
    qn_fma_form form = qn_fma_form_of(qn_fma_form_find, &r, range);
    if (form.kind == QN_FMA_NONE) form = qn_fma_form_of(qn_fma_form_find_truncated, &r, range);
    kinds[form.kind]++;
    if (form.kind == QN_FMA_NONE) continue;
    found++;
    check_steps(&r, &form, range);
  }
  printf("typical: %d of %d channels proved, %d with one offset\n", found, CHANNELS,
         kinds[QN_FMA_ONE]);
  assert_true(found >= CHANNELS * 999 / 1000);
}

/* Checks every accumulator of the range, not only those next to steps. */
static void test_every_accumulator(void **unused) {
  (void)unused;
  static const qn_requant_rounding roundings[] = {
      QN_REQUANT_DOUBLE, QN_REQUANT_REAL, QN_REQUANT_SINGLE, QN_REQUANT_UP, QN_REQUANT_ONCE};
  uint64_t seed = 5;
  for (int i = 0; i < 80; i++) {
    qn_requant r = random_channel(&seed, -9 + i % 9, roundings[i % 5]);
    int64_t reach = (int64_t)(300 / r.real);
    qn_interval range = {-reach, reach};
    qn_fma_form form =
        qn_fma_form_of(i % 3 == 0 ? qn_fma_form_find_truncated : qn_fma_form_find, &r, range);
    if (form.kind == QN_FMA_NONE) continue;
    for (int64_t acc = range.lo; acc <= range.hi; acc++) check_at(&r, &form, range, acc);
  }
}

/* The form without conversions: every accumulator of ranges at any place, and of the last ranges
 * that fit. */
static void test_every_accumulator_by_bits(void **unused) {
  (void)unused;
  static const qn_requant_rounding roundings[] = {
      QN_REQUANT_DOUBLE, QN_REQUANT_REAL, QN_REQUANT_SINGLE, QN_REQUANT_UP, QN_REQUANT_ONCE};
  uint64_t seed = 6;
  int found = 0;
  for (int i = 0; i < 80; i++) {
    qn_requant r = random_channel(&seed, -10 + i % 9, roundings[i % 5]);
    if (i % 2 == 0) r.zero_point = r.min;
    int64_t reach = (int64_t)(300 / r.real);
    qn_interval range = {-reach * (i % 5), reach};
    if (i % 8 == 4) range = (qn_interval){-(1 << 21), (1 << 23) - 1 - (1 << 21)};
    qn_fma_form form = qn_fma_form_of(qn_fma_form_find_bits, &r, range);
    if (form.kind == QN_FMA_NONE) continue;
    found++;
    assert_int_equal(form.kind, QN_FMA_BITS);
    for (int64_t acc = range.lo; acc <= range.hi; acc++) check_at(&r, &form, range, acc);
  }
  printf("by bits: %d of 80\n", found);
  assert_true(found >= 50);
}

/* There is no form without conversions for ranges with one accumulator more than a float can
 * represent, for results beyond 16 bits, and for multipliers of 1 or more. */
static void test_bits_refuse_what_does_not_fit(void **unused) {
  (void)unused;
  qn_requant r = {.multiplier = {0, 0}, .zero_point = -128, .min = -128, .max = 127};
  qn_interval widest = {-100, (1 << 23) - 101}, wider = {-100, (1 << 23) - 100};
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_bits, &r, widest).kind, QN_FMA_BITS);
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_bits, &r, wider).kind, QN_FMA_NONE);
  r.multiplier = qn_multiplier_of(0.4), r.real = 0.4;
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_bits, &r, (qn_interval){0, 80000}).kind,
                   QN_FMA_BITS);
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_bits, &r, (qn_interval){0, 83000}).kind,
                   QN_FMA_NONE);
  r.multiplier = qn_multiplier_of(1.5), r.real = 1.5;
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_bits, &r, (qn_interval){0, 1000}).kind,
                   QN_FMA_NONE);
}

static void test_double_rounding_needs_two_offsets(void **unused) {
  (void)unused;
  /* With multiplier 1/4, a sum of 2.5 is rounded to 3, then 0.75 to 1; only for positive sums. So
   * no single offset works for both signs. */
  qn_requant r = {.multiplier = qn_multiplier_of(0.2501), .real = 0.2501, .min = -128, .max = 127};
  qn_interval range = {-2000, 2000};
  qn_fma_form form = qn_fma_form_of(qn_fma_form_find, &r, range);
  assert_int_equal(form.kind, QN_FMA_SIGNED);
  for (int64_t acc = range.lo; acc <= range.hi; acc++) check_at(&r, &form, range, acc);
  qn_interval positive = {0, 2000};
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, positive).kind, QN_FMA_ONE);
}

static void test_saturated_beyond_2_24(void **unused) {
  (void)unused;
  qn_requant r = {.multiplier = qn_multiplier_of(0.004), .real = 0.004, .min = -128, .max = 127};
  qn_interval range = {INT32_MIN + 1, INT32_MAX};
  qn_fma_form form = qn_fma_form_of(qn_fma_form_find, &r, range);
  assert_int_not_equal(form.kind, QN_FMA_NONE);
  check_steps(&r, &form, range);
}

/* Multipliers whose sums are midpoints of two floats, so that the search must compute the FMA
 * exactly, and whose thresholds are ties. */
static void test_powers_of_two(void **unused) {
  (void)unused;
  int found = 0;
  for (int octave = -16; octave <= 0; octave++)
    for (int zero_point = -128; zero_point <= 127; zero_point += 51) {
      double real = exp2(octave);
      qn_requant r = {.multiplier = qn_multiplier_of(real),
                      .real = real,
                      .zero_point = zero_point,
                      .min = -128,
                      .max = 127};
      int64_t reach = (int64_t)(400 / real);
      qn_interval range = {-reach, reach};
      for (int truncated = 0; truncated < 2; truncated++) {
        qn_fma_form form =
            qn_fma_form_of(truncated ? qn_fma_form_find_truncated : qn_fma_form_find, &r, range);
        if (form.kind == QN_FMA_NONE) continue;
        found++;
        check_steps(&r, &form, range);
      }
    }
  assert_true(found >= 100);
}

/* If the accumulators on both sides of a step beyond 2^24 convert to the same float, there is no
 * form. */
static void test_steps_within_a_float(void **unused) {
  (void)unused;
  double real = 0x1p-20 * 1.37;
  qn_requant r = {.multiplier = qn_multiplier_of(real), .real = real, .min = -128, .max = 127};
  qn_interval range = {-(1 << 27), 1 << 27};
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, range).kind, QN_FMA_NONE);
  assert_int_equal(qn_fma_form_of(qn_fma_form_find_truncated, &r, range).kind, QN_FMA_NONE);
}

static void test_constant_result(void **unused) {
  (void)unused;
  qn_requant dead = {.multiplier = {0, 0}, .zero_point = 5, .min = -128, .max = 127};
  qn_fma_form form = qn_fma_form_of(qn_fma_form_find, &dead, (qn_interval){-1000, 1000});
  assert_int_equal(form.kind, QN_FMA_ONE);
  assert_int_equal(qn_fma_form_apply(&form, -1000, -128, 127), 5);
  assert_int_equal(qn_fma_form_apply(&form, 1000, -128, 127), 5);
  form = qn_fma_form_of(qn_fma_form_find_truncated, &dead, (qn_interval){-1000, 1000});
  assert_int_equal(form.kind, QN_FMA_TRUNCATED);
  assert_int_equal(qn_fma_form_apply(&form, -1000, -128, 127), 5);
  form = qn_fma_form_of(qn_fma_form_find_bits, &dead, (qn_interval){-1000, 1000});
  assert_int_equal(form.kind, QN_FMA_BITS);
  assert_int_equal(qn_fma_form_apply(&form, -1000, -128, 127), 5);
  assert_int_equal(qn_fma_form_apply(&form, 1000, -128, 127), 5);
  /* sums whose start wraps */
  enum { FAR = -(1 << 30), NEAR = FAR + 100 };
  form = qn_fma_form_of(qn_fma_form_find_bits, &dead, (qn_interval){FAR, NEAR});
  assert_int_equal(form.kind, QN_FMA_BITS);
  assert_int_equal(qn_fma_form_apply(&form, FAR, -128, 127), 5);
  assert_int_equal(qn_fma_form_apply(&form, NEAR, -128, 127), 5);
}

static void test_refusals(void **unused) {
  (void)unused;
  qn_requant r = {.multiplier = qn_multiplier_of(3.0), .real = 3, .min = -128, .max = 127};
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, (qn_interval){1, 0}).kind, QN_FMA_NONE);
  /* The left shift of the reference would overflow. */
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, (qn_interval){0, INT32_MAX}).kind,
                   QN_FMA_NONE);
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, (qn_interval){0, INT64_MAX}).kind,
                   QN_FMA_NONE);
  r.max = 40000;
  assert_int_equal(qn_fma_form_of(qn_fma_form_find, &r, (qn_interval){0, 1000}).kind, QN_FMA_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_success_rates),
      cmocka_unit_test(test_typical_channels),
      cmocka_unit_test(test_every_accumulator),
      cmocka_unit_test(test_every_accumulator_by_bits),
      cmocka_unit_test(test_bits_refuse_what_does_not_fit),
      cmocka_unit_test(test_double_rounding_needs_two_offsets),
      cmocka_unit_test(test_saturated_beyond_2_24),
      cmocka_unit_test(test_powers_of_two),
      cmocka_unit_test(test_steps_within_a_float),
      cmocka_unit_test(test_constant_result),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
