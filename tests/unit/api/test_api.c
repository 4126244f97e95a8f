/* The public API as a program uses it: it includes only <quern/quern.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* y = relu(x). Real zero is the stored value -1. */
static const char relu[] =
    "!q = !quant.uniform<i8:f32, 0.5:-1>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "  func.func @main(%x: tensor<1x4x!q> {quern.name = \"x\", quern.scale = 0.5 : f64, "
    "quern.zero_point = -1 : i64}) -> tensor<1x4x!q> {\n"
    "    %y = \"ml.relu\"(%x) {quern.tensors = array<i64: 7>}\n"
    "      : (tensor<1x4x!q>) -> tensor<1x4x!q>\n"
    "    return %y : tensor<1x4x!q>\n"
    "  }\n"
    "}\n";

typedef struct fixture {
  qn_context *context;
  qn_model *model;
  char last[512]; /* message */
  unsigned messages;
} fixture;

static void remember(void *user, int severity, const char *message) {
  fixture *f = user;
  (void)severity;
  f->messages++;
  strncpy(f->last, message, sizeof f->last - 1);
}

static qn_status load(fixture *f, const char *text, const qn_load_options *options) {
  qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  return qn_model_load_memory(f->context, bytes, "relu.mlir", options, &f->model);
}

static int open_fixture(void **state) {
  fixture *f = calloc(1, sizeof *f);
  f->context = qn_context_create();
  qn_context_set_handler(f->context, remember, f);
  *state = f;
  return load(f, relu, NULL) == QN_OK ? 0 : -1;
}

static int close_fixture(void **state) {
  fixture *f = *state;
  qn_model_destroy(f->model);
  qn_context_destroy(f->context);
  free(f);
  return 0;
}

/* Redirects standard error to a temporary file. */
static FILE *capture(int *out_saved) {
  FILE *file = tmpfile();
  assert_non_null(file);
  *out_saved = dup(STDERR_FILENO);
  assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
  return file;
}
static size_t end_capture(FILE *file, int saved, char *out, size_t size) {
  fflush(stderr);
  assert_true(dup2(saved, STDERR_FILENO) >= 0);
  close(saved);
  rewind(file);
  size_t read = fread(out, 1, size - 1, file);
  out[read] = '\0';
  fclose(file);
  return read;
}

static void remarks_need_a_handler(void **state) {
  fixture *f = *state;
  char text[512];
  int saved;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cache = "/dev/null/cache";
  qn_executable *executable;
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
  qn_executable_destroy(executable);
  assert_int_equal(f->messages, 1);
  assert_non_null(strstr(f->last, "remark: code is not kept"));

  qn_context_set_handler(f->context, NULL, NULL);
  FILE *file = capture(&saved);
  qn_status status = qn_compile(f->model, &options, &executable);
  size_t remarks = end_capture(file, saved, text, sizeof text);
  assert_int_equal(status, QN_OK);
  qn_executable_destroy(executable);
  assert_int_equal(remarks, 0);

  file = capture(&saved);
  qn_model *model;
  const qn_bytes wrong = {(const uint8_t *)"wrong", 5};
  status = qn_model_load_memory(f->context, wrong, "wrong.mlir", NULL, &model);
  end_capture(file, saved, text, sizeof text);
  assert_int_equal(status, QN_INVALID);
  assert_non_null(strstr(text, "wrong.mlir:1:1: error: "));
}

static const int8_t in[] = {-128, -1, 0, 127};
static const int8_t expected[] = {-1, -1, 0, 127};

static void expect_relu(qn_executable *executable) {
  int8_t out[4] = {0};
  assert_int_equal(qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out}), QN_OK);
  assert_memory_equal(out, expected, sizeof out);
}

static void engines_give_the_same(void **state) {
  fixture *f = *state;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  for (int k = -1; k <= QN_FORM_LOOPS; k++) {
    options.engine = k < 0 ? QN_ENGINE_JIT : QN_ENGINE_INTERPRETER;
    options.stage = (qn_form)(k < 0 ? QN_FORM_LOOPS : k);
    qn_executable *executable;
    assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
    assert_int_equal(qn_executable_input_count(executable), 1);
    assert_int_equal(qn_executable_output_count(executable), 1);
    qn_tensor_info info = qn_executable_input(executable, 0);
    assert_string_equal(info.name, "x");
    assert_int_equal(info.dtype, QN_DTYPE_I8);
    assert_int_equal(info.bytes, 4);
    assert_true(info.scale == 0.5 && info.zero_point == -1);
    expect_relu(executable);
    qn_executable_destroy(executable);
  }
  assert_int_equal(f->messages, 0);
}

static void executables_outlive_models_and_say_what_they_are(void **state) {
  fixture *f = *state;
  qn_executable *executable;
  assert_int_equal(qn_compile(f->model, NULL, &executable), QN_OK);
  qn_model_destroy(f->model);
  f->model = NULL;
  qn_executable_stats stats = qn_executable_get_stats(executable);
  assert_true(stats.code_bytes > 0);
  assert_true(stats.codegen_seconds > 0);
  assert_string_equal(stats.level, qn_host_level());
  assert_true(qn_host_runs(stats.level));
  assert_false(qn_host_runs("abacus"));
  assert_int_equal(qn_executable_set_threads(executable, 0), QN_INVALID);
  assert_int_equal(qn_executable_set_threads(executable, 2), QN_OK);
  expect_relu(executable);
  uint32_t count = qn_executable_step_count(executable);
  assert_true(count > 0);
  qn_step_time *steps = calloc(count, sizeof *steps);
  int8_t out[4] = {0};
  assert_int_equal(qn_executable_profile(executable, (const void *[]){in}, (void *[]){out}, steps),
                   QN_OK);
  assert_memory_equal(out, expected, sizeof out);
  assert_non_null(steps[count - 1].name);
  qn_step_info step = qn_executable_step(executable, count - 1);
  assert_string_equal(step.name, steps[count - 1].name);
  assert_non_null(strstr(step.kernel, "_0"));
  assert_string_equal(step.shapes, "1x4 -> 1x4");
  assert_true(step.value_bytes >= 4);
  assert_int_equal(step.follower_count, 0);
  free(steps);
  qn_executable_destroy(executable);
}

typedef struct seen {
  unsigned count;
  int64_t index;
  int8_t data[4];
} seen;

static void see(void *user, int64_t index, const void *data, size_t bytes) {
  seen *s = user;
  s->count++;
  s->index = index;
  assert_int_equal(bytes, sizeof s->data);
  memcpy(s->data, data, bytes);
}

/* Invokes with arrays of pointers and buffers that are overwritten or freed after the call: the
 * library must not keep them. */
static void invoke_and_forget(qn_executable *executable) {
  void **inputs = malloc(sizeof *inputs), **outputs = malloc(sizeof *outputs);
  inputs[0] = malloc(sizeof in);
  outputs[0] = malloc(sizeof expected);
  memcpy(inputs[0], in, sizeof in);
  assert_int_equal(qn_executable_invoke(executable, (const void *const *)inputs, outputs), QN_OK);
  assert_memory_equal(outputs[0], expected, sizeof expected);
  memset(inputs[0], 0x41, sizeof in);
  memset(outputs[0], 0x41, sizeof expected);
  free(inputs[0]);
  free(outputs[0]);
  memset(outputs, 0x41, sizeof *outputs);
  memset(inputs, 0x41, sizeof *inputs);
  free(inputs);
  free(outputs);
}

static void kept_tensors_are_the_executables_own(void **state) {
  fixture *f = *state;
  enum { STAGES = 3 };
  static const qn_form stages[STAGES] = {QN_FORM_MODEL, QN_FORM_INTEGER, QN_FORM_LOOPS};
  for (size_t i = 0; i <= STAGES; i++) {
    qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
    options.keep_tensors = 1;
    if (i < STAGES) options.engine = QN_ENGINE_INTERPRETER;
    if (i < STAGES) options.stage = stages[i];
    qn_executable *executable;
    assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
    invoke_and_forget(executable);
    seen s = {0};
    assert_int_equal(qn_executable_tensors(executable, see, &s), QN_OK);
    assert_int_equal(s.count, 1);
    assert_memory_equal(s.data, expected, sizeof s.data);
    qn_executable_destroy(executable);
  }
}

static void kept_tensors_can_be_read(void **state) {
  fixture *f = *state;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_executable *executable;
  seen s = {0};
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
  assert_int_equal(qn_executable_tensors(executable, see, &s), QN_UNSUPPORTED);
  qn_executable_destroy(executable);
  options.keep_tensors = 1;
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
  assert_int_equal(qn_executable_tensors(executable, see, &s), QN_UNSUPPORTED);
  int8_t out[4];
  assert_int_equal(qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out}), QN_OK);
  assert_int_equal(qn_executable_tensors(executable, see, &s), QN_OK);
  assert_int_equal(s.count, 1);
  assert_int_equal(s.index, 7);
  assert_memory_equal(s.data, expected, sizeof s.data);
  qn_executable_destroy(executable);
}

/* Members that an older caller's struct lacks have their defaults. */
static void older_option_structs_are_read(void **state) {
  fixture *f = *state;
  struct {
    size_t size;
    qn_engine engine;
    qn_form stage;
  } old = {sizeof old, QN_ENGINE_INTERPRETER, QN_FORM_INTEGER};
  qn_executable *executable;
  assert_int_equal(
      qn_compile(f->model, (const qn_compile_options *)(const void *)&old, &executable), QN_OK);
  assert_int_equal(qn_executable_step_count(executable), 0);
  expect_relu(executable);
  qn_executable_destroy(executable);
}

static void failures_have_a_status_and_a_message(void **state) {
  fixture *f = *state;
  qn_model *none = f->model;
  assert_int_equal(qn_model_load(f->context, "no/such/file", NULL, &none), QN_IO);
  assert_null(none);
  assert_non_null(strstr(f->last, "no/such/file: error: can't be read: No such file"));
  assert_int_equal(qn_context_error_count(f->context), 1);
  qn_executable *executable = NULL;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = "abacus";
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_NOT_FOUND);
  assert_null(executable);
  assert_non_null(strstr(f->last, "unknown CPU 'abacus'"));
  options = (qn_compile_options)QN_COMPILE_OPTIONS_INIT;
  options.engine = (qn_engine)7;
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_NOT_FOUND);
  assert_non_null(strstr(f->last, "there is no engine of number 7"));
  char *text = NULL;
  size_t size;
  options = (qn_compile_options)QN_COMPILE_OPTIONS_INIT;
  options.symbol = "1st";
  assert_int_equal(qn_emit_form(f->model, &options, QN_FORM_OBJECT, &text, &size), QN_INVALID);
  assert_non_null(strstr(f->last, "symbol '1st' is not a C identifier"));
  assert_int_equal(qn_list("colours", &text, &size), QN_NOT_FOUND);
  assert_int_equal(qn_measure_peak(f->context, "abacus", &(double){0}), QN_NOT_FOUND);
  qn_machine machine;
  assert_int_equal(qn_measure_machine(f->context, "abacus", &machine), QN_NOT_FOUND);
  assert_int_equal(qn_measure_machine(f->context, qn_host_level(), &machine), QN_OK);
  assert_true(machine.clock_hertz > 1e8 && machine.clock_hertz < 1e10);
  double least =
      getenv("QUERN_EMULATED") ? 0 : machine.clock_hertz / 4; /* vectors are slow there */
  for (qn_factor factor = 0; factor < QN_FACTOR_COUNT; factor++)
    assert_true(machine.macs_per_second[factor] > least);
  for (uint32_t i = 0; i < machine.level_count; i++)
    assert_true(machine.levels[i].bytes_per_second > 1e8);
  assert_int_equal(qn_model_run_pipeline(f->model, "no-such-pass", NULL), QN_INVALID);
  assert_int_equal(qn_context_error_count(f->context), f->messages);
}

static void forms_load_again(void **state) {
  fixture *f = *state;
  qn_model *first = f->model;
  for (int form = QN_FORM_MODEL; form <= QN_FORM_LOOPS; form++) {
    char *text;
    size_t size;
    assert_int_equal(qn_emit_form(first, NULL, (qn_form)form, &text, &size), QN_OK);
    assert_int_equal(strlen(text), size);
    assert_int_equal(load(f, text, NULL), QN_OK);
    assert_int_equal(qn_model_stage(f->model), form);
    qn_model_destroy(f->model);
    qn_free(text);
  }
  f->model = first;
}

static void parts_of_a_text_are_models(void **state) {
  fixture *f = *state;
  char twice[2 * sizeof relu + 16] = "not a module\n";
  size_t begin = strlen(twice);
  strcat(twice, relu);
  size_t end = strlen(twice);
  strcat(twice, "nor this");
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.part_begin = begin;
  options.part_end = end;
  qn_model_destroy(f->model);
  assert_int_equal(load(f, twice, &options), QN_OK);
  qn_model *whole = f->model;
  assert_int_equal(load(f, twice, NULL), QN_INVALID);
  assert_null(f->model);
  f->model = whole;
}

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_MODEL(engines_give_the_same),
      WITH_MODEL(remarks_need_a_handler),
      WITH_MODEL(executables_outlive_models_and_say_what_they_are),
      WITH_MODEL(kept_tensors_can_be_read),
      WITH_MODEL(kept_tensors_are_the_executables_own),
      WITH_MODEL(older_option_structs_are_read),
      WITH_MODEL(failures_have_a_status_and_a_message),
      WITH_MODEL(forms_load_again),
      WITH_MODEL(parts_of_a_text_are_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
