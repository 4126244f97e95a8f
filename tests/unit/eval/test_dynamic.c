/* The interpreter: shapes that are known at run time only, and structured ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text_function.h"

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

/* As in the lowering of a quantized cast: a tensor is flattened, computed with, and reshaped back.
 */
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
                 "'tensor.cast' op result #0 has type 'tensor<3x2xi8>', which is not a "
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

/* ---- quantized tensors ---- */

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
  expect_failure(f, QN_INVALID,
                 "'quant.qcast' op quantized dimension size does not match number of scales");
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

int main(void) {
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
