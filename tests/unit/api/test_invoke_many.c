/* Many entries in one call: the results of one invocation per entry, for any number of threads and
 * any strides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

#define HEAD                                                                                       \
  "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"

static const char two_outputs[] =
    HEAD "func.func @main(%x: tensor<1x9x!q>, %y: tensor<1x9x!q>) -> (tensor<1x9x!q>, "
         "tensor<1x9x!q>) {\n"
         "  %s = \"ml.add\"(%x, %y) : (tensor<1x9x!q>, tensor<1x9x!q>) -> tensor<1x9x!q>\n"
         "  %t = \"ml.tanh\"(%s) : (tensor<1x9x!q>) -> tensor<1x9x!q>\n"
         "  return %s, %t : tensor<1x9x!q>, tensor<1x9x!q>\n}\n}\n";

static const char running_sum[] =
    HEAD "func.func @main(%s: tensor<1x9x!q> {quern.role = \"state\"}, %x: tensor<1x9x!q>)\n"
         "    -> (tensor<1x9x!q> {quern.role = \"state\"}, tensor<1x9x!q>) {\n"
         "  %t = \"ml.add\"(%s, %x) : (tensor<1x9x!q>, tensor<1x9x!q>) -> tensor<1x9x!q>\n"
         "  return %t, %t : tensor<1x9x!q>, tensor<1x9x!q>\n}\n}\n";

static const char sized[] =
    HEAD "func.func @main(%x: tensor<7x5x!q> {quern.sizes = [\"n\"]}) -> tensor<7x5x!q> {\n"
         "  %y = \"ml.add\"(%x, %x) : (tensor<7x5x!q>, tensor<7x5x!q>) -> tensor<7x5x!q>\n"
         "  return %y : tensor<7x5x!q>\n}\n}\n";

enum { ENTRIES = 301, BYTES = 9, GAP = 16 };

static qn_executable *compiled(engines *e, const char *text, qn_engine engine, bool keep) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = engine;
  options.keep_tensors = keep;
  qn_model *model = load_text(e, text);
  qn_executable *executable = NULL;
  if (qn_compile(model, &options, &executable) != QN_OK) fail_msg("%s", e->messages);
  qn_model_destroy(model);
  return executable;
}

static void fill(int8_t *values, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++) values[i] = (int8_t)((i * 37 + seed) % 251 - 125);
}

/* There are gaps between entries of the first input; the entries of the second are in reverse
 * order. */
static void check_two_outputs(engines *e, qn_engine engine, uint32_t threads, bool keep) {
  static int8_t x[ENTRIES * GAP], y[ENTRIES * BYTES], sum[ENTRIES * GAP], tanh[ENTRIES * BYTES];
  qn_executable *executable = compiled(e, two_outputs, engine, keep);
  fill(x, sizeof x, 1);
  fill(y, sizeof y, 2);
  memset(sum, 99, sizeof sum);
  if (engine == QN_ENGINE_JIT)
    assert_int_equal(qn_executable_set_threads(executable, threads), QN_OK);
  const void *const inputs[] = {x, y + (ENTRIES - 1) * BYTES};
  void *const outputs[] = {sum, tanh};
  const ptrdiff_t in_strides[] = {GAP, -BYTES}, out_strides[] = {GAP, BYTES};
  for (int again = 0; again < 2; again++) {
    assert_int_equal(
        qn_executable_invoke_many(executable, ENTRIES, inputs, in_strides, outputs, out_strides),
        QN_OK);
    for (int k = 0; k < ENTRIES; k++) {
      int8_t one[BYTES], two[BYTES];
      assert_int_equal(qn_executable_invoke(
                           executable, (const void *[]){x + k * GAP, y + (ENTRIES - 1 - k) * BYTES},
                           (void *[]){one, two}),
                       QN_OK);
      assert_memory_equal(one, sum + k * GAP, BYTES);
      assert_memory_equal(two, tanh + k * BYTES, BYTES);
      assert_int_equal(sum[k * GAP + BYTES], 99); /* gaps between entries are not written */
    }
  }
  qn_executable_destroy(executable);
}

static void as_many_invocations(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  check_two_outputs(&e, QN_ENGINE_JIT, 1, false);
  check_two_outputs(&e, QN_ENGINE_JIT, 2, false);
  check_two_outputs(&e, QN_ENGINE_JIT, 2, true);
  check_two_outputs(&e, QN_ENGINE_INTERPRETER, 1, false);
  engines_close(&e);
}

static void one_input_for_all(void **unused) {
  engines e;
  int8_t x[BYTES], y[BYTES], sum[3 * BYTES], tanh[3 * BYTES];
  (void)unused;
  engines_open(&e);
  qn_executable *executable = compiled(&e, two_outputs, QN_ENGINE_JIT, false);
  fill(x, BYTES, 1);
  fill(y, BYTES, 2);
  assert_int_equal(qn_executable_invoke_many(executable, 3, (const void *[]){x, y},
                                             (const ptrdiff_t[]){0, 0}, (void *[]){sum, tanh},
                                             (const ptrdiff_t[]){BYTES, BYTES}),
                   QN_OK);
  assert_memory_equal(sum, sum + 2 * BYTES, BYTES);
  assert_memory_equal(tanh, tanh + BYTES, BYTES);
  qn_executable_destroy(executable);
  engines_close(&e);
}

/* The state that one entry leaves is read by the next. So threads do not divide the entries. */
static void states_go_from_entry_to_entry(void **unused) {
  engines e;
  int8_t x[ENTRIES], y[ENTRIES][BYTES];
  (void)unused;
  engines_open(&e);
  qn_executable *executable = compiled(&e, running_sum, QN_ENGINE_JIT, false);
  assert_int_equal(qn_executable_set_threads(executable, 2), QN_OK);
  memset(x, 1, sizeof x);
  assert_int_equal(qn_executable_invoke_many(executable, 100, (const void *[]){x},
                                             (const ptrdiff_t[]){0}, (void *[]){y},
                                             (const ptrdiff_t[]){BYTES}),
                   QN_OK);
  for (int k = 0; k < 100; k++) assert_int_equal(y[k][0], k + 1);
  qn_executable_destroy(executable);
  engines_close(&e);
}

static void entries_have_the_size_that_is_set(void **unused) {
  engines e;
  static int8_t x[200 * 10], y[200 * 10 + 1];
  (void)unused;
  engines_open(&e);
  qn_executable *executable = compiled(&e, sized, QN_ENGINE_JIT, false);
  assert_int_equal(qn_executable_set_threads(executable, 2), QN_OK);
  fill(x, sizeof x, 3);
  y[sizeof y - 1] = 99;
  assert_int_equal(qn_executable_set_size(executable, 0, 2), QN_OK);
  assert_int_equal(qn_executable_invoke_many(executable, 200, (const void *[]){x},
                                             (const ptrdiff_t[]){10}, (void *[]){y},
                                             (const ptrdiff_t[]){10}),
                   QN_OK);
  for (size_t i = 0; i < sizeof x; i++) {
    int twice = 2 * x[i], wanted = twice < -128 ? -128 : twice > 127 ? 127 : twice;
    assert_int_equal(y[i], wanted);
  }
  assert_int_equal(y[sizeof y - 1], 99);
  qn_executable_destroy(executable);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_many_invocations),
      cmocka_unit_test(one_input_for_all),
      cmocka_unit_test(states_go_from_entry_to_entry),
      cmocka_unit_test(entries_have_the_size_that_is_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
