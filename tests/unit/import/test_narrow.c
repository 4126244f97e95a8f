/* int4 tensors that are not constants: operators that support them, and the types that they get.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

enum { RESHAPE = 22, CAST = 53, QUANTIZE = 114, DEQUANTIZE = 6, INT4 = 17 };

static const float scale = 0.5f;
static const int32_t dims[] = {2, 3};
static const qn_tfb_list shape = {2, dims};

static qn_tfb_tensor narrow(const char *name, int64_t *zero_point) {
  return (qn_tfb_tensor){.name = name,
                         .type = INT4,
                         .shape = shape,
                         .scales = &scale,
                         .scale_count = 1,
                         .zero_points = zero_point,
                         .zero_point_count = 1};
}

static qn_tfb_tensor other(const char *name, uint8_t type) {
  qn_tfb_tensor t = {.name = name, .type = type, .shape = shape};
  if (type == QN_TFB_INT8) t.scales = &scale, t.scale_count = 1;
  return t;
}

/* A model of one operator from x to y. */
static qn_tfb *model(int32_t code, const qn_tfb_tensor *x, const qn_tfb_tensor *y) {
  qn_tfb *b = qn_tfb_create();
  int32_t in = qn_tfb_any(b, x), out = qn_tfb_any(b, y);
  if (code == RESHAPE) {
    int32_t to = qn_tfb_const_i32(b, "to", QN_TFB_SHAPE(2), dims);
    qn_tfb_op(b, code, 1, QN_TFB_LIST(in, to), QN_TFB_LIST(out), qn_tfb_no_options());
  } else {
    qn_tfb_op(b, code, 1, QN_TFB_LIST(in), QN_TFB_LIST(out), qn_tfb_no_options());
  }
  qn_tfb_interface(b, QN_TFB_LIST(in), QN_TFB_LIST(out));
  return b;
}

static void test_taken(void **state) {
  (void)state;
  int64_t one = 1;
  const qn_tfb_tensor x = narrow("x", &one), y = narrow("y", &one), f = other("f", QN_TFB_FLOAT32);
  expect_import(model(RESHAPE, &x, &y), QN_OK, NULL);
  expect_import(model(DEQUANTIZE, &x, &f), QN_OK, NULL);
  expect_import(model(QUANTIZE, &f, &y), QN_OK, NULL);
  expect_import(model(CAST, &x, &f), QN_OK, NULL);
  expect_import(model(CAST, &f, &y), QN_OK, NULL);
  import_run run;
  qn_tfb *b = model(RESHAPE, &x, &y);
  import_bytes(&run, qn_tfb_finish(b), NULL);
  const qn_quant_uniform *q = qn_type_quant(qn_op_body(import_main(&run))->args[0]->type);
  assert_true(q && q->min == -8 && q->max == 7 && q->zero_points[0] == 1);
  assert_int_equal(q->storage->integer.width, 8); /* an element is stored in a byte */
  import_end(&run);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("xnnpack")});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, "the profile has no rule for elements of less than 8 bits"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* The XNNPACK delegate does not take uint8 tensors whose quantized_dimension is not 0. */
static void test_dimension_of_uint8(void **state) {
  (void)state;
  int64_t one = 1;
  qn_tfb_tensor x = narrow("x", &one), y = narrow("y", &one);
  x.type = y.type = QN_TFB_UINT8;
  x.quantized_dimension = 1;
  qn_tfb *b = model(RESHAPE, &x, &y);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  import_end(&run);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("xnnpack")});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, "quantized_dimension is 1, and the profile xnnpack has no rule"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* x times a [4, 3] matrix of weights that is an argument. */
static qn_tfb *linear_model(uint8_t type, int64_t *zero_point) {
  qn_tfb *b = qn_tfb_create();
  int64_t none = 0;
  qn_tfb_tensor w = narrow("w", zero_point), x = narrow("x", &none);
  w.shape = QN_TFB_SHAPE(4, 3);
  x.type = type;
  int32_t in = qn_tfb_any(b, &x), by = qn_tfb_any(b, &w);
  x.name = "y", x.shape = QN_TFB_SHAPE(2, 4);
  int32_t y = qn_tfb_any(b, &x);
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 7, QN_TFB_LIST(in, by), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(in, by), QN_TFB_LIST(y));
  return b;
}

static void test_weights(void **state) {
  (void)state;
  int64_t none = 0, one = 1;
  qn_tfb *b = linear_model(QN_TFB_INT8, &none);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_op *op = nth_op(&run, QN_OP_ML_LINEAR, 0);
  const qn_quant_uniform *q = qn_type_quant(qn_op_operand(op, 1)->type);
  assert_true(q && q->min == -8 && q->max == 7);
  import_end(&run);
  qn_tfb_destroy(b);
  expect_import(linear_model(QN_TFB_INT8, &one), QN_UNSUPPORTED,
                "operator 0 (FULLY_CONNECTED), tensor 'w': error: zero point 1 of int4 weights is "
                "not supported");
  expect_import(linear_model(QN_TFB_INT16, &none), QN_UNSUPPORTED,
                "int16 input, int4 weights and int16 output are not supported");
}

static void test_refused(void **state) {
  (void)state;
  int64_t one = 1, nine = 9;
  const qn_tfb_tensor x = narrow("x", &one), y = narrow("y", &one), far = narrow("far", &nine),
                      bytes = other("b", QN_TFB_INT8), whole = other("w", QN_TFB_INT32);
  expect_import(model(QN_TFB_RELU, &x, &y), QN_UNSUPPORTED,
                "operator 0 (RELU), tensor 'x': error: int4 is not supported here");
  expect_import(model(QUANTIZE, &bytes, &y), QN_UNSUPPORTED, "int4 is not supported here");
  expect_import(model(QUANTIZE, &x, &bytes), QN_UNSUPPORTED, "int4 is not supported here");
  expect_import(model(RESHAPE, &x, &bytes), QN_UNSUPPORTED,
                "int8 is not supported here beside int4");
  expect_import(model(CAST, &whole, &y), QN_UNSUPPORTED, "it is int32 where float32 is expected");
  expect_import(model(RESHAPE, &far, &y), QN_INVALID, "zero point 0 is 9, outside of int4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_taken), cmocka_unit_test(test_dimension_of_uint8),
      cmocka_unit_test(test_weights), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
