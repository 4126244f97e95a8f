/* The reference kernel of ml.quantize_rows gives the bits of the rules from which all other kernels
 * are built (ir/float_form/hybrid_rules.c), evaluated one op after the other: rows with NaN,
 * infinities, zeros of both signs, denormals, ties, overflowing ranges, and constant rows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "one_op.h"
#include "ir/float_form/hybrid.h"

enum { BLOCK = 8, MOST_DEPTH = 37, MOST_RESULTS = 8 + MOST_DEPTH };

/* A row: numbers up to `size` in magnitude, or multiples of a half, plus `offset`; `special` is at
 * two positions, if it is not 1. */
static const struct {
  float size, offset, special;
  bool halves;
} rows[] = {
    {1, 0, 1, false},          {1e3F, 0, 1, false},
    {0, 0, 1, false},          {0, -0.0F, -0.0F, false},
    {0, 3.25F, 1, false},      {0, -7, 1, false},
    {1, 50, 1, false},         {1, -50, 1, false},
    {1e-38F, 0, 1, false},     {1e-44F, 0, 1, false},
    {0x1p-93F, 0, 1, false},   {0x1p-94F, 0, 1, false},
    {0x1p-126F, 0, 1, false},  {1e37F, 0, 1, false},
    {FLT_MAX, 0, 1, false},    {FLT_MAX, 0, 0.1F, false},
    {1, 0, INFINITY, false},   {1, 0, -INFINITY, false},
    {1, 0, NAN, false},        {1, 0, -NAN, false},
    {0, 0, NAN, false},        {0, 0, INFINITY, false},
    {1e-44F, 0, 1e30F, false}, {127, 0, 127, true},
    {255, 0, 255, true},       {127, 0, -127, true},
    {64, 64, -128, true},      {0, 0.5F - 0x1p-25F, 127, false},
    {0, -0.5F, 127, false},    {1, 0, -0.0F, false},
    {1, 0, FLT_MIN, false},    {1, 0, 0x1p-149F, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static uint32_t mixed(uint32_t x) {
  x = x * 2654435761u + 977, x ^= x >> 15, x *= 2246822519u;
  return x ^ x >> 13;
}

static float element(int row, int depth, int k) {
  uint32_t chance = mixed((uint32_t)(row * MOST_DEPTH + k));
  float part = (float)((int)(chance % 20001) - 10000) / 10000, x = part * rows[row].size;
  bool here = k == row % depth || k == depth - 1;
  if (here && rows[row].special != 1) return rows[row].special;
  if (rows[row].halves) x = rintf(2 * x) / 2;
  return x == 0 ? rows[row].offset : x + rows[row].offset;
}

/* ---- the rules on vectors, whose lanes are the rows ---- */

static qn_value *column(one_op *t, const float *x, int depth, int k) {
  float values[ROWS];
  for (int r = 0; r < ROWS; r++) values[r] = x[r * depth + k];
  const int64_t lanes = ROWS;
  const qn_type *type = qn_type_vector(&t->cx, qn_type_float(&t->cx, QN_F32), 1, &lanes);
  const qn_attr *value =
      qn_attr_dense(&t->cx, type, (qn_bytes){(uint8_t *)values, sizeof values}, false);
  return qn_build_1(&t->b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* Maximum or minimum of 0 and all elements, or of their magnitudes. */
static qn_value *extreme(one_op *t, qn_op_kind kind, qn_value *const *columns, int depth,
                         bool of_magnitudes) {
  qn_value *y = qn_build_float(&t->b, 0, columns[0]->type);
  for (int k = 0; k < depth; k++) {
    qn_value *x = columns[k];
    if (of_magnitudes) x = qn_build_unary(&t->b, QN_OP_MATH_ABSF, x, x->type);
    y = qn_build_binary(&t->b, kind, y, x);
  }
  return y;
}

/* Scale, zero point and steps [depth] of all rows. Returns the number of values. */
static uint32_t add_rules(one_op *t, qn_row_scheme scheme, const float *x, int depth,
                          qn_value **out) {
  qn_form f = {.b = &t->b, .cx = &t->cx};
  bool symmetric = scheme == QN_ROWS_SYMMETRIC;
  qn_value *columns[MOST_DEPTH] = {0};
  for (int k = 0; k < depth; k++) columns[k] = column(t, x, depth, k);
  qn_value *high = extreme(t, QN_OP_ARITH_MAXIMUMF, columns, depth, symmetric), *low = high;
  if (!symmetric) low = extreme(t, QN_OP_ARITH_MINIMUMF, columns, depth, false);
  qn_row_element e = {.inverse = qn_form_row_inverse(&f, scheme, low, high),
                      .zero = qn_form_row_zero(&f, scheme, low, high),
                      .has_rest = depth % BLOCK != 0};
  uint32_t count = 0;
  out[count++] = qn_form_row_scale(&f, scheme, low, high);
  out[count++] = e.zero ? e.zero : qn_build_float(&t->b, 0, high->type);
  for (int k = 0; k < depth; k++) {
    bool in_block = k < depth - depth % BLOCK;
    e.x = columns[k];
    e.half = qn_build_float(&t->b, in_block ? 0.5 : 0.5 - (double)FLT_EPSILON / 4, high->type);
    out[count++] = qn_form_row_step(&f, scheme, &e);
  }
  return count;
}

/* ---- the op ---- */

static void add_op(one_op *t, qn_row_scheme scheme, qn_value *x, const qn_type *element,
                   qn_value **out) {
  const int64_t count = ROWS;
  const qn_type *types[] = {qn_type_with_element(&t->cx, x->type, element),
                            qn_type_tensor(&t->cx, qn_type_float(&t->cx, QN_F32), 1, &count),
                            qn_type_tensor(&t->cx, qn_type_i(&t->cx, 32), 1, &count)};
  qn_op *op = qn_build(&t->b, (qn_op_state){.kind = QN_OP_ML_QUANTIZE_ROWS,
                                            .operands = &x,
                                            .operand_count = 1,
                                            .result_types = types,
                                            .result_count = QN_COUNT(types)});
  qn_op_set_attr(t->module, op, "rows", qn_attr_i64(&t->cx, 1));
  qn_op_set_attr(t->module, op, qn_attr_decls[QN_A_ROW_SCHEME].name,
                 qn_attr_word(&t->cx, QN_A_ROW_SCHEME, scheme));
  for (uint32_t i = 0; i < QN_COUNT(types); i++) out[i] = qn_op_result(op, i);
}

static void expect(const char *what, int row, int k, double got, double want) {
  bool same = (isnan(got) && isnan(want)) || (got == want && signbit(got) == signbit(want));
  if (!same)
    fail_msg("%s of row %d, element %d is %a, but %a by the rules", what, row, k, got, want);
}

static void check(qn_row_scheme scheme, int depth) {
  enum { STEPS, SCALES, ZEROS, BYTES, BYTE_SCALES, BYTE_ZEROS, RULES, OFFSET = 128 };
  enum { SCALE = RULES, ZERO, STEP };
  float x[ROWS * MOST_DEPTH];
  for (int r = 0; r < ROWS; r++)
    for (int k = 0; k < depth; k++) x[r * depth + k] = element(r, depth, k);
  one_op t;
  one_op_begin(&t, "litert-ref");
  const qn_type *f32 = qn_type_float(&t.cx, QN_F32);
  qn_value *input = one_op_const(&t, f32, ONE_OP_SHAPE(ROWS, depth), x), *results[MOST_RESULTS];
  add_op(&t, scheme, input, f32, results + STEPS);
  add_op(&t, scheme, input, qn_type_integer(&t.cx, 8, QN_UNSIGNED), results + BYTES);
  uint32_t count = RULES + add_rules(&t, scheme, x, depth, results + RULES);
  qn_rt_value y[MOST_RESULTS] = {0};
  assert_int_equal(one_op_run(&t, results, count, y), QN_OK);
  for (int r = 0; r < ROWS; r++) {
    double zero = qn_rt_float(&y[ZERO], r);
    expect("the scale", r, 0, qn_rt_float(&y[SCALES], r), qn_rt_float(&y[SCALE], r));
    expect("the scale of bytes", r, 0, qn_rt_float(&y[BYTE_SCALES], r), qn_rt_float(&y[SCALE], r));
    assert_int_equal(qn_rt_int(&y[ZEROS], r), (int64_t)zero + OFFSET);
    assert_int_equal(qn_rt_int(&y[BYTE_ZEROS], r), (int64_t)zero + OFFSET);
    for (int k = 0; k < depth; k++) {
      double step = qn_rt_float(&y[STEP + k], r);
      expect("the step", r, k, qn_rt_float(&y[STEPS], r * depth + k), step);
      expect("the byte", r, k, (double)qn_rt_int(&y[BYTES], r * depth + k),
             step + zero + (double)OFFSET);
    }
  }
  one_op_end(&t);
}

static void check_depths(qn_row_scheme scheme) {
  static const int depths[] = {1, 2, 7, 8, 9, 16, 29, MOST_DEPTH};
  for (size_t i = 0; i < QN_COUNT(depths); i++) check(scheme, depths[i]);
}
static void symmetric_rows(void **unused) { (void)unused, check_depths(QN_ROWS_SYMMETRIC); }
static void asymmetric_rows(void **unused) { (void)unused, check_depths(QN_ROWS_ASYMMETRIC); }
static void dynamic_rows(void **unused) { (void)unused, check_depths(QN_ROWS_DYNAMIC); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_rows),
                                     cmocka_unit_test(asymmetric_rows),
                                     cmocka_unit_test(dynamic_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
