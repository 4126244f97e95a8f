/* Bounds of accumulators compared with all combinations of extreme inputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/bounds.h"

enum { TAPS = 6 };

/* Evaluates all combinations in which each tap is its lowest or highest input, or outside of the
 * input. */
static qn_interval brute_force(const int32_t *weights, int64_t lo, int64_t hi, int64_t bias,
                               bool miss) {
  qn_interval r = {INT64_MAX, INT64_MIN};
  const int64_t states = miss ? 3 : 2;
  int64_t combinations = 1;
  for (int i = 0; i < TAPS; i++) combinations *= states;
  for (int64_t c = 0; c < combinations; c++) {
    int64_t sum = bias, rest = c;
    for (int i = 0; i < TAPS; i++, rest /= states) {
      const int64_t inputs[] = {lo, hi, 0};
      sum += weights[i] * inputs[rest % states];
    }
    if (sum < r.lo) r.lo = sum;
    if (sum > r.hi) r.hi = sum;
  }
  return r;
}

static void test_against_brute_force(void **unused) {
  (void)unused;
  static const int64_t inputs[][2] = {{-128, 127}, {0, 255}, {3, 258}, {-255, 0}, {-7, -2}};
  uint32_t state = 1;
  for (int round = 0; round < 50; round++) {
    int32_t weights[TAPS];
    for (int i = 0; i < TAPS; i++) {
      state = state * 1664525u + 1013904223u;
      weights[i] = (int32_t)(state >> 24) - 128;
    }
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
      for (int miss = 0; miss < 2; miss++) {
        qn_interval want = brute_force(weights, inputs[k][0], inputs[k][1], round * 1000 - 9, miss);
        qn_interval got =
            qn_bounds_dot(weights, TAPS, inputs[k][0], inputs[k][1], round * 1000 - 9, miss);
        assert_int_equal(got.lo, want.lo);
        assert_int_equal(got.hi, want.hi);
      }
  }
}

static void test_fits(void **unused) {
  (void)unused;
  assert_true(qn_interval_fits_i32((qn_interval){INT32_MIN, INT32_MAX}));
  assert_false(qn_interval_fits_i32((qn_interval){INT32_MIN - INT64_C(1), 0}));
  assert_false(qn_interval_fits_i32((qn_interval){0, INT32_MAX + INT64_C(1)}));
  qn_interval none = qn_bounds_dot(NULL, 0, -128, 127, 42, true);
  assert_true(none.lo == 42 && none.hi == 42);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_brute_force),
      cmocka_unit_test(test_fits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
