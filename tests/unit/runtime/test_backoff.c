/* Periods of working alone: their lengths, limits, and when they start over.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SLICE = 3000000 };

static void a_wait_longer_than_the_work_is_a_stall(void **state) {
  (void)state;
  assert_true(qn_backoff_is_stall(300000, 1400000));
  assert_true(qn_backoff_is_stall(300000, 400000));
  assert_false(qn_backoff_is_stall(5000, 150000)); /* a virtual CPU wakes up */
}

/* A float convolution of 20 ms: its last part takes 1.25 ms. */
static void the_last_part_of_a_large_kernel_is_not_a_stall(void **state) {
  (void)state;
  assert_false(qn_backoff_is_stall(10000000, 1250000));
}

static void nothing_happens_without_a_stall(void **state) {
  (void)state;
  qn_backoff b = {0};
  assert_false(qn_backoff_alone(&b, 0));
  assert_false(qn_backoff_alone(&b, INT64_MAX));
}

static void a_period_ends(void **state) {
  (void)state;
  const int64_t now = 12345;
  qn_backoff b = {0};
  qn_backoff_stalled(&b, now);
  assert_true(qn_backoff_alone(&b, now));
  assert_true(qn_backoff_alone(&b, now + QN_BACKOFF_FIRST - 1));
  assert_false(qn_backoff_alone(&b, now + QN_BACKOFF_FIRST));
  assert_false(qn_backoff_alone(&b, INT64_MAX));
}

/* A busy process: each time that the worker is used again, it is interrupted. */
static void periods_grow_while_stalls_follow_each_other(void **state) {
  (void)state;
  qn_backoff b = {0};
  int64_t now = 0, lengths[] = {10, 80, 640, 1280, 1280, 1280};
  for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++) {
    qn_backoff_stalled(&b, now);
    assert_int_equal(b.end - now, lengths[i] * 1000000);
    now = b.end;
    assert_false(qn_backoff_alone(&b, now));
    qn_backoff_shared(&b, SLICE);
    now += QN_BACKOFF_CALM; /* time without jobs does not count */
  }
  qn_backoff_shared(&b, QN_BACKOFF_CALM + 1);
  qn_backoff_stalled(&b, now);
  assert_int_equal(b.end - now, QN_BACKOFF_FIRST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wait_longer_than_the_work_is_a_stall),
      cmocka_unit_test(the_last_part_of_a_large_kernel_is_not_a_stall),
      cmocka_unit_test(nothing_happens_without_a_stall),
      cmocka_unit_test(a_period_ends),
      cmocka_unit_test(periods_grow_while_stalls_follow_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
