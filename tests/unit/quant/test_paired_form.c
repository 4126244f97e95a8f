/* Sums without a form of qn_fma2_form_find: two multiply-adds with wider scales, and pairs of
 * words, one with a low byte from a table. Each proved form is checked for all pairs, by arithmetic
 * of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/paired_form.h"
#include "tests/unit/quant/adder.h"

static qn_sum_question question_of(const adder *s) {
  const double unit = ldexp(qn_multiplier_real(s->m.output), s->m.left_shift);
  const double a = unit * qn_multiplier_real(s->m.a);
  const double b = unit * qn_multiplier_real(s->m.b) * (s->subtracts ? -1 : 1);
  return (qn_sum_question){.zero_point = s->zo,
                           .sum = {.reference = adder_apply,
                                   .user = s,
                                   .scale_a = a,
                                   .scale_b = b,
                                   .offset = s->zo - a * s->za - b * s->zb,
                                   .reference_error = HUGE_VAL,
                                   .a_lo = s->lo,
                                   .a_hi = s->lo + 255,
                                   .b_lo = s->lo,
                                   .b_hi = s->lo + 255,
                                   .min = s->min,
                                   .max = s->max}};
}

static int32_t clamped(const adder *s, float y) {
  return y < (float)s->min ? s->min : y > (float)s->max ? s->max : (int32_t)y;
}

static void check_wide(const adder *s, const qn_fma2_form *f) {
  for (int32_t a = s->lo; a <= s->lo + 255; a++)
    for (int32_t b = s->lo; b <= s->lo + 255; b++) {
      float x = fmaf((float)a, f->scale_a, fmaf((float)b, f->scale_b, f->offset));
      assert_int_equal(clamped(s, rintf(x)), adder_apply(s, a, b));
    }
}

static void check_paired(const adder *s, const qn_paired_form *f) {
  for (int32_t first = s->lo; first <= s->lo + 255; first++)
    for (int32_t second = s->lo; second <= s->lo + 255; second++) {
      int32_t a = f->of_first ? second : first, b = f->of_first ? first : second;
      int32_t middle = s->lo < 0 ? 0 : 128;
      int64_t word_a = 256 * (int64_t)(a - middle), word_b = 256 * (int64_t)(b - middle);
      word_b += f->low[b & 255];
      assert_true(word_a >= INT16_MIN && word_a <= INT16_MAX);
      assert_true(word_b >= INT16_MIN && word_b <= INT16_MAX);
      int64_t sum = word_a * f->factor_a + word_b * f->factor_b + f->offset;
      assert_true(sum >= INT32_MIN && sum <= INT32_MAX);
      double y = floor(ldexp((double)sum, -f->shift));
      assert_int_equal(clamped(s, (float)y), adder_apply(s, first, second));
      assert_int_equal(qn_paired_form_apply(f, first, second, s->min, s->max),
                       adder_apply(s, first, second));
    }
}

static void some_scales_of_few_digits_need_no_table(void **state) {
  (void)state;
  static const float outputs[] = {0.0235F, 0.0275F, 0.05F};
  for (int i = 0; i < 3; i++)
    for (int variant = 0; variant < ADDER_VARIANTS; variant++) {
      adder s = adder_of((double)0.05F, (double)0.0235F, (double)outputs[i], variant);
      const qn_sum_question q = question_of(&s);
      const qn_fma2_form near = qn_fma2_form_find(&q.sum);
      const qn_fma2_form form = near.proved ? near : qn_fma2_form_find_wide(&q);
      assert_true(form.proved);
      check_wide(&s, &form);
    }
}

static void powers_of_two_need_no_table(void **state) {
  (void)state;
  for (int output = -2; output <= 1; output++)
    for (int variant = 0; variant < ADDER_VARIANTS; variant++) {
      adder s = adder_of(0.5, 0.125, ldexp(1, output), variant);
      const qn_sum_question q = question_of(&s);
      const qn_fma2_form form = qn_fma2_form_find_wide(&q);
      assert_true(form.proved);
      check_wide(&s, &form);
    }
}

static void others_are_pairs_of_words(void **state) {
  (void)state;
  static const float outputs[] = {0.024F, 0.03F, 0.029F, 0.04F, 0.06F};
  int paired = 0;
  for (int i = 0; i < 5; i++)
    for (int variant = 0; variant < ADDER_VARIANTS; variant++) {
      const float a = i & 1 ? 0.0235F : 0.05F, b = i & 1 ? 0.05F : 0.0235F;
      adder s = adder_of((double)a, (double)b, (double)outputs[i], variant);
      const qn_sum_question q = question_of(&s);
      if (qn_fma2_form_find_wide(&q).proved) continue;
      const qn_paired_form form = qn_paired_form_find(&q);
      if (!form.proved) continue;
      paired++;
      check_paired(&s, &form);
    }
  assert_true(paired >= 24); /* of 40 */
}

static void random_scales_of_two_digits(void **state) {
  (void)state;
  uint32_t seed = 1;
  int wide = 0, paired = 0;
  for (int i = 0; i < 64; i++) {
    float scales[3];
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525U + 1013904223U;
      scales[k] = (float)(1 + (seed >> 16) % 99) / 1000;
    }
    float most = fmaxf(scales[0], scales[1]);
    if (scales[2] < most / 4) scales[2] = most;
    adder s = adder_of((double)scales[0], (double)scales[1], (double)scales[2], i % ADDER_VARIANTS);
    const qn_sum_question q = question_of(&s);
    const qn_fma2_form without = qn_fma2_form_find_wide(&q);
    if (without.proved) check_wide(&s, &without), wide++;
    const qn_paired_form with = qn_paired_form_find(&q);
    if (with.proved) check_paired(&s, &with), paired++;
  }
  assert_true(wide >= 10 && paired >= wide);
}

static void hostile_numbers_have_none(void **state) {
  (void)state;
  adder s = adder_of((double)0.05F, (double)0.0235F, (double)0.03F, 0);
  qn_sum_question q = question_of(&s);
  q.sum.scale_a = HUGE_VAL;
  assert_false(qn_fma2_form_find_wide(&q).proved);
  assert_false(qn_paired_form_find(&q).proved);
  q = question_of(&s);
  q.sum.offset = (double)NAN;
  assert_false(qn_fma2_form_find_wide(&q).proved);
  assert_false(qn_paired_form_find(&q).proved);
  q = question_of(&s);
  q.sum.a_hi = q.sum.a_lo + 256;
  assert_false(qn_fma2_form_find_wide(&q).proved);
  assert_false(qn_paired_form_find(&q).proved);
  q = question_of(&s);
  q.sum.scale_b = 0;
  assert_false(qn_paired_form_find(&q).proved);
  q = question_of(&s);
  q.sum.scale_b *= 1.01; /* not the reference's */
  assert_false(qn_fma2_form_find_wide(&q).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_scales_of_few_digits_need_no_table),
      cmocka_unit_test(powers_of_two_need_no_table),
      cmocka_unit_test(others_are_pairs_of_words),
      cmocka_unit_test(random_scales_of_two_digits),
      cmocka_unit_test(hostile_numbers_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
