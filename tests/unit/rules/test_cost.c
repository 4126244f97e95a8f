/* The cost model of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "ir/walk.h"
#include "rules/cost/cost.h"
#include "text/text.h"

#include <cmocka.h>

typedef struct asked {
  uint32_t left;
  const qn_op *found;
} asked;

static bool find(qn_op *op, void *user) {
  asked *a = user;
  bool counts =
      op->block && op->result_count > 0 && op->kind != QN_OP_FUNC && !qn_op_has(op, QN_CONSTANT);
  if (!counts || a->left-- > 0) return true;
  a->found = op;
  return false;
}

/* Compares work and nanoseconds of a function's ops in their order. */
static void assert_costs(const char *text, uint32_t count, const int64_t *work, bool *free_ones) {
  qn_ir_context cx;
  qn_module *module;
  qn_ir_context_init(&cx);
  assert_int_equal(qn_text_parse(&cx, qn_str_of(text), qn_str_of("t"), &module), QN_OK);
  for (uint32_t i = 0; i < count; i++) {
    asked a = {.left = i};
    (void)qn_walk_pre(module->op, find, &a);
    assert_non_null(a.found);
    assert_int_equal(qn_rule_work_of(a.found), work[i]);
    assert_int_equal(qn_rule_time_of(a.found) == 0, free_ones[i]);
  }
  qn_module_destroy(module);
  qn_ir_context_deinit(&cx);
}

#define Q "!quant.uniform<i8:f32, 0.5>"

static void work_is_products_taps_or_elements(void **state) {
  (void)state;
  assert_costs(
      "func.func @f(%x: tensor<1x8x8x4x" Q ">, %w: tensor<6x3x3x4x" Q ">) {\n"
      "%0 = \"ml.conv\"(%x, %w) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, "
      "dilations = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x8x8x4x" Q ">, "
      "tensor<6x3x3x4x" Q ">) -> tensor<1x8x8x6x" Q ">\n"
      "%1 = \"ml.max_pool\"(%x) {kernel_sizes = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
      "strides = array<i64: 2, 2>} : (tensor<1x8x8x4x" Q ">) -> tensor<1x4x4x4x" Q ">\n"
      "%2 = \"ml.add\"(%x, %x) : (tensor<1x8x8x4x" Q ">, tensor<1x8x8x4x" Q ">) -> "
      "tensor<1x8x8x4x" Q ">\n"
      "%3 = \"ml.reduce_mean\"(%x) {axes = array<i64: 1, 2>} : (tensor<1x8x8x4x" Q ">) -> "
      "tensor<1x1x1x4x" Q ">\n"
      "return\n}\n",
      4, (const int64_t[]){8 * 8 * 6 * 3 * 3 * 4, 4 * 4 * 4 * 4, 256, 256},
      (bool[]){false, false, false, false});
}

/* Rows of an image are contiguous in memory, columns are not. */
static void what_shares_memory_is_free(void **state) {
  (void)state;
  assert_costs(
      "func.func @f(%x: tensor<1x8x8x4x" Q ">) {\n"
      "%0 = \"ml.slice_by_index\"(%x) {begin = array<i64: 0, 2, 0, 0>, end = array<i64: 1, 4, 8, "
      "4>, stride = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x4x" Q ">) -> tensor<1x2x8x4x" Q ">\n"
      "%1 = \"ml.slice_by_index\"(%x) {begin = array<i64: 0, 0, 2, 0>, end = array<i64: 1, 8, 4, "
      "4>, stride = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x4x" Q ">) -> tensor<1x8x2x4x" Q ">\n"
      "%2 = \"ml.concat\"(%0, %0) {axis = 1 : i64} : (tensor<1x2x8x4x" Q ">, tensor<1x2x8x4x" Q
      ">) -> tensor<1x4x8x4x" Q ">\n"
      "%3 = \"ml.concat\"(%0, %0) {axis = 3 : i64} : (tensor<1x2x8x4x" Q ">, tensor<1x2x8x4x" Q
      ">) -> tensor<1x2x8x8x" Q ">\n"
      "%4 = \"ml.reshape\"(%x) : (tensor<1x8x8x4x" Q ">) -> tensor<256x" Q ">\n"
      "return\n}\n",
      5, (const int64_t[]){256, 256, 128, 128, 256}, (bool[]){true, false, true, false, true});
}

static void without_a_compiler_no_arena_is_known(void **state) {
  qn_ir_context cx;
  (void)state;
  qn_ir_context_init(&cx);
  qn_module *module = qn_module_create(&cx, cx.diag.unknown);
  qn_registry none = {0};
  int64_t bytes;
  assert_false(qn_rule_arena_of(module, NULL, &bytes));
  assert_false(qn_rule_arena_of(module, &none, &bytes));
  assert_int_equal(cx.diag.errors, 0);
  qn_module_destroy(module);
  qn_ir_context_deinit(&cx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_products_taps_or_elements),
                                     cmocka_unit_test(what_shares_memory_is_free),
                                     cmocka_unit_test(without_a_compiler_no_arena_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
