/* The interpreter on shapes that only the run tells, branches, functions as values, structured ops
 * and narrow floats: functions written as text, results as numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/verify/verify.h"
#include "text/text.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  qn_arena arena;
  char message[512]; /* of the last diagnostic */
  qn_rt_value args[4], results[4];
  uint32_t arg_count;
  int64_t max_steps;
} fixture;

static void note(void *user, const qn_diag *diag) {
  fixture *f = user;
  snprintf(f->message, sizeof f->message, "%.*s", QN_STR_ARG(diag->text));
}

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = note;
  f->cx.diag.user = f;
  f->cx.print_type = qn_text_print_type;
  qn_arena_init(&f->arena);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_module_destroy(f->module);
  qn_arena_deinit(&f->arena);
  qn_ir_context_deinit(&f->cx);
  free(f);
  return 0;
}

/* The function @main of the text is what `run` calls. */
static void load(fixture *f, const char *text) {
  qn_module_destroy(f->module);
  f->module = NULL;
  f->arg_count = 0;
  qn_status status = qn_text_parse(&f->cx, qn_str_of(text), qn_str_of("test"), &f->module);
  if (status == QN_OK) status = qn_verify(f->module);
  if (status != QN_OK) fail_msg("%s", f->message);
}

static qn_status run(fixture *f) {
  qn_eval_options options = {.max_steps = f->max_steps};
  f->message[0] = '\0';
  return qn_eval_call(f->module, qn_module_main(f->module), f->args, f->arg_count, f->results,
                      &f->arena, &options);
}

static qn_rt_value *add_arg(fixture *f, const char *type) {
  qn_rt_value *arg = &f->args[f->arg_count++];
  *arg = (qn_rt_value){.type = NULL};
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of(type), &arg->type), QN_OK);
  return arg;
}

static void add_data(fixture *f, const char *type, const void *data, size_t size) {
  qn_rt_value *arg = add_arg(f, type);
  arg->data = qn_arena_copy(&f->arena, data, size);
  arg->size = (int64_t)size;
}
#define DATA(f, type, T, ...)                                                                      \
  add_data(f, type, (const T[]){__VA_ARGS__}, sizeof((const T[]){__VA_ARGS__}))

static void add_int(fixture *f, const char *type, int64_t value) {
  add_arg(f, type)->i = value;
}

static void expect_type(fixture *f, uint32_t result, const char *text) {
  const qn_type *type;
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of(text), &type), QN_OK);
  assert_ptr_equal(f->results[result].type, type);
}

static void expect_bytes(const fixture *f, uint32_t result, const void *data, size_t size) {
  assert_int_equal(f->results[result].size, size);
  assert_memory_equal(f->results[result].data, data, size);
}
#define EXPECT(f, result, T, ...)                                                                  \
  expect_bytes(f, result, (const T[]){__VA_ARGS__}, sizeof((const T[]){__VA_ARGS__}))

static void expect_failure(fixture *f, qn_status status, const char *message) {
  assert_int_equal(run(f), status);
  assert_string_equal(f->message, message);
}

/* ---- tensors ---- */

static void elementwise_ops_take_the_shape_of_their_operands(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xi16> {\n"
          "  %0 = arith.addf %a, %b : tensor<?x2xf32>\n"
          "  %1 = arith.fptosi %0 : tensor<?x2xf32> to tensor<?x2xi16>\n"
          "  return %1 : tensor<?x2xi16>\n}\n");
  DATA(f, "tensor<2x2xf32>", float, 1, 2, 3, 4);
  DATA(f, "tensor<2x2xf32>", float, 10, 20, 30, 40);
  assert_int_equal(run(f), QN_OK);
  expect_type(f, 0, "tensor<2x2xi16>");
  EXPECT(f, 0, int16_t, 11, 22, 33, 44);
  f->arg_count = 1;
  DATA(f, "tensor<1x2xf32>", float, 10, 20);
  expect_failure(f, QN_INVALID,
                 "'arith.addf' op operands have the types 'tensor<2x2xf32>' and "
                 "'tensor<1x2xf32>'");
}

static void arguments_must_fit_the_function(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?x2xf32>) { return }\n");
  DATA(f, "tensor<2x1xf32>", float, 1, 2);
  expect_failure(f, QN_INVALID,
                 "'func.func' op takes 'tensor<?x2xf32>' as argument #0, got 'tensor<2x1xf32>'");
}

/* What the lowering of a quantized cast does: flatten, compute, restore. */
static void unranked_tensors_are_reshaped_and_back(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<*xf32>) -> (tensor<*xf32>, index, index) {\n"
          "  %s = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>\n"
          "  %n = shape.num_elements %s : tensor<?xindex> -> index\n"
          "  %l = tensor.from_elements %n : tensor<1xindex>\n"
          "  %flat = tensor.reshape %a(%l) : (tensor<*xf32>, tensor<1xindex>) -> tensor<?xf32>\n"
          "  %0 = arith.constant 0 : index\n"
          "  %d = tensor.dim %flat, %0 : tensor<?xf32>\n"
          "  %c = arith.constant 2.0 : f32\n"
          "  %t = tensor.splat %c[%d] : tensor<?xf32>\n"
          "  %m = arith.mulf %flat, %t : tensor<?xf32>\n"
          "  %r = tensor.reshape %m(%s) : (tensor<?xf32>, tensor<?xindex>) -> tensor<*xf32>\n"
          "  %k = tensor.rank %r : tensor<*xf32>\n"
          "  return %r, %n, %k : tensor<*xf32>, index, index\n}\n");
  DATA(f, "tensor<1x3x2xf32>", float, 1, 2, 3, 4, 5, 6);
  assert_int_equal(run(f), QN_OK);
  expect_type(f, 0, "tensor<1x3x2xf32>");
  EXPECT(f, 0, float, 2, 4, 6, 8, 10, 12);
  assert_int_equal(f->results[1].i, 6);
  assert_int_equal(f->results[2].i, 3);
  f->arg_count = 0;
  DATA(f, "tensor<f32>", float, 5);
  assert_int_equal(run(f), QN_OK);
  expect_type(f, 0, "tensor<f32>");
  EXPECT(f, 0, float, 10);
  f->arg_count = 0;
  add_data(f, "tensor<4x0xf32>", "", 0);
  assert_int_equal(run(f), QN_OK);
  expect_type(f, 0, "tensor<4x0xf32>");
}

static void casts_and_reshapes_check_the_shape(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<*xi8>) -> tensor<2x?xi8> {\n"
          "  %0 = tensor.cast %a : tensor<*xi8> to tensor<2x?xi8>\n"
          "  return %0 : tensor<2x?xi8>\n}\n");
  DATA(f, "tensor<2x3xi8>", int8_t, 1, 2, 3, 4, 5, 6);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, int8_t, 1, 2, 3, 4, 5, 6);
  f->arg_count = 0;
  DATA(f, "tensor<3x2xi8>", int8_t, 1, 2, 3, 4, 5, 6);
  expect_failure(f, QN_INVALID,
                 "'tensor.cast' op result #0 has type 'tensor<3x2xi8>', which is no "
                 "'tensor<2x?xi8>'");
  load(f, "func.func @main(%a: tensor<?xi8>, %n: index) -> tensor<?x2xi8> {\n"
          "  %2 = arith.constant 2 : index\n"
          "  %s = tensor.from_elements %n, %2 : tensor<2xindex>\n"
          "  %0 = tensor.reshape %a(%s) : (tensor<?xi8>, tensor<2xindex>) -> tensor<?x2xi8>\n"
          "  return %0 : tensor<?x2xi8>\n}\n");
  DATA(f, "tensor<4xi8>", int8_t, 1, 2, 3, 4);
  add_int(f, "index", 3);
  expect_failure(f, QN_INVALID, "'tensor.reshape' op makes 6 elements of 4");
  f->args[1].i = -1;
  expect_failure(f, QN_INVALID, "'tensor.reshape' op has the size -1");
  f->args[1].i = INT64_C(1) << 40;
  expect_failure(f, QN_LIMIT, "'tensor.reshape' op result #0 has more than 2147483647 bytes");
}

static void shapes_are_split_and_multiplied(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<*xi8>, %i: index) -> (tensor<?xindex>, tensor<?xindex>, "
          "index) {\n"
          "  %s = shape.shape_of %a : tensor<*xi8> -> tensor<?xindex>\n"
          "  %p:2 = \"shape.split_at\"(%s, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, "
          "tensor<?xindex>)\n"
          "  %n = shape.num_elements %p#1 : tensor<?xindex> -> index\n"
          "  return %p#0, %p#1, %n : tensor<?xindex>, tensor<?xindex>, index\n}\n");
  DATA(f, "tensor<1x2x3xi8>", int8_t, 1, 2, 3, 4, 5, 6);
  add_int(f, "index", 1);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, int64_t, 1);
  EXPECT(f, 1, int64_t, 2, 3);
  assert_int_equal(f->results[2].i, 6);
  f->args[1].i = -1;
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, int64_t, 1, 2);
  assert_int_equal(f->results[2].i, 3);
  f->args[1].i = 3;
  assert_int_equal(run(f), QN_OK);
  assert_int_equal(f->results[2].i, 1);
  f->args[1].i = 4;
  expect_failure(f, QN_INVALID, "'shape.split_at' op splits a shape of rank 3 at 4");
}

static void positions_are_checked(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?x3xi16>, %i: index, %j: index) -> (i16, index) {\n"
          "  %0 = tensor.extract %a[%i, %j] : tensor<?x3xi16>\n"
          "  %1 = tensor.dim %a, %j : tensor<?x3xi16>\n"
          "  return %0, %1 : i16, index\n}\n");
  DATA(f, "tensor<2x3xi16>", int16_t, 1, 2, 3, 4, -5, 6);
  add_int(f, "index", 1);
  add_int(f, "index", 1);
  assert_int_equal(run(f), QN_OK);
  assert_int_equal(f->results[0].i, -5);
  assert_int_equal(f->results[1].i, 3);
  f->args[2].i = 2;
  expect_failure(f, QN_INVALID, "'tensor.dim' op asks for dimension 2 of 2");
  f->args[1].i = 2;
  expect_failure(f, QN_INVALID,
                 "'tensor.extract' op reads index 2 of dimension 0, whose size is 2");
}

static void memory_for_dynamic_shapes_is_limited(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%n: index, %x: i8) {\n"
          "  %0 = tensor.splat %x[%n, %n] : tensor<?x?xi8>\n  return\n}\n");
  add_int(f, "index", INT64_C(1) << 40);
  add_int(f, "i8", 1);
  expect_failure(f, QN_LIMIT, "'tensor.splat' op result #0 has more than 2147483647 bytes");
  f->args[0].i = -3;
  expect_failure(f, QN_INVALID, "'tensor.splat' op has the size -3");
}

/* ---- quantized ---- */

static void storage_casts_read_the_same_bits(void **state) {
  fixture *f = *state;
  load(
      f,
      "!q = !quant.uniform<u4:f32, 0.5:8>\n"
      "func.func @main(%a: tensor<*xi4>, %x: i8) -> (tensor<*x!q>, !quant.uniform<u8:f32, 2.0>) {\n"
      "  %0 = quant.scast %a : tensor<*xi4> to tensor<*x!q>\n"
      "  %1 = quant.scast %x : i8 to !quant.uniform<u8:f32, 2.0>\n"
      "  return %0, %1 : tensor<*x!q>, !quant.uniform<u8:f32, 2.0>\n}\n");
  DATA(f, "tensor<3xi4>", int8_t, -8, -1, 7);
  add_int(f, "i8", -56);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint8_t, 8, 15, 7);
  assert_int_equal(f->results[1].i, 200);
}

static void quantization_takes_dynamic_shapes(void **state) {
  fixture *f = *state;
  load(f, "!q = !quant.uniform<i8:f32:0, {0.5:1, 2.0}>\n"
          "func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
          "  %0 = quant.qcast %a : tensor<?x?xf32> to tensor<?x?x!q>\n"
          "  %1 = quant.dcast %0 : tensor<?x?x!q> to tensor<?x?xf32>\n"
          "  return %1 : tensor<?x?xf32>\n}\n");
  DATA(f, "tensor<2x2xf32>", float, 1.2f, -100.0f, 5.2f, 1000.0f);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, float, 1.0f, -64.5f, 6.0f, 254.0f);
  f->arg_count = 0;
  DATA(f, "tensor<1x2xf32>", float, 1, 2);
  expect_failure(f, QN_INVALID, "'quant.qcast' op has 2 scales along an axis of another size");
}

/* ---- linalg ---- */

static const char per_row[] =
    "#id = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0 floordiv 2)>\n"
    "func.func @main(%a: tensor<?x?xi32>, %s: tensor<?xi32>) -> tensor<?x?xi32> {\n"
    "  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", "
    "\"parallel\"]} ins(%a, %s : tensor<?x?xi32>, tensor<?xi32>) outs(%a : tensor<?x?xi32>) {\n"
    "  ^bb0(%x: i32, %y: i32, %z: i32):\n"
    "    %i = linalg.index 1 : index\n"
    "    %k = arith.index_cast %i : index to i32\n"
    "    %p = arith.muli %x, %y : i32\n"
    "    %q = arith.addi %p, %k : i32\n"
    "    linalg.yield %q : i32\n  } -> tensor<?x?xi32>\n"
    "  return %0 : tensor<?x?xi32>\n}\n";

static void generic_ops_follow_their_maps(void **state) {
  fixture *f = *state;
  load(f, per_row);
  DATA(f, "tensor<3x2xi32>", int32_t, 1, 2, 3, 4, 5, 6);
  DATA(f, "tensor<2xi32>", int32_t, 10, 100);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, int32_t, 10, 21, 30, 41, 500, 601);
  f->arg_count = 0;
  DATA(f, "tensor<5x1xi32>", int32_t, 1, 2, 3, 4, 5);
  DATA(f, "tensor<2xi32>", int32_t, 10, 100);
  expect_failure(f, QN_INVALID,
                 "'linalg.generic' op reads index 2 of dimension 0 of operand #1, whose "
                 "size is 2");
  f->arg_count = 0;
  add_data(f, "tensor<0x1xi32>", "", 0);
  DATA(f, "tensor<2xi32>", int32_t, 10, 100);
  assert_int_equal(run(f), QN_OK);
  expect_type(f, 0, "tensor<0x1xi32>");
}

static void generic_ops_reduce_and_check_sizes(void **state) {
  fixture *f = *state;
  load(f, "#id = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
          "func.func @main(%a: tensor<?x?xf32>, %s: tensor<?xf32>, %x: f32) -> tensor<?xf32> {\n"
          "  %0 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>, #row], "
          "iterator_types = [\"parallel\", \"reduction\"]} ins(%a, %x : tensor<?x?xf32>, f32) "
          "outs(%s : tensor<?xf32>) {\n"
          "  ^bb0(%in: f32, %k: f32, %out: f32):\n"
          "    %p = arith.mulf %in, %k : f32\n    %q = arith.addf %out, %p : f32\n"
          "    linalg.yield %q : f32\n  } -> tensor<?xf32>\n"
          "  return %0 : tensor<?xf32>\n}\n");
  DATA(f, "tensor<2x3xf32>", float, 1, 2, 3, 4, 5, 6);
  DATA(f, "tensor<2xf32>", float, 100, 200);
  add_arg(f, "f32")->f = 2;
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, float, 112, 230);
  f->arg_count = 1;
  DATA(f, "tensor<3xf32>", float, 1, 2, 3);
  add_arg(f, "f32")->f = 2;
  expect_failure(f, QN_INVALID,
                 "'linalg.generic' op operand #2 has 3 elements in dimension 0, but 2 are needed");
}

/* ---- control flow ---- */

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

/* ---- narrow floats ---- */

static void narrow_floats_round_once(void **state) {
  fixture *f = *state;
  load(
      f,
      "func.func @main(%a: tensor<?xf16>, %b: tensor<?xf16>, %c: tensor<?xf16>) -> (tensor<?xf16>, "
      "tensor<?xf16>) {\n"
      "  %0 = arith.addf %a, %b : tensor<?xf16>\n  %1 = math.fma %a, %b, %c : tensor<?xf16>\n"
      "  return %0, %1 : tensor<?xf16>, tensor<?xf16>\n}\n");
  /* 2048 + 1 ties to even, 2048 + 3 up; 65504 + 65504 is infinite; denormals add exactly. */
  DATA(f, "tensor<4xf16>", uint16_t, 0x6800, 0x6800, 0x7bff, 0x0001);
  DATA(f, "tensor<4xf16>", uint16_t, 0x3c00, 0x4200, 0x7bff, 0x0001);
  /* 2048 * 1 + 2^-24, 2048 * 3 + 0, 65504^2 - inf, denormal^2 + denormal. */
  DATA(f, "tensor<4xf16>", uint16_t, 0x0001, 0x0000, 0xfc00, 0x0001);
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint16_t, 0x6800, 0x6802, 0x7c00, 0x0002);
  EXPECT(f, 1, uint16_t, 0x6800, 0x6e00, 0xfc00, 0x0001);
}

/* An integer just beside the middle of two bf16 numbers is in the middle once it has become a
 * double. */
static void narrow_conversions_round_once(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%a: tensor<?xi64>, %x: f64) -> (tensor<?xbf16>, bf16, f32) {\n"
          "  %0 = arith.sitofp %a : tensor<?xi64> to tensor<?xbf16>\n"
          "  %1 = arith.truncf %x : f64 to bf16\n  %2 = arith.extf %1 : bf16 to f32\n"
          "  return %0, %1, %2 : tensor<?xbf16>, bf16, f32\n}\n");
  /* 2^62 + 2^54 is a tie; one more goes up; as does minus that, down. */
  int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 54);
  DATA(f, "tensor<4xi64>", int64_t, tie, tie + 1, -tie - 1, -1);
  add_arg(f, "f64")->f = 1.00390626;
  assert_int_equal(run(f), QN_OK);
  EXPECT(f, 0, uint16_t, 0x5e80, 0x5e81, 0xde81, 0xbf80);
  assert_true(f->results[1].f == 1.0078125);
  assert_true(f->results[2].f == 1.0078125);
}

/* f80 and f128 are carried as doubles, in elements of 16 bytes. */
static void wide_floats_are_moved(void **state) {
  fixture *f = *state;
  load(f, "func.func @main(%x: f80, %i: index) -> (tensor<?xf80>, f80) {\n"
          "  %0 = tensor.splat %x[%i] : tensor<?xf80>\n"
          "  %1 = tensor.from_elements %x : tensor<1xf80>\n"
          "  %c0 = arith.constant 0 : index\n"
          "  %2 = tensor.extract %1[%c0] : tensor<1xf80>\n"
          "  return %0, %2 : tensor<?xf80>, f80\n}\n");
  add_arg(f, "f80")->f = 1.5;
  add_int(f, "index", 2);
  assert_int_equal(run(f), QN_OK);
  assert_true(qn_rt_float(&f->results[0], 1) == 1.5);
  assert_true(f->results[1].f == 1.5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(elementwise_ops_take_the_shape_of_their_operands),
      TEST(arguments_must_fit_the_function),
      TEST(unranked_tensors_are_reshaped_and_back),
      TEST(casts_and_reshapes_check_the_shape),
      TEST(shapes_are_split_and_multiplied),
      TEST(positions_are_checked),
      TEST(memory_for_dynamic_shapes_is_limited),
      TEST(storage_casts_read_the_same_bits),
      TEST(quantization_takes_dynamic_shapes),
      TEST(generic_ops_follow_their_maps),
      TEST(generic_ops_reduce_and_check_sizes),
      TEST(branches_carry_arguments),
      TEST(arguments_swap_at_once),
      TEST(assertions_name_what_failed),
      TEST(functions_are_values),
      TEST(long_chains_of_calls_are_refused),
      TEST(narrow_floats_round_once),
      TEST(narrow_conversions_round_once),
      TEST(wide_floats_are_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
