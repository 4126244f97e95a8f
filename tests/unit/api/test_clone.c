/* Clones share the code; each has its own arena, states and sizes, and clones may run concurrently.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "every_engine.h"

#define HEAD                                                                                       \
  "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"

/* sum' = sum + x, with initial value 3; y = sum' + x. So there is a state, and an intermediate
 * tensor in the arena. */
static const char running_sum[] =
    HEAD "func.func @main(%s: tensor<1x70x!q> {quern.role = \"state\", quern.name = \"sum\",\n"
         "                                     quern.initial = dense<3> : tensor<1x70xi8>},\n"
         "                %x: tensor<1x70x!q> {quern.name = \"x\"})\n"
         "    -> (tensor<1x70x!q> {quern.role = \"state\"}, tensor<1x70x!q>) {\n"
         "  %t = \"ml.add\"(%s, %x) : (tensor<1x70x!q>, tensor<1x70x!q>) -> tensor<1x70x!q>\n"
         "  %u = \"ml.tanh\"(%t) : (tensor<1x70x!q>) -> tensor<1x70x!q>\n"
         "  %y = \"ml.add\"(%u, %x) : (tensor<1x70x!q>, tensor<1x70x!q>) -> tensor<1x70x!q>\n"
         "  return %t, %y : tensor<1x70x!q>, tensor<1x70x!q>\n}\n}\n";

static const char sized[] =
    HEAD "func.func @main(%x: tensor<7x5x!q> {quern.sizes = [\"n\"]}) -> tensor<7x5x!q> {\n"
         "  %y = \"ml.add\"(%x, %x) : (tensor<7x5x!q>, tensor<7x5x!q>) -> tensor<7x5x!q>\n"
         "  return %y : tensor<7x5x!q>\n}\n}\n";

enum { COUNT = 70, CLIENTS = 4, RUNS = 200 };

static qn_executable *jit_of(engines *e, const char *text, bool keep_tensors) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.keep_tensors = keep_tensors;
  qn_model *model = load_text(e, text);
  qn_executable *executable = NULL;
  if (qn_compile(model, &options, &executable) != QN_OK) fail_msg("%s", e->messages);
  qn_model_destroy(model);
  return executable;
}

static qn_executable *clone_of(const qn_executable *source, qn_context *context) {
  qn_executable *executable = NULL;
  assert_int_equal(qn_executable_clone(source, context, &executable), QN_OK);
  return executable;
}

/* The input of client `client` in run `run`. `runs` stores the outputs of all runs from the initial
 * state. */
static void fill(int8_t in[COUNT], int client, int run) {
  for (int i = 0; i < COUNT; i++) in[i] = (int8_t)((i * 7 + client * 31 + run * 13) % 9 - 4);
}
static bool runs(qn_executable *executable, int client, int8_t out[RUNS][COUNT]) {
  for (int run = 0; run < RUNS; run++) {
    int8_t in[COUNT];
    fill(in, client, run);
    if (qn_executable_invoke(executable, (const void *[]){in}, (void *[]){out[run]}) != QN_OK)
      return false;
  }
  return true;
}

typedef struct client {
  pthread_t thread;
  int number;
  const qn_executable *source;
  bool good;
  int8_t out[RUNS][COUNT];
} client;

/* Clones the executable while other threads run it. */
static void *serve(void *argument) {
  client *c = argument;
  qn_context *context = qn_context_create();
  qn_executable *executable = NULL;
  c->good = qn_executable_clone(c->source, context, &executable) == QN_OK &&
            runs(executable, c->number, c->out);
  qn_executable_destroy(executable);
  qn_context_destroy(context);
  return NULL;
}

static void callers_at_once_get_equal_bytes(void **unused) {
  static client clients[CLIENTS];
  static int8_t want[RUNS][COUNT];
  engines e;
  (void)unused;
  engines_open(&e);
  qn_executable *source = jit_of(&e, running_sum, false);
  for (int k = 0; k < CLIENTS; k++) {
    clients[k].number = k;
    clients[k].source = source;
    assert_int_equal(pthread_create(&clients[k].thread, NULL, serve, &clients[k]), 0);
  }
  assert_true(runs(source, CLIENTS, want)); /* the source runs concurrently, too */
  for (int k = 0; k < CLIENTS; k++) {
    assert_int_equal(pthread_join(clients[k].thread, NULL), 0);
    assert_true(clients[k].good);
  }
  for (int k = 0; k < CLIENTS; k++) {
    qn_executable_reset(source);
    assert_true(runs(source, k, want));
    assert_memory_equal(clients[k].out, want, sizeof want);
  }
  qn_executable_destroy(source);
  engines_close(&e);
}

static void states_are_its_own(void **unused) {
  engines e;
  int8_t in[COUNT] = {1}, out[COUNT], state[COUNT];
  (void)unused;
  engines_open(&e);
  qn_executable *source = jit_of(&e, running_sum, false);
  assert_int_equal(qn_executable_invoke(source, (const void *[]){in}, (void *[]){out}), QN_OK);
  qn_executable *a = clone_of(source, NULL), *b = clone_of(a, NULL);
  qn_executable_read_state(a, 0, state);
  assert_int_equal(state[0], 3); /* the initial value, not the current one of the source */
  assert_int_equal(qn_executable_invoke(b, (const void *[]){in}, (void *[]){out}), QN_OK);
  assert_int_equal(qn_executable_invoke(b, (const void *[]){in}, (void *[]){out}), QN_OK);
  qn_executable_read_state(b, 0, state);
  assert_int_equal(state[0], 5);
  qn_executable_read_state(a, 0, state);
  assert_int_equal(state[0], 3);
  qn_executable_read_state(source, 0, state);
  assert_int_equal(state[0], 4);
  qn_executable_destroy(a); /* `b` depends on the source only */
  assert_int_equal(qn_executable_invoke(b, (const void *[]){in}, (void *[]){out}), QN_OK);
  qn_executable_destroy(b);
  assert_int_equal(qn_executable_invoke(source, (const void *[]){in}, (void *[]){out}), QN_OK);
  qn_executable_destroy(source);
  engines_close(&e);
}

static void sizes_are_its_own(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_executable *source = jit_of(&e, sized, false);
  assert_int_equal(qn_executable_set_size(source, 0, 2), QN_OK);
  qn_executable *other = clone_of(source, NULL);
  assert_int_equal(qn_executable_size(other, 0).size, 7);
  assert_int_equal(qn_executable_set_size(other, 0, 3), QN_OK);
  assert_int_equal(qn_executable_input(source, 0).dims[0], 2);
  assert_int_equal(qn_executable_input(other, 0).bytes, 15);
  qn_executable_destroy(other);
  qn_executable_destroy(source);
  engines_close(&e);
}

static void count_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  (void)index, (void)data, (void)bytes;
  ++*(int *)user;
}

static void tensors_are_its_own(void **unused) {
  engines e;
  int8_t in[COUNT] = {1}, out[COUNT];
  int count = 0;
  (void)unused;
  engines_open(&e);
  qn_executable *source = jit_of(&e, running_sum, true);
  qn_executable *other = clone_of(source, NULL);
  assert_int_equal(qn_executable_invoke(source, (const void *[]){in}, (void *[]){out}), QN_OK);
  assert_int_equal(qn_executable_tensors(other, count_tensor, &count), QN_UNSUPPORTED);
  assert_int_equal(qn_executable_invoke(other, (const void *[]){in}, (void *[]){out}), QN_OK);
  assert_int_equal(qn_executable_tensors(other, count_tensor, &count), QN_OK);
  qn_executable_destroy(other);
  qn_executable_destroy(source);
  engines_close(&e);
}

static void interpreter_has_none(void **unused) {
  engines e;
  qn_executable *executable = NULL;
  (void)unused;
  engines_open(&e);
  qn_model *model = load_text(&e, running_sum);
  qn_executable *source = compile_for(&e, model, 0);
  assert_int_equal(qn_executable_clone(source, NULL, &executable), QN_UNSUPPORTED);
  assert_null(executable);
  assert_non_null(strstr(e.messages, "the interpreter has no clones"));
  qn_executable_destroy(source);
  qn_model_destroy(model);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callers_at_once_get_equal_bytes),
      cmocka_unit_test(states_are_its_own),
      cmocka_unit_test(sizes_are_its_own),
      cmocka_unit_test(tensors_are_its_own),
      cmocka_unit_test(interpreter_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
