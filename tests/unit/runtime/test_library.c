/* Entries from shared objects: found, missing, of another version; and files that are not shared
 * objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The first field of an entry is its version. Nothing else is read here. */
static const char source[] = "unsigned net_model[64] = {%u, 3};\n";

static void build(const char *dir, unsigned version) {
  char path[128], command[256];
  snprintf(path, sizeof path, "%s/net.c", dir);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, source, version);
  fclose(file);
  snprintf(command, sizeof command, "cc -shared -fPIC %s/net.c -o %s/net.so", dir, dir);
  assert_int_equal(system(command), 0);
}

static void opens_entries(void **state) {
  (void)state;
  char dir[] = "/tmp/quern-library-XXXXXX", path[128], reason[200] = "";
  qn_library *library;
  assert_non_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/net.so", dir);
  assert_int_equal(qn_library_open(path, "net", reason, sizeof reason, &library), QN_IO);
  assert_null(library);
  assert_non_null(strstr(reason, "net.so"));

  build(dir, QN_ABI_VERSION);
  assert_int_equal(qn_library_open(path, "net", reason, sizeof reason, &library), QN_OK);
  assert_int_equal(qn_library_model(library)->version, QN_ABI_VERSION);
  assert_int_equal(qn_library_model(library)->input_count, 3);
  qn_library_close(library);
  assert_int_equal(qn_library_open(path, "other", reason, sizeof reason, &library), QN_NOT_FOUND);
  assert_non_null(strstr(reason, "other_model"));
  char longest[400];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  assert_int_equal(qn_library_open(path, longest, reason, sizeof reason, &library), QN_INVALID);

  build(dir, QN_ABI_VERSION_PREPARED + 1);
  assert_int_equal(qn_library_open(path, "net", reason, sizeof reason, &library), QN_INVALID);
  assert_null(library);
  assert_non_null(strstr(reason, "ABI version"));
  unlink(path);
  snprintf(path, sizeof path, "%s/net.c", dir);
  unlink(path);
  rmdir(dir);
}

static void closing_nothing_is_allowed(void **state) {
  (void)state;
  qn_library_close(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opens_entries),
      cmocka_unit_test(closing_nothing_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
