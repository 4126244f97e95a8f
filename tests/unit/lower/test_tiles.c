/* The cost of a tile of byte products, and its maximum size, by level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>

#include "lower/loops/matrix/bytes.h"

enum { MAX_VECTORS = 4 };

static const qn_weights weights_with = {.x_unsigned = false},
                        weights_without = {.x_unsigned = true};
static const qn_bytes_product with_sign = {.weights = &weights_with},
                              without = {.weights = &weights_without};

/* A product computed by the first micro-kernel with vectors that supports it. */
static qn_gemm product(const qn_target *target, int64_t taps, const qn_bytes_product *own) {
  qn_gemm g = {
      .candidates = qn_bytes_candidates, .tap_count = taps, .own = own, .counts = {1, 14, 14}};
  for (uint32_t i = 0; qn_bytes_candidates[i] != &qn_gemm_tiles; i++)
    if (!qn_bytes_candidates[i]->problem(&g, target))
      return qn_gemm_with(&g, qn_bytes_candidates[i], target);
  fail();
  return g;
}

/* These are in registers at the same time: accumulators, the weights of a quad, a row of x and the
 * mask that flips it. Or all rows and a vector of weights; saturating products do not use that
 * order. */
static void tiles_fit_into_the_registers(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 1; v <= MAX_VECTORS; v++)
      for (int is_signed = 0; is_signed < 2; is_signed++) {
        qn_gemm g = product(&levels[i], 256, is_signed ? &with_sign : &without);
        bool flips = is_signed && qn_dot_offset(g.dot, false) != 0;
        int64_t rows = g.micro->most_rows(&g, &levels[i], v);
        assert_true(rows >= 1);
        int64_t held = g.dot->saturates || v < rows ? v : rows;
        assert_true(rows * v + held + 1 + flips <= levels[i].vector_registers);
      }
}

/* A tile that does not fit into the registers has a row all the same: without one it would cost
 * nothing. */
static void every_tile_has_a_row(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  const qn_gemm g = {.tap_count = 256, .own = &with_sign, .counts = {1, 14, 14}};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 1; v <= MAX_VECTORS; v++) {
      qn_gemm of_pairs = qn_gemm_with(&g, &qn_gemm_pairs, &levels[i]);
      assert_in_range(qn_gemm_pairs.most_rows(&of_pairs, &levels[i], v), 1, 16);
    }
}

/* Cycles per vector of products in the largest tile with `vectors` vectors. */
static double each(const qn_target *target, int64_t taps, uint32_t vectors) {
  qn_gemm g = product(target, taps, &without);
  int64_t rows = g.micro->most_rows(&g, target, vectors);
  return g.micro->step_cycles(&g, target, rows, vectors) / (double)(rows * vectors);
}

/* If few rows reuse each load of weights and masks, tall tiles are cheaper at large K, while wide
 * tiles are as cheap at small K. If loads are hidden by products, the number of loads does not
 * affect the cost. */
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

/* If channels of a tile agree on masks, it is cheaper than a wider one in which they do not. If no
 * masks are needed, because weights are small, width has no cost. */
static void masks_count_by_what_the_weights_ask_for(void **state) {
  (void)state;
  const qn_target *target = qn_target_find(qn_str_of("x86-64-v3"));
  qn_gemm g = product(target, 128, &without);
  double plain = g.micro->step_cycles(&g, target, 2, 4);
  double operations[MAX_VECTORS + 1] = {0};
  g.estimate = operations;
  for (uint32_t v = 1; v <= MAX_VECTORS; v++) operations[v] = qn_step_operations(QN_STEP_PLAIN, v);
  assert_true(g.micro->step_cycles(&g, target, 2, 4) == plain);
  operations[4] = qn_step_operations(QN_STEP_MASKED, 4);
  operations[2] = qn_step_operations(QN_STEP_SHARED_PAIR, 2) / 2;
  assert_true(g.micro->step_cycles(&g, target, 2, 4) > 1.3 * plain);
  assert_true(g.micro->step_cycles(&g, target, 4, 2) < 0.95 * plain);
}

/* ---- where AMX is faster ---- */

static bool takes_tiles(int64_t pixels, int64_t channels, int64_t taps) {
  int64_t at[4096];
  for (int64_t t = 0; t < taps; t++) at[t] = t;
  qn_gemm g = {.candidates = qn_bytes_candidates,
               .channels = channels,
               .tap_count = taps,
               .taps = at,
               .extent = taps,
               .groups = 1,
               .counts = {1, 1, pixels},
               .strides = {0, 0, taps},
               .y_strides = {0, 0, channels},
               .own = &without};
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_target *without_unit = qn_target_find(qn_str_of("avx512vbmi"));
  assert_ptr_equal(qn_gemm_choose(&arena, &g, without_unit).micro, &qn_gemm_quads);
  const qn_target *target = qn_target_find(qn_str_of("x86-64-amx"));
  bool tiles = qn_gemm_choose(&arena, &g, target).micro == &qn_gemm_tiles;
  qn_arena_deinit(&arena);
  return tiles;
}

/* As measured: AMX is used from 24 bytes on, and not for a single pixel or few channels. */
static void tiles_are_for_long_sums_of_many(void **state) {
  static const int64_t layers[][3] = {{12544, 16, 32},  {3136, 144, 24}, {784, 32, 144},
                                      {784, 192, 32},   {196, 64, 384},  {196, 384, 64},
                                      {49, 160, 960},   {49, 1280, 320}, {3136, 128, 128},
                                      {49, 2048, 1024}, {128, 768, 768}, {128, 768, 3072}};
  (void)state;
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
    assert_true(takes_tiles(layers[i][0], layers[i][1], layers[i][2]));
  for (int64_t taps = 4; taps <= 16; taps += 4) assert_false(takes_tiles(3136, 128, taps));
  for (int64_t taps = 24; taps <= 256; taps += 8) assert_true(takes_tiles(3136, 128, taps));
  assert_false(takes_tiles(1, 1000, 1024));
  assert_false(takes_tiles(784, 8, 64));
}

/* The rows per tile that were fastest in measurements, and blocks of up to two tiles of pixels. */
static void tiles_have_the_best_rows(void **state) {
  static const struct {
    int64_t pixels, rows;
    uint32_t vectors;
  } cases[] = {{3136, 32, 2}, {784, 16, 4}, {196, 28, 2}, {196, 14, 4}, {49, 26, 2}, {49, 13, 3},
               {7, 7, 2},     {14, 14, 4},  {28, 28, 2},  {56, 28, 1},  {128, 32, 2}};
  const qn_target *target = qn_target_find(qn_str_of("x86-64-amx"));
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    qn_gemm g = product(target, 256, &without);
    double cycles;
    assert_int_equal(
        qn_gemm_tiles.choose_rows(&g, target, cases[i].vectors, cases[i].pixels, 0, &cycles),
        cases[i].rows);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles_fit_into_the_registers),
      cmocka_unit_test(every_tile_has_a_row),
      cmocka_unit_test(long_sums_pay_for_their_weights),
      cmocka_unit_test(masks_count_by_what_the_weights_ask_for),
      cmocka_unit_test(tiles_are_for_long_sums_of_many),
      cmocka_unit_test(tiles_have_the_best_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
