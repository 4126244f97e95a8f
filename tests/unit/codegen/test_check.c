/* Modules that code generation rejects: all errors are reported in one run, with their locations,
 * before LLVM is used.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

static void expect_refusal(const char *globals, const char *body, const char *said) {
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, 64, 64, 1, globals, body);
  qn_codegen_options options = fixture_options(&f, "x86-64");
  qn_text out = {0};
  fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &out), QN_UNSUPPORTED);
  assert_int_equal(out.size, 0);
  if (!strstr(f.messages.data, said)) fail_msg("'%s' is not in: %s", said, f.messages.data);
  assert_non_null(strstr(f.messages.data, "test.mlir:"));
  qn_text_deinit(&out);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

#define CONSTANT(name, value, type)                                                                \
  "%" name " = \"arith.constant\"() <{value = " value " : " type "}> : () -> " type "\n"

static void ops_without_machine_code(void **state) {
  static const struct {
    const char *body, *said;
  } cases[] = {
      {CONSTANT("x", "1.0", "f64") "%y = \"math.fma\"(%x, %x, %x) : (f64, f64, f64) -> f64\n",
       "needs fused multiply-add"},
      {CONSTANT("x", "1", "i65") "%y = \"arith.addi\"(%x, %x) : (i65, i65) -> i65\n",
       "type without machine code"},
      {CONSTANT("x", "1.0", "f80") "%y = \"arith.addf\"(%x, %x) : (f80, f80) -> f80\n",
       "type without machine code"},
      {CONSTANT("x", "dense<1>", "vector<2x2xi32>"), "type without machine code"},
      {CONSTANT("x", "dense<1>", "vector<1025xi8>"), "type without machine code"},
      {CONSTANT("x", "dense<1>", "tensor<4xi8>"), "type without machine code"},
      {"\"func.call\"(%lo, %hi) <{callee = @void}> : (index, index) -> ()\n",
       "started by quern.launch"},
      {"\"quern.launch\"(%in, %out, %c0) {kernel = @k} : (memref<64xi8>, memref<64xi8>, index) -> "
       "()\n",
       "outside of the body of @main"},
  };
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++)
    expect_refusal("\"func.func\"() <{function_type = (index, index) -> (), sym_name = \"void\", "
                   "sym_visibility = \"private\"}> ({\n^bb0(%l: index, %h: index):\n"
                   "\"func.return\"() : () -> ()\n}) : () -> ()\n",
                   cases[i].body, cases[i].said);
}

static void writable_globals(void **state) {
  static const char load[] = "%g = \"memref.get_global\"() <{name = @g}> : () -> memref<4xi8>\n";
  static const char store[] =
      "%g = \"memref.get_global\"() <{name = @g}> : () -> memref<4xi8>\n" CONSTANT(
          "x", "1", "i8") "%v = \"memref.view\"(%g, %c0) : (memref<4xi8>, index) -> memref<4xi8>\n"
                          "%w = \"memref.view\"(%v, %c0) : (memref<4xi8>, index) -> memref<4xi8>\n"
                          "\"memref.store\"(%x, %w, %c0) : (i8, memref<4xi8>, index) -> ()\n";
  (void)state;
  expect_refusal(
      "\"memref.global\"() <{sym_name = \"g\", type = memref<4xi8>, initial_value = dense<1> : "
      "tensor<4xi8>}> : () -> ()\n",
      load, "no writable globals");
  expect_refusal(
      "\"memref.global\"() <{sym_name = \"g\", type = memref<4xi8>, constant}> : () -> ()\n", load,
      "no writable globals");
  expect_refusal(
      "\"memref.global\"() <{sym_name = \"g\", type = memref<4xi8>, initial_value = dense<1> : "
      "tensor<4xi8>, constant}> : () -> ()\n",
      store, "writes to a constant");
}

/* Ops for which microcontrollers have no instructions, and index constants beyond their range. */
static void levels_of_32_bits(void **state) {
  static const struct {
    const char *body, *said; /* NULL: no error */
  } cases[] = {
      {CONSTANT("x", "1073741823", "index"), NULL},
      {CONSTANT("x", "1073741824", "index"), "an index of the level cortex-m3 goes to 1073741823"},
      {CONSTANT("x", "dense<[0, -1073741824]>", "vector<2xindex>"), "is -1073741824: an index of"},
      {CONSTANT("x", "1.0", "f32"), NULL},
      {CONSTANT("x", "1.0", "f32") "%y = \"arith.addf\"(%x, %x) : (f32, f32) -> f32\n",
       "computes with f32, for which level cortex-m3 has no instructions"},
      {CONSTANT("x", "1", "i32") "%y = \"arith.sitofp\"(%x) : (i32) -> f64\n", "computes with f64"},
      {CONSTANT("x", "1", "i32") "%y = \"arith.sitofp\"(%x) : (i32) -> f16\n", "computes with f64"},
      {CONSTANT("x", "2", "i64") "%y = \"arith.divsi\"(%x, %x) : (i64, i64) -> i64\n",
       "computes with quotients of 64 bits"},
      {CONSTANT("x", "2", "i32") "%y = \"arith.divsi\"(%x, %x) : (i32, i32) -> i32\n", NULL},
      {"%v = \"memref.view\"(%in, %c0) : (memref<64xi8>, index) -> memref<8xindex>\n",
       "has an index in memory"},
  };
  (void)state;
  const qn_target *level = qn_target_find(qn_str_of("cortex-m3"));
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    fixture f;
    fixture_init(&f);
    qn_module *module = fixture_kernel(&f, 64, 64, 1, "", cases[i].body);
    qn_codegen_options options = fixture_options(&f, level->name);
    qn_text out = {0};
    qn_status status = fixture_emit(module, &options, QN_EMIT_LLVM, &out);
    fixture_expect(&f, status, QN_UNSUPPORTED);
    assert_non_null(strstr(f.messages.data, "has loops for an index of 64 bits: lower it for the "
                                            "level cortex-m3, which has 32"));
    fixture_set_index(module, level);
    qn_text_clear(&f.messages);
    status = fixture_emit(module, &options, QN_EMIT_LLVM, &out);
    fixture_expect(&f, status, cases[i].said ? QN_UNSUPPORTED : QN_OK);
    if (cases[i].said) assert_non_null(strstr(f.messages.data, cases[i].said));
    qn_text_deinit(&out);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

/* All errors of a module are reported, not only the first. */
static void all_errors_in_one_run(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_kernel(
      &f, 64, 64, 1, "",
      CONSTANT("x", "1.0", "f64") "%y = \"math.fma\"(%x, %x, %x) : (f64, f64, f64) -> "
                                  "f64\n" CONSTANT("a", "1", "i65") "%z = \"math.fma\"(%y, %x, %x) "
                                                                    ": (f64, f64, f64) -> f64\n");
  qn_codegen_options options = fixture_options(&f, "x86-64");
  qn_text out = {0};
  fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_LLVM, &out), QN_UNSUPPORTED);
  assert_int_equal(f.cx.diag.errors, 3);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* ---- the interface of @main ---- */

static const char interface_format[] = "\"builtin.module\"() ({\n"
                                       "\"func.func\"() <{%s function_type = (memref<8xi8>, "
                                       "memref<8xi8>) -> (), sym_name = \"main\"}> ({\n"
                                       "^bb0(%%in: memref<8xi8>, %%out: memref<8xi8>):\n"
                                       "\"func.return\"() : () -> ()\n}) : () -> ()\n"
                                       "}) {%s} : () -> ()\n";
#define TENSOR(role, dtype, shape)                                                                 \
  "{quern.role = \"" role "\", quern.dtype = \"" dtype "\", quern.shape = array<i64: " shape ">}"
#define GOOD "arg_attrs = [" TENSOR("input", "i8", "8") ", " TENSOR("output", "i8", "8") "],"
#define PLACE(role, offset)                                                                        \
  "{quern.role = \"" role                                                                          \
  "\", quern.dtype = \"i8\", quern.shape = array<i64: 8>, quern.offset = " offset " : i64}"
#define PLACED(in, out) "arg_attrs = [" PLACE("input", in) ", " PLACE("output", out) "],"
#define ARENA "quern.arena_bytes = 0 : i64"

static void broken_interfaces(void **state) {
  static const struct {
    const char *attrs, *module, *said;
  } cases[] = {
      {GOOD, ARENA, NULL},
      {GOOD, "", "quern.arena_bytes is missing"},
      {GOOD, "quern.arena_bytes = -5 : i64", "quern.arena_bytes is missing or negative"},
      {"", ARENA, "argument 1 of @main: attribute quern.role is missing"},
      {"arg_attrs = [" TENSOR("input", "i8", "8") ", " TENSOR("result", "i8", "8") "],", ARENA,
       "is not one of"},
      {"arg_attrs = [" TENSOR("input", "i8", "9") ", " TENSOR("output", "i8", "8") "],", ARENA,
       "do not make up"},
      {"arg_attrs = [" TENSOR("input", "i16", "8") ", " TENSOR("output", "i8", "8") "],", ARENA,
       "do not make up"},
      {"arg_attrs = [" TENSOR("input", "i4", "8") ", " TENSOR("output", "i8", "8") "],", ARENA,
       "quern.dtype is not the name of an element type"},
      {"arg_attrs = [" TENSOR(
           "input", "i8",
           "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8") ", " TENSOR("output", "i8",
                                                                            "8") "],",
       ARENA, "rank is larger"},
      {"arg_attrs = [{quern.role = \"arena\"}, {quern.role = \"arena\"}],",
       "quern.arena_bytes = 64 : i64", "a second arena"},
      {"arg_attrs = [" TENSOR("input", "i8", "8") ", {quern.role = \"arena\"}],",
       "quern.arena_bytes = 4 : i64", "larger than quern.arena_bytes"},
      {PLACED("0", "8"), "quern.arena_bytes = 64 : i64",
       "argument 1 of @main: attribute quern.offset is not aligned"},
      {PLACED("0", "64"), "quern.arena_bytes = 64 : i64", "or not inside of the arena"},
      {PLACED("-64", "0"), "quern.arena_bytes = 64 : i64", "or not inside of the arena"},
      {PLACED("64", "0"), "quern.arena_bytes = 128 : i64", NULL},
      {GOOD,
       ARENA
       ", quern.probes = [{index = 0 : i64, offset = 8 : i64, bytes = 1 : i64, output = -1 : i64}]",
       "neither in the arena nor in an output"},
      {GOOD,
       ARENA
       ", quern.probes = [{index = 0 : i64, offset = -1 : i64, bytes = 8 : i64, output = 1 : i64}]",
       "neither in the arena nor in an output"},
  };
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    fixture f;
    fixture_init(&f);
    qn_text text = {0}, out = {0}, header = {0};
    qn_text_format(&text, interface_format, cases[i].attrs, cases[i].module);
    qn_module *module = fixture_parse(&f, text.data);
    qn_codegen_options options = fixture_options(&f, "x86-64");
    qn_status want = cases[i].said ? QN_INVALID : QN_OK;
    fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &out), want);
    if (cases[i].said && !strstr(f.messages.data, cases[i].said))
      fail_msg("'%s' is not in: %s", cases[i].said, f.messages.data);
    fixture_expect(&f, qn_codegen_header(module, &options, &header), want);
    qn_text_deinit(&text);
    qn_text_deinit(&out);
    qn_text_deinit(&header);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

static void symbols_must_be_c_identifiers(void **state) {
  static const char *const names[] = {"", "1net", "my-net", "net model", "n\"", "*/"};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(names); i++) {
    fixture f;
    fixture_init(&f);
    qn_text out = {0}, header = {0};
    qn_module *module = fixture_kernel(&f, 64, 64, 1, "", "");
    qn_codegen_options options = fixture_options(&f, "x86-64");
    options.symbol = qn_str_of(names[i]);
    fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &out), QN_INVALID);
    fixture_expect(&f, qn_codegen_header(module, &options, &header), QN_INVALID);
    assert_non_null(strstr(f.messages.data, "C identifier"));
    assert_int_equal(header.size, 0);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ops_without_machine_code), cmocka_unit_test(writable_globals),
      cmocka_unit_test(all_errors_in_one_run),    cmocka_unit_test(levels_of_32_bits),
      cmocka_unit_test(broken_interfaces),        cmocka_unit_test(symbols_must_be_c_identifiers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
