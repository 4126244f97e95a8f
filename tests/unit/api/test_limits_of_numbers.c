/* Numbers at and beyond the limits of the reference. Results that are undefined in its kernels
 * saturate here, in every engine and at every level. Results that only seem undefined were recorded
 * from ai-edge-litert 2.3.0 with the reference resolver.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "every_engine.h"
#include "tests/support/tflite_builder.h"

enum { ROW = 10000 };

/* Runs a model with one input and one output of `size` bytes. `rejected`: part of the message with
 * which compilation fails unless the model may fall back, or NULL. */
static void expect_output(qn_tfb *b, const void *input, const void *expected, size_t size,
                          const char *rejected) {
  engines e;
  engines_open(&e);
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  const qn_bytes file = qn_tfb_finish(b);
  qn_model *model = NULL;
  if (rejected) {
    qn_executable *none;
    assert_int_equal(qn_model_load_memory(e.context, file, "m.tflite", &options, &model), QN_OK);
    assert_int_equal(qn_compile(model, &e.options[e.count - 1], &none), QN_UNSUPPORTED);
    assert_non_null(strstr(e.messages, rejected));
    qn_model_destroy(model);
    options.fall_back = 1;
  }
  if (qn_model_load_memory(e.context, file, "m.tflite", &options, &model) != QN_OK)
    fail_msg("%s", e.messages);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    uint8_t *got = malloc(size);
    assert_int_equal(qn_executable_output(x, 0).bytes, size);
    assert_int_equal(qn_executable_invoke(x, &input, (void *[]){got}), QN_OK);
    for (size_t i = 0; i < size; i++)
      if (got[i] != ((const uint8_t *)expected)[i])
        fail_msg("%s: element %zu is %d", e.names[k], i, (int8_t)got[i]);
    free(got);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
  qn_tfb_destroy(b);
}

/* (127 x + bias) * 2^17 exceeds int32 if |127 x + bias| >= 2^14. The reference nevertheless
 * converts it to int32, and gets the lowest value for both signs. So the model is rejected; with
 * --fall-back results saturate. */
static void test_products_beyond_int32(void **state) {
  (void)state;
  static const struct {
    int8_t x;
    int32_t bias;
    int8_t expected;
  } rows[] = {{11, 16383, 127},     {127, 16383, 127},  {-11, -16383, -128},
              {-128, -16383, -128}, {-128, 16383, 127}, {1, -127, 0}};
  const int8_t weight = 127;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    float scale = 65536.0f;
    qn_tfb *b = qn_tfb_create();
    int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 1), 1.0f, 0);
    int32_t w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(1, 1), &weight, &scale, 1, 0, 0);
    int32_t bias = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(1), (int32_t[]){rows[i].bias});
    int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 1), 0.5f, 0);
    qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, bias), QN_TFB_LIST(y),
              qn_tfb_fully_connected_options(QN_TFB_NONE, false));
    qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
    expect_output(b, &rows[i].x, &rows[i].expected, 1, "convert floats");
  }
}

/* Quotients beyond int32 and infinities saturate; NaN gives the zero point. The reference converts
 * to int32, so on x86 it returns the same end of the range for all of them. */
static void test_quantized_specials(void **state) {
  (void)state;
  static const float x[] = {NAN,    INFINITY, -INFINITY, 3e9f,      -3e9f,   1e30f,
                            -1e30f, 0.0f,     -0.0f,     0x1p-130f, 0x1p31f, 0x1p32f};
  static const struct {
    uint8_t type;
    float scale;
    int64_t zero_point;
    int low, high;
  } rows[] = {{QN_TFB_INT8, 0.001f, -5, -128, 127},
              {QN_TFB_INT8, 0.5f, 3, -128, 127},
              {QN_TFB_UINT8, 0.5f, 10, 0, 255}};
  enum { COUNT = sizeof x / sizeof x[0] };
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    qn_tfb *b = qn_tfb_create();
    int32_t in = qn_tfb_f32(b, "x", QN_TFB_SHAPE(COUNT));
    int32_t out =
        qn_tfb_q8(b, "y", rows[r].type, QN_TFB_SHAPE(COUNT), rows[r].scale, rows[r].zero_point);
    qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(in), QN_TFB_LIST(out), qn_tfb_no_options());
    qn_tfb_interface(b, QN_TFB_LIST(in), QN_TFB_LIST(out));
    uint8_t expected[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
      bool is_small = isnan(x[i]) || fabsf(x[i]) < 1.0f;
      expected[i] = (uint8_t)(is_small      ? rows[r].zero_point
                              : x[i] > 0.0f ? rows[r].high
                                            : rows[r].low);
    }
    expect_output(b, x, expected, COUNT, NULL);
  }
}

/* Sums of rows with more than 8191 elements wrap only if more than 8191 elements are near the
 * largest. */
static void test_long_softmax(void **state) {
  (void)state;
  static const int8_t large[] = {-56, -75, -88, -99, -106, -112, -116, -119};
  static int8_t x[ROW], expected[ROW];
  memset(x, -128, sizeof x);
  memset(expected, -128, sizeof expected);
  for (int k = 0; k < 8; k++) {
    x[1000 * k + 77] = (int8_t)(127 - 6 * k);
    expected[1000 * k + 77] = large[k];
  }
  qn_tfb *b = qn_tfb_create();
  int32_t in = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, ROW), 0.05f, 3);
  int32_t out = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, ROW), 0x1p-8f, -128);
  qn_tfb_op(b, QN_TFB_SOFTMAX, 2, QN_TFB_LIST(in), QN_TFB_LIST(out), qn_tfb_softmax_options(1.0f));
  qn_tfb_interface(b, QN_TFB_LIST(in), QN_TFB_LIST(out));
  expect_output(b, x, expected, ROW, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products_beyond_int32),
      cmocka_unit_test(test_quantized_specials),
      cmocka_unit_test(test_long_softmax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
