/* Storage, scale, zero point and range of elements of quantized tensors, by their coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/types/quant_at.h"

static int setup(void **state) {
  qn_ir_context *cx = calloc(1, sizeof *cx);
  qn_ir_context_init(cx);
  *state = cx;
  return 0;
}

static int teardown(void **state) {
  qn_ir_context_deinit(*state);
  free(*state);
  return 0;
}

static const double scales[] = {0.5, 0.25, 2.0, 1.0, 8.0, 4.0};
static const int64_t zero_points[] = {0, 10, 20, 30, 40, 50};

static qn_quant_uniform base(qn_ir_context *cx, qn_quant_scheme scheme, uint32_t count) {
  return (qn_quant_uniform){.scheme = scheme,
                            .is_signed = true,
                            .storage = qn_type_i(cx, 8),
                            .expressed = qn_type_float(cx, QN_F32),
                            .min = -128,
                            .max = 127,
                            .count = count,
                            .scales = scales,
                            .zero_points = zero_points};
}

#define AT(...)                                                                                    \
  (const int64_t[]){__VA_ARGS__},                                                                  \
      (uint32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void expect_at(const qn_type *type, const int64_t *at, uint32_t rank, uint32_t index) {
  qn_quant_cell cell;
  assert_int_equal(qn_quant_at(type, at, rank, &cell), QN_OK);
  assert_true(cell.scale == scales[index]);
  assert_int_equal(cell.zero_point, zero_points[index]);
}

static void refuse_at(const qn_type *type, const int64_t *at, uint32_t rank) {
  qn_quant_cell cell;
  assert_int_equal(qn_quant_at(type, at, rank, &cell), QN_INVALID);
}

static void test_per_layer(void **state) {
  qn_quant_uniform u = base(*state, QN_PER_LAYER, 1);
  const qn_type *q = qn_type_uniform(*state, &u);
  expect_at(q, NULL, 0, 0);
  expect_at(q, AT(7, 9), 0);
  const qn_type *t = qn_type_tensor(*state, q, 2, (const int64_t[]){3, QN_DYNAMIC});
  expect_at(t, AT(2, 1000), 0);
  expect_at(t, NULL, 0, 0);
  refuse_at(t, AT(3, 0));
  refuse_at(t, AT(0, -1));
  refuse_at(t, AT(0));
  const qn_type *unranked = qn_type_shaped(*state, QN_TYPE_TENSOR, q, false, 0, NULL, NULL, NULL);
  expect_at(unranked, AT(1, 2, 3), 0);
}

static void test_per_axis(void **state) {
  qn_quant_uniform u = base(*state, QN_PER_AXIS, 3);
  u.axis = 1;
  const qn_type *q = qn_type_uniform(*state, &u);
  const qn_type *t = qn_type_tensor(*state, q, 2, (const int64_t[]){2, 3});
  const qn_type *d = qn_type_tensor(*state, q, 2, (const int64_t[]){QN_DYNAMIC, QN_DYNAMIC});
  for (int64_t c = 0; c < 3; c++) {
    expect_at(t, AT(1, c), (uint32_t)c);
    expect_at(d, AT(99, c), (uint32_t)c);
    expect_at(q, AT(99, c), (uint32_t)c);
  }
  refuse_at(t, AT(0, 3));
  refuse_at(d, AT(0, 3));
  refuse_at(q, AT(0));
  refuse_at(q, NULL, 0);
  assert_int_equal(qn_quant_step(&q->uniform, 0), 0);
  assert_int_equal(qn_quant_step(&q->uniform, 1), 1);
}

/* A [4, 6] tensor in blocks of 2 rows and 2 columns. */
static void test_sub_channel(void **state) {
  qn_quant_uniform u = base(*state, QN_SUB_CHANNEL, 6);
  const int64_t grid[] = {2, 3}, sizes[] = {2, 2};
  const int32_t axes[] = {0, 1};
  u.grid_rank = 2;
  u.grid_dims = grid;
  u.block_count = 2;
  u.block_axes = axes;
  u.block_sizes = sizes;
  const qn_type *q = qn_type_uniform(*state, &u);
  const qn_type *t = qn_type_tensor(*state, q, 2, (const int64_t[]){4, 6});
  for (int64_t i = 0; i < 4; i++)
    for (int64_t j = 0; j < 6; j++) expect_at(t, AT(i, j), (uint32_t)(i / 2 * 3 + j / 2));
  refuse_at(t, AT(0, 6));
  refuse_at(q, AT(4, 0));
  refuse_at(q, AT(0, 0, 0));
  assert_int_equal(qn_quant_step(&q->uniform, 1), 2);
}

static void test_ranges(void **state) {
  double low, high;
  qn_quant_uniform u = base(*state, QN_PER_LAYER, 1);
  u.is_signed = false;
  u.min = 0;
  u.max = 255;
  const int64_t middle = 128;
  u.zero_points = &middle;
  assert_int_equal(qn_quant_range_at(qn_type_uniform(*state, &u), NULL, 0, &low, &high), QN_OK);
  assert_true(low == -64 && high == 63.5);
  u.min = 1; /* an explicit range */
  u.max = 250;
  assert_int_equal(qn_quant_range_at(qn_type_uniform(*state, &u), NULL, 0, &low, &high), QN_OK);
  assert_true(low == -63.5 && high == 61);
  const qn_type *calibrated = qn_type_calibrated(*state, qn_type_float(*state, QN_F32), -1.5, 2.5);
  assert_int_equal(qn_quant_range_at(calibrated, AT(3), &low, &high), QN_OK);
  assert_true(low == -1.5 && high == 2.5);
  const qn_type *any = qn_type_quant_any(*state, true, qn_type_i(*state, 8), NULL, -8, 7);
  assert_int_equal(qn_quant_range_at(any, NULL, 0, &low, &high), QN_NOT_FOUND);
  assert_int_equal(qn_quant_range_at(qn_type_i(*state, 8), NULL, 0, &low, &high), QN_NOT_FOUND);
}

static void test_storage(void **state) {
  qn_quant_storage s;
  const qn_type *any = qn_type_quant_any(*state, false, qn_type_i(*state, 4), NULL, 0, 9);
  const int64_t dims[] = {2};
  assert_true(qn_quant_storage_of(qn_type_tensor(*state, any, 1, dims), &s));
  assert_true(s.width == 4 && !s.is_signed && s.min == 0 && s.max == 9);
  qn_quant_uniform u = base(*state, QN_PER_LAYER, 1);
  assert_true(qn_quant_storage_of(qn_type_uniform(*state, &u), &s));
  assert_true(s.width == 8 && s.is_signed && s.min == -128 && s.max == 127);
  assert_ptr_equal(s.type, qn_type_i(*state, 8));
  assert_false(qn_quant_storage_of(qn_type_i(*state, 8), &s));
  assert_false(
      qn_quant_storage_of(qn_type_calibrated(*state, qn_type_float(*state, QN_F32), 0, 1), &s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_per_layer, setup, teardown),
      cmocka_unit_test_setup_teardown(test_per_axis, setup, teardown),
      cmocka_unit_test_setup_teardown(test_sub_channel, setup, teardown),
      cmocka_unit_test_setup_teardown(test_ranges, setup, teardown),
      cmocka_unit_test_setup_teardown(test_storage, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
