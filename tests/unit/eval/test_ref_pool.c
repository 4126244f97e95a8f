/* Reference pools and means, with results computed by hand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

static qn_value *pool(one_op *t, qn_op_kind kind, bool is_signed, const void *x, const int64_t *pad,
                      int64_t out) {
  const qn_type *q = one_op_quant(t, is_signed, 1.0, is_signed ? -1 : 5);
  qn_value *operand = one_op_const(t, q, ONE_OP_SHAPE(1, 2, 2, 1), x);
  return qn_build_1(
      &t->b, kind, qn_type_tensor(&t->cx, q, 4, (const int64_t[]){1, out, out, 1}), &operand, 1,
      QN_ATTRS({"kernel_sizes", ONE_OP_I64S(t, 2, 2)}, {"strides", ONE_OP_I64S(t, 1, 1)},
               {"pad", qn_attr_i64s(&t->cx, pad, 4)}));
}

static const int64_t none[4] = {0, 0, 0, 0}, after[4] = {0, 1, 0, 1}, far[4] = {2, 0, 2, 0};

static void test_average(void **unused) {
  (void)unused;
  one_op t;
  /* A sum of -6 over 4 elements: -1.5 is rounded away from zero. */
  one_op_begin(&t, "litert-ref");
  qn_value *y = pool(&t, QN_OP_ML_AVG_POOL, true, (const int8_t[]){-1, -1, -1, -3}, none, 1);
  one_op_expect(&t, y, (const int8_t[]){-2}, 1);
  /* Only taps inside of the image count: 4 of 4, then 2, 2, 1. */
  one_op_begin(&t, "litert-ref");
  y = pool(&t, QN_OP_ML_AVG_POOL, false, (const uint8_t[]){1, 2, 4, 250}, after, 2);
  one_op_expect(&t, y, (const uint8_t[]){64, 126, 127, 250}, 4);
}

static void test_maximum(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  qn_value *y = pool(&t, QN_OP_ML_MAX_POOL, true, (const int8_t[]){-9, 3, -100, -5}, after, 2);
  one_op_expect(&t, y, (const int8_t[]){3, 3, -5, -5}, 4);
  one_op_begin(&t, "litert-ref");
  y = pool(&t, QN_OP_ML_MAX_POOL, true, (const int8_t[]){-9, 3, -100, -5}, after, 2);
  qn_op_set_attr(t.module, y->op, "activation", one_op_name(&t, "relu"));
  one_op_expect(&t, y, (const int8_t[]){3, 3, -1, -1}, 4);
}

static void test_windows_outside(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  qn_value *y = pool(&t, QN_OP_ML_AVG_POOL, true, (const int8_t[]){1, 2, 3, 4}, far, 3);
  one_op_expect_error(&t, y, "outside of its input");
}

static qn_value *mean(one_op *t, const int64_t *axes, uint32_t axis_count, double scale,
                      int64_t size) {
  static const int8_t x[] = {1, 2, 3, 4, 5, 6};
  qn_value *operand = one_op_const(t, one_op_quant(t, true, 1.0, 1), ONE_OP_SHAPE(2, 3), x);
  const qn_type *y = one_op_quant(t, true, scale, -2);
  return qn_build_1(&t->b, QN_OP_ML_REDUCE_MEAN, qn_type_tensor(&t->cx, y, 1, &size), &operand, 1,
                    QN_ATTRS({"axes", qn_attr_i64s(&t->cx, axes, axis_count)},
                             {"keep_dims", qn_attr_bool(&t->cx, false)}));
}

static void test_mean(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  one_op_expect(&t, mean(&t, (const int64_t[]){1}, 1, 1.0, 2), (const int8_t[]){-1, 2}, 2);
  one_op_begin(&t, "litert-ref");
  /* The means are 1.5, 2.5, 3.5, with scale 1/2. */
  one_op_expect(&t, mean(&t, (const int64_t[]){0}, 1, 0.5, 3), (const int8_t[]){1, 3, 5}, 3);
  one_op_begin(&t, "litert-ref");
  one_op_expect(&t, mean(&t, (const int64_t[]){0, 1}, 2, 0.5, 1), (const int8_t[]){3}, 1);
  one_op_begin(&t, "litert-ref");
  one_op_expect_error(&t, mean(&t, (const int64_t[]){2}, 1, 1.0, 2), "axis 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_average),
      cmocka_unit_test(test_maximum),
      cmocka_unit_test(test_windows_outside),
      cmocka_unit_test(test_mean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
