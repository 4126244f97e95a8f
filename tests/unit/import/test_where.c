/* WHERE, which needs a constant operand, and zero points of weights that the kernels ignore.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

enum { WHERE = 109, TRANSPOSE_CONV = 67, BOOL = 6 };

/* A model with WHERE of a constant or, if x has no data, of an input. The result is the output of
 * the model. */
static qn_tfb *where_model(qn_tfb_tensor x) {
  qn_tfb *b = qn_tfb_create();
  x.name = "x";
  int32_t in = qn_tfb_any(b, &x);
  int32_t y = qn_tfb_any(b, &(qn_tfb_tensor){.name = "y", .type = QN_TFB_INT64});
  qn_tfb_op(b, WHERE, 1, QN_TFB_LIST(in), QN_TFB_LIST(y), qn_tfb_no_options());
  if (x.size)
    qn_tfb_interface(b, QN_TFB_EMPTY, QN_TFB_LIST(y));
  else
    qn_tfb_interface(b, QN_TFB_LIST(in), QN_TFB_LIST(y));
  return b;
}

static void expect_places(const qn_tfb_tensor *x, const int64_t *places, uint32_t count) {
  import_run run;
  qn_tfb *b = where_model(*x);
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_op *op = qn_op_body(import_main(&run))->first;
  assert_int_equal(op->kind, QN_OP_ML_CONST);
  const qn_type *type = op->results[0].type;
  assert_int_equal(type->shaped.rank, 2);
  assert_int_equal(type->shaped.dims[0], count);
  assert_int_equal(type->shaped.dims[1], x->shape.count);
  const qn_attr *value = qn_op_attr(op, "value");
  size_t size = (size_t)count * x->shape.count * sizeof *places;
  if (size > 0) assert_memory_equal(value->dense.bytes.data, places, size);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_where(void **state) {
  (void)state;
  static const uint8_t flags[6] = {0, 1, 0, 0, 0, 1}, none[6] = {0};
  static const float reals[3] = {-0.0f, 0x1p-149f, 0.0f};
  static const int64_t wholes[2] = {0, INT64_MIN};
  const qn_tfb_tensor
      bits = {.type = BOOL, .shape = QN_TFB_SHAPE(2, 3), .data = flags, .size = 6},
      no_bits = {.type = BOOL, .shape = QN_TFB_SHAPE(2, 3), .data = none, .size = 6},
      numbers = {.type = 0, .shape = QN_TFB_SHAPE(3), .data = reals, .size = sizeof reals},
      wide = {
          .type = QN_TFB_INT64, .shape = QN_TFB_SHAPE(2), .data = wholes, .size = sizeof wholes};
  expect_places(&bits, (int64_t[]){0, 1, 1, 2}, 2);
  expect_places(&no_bits, NULL, 0);
  expect_places(&numbers, (int64_t[]){1}, 1);
  expect_places(&wide, (int64_t[]){1}, 1);
  qn_tfb_tensor x = {.type = BOOL, .shape = QN_TFB_SHAPE(2, 3)};
  expect_import(where_model(x), QN_UNSUPPORTED,
                "operator 0 (WHERE), tensor 'x': error: how many of its elements hold is known at "
                "run time alone");
  x.type = QN_TFB_INT16;
  expect_import(where_model(x), QN_UNSUPPORTED, "int16 is not supported here");
  x = (qn_tfb_tensor){.type = BOOL, .shape = QN_TFB_EMPTY, .data = flags, .size = 1};
  expect_import(where_model(x), QN_INVALID, "a scalar has no places");
  x = (qn_tfb_tensor){.type = BOOL, .shape = QN_TFB_SHAPE(7), .data = flags, .size = 6};
  expect_import(where_model(x), QN_INVALID, "its buffer has 6 bytes, its shape and type say 7");
}

/* The result of WHERE is 32 times as large as its constant. It must not be rejected like files in
 * which many operators use one large constant. */
static void test_large_mask(void **state) {
  (void)state;
  enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE * SIDE, RANK = 4 };
  static uint8_t flags[COUNT];
  static int64_t places[COUNT * RANK];
  memset(flags, 1, sizeof flags);
  for (int64_t i = 0; i < COUNT; i++)
    for (int64_t d = 0, rest = i; d < RANK; d++, rest /= SIDE)
      places[i * RANK + RANK - 1 - d] = rest % SIDE;
  const qn_tfb_tensor mask = {
      .type = BOOL, .shape = QN_TFB_SHAPE(SIDE, SIDE, SIDE, SIDE), .data = flags, .size = COUNT};
  expect_places(&mask, places, COUNT);
}

/* No profile's kernels of transposed convolutions subtract the zero points of int8 weights. */
static void test_transposed_weights(void **state) {
  (void)state;
  static const int8_t taps[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const int32_t sizes[4] = {1, 4, 4, 2};
  const float scale = 0.5f;
  qn_tfb *b = qn_tfb_create();
  int32_t s = qn_tfb_const_i32(b, "s", QN_TFB_SHAPE(4), sizes),
          w = qn_tfb_const_q8(b, "w", QN_TFB_INT8, QN_TFB_SHAPE(2, 2, 2, 1), taps, &scale, 1, 5, 0),
          x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 2, 2, 1), 0.5f, 0),
          y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 2), 0.5f, 0);
  const qn_tfb_options options = {.type = 49, .count = 2, .fields = {{1, 4, 2}, {2, 4, 2}}};
  qn_tfb_op(b, TRANSPOSE_CONV, 1, QN_TFB_LIST(s, w, x), QN_TFB_LIST(y), options);
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  expect_import(b, QN_OK, "warning: zero points of int8 weights other than 0 are ignored");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_where),
                                     cmocka_unit_test(test_large_mask),
                                     cmocka_unit_test(test_transposed_weights)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
