/* The levels of the architecture of the machine that runs the tests.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_OWN_LEVELS_H
#define QN_TEST_OWN_LEVELS_H

#include <jansson.h>
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_LEVELS = 16 };

/* The levels of this machine's architecture alone, also those that it does not run. */
typedef struct own_levels {
  char names[MAX_LEVELS][32];
  size_t count;
} own_levels;

/* The architecture of a row of the list of levels; "" if it has several. */
static inline const char *sole_architecture(const json_t *row) {
  const json_t *all = json_object_get(row, "architectures");
  return json_array_size(all) == 1 ? json_string_value(json_array_get(all, 0)) : "";
}

static void levels_find(own_levels *levels) {
  char *text, own[32] = "";
  size_t size, i;
  assert_int_equal(qn_list("targets", &text, &size), QN_OK);
  json_t *list = json_loads(text, 0, NULL), *row;
  json_array_foreach(list, i, row) {
    if (json_is_true(json_object_get(row, "runs_here")) && *sole_architecture(row))
      snprintf(own, sizeof own, "%s", sole_architecture(row));
  }
  levels->count = 0;
  json_array_foreach(list, i, row) {
    if (strcmp(sole_architecture(row), own) != 0) continue;
    assert_true(levels->count < MAX_LEVELS);
    const char *name = json_string_value(json_object_get(row, "name"));
    snprintf(levels->names[levels->count++], sizeof levels->names[0], "%s", name);
  }
  json_decref(list);
  qn_free(text);
}

#endif
