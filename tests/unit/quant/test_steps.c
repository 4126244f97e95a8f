/* Thresholds of requantizations: the reference changes at each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/check.h"
#include "quant/steps.h"

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static const qn_requant_rounding roundings[] = {QN_REQUANT_DOUBLE, QN_REQUANT_REAL,
                                                QN_REQUANT_SINGLE, QN_REQUANT_UP, QN_REQUANT_ONCE};

static qn_requant requant_of(qn_requant_rounding rounding, double real, int32_t zero_point) {
  if (rounding == QN_REQUANT_SINGLE) real = (double)(float)real;
  return (qn_requant){.rounding = rounding,
                      .multiplier = qn_multiplier_of(real),
                      .real = real,
                      .zero_point = zero_point,
                      .min = -128,
                      .max = 127};
}

/* Returns the number of thresholds. */
static int check(const qn_requant *r, qn_interval range) {
  qn_steps steps;
  qn_steps_find(r, range, &steps);
  assert_true(steps.found);
  assert_int_equal(steps.first, qn_requant_apply(r, (int32_t)range.lo));
  assert_int_equal(steps.last, qn_requant_apply(r, (int32_t)range.hi));
  for (int32_t v = steps.first + 1; v <= steps.last; v++) {
    int32_t t = qn_steps_threshold(&steps, v);
    assert_in_range((int64_t)t - range.lo, 1, range.hi - range.lo);
    assert_true(qn_requant_apply(r, t) >= v);
    assert_true(qn_requant_apply(r, t - 1) < v);
  }
  return steps.last - steps.first;
}

static void test_random_multipliers(void **unused) {
  (void)unused;
  uint64_t state = 0x57E9;
  int found = 0;
  for (int i = 0; i < 40000; i++) {
    double real = ldexp(1 + (double)(next_random(&state) >> 11) * 0x1p-53, -20 + i % 23);
    int32_t zero_point = (int32_t)(next_random(&state) % 256) - 128;
    const qn_requant r = requant_of(roundings[i / 23 % QN_COUNT(roundings)], real, zero_point);
    int64_t lo = -(int64_t)(next_random(&state) % (1 << (8 + i % 18)));
    int64_t hi = lo + (int64_t)(next_random(&state) % (1 << (8 + i % 19)));
    found += check(&r, (qn_interval){lo, hi});
  }
  assert_true(found > 1000000);
}

/* A tie at every step, and several steps at one accumulator. */
static void test_powers_of_two(void **unused) {
  (void)unused;
  for (int power = -24; power <= 4; power++)
    for (unsigned k = 0; k < QN_COUNT(roundings); k++) {
      const qn_requant r = requant_of(roundings[k], ldexp(1, power), (int32_t)k * 40 - 60);
      check(&r, (qn_interval){-3000000, 3000001});
      check(&r, (qn_interval){-7, 9});
    }
}

static void expect_renewed(const qn_requant *r, qn_interval range, qn_steps *io_steps) {
  qn_steps expected;
  qn_steps_find(r, range, &expected);
  qn_steps_renew(r, range, io_steps);
  assert_int_equal(io_steps->found, expected.found);
  if (!expected.found) return;
  assert_memory_equal(&io_steps->requant, r, sizeof *r);
  assert_true(io_steps->range.lo == range.lo && io_steps->range.hi == range.hi);
  assert_true(io_steps->real == expected.real);
  assert_int_equal(io_steps->first, expected.first);
  assert_int_equal(io_steps->last, expected.last);
  size_t count = (size_t)(expected.last - expected.first);
  assert_memory_equal(io_steps->thresholds, expected.thresholds,
                      count * sizeof *expected.thresholds);
}

/* An object that had other steps before. */
static void test_renewed(void **unused) {
  (void)unused;
  const qn_requant r = {.multiplier = {1518500250, -7}, .zero_point = 3, .min = -128, .max = 127};
  qn_requant others[12];
  for (size_t i = 0; i < QN_COUNT(others); i++) others[i] = r;
  others[0].zero_point += 128, others[0].min += 128, others[0].max += 128;
  others[1].zero_point += 1;
  others[2].min += 1;
  others[3].max += 1;
  others[4].multiplier.mantissa += 1000;
  others[5].multiplier.shift += 1;
  others[6].rounding = QN_REQUANT_UP;
  others[7].rounding = QN_REQUANT_REAL, others[7].real = 0.005;
  others[8].rounding = QN_REQUANT_REAL, others[8].real = 0.006;
  others[9].rounding = QN_REQUANT_SINGLE, others[9].multiplier.mantissa = 1 << 30;
  others[10] = others[9], others[10].offset = 0.75F;
  others[11].max = 400; /* beyond 8 bits */
  const qn_interval ranges[] = {{-20000, 30000}, {-20000, 30001}, {-20001, 30000}, {1, 0}};
  qn_steps steps = {.found = false};
  for (size_t i = 0; i < QN_COUNT(others); i++)
    for (size_t k = 0; k < QN_COUNT(others); k++)
      for (size_t n = 0; n < QN_COUNT(ranges); n++) {
        expect_renewed(&others[i], ranges[n], &steps);
        expect_renewed(&others[k], ranges[n], &steps);
        expect_renewed(&others[k], ranges[0], &steps);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_multipliers),
      cmocka_unit_test(test_powers_of_two),
      cmocka_unit_test(test_renewed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
