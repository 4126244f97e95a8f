/* The exponential of softmax in kernels compared with the function of runtime/fixed.h, for every
 * difference and parameters at their limits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/fixed_scalars.h"
#include "runtime/fixed.h"

enum { DIFFERENCES = 256 };

/* @main(y): y[d] is the exponential of difference d. */
static qn_op *build(qn_module *module, const qn_softmax_params *params) {
  qn_ir_context *cx = module->cx;
  const qn_type *i32 = qn_type_i(cx, 32), *words = qn_type_buf(cx, i32, DIFFERENCES);
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), cx->diag.unknown);
  qn_op *func =
      qn_build_func(&b, qn_str_of("main"), qn_type_function(cx, &words, 1, NULL, 0), NULL);
  qn_value *y = qn_op_body(func)->args[0];
  b = qn_builder_at_end(module, qn_op_body(func), cx->diag.unknown);
  qn_value *i = qn_nest_count(&b, DIFFERENCES, 1);
  qn_value *difference = qn_build_unary(&b, QN_OP_ARITH_INDEX_CAST, i, i32);
  qn_value *e = qn_scalar_softmax_exp(&b, difference, params);
  qn_build_0(&b, QN_OP_MEMREF_STORE, QN_VALUES(e, y, i), NULL);
  qn_nest_end(&b);
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  return func;
}

static void check(const qn_softmax_params *params) {
  static int32_t y[DIFFERENCES];
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_arena arena;
  qn_arena_init(&arena);
  qn_module *module = qn_module_create(&cx, cx.diag.unknown);
  qn_op *func = build(module, params);
  qn_rt_value args[] = {{.type = qn_type_buf(&cx, qn_type_i(&cx, 32), DIFFERENCES),
                         .data = (uint8_t *)y,
                         .size = sizeof y}};
  assert_int_equal(qn_eval_call(module, func, args, 1, NULL, &arena, NULL), QN_OK);
  for (int32_t d = 0; d < DIFFERENCES; d++) {
    int32_t e = qn_softmax_exp(-d, params->input.mantissa, params->input.shift);
    assert_int_equal(y[d], -d < params->diff_min ? 0 : e);
  }
  qn_module_destroy(module);
  qn_arena_deinit(&arena);
  qn_ir_context_deinit(&cx);
}

static void test_softmax_exp(void **unused) {
  (void)unused;
  static const int32_t mantissas[] = {0, 1, 1 << 30, 1201950592, 1491731968, INT32_MAX};
  static const int32_t limits[] = {INT32_MIN, -248, -124, -1, 0};
  for (size_t m = 0; m < sizeof mantissas / sizeof *mantissas; m++)
    for (int32_t shift = 0; shift <= 31; shift++)
      for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
        check(&(qn_softmax_params){.input = {mantissas[m], shift}, .diff_min = limits[l]});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_softmax_exp)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
