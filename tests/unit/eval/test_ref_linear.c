/* Reference matrix products: rounding once and twice, per-channel scales, zero points of weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

static qn_value *linear(one_op *t, const qn_type *weights, const int8_t x[4], const int32_t *bias) {
  static const int8_t w[] = {1, 2, 3, -1};
  qn_value *operands[] = {one_op_const(t, one_op_quant(t, true, 1.0, 0), ONE_OP_SHAPE(2, 2), x),
                          one_op_const(t, weights, ONE_OP_SHAPE(2, 2), w),
                          bias ? one_op_const(t, qn_type_i(&t->cx, 32), ONE_OP_SHAPE(2), bias)
                               : NULL};
  const qn_type *y = one_op_quant(t, true, 1.0, 10);
  return qn_build_1(&t->b, QN_OP_ML_LINEAR, qn_type_tensor(&t->cx, y, 2, (const int64_t[]){2, 2}),
                    operands, bias ? 3 : 2, NULL);
}

static const int8_t inputs[4] = {3, 1, -3, -1}; /* sums 5, 8 and -5, -8 */

static void test_profiles_round_differently(void **unused) {
  (void)unused;
  one_op t;
  /* 5 / 4 = 1.25 is rounded once to 1; rounded twice it becomes 3, then 1.5, then 2. */
  one_op_begin(&t, "litert-ref");
  qn_value *y = linear(&t, one_op_quant(&t, true, 0.25, 0), inputs, NULL);
  one_op_expect(&t, y, (const int8_t[]){11, 12, 9, 8}, 4);
  one_op_begin(&t, "tflm");
  y = linear(&t, one_op_quant(&t, true, 0.25, 0), inputs, NULL);
  one_op_expect(&t, y, (const int8_t[]){12, 12, 9, 8}, 4);
}

static void test_bias_and_scale_per_channel(void **unused) {
  (void)unused;
  static const double scales[] = {1.0, 0.5};
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y = linear(&t, one_op_per_axis(&t, 0, scales, 2), inputs, (const int32_t[]){100, -20});
  one_op_expect(&t, y, (const int8_t[]){115, 4, 105, -4}, 4);
}

static void test_weight_zero_point(void **unused) {
  (void)unused;
  one_op t;
  /* Weights minus zero point 1: 0, 1, 2, -2. */
  one_op_begin(&t, "litert-ref");
  qn_value *y = linear(&t, one_op_quant(&t, true, 1.0, 1), inputs, NULL);
  one_op_expect(&t, y, (const int8_t[]){11, 14, 9, 6}, 4);
}

/* Scales along the input channels, or a ratio of scales that no fixed-point multiplier represents.
 */
static void test_float(void **unused) {
  (void)unused;
  static const double scales[] = {1.0, 0.5};
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y = linear(&t, one_op_per_axis(&t, 1, scales, 2), inputs, NULL);
  one_op_expect(&t, y, (const int8_t[]){14, 19, 6, 1}, 4); /* 4, 8.5, -4, -8.5 */
  one_op_begin(&t, "tflm");
  y = linear(&t, one_op_quant(&t, true, 1e20, 0), inputs, NULL);
  one_op_expect(&t, y, (const int8_t[]){127, 127, -128, -128}, 4);
}

static void test_errors(void **unused) {
  (void)unused;
  static const double scales[] = {1.0, 0.5};
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y = linear(&t, one_op_per_axis(&t, 1, scales, 2), inputs, (const int32_t[]){100, -20});
  one_op_expect_error(&t, y, "scales are not per output channel");
}

static void test_integer_forms(void **unused) {
  (void)unused;
  static const int8_t w[] = {1, 2, 3, -1};
  static const int32_t bias[] = {0, 4}, mantissa[] = {1 << 30, 1 << 30}, shift[] = {-1, 0};
  static const double reals[] = {0.25, 0.5};
  for (int real = 0; real < 2; real++) {
    one_op t;
    one_op_begin(&t, "litert-ref");
    const qn_type *i8 = qn_type_i(&t.cx, 8), *i32 = qn_type_i(&t.cx, 32);
    qn_value *m = real ? one_op_const(&t, qn_type_float(&t.cx, QN_F64), ONE_OP_SHAPE(2), reals)
                       : one_op_const(&t, i32, ONE_OP_SHAPE(2), mantissa);
    qn_value *operands[] = {one_op_const(&t, i8, ONE_OP_SHAPE(1, 2), inputs),
                            one_op_const(&t, i8, ONE_OP_SHAPE(2, 2), w),
                            one_op_const(&t, i32, ONE_OP_SHAPE(2), bias), m,
                            one_op_const(&t, i32, ONE_OP_SHAPE(2), shift)};
    qn_value *y = qn_build_1(&t.b, QN_OP_ML_INTEGER_LINEAR,
                             qn_type_tensor(&t.cx, i8, 2, (const int64_t[]){1, 2}), operands, 5,
                             QN_ATTRS({"input_zero_point", one_op_i64(&t, 0)},
                                      {"weight_zero_point", one_op_i64(&t, 0)},
                                      {"output_zero_point", one_op_i64(&t, 10)},
                                      {"rounding", one_op_name(&t, real ? "real" : "double")},
                                      {"min", one_op_i64(&t, -128)}, {"max", one_op_i64(&t, 15)}));
    one_op_expect(&t, y, real ? (const int8_t[]){11, 15} : (const int8_t[]){12, 15}, 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_profiles_round_differently),
      cmocka_unit_test(test_bias_and_scale_per_channel),
      cmocka_unit_test(test_weight_zero_point),
      cmocka_unit_test(test_float),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_integer_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
