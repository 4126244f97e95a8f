/* The fall-back of an op compared with the op's evaluator, for all pairs of a pattern of inputs.
 * Results are equal if no result needs rounding or all roundings are of ties; else they differ by
 * at most one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "text/text.h"

enum { COUNT = 4096 };

/* Writes `op` on one or two constants of COUNT stored values as text. */
static void write_module(const char *op, int operands, const char *a, const char *b, const char *y,
                         qn_text *out) {
  qn_text_puts(out, "func.func @main() -> tensor<4096x!quant.uniform<");
  qn_text_format(out, "%s>> {\n", y);
  const char *types[] = {a, b};
  for (int k = 0; k < operands; k++) {
    qn_text_format(out, "%%%d = \"ml.const\"() {value = dense<[", k);
    for (int i = 0; i < COUNT; i++) {
      int stored = (k == 0 ? i % 256 : i * 7 / 16 % 256) - 128;
      qn_text_format(out, "%s%d", i ? "," : "", stored);
    }
    qn_text_format(out, "]> : tensor<4096xi8>} : () -> tensor<4096x!quant.uniform<%s>>\n",
                   types[k]);
  }
  qn_text_format(out, "%%y = \"%s\"(%s) : (tensor<4096x!quant.uniform<%s>>", op,
                 operands == 2 ? "%0, %1" : "%0", a);
  if (operands == 2) qn_text_format(out, ", tensor<4096x!quant.uniform<%s>>", b);
  qn_text_format(out, ") -> tensor<4096x!quant.uniform<%s>>\n", y);
  qn_text_format(out, "return %%y : tensor<4096x!quant.uniform<%s>>\n}\n", y);
}

static void evaluate(qn_module *module, int8_t out[COUNT]) {
  qn_arena arena;
  qn_arena_init(&arena);
  qn_rt_value y = {0};
  const qn_op *func = qn_op_body(module->op)->first;
  assert_int_equal(qn_eval_call(module, func, NULL, 0, &y, &arena, NULL), QN_OK);
  assert_int_equal(y.size, COUNT);
  memcpy(out, y.data, COUNT);
  qn_arena_deinit(&arena);
}

static void lower(qn_ir_context *cx, qn_module *module, const char *forbid) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  const char *const values[] = {"", forbid, "false"};
  qn_pass_context pc = {.pass = &qn_pass_lower_to_integer,
                        .module = module,
                        .root = module->op,
                        .cx = cx,
                        .scratch = &scratch,
                        .options = values};
  assert_int_equal(qn_pass_lower_to_integer.run(&pc), QN_OK);
  assert_int_equal(qn_verify(module), QN_OK);
  qn_arena_deinit(&scratch);
}

/* Returns the number of results that differ from the model's. None may differ by more than one
 * step. */
static int differences(const char *op, int operands, const char *a, const char *b, const char *y) {
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_text text = {0};
  qn_module *module = NULL;
  static int8_t expected[COUNT], got[COUNT];
  write_module(op, operands, a, b, y, &text);
  assert_int_equal(qn_text_parse(&cx, qn_text_view(&text), qn_str_of("test"), &module), QN_OK);
  evaluate(module, expected);
  lower(&cx, module, op);
  evaluate(module, got);
  int different = 0;
  for (int i = 0; i < COUNT; i++) {
    assert_in_range(got[i] - expected[i] + 1, 0, 2);
    different += got[i] != expected[i];
  }
  qn_module_destroy(module);
  qn_text_deinit(&text);
  qn_ir_context_deinit(&cx);
  return different;
}

static void test_equal(void **unused) {
  (void)unused;
  assert_int_equal(differences("ml.relu", 1, "i8:f32, 0.5:-3", NULL, "i8:f32, 0.5:-3"), 0);
  assert_int_equal(differences("ml.relu6", 1, "i8:f32, 0.25:1", NULL, "i8:f32, 0.125:-30"), 0);
  assert_int_equal(differences("ml.requantize", 1, "i8:f32, 0.5:2", NULL, "i8:f32, 0.25:-9"), 0);
  assert_int_equal(differences("ml.add", 2, "i8:f32, 0.5:2", "i8:f32, 0.5:1", "i8:f32, 0.5:-9"), 0);
  assert_int_equal(differences("ml.sub", 2, "i8:f32, 0.5:2", "i8:f32, 0.5:1", "i8:f32, 0.5:4"), 0);
  assert_int_equal(differences("ml.mul", 2, "i8:f32, 0.5:2", "i8:f32, 2.0:1", "i8:f32, 1.0:4"), 0);
}

/* The profile rounds a rescaled value twice. With a multiplier just below 1/2, the first rounding
 * moves odd values onto a tie, and the second takes about a quarter of all values to the other
 * neighbour. */
static void test_one_step(void **unused) {
  (void)unused;
  const struct {
    const char *op;
    int operands, different;
  } ops[] = {{"ml.relu", 1, 512}, {"ml.relu6", 1, 512}, {"ml.requantize", 1, 1072},
             {"ml.add", 2, 0},    {"ml.sub", 2, 0},     {"ml.mul", 2, 52}};
  for (size_t i = 0; i < QN_COUNT(ops); i++)
    assert_int_equal(differences(ops[i].op, ops[i].operands, "i8:f32, 0.013:7", "i8:f32, 0.021:-5",
                                 "i8:f32, 0.031:3"),
                     ops[i].different);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_one_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
