/* Causes of the error of a quantized tensor: errors of each kind are introduced, and must be found.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "cli/compare/encoding.h"
#include "cli/compare/loss.h"

#include <cmocka.h>

enum { PLACES = 250, CHANNELS = 4, COUNT = PLACES * CHANNELS };
static const int64_t dims[] = {1, PLACES, CHANNELS};

static qn_tensor_info info_of(qn_dtype dtype, size_t size, double scale, int64_t zero_point) {
  return (qn_tensor_info){.name = "",
                          .dtype = dtype,
                          .rank = 3,
                          .dims = dims,
                          .bytes = COUNT * size,
                          .scale = scale,
                          .zero_point = zero_point};
}

/* Random floats from -1 to 1, both ends included. */
static void make_floats(float *x) {
  uint32_t seed = 1;
  for (int i = 0; i < COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)((double)(seed >> 8) / (1 << 23) - 1);
  }
  x[0] = -1;
  x[1] = 1;
}

typedef struct tensor {
  float x[COUNT];
  int8_t q[COUNT];
  qn_tensor_info real, stored;
} tensor;

static void make(tensor *t, double scale, int64_t zero_point) {
  make_floats(t->x);
  t->real = info_of(QN_DTYPE_F32, sizeof(float), 0, 0);
  t->stored = info_of(QN_DTYPE_I8, 1, scale, zero_point);
  assert_int_not_equal(encoding_convert(&t->real, t->x, &t->stored, t->q), ENCODING_NONE);
}

static loss_report of(const tensor *t) { return loss_of(&t->real, t->x, &t->stored, t->q); }

/* If the encoding covers the range of the floats, rounding is the only error. */
static void rounding_is_no_fault(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.0 / 255, 0);
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_ROUNDING);
  assert_true(fabs(l.snr_db - l.ideal_db) < 0.5 && l.snr_db > 40);
  assert_true(l.clipped < 0.01 && fabs(l.away) < 0.1 && fabs(l.factor - 1) < 0.01);
}

static void a_shift_is_the_zero_point(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.2 / 255, 0);
  t.stored.zero_point = -3; /* values were stored for zero point 0 */
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_ZERO_POINT);
  assert_true(fabs(l.away - 3) < 0.1);
  assert_true(l.without[LOSS_ZERO_POINT] > l.ideal_db - 2 && l.snr_db < 30);
}

static void a_range_off_its_middle_is_the_zero_point(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.0 / 250, 60); /* values above 0.54 are clipped; the lower range is unused */
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_ZERO_POINT);
  assert_true(l.clipped > 0.15 && l.without[LOSS_ZERO_POINT] > l.ideal_db - 2);
}

static void a_range_too_small_clips(void **state) {
  (void)state;
  tensor t;
  make(&t, 1.0 / 255, 0);
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_CLIPPING);
  assert_true(l.clipped > 0.4 && l.without[LOSS_CLIPPING] > l.ideal_db);
}

static void steps_too_large_are_the_scale(void **state) {
  (void)state;
  tensor t;
  make(&t, 16.0 / 255, 0);
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_SCALE);
  assert_true(l.clipped == 0 && fabs(l.factor - 1) < 0.01);
  assert_true(l.snr_db < l.ideal_db - 12 && l.without[LOSS_SCALE] > l.ideal_db - 1);
}

static void a_factor_is_the_scale(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.5 / 255, 0);
  t.stored.scale *= 1.25;
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_SCALE);
  assert_true(fabs(l.factor - 1.25) < 0.01 && l.without[LOSS_SCALE] > l.ideal_db - 3);
}

static void a_constant_of_a_channel_is_the_bias(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.4 / 255, 0);
  for (int i = 2; i < COUNT; i += CHANNELS) t.q[i] = (int8_t)(t.q[i] + 7);
  for (int i = 3; i < COUNT; i += CHANNELS) t.q[i] = (int8_t)(t.q[i] - 7);
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_BIAS);
  assert_true(fabs(l.away) < 0.1 && l.without[LOSS_BIAS] > l.ideal_db - 3);
}

/* Random errors have none of the known causes. */
static void noise_is_something_else(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.4 / 255, 0);
  uint32_t seed = 7;
  for (int i = 0; i < COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    t.q[i] = (int8_t)(t.q[i] + (seed >> 31 ? 9 : -9));
  }
  loss_report l = of(&t);
  assert_int_equal(l.cause, LOSS_OTHER);
  assert_true(l.snr_db < l.ideal_db - 10);
}

/* With one value per channel, a constant per channel would explain every error. */
static void one_value_per_channel_has_no_bias(void **state) {
  (void)state;
  static const int64_t row[] = {1, COUNT};
  tensor t;
  make(&t, 2.4 / 255, 0);
  t.real.dims = t.stored.dims = row;
  t.real.rank = t.stored.rank = 2;
  assert_true(isnan(of(&t).without[LOSS_BIAS]));
}

static void tensors_without_signal_or_numbers_end(void **state) {
  (void)state;
  tensor t;
  make(&t, 2.4 / 255, 1);
  memset(t.x, 0, sizeof t.x);
  assert_true(isnan(of(&t).snr_db));
  for (int i = 0; i < COUNT; i++) t.q[i] = 1;
  assert_int_equal(of(&t).cause, LOSS_ROUNDING);
  for (int i = 0; i < COUNT; i++) t.x[i] = i % 2 ? NAN : INFINITY;
  assert_int_equal(of(&t).cause, LOSS_OTHER);
  assert_int_equal(encoding_convert(&t.real, t.x, &t.stored, t.q), ENCODING_NEAREST);
  assert_true(t.q[0] == 127 && t.q[1] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_is_no_fault),
      cmocka_unit_test(a_shift_is_the_zero_point),
      cmocka_unit_test(a_range_off_its_middle_is_the_zero_point),
      cmocka_unit_test(a_range_too_small_clips),
      cmocka_unit_test(steps_too_large_are_the_scale),
      cmocka_unit_test(a_factor_is_the_scale),
      cmocka_unit_test(a_constant_of_a_channel_is_the_bias),
      cmocka_unit_test(noise_is_something_else),
      cmocka_unit_test(one_value_per_channel_has_no_bias),
      cmocka_unit_test(tensors_without_signal_or_numbers_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
