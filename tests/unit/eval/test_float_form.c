/* Float forms in the interpreter: exponentials compared with the C library's, the ends of their
 * range, and ops that have no float form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "one_op.h"
#include "ir/ops/forms.h"

enum { COUNT = 4001 };

/* Evaluates the op on f32 values. */
static void run_f32(qn_op_kind kind, const float *x, int64_t count, float *out_y) {
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *f32 = qn_type_float(&t.cx, QN_F32);
  qn_value *operand = one_op_const(&t, f32, 1, &count, x);
  qn_value *y = qn_build_1(&t.b, kind, operand->type, &operand, 1, NULL);
  if (kind == QN_OP_ML_SOFTMAX)
    qn_op_set_attr(t.module, y->op, "beta", qn_attr_float(&t.cx, 1.0, f32));
  qn_rt_value value = {0};
  assert_int_equal(one_op_run(&t, &y, 1, &value), QN_OK);
  memcpy(out_y, value.data, (size_t)count * sizeof *out_y);
  one_op_end(&t);
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

/* Results differ from the reference by at most one unit in the last place of f32, if they are
 * normal. */
static void check_function(qn_op_kind kind, double (*reference)(double)) {
  static float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = (float)(i - COUNT / 2) * 0.04f;
  run_f32(kind, x, COUNT, y);
  for (int i = 0; i < COUNT; i++) {
    double expected = reference((double)x[i]);
    assert_true(fabs((double)y[i] - expected) <= fabs(expected) * 0x1p-23);
  }
}

static void test_functions(void **unused) {
  (void)unused;
  check_function(QN_OP_ML_SIGMOID, logistic);
  check_function(QN_OP_ML_TANH, tanh);
}

static void test_ends(void **unused) {
  (void)unused;
  const float x[] = {-INFINITY, INFINITY, NAN, -1e30f, 1e30f, -0.0f};
  float y[6];
  run_f32(QN_OP_ML_SIGMOID, x, 6, y);
  assert_true(y[0] == 0.0f && y[1] == 1.0f && isnan(y[2]));
  assert_true(y[3] == 0.0f && y[4] == 1.0f && y[5] == 0.5f);
  run_f32(QN_OP_ML_TANH, x, 6, y);
  assert_true(y[0] == -1.0f && y[1] == 1.0f && isnan(y[2]));
  assert_true(y[3] == -1.0f && y[4] == 1.0f && y[5] == 0.0f);
}

static void test_softmax(void **unused) {
  (void)unused;
  const float x[] = {1000.0f, 1000.0f, -1000.0f, 999.0f};
  float y[4];
  run_f32(QN_OP_ML_SOFTMAX, x, 4, y);
  double sum = 2 + exp(-1);
  const double expected[] = {1 / sum, 1 / sum, 0, exp(-1) / sum};
  for (int i = 0; i < 4; i++) assert_true(fabs((double)y[i] - expected[i]) <= 1e-7);
}

/* Integers without a quantized type. */
static void test_no_form(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  qn_value *x = one_op_const(&t, qn_type_i(&t.cx, 8), ONE_OP_SHAPE(2), (const int8_t[]){1, 2});
  one_op_expect_error(&t, qn_build_1(&t.b, QN_OP_ML_RELU, x->type, &x, 1, NULL),
                      "the input is not quantized");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_ends),
                                     cmocka_unit_test(test_softmax),
                                     cmocka_unit_test(test_no_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
