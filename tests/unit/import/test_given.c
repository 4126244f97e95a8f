/* Inputs that the options replace by constants, and sizes of named dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/onnx_test.h"

/* y is x in the shape that the input "shape" has. */
static qn_onb *reshape(void) {
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,6");
  qn_onb_input(b, "shape", QN_ONB_INT64, "rank");
  qn_onb_node(b, "", "Reshape", "x,shape", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, NULL);
  return b;
}

static const int64_t three[] = {3}, shape[] = {3, 2, 2};

static const qn_constant_input good = {
    .name = "shape", .dtype = QN_DTYPE_I64, .rank = 1, .dims = three, .data = shape, .bytes = 24};

static void expect_given(const qn_constant_input *given, qn_status status, const char *message) {
  qn_onb *b = reshape();
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17),
              &(qn_import_options){.constants = given, .constant_count = 1});
  if (run.status != status) fprintf(stderr, "%s", run.messages.data ? run.messages.data : "");
  assert_int_equal(run.status, status);
  if (message) assert_true(has_message(&run, message));
  if (run.module) {
    const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
    assert_valid(&run);
    assert_int_equal(type->function.input_count, 1);
    assert_int_equal(type->function.results[0]->shaped.rank, 3);
    assert_int_equal(type->function.results[0]->shaped.dims[0], 3);
  }
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_constants(void **state) {
  (void)state;
  qn_constant_input given = good;
  expect_given(&given, QN_OK, NULL);
  given.dtype = QN_DTYPE_I32;
  expect_given(&given, QN_INVALID, "its constant is int32, the input int64");
  given = good;
  given.bytes = 16;
  expect_given(&given, QN_INVALID, "its constant has 16 bytes");
  given = good;
  given.rank = 0;
  expect_given(&given, QN_INVALID, "its constant has another shape than the input");
  given = good;
  given.name = "sizes";
  expect_given(&given, QN_NOT_FOUND, "the model has no input 'sizes'");
  given = good;
  given.dims = (const int64_t[]){-3};
  expect_given(&given, QN_INVALID, "its constant has another shape than the input");
  given.name = "x"; /* its shape is known */
  given.dtype = QN_DTYPE_F32;
  given.rank = 2;
  given.dims = (const int64_t[]){2, 5};
  expect_given(&given, QN_INVALID, "its constant has another shape than the input");
}

/* The same for .tflite. If the only input is replaced by a constant, no operators remain. */
static void test_tflite(void **state) {
  (void)state;
  static const int64_t dims[] = {4};
  static const float data[] = {1, -2, 3, -4};
  const qn_constant_input given = {
      .name = "x", .dtype = QN_DTYPE_F32, .rank = 1, .dims = dims, .data = data, .bytes = 16};
  qn_tfb *b = qn_tfb_create();
  qn_tfb_tensor t = {.type = QN_TFB_FLOAT32, .name = "x", .shape = QN_TFB_SHAPE(4)};
  int32_t x = qn_tfb_any(b, &t);
  t.name = "y";
  int32_t y = qn_tfb_any(b, &t);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b),
               &(qn_import_options){.constants = &given, .constant_count = 1});
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_op *constant = nth_op(&run, QN_OP_ML_CONST, 0);
  assert_non_null(constant);
  assert_int_equal(qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type->function.input_count,
                   0);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void expect_dimensions(const qn_named_dimension *named, uint32_t count, int64_t batch,
                              const int64_t wanted[3], const char *message) {
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "N,M,2");
  qn_onb_input(b, "w", QN_ONB_FLOAT, "N,M,2");
  qn_onb_node(b, "", "Add", "x,w", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "N,M,2");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17),
              &(qn_import_options){.dimensions = named, .dimension_count = count, .batch = batch});
  assert_int_equal(run.status, message ? QN_NOT_FOUND : QN_OK);
  if (message) assert_true(has_message(&run, message));
  if (run.module) {
    const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
    assert_valid(&run);
    for (uint32_t i = 0; i < 2; i++)
      assert_memory_equal(type->function.inputs[i]->shaped.dims, wanted, 3 * sizeof *wanted);
  }
  import_end(&run);
  qn_onb_destroy(b);
}

static void test_dimensions(void **state) {
  (void)state;
  const qn_named_dimension named[] = {{"N", 3}, {"M", 5}, {"K", 7}};
  expect_dimensions(NULL, 0, 0, (const int64_t[]){1, 1, 2}, NULL);
  expect_dimensions(named, 1, 0, (const int64_t[]){3, 1, 2}, NULL);
  expect_dimensions(named, 2, 0, (const int64_t[]){3, 5, 2}, NULL);
  expect_dimensions(named + 1, 1, 4, (const int64_t[]){4, 5, 2}, NULL);
  expect_dimensions(named, 3, 0, NULL, "the model has no input with an unknown dimension 'K'");
}

/* A named dimension is fixed by the options, and each call sets the size of the other one. */
static void test_any_size(void **state) {
  (void)state;
  const qn_named_dimension named = {"M", 5};
  qn_onb *b = qn_onb_create();
  qn_onb_input(b, "x", QN_ONB_FLOAT, "N,M");
  qn_onb_node(b, "", "Relu", "x", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "N,M");
  import_run run;
  import_onnx(&run, qn_onb_finish(b, 8, 17),
              &(qn_import_options){
                  .dimensions = &named, .dimension_count = 1, .batch = 8, .any_size = true});
  if (run.status != QN_OK) fprintf(stderr, "%s", run.messages.data ? run.messages.data : "");
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  import_end(&run);
  qn_onb_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants), cmocka_unit_test(test_tflite),
      cmocka_unit_test(test_dimensions), cmocka_unit_test(test_any_size)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
