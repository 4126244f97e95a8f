/* runtime/fixed16.h: all 16-bit integers compared with real functions, and a property that
 * lower/loops relies on: no sum exceeds 16 bits except where saturation is written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/fixed16.h"

static double real_of(int32_t word, int32_t integer_bits) { return ldexp(word, integer_bits - 15); }

/* Returns the largest error, in steps of the result. */
static double worst_of(int32_t (*function)(int32_t, int32_t), double (*real)(double), int32_t bits,
                       int32_t lo, int32_t hi) {
  double worst = 0;
  for (int32_t x = lo; x <= hi; x++)
    worst = fmax(worst, fabs(function(x, bits) - ldexp(real(real_of(x, bits)), 15)));
  return worst;
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }
static int32_t ratio(int32_t a, int32_t bits) {
  (void)bits;
  return qn_fixed16_ratio_1p(a);
}
static int32_t recip(int32_t a, int32_t bits) {
  (void)bits;
  return qn_fixed16_recip_1p(a);
}
static double real_ratio(double a) { return (1 - a) / (1 + a); }
static double real_recip(double a) { return 1 / (1 + a); }

static void test_reals(void **unused) {
  (void)unused;
  assert_true(worst_of(recip, real_recip, 0, 0, INT16_MAX) < 8);
  assert_true(worst_of(ratio, real_ratio, 0, 0, INT16_MAX) < 16);
  for (int32_t k = 0; k <= 7; k++) {
    assert_true(worst_of(qn_fixed16_exp, exp, k, INT16_MIN, 0) < 16);
    if (k == 7) continue;
    assert_true(worst_of(qn_fixed16_logistic, logistic, k, INT16_MIN, INT16_MAX) < 16);
    assert_true(worst_of(qn_fixed16_tanh, tanh, k, INT16_MIN, INT16_MAX) < 32);
  }
}

/* Both functions are odd around their middle, except for -32768, whose negative does not exist. */
static void test_symmetry(void **unused) {
  (void)unused;
  for (int32_t x = 1; x <= INT16_MAX; x++) {
    assert_int_equal(qn_fixed16_tanh(-x, 3), -qn_fixed16_tanh(x, 3));
    assert_int_equal(qn_fixed16_logistic(-x, 3), INT16_MAX - qn_fixed16_logistic(x, 3));
  }
  assert_int_equal(qn_fixed16_tanh(0, 3), 0);
  assert_int_equal(qn_fixed16_logistic(0, 3), 1 << 14);
}

/* The figures to which the 32-bit constants are rounded. */
static void test_constants(void **unused) {
  (void)unused;
  assert_int_equal(qn_fixed16_constant(QN_FIXED_EXP_CENTRE), lround(ldexp(exp(-0.125), 15)));
  assert_int_equal(qn_fixed16_constant(QN_FIXED_THIRD), lround(ldexp(1, 15) / 3));
  assert_int_equal(qn_fixed16_constant(QN_FIXED_RECIP_START), lround(ldexp(48.0 / 17, 13)));
  assert_int_equal(qn_fixed16_constant(QN_FIXED_RECIP_SLOPE), lround(ldexp(-32.0 / 17, 13)));
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH; p++)
    assert_int_equal(qn_fixed16_constant(qn_fixed_exp_factor(p)),
                     lround(ldexp(exp(-ldexp(1, p)), 15)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reals),
      cmocka_unit_test(test_symmetry),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
