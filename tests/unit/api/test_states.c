/* States: values that one invocation keeps for the next, in every engine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

#define HEAD                                                                                       \
  "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"

/* sum' = sum + x, with initial value 3; y = sum' + x */
static const char running_sum[] =
    HEAD "func.func @main(%s: tensor<1x70x!q> {quern.role = \"state\", quern.name = \"sum\",\n"
         "                                     quern.initial = dense<3> : tensor<1x70xi8>},\n"
         "                %x: tensor<1x70x!q> {quern.name = \"x\"})\n"
         "    -> (tensor<1x70x!q> {quern.role = \"state\"}, tensor<1x70x!q>) {\n"
         "  %t = \"ml.add\"(%s, %x) : (tensor<1x70x!q>, tensor<1x70x!q>) -> tensor<1x70x!q>\n"
         "  %y = \"ml.add\"(%t, %x) : (tensor<1x70x!q>, tensor<1x70x!q>) -> tensor<1x70x!q>\n"
         "  return %t, %y : tensor<1x70x!q>, tensor<1x70x!q>\n}\n}\n";

static int8_t clamp(int v) { return (int8_t)(v < -128 ? -128 : v > 127 ? 127 : v); }

static void state_persists(void **unused) {
  enum { COUNT = 70 };
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load_text(&e, running_sum);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    assert_int_equal(qn_executable_input_count(x), 1);
    assert_int_equal(qn_executable_output_count(x), 1);
    assert_int_equal(qn_executable_state_count(x), 1);
    qn_tensor_info info = qn_executable_state(x, 0);
    assert_string_equal(info.name, "sum");
    assert_int_equal(info.bytes, COUNT);
    assert_true(info.scale == 0.5);
    int8_t in[COUNT], out[COUNT], sum[COUNT], saved[COUNT];
    for (int i = 0; i < COUNT; i++) in[i] = (int8_t)(i - 30), sum[i] = 3;
    for (int run = 0; run < 4; run++) {
      assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){out}), QN_OK);
      for (int i = 0; i < COUNT; i++) {
        sum[i] = clamp(sum[i] + in[i]);
        if (out[i] != clamp(sum[i] + in[i]))
          fail_msg("%s, run %d: y[%d] is %d", e.names[k], run, i, out[i]);
      }
      qn_executable_read_state(x, 0, saved);
      assert_memory_equal(saved, sum, COUNT);
    }
    for (int i = 0; i < COUNT; i++) sum[i] = (int8_t)-i;
    qn_executable_write_state(x, 0, sum);
    assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){out}), QN_OK);
    qn_executable_read_state(x, 0, saved);
    for (int i = 0; i < COUNT; i++) assert_int_equal(saved[i], -30);
    qn_executable_reset(x);
    qn_executable_read_state(x, 0, saved);
    for (int i = 0; i < COUNT; i++) assert_int_equal(saved[i], 3);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

static void executables_have_their_own(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load_text(&e, running_sum);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *a = compile_for(&e, model, k), *b = compile_for(&e, model, k);
    int8_t in[70] = {1}, out[70], state[70];
    assert_int_equal(qn_executable_invoke(a, (const void *[]){in}, (void *[]){out}), QN_OK);
    qn_executable_read_state(b, 0, state);
    assert_int_equal(state[0], 3);
    qn_executable_read_state(a, 0, state);
    assert_int_equal(state[0], 4);
    qn_executable_destroy(a);
    qn_executable_destroy(b);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* All cases in which a new value of a state could overwrite an old one that is still read. The
 * states must be those of the interpreter of the model stage, which shares no storage. */
static const struct {
  const char *body;
} hazards[] = {
    /* two states are exchanged, and the third gets the old value of the first */
    {"  return %c, %a, %b : T, T, T\n"},
    {"  return %b, %a, %a : T, T, T\n"},
    /* a new value is computed before the last read of the old one */
    {"  %n = \"ml.add\"(%x, %x) : (T, T) -> T\n"
     "  %m = \"ml.add\"(%n, %a) : (T, T) -> T\n"
     "  return %n, %m, %c : T, T, T\n"},
    /* an operand that is dead must not be overwritten if its storage is a state that is still read
     */
    {"  %u = \"ml.relu\"(%x) : (T) -> T\n"
     "  %v = \"ml.add\"(%a, %x) : (T, T) -> T\n"
     "  %n = \"ml.add\"(%u, %x) : (T, T) -> T\n"
     "  return %n, %v, %v : T, T, T\n"},
    /* a state from a reshape of another one, and from a reversed one */
    {"  %s = \"ml.reshape\"(%b) : (T) -> tensor<4x1x!q>\n"
     "  %n = \"ml.reshape\"(%s) : (tensor<4x1x!q>) -> T\n"
     "  %r = \"ml.slice_by_index\"(%a) {begin = array<i64: 0, 3>, end = array<i64: 1, -1>,\n"
     "    stride = array<i64: 1, -1>} : (T) -> T\n"
     "  return %n, %r, %c : T, T, T\n"},
    /* shifted by one element */
    {"  %s = \"ml.slice_by_index\"(%a) {begin = array<i64: 0, 1>, end = array<i64: 1, 4>,\n"
     "    stride = array<i64: 1, 1>} : (T) -> tensor<1x3x!q>\n"
     "  %h = \"ml.slice_by_index\"(%x) {begin = array<i64: 0, 0>, end = array<i64: 1, 1>,\n"
     "    stride = array<i64: 1, 1>} : (T) -> tensor<1x1x!q>\n"
     "  %n = \"ml.concat\"(%s, %h) {axis = 1 : i64} : (tensor<1x3x!q>, tensor<1x1x!q>) -> T\n"
     "  return %n, %n, %c : T, T, T\n"},
    /* an input, a constant, and an unchanged state */
    {"  %k = \"ml.const\"() {value = dense<9> : tensor<1x4xi8>} : () -> T\n"
     "  return %x, %k, %c : T, T, T\n"},
};

static void replace_types(const char *from, char *to, size_t size) {
  size_t n = 0;
  for (; *from && n + 16 < size; from++) {
    if (*from == 'T')
      n += (size_t)snprintf(to + n, size - n, "tensor<1x4x!q>");
    else
      to[n++] = *from;
  }
  to[n] = '\0';
}

static void new_values_wait_for_old_ones(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  for (size_t h = 0; h < sizeof hazards / sizeof hazards[0]; h++) {
    char text[4096], body[2048];
    replace_types(hazards[h].body, body, sizeof body);
    /* y is also the old value of the first state */
    char *ret = strstr(body, "return ");
    char *types = strstr(ret, " : ");
    snprintf(text, sizeof text,
             HEAD
             "func.func @main(%%a: tensor<1x4x!q> {quern.role = \"state\"}, "
             "%%x: tensor<1x4x!q>,\n  %%b: tensor<1x4x!q> {quern.role = \"state\"}, "
             "%%c: tensor<1x4x!q> {quern.role = \"state\"})\n  -> (tensor<1x4x!q> {quern.role = "
             "\"state\"}, tensor<1x4x!q> {quern.role = \"state\"}, tensor<1x4x!q> {quern.role = "
             "\"state\"}, tensor<1x4x!q>) {\n%.*s, %%a%.*s, tensor<1x4x!q>\n}\n}\n",
             (int)(types - body), body, (int)strcspn(types, "\n"), types);
    qn_model *model = load_text(&e, text);
    int8_t expected[3][3][4], first[3][4];
    for (size_t k = 0; k < e.count; k++) {
      qn_executable *x = compile_for(&e, model, k);
      for (uint32_t s = 0; s < 3; s++) {
        int8_t start[4];
        for (int i = 0; i < 4; i++) start[i] = (int8_t)(10 * (int)s + i);
        qn_executable_write_state(x, s, start);
      }
      for (int run = 0; run < 3; run++) {
        int8_t in[4] = {5, -6, 7, (int8_t)run}, out[4], state[3][4];
        assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){out}), QN_OK);
        for (uint32_t s = 0; s < 3; s++) qn_executable_read_state(x, s, state[s]);
        if (k == 0) {
          memcpy(expected[run], state, sizeof state);
          memcpy(first[run], out, sizeof out);
        } else if (memcmp(expected[run], state, sizeof state) != 0 ||
                   memcmp(first[run], out, sizeof out) != 0) {
          fail_msg("hazard %zu, %s, run %d", h, e.names[k], run);
        }
      }
      qn_executable_destroy(x);
    }
    qn_model_destroy(model);
  }
  engines_close(&e);
}

static void broken_states_are_reported(void **unused) {
  static const struct {
    const char *argument, *result, *said;
  } cases[] = {
      {"tensor<1x4x!q> {quern.role = \"state\"}", "tensor<1x4x!q>", "but 0 results"},
      {"tensor<1x4x!q>", "tensor<1x4x!q> {quern.role = \"state\"}", "0 arguments"},
      {"tensor<1x4x!q> {quern.role = \"arena\"}", "tensor<1x4x!q>", "here it is \"input\""},
      {"tensor<1x4x!q> {quern.role = 1 : i64}", "tensor<1x4x!q>", "quern.role is not one of"},
      {"tensor<1x4x!q> {quern.rule = \"state\"}", "tensor<1x4x!q>", "unknown attribute quern.rule"},
      {"tensor<1x4x!q> {quern.role = \"state\", quern.initial = dense<0> : tensor<5xi8>}",
       "tensor<1x4x!q> {quern.role = \"state\"}", "another number or size"},
      {"tensor<1x4x!q> {quern.role = \"state\", quern.sizes = [\"n\"]}",
       "tensor<1x4x!q> {quern.role = \"state\"}", "a state keeps its size"},
  };
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    engines e;
    engines_open(&e);
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "func.func @main(%%a: %s) -> (%s) {\n  return %%a : tensor<1x4x!q>\n}\n}\n",
             cases[i].argument, cases[i].result);
    qn_model *model = load_text(&e, text);
    for (size_t k = 0; k < e.count; k++) {
      qn_executable *x;
      e.messages[0] = '\0';
      assert_int_not_equal(qn_compile(model, &e.options[k], &x), QN_OK);
      assert_null(x);
      if (!strstr(e.messages, cases[i].said) || !strstr(e.messages, "test.mlir:"))
        fail_msg("'%s' is not in: %s", cases[i].said, e.messages);
    }
    qn_model_destroy(model);
    engines_close(&e);
  }
}

/* ---- states that a kernel moves in place ---- */

static qn_model *load_svdf(engines *e, int units, int memory) {
  char text[2048];
  int filters = 2 * units, state = filters * memory;
  snprintf(text, sizeof text,
           HEAD
           "func.func @main(%%s: tensor<1x%dx!q> {quern.role = \"state\"}, %%x: tensor<1x3x!q>)\n"
           "    -> (tensor<1x%dx!q> {quern.role = \"state\"}, tensor<1x%dx!q>) {\n"
           "  %%f = \"ml.const\"() {value = dense<2> : tensor<%dx3xi8>} : () -> tensor<%dx3x!q>\n"
           "  %%t = \"ml.const\"() {value = dense<3> : tensor<%dx%dxi8>} : () -> tensor<%dx%dx!q>\n"
           "  %%y, %%n = \"ml.svdf\"(%%x, %%s, %%f, %%t) : (tensor<1x3x!q>, tensor<1x%dx!q>,\n"
           "    tensor<%dx3x!q>, tensor<%dx%dx!q>) -> (tensor<1x%dx!q>, tensor<1x%dx!q>)\n"
           "  return %%n, %%y : tensor<1x%dx!q>, tensor<1x%dx!q>\n}\n}\n",
           state, state, units, filters, filters, filters, memory, filters, memory, state, filters,
           filters, memory, units, state, state, units);
  return load_text(e, text);
}

/* One to many vectors, with every kind of remainder; the arena holds at most the input. */
static void svdf_moves_its_state_in_place(void **unused) {
  static const int shapes[][2] = {{1, 1}, {1, 2}, {1, 4}, {3, 5}, {4, 8}, {5, 13}, {16, 9}};
  enum { CALLS = 5, MOST = 16 * 2 * 13 };
  engines e;
  (void)unused;
  engines_open(&e);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    int units = shapes[s][0];
    qn_model *model = load_svdf(&e, units, shapes[s][1]);
    int8_t wanted[CALLS][2][MOST] = {{{0}}};
    for (size_t k = 0; k < e.count; k++) {
      qn_executable *x = compile_for(&e, model, k);
      for (int call = 0; call < CALLS; call++) {
        int8_t in[3] = {(int8_t)(call - 2), (int8_t)(7 - 3 * call), 1}, out[2][MOST] = {{0}};
        assert_int_equal(qn_executable_invoke(x, (const void *[]){in}, (void *[]){out[0]}), QN_OK);
        qn_executable_read_state(x, 0, out[1]);
        if (k == 0) memcpy(wanted[call], out, sizeof out);
        if (memcmp(wanted[call], out, sizeof out) != 0)
          fail_msg("%s, %d units, call %d", e.names[k], units, call);
      }
      if (e.options[k].engine == QN_ENGINE_JIT)
        assert_true(qn_executable_get_stats(x).arena_bytes <= 64);
      qn_executable_destroy(x);
    }
    qn_model_destroy(model);
  }
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_persists),
      cmocka_unit_test(executables_have_their_own),
      cmocka_unit_test(new_values_wait_for_old_ones),
      cmocka_unit_test(broken_states_are_reported),
      cmocka_unit_test(svdf_moves_its_state_in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
