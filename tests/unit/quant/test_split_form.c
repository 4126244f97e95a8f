/* Requantization by two FMAs compared with its definition: every accumulator of small ranges, and
 * both sides of every step of large ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>

#include "tests/support/forms.h"

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525U + 1013904223U;
  return *state >> 8;
}

static qn_requant random_channel(uint32_t *state, int octave, bool is_real) {
  double real = ldexp(1 + next_random(state) / 16777216.0, octave);
  return (qn_requant){.rounding = is_real ? QN_REQUANT_REAL : QN_REQUANT_DOUBLE,
                      .multiplier = qn_multiplier_of(real),
                      .real = real,
                      .zero_point = (int32_t)(next_random(state) % 256) - 128,
                      .min = -128,
                      .max = 127};
}

static void expect_equal(const qn_split_form *form, const qn_requant *r, int64_t acc) {
  assert_int_equal(qn_split_form_apply(form, r, (int32_t)acc), qn_requant_apply(r, (int32_t)acc));
}

static void nearly_all_channels_have_the_form(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (int octave = -15; octave <= 0; octave++) {
    int found = 0;
    enum { CHANNELS = 200 };
    for (int i = 0; i < CHANNELS; i++) {
      qn_requant r = random_channel(&seed, octave, i % 4 == 0);
      int64_t reach = (int64_t)fmin(400 / r.real, 1 << 24);
      qn_split_form form = qn_split_form_of(&r, (qn_interval){-reach, reach});
      if (!form.proved) continue;
      found++;
      for (int v = -128; v <= 127; v++) {
        int64_t near = (int64_t)((v - 0.5 - r.zero_point) / r.real);
        for (int64_t acc = near - 4; acc <= near + 4; acc++)
          if (acc >= -reach && acc <= reach) expect_equal(&form, &r, acc);
      }
    }
    assert_true(found >= CHANNELS * 96 / 100);
  }
}

static void every_accumulator_is_equal(void **unused) {
  (void)unused;
  uint32_t seed = 2;
  for (int i = 0; i < 40; i++) {
    qn_requant r = random_channel(&seed, -11 + i % 12, i % 2 == 0);
    int64_t reach = (int64_t)(300 / r.real);
    qn_split_form form = qn_split_form_of(&r, (qn_interval){-reach, reach});
    if (!form.proved) continue;
    for (int64_t acc = -reach; acc <= reach; acc++) expect_equal(&form, &r, acc);
  }
}

static void constant_results_and_refusals(void **unused) {
  (void)unused;
  qn_requant dead = {.multiplier = {0, 0}, .zero_point = 5, .min = -128, .max = 127};
  qn_split_form form = qn_split_form_of(&dead, (qn_interval){-1000, 1000});
  assert_true(form.proved);
  expect_equal(&form, &dead, -1000);
  expect_equal(&form, &dead, 1000);
  uint32_t seed = 3;
  qn_requant tiny = random_channel(&seed, -25, false), large = random_channel(&seed, 3, false);
  assert_false(qn_split_form_of(&tiny, (qn_interval){INT32_MIN, INT32_MAX}).proved);
  assert_false(qn_split_form_of(&large, (qn_interval){-100, 100}).proved);
  assert_false(qn_split_form_of(&large, (qn_interval){0, INT64_MAX}).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearly_all_channels_have_the_form),
      cmocka_unit_test(every_accumulator_is_equal),
      cmocka_unit_test(constant_results_and_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
