/* Multipliers: the test vectors of the specification, and the precision rule of each operator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/multiplier.h"

static void expect(qn_multiplier m, int32_t mantissa, int32_t shift) {
  assert_int_equal(m.mantissa, mantissa);
  assert_int_equal(m.shift, shift);
}

static void test_vectors(void **unused) {
  (void)unused;
  expect(qn_multiplier_of(0.5), 1073741824, 0);
  expect(qn_multiplier_of(0.25), 1073741824, -1);
  expect(qn_multiplier_of(1.0), 1073741824, 1);
  expect(qn_multiplier_of(1.0 / 3), 1431655765, -1);
  expect(qn_multiplier_of(0.0072474273418460), 1992157658, -7);
  expect(qn_multiplier_of(0.9999999999), 1073741824, 1);
  expect(qn_multiplier_of(1.5), 1610612736, 1);
  expect(qn_multiplier_of(0x1p-33), 0, 0);
}

static void test_extremes(void **unused) {
  (void)unused;
  expect(qn_multiplier_of(0), 0, 0);
  expect(qn_multiplier_of(0x1p-32), 1 << 30, -31);
  expect(qn_multiplier_of(0x1p31 - 1), INT32_MAX, 31);
  expect(qn_multiplier_of(1e30), INT32_MAX, 31);
  expect(qn_multiplier_of(HUGE_VAL), 0, 0);
  expect(qn_multiplier_of((double)NAN), 0, 0);
}

/* The same 16-bit results with and without the limit of multipliers. */
static void test_limited_multipliers(void **unused) {
  (void)unused;
  static const int64_t xs[] = {0, 1, -1, 2, -3, 100, 511, 512, 513, -512, -513, 1 << 24, INT32_MIN};
  for (int32_t shift = 0; shift <= QN_FAR_SHIFT; shift++)
    for (int64_t mantissa = 1 << 30; mantissa < INT32_MAX; mantissa += 98765432)
      for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        qn_limited l = qn_multiplier_limited((qn_multiplier){(int32_t)mantissa, shift}, 7);
        assert_int_equal(l.limit == INT64_MAX, shift <= 7);
        int64_t x = xs[i] > l.limit ? l.limit : xs[i] < ~l.limit ? ~l.limit : xs[i];
        int32_t narrow = qn_sat16(qn_requant64(x, l.multiplier.mantissa, l.multiplier.shift));
        assert_int_equal(narrow, qn_sat16(qn_requant64(xs[i], (int32_t)mantissa, shift)));
        if (shift < QN_FAR_SHIFT) continue;
        narrow = qn_sat16(qn_requant32((int32_t)x, l.multiplier.mantissa, l.multiplier.shift));
        assert_int_equal(narrow, qn_sat16(qn_requant32((int32_t)xs[i], (int32_t)mantissa, shift)));
      }
}

static void test_real_is_the_inverse(void **unused) {
  (void)unused;
  for (double real = 1e-9; real < 1e9; real *= 1.37) {
    double back = qn_multiplier_real(qn_multiplier_of(real));
    assert_true(fabs(back - real) <= real * 0x1p-31);
  }
}

/* Scales for which rounding the product to float32 changes the result. */
static const double in = (double)0.023528477F, weight = (double)0.0012345679F, out = (double)0.047F;

static void test_conv_precision(void **unused) {
  (void)unused;
  double exact = in * weight / out, narrow = (double)(float)(in * weight) / out;
  assert_true(exact != narrow);
  assert_true(qn_real_conv(in, weight, out, false) == exact);
  assert_true(qn_real_conv(in, weight, out, true) == narrow);
  assert_true(qn_real_linear(&qn_profile_litert_ref, in, weight, out, false) == exact);
  assert_true(qn_real_linear(&qn_profile_litert_ref, in, weight, out, true) == exact);
  assert_true(qn_real_linear(&qn_profile_tflm, in, weight, out, false) == narrow);
  assert_true(qn_real_linear(&qn_profile_tflm, in, weight, out, true) == exact);
}

static void test_elementwise_precision(void **unused) {
  (void)unused;
  assert_true(qn_real_mul(&qn_profile_tflm, in, weight, out) == in * weight / out);
  float product = (float)in * (float)weight, quotient = product / (float)out;
  assert_true(qn_real_mul(&qn_profile_litert_ref, in, weight, out) == (double)quotient);
  assert_true(qn_real_requantize(in, out) == in / out);
  assert_true(qn_real_relu(in, out) == (double)((float)in / (float)out));
  assert_true(qn_real_relu(in, out) != in / out);
}

static void test_add(void **unused) {
  (void)unused;
  qn_add_multipliers m = qn_multipliers_add(&qn_profile_litert_ref, 8, in, weight, out, false);
  assert_int_equal(m.left_shift, 20);
  expect(m.a, 1 << 30, 0); /* the larger scale becomes 1/2 */
  qn_multiplier b = qn_multiplier_of(weight / (2 * in));
  expect(m.b, b.mantissa, b.shift);
  qn_multiplier o = qn_multiplier_of(2 * in / (0x1p20 * out));
  expect(m.output, o.mantissa, o.shift);
  /* Only the SUB of tflm, and of both cmsis-nn with it, computes its quotients in float32. */
  const qn_profile *profile;
  for (uint32_t p = 0; (profile = qn_profile_at(p)); p++)
    for (int subtract = 0; subtract < 2 && profile->adds == QN_ADD_THRICE; subtract++) {
      qn_add_multipliers n = qn_multipliers_add(profile, 8, in, weight, out, subtract);
      bool narrow = subtract && (profile == &qn_profile_tflm || profile == &qn_profile_cmsis_nn ||
                                 profile == &qn_profile_cmsis_nn_single);
      assert_true((n.b.mantissa != b.mantissa) == narrow);
      if (!narrow) continue;
      qn_multiplier wanted = qn_multiplier_of((double)((float)weight / (float)(2 * in)));
      expect(n.b, wanted.mantissa, wanted.shift);
    }
}

static int32_t scaled(int32_t d, int32_t left_shift, qn_multiplier m) {
  return qn_requant32(qn_shl32(d, left_shift), m.mantissa, m.shift);
}

/* Terms of sums compared with their definition in wide integers, for all differences to the zero
 * point. */
static void test_terms(void **unused) {
  (void)unused;
  enum { LEFT = 20 };
  for (int i = 0; i < 200; i++) {
    const qn_multiplier m = qn_multiplier_of(0.5 * exp2(-0.13 * i));
    for (int32_t x = -255; x <= 255; x++) {
      const int64_t wide = (int64_t)x * (1 << LEFT) * m.mantissa;
      const int64_t product = (wide + (INT64_C(1) << 30)) >> 31;
      assert_int_equal(qn_sum_term(x, LEFT, m, QN_TERM_DOUBLE), scaled(x, LEFT, m));
      assert_int_equal(qn_sum_term(x, LEFT, m, QN_TERM_DOWN), product >> -m.shift);
      const int32_t left = LEFT + m.shift;
      const int64_t shifted = left < 0 ? x >> -left : (int64_t)x * (1 << left);
      assert_int_equal(qn_sum_term(x, LEFT, m, QN_TERM_SINGLE),
                       (shifted * m.mantissa + (INT64_C(1) << 30)) >> 31);
    }
  }
}

/* Parameters of sums that are rounded once, compared with the formula in integers, for all
 * differences to the zero points. */
static void test_add_once(void **unused) {
  (void)unused;
  static const float ratios[][2] = {{1, 1},         {0.3F, 2.9F},       {0x1p-10F, 255.9F},
                                    {0.7F, 0.011F}, {1.9999999F, 1.5F}, {0x1p-10F, 0x1p-10F}};
  for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
    double a = (double)ratios[r][0], b = (double)ratios[r][1];
    assert_true(qn_multipliers_add_exist(&qn_profile_xnnpack, 8, a, b, 1));
    qn_add_multipliers m = qn_multipliers_add(&qn_profile_xnnpack, 8, a, b, 1, false);
    int shift = 0;
    while (ldexp(fmax(a, b), shift) < 0x1p20) shift++;
    int64_t whole_a = (int64_t)rint(ldexp(a, shift)), whole_b = (int64_t)rint(ldexp(b, shift));
    for (int32_t x = -255; x <= 255; x++)
      for (int32_t y = -255; y <= 255; y++) {
        int64_t sum = x * whole_a + y * whole_b;
        int64_t wanted = (sum + (INT64_C(1) << (shift - 1))) >> shift;
        int32_t terms = scaled(x, m.left_shift, m.a) + scaled(y, m.left_shift, m.b);
        assert_int_equal(qn_requant32(terms, m.output.mantissa, m.output.shift), wanted);
      }
  }
  assert_false(qn_multipliers_add_exist(&qn_profile_xnnpack, 8, 256, 1, 1));
  assert_false(qn_multipliers_add_exist(&qn_profile_xnnpack, 8, 1, 0x1p-11, 1));
}

/* Factor (ratio of scales / number of elements) and offset (of the zero points) in float32. */
static void test_mean_single(void **unused) {
  (void)unused;
  const qn_affine8 x = {.scale = (double)0.37F, .zero_point = 11},
                   y = {.scale = 0.25, .zero_point = -100};
  qn_single single = qn_single_mean(&x, &y, 4);
  assert_true(single.factor == 0.37F);
  assert_true(single.offset == -100 - 44 * 0.37F);
}

static void test_mean(void **unused) {
  (void)unused;
  qn_multiplier one = qn_multiplier_mean(0.5, 0.5, 1);
  expect(one, 1 << 30, 1);
  /* 49 elements: k = 5, and 1/49 is multiplied in with truncation. */
  expect(qn_multiplier_mean(0.5, 0.5, 49), (int32_t)((INT64_C(1) << 35) / 49), -4);
  /* A count that is a power of two is exact. */
  expect(qn_multiplier_mean(0.5, 0.5, 64), 1 << 30, -5);
  /* For the smallest ratio of scales, the shift is at its limit, so the mantissa is divided. */
  expect(qn_multiplier_mean(0x1p-32, 1, 4), 1 << 28, -31);
}

static void test_softmax(void **unused) {
  (void)unused;
  qn_softmax_params p = qn_softmax_params_of(1.0, 0.0625);
  expect(p.input, 1 << 30, 23);
  assert_int_equal(p.diff_min, -248); /* 31 * 2^26 / 2^23 */
  p = qn_softmax_params_of(1.0, 100);
  expect(p.input, INT32_MAX, 31);
  assert_int_equal(p.diff_min, 0);
  p = qn_softmax_params_of(1.0, 1e-12);
  assert_true(p.input.shift < 0 && p.diff_min == -INT32_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_limited_multipliers),
      cmocka_unit_test(test_real_is_the_inverse),
      cmocka_unit_test(test_conv_precision),
      cmocka_unit_test(test_elementwise_precision),
      cmocka_unit_test(test_add),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_add_once),
      cmocka_unit_test(test_mean_single),
      cmocka_unit_test(test_mean),
      cmocka_unit_test(test_softmax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
