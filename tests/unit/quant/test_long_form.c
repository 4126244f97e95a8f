/* Requantization by one long multiply-add compared with its definition: every accumulator of small
 * ranges, and both sides of every step of large ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <math.h>

#include "quant/long_form.h"

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

static qn_long_form find(const qn_requant *r, int64_t reach) {
  qn_steps steps;
  qn_steps_find(r, (qn_interval){-reach, reach}, &steps);
  return qn_long_form_find(&steps);
}

static void expect_equal(const qn_long_form *form, const qn_requant *r, int64_t acc) {
  assert_int_equal(qn_long_form_apply(form, (int32_t)acc, r->min, r->max),
                   qn_requant_apply(r, (int32_t)acc));
}

/* Channels whose product is rounded once have the form, for any multiplier. */
static void all_channels_rounded_once_have_the_form(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (int octave = -25; octave <= -2; octave++) {
    for (int i = 0; i < 200; i++) {
      qn_requant r = random_channel(&seed, octave, true);
      if (i % 2) r.rounding = QN_REQUANT_ONCE;
      int64_t reach = (int64_t)fmin(400 / r.real, 1 << 30);
      qn_long_form form = find(&r, reach);
      assert_true(form.proved);
      for (int v = -128; v <= 127; v++) {
        int64_t near = (int64_t)((v - 0.5 - r.zero_point) / r.real);
        for (int64_t acc = near - 4; acc <= near + 4; acc++)
          if (acc >= -reach && acc <= reach) expect_equal(&form, &r, acc);
      }
      expect_equal(&form, &r, -reach);
      expect_equal(&form, &r, reach);
    }
  }
}

static void every_accumulator_is_equal(void **unused) {
  (void)unused;
  uint32_t seed = 2;
  int proved = 0;
  for (int i = 0; i < 40; i++) {
    qn_requant r = random_channel(&seed, -11 + i % 9, i % 2 == 0);
    int64_t reach = (int64_t)(300 / r.real);
    qn_long_form form = find(&r, reach);
    proved += form.proved;
    for (int64_t acc = -reach; form.proved && acc <= reach; acc++) expect_equal(&form, &r, acc);
  }
  assert_true(proved >= 20);
}

/* Ties are rounded away from zero for both signs, because the factor is slightly too large. */
static void ties_of_both_signs(void **unused) {
  (void)unused;
  qn_requant r = {.rounding = QN_REQUANT_REAL, .real = 0.0625, .min = -128, .max = 127};
  qn_long_form form = find(&r, 2100);
  assert_true(form.proved);
  for (int64_t acc = -2100; acc <= 2100; acc++) expect_equal(&form, &r, acc);
}

static void what_has_no_form(void **unused) {
  (void)unused;
  uint32_t seed = 3;
  qn_requant large = random_channel(&seed, -1, true);
  assert_false(find(&large, 1000).proved);
  const qn_steps none = {0};
  assert_false(qn_long_form_find(&none).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_channels_rounded_once_have_the_form),
                                     cmocka_unit_test(every_accumulator_is_equal),
                                     cmocka_unit_test(ties_of_both_signs),
                                     cmocka_unit_test(what_has_no_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
