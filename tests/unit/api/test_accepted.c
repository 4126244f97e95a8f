/* Unusual operators that LiteRT accepts: unusual scales, weights of the other signedness, shapes
 * given as inputs, tensors without elements. All expected numbers were recorded from ai-edge-litert
 * 2.3.0 with the reference resolver, on the same models and inputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"
#include "tests/support/tflite_builder.h"

enum { MAX_BYTES = 64, I8 = QN_TFB_INT8, U8 = QN_TFB_UINT8 };

/* The bytes of every input and of every weight tensor in this file. */
static const uint8_t *sequence(void) {
  static uint8_t bytes[MAX_BYTES];
  for (int i = 0; i < MAX_BYTES; i++) bytes[i] = (uint8_t)(37 * i + 11);
  return bytes;
}

static qn_model *load(engines *e, qn_tfb *b) {
  qn_model *model = NULL;
  if (qn_model_load_memory(e->context, qn_tfb_finish(b), "m.tflite", NULL, &model) != QN_OK)
    fail_msg("%s", e->messages);
  qn_tfb_destroy(b);
  return model;
}

/* Compares the last output with `expected` in every engine. All other outputs have no elements. */
static void expect_bytes(qn_tfb *b, const void *expected, size_t size) {
  engines e;
  engines_open(&e);
  qn_model *model = load(&e, b);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    uint32_t outputs = qn_executable_output_count(x);
    uint8_t got[2][MAX_BYTES];
    assert_true(outputs <= 2);
    assert_int_equal(qn_executable_output(x, outputs - 1).bytes, size);
    if (outputs > 1) assert_int_equal(qn_executable_output(x, 0).bytes, 0);
    const void *inputs[] = {sequence(), sequence()};
    assert_int_equal(qn_executable_invoke(x, inputs, (void *[]){got[0], got[1]}), QN_OK);
    if (memcmp(got[outputs - 1], expected, size) != 0)
      fail_msg("%s gives %d, %d, %d ...", e.names[k], (int8_t)got[outputs - 1][0],
               (int8_t)got[outputs - 1][1], (int8_t)got[outputs - 1][2]);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

#define EXPECT(b, type, ...)                                                                       \
  expect_bytes((b), (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

/* ---- scales ---- */

static qn_tfb *pool_model(int32_t code, uint8_t type, float scale) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", type, QN_TFB_SHAPE(1, 4, 4, 2), 0.05f, 3);
  int32_t y = qn_tfb_q8(b, "y", type, QN_TFB_SHAPE(1, 2, 2, 2), scale, 3);
  qn_tfb_op(b, code, 2, QN_TFB_LIST(x), QN_TFB_LIST(y),
            qn_tfb_pool_options(QN_TFB_VALID, 2, 2, 2, 2, QN_TFB_NONE));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static qn_tfb *unary_model(int32_t code, uint8_t type, qn_tfb_list shape, float scale,
                           int64_t zero_point) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", type, shape, 0.05f, 3);
  int32_t y = qn_tfb_q8(b, "y", type, shape, scale, zero_point);
  qn_tfb_op(b, code, 2, QN_TFB_LIST(x), QN_TFB_LIST(y),
            code == QN_TFB_SOFTMAX ? qn_tfb_softmax_options(1.0f) : qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

/* Input and output scale differ by one float32 step, or by almost the 1e-6 that the kernels allow.
 * The stored values are pooled unchanged. */
static void test_pools(void **state) {
  (void)state;
  EXPECT(pool_model(QN_TFB_AVERAGE_POOL_2D, I8, 0x1.99999cp-5f), int8_t, 68, 41, -40, -3, -44, -71,
         40, 13);
  EXPECT(pool_model(QN_TFB_AVERAGE_POOL_2D, U8, 0.0500009f), uint8_t, 68, 105, 152, 125, 148, 185,
         104, 77);
  EXPECT(pool_model(QN_TFB_MAX_POOL_2D, I8, 0.0500009f), int8_t, 125, 122, 17, 54, 91, -14, 97, 94);
}

static void test_functions(void **state) {
  (void)state;
  EXPECT(unary_model(QN_TFB_SOFTMAX, U8, QN_TFB_SHAPE(2, 5), 0.0039f, 0), uint8_t, 0, 1, 5, 34, 216,
         35, 221, 0, 0, 0);
  EXPECT(unary_model(QN_TFB_TANH, I8, QN_TFB_SHAPE(16), 0.005f, 7), int8_t, 83, 127, 127, 127, -128,
         -128, -128, 107, 127, 127, 127, -128, -128, -128, 127, 127);
  EXPECT(unary_model(QN_TFB_TANH, U8, QN_TFB_SHAPE(16), 0.01f, 100), uint8_t, 138, 198, 200, 200,
         200, 200, 200, 150, 198, 200, 200, 200, 200, 200, 160, 199);
  EXPECT(unary_model(QN_TFB_LOGISTIC, I8, QN_TFB_SHAPE(16), 0x1p-8f, 7), int8_t, 127, 127, 127, 127,
         9, 18, 62, 127, 127, 127, 127, 9, 19, 69, 127, 127);
}

/* If the scales differ by more, the reference asserts or computes something else than the types
 * say. So compilation fails unless the model opts in. */
static void test_too_far(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    engines e;
    engines_open(&e);
    qn_tfb *b = i == 0 ? pool_model(QN_TFB_MAX_POOL_2D, I8, 0.050002f)
                       : unary_model(QN_TFB_SOFTMAX, U8, QN_TFB_SHAPE(2, 5),
                                     i == 1 ? 0.1f : 0x1p-8f, i == 1 ? 0 : 1);
    qn_model *model = load(&e, b);
    qn_executable *x;
    assert_int_equal(qn_compile(model, &e.options[e.count - 1], &x), QN_UNSUPPORTED);
    assert_non_null(strstr(e.messages, i == 0 ? "different quantization" : "scale 1/256"));
    qn_model_destroy(model);
    engines_close(&e);
  }
}

/* ---- weights and channels ---- */

/* Weights are stored as int8, but read as uint8; their zero point is unchanged. */
static void test_weights_of_the_other_sign(void **state) {
  (void)state;
  const float scale = 0.02f;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", U8, QN_TFB_SHAPE(1, 3, 3, 2), 0.05f, 131);
  int32_t w = qn_tfb_const_q8(b, "w", I8, QN_TFB_SHAPE(3, 2, 2, 2), sequence(), &scale, 1, 5, 0);
  int32_t bias = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(3), (int32_t[]){100, -200, 300});
  int32_t y = qn_tfb_q8(b, "y", U8, QN_TFB_SHAPE(1, 2, 2, 3), 0.5f, 131);
  qn_tfb_op(b, QN_TFB_CONV_2D, 3, QN_TFB_LIST(x, w, bias), QN_TFB_LIST(y),
            qn_tfb_conv_options(QN_TFB_VALID, 1, 1, QN_TFB_NONE, 1, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, uint8_t, 63, 71, 101, 106, 104, 122, 107, 152, 87, 50, 43, 57);
  b = qn_tfb_create();
  x = qn_tfb_q8(b, "x", U8, QN_TFB_SHAPE(2, 4), 0.05f, 3);
  w = qn_tfb_const_q8(b, "w", I8, QN_TFB_SHAPE(3, 4), sequence(), &scale, 1, 5, 0);
  bias = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(3), (int32_t[]){100, -200, 300});
  y = qn_tfb_q8(b, "y", U8, QN_TFB_SHAPE(2, 3), 0.5f, 3);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, bias), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, uint8_t, 48, 62, 69, 61, 229, 109);
}

/* A model of one linear layer whose weights have the other signedness than the input. The reference
 * reads the weights as the type of the input and uses the zero point unchanged. */
static qn_tfb *linear_model(uint8_t type, uint8_t weights, int64_t zero_point, int32_t taps) {
  const float scale = 0.02f;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", type, QN_TFB_SHAPE(2, taps), 0.05f, 3);
  int32_t w =
      qn_tfb_const_q8(b, "w", weights, QN_TFB_SHAPE(3, taps), sequence(), &scale, 1, zero_point, 0);
  int32_t bias = qn_tfb_const_i32(b, "b", QN_TFB_SHAPE(3), (int32_t[]){100, -200, 300});
  int32_t y = qn_tfb_q8(b, "y", type, QN_TFB_SHAPE(2, 3), taps > 4 ? 4.0f : 1.0f, 3);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, bias), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_zero_points_of_the_other_sign(void **state) {
  (void)state;
  EXPECT(linear_model(I8, U8, 200, 4), int8_t, -24, -52, -44, 34, 53, 24);
  EXPECT(linear_model(U8, I8, -100, 4), uint8_t, 52, 59, 63, 94, 178, 118);
  EXPECT(linear_model(I8, U8, 255, 20), int8_t, 31, 22, 3, 41, 49, 27);
}

static void test_dequantize_per_channel(void **state) {
  (void)state;
  const float scales[] = {0.1f, 0.2f, 0.3f};
  const int64_t zero_points[] = {0, 5, -7};
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_any(b, &(qn_tfb_tensor){.name = "x",
                                             .type = I8,
                                             .shape = QN_TFB_SHAPE(3, 2, 2),
                                             .scales = scales,
                                             .scale_count = 3,
                                             .zero_points = zero_points,
                                             .zero_point_count = 3});
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(3, 2, 2));
  qn_tfb_op(b, QN_TFB_DEQUANTIZE, 5, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, float, 1.100000023841858f, 4.800000190734863f, 8.5f, 12.199999809265137f,
         -20.399999618530273f, -13.0f, -5.599999904632568f, 1.8000000715255737f,
         17.400001525878906f, 28.500001907348633f, 39.60000228881836f, -26.100000381469727f);
}

/* A bias that is an input is accepted, and the interpreter computes the reference's result. */
static void test_bias_given_at_run_time(void **state) {
  (void)state;
  const float scale = 0.02f;
  engines e;
  engines_open(&e);
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(2, 4), 0.05f, 3);
  int32_t w = qn_tfb_const_q8(b, "w", I8, QN_TFB_SHAPE(3, 4), sequence(), &scale, 1, 0, 0);
  int32_t bias = qn_tfb_any(
      b, &(qn_tfb_tensor){.name = "b", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(1, 3)});
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(2, 3), 0.5f, 3);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(x, w, bias), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x, bias), QN_TFB_LIST(y));
  qn_model *model = load(&e, b);
  qn_executable *executable = compile_for(&e, model, 0);
  static const int8_t expected[] = {51, -5, 16, -7, 31, -21};
  int8_t got[6];
  assert_int_equal(qn_executable_input(executable, 1).dtype, QN_DTYPE_I32);
  const void *inputs[] = {sequence(), (const int32_t[]){100, -200, 3000}};
  assert_int_equal(qn_executable_invoke(executable, inputs, (void *[]){got}), QN_OK);
  assert_memory_equal(got, expected, sizeof expected);
  qn_executable_destroy(executable);
  qn_model_destroy(model);
  engines_close(&e);
}

/* ---- shapes ---- */

static void test_mean_without_axes(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(2, 3), 0.05f, 3);
  int32_t axes = qn_tfb_any(
      b, &(qn_tfb_tensor){.name = "axes", .type = QN_TFB_INT32, .shape = QN_TFB_SHAPE(0)});
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(2, 3), 0.07f, -5);
  qn_tfb_op(b, QN_TFB_MEAN, 2, QN_TFB_LIST(x, axes), QN_TFB_LIST(y), qn_tfb_reducer_options(true));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, int8_t, 1, 27, 54, 80, -76, -50);
}

static void test_slice_of_rank_9(void **state) {
  (void)state;
  qn_tfb_list nine = QN_TFB_SHAPE(9);
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(3, 1, 1, 1, 1, 1, 1, 1, 4), 0.05f, 3);
  int32_t begin = qn_tfb_const_i32(b, "begin", nine, (int32_t[]){1, 0, 0, 0, 0, 0, 0, 0, 3});
  int32_t end = qn_tfb_const_i32(b, "end", nine, (int32_t[]){3, 1, 1, 1, 1, 1, 1, 1, -5});
  int32_t stride = qn_tfb_const_i32(b, "stride", nine, (int32_t[]){1, 1, 1, 1, 1, 1, 1, 1, -2});
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(2, 1, 1, 1, 1, 1, 1, 1, 2), 0.05f, 3);
  qn_tfb_op(b, QN_TFB_STRIDED_SLICE, 2, QN_TFB_LIST(x, begin, end, stride), QN_TFB_LIST(y),
            qn_tfb_slice_options(0, 0, 0, 0, 0));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, int8_t, 14, -60, -94, 88);
}

/* The padding amounts are listed among the model's inputs although the file has their values. */
static void test_fixed_input(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(2, 2), 0.05f, 3);
  int32_t pads = qn_tfb_const_i32(b, "pads", QN_TFB_SHAPE(2, 2), (int32_t[]){1, 0, 0, 2});
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(3, 4), 0.05f, 3);
  qn_tfb_op(b, QN_TFB_PAD, 1, QN_TFB_LIST(x, pads), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(pads, x), QN_TFB_LIST(y));
  EXPECT(b, int8_t, 3, 3, 3, 3, 11, 48, 3, 3, 85, 122, 3, 3);
}

/* The padding value is an input. Its test value is byte 0 of the sequence. */
static void test_padding_value_given_at_run_time(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(2, 3), 0.05f, 3);
  int32_t pads = qn_tfb_const_i32(b, "pads", QN_TFB_SHAPE(2, 2), (int32_t[]){1, 0, 0, 1});
  int32_t value = qn_tfb_q8(b, "value", I8, QN_TFB_SHAPE(1), 0.05f, 3);
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(3, 4), 0.05f, 3);
  qn_tfb_op(b, QN_TFB_PADV2, 1, QN_TFB_LIST(x, pads, value), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, value), QN_TFB_LIST(y));
  EXPECT(b, int8_t, 11, 11, 11, 11, 11, 48, 85, 11, 122, -97, -60, 11);
}

/* The padding value is a float that is not an integer; the attribute of ml.pad can hold integers
 * only. */
static void test_padding_with_any_float(void **state) {
  (void)state;
  static const float fill = -0.9762686f;
  float first;
  memcpy(&first, sequence(), sizeof first);
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1));
  int32_t pads = qn_tfb_const_i32(b, "pads", QN_TFB_SHAPE(1, 2), (int32_t[]){1, 2});
  int32_t value = qn_tfb_any(b, &(qn_tfb_tensor){.name = "value",
                                                 .type = QN_TFB_FLOAT32,
                                                 .shape = QN_TFB_SHAPE(1),
                                                 .data = &fill,
                                                 .size = sizeof fill});
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(4));
  qn_tfb_op(b, QN_TFB_PADV2, 1, QN_TFB_LIST(x, pads, value), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  EXPECT(b, float, fill, first, fill, fill);
}

/* RELU of a tensor without elements, and CONCATENATION of that result with a tensor that has some.
 */
static void test_no_elements(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t none = qn_tfb_q8(b, "none", I8, QN_TFB_SHAPE(2, 0), 0.05f, 3);
  int32_t x = qn_tfb_q8(b, "x", I8, QN_TFB_SHAPE(2, 3), 0.05f, 3);
  int32_t r = qn_tfb_q8(b, "r", I8, QN_TFB_SHAPE(2, 0), 0.05f, 3);
  int32_t y = qn_tfb_q8(b, "y", I8, QN_TFB_SHAPE(2, 3), 0.05f, 3);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(none), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_CONCATENATION, 1, QN_TFB_LIST(r, x), QN_TFB_LIST(y),
            qn_tfb_concat_options(1));
  qn_tfb_interface(b, QN_TFB_LIST(none, x), QN_TFB_LIST(r, y));
  EXPECT(b, int8_t, 11, 48, 85, 122, -97, -60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pools),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_too_far),
      cmocka_unit_test(test_weights_of_the_other_sign),
      cmocka_unit_test(test_zero_points_of_the_other_sign),
      cmocka_unit_test(test_dequantize_per_channel),
      cmocka_unit_test(test_bias_given_at_run_time),
      cmocka_unit_test(test_mean_without_axes),
      cmocka_unit_test(test_slice_of_rank_9),
      cmocka_unit_test(test_fixed_input),
      cmocka_unit_test(test_padding_value_given_at_run_time),
      cmocka_unit_test(test_padding_with_any_float),
      cmocka_unit_test(test_no_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
