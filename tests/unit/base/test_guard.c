/* Guarded blocks, rings, and the point to which aborted calls return.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/guard.h"
#include "base/map.h"

#include <cmocka.h>

static qn_account account;
static qn_ring home;

static int set_up(void **state) {
  (void)state;
  qn_account_init(&account);
  qn_ring_init(&home);
  return 0;
}

/* Runs `work` in a guard and returns why it was aborted. */
static qn_exceeded attempt(void (*work)(void *), void *user) {
  qn_guard guard;
  qn_guard_open(&guard, &account);
  if (setjmp(guard.jump) == 0) {
    work(user);
    qn_guard_close(&guard, &home);
  } else {
    qn_guard_discard(&guard);
  }
  return guard.exceeded;
}

static void grow_all(void *user) {
  (void)user;
  qn_arena arena;
  qn_map map = {0};
  QN_ARRAY(int) numbers = {0};
  qn_arena_init(&arena);
  for (int i = 0; i < 3000; i++) {
    qn_array_push(&numbers, i);
    qn_map_set(&map, &account, (int *)qn_arena_alloc(&arena, 100));
  }
  qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

static void test_nothing_is_lost(void **state) {
  (void)state;
  assert_int_equal(attempt(grow_all, NULL), QN_EXCEEDED_SYSTEM);
  assert_int_equal(account.used, 0);
  assert_null(qn_guard_current());
}

/* An arena that is older than the guard keeps its chunks, also those that the aborted call added.
 */
static void extend(void *user) {
  (void)qn_arena_alloc(user, 100000);
  (void)qn_heap_new(50);
  qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

static void begin_arena(void *user) { (void)qn_arena_alloc(user, 8); }

static void test_older_things_stay_whole(void **state) {
  (void)state;
  qn_arena arena;
  qn_arena_init(&arena);
  assert_int_equal(attempt(begin_arena, &arena), QN_EXCEEDED_NOTHING);
  size_t before = account.used;
  assert_int_equal(attempt(extend, &arena), QN_EXCEEDED_SYSTEM);
  assert_true(account.used >= before + 100000);
  memset(qn_arena_alloc(&arena, 10), 1, 10);
  qn_arena_deinit(&arena);
  assert_int_equal(account.used, 0);
  assert_true(qn_ring_is_empty(&home));
}

static int released[4], release_count;

static void note_release(void *owner) { released[release_count++] = *(int *)owner; }

static void own_three(void *user) {
  (void)user;
  for (int i = 1; i <= 3; i++) *(int *)qn_heap_own(sizeof(int), note_release) = i;
  qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

static void test_owners_release_the_newest_first(void **state) {
  (void)state;
  release_count = 0;
  (void)attempt(own_three, NULL);
  assert_int_equal(release_count, 3);
  assert_int_equal(released[0], 3);
  assert_int_equal(released[2], 1);
}

static void resize_in_the_middle(void *user) {
  void **blocks = user;
  for (int i = 0; i < 3; i++) blocks[i] = qn_heap_new(10);
  for (size_t size = 10; size < 1 << 20; size *= 3) blocks[1] = qn_heap_resize(blocks[1], size);
  blocks[1] = qn_heap_resize(blocks[1], 5);
}

static void test_resizing_keeps_the_ring(void **state) {
  (void)state;
  void *blocks[3];
  assert_int_equal(attempt(resize_in_the_middle, blocks), QN_EXCEEDED_NOTHING);
  assert_int_equal(account.used, 25);
  qn_heap_free(blocks[1]);
  assert_int_equal(account.used, 20);
  qn_ring_free(&home);
  assert_int_equal(account.used, 0);
}

/* ---- limits ---- */

static void take(void *user) { (void)qn_heap_new(*(size_t *)user); }

static void test_memory_limit(void **state) {
  (void)state;
  size_t all = 1000, more = 1001, huge = SIZE_MAX - 8;
  account.max_memory = 1000;
  assert_int_equal(attempt(take, &more), QN_EXCEEDED_MEMORY);
  assert_int_equal(attempt(take, &all), QN_EXCEEDED_NOTHING);
  assert_int_equal(attempt(take, &(size_t){1}), QN_EXCEEDED_MEMORY);
  qn_ring_free(&home);
  account.max_memory = SIZE_MAX;
  assert_int_equal(attempt(take, &huge), QN_EXCEEDED_SYSTEM);
  assert_int_equal(account.used, 0);
}

static void foresee(void *user) { qn_guard_foresee(*(size_t *)user); }

static void test_what_others_will_need(void **state) {
  (void)state;
  account.max_memory = 1 << 20;
  assert_int_equal(attempt(foresee, &(size_t){1 << 20}), QN_EXCEEDED_NOTHING);
  assert_int_equal(attempt(foresee, &(size_t){(1 << 20) + 1}), QN_EXCEEDED_MEMORY);
  account.max_memory = SIZE_MAX;
  assert_int_equal(attempt(foresee, &(size_t){SIZE_MAX / 2}), QN_EXCEEDED_SYSTEM);
  assert_int_equal(account.used, 0);
}

static double ticks;
static double tick(void) { return ticks++; }

static void look(void *user) {
  for (int i = 0; i < *(int *)user; i++) qn_guard_check_time();
}

static void test_time_limit(void **state) {
  (void)state;
  account.clock = tick;
  account.timed = true;
  account.deadline = 5;
  ticks = 0;
  assert_int_equal(attempt(look, &(int){5}), QN_EXCEEDED_NOTHING);
  assert_int_equal(attempt(look, &(int){1}), QN_EXCEEDED_TIME);
  account.timed = false;
  assert_int_equal(attempt(look, &(int){1}), QN_EXCEEDED_NOTHING);
}

/* ---- nested guards ---- */

static void inner_fails(void *user) {
  void **kept = user;
  *kept = qn_heap_new(7);
  assert_int_equal(attempt(grow_all, NULL), QN_EXCEEDED_SYSTEM);
  *kept = qn_heap_resize(*kept, 9);
}

static void test_guards_nest(void **state) {
  (void)state;
  void *kept = NULL;
  assert_int_equal(attempt(inner_fails, &kept), QN_EXCEEDED_NOTHING);
  assert_int_equal(account.used, 9);
  qn_heap_free(kept);
  assert_true(qn_ring_is_empty(&home));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_nothing_is_lost, set_up),
      cmocka_unit_test_setup(test_older_things_stay_whole, set_up),
      cmocka_unit_test_setup(test_owners_release_the_newest_first, set_up),
      cmocka_unit_test_setup(test_resizing_keeps_the_ring, set_up),
      cmocka_unit_test_setup(test_memory_limit, set_up),
      cmocka_unit_test_setup(test_what_others_will_need, set_up),
      cmocka_unit_test_setup(test_time_limit, set_up),
      cmocka_unit_test_setup(test_guards_nest, set_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
