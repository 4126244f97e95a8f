/* Logistic and tanh in vectors compared with the scalar functions, for every 16-bit integer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "lower/loops/int16/functions16.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"
#include "quant/table16.h"
#include "runtime/fixed16.h"

enum { WORDS = 1 << 16, LANES = 64, ENTRIES = 256 };

typedef struct function16 {
  bool fixed, tanh;
  int32_t bits, multiplier, shift; /* fraction bits; parameters of the table */
} function16;

/* @main(x, y, table): y = f(x). */
static qn_op *build(qn_module *module, const function16 *f) {
  qn_ir_context *cx = module->cx;
  const qn_type *i32 = qn_type_i(cx, 32), *words = qn_type_buf(cx, i32, WORDS);
  const qn_type *types[] = {words, words, qn_type_buf(cx, i32, 2 * ENTRIES)};
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), cx->diag.unknown);
  qn_op *func = qn_build_func(&b, qn_str_of("main"), qn_type_function(cx, types, 3, NULL, 0), NULL);
  qn_value *const *args = qn_op_body(func)->args;
  b = qn_builder_at_end(module, qn_op_body(func), cx->diag.unknown);
  qn_value *i = qn_nest_count(&b, WORDS, LANES);
  qn_value *x = qn_vec_load(&b, args[0], i, 0, LANES);
  qn_value *y = f->fixed ? qn_lanes_fixed16(&b, f->tanh, x, f->bits)
                         : qn_lanes_table16(&b, f->tanh, args[2], x, f->multiplier, f->shift);
  qn_vec_store(&b, y, args[1], i, 0);
  qn_nest_end(&b);
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  return func;
}

static int32_t scalar(const function16 *f, const uint16_t *sigmoid, int32_t x) {
  if (f->fixed) return f->tanh ? qn_fixed16_tanh(x, f->bits) : qn_fixed16_logistic(x, f->bits);
  return f->tanh ? qn_tanh16(sigmoid, x, f->multiplier, f->shift)
                 : qn_logistic16(sigmoid, x, f->multiplier, f->shift);
}

static void check(const function16 *f) {
  static int32_t x[WORDS], y[WORDS], table[2 * ENTRIES];
  uint16_t sigmoid[ENTRIES];
  qn_sigmoid_table(sigmoid);
  for (int i = 0; i < ENTRIES; i++) {
    table[i] = sigmoid[i];
    table[ENTRIES + i] = i + 1 < ENTRIES ? sigmoid[i + 1] - sigmoid[i] : 0;
  }
  for (int i = 0; i < WORDS; i++) x[i] = i + INT16_MIN;
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_arena arena;
  qn_arena_init(&arena);
  qn_module *module = qn_module_create(&cx, cx.diag.unknown);
  qn_op *func = build(module, f);
  const qn_type *i32 = qn_type_i(&cx, 32), *words = qn_type_buf(&cx, i32, WORDS);
  qn_rt_value args[] = {
      {.type = words, .data = (uint8_t *)x, .size = sizeof x},
      {.type = words, .data = (uint8_t *)y, .size = sizeof y},
      {.type = qn_type_buf(&cx, i32, 2 * ENTRIES), .data = (uint8_t *)table, .size = sizeof table}};
  assert_int_equal(qn_eval_call(module, func, args, 3, NULL, &arena, NULL), QN_OK);
  for (int i = 0; i < WORDS; i++) assert_int_equal(y[i], scalar(f, sigmoid, x[i]));
  qn_module_destroy(module);
  qn_arena_deinit(&arena);
  qn_ir_context_deinit(&cx);
}

static void test_fixed(void **unused) {
  (void)unused;
  for (int tanh = 0; tanh < 2; tanh++)
    for (int32_t bits = 0; bits <= 6; bits++)
      check(&(function16){.fixed = true, .tanh = tanh != 0, .bits = bits});
}

static void test_table(void **unused) {
  (void)unused;
  static const int32_t scalings[][2] = {{3, 0}, {6, 0}, {24, 0}, {3, 3}, {12288, 13}, {16383, 0}};
  for (int tanh = 0; tanh < 2; tanh++)
    for (size_t i = 0; i < QN_COUNT(scalings); i++)
      check(
          &(function16){.tanh = tanh != 0, .multiplier = scalings[i][0], .shift = scalings[i][1]});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fixed), cmocka_unit_test(test_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
