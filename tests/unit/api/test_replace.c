/* Values of tensors replaced by a callback between operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <quern/quern.h>

#include <cmocka.h>

/* Two operators in a row: tensor 1 = max(x, 0), tensor 2 = tensor 1 + tensor 1. */
static const char text[] =
    "!q = !quant.uniform<i8:f32, 0.5>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "  func.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {\n"
    "    %a = \"ml.relu\"(%x) {quern.tensors = array<i64: 1>} : (tensor<4x!q>) -> tensor<4x!q>\n"
    "    %b = \"ml.add\"(%a, %a) {quern.tensors = array<i64: 2>} : (tensor<4x!q>, tensor<4x!q>) -> "
    "tensor<4x!q>\n"
    "    return %b : tensor<4x!q>\n"
    "  }\n"
    "}\n";

static const int8_t input[4] = {-3, 1, 2, 3};

typedef struct fixture {
  qn_context *context;
  qn_executable *executable;
  unsigned asked;    /* number of tensors asked for */
  int8_t kept[3][4]; /* by tensor number */
} fixture;

static const void *replace_first(void *user, int64_t index, const void *data, size_t bytes) {
  static const int8_t other[4] = {9, 8, 7, 6};
  static const int8_t written[4] = {0, 1, 2, 3};
  fixture *f = user;
  f->asked++;
  assert_int_equal(bytes, 4);
  if (index != 1) return NULL;
  assert_memory_equal(data, written, 4);
  return other;
}

static void keep(void *user, int64_t index, const void *data, size_t bytes) {
  fixture *f = user;
  assert_in_range(index, 1, 2);
  memcpy(f->kept[index], data, bytes);
}

static void ignore(void *user, int severity, const char *message) {
  (void)user, (void)severity, (void)message;
}

static void open_fixture(fixture *f, qn_engine engine, qn_form stage) {
  *f = (fixture){.context = qn_context_create()};
  qn_context_set_handler(f->context, ignore, NULL);
  qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  qn_model *model;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = engine;
  options.stage = stage;
  options.keep_tensors = 1;
  assert_int_equal(qn_model_load_memory(f->context, bytes, "chain", NULL, &model), QN_OK);
  assert_int_equal(qn_compile(model, &options, &f->executable), QN_OK);
  qn_model_destroy(model);
}

static void close_fixture(fixture *f) {
  qn_executable_destroy(f->executable);
  qn_context_destroy(f->context);
}

static void invoke(fixture *f, int8_t output[4]) {
  const void *inputs[] = {input};
  void *outputs[] = {output};
  assert_int_equal(qn_executable_invoke(f->executable, inputs, outputs), QN_OK);
  assert_int_equal(qn_executable_tensors(f->executable, keep, f), QN_OK);
}

static void readers_see_the_other_tensor_and_visitors_what_was_written(void **state) {
  (void)state;
  static const qn_form stages[] = {QN_FORM_MODEL, QN_FORM_INTEGER};
  static const int8_t plain[4] = {0, 2, 4, 6}, fed[4] = {18, 16, 14, 12}, own[4] = {0, 1, 2, 3};
  for (size_t i = 0; i < 2; i++) {
    fixture f;
    int8_t output[4];
    open_fixture(&f, QN_ENGINE_INTERPRETER, stages[i]);
    assert_int_equal(qn_executable_replace_tensors(f.executable, replace_first, &f), QN_OK);
    invoke(&f, output);
    assert_int_equal(f.asked, 2);
    assert_memory_equal(f.kept[1], own, 4);
    assert_memory_equal(f.kept[2], fed, 4);
    assert_memory_equal(output, fed, 4);
    assert_int_equal(qn_executable_replace_tensors(f.executable, NULL, NULL), QN_OK);
    invoke(&f, output);
    assert_int_equal(f.asked, 2);
    assert_memory_equal(output, plain, 4);
    close_fixture(&f);
  }
}

static void memory_that_is_shared_is_not_replaced(void **state) {
  (void)state;
  static const qn_engine engines[] = {QN_ENGINE_JIT, QN_ENGINE_INTERPRETER};
  for (size_t i = 0; i < 2; i++) {
    fixture f;
    open_fixture(&f, engines[i], QN_FORM_LOOPS);
    assert_int_equal(qn_executable_replace_tensors(f.executable, replace_first, &f),
                     QN_UNSUPPORTED);
    assert_int_equal(qn_context_error_count(f.context), 1);
    close_fixture(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readers_see_the_other_tensor_and_visitors_what_was_written),
      cmocka_unit_test(memory_that_is_shared_is_not_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
