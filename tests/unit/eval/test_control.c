/* The interpreter: branches, assertions, calls, and functions as values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text_function.h"

static const char fibonacci[] =
    "func.func @main(%n: index) -> index {\n"
    "  %0 = arith.constant 0 : index\n  %1 = arith.constant 1 : index\n"
    "  cf.br ^head(%0, %0, %1 : index, index, index)\n"
    "^head(%i: index, %a: index, %b: index):\n"
    "  %more = arith.cmpi slt, %i, %n : index\n"
    "  cf.cond_br %more, ^body, ^end(%a : index)\n"
    "^body:\n  %j = arith.addi %i, %1 : index\n  %c = arith.addi %a, %b : index\n"
    "  cf.br ^head(%j, %b, %c : index, index, index)\n"
    "^end(%r: index):\n  return %r : index\n}\n";

static void branches_carry_arguments(void **state) {
  fixture *f = *state;
  load(f, fibonacci);
  add_int(f, "index", 10);
  assert_int_equal(run(f), QN_OK);
  assert_int_equal(f->results[0].i, 55);
  f->args[0].i = INT64_MAX;
  f->max_steps = 1000;
  expect_failure(f, QN_LIMIT, "interpreter stopped after 1000 operations");
}

static void arguments_swap_at_once(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%x: tensor<?xi8>, %y: tensor<?xi8>, %c: i1) -> (tensor<?xi8>, "
          "tensor<?xi8>) {\n"
          "  %false = arith.constant false\n"
          "  cf.br ^loop(%x, %y, %c : tensor<?xi8>, tensor<?xi8>, i1)\n"
          "^loop(%a: tensor<?xi8>, %b: tensor<?xi8>, %again: i1):\n"
          "  cf.cond_br %again, ^loop(%b, %a, %false : tensor<?xi8>, tensor<?xi8>, i1), ^end\n"
          "^end:\n  return %a, %b : tensor<?xi8>, tensor<?xi8>\n}\n");
  DATA(f, "tensor<1xi8>", int8_t, 7);
  DATA(f, "tensor<3xi8>", int8_t, 1, 2, 3);
  add_int(f, "i1", 1);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, int8_t, 1, 2, 3);
  EXPECT(f, 1, int8_t, 7);
}

/* Per iteration of the outer loop: a, b = a + b, 3 * (a + b), where the sum has two readers and the
 * product one; and an inner loop doubles c twice. */
static const char carried[] =
    "func.func @main(%a: vector<2xi32>, %b: vector<2xi32>, %c: vector<2xi32>) -> (vector<2xi32>, "
    "vector<2xi32>, vector<2xi32>) {\n"
    "  %0 = arith.constant 0 : index\n  %1 = arith.constant 1 : index\n"
    "  %2 = arith.constant 2 : index\n  %k = arith.constant dense<3> : vector<2xi32>\n"
    "  %r:3 = scf.for %i = %0 to %2 step %1 iter_args(%x = %a, %y = %b, %z = %c) -> "
    "(vector<2xi32>, vector<2xi32>, vector<2xi32>) {\n"
    "    %s = arith.addi %x, %y : vector<2xi32>\n    %p = arith.muli %s, %k : vector<2xi32>\n"
    "    %n = scf.for %j = %0 to %2 step %1 iter_args(%w = %z) -> (vector<2xi32>) {\n"
    "      %d = arith.addi %w, %w : vector<2xi32>\n"
    "      scf.yield %d : vector<2xi32>\n    }\n"
    "    scf.yield %s, %p, %n : vector<2xi32>, vector<2xi32>, vector<2xi32>\n  }\n"
    "  return %r#0, %r#1, %r#2 : vector<2xi32>, vector<2xi32>, vector<2xi32>\n}\n";

static void loops_carry_vectors(void **state) {
  fixture *f = *state;
  load(f, carried);
  for (int again = 0; again < 2; again++) {
    f->arg_count = 0;
    DATA(f, "vector<2xi32>", int32_t, 1, -1);
    DATA(f, "vector<2xi32>", int32_t, 2, 5);
    DATA(f, "vector<2xi32>", int32_t, 7, 0);
    assert_int_equal(run(f), QN_OK);
    EXPECT(f, 0, int32_t, 12, 16);
    EXPECT(f, 1, int32_t, 36, 48);
    EXPECT(f, 2, int32_t, 112, 0);
    const int32_t kept[] = {1, -1}; /* the caller's */
    assert_memory_equal(f->args[0].data, kept, sizeof kept);
  }
}

static void assertions_name_what_failed(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%c: i1) {\n  cf.assert %c, \"sizes agree\"\n  return\n}\n");
  add_int(f, "i1", 1);
  assert_int_equal(run(f), QN_OK);
  f->args[0].i = 0;
  expect_failure(f, QN_INVALID, "'cf.assert' op failed: sizes agree");
}

static void functions_are_values(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%x: i32, %c: i1) -> i32 {\n"
          "  %f = constant @twice : (i32) -> i32\n  %g = constant @next : (i32) -> i32\n"
          "  cf.cond_br %c, ^call(%f : (i32) -> i32), ^call(%g : (i32) -> i32)\n"
          "^call(%h: (i32) -> i32):\n"
          "  %0 = call_indirect %h(%x) : (i32) -> i32\n  return %0 : i32\n}\n"
          "func.func private @twice(%x: i32) -> i32 {\n"
          "  %0 = arith.addi %x, %x : i32\n  return %0 : i32\n}\n"
          "func.func private @next(%x: i32) -> i32 {\n"
          "  %1 = arith.constant 1 : i32\n  %0 = arith.addi %x, %1 : i32\n  return %0 : i32\n}\n");
  add_int(f, "i32", 20);
  add_int(f, "i1", 1);
  assert_int_equal(run(f), QN_OK);
  assert_int_equal(f->results[0].i, 40);
  f->args[1].i = 0;
  assert_int_equal(run(f), QN_OK);
  assert_int_equal(f->results[0].i, 21);
}

static void long_chains_of_calls_are_refused(void **state) {
  fixture *f = *state;
  qn_text text = {0};
  qn_text_puts(&text, "func.func @main() { call @f0() : () -> () return }\n");
  for (int i = 0; i < 5000; i++)
    qn_text_format(&text, "func.func private @f%d() { call @f%d() : () -> () return }\n", i, i + 1);
  qn_text_puts(&text, "func.func private @f5000() { return }\n");
  load(f, text.data);
  qn_text_deinit(&text);
  expect_failure(f, QN_LIMIT, "regions and calls are nested more than 1024 deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(branches_carry_arguments), TEST(arguments_swap_at_once),
      TEST(loops_carry_vectors),      TEST(assertions_name_what_failed),
      TEST(functions_are_values),     TEST(long_chains_of_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
