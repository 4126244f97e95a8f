/* Loops without a known bound. All such loops of a run share the limit of iterations, in every
 * engine; a limit of time also ends compiled loops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Three nested loops of n iterations each: x is added n^3 times. */
#define T "tensor<4xf32>, tensor<1xi32>"
#define HEAD(v)                                                                                    \
  "^bb0(%p" v ": tensor<4xf32>, %i" v ": tensor<1xi32>):\n"                                        \
  "  %l" v " = arith.cmpi slt, %i" v ", %n : tensor<1xi32>\n"                                      \
  "  %b" v " = tensor.extract %l" v "[%c0] : tensor<1xi1>\n"                                       \
  "  \"scf.condition\"(%b" v ", %p" v ", %i" v ") : (i1, " T ") -> ()\n}, {\n"                     \
  "^bb0(%a" v ": tensor<4xf32>, %k" v ": tensor<1xi32>):\n"
#define TAIL(v, sum)                                                                               \
  "  %j" v " = arith.addi %k" v ", %one : tensor<1xi32>\n"                                         \
  "  \"scf.yield\"(" sum ", %j" v ") : (" T ") -> ()\n}) : (" T ") -> (" T ")\n"
#define LOOP(v, from, inside, sum)                                                                 \
  "%r" v ":2 = \"scf.while\"(" from ", %zero) ({\n" HEAD(v) inside TAIL(v, sum)

static const char nested[] =
    "func.func @main(%n: tensor<1xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %zero = arith.constant dense<0> : tensor<1xi32>\n"
    "  %one = arith.constant dense<1> : tensor<1xi32>\n" LOOP(
        "1", "%x",
        LOOP("2", "%a1", LOOP("3", "%a2", "%q = arith.addf %a3, %x : tensor<4xf32>\n", "%q"),
             "%r3#0"),
        "%r2#0") "  return %r1#0 : tensor<4xf32>\n}\n";

/* A known number of iterations that would take years. */
static const char counted[] =
    "func.func @main(%n: tensor<1xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %many = arith.constant 4611686018427387904 : index\n"
    "  %r = scf.for %i = %c0 to %many step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {\n"
    "    %q = arith.addf %a, %x : tensor<4xf32>\n"
    "    scf.yield %q : tensor<4xf32>\n"
    "  }\n"
    "  return %r : tensor<4xf32>\n}\n";

static const struct {
  const char *name;
  qn_engine engine;
  qn_form stage;
  const char *cpu;
} engines[] = {
    {"code", QN_ENGINE_JIT, QN_FORM_MODEL, NULL},
    {"code for the baseline", QN_ENGINE_JIT, QN_FORM_MODEL, "baseline"},
    {"the model stage", QN_ENGINE_INTERPRETER, QN_FORM_MODEL, NULL},
    {"the integer stage", QN_ENGINE_INTERPRETER, QN_FORM_INTEGER, NULL},
    {"the loops stage", QN_ENGINE_INTERPRETER, QN_FORM_LOOPS, NULL},
};
enum { ENGINES = sizeof engines / sizeof *engines };

typedef struct fixture {
  qn_context *context;
  qn_model *model;
  qn_executable *executable;
  char last[512];
} fixture;

static void remember(void *user, int severity, const char *message) {
  fixture *f = user;
  (void)severity;
  snprintf(f->last, sizeof f->last, "%s", message);
}

static void open_fixture(fixture *f, const char *text, int64_t iterations, size_t engine) {
  qn_load_options load = QN_LOAD_OPTIONS_INIT;
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  *f = (fixture){.context = qn_context_create()};
  qn_context_set_handler(f->context, remember, f);
  load.max_iterations = iterations;
  qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  assert_int_equal(qn_model_load_memory(f->context, bytes, "loops.mlir", &load, &f->model), QN_OK);
  options.engine = engines[engine].engine;
  options.stage = engines[engine].stage;
  options.cpu = engines[engine].cpu;
  if (qn_compile(f->model, &options, &f->executable) != QN_OK) fail_msg("%s", f->last);
}

static void close_fixture(fixture *f) {
  qn_executable_destroy(f->executable);
  qn_model_destroy(f->model);
  qn_context_destroy(f->context);
}

static qn_status run(fixture *f, int32_t n) {
  const float x[4] = {1, -2, 3, 0.5};
  float y[4];
  f->last[0] = '\0';
  qn_status status =
      qn_executable_invoke(f->executable, (const void *const[]){&n, x}, (void *const[]){y});
  if (status == QN_OK)
    for (int i = 0; i < 4; i++) assert_true(y[i] == x[i] * (float)(1 + n * n * n));
  return status;
}

/* n iterations of the outer loop, n of the middle one for each, n of the inner one for each. All
 * engines name the same loop in the message. */
static void all_loops_share_the_limit(void **state) {
  enum { N = 3, ALL = N + N * N + N * N * N };
  char expected[512];
  (void)state;
  for (int64_t limit = 1; limit <= ALL + 1; limit += limit < ALL - 3 ? 5 : 1) {
    for (size_t i = 0; i < ENGINES; i++) {
      fixture f;
      open_fixture(&f, nested, limit, i);
      for (int again = 0; again < 2; again++) { /* each run counts from 0 */
        assert_int_equal(run(&f, N), limit < ALL ? QN_LIMIT : QN_OK);
        if (i == 0) snprintf(expected, sizeof expected, "%s", f.last);
        if (strcmp(f.last, expected) != 0)
          fail_msg("%s, limit %lld: %s, not %s", engines[i].name, (long long)limit, f.last,
                   expected);
      }
      assert_int_equal(run(&f, 0), QN_OK);
      close_fixture(&f);
    }
  }
}

/* A run is aborted in the middle, and the executable can be used afterwards. */
static void time_ends_a_loop(void **state) {
  (void)state;
  static const char *const texts[] = {nested, counted};
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < ENGINES; i++) {
      fixture f;
      qn_limits limits = QN_LIMITS_INIT;
      limits.max_seconds = 0.05;
      open_fixture(&f, texts[k], INT64_MAX, i);
      qn_context_set_limits(f.context, &limits);
      assert_int_equal(run(&f, 1 << 20), QN_LIMIT);
      if (!strstr(f.last, "the limit of 0.05 s of time is reached"))
        fail_msg("%s: %s", engines[i].name, f.last);
      assert_int_equal(run(&f, 1), QN_LIMIT); /* later calls exceed the limit, too */
      qn_context_set_limits(f.context, NULL);
      if (k == 0) assert_int_equal(run(&f, 2), QN_OK);
      close_fixture(&f);
    }
  }
}

/* The limit also ends a profile, with any number of threads. */
static void time_ends_a_profile(void **state) {
  (void)state;
  fixture f;
  qn_limits limits = QN_LIMITS_INIT;
  const float x[4] = {0};
  float y[4];
  const int32_t n = 1 << 20;
  limits.max_seconds = 0.05;
  open_fixture(&f, nested, INT64_MAX, 0);
  assert_int_equal(qn_executable_set_threads(f.executable, 2), QN_OK);
  qn_step_time *steps = test_calloc(qn_executable_step_count(f.executable) + 1, sizeof *steps);
  qn_context_set_limits(f.context, &limits);
  assert_int_equal(
      qn_executable_profile(f.executable, (const void *const[]){&n, x}, (void *const[]){y}, steps),
      QN_LIMIT);
  qn_context_set_limits(f.context, NULL);
  assert_int_equal(run(&f, 2), QN_OK);
  test_free(steps);
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_loops_share_the_limit),
      cmocka_unit_test(time_ends_a_loop),
      cmocka_unit_test(time_ends_a_profile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
