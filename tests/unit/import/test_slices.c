/* STRIDED_SLICE with a shrunk dimension: the index that is taken. For positive strides, the indices
 * were recorded from ai-edge-litert 2.3.0 with the reference resolver, with a model of one operator
 * per row. If the index is out of range, that runtime reads another element or none, and for
 * negative strides it writes nothing. We report an error for the former, and for the latter apply
 * our own rule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/unit/import/import_test.h"

typedef struct row {
  int32_t begin, end, stride, begin_mask;
  int64_t index; /* of 4 elements; -1: an error */
} row;

static const row rows[] = {
    {2, 3, 1, 0, 2},  {2, 3, 1, 1, 0},  {-1, 0, 1, 0, 3},   {-1, 0, 1, 1, 0},   {3, 4, 2, 0, 3},
    {3, 4, 2, 1, 0},  {9, 10, 1, 1, 0}, {-9, -8, 1, 1, 0},  {4, 5, 1, 0, -1},   {-5, -4, 1, 0, -1},
    {2, 1, -1, 0, 2}, {1, 0, -1, 1, 3}, {-2, -3, -2, 1, 3}, {-2, -3, -2, 0, 2},
};

static void import_row(import_run *run, qn_tfb *b, const row *r) {
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(4, 2), 0.5f, 0);
  int32_t begin = qn_tfb_const_i32(b, "begin", QN_TFB_SHAPE(2), (int32_t[]){r->begin, 0});
  int32_t end = qn_tfb_const_i32(b, "end", QN_TFB_SHAPE(2), (int32_t[]){r->end, 2});
  int32_t stride = qn_tfb_const_i32(b, "stride", QN_TFB_SHAPE(2), (int32_t[]){r->stride, 1});
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_STRIDED_SLICE, 1, QN_TFB_LIST(x, begin, end, stride), QN_TFB_LIST(y),
            qn_tfb_slice_options(r->begin_mask, 0, 0, 0, 1));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_bytes(run, qn_tfb_finish(b), NULL);
}

static void test_dropped_dimensions(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    import_run run;
    qn_tfb *b = qn_tfb_create();
    import_row(&run, b, &rows[i]);
    assert_int_equal(run.status, rows[i].index < 0 ? QN_INVALID : QN_OK);
    if (run.status == QN_OK) {
      assert_valid(&run);
      qn_i64s from = qn_op_begin(nth_op(&run, QN_OP_ML_SLICE_BY_INDEX, 0));
      assert_int_equal(from.data[0], rows[i].index);
      assert_int_equal(has_message(&run, "the reference kernel writes nothing"),
                       rows[i].stride < 0);
    }
    import_end(&run);
    qn_tfb_destroy(b);
  }
}

/* Padding values that are floats: integers and finite reals become attributes. An
 * infinite border is chosen by another op after padding with zeros. */
static void test_borders(void **state) {
  (void)state;
  static const struct {
    float border;
    bool whole, real;
  } cases[] = {{2.0f, true, false},
               {0.25f, false, true},
               {-0.0f, false, true},
               {0x1p40f, false, true},
               {INFINITY, false, false}};
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_tfb *b = qn_tfb_create();
    int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(3)), y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(6));
    int32_t amounts = qn_tfb_const_i32(b, "amounts", QN_TFB_SHAPE(1, 2), (const int32_t[]){2, 1});
    int32_t border = qn_tfb_any(b, &(qn_tfb_tensor){.name = "border",
                                                    .shape = QN_TFB_SHAPE(1),
                                                    .data = &cases[i].border,
                                                    .size = sizeof cases[i].border});
    qn_tfb_op(b, QN_TFB_PADV2, 1, QN_TFB_LIST(x, amounts, border), QN_TFB_LIST(y),
              qn_tfb_no_options());
    qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
    import_run run;
    import_bytes(&run, qn_tfb_finish(b), NULL);
    assert_int_equal(run.status, QN_OK);
    assert_valid(&run);
    const qn_op *pad = nth_op(&run, QN_OP_ML_PAD, 0);
    bool has_attribute = cases[i].whole || cases[i].real;
    assert_int_equal(qn_op_find(pad, QN_A_PAD_VALUE) != NULL, cases[i].whole);
    assert_int_equal(qn_op_find(pad, QN_A_PAD_REAL) != NULL, cases[i].real);
    if (has_attribute) assert_true(qn_pad_border_real(pad) == (double)cases[i].border);
    if (cases[i].border == 0) assert_true(signbit(qn_pad_border_real(pad)) != 0);
    import_end(&run);
    qn_tfb_destroy(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dropped_dimensions),
                                     cmocka_unit_test(test_borders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
