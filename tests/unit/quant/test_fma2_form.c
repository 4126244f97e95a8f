/* The two-FMA form of ADD: each proved form is checked for all pairs.
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

/* Counts of both searches: the one by bounds, which checks only pairs whose results may differ, and
 * the one by all pairs. */
typedef struct tally {
  int cases, proved;
  long asked; /* pairs that the search by bounds evaluated */
} tally;

static qn_fma2_question question_of(const adder *s, double sa, double sb, double so) {
  return (qn_fma2_question){.reference = add,
                            .user = s,
                            .scale_a = sa / so,
                            .scale_b = sb / so,
                            .offset = s->zo - sa / so * s->za - sb / so * s->zb,
                            .reference_error = 0x1p-16,
                            .a_lo = -128,
                            .a_hi = 127,
                            .b_lo = -128,
                            .b_hi = 127,
                            .min = -128,
                            .max = 127};
}

/* Both searches must agree, and a proved form is checked for every pair. */
static bool try_adder(double sa, double sb, double so, int32_t za, int32_t zb, int32_t zo,
                      tally *t) {
  long asked = 0;
  adder s = {qn_multipliers_add(&qn_profile_litert_ref, 8, sa, sb, so, false), za, zb, zo, &asked};
  qn_fma2_question question = question_of(&s, sa, sb, so);
  qn_fma2_form form = qn_fma2_form_find(&question);
  t->asked += asked;
  question.reference_error = HUGE_VAL;
  assert_int_equal(form.proved, qn_fma2_form_find(&question).proved);
  for (int32_t a = -128; form.proved && a <= 127; a++)
    for (int32_t b = -128; b <= 127; b++)
      assert_int_equal(qn_fma2_form_apply(&form, a, b, -128, 127), add(&s, a, b));
  t->cases++;
  t->proved += form.proved;
  return form.proved;
}

static int32_t random_zero_point(uint64_t *seed) {
  return (int32_t)(unit_random(seed) * 256) - 128;
}

/* Scales as in real layers. */
static void test_random_additions(void **unused) {
  (void)unused;
  enum { CASES = 100, MOST_ASKED = 32 };
  uint64_t seed = 77;
  tally t = {0};
  for (int i = 0; i < CASES; i++) {
    double sa = (double)(float)(0.01 * exp2(2 * unit_random(&seed)));
    double sb = (double)(float)(0.01 * exp2(2 * unit_random(&seed)));
    double so = (double)(float)(fmax(sa, sb) * (0.8 + 1.2 * unit_random(&seed)));
    int32_t za = random_zero_point(&seed), zb = random_zero_point(&seed);
    try_adder(sa, sb, so, za, zb, random_zero_point(&seed), &t);
  }
  printf("two FMA: %d of %d additions proved, at %ld pairs each\n", t.proved, t.cases,
         t.asked / t.cases);
  assert_true(t.proved * 100 >= CASES * 95);
  assert_true(t.asked <= (long)CASES * MOST_ASKED);
}

/* Scales that differ much, results that are mostly clamped or mostly equal, and ratios with many
 * ties. */
static void test_awkward_additions(void **unused) {
  (void)unused;
  enum { CASES = 60 };
  uint64_t seed = 4711;
  tally t = {0};
  for (int i = 0; i < CASES; i++) {
    double sa = (double)(float)exp2(12 * unit_random(&seed) - 8);
    double sb = (double)(float)exp2(12 * unit_random(&seed) - 8);
    double so = (double)(float)(fmax(sa, sb) * exp2(10 * unit_random(&seed) - 4));
    if (i % 3 == 0) sa = exp2(floor(log2(sa))), so = exp2(floor(log2(so)));
    if (i % 6 == 0) sb = sa * (1 + floor(7 * unit_random(&seed)));
    int32_t za = random_zero_point(&seed), zb = random_zero_point(&seed);
    try_adder(sa, sb, so, za, zb, random_zero_point(&seed), &t);
  }
  printf("two FMA: %d of %d awkward additions proved\n", t.proved, t.cases);
  assert_true(t.proved > 0 && t.proved < t.cases);
}

static void test_ties_on_both_sides_are_refused(void **unused) {
  (void)unused;
  /* Equal input scales and twice that at the output: every odd sum is a tie, rounded away from zero
   * for both signs. */
  tally t = {0};
  assert_false(try_adder(0.5, 0.5, 1.0, 0, 0, 0, &t));
  assert_true(try_adder(0.5, 0.5, 0.5, 0, 0, 0, &t));
}

static void test_one_sided(void **unused) {
  (void)unused;
  /* All results are clamped to the maximum. */
  tally t = {0};
  assert_true(try_adder(0.5, 0.5, 0.0001, -128, -128, 127, &t));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_additions),
      cmocka_unit_test(test_awkward_additions),
      cmocka_unit_test(test_ties_on_both_sides_are_refused),
      cmocka_unit_test(test_one_sided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
