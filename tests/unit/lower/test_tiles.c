/* What a tile of byte products costs, and how large one may be, by level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>

#include "lower/loops/matrix/gemm_emit.h"

enum { MAX_VECTORS = 4 };

static const qn_weights with_sign = {.x_unsigned = false}, without = {.x_unsigned = true};

static qn_gemm product(const qn_target *target, int64_t taps, const qn_weights *weights) {
  return (qn_gemm){
      .dot = target->dot, .tap_count = taps, .weights = weights, .counts = {1, 14, 14}};
}

/* Sums, the weights of a quad, a row of x and what flips it are in registers together. */
static void tiles_fit_into_the_registers(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 1; v <= MAX_VECTORS; v++)
      for (int is_signed = 0; is_signed < 2; is_signed++) {
        qn_gemm g = product(&levels[i], 256, is_signed ? &with_sign : &without);
        bool flips = is_signed && qn_dot_of(g.dot)->x_unsigned;
        int64_t rows = qn_gemm_bytes.most_rows(&g, &levels[i], v);
        assert_true(rows >= 1);
        assert_true(rows * v + v + 1 + flips <= levels[i].vector_registers);
      }
}

/* Cycles per vector of products in the largest tile of so many vectors. */
static double each(const qn_target *target, int64_t taps, uint32_t vectors) {
  qn_gemm g = product(target, taps, &without);
  int64_t rows = qn_gemm_bytes.most_rows(&g, target, vectors);
  return qn_gemm_bytes.step_cycles(&g, target, rows, vectors) / (double)(rows * vectors);
}

/* Where weights and masks stream past few rows, tall tiles are cheaper, while wide ones are as good
 * for short sums; where products leave time for them, their number does not count. */
static void long_sums_pay_for_their_weights(void **state) {
  static const struct {
    const char *level;
    bool streams;
  } cases[] = {{"x86-64-v3", true},   {"x86-64-v4", true},   {"avxvnni", false},
               {"avx512vnni", false}, {"avx512vbmi", false}, {"x86-64", false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const qn_target *target = qn_target_find(qn_str_of(cases[i].level));
    if (cases[i].streams) {
      assert_true(each(target, 32, 4) <= each(target, 32, 2));
      assert_true(each(target, 2304, 4) > 1.1 * each(target, 2304, 2));
    } else {
      assert_true(each(target, 2304, 4) == each(target, 32, 4));
    }
  }
}

/* Tiles in which channels agree on masks are cheaper than wide ones in which they do not; without
 * either, as of weights that are small, width costs nothing. */
static void masks_count_by_what_the_weights_ask_for(void **state) {
  (void)state;
  const qn_target *target = qn_target_find(qn_str_of("x86-64-v3"));
  qn_gemm g = product(target, 128, &without);
  double plain = qn_gemm_bytes.step_cycles(&g, target, 2, 4);
  for (uint32_t v = 1; v <= MAX_VECTORS; v++)
    g.operations[v] = qn_step_operations(QN_STEP_PLAIN, v);
  assert_true(qn_gemm_bytes.step_cycles(&g, target, 2, 4) == plain);
  g.operations[4] = qn_step_operations(QN_STEP_MASKED, 4);
  g.operations[2] = qn_step_operations(QN_STEP_SHARED_PAIR, 2) / 2;
  assert_true(qn_gemm_bytes.step_cycles(&g, target, 2, 4) > 1.3 * plain);
  assert_true(qn_gemm_bytes.step_cycles(&g, target, 4, 2) < 0.95 * plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles_fit_into_the_registers),
      cmocka_unit_test(long_sums_pay_for_their_weights),
      cmocka_unit_test(masks_count_by_what_the_weights_ask_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
