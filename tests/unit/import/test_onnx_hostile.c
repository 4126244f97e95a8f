/* Hostile .onnx files that other tests of the importer do not have: sizes that grow, work that is
 * repeated, garbage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/onnx_test.h"

static void ints(qn_onb *b, const char *name, const char *dims, const int64_t *values,
                 uint32_t count) {
  qn_onb_tensor(b, name, QN_ONB_INT64, dims, values, count * sizeof *values);
}

/* Every byte after the model is read as a field. */
static void test_garbage(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t size;
    const char *message;
  } cases[] = {{"\x0b", 1, "a field has a wire type that there is not"},
               {"\x3a\xff\x01", 3, "a length reaches beyond the end"},
               {"\0\0", 2, "a field has an impossible number"}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_onb *b = small_model();
    qn_onb_node(b, "", "Relu", "x", "y");
    qn_text file = {0};
    qn_bytes model = qn_onb_finish(b, 8, 17);
    qn_text_put(&file, (qn_str){(const char *)model.data, model.size});
    qn_text_put(&file, (qn_str){cases[i].bytes, cases[i].size});
    expect_onnx_bytes((qn_bytes){(const uint8_t *)file.data, file.size}, QN_INVALID,
                      cases[i].message);
    qn_text_deinit(&file);
    qn_onb_destroy(b);
  }
}

/* Constants of constants: each step multiplies the elements. */
static void test_growth(void **state) {
  (void)state;
  static const int64_t large[] = {1000000000}, wide[] = {30000, 30000}, many[] = {10, 10};
  qn_onb *b = small_model();
  ints(b, "large", "1", large, 1);
  qn_onb_node(b, "", "ConstantOfShape", "large", "y");
  expect_onnx(b, QN_LIMIT, "the import would cost too much");
  b = small_model();
  ints(b, "wide", "2", wide, 2);
  ints(b, "many", "2", many, 2);
  qn_onb_node(b, "", "ConstantOfShape", "many", "a");
  qn_onb_node(b, "", "Tile", "a,wide", "y");
  expect_onnx(b, QN_LIMIT, "larger than the limit");
  b = small_model();
  ints(b, "wide", "2", wide, 2);
  qn_onb_node(b, "", "Expand", "x,wide", "y");
  expect_onnx(b, QN_INVALID, "shapes [1, 4] and [30000, 30000] cannot be broadcast");
}

/* Numbers of ten bytes each, which are as many as the shape says, or one more. */
static void test_long_numbers(void **state) {
  (void)state;
  static const uint8_t minus_one[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  for (uint32_t count = 1; count <= 3; count++) {
    qn_onb *b = small_model();
    qn_text tensor = {0}, packed = {0};
    for (uint32_t i = 0; i < count; i++)
      qn_text_put(&packed, (qn_str){(const char *)minus_one, sizeof minus_one});
    qn_onb_put_int(&tensor, 1, 2);
    qn_onb_put_int(&tensor, 2, QN_ONB_INT64);
    qn_onb_put_bytes(&tensor, 7, packed.data, packed.size);
    qn_onb_put_string(&tensor, 8, "n");
    qn_onb_put_message(&b->graph, 5, &tensor);
    qn_onb_node(b, "", "Gather", "x,n", "z");
    qn_onb_attr_int(b, "axis", 1);
    qn_onb_node(b, "", "Relu", "z", "y");
    if (count == 2)
      expect_onnx(b, QN_OK, NULL);
    else
      expect_onnx(b, QN_INVALID,
                  count == 1 ? "it has 1 numbers of data, its shape and type say 2"
                             : "it has 3 numbers of data, its shape and type say 2");
    qn_text_deinit(&tensor);
    qn_text_deinit(&packed);
  }
}

/* Tensors without elements. */
static void test_nothing(void **state) {
  (void)state;
  static const int64_t parts[] = {0, 4}, none[] = {0};
  qn_onb *b = small_model();
  ints(b, "parts", "2", parts, 2);
  qn_onb_node(b, "", "Split", "x,parts", "a,c");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Concat", "a,c,a", "y");
  qn_onb_attr_int(b, "axis", 1);
  expect_onnx(b, QN_OK, NULL);
  b = small_model();
  ints(b, "none", "1", none, 1);
  qn_onb_node(b, "", "ConstantOfShape", "none", "a");
  qn_onb_node(b, "", "Concat", "a,a", "y");
  qn_onb_attr_int(b, "axis", 0);
  expect_onnx(b, QN_OK, NULL);
  b = small_model();
  ints(b, "parts", "2", parts, 2);
  qn_onb_node(b, "", "Split", "x,parts", "a,c");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "MaxPool", "a", "y");
  qn_onb_attr_ints(b, "kernel_shape", "1");
  expect_onnx(b, QN_UNSUPPORTED, "a tensor without elements is not supported here");
}

/* One large constant that many nodes read transposed. */
static void test_shared_constant(void **state) {
  (void)state;
  enum { SIZE = 512, NODES = 200 };
  static uint8_t weights[SIZE * SIZE];
  static const float scale = 0.5F;
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,512");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "512,512", weights, sizeof weights);
  for (int i = 0; i < NODES; i++) {
    char name[16], other[16], real[16];
    snprintf(name, sizeof name, "y%d", i);
    snprintf(other, sizeof other, "s%d", i);
    snprintf(real, sizeof real, "w,s%d", i);
    qn_onb_tensor(b, other, QN_ONB_FLOAT, "", &scale, sizeof scale);
    snprintf(other, sizeof other, "w%d", i);
    qn_onb_node(b, "", "DequantizeLinear", real, other);
    snprintf(real, sizeof real, "x,w%d", i);
    qn_onb_node(b, "", "MatMul", real, name);
    qn_onb_output(b, name, QN_ONB_FLOAT, "1,512");
  }
  expect_onnx(b, QN_LIMIT, "operators share large constants so often");
}

/* A loop whose body reads hundreds of tensors, for all iterations that there may be. */
static void test_capturing_loop(void **state) {
  (void)state;
  enum { TENSORS = 200 };
  static const int64_t most[] = {4000};
  qn_onb *b = small_model(), *body = qn_onb_create();
  qn_onb_tensor(b, "n", QN_ONB_INT64, "", most, sizeof most);
  qn_onb_input(body, "i", QN_ONB_INT64, "");
  qn_onb_input(body, "go", QN_ONB_BOOL, "");
  qn_onb_input(body, "s0", QN_ONB_FLOAT, "1,4");
  for (int i = 0; i < TENSORS; i++) {
    char name[16], operands[32], sum[16];
    snprintf(name, sizeof name, "t%d", i);
    qn_onb_node(b, "", "Neg", "x", name);
    snprintf(operands, sizeof operands, "s%d,t%d", i, i);
    snprintf(sum, sizeof sum, "s%d", i + 1);
    qn_onb_node(body, "", "Add", operands, sum);
  }
  qn_onb_output(body, "go", QN_ONB_BOOL, "");
  qn_onb_output(body, "s200", QN_ONB_FLOAT, "1,4");
  qn_onb_node(b, "", "Loop", "n,,x", "y");
  qn_onb_attr_graph(b, "body", body);
  expect_onnx(b, QN_LIMIT, "the bodies of loops and branches have more than 65536 tensors in all");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_garbage),         cmocka_unit_test(test_growth),
      cmocka_unit_test(test_long_numbers),    cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_shared_constant), cmocka_unit_test(test_capturing_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
