/* Accessors for the fields of a report's row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "cli/compare/compare.h"
#include "cli/location.h"

double compare_number(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *compare_text(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

void compare_coordinate(const json_t *at, char *out, size_t size) {
  size_t used = (size_t)snprintf(out, size, "["), i;
  json_t *number;
  json_array_foreach(at, i, number) {
    if (used < size)
      used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? ", " : "",
                               (long long)json_integer_value(number));
  }
  if (used < size) snprintf(out + used, size - used, "]");
}

void compare_operator(const json_t *row, char *out, size_t size) {
  cli_operator op;
  if (cli_location_operator(compare_text(row, "operator"), &op))
    snprintf(out, size, "%d %s", op.number, op.name);
  else
    snprintf(out, size, "%s", compare_text(row, "op"));
}
