/* Entries of a cache are written from where code lies: the whole of it, or nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/cache/cache.h"

#include <cmocka.h>

enum { FIRST = 5000, SECOND = 300000, BOUND = 1 << 20 };

typedef struct fixture {
  char folder[64];
  uint8_t memory[FIRST + SECOND];
  qn_cache_key key;
} fixture;

static int open_fixture(void **state) {
  static fixture f;
  f = (fixture){.folder = "/tmp/quern-entry-XXXXXX", .key.bytes = {1, 2, 3}};
  for (size_t i = 0; i < sizeof f.memory; i++) f.memory[i] = (uint8_t)(i * 7 + i / 251);
  *state = &f;
  return mkdtemp(f.folder) ? 0 : 1;
}

static int entries(const fixture *f) {
  DIR *dir = opendir(f->folder);
  int count = -2; /* . and .. */
  assert_non_null(dir);
  while (readdir(dir)) count++;
  closedir(dir);
  return count;
}

static void remove_entry(const fixture *f) {
  qn_file *file;
  qn_code code;
  if (!qn_cache_find(f->folder, &f->key, &file, &code)) return;
  qn_file_release(file);
  char command[128];
  snprintf(command, sizeof command, "rm '%s'/*.code", f->folder);
  assert_int_equal(system(command), 0);
}

static int close_fixture(void **state) {
  const fixture *f = *state;
  remove_entry(f);
  return rmdir(f->folder);
}

static qn_code code_of(const fixture *f) {
  return (qn_code){.count = 2, .parts = {{f->memory, FIRST}, {f->memory + FIRST, SECOND}}};
}

static void parts_are_found_as_they_were(void **state) {
  const fixture *f = *state;
  qn_code code = code_of(f), found;
  qn_file *file;
  assert_null(qn_cache_keep(f->folder, BOUND, &f->key, &code));
  assert_int_equal(entries(f), 1);
  assert_true(qn_cache_find(f->folder, &f->key, &file, &found));
  assert_int_equal(found.count, 2);
  for (uint32_t i = 0; i < found.count; i++) {
    assert_int_equal(found.parts[i].size, code.parts[i].size);
    assert_memory_equal(found.parts[i].data, code.parts[i].data, code.parts[i].size);
  }
  qn_file_release(file);
}

/* What may be kept counts all parts. */
static void the_bound_is_of_all_parts(void **state) {
  const fixture *f = *state;
  const qn_code code = code_of(f);
  assert_non_null(qn_cache_keep(f->folder, FIRST + SECOND, &f->key, &code));
  assert_int_equal(entries(f), 0);
}

/* Wherever it is that can't be written: no entry, and no other file. */
static void a_failure_leaves_nothing(void **state) {
  const fixture *f = *state;
  for (rlim_t most = 0; most < FIRST + SECOND; most += 30000) {
    pid_t child = fork();
    if (child == 0) {
      const qn_code code = code_of(f);
      if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most}) != 0) _exit(9);
      const char *why = qn_cache_keep(f->folder, BOUND, &f->key, &code);
      _exit(why && strcmp(why, "File too large") == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(entries(f), 0);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
  const struct CMUnitTest tests[] = {
      TEST(parts_are_found_as_they_were),
      TEST(the_bound_is_of_all_parts),
      TEST(a_failure_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
