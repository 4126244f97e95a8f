/* Multiply-add and rounding without calls of the C library, compared with the C library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/fused.h"

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* A float with a random number of significant bits. Few bits make ties likely. */
static float random_float(uint64_t *state, int octave) {
  uint64_t bits = next_random(state) % 24;
  int64_t mantissa = (int64_t)(next_random(state) % (UINT64_C(2) << bits)) - (INT64_C(1) << bits);
  return (float)ldexp((double)mantissa, octave - (int)bits);
}

static void test_random_sums(void **unused) {
  (void)unused;
  uint64_t state = 0xF05ED;
  int unsure = 0;
  for (int i = 0; i < 2000000; i++) {
    float x = random_float(&state, i % 27), scale = random_float(&state, -(i / 27 % 20));
    float offset = random_float(&state, i % 8);
    int32_t is_unsure = 0;
    float sum = qn_fused((double)x, (double)scale, (double)offset, &is_unsure);
    unsure += is_unsure;
    if (!is_unsure) assert_true(sum == fmaf(x, scale, offset));
  }
  assert_true(unsure < 200);
}

/* Sums at the midpoint between 1 and the next float after rounding to double. If that rounding was
 * inexact, a second rounding may be wrong, and the result is counted as unsure. */
static void test_rounded_twice(void **unused) {
  (void)unused;
  const double middle = 0x1p-24, next = 1 + (double)FLT_EPSILON;
  int32_t unsure = 0;
  assert_true(qn_fused(1, middle, 1, &unsure) == 1);
  assert_true(qn_fused(next, middle, 1, &unsure) == (float)next);
  assert_int_equal(unsure, 0);                                    /* both sums are exact */
  qn_fused(next, (1 - (double)FLT_EPSILON) * middle, 1, &unsure); /* 2^-70 is lost */
  assert_int_equal(unsure, 1);
}

static void test_nearest(void **unused) {
  (void)unused;
  uint64_t state = 0x0E4;
  for (int i = 0; i < 1000000; i++) {
    float y = random_float(&state, i % 32);
    assert_true(qn_nearest(y) == nearbyintf(y));
  }
  for (float y = -20; y <= 20; y += 0.5F) assert_true(qn_nearest(y) == nearbyintf(y));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_sums),
      cmocka_unit_test(test_rounded_twice),
      cmocka_unit_test(test_nearest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
