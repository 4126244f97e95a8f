/* Workers: every task runs once, for any number of tasks and threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <stdatomic.h>

#include "base/workers.h"

enum { MOST = 1000 };

typedef struct tally {
  atomic_uint times[MOST];
  uint32_t grain;
  atomic_uint too_large;
} tally;

static void count(void *user, uint32_t begin, uint32_t end) {
  tally *t = user;
  if (end - begin > t->grain || begin >= end) atomic_fetch_add(&t->too_large, 1);
  for (uint32_t i = begin; i < end; i++) atomic_fetch_add(&t->times[i], 1);
}

static void all_is_done_once(void **state) {
  static const uint32_t counts[] = {0, 1, 2, 7, 8, 9, 64, 999, MOST}, grains[] = {1, 3, 8, 2000};
  (void)state;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
      tally t = {.grain = grains[g]};
      qn_workers_run(counts[i], grains[g], count, &t);
      assert_int_equal(t.too_large, 0);
      for (uint32_t k = 0; k < MOST; k++) assert_int_equal(t.times[k], k < counts[i] ? 1 : 0);
    }
}

static void there_is_a_cpu(void **state) {
  (void)state;
  assert_true(qn_usable_cpus() >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_done_once),
                                     cmocka_unit_test(there_is_a_cpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
