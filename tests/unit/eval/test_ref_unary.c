/* Reference softmax, unary functions and casts compared with real-valued functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"
#include "ir/ops/forms.h"
#include <math.h>

static qn_value *softmax(one_op *t, const qn_type *x, const qn_type *y, const void *values,
                         int64_t row) {
  const int64_t dims[] = {2, row};
  qn_value *operand = one_op_const(t, x, 2, dims, values);
  return qn_build_1(&t->b, QN_OP_ML_SOFTMAX, qn_type_tensor(&t->cx, y, 2, dims), &operand, 1,
                    QN_ATTRS({"beta", qn_attr_float(&t->cx, 1.0, qn_type_float(&t->cx, QN_F32))}));
}

static void test_softmax(void **unused) {
  (void)unused;
  static const int8_t x[] = {-128, 0, 20, 127, 5, 5, 5, 5};
  one_op t;
  one_op_begin(&t, "litert-ref");
  qn_value *y =
      softmax(&t, one_op_quant(&t, true, 0.05, 3), one_op_quant(&t, true, 1.0 / 256, -128), x, 4);
  qn_rt_value value = {0};
  assert_int_equal(one_op_run(&t, &y, 1, &value), QN_OK);
  for (int row = 0; row < 2; row++) {
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += exp(0.05 * x[4 * row + i]);
    for (int i = 0; i < 4; i++) {
      double real = 256 * exp(0.05 * x[4 * row + i]) / sum - 128;
      assert_true(fabs((int8_t)value.data[4 * row + i] - real) <= 0.51);
    }
  }
  one_op_end(&t);
}

/* A result scale for which the profile has no rule, and an input scale that makes all results
 * equal. */
static void test_softmax_float(void **unused) {
  (void)unused;
  static const int8_t x[4] = {0, 14, 14, 0};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *in = one_op_quant(&t, true, 0.05, 3),
                *out = one_op_quant(&t, true, 1.0 / 128, -128);
  one_op_expect(&t, softmax(&t, in, out, x, 2), (const int8_t[]){-86, -42, -42, -86}, 4);
  one_op_begin(&t, "litert-ref");
  in = one_op_quant(&t, true, 1e-12, 3), out = one_op_quant(&t, true, 1.0 / 256, -128);
  one_op_expect(&t, softmax(&t, in, out, x, 2), (const int8_t[]){0, 0, 0, 0}, 4);
}

static qn_value *unary(one_op *t, qn_op_kind kind, const qn_type *x, const qn_type *y,
                       const void *values, int64_t count) {
  qn_value *operand = one_op_const(t, x, 1, &count, values);
  return qn_build_1(&t->b, kind, qn_type_tensor(&t->cx, y, 1, &count), &operand, 1, NULL);
}

static void test_unary(void **unused) {
  (void)unused;
  static const int8_t x[] = {-128, -10, 0, 10, 127};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *q = one_op_quant(&t, true, 0.5, 0), *y = one_op_quant(&t, true, 0.25, 0);
  one_op_expect(&t, unary(&t, QN_OP_ML_RELU, q, y, x, 5), (const int8_t[]){0, 0, 0, 20, 127}, 5);
  one_op_begin(&t, "litert-ref");
  q = one_op_quant(&t, true, 0.5, 0), y = one_op_quant(&t, true, 0.25, 0);
  one_op_expect(&t, unary(&t, QN_OP_ML_RELU6, q, y, x, 5), (const int8_t[]){0, 0, 0, 20, 24}, 5);
  one_op_begin(&t, "tflm");
  q = one_op_quant(&t, true, 0.5, 0), y = one_op_quant(&t, true, 0.5, 0);
  one_op_expect(&t, unary(&t, QN_OP_ML_RELU6, q, y, x, 5), (const int8_t[]){0, 0, 0, 10, 12}, 5);
  one_op_begin(&t, "tflm");
  q = one_op_quant(&t, true, 0.5, 0), y = one_op_quant(&t, false, 0.5, 128);
  one_op_expect(&t, unary(&t, QN_OP_ML_REQUANTIZE, q, y, x, 5),
                (const uint8_t[]){0, 118, 128, 138, 255}, 5);
  one_op_begin(&t, "tflm");
  q = one_op_quant(&t, true, 0.5, 0), y = one_op_quant(&t, true, 0.5, -128);
  /* The result scale is not the profile's, so it is computed in float: 1 / (1 + e^-x) is 0, 0.007,
   * 0.5, 0.993, 1. */
  one_op_expect(&t, unary(&t, QN_OP_ML_SIGMOID, q, y, x, 5),
                (const int8_t[]){-128, -128, -127, -126, -126}, 5);
}

static void test_lut(void **unused) {
  (void)unused;
  static const int8_t x[] = {-128, -1, 0, 127};
  uint8_t table[256];
  for (int i = 0; i < 256; i++) table[i] = (uint8_t)(255 - i);
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *i8 = qn_type_i(&t.cx, 8), *u8 = qn_type_integer(&t.cx, 8, QN_UNSIGNED);
  qn_value *operands[] = {one_op_const(&t, i8, ONE_OP_SHAPE(4), x),
                          one_op_const(&t, u8, ONE_OP_SHAPE(256), table)};
  qn_value *y = qn_build_1(&t.b, QN_OP_ML_LUT, qn_type_tensor(&t.cx, u8, 1, (const int64_t[]){4}),
                           operands, 2, NULL);
  one_op_expect(&t, y, (const uint8_t[]){127, 0, 255, 128}, 4);
}

static const float reals[] = {0.0F, 0.74F, 0.75F, -0.75F, 1000.0F, -1000.0F, NAN};

static void test_quantize(void **unused) {
  (void)unused;
  static const int8_t wanted[] = {1, 2, 3, -1, 127, -128, 1};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *f32 = qn_type_float(&t.cx, QN_F32), *q = one_op_quant(&t, true, 0.5, 1);
  one_op_expect(&t, unary(&t, QN_OP_QUANT_QCAST, f32, q, reals, 7), wanted, 7);
  one_op_begin(&t, "litert-ref");
  f32 = qn_type_float(&t.cx, QN_F32);
  qn_value *y = unary(&t, QN_OP_ML_QUANTIZE_FLOAT, f32, qn_type_i(&t.cx, 8), reals, 7);
  qn_op_set_attr(t.module, y->op, "scale", qn_attr_float(&t.cx, 0.5, f32));
  qn_op_set_attr(t.module, y->op, "zero_point", one_op_i64(&t, 1));
  qn_op_set_attr(t.module, y->op, "min", one_op_i64(&t, -128));
  qn_op_set_attr(t.module, y->op, "max", one_op_i64(&t, 127));
  qn_op_set_attr(t.module, y->op, "rounding", qn_attr_string(&t.cx, qn_str_of("away")));
  one_op_expect(&t, y, wanted, 7);
}

static void test_dequantize(void **unused) {
  (void)unused;
  static const int8_t x[] = {-128, 1, 2, 127};
  static const float wanted[] = {-64.5F, 0, 0.5F, 63}, per_axis[] = {-128, 1, 1, 63.5F};
  static const double scales[] = {1.0, 0.5};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *f32 = qn_type_float(&t.cx, QN_F32);
  one_op_expect(&t, unary(&t, QN_OP_QUANT_DCAST, one_op_quant(&t, true, 0.5, 1), f32, x, 4), wanted,
                16);
  one_op_begin(&t, "litert-ref");
  f32 = qn_type_float(&t.cx, QN_F32);
  const int64_t dims[] = {2, 2};
  qn_value *operand = one_op_const(&t, one_op_per_axis(&t, 0, scales, 2), 2, dims, x);
  qn_value *y =
      qn_build_1(&t.b, QN_OP_QUANT_DCAST, qn_type_tensor(&t.cx, f32, 2, dims), &operand, 1, NULL);
  one_op_expect(&t, y, per_axis, 16);
  one_op_begin(&t, "litert-ref");
  f32 = qn_type_float(&t.cx, QN_F32);
  y = unary(&t, QN_OP_ML_DEQUANTIZE_FLOAT, qn_type_i(&t.cx, 8), f32, x, 4);
  qn_op_set_attr(t.module, y->op, "scale", qn_attr_float(&t.cx, 0.5, f32));
  qn_op_set_attr(t.module, y->op, "zero_point", one_op_i64(&t, 1));
  one_op_expect(&t, y, wanted, 16);
}

static void test_storage_cast(void **unused) {
  (void)unused;
  static const int8_t x[] = {-128, 1, 2, 127};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *q = one_op_quant(&t, true, 0.5, 1);
  one_op_expect(&t, unary(&t, QN_OP_QUANT_SCAST, qn_type_i(&t.cx, 8), q, x, 4), x, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_softmax),      cmocka_unit_test(test_softmax_float),
      cmocka_unit_test(test_unary),        cmocka_unit_test(test_lut),
      cmocka_unit_test(test_quantize),     cmocka_unit_test(test_dequantize),
      cmocka_unit_test(test_storage_cast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
