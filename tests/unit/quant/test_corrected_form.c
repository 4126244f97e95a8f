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
#include "tests/unit/quant/adder.h"

static qn_corrected_question question_of(const adder *s) {
  qn_corrected_question q = {.reference = adder_apply,
                             .user = s,
                             .last = ldexp(0.5, s->m.output.shift),
                             .zero_point = s->zo,
                             .min = s->min,
                             .max = s->max};
  for (int i = 0; i < 2; i++) {
    qn_corrected_side *side = &q.sides[i];
    const qn_multiplier m = i ? s->m.b : s->m.a;
    const double unit = qn_multiplier_real(s->m.output) * (i && s->subtracts ? -1 : 1);
    *side = (qn_corrected_side){.scale = ldexp(unit * qn_multiplier_real(m), s->m.left_shift),
                                .zero_point = i ? s->zb : s->za,
                                .lo = s->lo,
                                .hi = s->lo + 255};
    for (int32_t x = 0; x < 256; x++)
      side->terms[x] = unit * adder_term(s, s->lo + x, side->zero_point, m);
  }
  return q;
}

static void check_all_pairs(const adder *s, const qn_corrected_form *form) {
  for (int32_t a = s->lo; a <= s->lo + 255; a++)
    for (int32_t b = s->lo; b <= s->lo + 255; b++)
      assert_int_equal(qn_corrected_form_apply(form, a, b, s->min, s->max), adder_apply(s, a, b));
}

static qn_corrected_form find(const adder *s) {
  const qn_corrected_question q = question_of(s);
  return qn_corrected_form_find(&q);
}

static void scales_of_few_digits_have_a_form(void **state) {
  (void)state;
  static const float outputs[] = {0.0235F, 0.026F, 0.0275F, 0.03F, 0.05F};
  for (int i = 0; i < 5; i++) {
    for (int variant = 0; variant < ADDER_VARIANTS; variant++) {
      const float a = i & 1 ? 0.0235F : 0.05F, b = i & 1 ? 0.05F : 0.0235F;
      adder s = adder_of((double)a, (double)b, (double)outputs[i], variant);
      qn_corrected_form form = find(&s);
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
    adder s = adder_of(0.5, 0.25, 1, 0);
    s.za = zero_point, s.zb = 2, s.zo = -zero_point;
    qn_corrected_form form = find(&s);
    assert_true(form.proved);
    assert_true(form.unit == 0);
    check_all_pairs(&s, &form);
  }
}

static void others_have_none(void **state) {
  (void)state;
  adder s = adder_of(0.0501234, 0.0234321, 0.0304321, 0);
  assert_false(find(&s).proved); /* no common denominator */
  s = adder_of(0.5, 0.25, 1, 0);
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
