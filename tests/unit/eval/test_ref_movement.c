/* Reference data movement, with results computed by hand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

static const int8_t six[] = {1, 2, 3, 4, 5, 6};

static qn_value *move(one_op *t, qn_op_kind kind, uint32_t rank, const int64_t *dims,
                      const qn_attr_arg *attrs) {
  const qn_type *q = one_op_quant(t, true, 1.0, -7);
  qn_value *operand = one_op_const(t, q, ONE_OP_SHAPE(2, 3), six);
  return qn_build_1(&t->b, kind, qn_type_tensor(&t->cx, q, rank, dims), &operand, 1, attrs);
}

static void test_views(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  one_op_expect(&t, move(&t, QN_OP_ML_RESHAPE, ONE_OP_SHAPE(6), NULL), six, 6);
  one_op_begin(&t, "tflm");
  one_op_expect(&t, move(&t, QN_OP_ML_EXPAND_DIMS, ONE_OP_SHAPE(1, 2, 3), NULL), six, 6);
  one_op_begin(&t, "tflm");
  one_op_expect(&t, move(&t, QN_OP_ML_SQUEEZE, ONE_OP_SHAPE(2, 3), NULL), six, 6);
  one_op_begin(&t, "tflm");
  one_op_expect_error(&t, move(&t, QN_OP_ML_RESHAPE, ONE_OP_SHAPE(7), NULL), "another size");
}

static void test_transpose(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y =
      move(&t, QN_OP_ML_TRANSPOSE, ONE_OP_SHAPE(3, 2), QN_ATTRS({"perm", ONE_OP_I64S(&t, 1, 0)}));
  one_op_expect(&t, y, (const int8_t[]){1, 4, 2, 5, 3, 6}, 6);
  one_op_begin(&t, "tflm");
  y = move(&t, QN_OP_ML_TRANSPOSE, ONE_OP_SHAPE(3, 2), QN_ATTRS({"perm", ONE_OP_I64S(&t, 1, 1)}));
  one_op_expect_error(&t, y, "permutation");
}

static void test_slice(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y = move(&t, QN_OP_ML_SLICE_BY_INDEX, ONE_OP_SHAPE(1, 2),
                     QN_ATTRS({"begin", ONE_OP_I64S(&t, 1, 2)}, {"end", ONE_OP_I64S(&t, 2, -1)},
                              {"stride", ONE_OP_I64S(&t, 1, -2)}));
  one_op_expect(&t, y, (const int8_t[]){6, 4}, 2);
  one_op_begin(&t, "tflm");
  y = move(&t, QN_OP_ML_SLICE_BY_INDEX, ONE_OP_SHAPE(2, 2),
           QN_ATTRS({"begin", ONE_OP_I64S(&t, 1, 0)}, {"end", ONE_OP_I64S(&t, 3, 2)},
                    {"stride", ONE_OP_I64S(&t, 1, 1)}));
  one_op_expect_error(&t, y, "dimension 0");
}

static void test_pad(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  qn_value *y =
      move(&t, QN_OP_ML_PAD, ONE_OP_SHAPE(3, 5), QN_ATTRS({"pad", ONE_OP_I64S(&t, 1, 0, 0, 2)}));
  one_op_expect(&t, y, (const int8_t[]){-7, -7, -7, -7, -7, 1, 2, 3, -7, -7, 4, 5, 6, -7, -7}, 15);
  one_op_begin(&t, "tflm");
  y = move(&t, QN_OP_ML_PAD, ONE_OP_SHAPE(2, 4),
           QN_ATTRS({"pad", ONE_OP_I64S(&t, 0, 0, 1, 0)}, {"value", one_op_i64(&t, 9)}));
  one_op_expect(&t, y, (const int8_t[]){9, 1, 2, 3, 9, 4, 5, 6}, 8);
  one_op_begin(&t, "tflm");
  y = move(&t, QN_OP_ML_PAD, ONE_OP_SHAPE(2, 5), QN_ATTRS({"pad", ONE_OP_I64S(&t, 0, 0, 1, 0)}));
  one_op_expect_error(&t, y, "dimension 1");
}

static void test_splat_constant(void **unused) {
  (void)unused;
  static const int16_t five = 5;
  one_op t;
  one_op_begin(&t, "tflm");
  const qn_type *type = qn_type_tensor(&t.cx, qn_type_i(&t.cx, 16), 1, (const int64_t[]){3});
  const qn_attr *value = qn_attr_dense(&t.cx, type, (qn_bytes){(const uint8_t *)&five, 2}, false);
  qn_value *y = qn_build_1(&t.b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  one_op_expect(&t, y, (const int16_t[]){5, 5, 5}, 6);
}

static void test_absurd_sizes(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "tflm");
  one_op_expect_error(&t, move(&t, QN_OP_ML_RESHAPE, ONE_OP_SHAPE(1 << 20, 1 << 20), NULL),
                      "2 GiB");
  one_op_begin(&t, "tflm");
  const int64_t dims[] = {0, INT64_C(1) << 62, 4};
  one_op_expect_error(&t, move(&t, QN_OP_ML_RESHAPE, 3, dims, NULL), "2 GiB");
}

static qn_value *concat(one_op *t, bool is_signed, double scale, int64_t axis, uint32_t rank,
                        const int64_t *dims) {
  static const uint8_t b[] = {10, 20};
  qn_value *operands[] = {
      one_op_const(t, one_op_quant(t, is_signed, 1.0, 0), ONE_OP_SHAPE(2, 3), six),
      one_op_const(t, one_op_quant(t, is_signed, scale, 0), ONE_OP_SHAPE(2, 1), b)};
  const qn_type *q = one_op_quant(t, is_signed, 1.0, 0);
  return qn_build_1(&t->b, QN_OP_ML_CONCAT, qn_type_tensor(&t->cx, q, rank, dims), operands, 2,
                    QN_ATTRS({"axis", one_op_i64(t, axis)}));
}

static void test_concat(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  one_op_expect(&t, concat(&t, true, 1.0, 1, ONE_OP_SHAPE(2, 4)),
                (const int8_t[]){1, 2, 3, 10, 4, 5, 6, 20}, 8);
  one_op_begin(&t, "litert-ref");
  one_op_expect(&t, concat(&t, false, 0.25, 1, ONE_OP_SHAPE(2, 4)),
                (const uint8_t[]){1, 2, 3, 3, 4, 5, 6, 5}, 8);
  one_op_begin(&t, "litert-ref");
  one_op_expect(&t, concat(&t, true, 0.25, 1, ONE_OP_SHAPE(2, 4)),
                (const int8_t[]){1, 2, 3, 3, 4, 5, 6, 5},
                8); /* in float: ties are rounded away from 0 */
  one_op_begin(&t, "litert-ref");
  one_op_expect_error(&t, concat(&t, true, 1.0, 0, ONE_OP_SHAPE(4, 3)), "outside of the axis");
  one_op_begin(&t, "litert-ref");
  one_op_expect_error(&t, concat(&t, true, 1.0, 1, ONE_OP_SHAPE(2, 5)), "fill the axis");
}

static void test_split(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *i8 = qn_type_i(&t.cx, 8);
  qn_value *x = one_op_const(&t, i8, ONE_OP_SHAPE(2, 3), six);
  const qn_type *types[] = {qn_type_tensor(&t.cx, i8, 2, (const int64_t[]){2, 1}),
                            qn_type_tensor(&t.cx, i8, 2, (const int64_t[]){2, 2})};
  const qn_named_attr axis = {qn_str_of("axis"), one_op_i64(&t, 1)};
  qn_op *op = qn_build(&t.b, (qn_op_state){.kind = QN_OP_ML_SPLIT,
                                           .operands = &x,
                                           .operand_count = 1,
                                           .result_types = types,
                                           .result_count = 2,
                                           .attrs = &axis,
                                           .attr_count = 1});
  qn_value *results[] = {qn_op_result(op, 0), qn_op_result(op, 1)};
  qn_rt_value values[2] = {0};
  assert_int_equal(one_op_run(&t, results, 2, values), QN_OK);
  assert_memory_equal(values[0].data, ((const int8_t[]){1, 4}), 2);
  assert_memory_equal(values[1].data, ((const int8_t[]){2, 3, 5, 6}), 4);
  one_op_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_views),  cmocka_unit_test(test_transpose),
      cmocka_unit_test(test_slice),  cmocka_unit_test(test_pad),
      cmocka_unit_test(test_concat), cmocka_unit_test(test_splat_constant),
      cmocka_unit_test(test_split),  cmocka_unit_test(test_absurd_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
