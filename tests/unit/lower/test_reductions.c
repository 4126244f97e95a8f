/* Pooling, mean and softmax as loops. For random shapes, the interpreter gives the same bytes for
 * the integer op and for the kernels of every target.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ir/verify/verify.h"
#include "tests/support/random_model.h"

static void check_targets(qn_random_model *m) {
  qn_random_run inputs, expected;
  qn_random_inputs(m, &inputs);
  assert_int_equal(qn_random_pass(m, &qn_pass_lower_to_integer, NULL), QN_OK);
  assert_int_equal(qn_random_evaluate(m, &inputs, &expected), QN_OK);
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    qn_random_run actual;
    assert_int_equal(qn_random_evaluate_loops(m, &targets[i], &inputs, &actual), QN_OK);
    bool same = qn_random_same_results(&expected, &actual);
    if (!same) {
      print_message("different for %s\n", targets[i].name);
      qn_random_dump(m);
    }
    assert_true(same);
    qn_arena_deinit(&actual.arena);
  }
  qn_arena_deinit(&expected.arena);
  qn_arena_deinit(&inputs.arena);
}

/* Numbers of channels below, at and above every vector width. */
static void check_op(qn_random_op *op, uint64_t seeds) {
  static const int64_t channels[] = {1, 2, 3, 4, 7, 8, 15, 17, 33, 64, 71};
  for (uint64_t seed = 0; seed < seeds; seed++) {
    qn_random_model m;
    qn_random_begin(&m, 7000 + seed, "litert-ref");
    int64_t dims[4] = {qn_random_between(&m, 1, 2), qn_random_between(&m, 1, 6),
                       qn_random_between(&m, 1, 6),
                       qn_random_pick(&m, channels, QN_COUNT(channels))};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, qn_random_quant(&m), 4, dims));
    qn_value *y = op(&m, x);
    qn_random_end(&m, &y, 1);
    check_targets(&m);
    qn_random_free(&m);
  }
}

static void pools(void **state) { (void)state, check_op(qn_random_pool, 60); }
static void means(void **state) { (void)state, check_op(qn_random_mean, 60); }
static void softmaxes(void **state) { (void)state, check_op(qn_random_softmax, 20); }

/* A window that is too large for the proof of float division. */
static void huge_windows_divide_in_integers(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 2; seed++) {
    qn_random_model m;
    qn_random_begin(&m, seed, "litert-ref");
    m.is_unsigned = seed == 1;
    const int64_t dims[4] = {1, 260, 260, 1}, out[4] = {1, 1, 1, 1};
    qn_random_affine q = {0.5, 3};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, q, 4, dims));
    qn_value *y = qn_build_1(&m.b, QN_OP_ML_AVG_POOL, qn_random_tensor(&m, q, 4, out), QN_VALUES(x),
                             QN_ATTRS({"kernel_sizes", qn_random_i64s(&m, dims + 1, 2)},
                                      {"strides", qn_random_i64s(&m, out, 2)},
                                      {"pad", qn_random_i64s(&m, (const int64_t[4]){0}, 4)}));
    qn_random_end(&m, &y, 1);
    check_targets(&m);
    qn_random_free(&m);
  }
}

/* Equal elements have the largest sums: from 512 elements on, the final shift exceeds 31 bits. */
static void long_rows_of_equal_elements(void **state) {
  (void)state;
  static const int64_t rows[] = {1, 2, 255, 511, 512, 1001, 4096, 8191, 8192, 20000};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    qn_random_model m;
    qn_random_begin(&m, i, "tflm");
    const int64_t dims[2] = {1, rows[i]};
    const int8_t value = (int8_t)(i * 17);
    uint8_t *bytes = QN_NEW_ARRAY(&m.cx.arena, (size_t)rows[i], uint8_t);
    memset(bytes, value, (size_t)rows[i]);
    qn_random_affine q = {0.25, 0};
    qn_value *x = qn_random_input(&m, qn_random_tensor(&m, q, 2, dims));
    qn_value *c = qn_random_const(&m, qn_random_tensor(&m, q, 2, dims), bytes, (size_t)rows[i]);
    qn_value *results[] = {qn_random_softmax(&m, x), qn_random_softmax(&m, c)};
    qn_random_end(&m, results, 2);
    check_targets(&m);
    qn_random_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pools),
      cmocka_unit_test(means),
      cmocka_unit_test(softmaxes),
      cmocka_unit_test(huge_windows_divide_in_integers),
      cmocka_unit_test(long_rows_of_equal_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
