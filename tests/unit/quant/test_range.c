/* Clamps of activations, and tables of unary functions, by profile.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quant/unary/unary.h"

static const qn_affine8 signed8 = {0.05, -10, -128, 127};

static void expect_range(qn_activation activation, qn_affine8 to, int32_t min, int32_t max) {
  int32_t got_min, got_max;
  qn_activation_range(activation, to, &got_min, &got_max);
  assert_int_equal(got_min, min);
  assert_int_equal(got_max, max);
}

static void test_activation_ranges(void **unused) {
  (void)unused;
  expect_range(QN_ACT_NONE, signed8, -128, 127);
  expect_range(QN_ACT_RELU, signed8, -10, 127);
  expect_range(QN_ACT_RELU6, signed8, -10, 110);
  expect_range(QN_ACT_RELU_N1_TO_1, signed8, -30, 10);
  qn_affine8 narrow = {0.01, 100, 0, 255};
  expect_range(QN_ACT_RELU6, narrow, 100, 255);
  expect_range(QN_ACT_RELU_N1_TO_1, narrow, 0, 200);
  qn_affine8 tiny = {1e-30, 0, -128, 127};
  expect_range(QN_ACT_RELU6, tiny, 0, 127);
}

static void test_names(void **unused) {
  (void)unused;
  static const char *const words[] = {[QN_ACT_NONE] = "none",
                                      [QN_ACT_RELU] = "relu",
                                      [QN_ACT_RELU6] = "relu6",
                                      [QN_ACT_RELU_N1_TO_1] = "relu_n1_to_1"};
  uint32_t index;
  for (uint32_t i = 0; i < QN_COUNT(words); i++) {
    assert_true(qn_str_index(qn_str_of(QN_ACTIVATION_WORDS), qn_str_of(words[i]), &index));
    assert_int_equal(index, i);
  }
  assert_false(qn_str_index(qn_str_of(QN_ACTIVATION_WORDS), qn_str_of("gelu"), &index));
  qn_arena arena;
  qn_diag_engine diag;
  qn_arena_init(&arena);
  qn_diag_init(&diag, &arena);
  const qn_profile *profile, *each;
  for (uint32_t i = 0; (each = qn_profile_at(i)); i++) {
    assert_int_equal(qn_profile_find(&diag, diag.unknown, qn_str_of(each->name), &profile), QN_OK);
    assert_ptr_equal(profile, each);
    assert_non_null(each->summary);
    bool even = each == &qn_profile_xnnpack || each->units != QN_UNITS_NONE;
    assert_int_equal(each->quantize, even ? QN_ROUND_EVEN : QN_ROUND_AWAY);
  }
  /* docs/cmsis-nn.md: another name for the same rules */
  qn_profile same = qn_profile_cmsis_nn;
  same.name = qn_profile_tflm.name;
  same.summary = qn_profile_tflm.summary;
  assert_memory_equal(&same, &qn_profile_tflm, sizeof same);
  assert_int_equal(qn_profile_find(&diag, diag.unknown, qn_str_of("exact"), &profile),
                   QN_NOT_FOUND);
  assert_int_equal(diag.errors, 1);
  qn_diag_deinit(&diag);
  qn_arena_deinit(&arena);
}

static int32_t entry(const uint8_t table[256], int32_t x, bool is_unsigned) {
  uint8_t y = table[(uint8_t)x];
  return is_unsigned ? y : (int8_t)y;
}

static void fill(qn_unary_fn *function, const qn_profile *profile, qn_affine8 in, bool is_unsigned,
                 qn_affine8 out, uint8_t table[256]) {
  const qn_unary ends = {.input = in, .output = out};
  qn_unary_table(function, profile, &ends, is_unsigned, table);
}

/* Results differ from the real function by at most one step, and are monotone. */
static void expect_function(qn_unary_fn *function_of, const qn_profile *profile, qn_affine8 in,
                            qn_affine8 out, double (*function)(double)) {
  uint8_t table[256];
  bool is_unsigned = in.min == 0;
  fill(function_of, profile, in, is_unsigned, out, table);
  for (int32_t x = in.min; x <= in.max; x++) {
    double real = function(in.scale * (x - in.zero_point)) / out.scale + out.zero_point;
    double clamped = fmin(fmax(real, out.min), out.max);
    assert_true(fabs(entry(table, x, is_unsigned) - clamped) <= 1.0);
    if (x > in.min) assert_true(entry(table, x, is_unsigned) >= entry(table, x - 1, is_unsigned));
  }
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double relu(double x) { return fmax(x, 0); }
static double relu6(double x) { return fmin(fmax(x, 0), 6); }
static double identity(double x) { return x; }

static void test_tables_approximate_their_functions(void **unused) {
  (void)unused;
  const qn_affine8 unit = {1.0 / 256, -128, -128, 127}, both = {1.0 / 128, 0, -128, 127};
  const qn_affine8 uin = {0.05, 118, 0, 255}, uunit = {1.0 / 256, 0, 0, 255};
  const qn_affine8 uboth = {1.0 / 128, 128, 0, 255}, other = {0.031, 7, -128, 127};
  const qn_profile *profile;
  for (uint32_t p = 0; (profile = qn_profile_at(p)); p++) {
    expect_function(qn_unary_sigmoid, profile, signed8, unit, sigmoid);
    expect_function(qn_unary_tanh, profile, signed8, both, tanh);
    expect_function(qn_unary_sigmoid, profile, uin, uunit, sigmoid);
    expect_function(qn_unary_tanh, profile, uin, uboth, tanh);
    expect_function(qn_unary_relu, profile, signed8, other, relu);
    expect_function(qn_unary_relu6, profile, signed8, signed8, relu6);
    expect_function(qn_unary_requantize, profile, signed8, other, identity);
    expect_function(qn_unary_concat_rescale, profile, uin, (qn_affine8){0.07, 99, 0, 255},
                    identity);
  }
}

static void test_profiles_differ(void **unused) {
  (void)unused;
  const qn_affine8 in = {0.1, 3, -128, 127}, unit = {1.0 / 256, -128, -128, 127};
  uint8_t table[256], fixed[256];
  fill(qn_unary_sigmoid, &qn_profile_tflm, in, false, unit, fixed);
  qn_multiplier m = qn_multiplier_of(0.1 * 0x1p27);
  for (int32_t x = -116; x <= 122; x++) { /* |x - 3| < 120 = 15 * 2^27 / 2^24: not yet saturated */
    int32_t w = qn_requant32(x - 3, m.mantissa, m.shift);
    int32_t y = qn_rdivp2(qn_fixed_logistic(w, 4), 23) - 128;
    assert_int_equal(entry(fixed, x, false), qn_clamp32(y, -128, 127));
  }
  /* RELU6: one profile rescales, the other assumes equal quantization. */
  const qn_affine8 out = {0.05, -128, -128, 127};
  fill(qn_unary_relu6, &qn_profile_litert_ref, in, false, out, table);
  assert_int_equal(entry(table, 13, false), -128 + 20);
  fill(qn_unary_relu6, &qn_profile_tflm, in, false, out, table);
  assert_int_equal(entry(table, 13, false), 13);
  assert_int_equal(entry(table, -5, false), 3);
  assert_int_equal(entry(table, 100, false), 63);
}

static void test_requantize_between_signs(void **unused) {
  (void)unused;
  const qn_affine8 from = {0.5, 3, -128, 127}, to = {0.5, 131, 0, 255};
  uint8_t table[256];
  fill(qn_unary_requantize, &qn_profile_litert_ref, from, false, to, table);
  for (int i = 0; i < 256; i++) assert_int_equal(table[i], i ^ 0x80);
}

static void test_concat(void **unused) {
  (void)unused;
  const qn_affine8 from = {0.5, 3, 0, 255}, to = {0.25, 10, 0, 255};
  uint8_t table[256];
  fill(qn_unary_concat_rescale, &qn_profile_litert_ref, from, true, from, table);
  for (int i = 0; i < 256; i++) assert_int_equal(table[i], i);
  fill(qn_unary_concat_rescale, &qn_profile_litert_ref, from, true, to, table);
  assert_int_equal(table[0], 4);
  assert_int_equal(table[5], 14);
  assert_int_equal(table[255], 255);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_activation_ranges),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_tables_approximate_their_functions),
      cmocka_unit_test(test_profiles_differ),
      cmocka_unit_test(test_requantize_between_signs),
      cmocka_unit_test(test_concat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
