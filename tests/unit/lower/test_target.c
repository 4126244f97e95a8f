/* The table of CPU levels is ordered and consistent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "lower/target.h"

static void levels_are_found_by_name(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *all = qn_targets(&count);
  assert_true(count >= 5);
  for (uint32_t i = 0; i < count; i++)
    assert_ptr_equal(qn_target_find(qn_str_of(all[i].name)), &all[i]);
  assert_null(qn_target_find(qn_str_of("x86-64-v9")));
  assert_null(qn_target_find(qn_str_of("")));
}

static void widths_grow_and_the_baseline_is_plain(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *all = qn_targets(&count);
  assert_string_equal(all[0].name, "generic");
  assert_null(all[0].architecture);
  assert_string_equal(all[1].name, "x86-64");
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(all[i].vector_bytes, 16);
    assert_ptr_equal(all[i].dot, &qn_dot_pairs);
    assert_false(all[i].fma || all[i].rounding);
  }
  for (uint32_t i = 0; i < count; i++) {
    assert_true(all[i].index_bits == 64 || all[i].index_bits == 32);
    assert_true(all[i].line_bytes >= sizeof(int64_t));
    assert_int_equal(all[i].line_bytes & (all[i].line_bytes - 1), 0);
    assert_true(qn_target_max_bytes(&all[i]) <= (INT64_C(1) << (all[i].index_bits - 2)) - 1);
  }
  for (uint32_t i = 2; i < count; i++) {
    assert_non_null(all[i].architecture);
    bool same = strcmp(all[i].architecture, all[i - 1].architecture) == 0;
    assert_true(!same || all[i].vector_bytes >= all[i - 1].vector_bytes);
    assert_true(!same || all[i].vector_registers >= all[i - 1].vector_registers);
    assert_true(all[i].fma || !all[i].f32);
  }
}

/* Microcontrollers and "generic" prefer size, hosts speed; a preference changes nothing else. */
static void preferences_change_constants_only(void **state) {
  (void)state;
  uint32_t count;
  const qn_target *all = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    const qn_target balanced = qn_target_optimized(&all[i], QN_TRADEOFF_BALANCED);
    const qn_target small = qn_target_optimized(&all[i], QN_TRADEOFF_SIZE);
    const qn_target fast = qn_target_optimized(&all[i], QN_TRADEOFF_SPEED);
    bool prefers_size = i == 0 || all[i].index_bits == 32;
    assert_int_equal(balanced.narrow16, prefers_size);
    assert_int_equal(balanced.compact, prefers_size ? small.compact : fast.compact);
    assert_true(small.narrow16 && !fast.narrow16 && !fast.compact);
    assert_int_equal(small.compact, all[i].dot == &qn_dot_pairs);
    assert_ptr_equal(small.dot, all[i].dot);
    assert_string_equal(fast.name, all[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_are_found_by_name),
      cmocka_unit_test(widths_grow_and_the_baseline_is_plain),
      cmocka_unit_test(preferences_change_constants_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
