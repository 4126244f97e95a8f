/* The memory plan: no overlap, alignment, tight cases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lower/loops/memory/offsets.h"

enum { MAX_BUFFERS = 60, ALIAS = 4096 };

static int setup(void **state) {
  static qn_arena arena;
  qn_arena_init(&arena);
  *state = &arena;
  return 0;
}

static int teardown(void **state) {
  qn_arena_deinit(*state);
  return 0;
}

static void reuses_memory_of_dead_buffers(void **state) {
  const qn_interval_buffer chain[] = {
      {100, 0, 1, 64}, {200, 1, 2, 64}, {90, 2, 3, 64}, {100, 3, 4, 64}};
  int64_t offsets[4];
  int64_t arena = qn_offsets_plan(chain, 4, NULL, 0, ALIAS, *state, offsets, NULL);
  assert_int_equal(offsets[1], 0);
  assert_int_equal(offsets[0], 256);
  assert_int_equal(offsets[2], 256);
  assert_int_equal(offsets[3], 0);
  assert_int_equal(arena, 356);
}

static void check_plan(const qn_interval_buffer *b, const int64_t *offsets, uint32_t count,
                       int64_t arena) {
  int64_t end = 0;
  for (uint32_t i = 0; i < count; i++) {
    assert_true(offsets[i] >= 0 && offsets[i] % b[i].align == 0);
    if (offsets[i] + b[i].size > end) end = offsets[i] + b[i].size;
    for (uint32_t j = 0; j < i; j++) {
      bool together = b[i].first <= b[j].last && b[j].first <= b[i].last;
      bool overlap = offsets[i] < offsets[j] + b[j].size && offsets[j] < offsets[i] + b[i].size;
      assert_false(together && overlap);
    }
  }
  assert_int_equal(arena, end);
}

/* By size, the largest buffer is placed first and the second one over it, so that the third finds
 * no place below their end. */
static void chains_take_no_more_than_two_neighbours(void **state) {
  const qn_interval_buffer chain[] = {
      {28227, 0, 2, 8}, {20000, 1, 3, 8}, {18432, 3, 5, 8}, {38416, 4, 6, 8}};
  qn_interval_buffer backward[4];
  int64_t offsets[4];
  for (int i = 0; i < 4; i++) backward[i] = chain[i];
  for (int i = 0; i < 4; i++) backward[i].first = 6 - chain[i].last;
  for (int i = 0; i < 4; i++) backward[i].last = 6 - chain[i].first;
  assert_int_equal(qn_offsets_plan(chain, 4, NULL, 0, 0, *state, offsets, NULL), 38416 + 18432);
  assert_int_equal(qn_offsets_plan(backward, 4, NULL, 0, 0, *state, offsets, NULL), 38416 + 18432);
}

/* ResNet-8: a tensor that is read again after two convolutions, whose inputs have a border. No
 * order by size or time leaves room for the sum at the place of the skipped tensor's neighbour. */
static void makes_room_for_the_buffer_at_the_end(void **state) {
  const qn_interval_buffer buffers[] = {{3468, 0, 1, 8},  {16384, 1, 5, 8}, {18496, 2, 4, 8},
                                        {18496, 3, 5, 8}, {16384, 5, 8, 8}, {17424, 6, 7, 8},
                                        {10368, 7, 8, 8}};
  int64_t offsets[7];
  assert_int_equal(qn_offsets_plan(buffers, 7, NULL, 0, 0, *state, offsets, NULL),
                   16384 + 2 * 18496);
  check_plan(buffers, offsets, 7, 16384 + 2 * 18496);
}

static void takes_the_smallest_hole(void **state) {
  /* At step 5 there are gaps of 512 and 128 bytes between the live buffers. */
  const qn_interval_buffer buffers[] = {{1024, 0, 9, 64}, {512, 0, 2, 64}, {256, 0, 9, 64},
                                        {128, 0, 2, 64},  {64, 0, 9, 64},  {60, 5, 5, 64}};
  int64_t offsets[6];
  qn_offsets_plan(buffers, 6, NULL, 0, ALIAS, *state, offsets, NULL);
  assert_int_equal(offsets[3], 1792);
  assert_int_equal(offsets[5], 1792);
}

static void keeps_pairs_apart_only_where_it_is_free(void **state) {
  const qn_interval_buffer buffers[] = {{8192, 0, 0, 64}, {4096, 1, 1, 64}, {2048, 1, 1, 64}};
  const qn_buffer_pair pair = {1, 2};
  int64_t offsets[3];
  assert_int_equal(qn_offsets_plan(buffers, 3, &pair, 1, ALIAS, *state, offsets, NULL), 8192);
  assert_int_equal(offsets[1], 0);
  assert_int_equal(offsets[2], 4096 + 64);
  assert_int_equal(qn_offsets_plan(buffers, 3, &pair, 1, 0, *state, offsets, NULL), 8192);
  assert_int_equal(offsets[2], 4096);
  const qn_interval_buffer tight[] = {{4096, 1, 1, 64}, {2048, 1, 1, 64}};
  const qn_buffer_pair tight_pair = {0, 1};
  assert_int_equal(qn_offsets_plan(tight, 2, &tight_pair, 1, ALIAS, *state, offsets, NULL),
                   4096 + 2048);
}

static void empty_plans(void **state) {
  int64_t offset = -1;
  const qn_interval_buffer nothing = {0, 0, 5, 64};
  assert_int_equal(qn_offsets_plan(NULL, 0, NULL, 0, ALIAS, *state, NULL, NULL), 0);
  assert_int_equal(qn_offsets_plan(&nothing, 1, NULL, 0, ALIAS, *state, &offset, NULL), 0);
  assert_int_equal(offset, 0);
}

static uint32_t next_random(uint32_t *seed) {
  return (*seed = *seed * 1664525u + 1013904223u) >> 8;
}

static void random_plans_never_overlap(void **state) {
  uint32_t seed = 7;
  for (int round = 0; round < 300; round++) {
    qn_interval_buffer buffers[MAX_BUFFERS];
    qn_buffer_pair pairs[MAX_BUFFERS];
    int64_t offsets[MAX_BUFFERS];
    uint32_t count = 1 + next_random(&seed) % MAX_BUFFERS;
    for (uint32_t i = 0; i < count; i++) {
      int64_t first = next_random(&seed) % 20;
      buffers[i] =
          (qn_interval_buffer){1 + next_random(&seed) % 9000, first, first + next_random(&seed) % 6,
                               INT64_C(1) << next_random(&seed) % 8};
      pairs[i] = (qn_buffer_pair){next_random(&seed) % count, i};
    }
    int64_t arena = qn_offsets_plan(buffers, count, pairs, count, ALIAS, *state, offsets, NULL);
    check_plan(buffers, offsets, count, arena);
  }
}

/* ---- growth ---- */

/* Buffer i of a long model: a chain; buffers that are all live; short-lived buffers and a few
 * long-lived ones. */
static qn_interval_buffer chain_buffer(uint32_t i, uint32_t count) {
  (void)count;
  return (qn_interval_buffer){64 + 32 * (i % 7), i, i + 1, 64};
}
static qn_interval_buffer kept_buffer(uint32_t i, uint32_t count) {
  return (qn_interval_buffer){1 + i % 1000, 0, count, 64};
}
static qn_interval_buffer nested_buffer(uint32_t i, uint32_t count) {
  uint32_t last = i % 16 == 0 ? i + 200 : i + 1;
  return (qn_interval_buffer){100 + 64 * (i % 5), i, last < count ? last : count, 64};
}

typedef qn_interval_buffer buffer_fn(uint32_t i, uint32_t count);

/* Returns the work per buffer. Each buffer and the next one are a pair. */
static uint64_t work_of(qn_arena *arena, buffer_fn *buffer, uint32_t count) {
  qn_arena_mark mark = qn_arena_get_mark(arena);
  qn_interval_buffer *buffers = QN_NEW_ARRAY(arena, count, qn_interval_buffer);
  qn_buffer_pair *pairs = QN_NEW_ARRAY(arena, count, qn_buffer_pair);
  int64_t *offsets = QN_NEW_ARRAY(arena, count, int64_t);
  for (uint32_t i = 0; i < count; i++) {
    buffers[i] = buffer(i, count);
    pairs[i] = (qn_buffer_pair){i, (i + 1) % count};
  }
  uint64_t work;
  qn_offsets_plan(buffers, count, pairs, count, ALIAS, arena, offsets, &work);
  qn_arena_rewind(arena, mark);
  return work;
}

static void work_is_nearly_linear(void **state) {
  static buffer_fn *const shapes[] = {chain_buffer, kept_buffer, nested_buffer};
  for (size_t i = 0; i < QN_COUNT(shapes); i++) {
    uint64_t few = work_of(*state, shapes[i], 2000), many = work_of(*state, shapes[i], 32000);
    print_message("shape %zu: %.1f per buffer of 2000, %.1f of 32000\n", i, (double)few / 2000,
                  (double)many / 32000);
    assert_true(many < 16 * 2 * few);
    assert_true(many < UINT64_C(32000) * 400);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reuses_memory_of_dead_buffers),
      cmocka_unit_test(chains_take_no_more_than_two_neighbours),
      cmocka_unit_test(makes_room_for_the_buffer_at_the_end),
      cmocka_unit_test(takes_the_smallest_hole),
      cmocka_unit_test(keeps_pairs_apart_only_where_it_is_free),
      cmocka_unit_test(empty_plans),
      cmocka_unit_test(random_plans_never_overlap),
      cmocka_unit_test(work_is_nearly_linear),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
