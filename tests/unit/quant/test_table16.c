/* 16-bit tables: the test vectors of the specification.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "quant/table16.h"

static void test_sigmoid_entries(void **unused) {
  (void)unused;
  static const struct {
    int i;
    uint16_t value;
  } rows[] = {{0, 32768},   {1, 33451},   {2, 34133},   {3, 34813},   {10, 39498}, {50, 58280},
              {100, 64536}, {150, 65410}, {200, 65520}, {254, 65534}, {255, 65535}};
  uint16_t table[256];
  qn_sigmoid_table(table);
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    assert_int_equal(table[rows[k].i], rows[k].value);
}

static void test_logistic_and_tanh(void **unused) {
  (void)unused;
  static const int32_t x[] = {-32768, -4096, -1, 0, 1, 4096, 32767};
  static const int32_t logistic[] = {11, 8812, 16382, 16384, 16386, 23956, 32757};
  static const int32_t hyperbolic[] = {-32767, -24956, -8, 0, 8, 24956, 32767};
  uint16_t table[256];
  qn_sigmoid_table(table);
  for (size_t k = 0; k < sizeof x / sizeof x[0]; k++) {
    assert_int_equal(qn_logistic16(table, x[k], 3, 0), logistic[k]);
    assert_int_equal(qn_tanh16(table, x[k], 3, 0), hyperbolic[k]);
  }
}

static void test_exp_table(void **unused) {
  (void)unused;
  static const struct {
    int i;
    int16_t value;
  } rows[] = {{0, 2}, {1, 2}, {100, 11}, {256, 221}, {400, 3677}, {511, 32133}, {512, 32767}};
  int16_t table[QN_TABLE16_SIZE], reciprocals[QN_TABLE16_SIZE], others[QN_TABLE16_SIZE];
  qn_softmax16_tables(QN_IN_F64, table, others);
  int differ = 0;
  qn_softmax16_tables(QN_IN_F32, table, reciprocals); /* the same exponentials */
  for (int i = 0; i < QN_TABLE16_SIZE; i++) differ += reciprocals[i] != others[i];
  assert_int_equal(differ, 2);
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    assert_int_equal(table[rows[k].i], rows[k].value);
  assert_int_equal(qn_table16_lookup(table, -32768), table[0]);
  double worst = 0;
  for (int32_t x = -32768; x <= 32767; x++) {
    double real = exp(10.0 / 65535 * (x - 32767)) * 32768;
    worst = fmax(worst, fabs(qn_table16_lookup(table, x) - real));
  }
  assert_true(worst < 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sigmoid_entries),
      cmocka_unit_test(test_logistic_and_tanh),
      cmocka_unit_test(test_exp_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
