/* Cache sizes, read from files as Linux provides them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/machine/caches.h"

static const struct {
  const char *level, *type, *size;
} caches[] = {{"1\n", "Instruction\n", "64K\n"},
              {"1\n", "Data\n", "32K\n"},
              {"2\n", "Unified\n", "1M\n"},
              {"3\n", "Unified\n", "99999999999999999999G\n"}};
enum { CACHES = sizeof caches / sizeof *caches };

static void write_file(const char *folder, size_t cache, const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/index%zu/%s", folder, cache, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void data_and_unified_caches_count(void **state) {
  (void)state;
  char folder[] = "/tmp/quern-caches-XXXXXX", path[128];
  assert_non_null(mkdtemp(folder));
  assert_int_equal(qn_cache_bytes_in(folder, 1), 0);
  for (size_t i = 0; i < CACHES; i++) {
    snprintf(path, sizeof path, "%s/index%zu", folder, i);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(folder, i, "level", caches[i].level);
    write_file(folder, i, "type", caches[i].type);
    write_file(folder, i, "size", caches[i].size);
  }
  assert_int_equal(qn_cache_bytes_in(folder, 1), 32 << 10);
  assert_int_equal(qn_cache_bytes_in(folder, 2), 1 << 20);
  assert_int_equal(qn_cache_bytes_in(folder, 3), 0); /* no size of a cache */
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
}

static void sizes_grow_with_the_level(void **state) {
  (void)state;
  size_t first = qn_cache_bytes(1), second = qn_cache_bytes(2);
  assert_true(second == 0 || first <= second);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(data_and_unified_caches_count),
                                     cmocka_unit_test(sizes_grow_with_the_level)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
