/* Unknown dimensions: they become 1 or the batch of the options, and operators propagate them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

/* conv -> reshape to [fixed, 8] -> linear, all with an unknown first dimension. `fixed` may be -1.
 */
static void build(qn_tfb *b, int32_t fixed) {
  static const int8_t zeros[64] = {0};
  float scale = 0.5f;
  int64_t zero = 0;
  qn_tfb_tensor t = {.type = QN_TFB_INT8,
                     .scales = &scale,
                     .scale_count = 1,
                     .zero_points = &zero,
                     .zero_point_count = 1};
  t.name = "x", t.shape = QN_TFB_SHAPE(1, 4, 4, 2), t.signature = QN_TFB_SHAPE(-1, 4, 4, 2);
  int32_t x = qn_tfb_any(b, &t);
  int32_t w =
      qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 2, 2, 2), zeros, &scale, 1, 0, 0);
  t.name = "c", t.shape = QN_TFB_SHAPE(1, 2, 2, 2), t.signature = QN_TFB_SHAPE(-1, 2, 2, 2);
  int32_t c = qn_tfb_any(b, &t);
  int32_t target = qn_tfb_const_i32(b, "target", QN_TFB_SHAPE(2), (int32_t[]){fixed, 8});
  t.name = "r", t.shape = QN_TFB_SHAPE(1, 8), t.signature = QN_TFB_SHAPE(-1, 8);
  int32_t r = qn_tfb_any(b, &t);
  int32_t v = qn_tfb_const_q8(b, "v", QN_TFB_INT8, QN_TFB_SHAPE(3, 8), zeros, &scale, 1, 0, 0);
  t.name = "y", t.shape = QN_TFB_SHAPE(1, 3), t.signature = QN_TFB_SHAPE(-1, 3);
  int32_t y = qn_tfb_any(b, &t);
  qn_tfb_op(b, QN_TFB_CONV_2D, 1, QN_TFB_LIST(x, w), QN_TFB_LIST(c),
            qn_tfb_conv_options(QN_TFB_VALID, 2, 2, QN_TFB_NONE, 1, 1));
  qn_tfb_op(b, QN_TFB_RESHAPE, 1, QN_TFB_LIST(c, target), QN_TFB_LIST(r), qn_tfb_no_options());
  qn_tfb_op(b, QN_TFB_FULLY_CONNECTED, 4, QN_TFB_LIST(r, v), QN_TFB_LIST(y),
            qn_tfb_fully_connected_options(QN_TFB_NONE, false));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
}

static void check_batch(int64_t option, int64_t batch) {
  qn_tfb *b = qn_tfb_create();
  build(b, -1);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = option});
  assert_int_equal(run.status, QN_OK);
  assert_int_equal(run.messages.size, 0);
  assert_valid(&run);
  const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
  assert_int_equal(type->function.inputs[0]->shaped.dims[0], batch);
  assert_int_equal(type->function.results[0]->shaped.dims[0], batch);
  assert_int_equal(nth_op(&run, QN_OP_ML_CONV, 0)->results[0].type->shaped.dims[0], batch);
  assert_int_equal(nth_op(&run, QN_OP_ML_RESHAPE, 0)->results[0].type->shaped.dims[0], batch);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_batches(void **state) {
  (void)state;
  check_batch(0, 1);
  check_batch(1, 1);
  check_batch(5, 5);
}

/* A reshape to a fixed batch is an error for another batch. */
static void test_fixed_reshape(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  build(b, 1);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 3});
  assert_int_equal(run.status, QN_INVALID);
  assert_true(has_message(
      &run, "operator 1 (RESHAPE), tensor 'c': error: 24 elements do not fit the shape [1, 8], "
            "which the file fixes for its own batch size"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* Stored shapes are hints: a wrong one causes a warning, and the computed one is used. */
static void test_stale_shape(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(3, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  expect_import(b, QN_OK,
                "operator 0 (RELU), tensor 'y': warning: its stored shape is [3, 3], computed and "
                "used is [2, 3]");
}

/* A batch for a model without unknown dimensions is ignored with a warning. */
static void test_ignored_batch(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 4});
  assert_int_equal(run.status, QN_OK);
  assert_true(has_message(
      &run, "warning: no dimension of the inputs is unknown: the batch of 4 is ignored"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* The same model with rebatch: the target of the reshape follows the batch. */
static void test_rebatch(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  build(b, 1);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 3, .rebatch = true});
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
  assert_int_equal(type->function.inputs[0]->shaped.dims[0], 3);
  assert_int_equal(type->function.results[0]->shaped.dims[0], 3);
  import_end(&run);
  qn_tfb_destroy(b);
}

/* So does the stated shape of a transposed convolution. */
static void test_transposed(void **state) {
  (void)state;
  enum { TRANSPOSE_CONV = 67 };
  static const int8_t taps[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const int32_t sizes[4] = {1, 4, 4, 2};
  const float scale = 0.5f;
  qn_tfb *b = qn_tfb_create();
  int32_t s = qn_tfb_const_i32(b, "s", QN_TFB_SHAPE(4), sizes),
          w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 2, 2, 1), taps, &scale, 1, 0, 0),
          x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 2, 2, 1), 0.5f, 0),
          y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), 0.5f, 0);
  const qn_tfb_options options = {.type = 49, .count = 2, .fields = {{1, 4, 2}, {2, 4, 2}}};
  qn_tfb_op(b, TRANSPOSE_CONV, 1, QN_TFB_LIST(s, w, x), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 3, .rebatch = true});
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
  assert_int_equal(type->function.results[0]->shaped.dims[0], 3);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void expect_mixed(qn_tfb *b, const char *message) {
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 2, .rebatch = true});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, message));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* If an operator combines entries of a batch, the batch can't be changed. */
static void test_entries_stay_apart(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 3), 0.5f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2, 3), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_CONCATENATION, 1, QN_TFB_LIST(x, x), QN_TFB_LIST(y),
            qn_tfb_concat_options(0));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  expect_mixed(b, "operator 0 (CONCATENATION): error: it works across the entries of a batch, "
                  "which is 1 in the file");
  b = qn_tfb_create();
  x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 3), 0.5f, 0);
  y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(4, 1, 3), 0.5f, 0);
  int32_t order = qn_tfb_const_i32(b, "order", QN_TFB_SHAPE(3), (int32_t[]){1, 0, 2});
  qn_tfb_op(b, QN_TFB_TRANSPOSE, 1, QN_TFB_LIST(x, order), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  expect_mixed(b, "operator 0 (TRANSPOSE), tensor 'y': error: it does not keep the entries");
}

enum { PACK = 83 };

/* RESHAPE of x to [size], then PACK of a constant with `constant` elements and that. */
static qn_tfb *build_pack(int32_t size, int32_t constant) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, size), 0.5f, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(size), 0.5f, 0);
  int32_t z = qn_tfb_q8(b, "z", QN_TFB_INT8, QN_TFB_SHAPE(2, size), 0.5f, 0);
  static const int8_t zeros[8] = {0};
  float scale = 0.5f;
  int32_t c = qn_tfb_const_q8(b, "c", QN_TFB_INT8, QN_TFB_SHAPE(constant), zeros, &scale, 1, 0, 0);
  int32_t target = qn_tfb_const_i32(b, "target", QN_TFB_SHAPE(1), (int32_t[]){-1});
  qn_tfb_op(b, QN_TFB_RESHAPE, 1, QN_TFB_LIST(x, target), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_op(b, PACK, 1, QN_TFB_LIST(c, y), QN_TFB_LIST(z), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(z));
  return b;
}

/* A file that is valid with its own batch is not reported as malformed if another batch does not
 * fit. */
static void test_what_fits_one_batch_only(void **state) {
  (void)state;
  import_run run;
  qn_tfb *b = build_pack(1, 1);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 2, .rebatch = true});
  assert_int_equal(run.status, QN_UNSUPPORTED);
  assert_true(has_message(&run, "operator 1 (PACK), tensor 'y': error: it has shape [2], the "
                                "first operand [1]"));
  assert_true(has_message(&run, "m.tflite: error: the operators named allow no batch but that of "
                                "the file: 2 entries take several calls"));
  import_end(&run);
  qn_tfb_destroy(b);
  b = build_pack(1, 1);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = INT32_MAX, .rebatch = true});
  assert_int_equal(run.status, QN_LIMIT);
  assert_true(has_message(&run, "tensor 'x': error: a tensor of shape [2147483647, 1] is larger"));
  assert_false(has_message(&run, "allow no batch"));
  import_end(&run);
  qn_tfb_destroy(b);
  b = build_pack(1, 2);
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.batch = 3, .rebatch = true});
  assert_int_equal(run.status, QN_INVALID);
  assert_false(has_message(&run, "batch"));
  import_end(&run);
  qn_tfb_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_fixed_reshape),
      cmocka_unit_test(test_stale_shape),
      cmocka_unit_test(test_ignored_batch),
      cmocka_unit_test(test_rebatch),
      cmocka_unit_test(test_transposed),
      cmocka_unit_test(test_entries_stay_apart),
      cmocka_unit_test(test_what_fits_one_batch_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
