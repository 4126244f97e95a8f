/* C output: hostile names, constants that are not finite, states, what is rejected.
 *
 * The ops are compared with the interpreter by test_ops and test_control with QN_TEST_C in their
 * environment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

enum { BYTES = 16 };

/* Text that could end a comment or a literal, begin a trigraph or splice lines. */
#define HOSTILE "*/ int x; /* // \\\" ?\?/ \\0A#error \\C3\\A9 %s"

/* Kernels and constants whose names are keywords, no identifiers, equal once they are, or that
 * nothing reads. */
static const char names[] =
    "\"builtin.module\"() ({\n"
    "\"memref.global\"() <{sym_name = \"int\", type = memref<4xi32>, initial_value = "
    "dense<[1, -2147483648, 3, 4]> : tensor<4xi32>, constant, sym_visibility = \"private\"}> : () "
    "-> ()\n"
    "\"memref.global\"() <{sym_name = \"a.b\", type = memref<1xi32>, initial_value = dense<5> : "
    "tensor<1xi32>, constant, sym_visibility = \"private\"}> : () -> ()\n"
    "\"memref.global\"() <{sym_name = \"call\", type = memref<1xi32>, initial_value = dense<6> : "
    "tensor<1xi32>, constant, sym_visibility = \"private\"}> : () -> ()\n"
    "\"memref.global\"() <{sym_name = \"a_b\", type = memref<1xi32>, initial_value = dense<7> : "
    "tensor<1xi32>, constant, sym_visibility = \"private\"}> : () -> ()\n"
    "\"func.func\"() <{function_type = (memref<16xi8>, memref<4xi32>, memref<1xi32>, "
    "memref<16xi8>, index, index) -> (), sym_name = \"" HOSTILE
    "\", sym_visibility = \"private\", quern.layers = [\"" HOSTILE "\"]}> ({\n"
    "^bb0(%in: memref<16xi8>, %t: memref<4xi32>, %u: memref<1xi32>, %out: memref<16xi8>, %lo: "
    "index, %hi: index):\n"
    "  %c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
    "  %c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
    "  %p = \"memref.view\"(%in, %c0) : (memref<16xi8>, index) -> memref<4xi32>\n"
    "  %q = \"memref.view\"(%out, %c0) : (memref<16xi8>, index) -> memref<4xi32>\n"
    "  %k = \"memref.load\"(%u, %c0) : (memref<1xi32>, index) -> i32\n"
    "  \"scf.for\"(%lo, %hi, %c1) ({\n  ^bb0(%i: index):\n"
    "    %x = \"memref.load\"(%p, %i) : (memref<4xi32>, index) -> i32\n"
    "    %y = \"memref.load\"(%t, %i) : (memref<4xi32>, index) -> i32\n"
    "    %z = \"arith.addi\"(%x, %y) : (i32, i32) -> i32\n"
    "    %w = \"arith.addi\"(%z, %k) : (i32, i32) -> i32\n"
    "    \"memref.store\"(%w, %q, %i) : (i32, memref<4xi32>, index) -> ()\n"
    "    \"scf.yield\"() : () -> ()\n  }) : (index, index, index) -> ()\n"
    "  \"func.return\"() : () -> ()\n}) : () -> ()\n"
    "\"func.func\"() <{arg_attrs = [{quern.role = \"input\", quern.name = \"" HOSTILE
    "\", quern.dtype = \"i8\", quern.shape = array<i64: 16>}, {quern.role = \"output\", "
    "quern.name = \"" HOSTILE "\", quern.dtype = \"i8\", quern.shape = array<i64: 16>}], "
    "function_type = (memref<16xi8>, memref<16xi8>) -> (), sym_name = \"main\"}> ({\n"
    "^bb0(%in: memref<16xi8>, %out: memref<16xi8>):\n"
    "  %n = \"arith.constant\"() <{value = 4 : index}> : () -> index\n"
    "  %t = \"memref.get_global\"() <{name = @int}> : () -> memref<4xi32>\n"
    "  %u = \"memref.get_global\"() <{name = @a.b}> : () -> memref<1xi32>\n"
    "  %v = \"memref.get_global\"() <{name = @call}> : () -> memref<1xi32>\n"
    "  \"quern.launch\"(%in, %t, %u, %out, %n) {kernel = @\"" HOSTILE "\", quern.name = \"" HOSTILE
    "\", quern.shapes = \"" HOSTILE "\"} : (memref<16xi8>, memref<4xi32>, memref<1xi32>, "
    "memref<16xi8>, index) -> ()\n"
    "  \"quern.launch\"(%out, %t, %v, %out, %n) {kernel = @\"" HOSTILE "\"} : (memref<16xi8>, "
    "memref<4xi32>, memref<1xi32>, memref<16xi8>, index) -> ()\n"
    "  \"func.return\"() : () -> ()\n}) : () -> ()\n"
    "}) {quern.arena_bytes = 0 : i64, quern.numerics = \"litert-ref\"} : () -> ()\n";

static void names_are_no_code(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_parse(&f, names);
  qn_codegen_options options = fixture_options(&f, "generic");
  const int32_t in[4] = {10, INT32_MAX, -3, 0};
  int32_t got[4];
  qn_text c = {0};
  fixture_expect(&f, qn_codegen_c(module, &options, &c), QN_OK);
  fixture_run_c(qn_text_view(&c), "cc -O0", (const uint8_t *)in, (uint8_t *)got);
  /* Two launches add the table twice, wrapping, and 5 and 6. */
  assert_int_equal(got[0], 10 + 1 + 1 + 11);
  assert_int_equal(got[1], (int32_t)((uint32_t)INT32_MAX + 11u));
  assert_int_equal(got[2], -3 + 3 + 3 + 11);
  assert_int_equal(got[3], 4 + 4 + 11);
  qn_text_deinit(&c);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* A symbol with which exported names could be those of kernels. */
static void symbols_are_apart(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_parse(&f, names);
  qn_codegen_options options = fixture_options(&f, "generic");
  options.symbol = qn_str_of("data");
  qn_text c = {0};
  fixture_expect(&f, qn_codegen_c(module, &options, &c), QN_OK);
  assert_non_null(strstr(c.data, "CONSTANT(16) int32_t data_call_2[1]"));
  qn_text_deinit(&c);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* Floats as bit patterns, and a loop that exchanges two values, whose assignments are as if at
 * once.
 */
static void bits_and_loops_are_exact(void **state) {
  (void)state;
  static const char body[] =
      "%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
      "%c3 = \"arith.constant\"() <{value = 3 : index}> : () -> index\n"
      "%q = \"memref.view\"(%out, %c0) : (memref<16xi8>, index) -> memref<4xf32>\n"
      "%inf = \"arith.constant\"() <{value = 0xFF800000 : f32}> : () -> f32\n"
      "%low = \"arith.constant\"() <{value = 0x00000001 : f32}> : () -> f32\n"
      "%zero = \"arith.constant\"() <{value = -0.0 : f32}> : () -> f32\n"
      "%r:2 = \"scf.for\"(%c0, %c3, %c1, %inf, %low) ({\n"
      "^bb0(%i: index, %a: f32, %b: f32):\n"
      "  \"scf.yield\"(%b, %a) : (f32, f32) -> ()\n"
      "}) : (index, index, index, f32, f32) -> (f32, f32)\n"
      "\"memref.store\"(%r#0, %q, %c0) : (f32, memref<4xf32>, index) -> ()\n"
      "\"memref.store\"(%r#1, %q, %c1) : (f32, memref<4xf32>, index) -> ()\n"
      "\"memref.store\"(%zero, %q, %c3) : (f32, memref<4xf32>, index) -> ()\n";
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, BYTES, BYTES, 1, "", body);
  const uint8_t in[BYTES] = {0};
  uint8_t want[BYTES] = {0};
  fixture_eval(&f, module, in, want);
  fixture_check_c(&f, module, in, want, BYTES);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* Ops without C are all reported in one run, each where it is. */
static void rejects_what_has_no_c(void **state) {
  (void)state;
  static const struct {
    const char *body, *message;
  } rows[] = {
      {"%q = \"memref.view\"(%in, %c0) : (memref<16xi8>, index) -> memref<8xf16>\n"
       "%x = \"memref.load\"(%q, %c0) : (memref<8xf16>, index) -> f16\n",
       "test.mlir:5:"},
      {"%x = \"arith.constant\"() <{value = 1 : i5}> : () -> i5\n",
       "C has integers of 8, 16, 32 and 64 bits"},
      {"%x = \"arith.constant\"() <{value = true}> : () -> i1\n"
       "%y = \"arith.addi\"(%x, %x) : (i1, i1) -> i1\n",
       "'arith.addi' has no C code for operands of one bit"},
      {"%x = \"arith.constant\"() <{value = 1.0 : f32}> : () -> f32\n"
       "%y = \"math.fma\"(%x, %x, %x) : (f32, f32, f32) -> f32\n",
       "'math.fma' has no C code: compile to an object"},
  };
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    fixture f;
    fixture_init(&f);
    qn_module *module = fixture_kernel(&f, BYTES, BYTES, 1, "", rows[i].body);
    qn_codegen_options options = fixture_options(&f, "generic");
    qn_text c = {0};
    fixture_expect(&f, qn_codegen_c(module, &options, &c), QN_UNSUPPORTED);
    if (!strstr(f.messages.data, rows[i].message)) fail_msg("%s", f.messages.data);
    assert_int_equal(c.size, 0);
    qn_text_deinit(&c);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_no_code),
      cmocka_unit_test(symbols_are_apart),
      cmocka_unit_test(bits_and_loops_are_exact),
      cmocka_unit_test(rejects_what_has_no_c),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
