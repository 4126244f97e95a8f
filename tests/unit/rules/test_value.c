/* Arithmetic of rules: exact integers, their types, IEEE floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include <math.h>

#include "rules/apply/value.h"

#include <cmocka.h>

static qn_rule_value i32(int64_t value) { return qn_rule_value_integer(QN_RULE_I32, value); }
static qn_rule_value size(int64_t value) { return qn_rule_value_integer(QN_RULE_SIZE, value); }

static int64_t integer(qn_rule_arith op, int64_t a, int64_t b) {
  qn_rule_value out;
  assert_null(qn_rule_value_arith(op, QN_RULE_I32, i32(a), i32(b), &out));
  return out.integer;
}

static void division_truncates_and_mod_has_the_sign_of_the_divisor(void **state) {
  (void)state;
  static const int rows[][5] = {{7, 3, 2, 1, 1},     {-7, 3, -2, -1, 2}, {7, -3, -2, 1, -2},
                                {-7, -3, 2, -1, -1}, {6, 3, 2, 0, 0},    {-6, 3, -2, 0, 0}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    int a = rows[i][0], b = rows[i][1];
    assert_int_equal(integer(QN_RULE_ARITH_DIV, a, b), rows[i][2]);
    assert_int_equal(integer(QN_RULE_ARITH_REM, a, b), rows[i][3]);
    assert_int_equal(integer(QN_RULE_ARITH_MOD, a, b), rows[i][4]);
  }
}

static void rounding_up(void **state) {
  (void)state;
  assert_int_equal(integer(QN_RULE_ARITH_ROUNDUP, 33, 32), 64);
  assert_int_equal(integer(QN_RULE_ARITH_ROUNDUP, 32, 32), 32);
  assert_int_equal(integer(QN_RULE_ARITH_ROUNDUP, 0, 8), 0);
  assert_int_equal(integer(QN_RULE_ARITH_ROUNDUP, -5, 4), -4);
}

static void what_has_no_value_fails(void **state) {
  (void)state;
  qn_rule_value out, most = size(INT64_MAX);
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_DIV, QN_RULE_I32, i32(1), i32(0), &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_REM, QN_RULE_I32, i32(1), i32(0), &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_MOD, QN_RULE_I32, i32(1), i32(0), &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_ROUNDUP, QN_RULE_I32, i32(1), i32(24), &out));
  assert_non_null(
      qn_rule_value_arith(QN_RULE_ARITH_ADD, QN_RULE_I32, i32(INT32_MAX), i32(1), &out));
  assert_non_null(
      qn_rule_value_arith(QN_RULE_ARITH_DIV, QN_RULE_I32, i32(INT32_MIN), i32(-1), &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_SUB, QN_RULE_SIZE, size(3), size(8), &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_ADD, QN_RULE_SIZE, most, most, &out));
  assert_non_null(qn_rule_value_arith(QN_RULE_ARITH_MUL, QN_RULE_SIZE, most, most, &out));
  assert_non_null(qn_rule_value_cast(QN_RULE_I32, qn_rule_value_real((double)NAN), &out));
  assert_non_null(qn_rule_value_cast(QN_RULE_I32, qn_rule_value_real((double)INFINITY), &out));
  assert_non_null(qn_rule_value_cast(QN_RULE_I32, qn_rule_value_real(3e9), &out));
  assert_non_null(qn_rule_value_cast(QN_RULE_SIZE, qn_rule_value_real(-1), &out));
  assert_non_null(qn_rule_value_cast(QN_RULE_SIZE, qn_rule_value_real(1e30), &out));
}

static void floats_are_single_and_nan_spreads(void **state) {
  (void)state;
  qn_rule_value out, nan = qn_rule_value_real((double)NAN), one = i32(1);
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_DIV, QN_RULE_F32, one, i32(3), &out));
  assert_true(out.real == 1.0f / 3.0f);
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_MIN, QN_RULE_F32, nan, one, &out));
  assert_true(isnan(out.real));
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_MAX, QN_RULE_F32, one, nan, &out));
  assert_true(isnan(out.real));
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_DIV, QN_RULE_F32, one, i32(0), &out));
  assert_true(isinf(out.real));
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_MOD, QN_RULE_F32, qn_rule_value_real(-5.5),
                                  qn_rule_value_real(2), &out));
  assert_true(out.real == 0.5f);
  assert_null(qn_rule_value_arith(QN_RULE_ARITH_REM, QN_RULE_F32, qn_rule_value_real(-5.5),
                                  qn_rule_value_real(2), &out));
  assert_true(out.real == -1.5f);
}

static void comparison_is_by_value(void **state) {
  (void)state;
  assert_int_equal(qn_rule_value_compare(i32(-1), size(1)), -1);
  assert_int_equal(qn_rule_value_compare(size(4), i32(4)), 0);
  assert_int_equal(qn_rule_value_compare(i32(2), qn_rule_value_real(1.5)), 1);
  assert_int_equal(qn_rule_value_compare(i32(2), qn_rule_value_real((double)NAN)), 2);
}

static void values_print_as_rules_write_them(void **state) {
  (void)state;
  qn_text text = {0};
  const qn_rule_value values[] = {i32(-3), size(7), qn_rule_value_bool(true),
                                  qn_rule_value_real(0.1),
                                  qn_rule_value_integer(QN_RULE_DTYPE_TAG, 1)};
  for (size_t i = 0; i < QN_COUNT(values); i++) {
    qn_rule_value_print(values[i], &text);
    qn_text_putc(&text, ' ');
  }
  assert_string_equal(text.data, "-3 7 true 0.100000001 DType::QInt8 ");
  qn_text_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(division_truncates_and_mod_has_the_sign_of_the_divisor),
      cmocka_unit_test(rounding_up),
      cmocka_unit_test(what_has_no_value_fails),
      cmocka_unit_test(floats_are_single_and_nan_spreads),
      cmocka_unit_test(comparison_is_by_value),
      cmocka_unit_test(values_print_as_rules_write_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
