/* Placements against the list of all elements: random paths of reshapes, transposes and boxes, from
 * the destination back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ir/context.h"
#include "lower/loops/fusion/placement.h"
#include "tests/support/matrix_case.h"

enum { RANK = 5, MOST = 4096 };

/* A tensor on the path: its shape, and which element of the destination each of its elements is. */
typedef struct tensor {
  int64_t dims[RANK];
  uint32_t rank;
  int64_t count, at[MOST];
} tensor;

static const qn_type *type_of(qn_ir_context *cx, const tensor *t) {
  return qn_type_tensor(cx, qn_type_i(cx, 8), t->rank, t->dims);
}

static int64_t extent(const int64_t *dims, uint32_t from, uint32_t to) {
  int64_t n = 1;
  for (uint32_t d = from; d < to; d++) n *= dims[d];
  return n;
}

static void check(const qn_placement *p, const tensor *t) {
  int64_t count = 1;
  for (uint32_t i = 0; i < p->count; i++) count *= p->digits[i].extent;
  assert_int_equal(count, t->count);
  for (int64_t e = 0; e < t->count; e++) {
    int64_t at = p->first, rest = e;
    for (uint32_t i = p->count; i-- > 0; rest /= p->digits[i].extent)
      at += rest % p->digits[i].extent * p->digits[i].step;
    assert_int_equal(at, t->at[e]);
  }
}

/* ---- steps: they change the tensor, and the placement if it has one ---- */

/* The operand of a reshape: factors of all elements are dimensions in another way. */
static void reshape(tensor *t, uint32_t *seed) {
  int64_t rest = t->count;
  t->rank = (uint32_t)qn_case_range(seed, 1, RANK);
  for (uint32_t d = 0; d + 1 < t->rank; d++) {
    int64_t by = qn_case_range(seed, 1, 6);
    while (rest % by != 0) by--;
    t->dims[d] = by;
    rest /= by;
  }
  t->dims[t->rank - 1] = rest;
}

static bool transpose(qn_ir_context *cx, qn_placement *p, tensor *t, uint32_t *seed) {
  int64_t permutation[RANK], of_operand[RANK];
  for (uint32_t i = 0; i < t->rank; i++) {
    const uint32_t j = (uint32_t)qn_case_range(seed, 0, i);
    permutation[i] = permutation[j], permutation[j] = i;
  }
  const bool has = qn_placement_take_transposed(p, type_of(cx, t), permutation);
  const tensor result = *t;
  for (uint32_t i = 0; i < t->rank; i++) of_operand[permutation[i]] = i;
  for (uint32_t d = 0; d < t->rank; d++) t->dims[d] = result.dims[of_operand[d]];
  for (int64_t e = 0; e < t->count; e++) {
    int64_t from = 0;
    for (uint32_t d = 0; d < t->rank; d++) {
      const int64_t index = e / extent(t->dims, d + 1, t->rank) % t->dims[d];
      from += index * extent(result.dims, (uint32_t)of_operand[d] + 1, t->rank);
    }
    t->at[e] = result.at[from];
  }
  return has;
}

static bool take_box(qn_ir_context *cx, qn_placement *p, tensor *t, uint32_t *seed) {
  const tensor result = *t;
  int64_t begin[RANK];
  t->count = 1;
  for (uint32_t d = 0; d < t->rank; d++) {
    const bool whole = qn_case_range(seed, 0, 1);
    begin[d] = whole ? 0 : qn_case_range(seed, 0, result.dims[d] - 1);
    t->dims[d] = whole ? result.dims[d] : qn_case_range(seed, 1, result.dims[d] - begin[d]);
    t->count *= t->dims[d];
  }
  const bool has = qn_placement_take_box(p, type_of(cx, &result), type_of(cx, t), begin, 1);
  for (int64_t e = 0; e < t->count; e++) {
    int64_t from = 0;
    for (uint32_t d = 0; d < t->rank; d++)
      from += (begin[d] + e / extent(t->dims, d + 1, t->rank) % t->dims[d]) *
              extent(result.dims, d + 1, t->rank);
    t->at[e] = result.at[from];
  }
  return has;
}

/* ---- tests ---- */

static int setup(void **state) {
  static qn_ir_context cx;
  qn_ir_context_init(&cx);
  *state = &cx;
  return 0;
}

static int teardown(void **state) {
  qn_ir_context_deinit(*state);
  return 0;
}

static void random_paths_lead_to_the_same_elements(void **state) {
  enum { PATHS = 4000, STEPS = 5 };
  qn_ir_context *cx = *state;
  uint32_t seed = 1, placed = 0;
  static tensor t;
  for (int path = 0; path < PATHS; path++) {
    t.rank = (uint32_t)qn_case_range(&seed, 1, RANK);
    for (uint32_t d = 0; d < t.rank; d++) t.dims[d] = qn_case_range(&seed, 1, 5);
    t.count = extent(t.dims, 0, t.rank);
    for (int64_t e = 0; e < t.count; e++) t.at[e] = e;
    const qn_value destination = {.type = type_of(cx, &t)};
    qn_placement p = qn_placement_whole(&destination);
    bool has = true;
    for (int step = 0; step < STEPS && has; step++) {
      const int64_t kind = qn_case_range(&seed, 0, 2);
      if (kind == 0) reshape(&t, &seed);
      if (kind == 1) has = transpose(cx, &p, &t, &seed);
      if (kind == 2) has = take_box(cx, &p, &t, &seed);
      if (has) check(&p, &t);
    }
    placed += has;
  }
  assert_in_range(placed, PATHS / 2, PATHS); /* most have a placement */
}

/* 2 x 2 phases of 3 channels that are channels 4 to 6 of 9, in a border of 1: each dimension of the
 * convolution but the channels has one digit. */
static void phases_have_one_stride_per_dimension(void **state) {
  qn_ir_context *cx = *state;
  const qn_type *i8 = qn_type_i(cx, 8);
#define TENSOR(rank, ...) qn_type_tensor(cx, i8, rank, (const int64_t[]){__VA_ARGS__})
  const qn_type *padded = TENSOR(4, 2, 10, 12, 9), *joined = TENSOR(4, 2, 8, 10, 9);
  const qn_type *part = TENSOR(4, 2, 8, 10, 3), *moved = TENSOR(5, 2, 4, 2, 5, 6);
  const qn_type *result = TENSOR(4, 2, 4, 5, 12);
#undef TENSOR
  const qn_value destination = {.type = padded};
  qn_placement p = qn_placement_whole(&destination);
  assert_true(qn_placement_take_box(&p, padded, joined, (const int64_t[]){0, 1, 1, 0}, 1));
  assert_true(qn_placement_take_box(&p, joined, part, (const int64_t[]){0, 0, 0, 4}, 1));
  assert_true(qn_placement_take_transposed(&p, moved, (const int64_t[]){0, 1, 3, 2, 4}));
  uint32_t ends[QN_PLACEMENT_DIGITS];
  assert_true(qn_placement_by_dimensions(&p, result, ends));
  const uint32_t expected_ends[] = {1, 2, 3, 6};
  const qn_placement_digit expected[] = {{2, 10 * 12 * 9}, {4, 2 * 12 * 9}, {5, 2 * 9},
                                         {2, 12 * 9},      {2, 9},          {3, 1}};
  assert_memory_equal(ends, expected_ends, sizeof expected_ends);
  assert_memory_equal(p.digits, expected, sizeof expected);
  assert_int_equal(p.first, 12 * 9 + 9 + 4);
  assert_ptr_equal(p.in, &destination);
}

/* A row of 3 elements is no part of a transposed row of 4. */
static void what_is_no_grid_has_no_placement(void **state) {
  qn_ir_context *cx = *state;
  const qn_type *i8 = qn_type_i(cx, 8);
  const qn_type *whole = qn_type_tensor(cx, i8, 2, (const int64_t[]){4, 6});
  const qn_type *other = qn_type_tensor(cx, i8, 2, (const int64_t[]){8, 3});
  const qn_value destination = {.type = whole};
  qn_placement p = qn_placement_whole(&destination);
  uint32_t ends[QN_PLACEMENT_DIGITS];
  assert_true(qn_placement_take_transposed(&p, whole, (const int64_t[]){1, 0}));
  assert_false(qn_placement_by_dimensions(&p, other, ends));
  enum { MANY = QN_PLACEMENT_DIGITS + 1 };
  int64_t ones[MANY];
  for (int d = 0; d < MANY; d++) ones[d] = 1;
  const qn_type *deep = qn_type_tensor(cx, i8, MANY, ones);
  const qn_value one = {.type = deep};
  p = qn_placement_whole(&one);
  assert_false(qn_placement_by_dimensions(&p, deep, ends));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_paths_lead_to_the_same_elements),
      cmocka_unit_test(phases_have_one_stride_per_dimension),
      cmocka_unit_test(what_is_no_grid_has_no_placement),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
