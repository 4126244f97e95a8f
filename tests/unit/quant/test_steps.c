/* Thresholds of requantizations: on both sides of each the reference says so.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "quant/steps.h"

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static const qn_requant_rounding roundings[] = {QN_REQUANT_DOUBLE, QN_REQUANT_REAL,
                                                QN_REQUANT_SINGLE, QN_REQUANT_UP};

static qn_requant requant_of(qn_requant_rounding rounding, double real, int32_t zero_point) {
  if (rounding == QN_REQUANT_SINGLE) real = (double)(float)real;
  return (qn_requant){.rounding = rounding,
                      .multiplier = qn_multiplier_of(real),
                      .real = real,
                      .zero_point = zero_point,
                      .min = -128,
                      .max = 127};
}

/* How many there are. */
static int check(const qn_requant *r, qn_interval range) {
  qn_steps steps;
  assert_true(qn_steps_find(r, range, &steps));
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
    const qn_requant r = requant_of(roundings[i / 23 % 4], real, zero_point);
    int64_t lo = -(int64_t)(next_random(&state) % (1 << (8 + i % 18)));
    int64_t hi = lo + (int64_t)(next_random(&state) % (1 << (8 + i % 19)));
    found += check(&r, (qn_interval){lo, hi});
  }
  assert_true(found > 1000000);
}

/* Ties at every step, and several results for one accumulator. */
static void test_powers_of_two(void **unused) {
  (void)unused;
  for (int power = -24; power <= 4; power++)
    for (unsigned k = 0; k < 4; k++) {
      const qn_requant r = requant_of(roundings[k], ldexp(1, power), (int32_t)k * 40 - 60);
      check(&r, (qn_interval){-3000000, 3000001});
      check(&r, (qn_interval){-7, 9});
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_multipliers),
      cmocka_unit_test(test_powers_of_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
