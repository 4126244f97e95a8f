/* Statistics of the difference of two arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "cli/compare/statistics.h"

#include <cmocka.h>

static const int64_t dims[] = {2, 3};

static qn_tensor_info info_of(qn_dtype dtype, size_t size, double scale, int64_t zero_point) {
  return (qn_tensor_info){.name = "",
                          .dtype = dtype,
                          .rank = 2,
                          .dims = dims,
                          .bytes = 6 * size,
                          .scale = scale,
                          .zero_point = zero_point};
}

static uint64_t elements_at(const statistics *s, int step) {
  return s->steps[step + STATISTICS_STEPS + 1];
}

static void stored_integers_differ_by_steps(void **state) {
  (void)state;
  static const int8_t a[] = {1, 2, 3, 4, -128, 6}, b[] = {1, 3, 3, 2, 127, 7};
  qn_tensor_info info = info_of(QN_DTYPE_I8, 1, 0.5, 2);
  statistics s = statistics_of(&info, a, &info, b);
  assert_int_equal(s.elements, 6);
  assert_int_equal(s.differing, 4);
  assert_true(s.has_steps);
  assert_int_equal(elements_at(&s, 0), 2);
  assert_int_equal(elements_at(&s, 1), 2);
  assert_int_equal(elements_at(&s, -2), 1);
  assert_int_equal(s.steps[STATISTICS_BINS - 1], 1);
  assert_int_equal(s.at, 4);
  assert_true(s.largest_step == 255 && s.largest_real == 127.5);
  assert_true(s.a_stored == -128 && s.b_stored == 127);
  assert_true(s.a_real == -65 && s.b_real == 62.5);
}

static void ratio_and_cosine_are_those_of_reals(void **state) {
  (void)state;
  static const int8_t a[] = {4, 0, 0, 0, 0, 0}, b[] = {4, 3, 0, 0, 0, 0};
  qn_tensor_info info = info_of(QN_DTYPE_I8, 1, 0.25, 0);
  statistics s = statistics_of(&info, a, &info, b);
  assert_true(fabs(s.snr_db - 10 * log10(16.0 / 9.0)) < 1e-12);
  assert_true(fabs(s.cosine - 0.8) < 1e-12);
  assert_true(fabs(s.mean_step - 0.5) < 1e-12);
  s = statistics_of(&info, a, &info, a);
  assert_true(s.differing == 0 && isinf(s.snr_db) && s.cosine == 1);
  static const int8_t zero[6] = {0};
  s = statistics_of(&info, zero, &info, b);
  assert_true(isnan(s.snr_db) && isnan(s.cosine));
}

/* An array without a scale (a file without an index) takes the scale of the other array. */
static void the_other_sides_scale_is_taken(void **state) {
  (void)state;
  static const uint8_t a[] = {128, 129, 0, 0, 0, 0}, b[] = {128, 131, 0, 0, 0, 0};
  qn_tensor_info known = info_of(QN_DTYPE_U8, 1, 0.5, 128), bare = info_of(QN_DTYPE_U8, 1, 0, 0);
  statistics s = statistics_of(&bare, a, &known, b);
  assert_true(s.largest_real == 1 && s.a_real == 0.5 && s.b_real == 1.5);
}

static void floats_are_compared_with_stored_values_by_reals(void **state) {
  (void)state;
  static const float a[] = {0.5f, 1.26f, 0, 0, 0, 0};
  static const int8_t b[] = {1, 2, 0, 0, 0, 0};
  qn_tensor_info real = info_of(QN_DTYPE_F32, 4, 0, 0), stored = info_of(QN_DTYPE_I8, 1, 0.5, 0);
  statistics s = statistics_of(&real, a, &stored, b);
  assert_int_equal(s.differing, 1);
  assert_true(s.largest_step == -1 && s.at == 1);
}

static void floats_differ_by_bits_and_have_no_steps(void **state) {
  (void)state;
  static const float a[] = {0, NAN, 1, 2, 3, 4}, b[] = {-0.0f, NAN, 1, 2, 3.5f, 4.25f};
  qn_tensor_info real = info_of(QN_DTYPE_F32, 4, 0, 0);
  statistics s = statistics_of(&real, a, &real, b);
  assert_false(s.has_steps);
  assert_int_equal(s.differing, 3);
  assert_int_equal(s.at, 4);
  assert_true(s.largest_real == 0.5);
  static const float nan[] = {0, NAN, 1, 2, NAN, 4};
  s = statistics_of(&real, a, &real, nan);
  assert_int_equal(s.differing, 1);
  assert_int_equal(s.at, 4);
}

/* These integers differ in a bit that a double can't represent. */
static void wide_integers_differ_by_one(void **state) {
  (void)state;
  static const int64_t a[] = {INT64_MAX, 0, 0, 0, 0, 0}, b[] = {INT64_MAX - 1, 0, 0, 0, 0, 0};
  qn_tensor_info info = info_of(QN_DTYPE_I64, 8, 0, 0);
  statistics s = statistics_of(&info, a, &info, b);
  assert_int_equal(s.differing, 1);
}

/* Arrays of one type with different quantizations have no difference in steps. Two stored values
 * are equal if one real number is stored as both. */
static void other_quantizations_are_compared_by_reals(void **state) {
  (void)state;
  static const int8_t a[] = {2, 4, 0, 0, 0, 0}, b[] = {1, 3, 0, 0, 0, 0};
  qn_tensor_info fine = info_of(QN_DTYPE_I8, 1, 0.5, 0), coarse = info_of(QN_DTYPE_I8, 1, 1, 0);
  statistics s = statistics_of(&fine, a, &coarse, b);
  assert_int_equal(s.differing, 1);
  assert_true(s.at == 1 && !s.has_steps && s.largest_real == 1);
}

/* The zero points differ. Equal real values are equal; a clipped value differs, although it is
 * stored as the same integer. */
static void other_zero_points_are_compared_by_reals(void **state) {
  (void)state;
  static const int8_t a[] = {127, 120, 0, 0, 0, 0}, b[] = {127, 127, 7, 7, 7, 7};
  qn_tensor_info is = info_of(QN_DTYPE_I8, 1, 0.5, 0), moved = info_of(QN_DTYPE_I8, 1, 0.5, 7);
  statistics s = statistics_of(&is, a, &moved, b);
  assert_int_equal(s.differing, 1);
  assert_true(s.at == 0 && !s.has_steps && s.largest_real == -3.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stored_integers_differ_by_steps),
      cmocka_unit_test(ratio_and_cosine_are_those_of_reals),
      cmocka_unit_test(the_other_sides_scale_is_taken),
      cmocka_unit_test(floats_are_compared_with_stored_values_by_reals),
      cmocka_unit_test(floats_differ_by_bits_and_have_no_steps),
      cmocka_unit_test(wide_integers_differ_by_one),
      cmocka_unit_test(other_quantizations_are_compared_by_reals),
      cmocka_unit_test(other_zero_points_are_compared_by_reals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
