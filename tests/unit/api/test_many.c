/* Models with more operators than the entry point has code for: the launches are in a table.
 * Inputs, outputs, constants, states, sizes and temporary memory are all reached through it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

enum { LAYERS = 100, BOUND = 3, ENTRY = 4 * 4 * 3, ROOM = 1 << 17 };

#define X "tensor<%dx4x4x3x!q>"
#define S "tensor<1x4x4x3x!q>"

/* Each layer has a pool, which is not fused with another operator, then an addition of the state
 * and a product with a constant. */
static void write_model(char *text, int n, const char *size) {
  size_t at = 0;
#define PUT(...) at += (size_t)snprintf(text + at, ROOM - at, __VA_ARGS__)
  PUT("!q = !quant.uniform<i8:f32, 0.5:-3>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"
      "func.func @main(%%s: " S " {quern.role = \"state\", quern.initial = dense<7> : "
      "tensor<1x4x4x3xi8>}, %%v0: " X "%s) -> (" S " {quern.role = \"state\"}, " X ") {\n"
      "  %%k = \"ml.const\"() {value = dense<[[[[-1, 0, 2]]]]> : tensor<1x1x1x3xi8>} : () -> "
      "tensor<1x1x1x3x!q>\n",
      n, size, n);
  for (int i = 0; i < LAYERS; i++) {
    PUT("  %%p%d = \"ml.max_pool\"(%%v%d) {kernel_sizes = array<i64: %d, 2>, strides = array<i64: "
        "1, "
        "1>, pad = array<i64: %d, 0, 1, 0>} : (" X ") -> " X "\n",
        i, i, i % 3 + 1, i % 3, n, n);
    PUT("  %%a%d = \"ml.sub\"(%%p%d, %%s) : (" X ", " S ") -> " X "\n", i, i, n, n);
    PUT("  %%v%d = \"ml.mul\"(%%a%d, %%k) : (" X ", tensor<1x1x1x3x!q>) -> " X "\n", i + 1, i, n,
        n);
  }
  PUT("  %%t = \"ml.relu\"(%%s) : (" S ") -> " S "\n  return %%t, %%v%d : " S ", " X "\n}\n}\n",
      LAYERS, n);
#undef PUT
  assert_true(at < ROOM);
}

static void a_table_finds_everything(void **unused) {
  static char text[ROOM];
  uint8_t in[BOUND * ENTRY], want[2][BOUND * ENTRY] = {{0}}, got[BOUND * ENTRY];
  engines e;
  (void)unused;
  engines_open(&e);
  fill_bytes(in, sizeof in, 11);
  write_model(text, BOUND, " {quern.sizes = [\"n\"]}");
  qn_model *model = load_text(&e, text);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    if (e.options[k].engine == QN_ENGINE_JIT) assert_true(qn_executable_step_count(x) > 128);
    assert_int_equal(qn_executable_set_threads(x, 1 + (uint32_t)k % 3), QN_OK);
    for (int run = 0; run < 2; run++) { /* run 1: another size, the state of run 0 */
      size_t bytes = (size_t)(BOUND - run) * ENTRY;
      assert_int_equal(qn_executable_set_size(x, 0, BOUND - run), QN_OK);
      assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){got}), QN_OK);
      if (k == 0) memcpy(want[run], got, bytes);
      if (memcmp(want[run], got, bytes) != 0) fail_msg("%s: other results", e.names[k]);
    }
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* The entry point has one call, for any number of launches. */
static void code_does_not_grow(void **unused) {
  static char text[ROOM];
  engines e;
  char *ir;
  size_t size, calls = 0;
  (void)unused;
  engines_open(&e);
  write_model(text, BOUND, "");
  qn_model *model = load_text(&e, text);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = "baseline";
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_LLVM, &ir, &size), QN_OK);
  for (const char *at = ir; (at = strstr(at, "call void @launch(")); at++) calls++;
  assert_int_equal(calls, 1);
  qn_free(ir);
  qn_model_destroy(model);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_finds_everything),
                                     cmocka_unit_test(code_does_not_grow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
