/* Re-expression compared with integer arithmetic, for scales that are small integers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/reexpress.h"

static int64_t floor_div(int64_t n, int64_t d) { return n / d - (n % d < 0); }

static int64_t divide(int64_t n, int64_t d, qn_rounding rounding) {
  int64_t low = floor_div(n, d), rest = n - low * d;
  switch (rounding) {
  case QN_ROUND_FLOOR:
    return low;
  case QN_ROUND_TOWARD_ZERO:
    return n / d;
  case QN_ROUND_AWAY:
    return low + (2 * rest > d || (2 * rest == d && low >= 0));
  default:
    return low + (2 * rest > d || (2 * rest == d && low % 2 != 0));
  }
}

static void test_against_integers(void **unused) {
  (void)unused;
  for (int a = 1; a <= 12; a++) {
    for (int b = 1; b <= 12; b++) {
      qn_quant_cell from = {a, 3, -128, 127}, to = {b, -5, -100, 90};
      for (int64_t q = -128; q <= 127; q++) {
        for (int r = QN_ROUND_EVEN; r <= QN_ROUND_FLOOR; r++) {
          int64_t y = divide((q - 3) * a, b, (qn_rounding)r) - 5;
          int64_t clamped = y > 90 ? 90 : y < -100 ? -100 : y;
          qn_reexpressed got = qn_reexpress(q, &from, &to, (qn_rounding)r);
          assert_int_equal(got.value, clamped);
          assert_int_equal(got.saturated, clamped != y);
          assert_int_equal(got.inexact, (q - 3) * a % b != 0);
        }
      }
    }
  }
}

/* Doubles whose ratio is nearly an integer are not exact: 3 * 0.1 is not 0.3. */
static void test_nearly_exact(void **unused) {
  (void)unused;
  qn_quant_cell tenth = {0.1, 0, -128, 127}, three = {0.3, 0, -42, 42};
  assert_true(qn_reexpress(1, &three, &tenth, QN_ROUND_EVEN).inexact);
  assert_int_equal(qn_reexpress(1, &three, &tenth, QN_ROUND_EVEN).value, 3);
  assert_int_equal(qn_reexpress(1, &three, &tenth, QN_ROUND_FLOOR).value, 2); /* 0.3 < 3 * 0.1 */
}

static void test_far_scales(void **unused) {
  (void)unused;
  qn_quant_cell huge = {0x1p1000, 0, -128, 127}, tiny = {0x1p-1060, 0, -128, 127};
  assert_int_equal(qn_reexpress(1, &huge, &tiny, QN_ROUND_EVEN).value, 127);
  assert_int_equal(qn_reexpress(-1, &huge, &tiny, QN_ROUND_EVEN).value, -128);
  assert_false(qn_reexpress(0, &huge, &tiny, QN_ROUND_EVEN).inexact);
  assert_int_equal(qn_reexpress(1, &tiny, &huge, QN_ROUND_EVEN).value, 0);
  assert_int_equal(qn_reexpress(-1, &tiny, &huge, QN_ROUND_FLOOR).value, -1);
  assert_true(qn_reexpress(1, &tiny, &huge, QN_ROUND_EVEN).inexact);
}

static void test_wide_storage(void **unused) {
  (void)unused;
  qn_quant_cell u32 = {0.5, INT64_C(2147483648), 0, UINT32_MAX},
                i32 = {0.5, 0, INT32_MIN, INT32_MAX};
  int64_t stored;
  assert_true(qn_reexpress_always_exact(&u32, &i32, &stored));
  assert_true(qn_reexpress_always_exact(&i32, &u32, &stored));
  assert_int_equal(qn_reexpress(UINT32_MAX, &u32, &i32, QN_ROUND_EVEN).value, INT32_MAX);
}

/* The proof agrees with a test of every stored value. */
static void test_proof(void **unused) {
  (void)unused;
  for (int a = 1; a <= 8; a++) {
    for (int b = 1; b <= 8; b++) {
      for (int64_t to_max = 10; to_max <= 127; to_max += 13) {
        qn_quant_cell from = {a, 2, -8, 7}, to = {b, 1, -20, to_max};
        bool every = true;
        for (int64_t q = from.min; q <= from.max; q++) {
          qn_reexpressed r = qn_reexpress(q, &from, &to, QN_ROUND_EVEN);
          every &= !r.inexact && !r.saturated;
        }
        int64_t stored = 0;
        assert_int_equal(qn_reexpress_always_exact(&from, &to, &stored), every);
        if (every) continue;
        qn_reexpressed r = qn_reexpress(stored, &from, &to, QN_ROUND_EVEN);
        assert_true(r.inexact || r.saturated);
      }
    }
  }
}

static void test_names(void **unused) {
  (void)unused;
  qn_rounding rounding = QN_ROUND_EVEN;
  assert_true(qn_rounding_of_name(qn_str_of("toward-zero"), &rounding));
  assert_int_equal(rounding, QN_ROUND_TOWARD_ZERO);
  assert_false(qn_rounding_of_name(qn_str_of("up"), &rounding));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_integers),
      cmocka_unit_test(test_nearly_exact),
      cmocka_unit_test(test_far_scales),
      cmocka_unit_test(test_wide_storage),
      cmocka_unit_test(test_proof),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
