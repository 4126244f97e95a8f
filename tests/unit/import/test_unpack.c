/* Constants of int4, int2 and float16: their unpacked values, and errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/unit/import/import_test.h"

/* x times weights of shape [3, 3] and type `type`. */
static qn_tfb *linear(uint8_t type, const uint8_t *data, size_t size) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  const qn_tfb_tensor weights = {.name = "w",
                                 .type = type,
                                 .shape = QN_TFB_SHAPE(3, 3),
                                 .scales = &HALF,
                                 .scale_count = 1,
                                 .zero_points = &ZERO,
                                 .zero_point_count = 1,
                                 .data = data,
                                 .size = size};
  int32_t w = qn_tfb_any(b, &weights);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 7, QN_TFB_LIST(x, w), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(0, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void expect_weights(uint8_t type, const uint8_t *data, size_t size,
                           const int8_t expected[9]) {
  import_run run;
  qn_tfb *b = linear(type, data, size);
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_op *op = nth_op(&run, QN_OP_ML_LINEAR, 0);
  const qn_attr *weights = qn_value_constant(qn_op_operand(op, 1));
  for (int64_t i = 0; i < 9; i++) assert_int_equal(qn_dense_int(weights, i), expected[i]);
  import_end(&run);
  qn_tfb_destroy(b);
}

/* The low bits of a byte come first. Rows are not aligned to bytes, and the last byte is not full.
 */
static void test_integers(void **state) {
  (void)state;
  static const uint8_t halves[] = {0x10, 0x87, 0xf2, 0x6e, 0x05};
  expect_weights(17, halves, 5, (const int8_t[]){0, 1, 7, -8, 2, -1, -2, 6, 5});
  static const uint8_t quarters[] = {0xe4, 0x1b, 0x03};
  expect_weights(19, quarters, 3, (const int8_t[]){0, 1, -2, -1, -1, -2, 1, 0, -1});
  expect_import(linear(17, halves, 4), QN_INVALID,
                "tensor 'w': error: its buffer has another size than its shape and type say");
}

/* DEQUANTIZE of a float16 constant becomes a constant, so it can be the weights of an operator. */
static void test_floats(void **state) {
  (void)state;
  static const uint16_t bits[] = {0x3c00, 0xc100, 0x0001, 0x7c00}; /* 1, -2.5, 2^-24, infinity */
  static const double expected[] = {1.0, -2.5, 0x1p-24, HUGE_VAL};
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(1, 4));
  const qn_tfb_tensor packed = {
      .name = "h", .type = 1, .shape = QN_TFB_SHAPE(1, 4), .data = bits, .size = sizeof bits};
  int32_t h = qn_tfb_any(b, &packed), w = qn_tfb_f32(b, "w", QN_TFB_SHAPE(1, 4));
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, 1));
  qn_tfb_op(b, 6, 3, QN_TFB_LIST(h), QN_TFB_LIST(w), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(0, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_attr *weights = qn_value_constant(qn_op_operand(nth_op(&run, QN_OP_ML_LINEAR, 0), 1));
  for (int64_t i = 0; i < 4; i++) assert_true(qn_dense_float(weights, i) == expected[i]);
  import_end(&run);
  qn_tfb_destroy(b);
}

/* DEQUANTIZE of int8: the kernel rounds vectors of eight elements otherwise than the remaining
 * elements. */
static void test_places(void **state) {
  (void)state;
  static const struct {
    int64_t count;
    float scale;
    uint32_t adds, casts; /* additions of floats; casts to floats */
  } cases[] = {{19, 0.1f, 1, 2}, {16, 0.1f, 1, 1}, {7, 0.1f, 0, 1}, {19, 0.125f, 0, 1}};
  for (size_t i = 0; i < 2 * QN_COUNT(cases); i++) {
    bool optimized = i % 2 == 0;
    int64_t count = cases[i / 2].count;
    qn_tfb *b = qn_tfb_create();
    int32_t x =
        qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, (int32_t)count), cases[i / 2].scale, 77);
    int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(1, (int32_t)count));
    qn_tfb_op(b, 6, 2, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
    qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
    import_run run;
    import_bytes(&run, qn_tfb_finish(b),
                 &(qn_import_options){.numerics = qn_str_of(optimized ? "litert-opt" : "tflm")});
    assert_int_equal(run.status, QN_OK);
    assert_valid(&run);
    uint32_t adds = 0, casts = 0;
    for (const qn_op *op = qn_op_body(import_main(&run))->first; op; op = op->next) {
      adds += op->kind == QN_OP_ML_ADD;
      casts += op->kind == QN_OP_QUANT_DCAST;
    }
    assert_int_equal(adds, optimized ? cases[i / 2].adds : 0);
    assert_int_equal(casts, optimized ? cases[i / 2].casts : 1);
    import_end(&run);
    qn_tfb_destroy(b);
  }
}

/* int8 inputs with uint8 weights are rejected under a profile without a rule for them. */
static void test_no_rule(void **state) {
  (void)state;
  qn_tfb *b = linear(3, (const uint8_t[9]){0}, 9);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("litert-opt")});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, "tensor 'w': error: int8 input, uint8 weights and int8 output are "
                                "not supported"));
  import_end(&run);
  qn_tfb_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers), cmocka_unit_test(test_floats),
                                     cmocka_unit_test(test_places), cmocka_unit_test(test_no_rule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
