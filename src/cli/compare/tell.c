/* Sentences of the report, which terminal and page share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/compare/encoding.h"
#include "cli/memory.h"

typedef struct teller {
  size_t count, most;
  compare_line *put;
  void *user;
} teller;

/* Passes a line on and frees it. */
static void tell(teller *t, char *line) {
  if (t->count++ < t->most) t->put(t->user, line);
  free(line);
}

static void tell_encodings(teller *t, const json_t *rows, const char *what) {
  size_t i;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    const json_t *encodings = json_object_get(row, "encodings");
    char text[256];
    if (!encodings) continue;
    encodings_tell(encodings, text, sizeof text);
    tell(t, cli_text("%s %.0f: %s", what, compare_number(row, what), text));
  }
}

size_t compare_tell_encodings(const json_t *report, size_t most, compare_line *put, void *user) {
  teller t = {0, most, put, user};
  tell_encodings(&t, json_object_get(report, "inputs"), "input");
  tell_encodings(&t, json_object_get(report, "tensors"), "tensor");
  return t.count;
}

/* Lists the tensors of the rows with a reason: "27, 28". The caller frees it. */
static char *tensors_with(const json_t *rows, const char *why) {
  enum { SHOWN = 8 };
  char *list = cli_text("%s", "");
  size_t i, count = 0;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    if (strcmp(compare_text(row, "why_not_alone"), why) != 0) continue;
    if (++count > SHOWN) continue;
    char *longer = cli_text("%s%s%.0f", list, count > 1 ? ", " : "", compare_number(row, "tensor"));
    free(list);
    list = longer;
  }
  char *all =
      count > SHOWN ? cli_text("%s and %zu more", list, count - SHOWN) : cli_text("%s", list);
  free(list);
  return all;
}

size_t compare_tell_unfed(const json_t *report, size_t most, compare_line *put, void *user) {
  teller t = {0, most, put, user};
  const json_t *rows = json_object_get(report, "tensors");
  json_t *told = json_object(), *row;
  size_t i;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    const char *why = compare_text(row, "why_not_alone");
    if (!why[0] || json_object_get(told, why)) continue;
    json_object_set_new(told, why, json_true());
    char *tensors = tensors_with(rows, why);
    tell(&t, cli_text("the operator of tensor %s is not run alone: %s", tensors, why));
    free(tensors);
  }
  json_decref(told);
  return t.count;
}
