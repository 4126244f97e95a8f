/* Sums with a table of corrections. Scales of few digits have ties that no two multiply-adds round
 * as the reference does; they have this form. Here each proved form is checked for all pairs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "quant/corrected_form.h"

typedef struct adder {
  qn_add_multipliers m;
  int32_t za, zb, zo, lo;
  bool subtracts;
} adder;

static int32_t term(const adder *s, int32_t x, int32_t zero_point, qn_multiplier m) {
  return qn_requant32(qn_shl32(x - zero_point, s->m.left_shift), m.mantissa, m.shift);
}

static int32_t add(const void *user, int32_t a, int32_t b) {
  const adder *s = user;
  int32_t u = term(s, a, s->za, s->m.a), v = term(s, b, s->zb, s->m.b);
  int32_t y = qn_requant32(s->subtracts ? u - v : u + v, s->m.output.mantissa, s->m.output.shift);
  return qn_clamp32((int64_t)y + s->zo, s->lo, s->lo + 255);
}

static qn_corrected_question question_of(const adder *s) {
  qn_corrected_question q = {.reference = add,
                             .user = s,
                             .last = ldexp(0.5, s->m.output.shift),
                             .zero_point = s->zo,
                             .min = s->lo,
                             .max = s->lo + 255};
  for (int i = 0; i < 2; i++) {
    qn_corrected_side *side = &q.sides[i];
    const qn_multiplier m = i ? s->m.b : s->m.a;
    const double unit = qn_multiplier_real(s->m.output) * (i && s->subtracts ? -1 : 1);
    *side = (qn_corrected_side){.scale = ldexp(unit * qn_multiplier_real(m), s->m.left_shift),
                                .zero_point = i ? s->zb : s->za,
                                .lo = s->lo,
                                .hi = s->lo + 255};
    for (int32_t x = 0; x < 256; x++)
      side->terms[x] = unit * term(s, s->lo + x, side->zero_point, m);
  }
  return q;
}

static void check_all_pairs(const adder *s, const qn_corrected_form *form) {
  for (int32_t a = s->lo; a <= s->lo + 255; a++)
    for (int32_t b = s->lo; b <= s->lo + 255; b++)
      assert_int_equal(qn_corrected_form_apply(form, a, b, s->lo, s->lo + 255), add(s, a, b));
}

static qn_corrected_form find(adder *s, double a, double b, double y) {
  s->m = qn_multipliers_add(&qn_profile_litert_ref, 8, a, b, y, false);
  const qn_corrected_question q = question_of(s);
  return qn_corrected_form_find(&q);
}

static void scales_of_few_digits_have_a_form(void **state) {
  (void)state;
  static const float outputs[] = {0.0235F, 0.026F, 0.0275F, 0.03F, 0.05F};
  for (int i = 0; i < 5; i++) {
    for (int variant = 0; variant < 4; variant++) {
      adder s = {.za = 3, .zb = -7, .zo = 5, .lo = -128, .subtracts = variant & 1};
      if (variant & 2) s = (adder){.za = 131, .zb = 121, .zo = 100, .subtracts = variant & 1};
      bool turned = i & 1;
      qn_corrected_form form = find(&s, (double)(turned ? 0.0235F : 0.05F),
                                    (double)(turned ? 0.05F : 0.0235F), (double)outputs[i]);
      assert_true(form.proved);
      check_all_pairs(&s, &form);
    }
  }
}

/* With scales that are powers of two nothing is lost: ties are exact, and are rounded away from
 * zero. */
static void powers_of_two_need_no_table(void **state) {
  (void)state;
  for (int32_t zero_point = -9; zero_point <= 9; zero_point += 3) {
    adder s = {.za = zero_point, .zb = 2, .zo = -zero_point, .lo = -128};
    qn_corrected_form form = find(&s, 0.5, 0.25, 1);
    assert_true(form.proved);
    assert_true(form.unit == 0);
    check_all_pairs(&s, &form);
  }
}

static void others_have_none(void **state) {
  (void)state;
  adder s = {.za = 3, .zb = -7, .zo = 5, .lo = -128};
  assert_false(find(&s, 0.0501234, 0.0234321, 0.0304321).proved); /* no common denominator */
  s.m = qn_multipliers_add(&qn_profile_litert_ref, 8, 0.5, 0.25, 1, false);
  qn_corrected_question q = question_of(&s);
  q.last = 0.25; /* the thresholds are unknown */
  assert_false(qn_corrected_form_find(&q).proved);
  q = question_of(&s);
  q.sides[0].scale = HUGE_VAL;
  assert_false(qn_corrected_form_find(&q).proved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scales_of_few_digits_have_a_form),
      cmocka_unit_test(powers_of_two_need_no_table),
      cmocka_unit_test(others_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
