/* The two-FMA form of ADD: what is claimed is checked on all pairs here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "quant/fma_form.h"

typedef struct adder {
  qn_add_multipliers m;
  int32_t za, zb, zo;
  long *asked;
} adder;

static int32_t add(const void *user, int32_t a, int32_t b) {
  const adder *s = user;
  ++*s->asked;
  int32_t u = qn_requant32(qn_shl32(a - s->za, s->m.left_shift), s->m.a.mantissa, s->m.a.shift);
  int32_t v = qn_requant32(qn_shl32(b - s->zb, s->m.left_shift), s->m.b.mantissa, s->m.b.shift);
  int32_t y = qn_requant32(u + v, s->m.output.mantissa, s->m.output.shift);
  return qn_clamp32((int64_t)y + s->zo, -128, 127);
}

static double unit_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Every pair of a proved form is compared. *lost counts what only looking at all pairs proves,
 * *many where that many pairs were looked at though few could differ. */
static bool try_adder_and_count(double sa, double sb, double so, int32_t za, int32_t zb, int32_t zo,
                                int *lost, int *many) {
  enum { ENOUGH = 65536 / 16 };
  long asked = 0;
  adder s = {qn_multipliers_add(&qn_profile_litert_ref, 8, sa, sb, so, false), za, zb, zo, &asked};
  double offset = zo - sa / so * za - sb / so * zb;
  qn_fma2_question question = {.reference = add,
                               .user = &s,
                               .scale_a = sa / so,
                               .scale_b = sb / so,
                               .offset = offset,
                               .reference_error = 0x1p-16,
                               .a_lo = -128,
                               .a_hi = 127,
                               .b_lo = -128,
                               .b_hi = 127,
                               .min = -128,
                               .max = 127};
  qn_fma2_form form = qn_fma2_form_find(&question);
  *many += asked > ENOUGH;
  question.reference_error = HUGE_VAL; /* all pairs */
  *lost += qn_fma2_form_find(&question).proved && !form.proved;
  for (int32_t a = -128; form.proved && a <= 127; a++)
    for (int32_t b = -128; b <= 127; b++)
      assert_int_equal(qn_fma2_form_apply(&form, a, b, -128, 127), add(&s, a, b));
  return form.proved;
}

static bool try_adder(double sa, double sb, double so, int32_t za, int32_t zb, int32_t zo) {
  int lost = 0, many = 0;
  bool is_proved = try_adder_and_count(sa, sb, so, za, zb, zo, &lost, &many);
  assert_int_equal(lost, 0);
  return is_proved;
}

static void test_random_additions(void **unused) {
  (void)unused;
  enum { CASES = 100 };
  uint64_t seed = 77;
  int proved = 0, lost = 0, many = 0;
  for (int i = 0; i < CASES; i++) {
    double sa = (double)(float)(0.01 * exp2(2 * unit_random(&seed)));
    double sb = (double)(float)(0.01 * exp2(2 * unit_random(&seed)));
    double so = (double)(float)(fmax(sa, sb) * (0.8 + 1.2 * unit_random(&seed)));
    int32_t za = (int32_t)(unit_random(&seed) * 256) - 128;
    int32_t zb = (int32_t)(unit_random(&seed) * 256) - 128;
    int32_t zo = (int32_t)(unit_random(&seed) * 256) - 128;
    proved += try_adder_and_count(sa, sb, so, za, zb, zo, &lost, &many);
  }
  printf("two FMA: %d of %d additions proved, %d by all pairs only\n", proved, CASES, lost);
  assert_int_equal(lost, 0);
  assert_int_equal(many, 0);
  assert_true(proved * 100 >= CASES * 50);
}

static void test_ties_on_both_sides_are_refused(void **unused) {
  (void)unused;
  /* Equal scales, twice that at the output: every odd sum is a tie, away from zero on both sides.
   */
  assert_false(try_adder(0.5, 0.5, 1.0, 0, 0, 0));
  assert_true(try_adder(0.5, 0.5, 0.5, 0, 0, 0));
}

static void test_one_sided(void **unused) {
  (void)unused;
  /* All results are clamped to the maximum. */
  assert_true(try_adder(0.5, 0.5, 0.0001, -128, -128, 127));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_additions),
      cmocka_unit_test(test_ties_on_both_sides_are_refused),
      cmocka_unit_test(test_one_sided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
