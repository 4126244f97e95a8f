/* ml.reexpress between schemes, signednesses and widths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "one_op.h"

static const qn_attr *word(one_op *t, const char *text) { return one_op_name(t, text); }

static qn_value *exact(one_op *t, qn_value *x, const qn_type *to) {
  const qn_type *type = qn_type_with_element(&t->cx, x->type, to);
  return qn_build_1(&t->b, QN_OP_ML_REEXPRESS, type, &x, 1, QN_ATTRS({"mode", word(t, "exact")}));
}

static qn_value *checked(one_op *t, qn_value *x, const qn_type *to, const char *rounding,
                         const char *overflow) {
  const qn_type *type = qn_type_with_element(&t->cx, x->type, to);
  return qn_build_1(&t->b, QN_OP_ML_REEXPRESS, type, &x, 1,
                    QN_ATTRS({"mode", word(t, "checked")}, {"rounding", word(t, rounding)},
                             {"overflow", word(t, overflow)}));
}

/* An i16 type with explicit range and blocks of 2 along the only dimension. */
static const qn_type *blocks(one_op *t, const double scales[2], const int64_t zero_points[2]) {
  qn_quant_uniform u = {.scheme = QN_SUB_CHANNEL,
                        .is_signed = true,
                        .storage = qn_type_i(&t->cx, 16),
                        .expressed = qn_type_float(&t->cx, QN_F32),
                        .min = -32768,
                        .max = 32767,
                        .grid_rank = 1,
                        .grid_dims = (const int64_t[]){2},
                        .block_count = 1,
                        .block_axes = (const int32_t[]){0},
                        .block_sizes = (const int64_t[]){2},
                        .count = 2,
                        .scales = scales,
                        .zero_points = zero_points};
  return qn_type_uniform(&t->cx, &u);
}

static void test_sign(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  qn_value *x = one_op_const(&t, one_op_quant(&t, true, 0.1, 3), ONE_OP_SHAPE(3),
                             (const int8_t[]){-128, 3, 127});
  one_op_expect(&t, exact(&t, x, one_op_quant(&t, false, 0.1, 131)), (const uint8_t[]){0, 131, 255},
                3);
}

static void test_per_axis_to_per_layer(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  static const double scales[] = {0.5, 0.25};
  qn_value *x = one_op_const(&t, one_op_per_axis(&t, 1, scales, 2), ONE_OP_SHAPE(2, 2),
                             (const int8_t[]){10, 11, -100, 101});
  one_op_expect(&t, checked(&t, x, one_op_quant(&t, true, 0.5, 1), "even", "saturate"),
                (const int8_t[]){11, 7, -99, 51}, 4); /* 5.5 is rounded to 6, 50.5 to 50 */
}

static void test_to_blocks(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  static const double scales[] = {0.5, 0.125};
  static const int64_t zero_points[] = {0, -7};
  qn_value *x = one_op_const(&t, one_op_quant(&t, true, 0.5, 1), ONE_OP_SHAPE(4),
                             (const int8_t[]){-128, 1, 127, 1});
  one_op_expect(&t, exact(&t, x, blocks(&t, scales, zero_points)),
                (const int16_t[]){-129, 0, 497, -7}, 8);
}

static void test_overflow(void **unused) {
  (void)unused;
  for (int saturate = 0; saturate < 2; saturate++) {
    one_op t;
    one_op_begin(&t, "litert-ref");
    qn_value *x = one_op_const(&t, one_op_quant(&t, true, 1.0, 0), ONE_OP_SHAPE(2),
                               (const int8_t[]){-2, 100});
    qn_value *y =
        checked(&t, x, one_op_quant(&t, true, 0.5, 0), "even", saturate ? "saturate" : "error");
    if (saturate)
      one_op_expect(&t, y, (const int8_t[]){-4, 127}, 2);
    else
      one_op_expect_error(&t, y, "has an input that the result can't hold: element 1");
  }
}

/* A stored value outside of the explicit range, for which exactness was not proved. */
static void test_input_out_of_range(void **unused) {
  (void)unused;
  one_op t;
  one_op_begin(&t, "litert-ref");
  double scale = 2.0;
  int64_t zero = 0;
  qn_quant_uniform u = one_op_quant(&t, true, scale, zero)->uniform;
  u.min = -64;
  u.max = 63;
  qn_value *x = one_op_const(&t, qn_type_uniform(&t.cx, &u), ONE_OP_SHAPE(1), (const int8_t[]){64});
  one_op_expect_error(&t, exact(&t, x, one_op_quant(&t, true, 1.0, 0)), "outside of its range");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sign),
      cmocka_unit_test(test_per_axis_to_per_layer),
      cmocka_unit_test(test_to_blocks),
      cmocka_unit_test(test_overflow),
      cmocka_unit_test(test_input_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
