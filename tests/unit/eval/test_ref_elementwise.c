/* Reference ADD, SUB, MUL: values computed by hand for scales that are powers of two, broadcasting,
 * errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

static qn_value *binary(one_op *t, qn_op_kind kind, double scale_b, const char *activation) {
  static const int8_t a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, -10, 20};
  qn_value *operands[] = {one_op_const(t, one_op_quant(t, true, 1.0, 0), ONE_OP_SHAPE(2, 3), a),
                          one_op_const(t, one_op_quant(t, true, scale_b, 2), ONE_OP_SHAPE(3), b)};
  const qn_type *y = one_op_quant(t, true, 1.0, 1);
  return qn_build_1(&t->b, kind, qn_type_tensor(&t->cx, y, 2, (const int64_t[]){2, 3}), operands, 2,
                    QN_ATTRS({"activation", one_op_name(t, activation)}));
}

static void test_values(void **unused) {
  (void)unused;
  /* b is 8, -12, 18 with scale 1/2, that is 4, -6, 9. */
  static const struct {
    qn_op_kind kind;
    const char *activation;
    int8_t y[6];
  } rows[] = {
      {QN_OP_ML_ADD, "none", {6, -3, 13, 9, 0, 16}},
      {QN_OP_ML_ADD, "relu", {6, 1, 13, 9, 1, 16}},
      {QN_OP_ML_ADD, "relu6", {6, 1, 7, 7, 1, 7}},
      {QN_OP_ML_SUB, "none", {-2, 9, -5, 1, 12, -2}},
      {QN_OP_ML_MUL, "none", {5, -11, 28, 17, -29, 55}},
  };
  static const char *const profiles[] = {"litert-ref", "tflm"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int p = 0; p < 2; p++) {
      one_op t;
      one_op_begin(&t, profiles[p]);
      one_op_expect(&t, binary(&t, rows[i].kind, 0.5, rows[i].activation), rows[i].y, 6);
    }
}

/* A ratio of scales that no fixed-point multiplier represents. */
static void test_float(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  static const int8_t y[6] = {127, -128, 127, 127, -128, 127};
  one_op_expect(&t, binary(&t, QN_OP_ML_ADD, 1e30, "none"), y, sizeof y);
}

static void test_errors(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  static const int8_t a[] = {1, 2, 3, 4};
  const qn_type *q = one_op_quant(&t, true, 1.0, 0);
  qn_value *operands[] = {one_op_const(&t, q, ONE_OP_SHAPE(4), a),
                          one_op_const(&t, q, ONE_OP_SHAPE(3), a)};
  qn_value *y = qn_build_1(&t.b, QN_OP_ML_ADD, qn_type_tensor(&t.cx, q, 1, (const int64_t[]){4}),
                           operands, 2, NULL);
  one_op_expect_error(&t, y, "don't broadcast");
}

/* Storage u8, explicit parameters, and the second term subtracted. */
static void test_integer_sub(void **unused) {
  (void)unused;
  static const uint8_t a[] = {200, 10, 128}, b[] = {100, 250, 128};
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *u8 = qn_type_integer(&t.cx, 8, QN_UNSIGNED);
  qn_value *operands[] = {one_op_const(&t, u8, ONE_OP_SHAPE(3), a),
                          one_op_const(&t, u8, ONE_OP_SHAPE(3), b)};
  const qn_attr *half = one_op_i64(&t, 1 << 30);
  qn_value *y = qn_build_1(
      &t.b, QN_OP_ML_INTEGER_SUB, qn_type_tensor(&t.cx, u8, 1, (const int64_t[]){3}), operands, 2,
      QN_ATTRS({"a_zero_point", one_op_i64(&t, 128)}, {"b_zero_point", one_op_i64(&t, 128)},
               {"left_shift", one_op_i64(&t, 20)}, {"a_multiplier", half},
               {"a_shift", one_op_i64(&t, 0)}, {"b_multiplier", half},
               {"b_shift", one_op_i64(&t, 0)}, {"multiplier", half}, {"shift", one_op_i64(&t, -18)},
               {"output_zero_point", one_op_i64(&t, 128)}, {"min", one_op_i64(&t, 0)},
               {"max", one_op_i64(&t, 200)}));
  one_op_expect(&t, y, (const uint8_t[]){200, 0, 128}, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_float),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_integer_sub),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
