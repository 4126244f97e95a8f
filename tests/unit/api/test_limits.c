/* Limits of memory and time, and the state of a context and a model after a limit was exceeded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
    "!q = !quant.uniform<i8:f32, 0.5:-1>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "  func.func @main(%x: tensor<1x4x!q> {quern.name = \"x\", quern.scale = 0.5 : f64, "
    "quern.zero_point = -1 : i64}) -> tensor<1x4x!q> {\n"
    "    %y = \"ml.relu\"(%x) : (tensor<1x4x!q>) -> tensor<1x4x!q>\n"
    "    return %y : tensor<1x4x!q>\n"
    "  }\n"
    "}\n";

typedef struct fixture {
  qn_context *context;
  qn_model *model;
  unsigned messages;
  char last[512];
} fixture;

static void remember(void *user, int severity, const char *message) {
  fixture *f = user;
  (void)severity;
  f->messages++;
  snprintf(f->last, sizeof f->last, "%s", message);
}

static qn_status load(fixture *f) {
  qn_bytes bytes = {(const uint8_t *)source, sizeof source - 1};
  return qn_model_load_memory(f->context, bytes, "relu.mlir", NULL, &f->model);
}

static int open_fixture(void **state) {
  fixture *f = calloc(1, sizeof *f);
  f->context = qn_context_create();
  qn_context_set_handler(f->context, remember, f);
  *state = f;
  return load(f) == QN_OK ? 0 : -1;
}

static int close_fixture(void **state) {
  fixture *f = *state;
  qn_model_destroy(f->model);
  qn_context_destroy(f->context);
  free(f);
  return 0;
}

static void limit(fixture *f, size_t memory, double seconds) {
  qn_limits limits = QN_LIMITS_INIT;
  limits.max_memory = memory;
  limits.max_seconds = seconds;
  qn_context_set_limits(f->context, &limits);
  f->messages = 0;
}

/* ---- each call, on a model that was loaded before ---- */

static qn_status do_print(fixture *f) {
  char *text;
  size_t size;
  qn_status status = qn_model_print(f->model, NULL, &text, &size);
  if (status == QN_OK) qn_free(text);
  return status;
}

static qn_status do_inspect(fixture *f) {
  char *text;
  size_t size;
  qn_status status = qn_model_inspect(f->model, &text, &size);
  if (status == QN_OK) qn_free(text);
  return status;
}

static qn_status do_compile(fixture *f, qn_engine engine) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_executable *executable;
  options.engine = engine;
  qn_status status = qn_compile(f->model, &options, &executable);
  if (status == QN_OK) qn_executable_destroy(executable);
  return status;
}

static qn_status do_jit(fixture *f) { return do_compile(f, QN_ENGINE_JIT); }
static qn_status do_interpreter(fixture *f) { return do_compile(f, QN_ENGINE_INTERPRETER); }

static qn_status do_object(fixture *f) {
  char *bytes;
  size_t size;
  qn_status status = qn_emit_form(f->model, NULL, QN_FORM_OBJECT, &bytes, &size);
  if (status == QN_OK) qn_free(bytes);
  return status;
}

static qn_status do_interpret(fixture *f) {
  char *text;
  size_t size;
  const qn_argument x = {.constant = "dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>"};
  qn_status status = qn_model_interpret(f->model, NULL, &x, 1, &text, &size);
  if (status == QN_OK) qn_free(text);
  return status;
}

static qn_status do_load(fixture *f) {
  qn_model *before = f->model;
  qn_status status = load(f);
  if (status == QN_OK) qn_model_destroy(f->model);
  f->model = before;
  return status;
}

static qn_status do_pipeline(fixture *f) {
  qn_pipeline *pipeline;
  qn_status status = qn_pipeline_parse(f->context, "canonicalize,cse", &pipeline);
  if (status == QN_OK) qn_pipeline_destroy(pipeline);
  return status;
}

static qn_status (*const calls[])(fixture *f) = {do_print,  do_inspect,   do_jit,  do_interpreter,
                                                 do_object, do_interpret, do_load, do_pipeline};
enum { CALLS = sizeof calls / sizeof *calls };

static void every_call_stops_at_every_memory_limit(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < CALLS; i++) {
    bool stopped = false;
    qn_context_set_limits(f->context, NULL);
    assert_int_equal(calls[i](f), QN_OK); /* interns all that the call needs */
    size_t held = qn_context_memory(f->context);
    for (size_t more = 0; more < (size_t)1 << 30; more = more * 2 + 1) {
      limit(f, held + more, -1);
      qn_status status = calls[i](f);
      if (status == QN_OK) break;
      stopped = true;
      char expected[64];
      snprintf(expected, sizeof expected, "the limit of %zu bytes of memory", held + more);
      assert_int_equal(status, QN_LIMIT);
      assert_int_equal(f->messages, 1);
      if (!strstr(f->last, expected)) fail_msg("call %zu: %s", i, f->last);
      assert_non_null(strstr(f->last, "--max-memory"));
      /* Only interned objects are kept; a module would be larger. */
      assert_true(qn_context_memory(f->context) < held + (64 << 10));
    }
    assert_true(stopped);
    qn_context_set_limits(f->context, NULL);
    assert_int_equal(calls[i](f), QN_OK);
  }
}

static void no_time_stops_every_call(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < CALLS; i++) {
    limit(f, SIZE_MAX, 0);
    assert_int_equal(calls[i](f), QN_LIMIT);
    assert_int_equal(f->messages, 1);
    assert_non_null(strstr(f->last, "the limit of 0 s of time"));
    assert_non_null(strstr(f->last, "--max-time"));
    limit(f, SIZE_MAX, 1e6);
    assert_int_equal(calls[i](f), QN_OK);
  }
}

static void what_the_jit_calls_has_to_fit_before(void **state) {
  fixture *f = *state;
  limit(f, qn_context_memory(f->context) + (4 << 20), -1); /* too little for LLVM */
  assert_int_equal(do_jit(f), QN_LIMIT);
  assert_int_equal(do_interpreter(f), QN_OK);
}

static void an_executable_survives_an_invocation_without_memory(void **state) {
  fixture *f = *state;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_executable *executable;
  const int8_t in[] = {-128, -1, 0, 127}, expected[] = {-1, -1, 0, 127};
  int8_t out[4] = {0};
  options.engine = QN_ENGINE_INTERPRETER;
  options.stage = QN_FORM_MODEL;
  options.keep_tensors = 1;
  assert_int_equal(qn_compile(f->model, &options, &executable), QN_OK);
  for (int round = 0; round < 3; round++) {
    limit(f, qn_context_memory(f->context), -1);
    assert_int_equal(qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out}),
                     QN_LIMIT);
    qn_context_set_limits(f->context, NULL);
    assert_int_equal(qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out}),
                     QN_OK);
    assert_memory_equal(out, expected, sizeof out);
  }
  qn_executable_destroy(executable);
}

/* ---- a model whose module is being changed ---- */

static void expect_lost(fixture *f) {
  qn_context_set_limits(f->context, NULL);
  for (size_t i = 0; i < 6; i++) {
    f->messages = 0;
    assert_int_equal(calls[i](f), QN_LIMIT);
    assert_int_equal(f->messages, 1);
    assert_non_null(strstr(f->last, "the module is gone"));
  }
  assert_int_equal(qn_model_run_pipeline(f->model, "cse", NULL), QN_LIMIT);
  uint32_t applied, places;
  assert_int_equal(qn_model_reduce(f->model, 0, 0, 1, &applied, &places), QN_LIMIT);
  assert_int_equal(do_load(f), QN_OK);
}

static void a_model_is_lost_with_the_run_that_changed_it(void **state) {
  fixture *f = *state;
  qn_pipeline *pipeline;
  bool lost = false;
  assert_int_equal(qn_pipeline_parse(f->context, "lower-to-integer", &pipeline), QN_OK);
  /* The first limits are exceeded before the run changes anything; then the model is unchanged. */
  for (size_t more = 0; !lost; more += 500) {
    limit(f, qn_context_memory(f->context) + more, -1);
    assert_int_equal(qn_model_run(f->model, pipeline, NULL), QN_LIMIT);
    qn_context_set_limits(f->context, NULL);
    lost = do_print(f) == QN_LIMIT;
  }
  expect_lost(f);
  qn_pipeline_destroy(pipeline);
}

/* Independent of the point at which the pass is aborted. */
static void a_lost_model_gives_all_memory_back(void **state) {
  fixture *f = *state;
  qn_pipeline *pipeline;
  qn_run_options options = QN_RUN_OPTIONS_INIT;
  options.stress_roundtrip = 1; /* a run replaces the module */
  assert_int_equal(qn_pipeline_parse(f->context, "lower-to-integer,canonicalize", &pipeline),
                   QN_OK);
  qn_model_destroy(f->model);
  size_t least = SIZE_MAX;
  for (size_t more = 0;; more += 3001) {
    qn_context_set_limits(f->context, NULL);
    size_t held = qn_context_memory(f->context);
    if (held < least) least = held;
    assert_int_equal(load(f), QN_OK);
    limit(f, qn_context_memory(f->context) + more, -1);
    qn_status status = qn_model_run(f->model, pipeline, &options);
    qn_model_destroy(f->model);
    f->model = NULL;
    if (status == QN_OK) break;
    assert_int_equal(status, QN_LIMIT);
  }
  /* Interned objects are kept, but none of the modules. */
  assert_true(qn_context_memory(f->context) < least + (256 << 10));
  qn_pipeline_destroy(pipeline);
}

static void an_older_struct_of_limits_is_enough(void **state) {
  fixture *f = *state;
  qn_limits limits = QN_LIMITS_INIT;
  limits.size = offsetof(qn_limits, max_seconds);
  limits.max_seconds = 0; /* beyond the size that the caller states */
  qn_context_set_limits(f->context, &limits);
  assert_int_equal(do_print(f), QN_OK);
}

/* Reads all members of a message in parts: none may be NULL. */
static void remember_parts(void *user, const qn_message *message) {
  fixture *f = user;
  f->messages++;
  snprintf(f->last, sizeof f->last, "%s|%s|%s|%s", message->file, message->code, message->where,
           message->text);
}

static void a_limit_is_told_in_parts(void **state) {
  fixture *f = *state;
  qn_executable *executable;
  qn_context_set_parts_handler(f->context, remember_parts, f);
  limit(f, SIZE_MAX, 0);
  assert_int_equal(qn_compile(f->model, NULL, &executable), QN_LIMIT);
  assert_int_equal(f->messages, 1);
  assert_memory_equal(f->last, "relu.mlir||relu.mlir|", 21);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
  const struct CMUnitTest tests[] = {
      TEST(every_call_stops_at_every_memory_limit),
      TEST(no_time_stops_every_call),
      TEST(what_the_jit_calls_has_to_fit_before),
      TEST(an_executable_survives_an_invocation_without_memory),
      TEST(a_model_is_lost_with_the_run_that_changed_it),
      TEST(a_lost_model_gives_all_memory_back),
      TEST(an_older_struct_of_limits_is_enough),
      TEST(a_limit_is_told_in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
