/* Parses locations in messages and reports.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/location.h"

#include <stdio.h>
#include <string.h>

bool cli_location_operator(const char *location, cli_operator *out_operator) {
  const char *place = strstr(location, "operator ");
  int end = 0;
  cli_operator found;
  if (place && sscanf(place, "operator %d (%63[^)])%n", &found.number, found.name, &end) == 2 &&
      end > 0) {
    *out_operator = found;
    return true;
  }
  *out_operator = (cli_operator){-1, ""};
  return false;
}

/* Reads "3:10" from "a.mlir:3:10" or "3:10 (ml.relu)". */
static bool read_position(const char *text, unsigned *line, unsigned *column) {
  int end = 0;
  for (const char *at = text; at; at = strchr(at, ':'), at += at != NULL) {
    if (sscanf(at, "%u:%u%n", line, column, &end) == 2 && (at[end] == '\0' || at[end] == ' '))
      return true;
  }
  return false;
}

void cli_location_label(const char *location, char out[CLI_LABEL]) {
  cli_operator op;
  unsigned line, column;
  out[0] = '\0';
  if (cli_location_operator(location, &op))
    snprintf(out, CLI_LABEL, "%d", op.number);
  else if (read_position(location, &line, &column))
    snprintf(out, CLI_LABEL, "%u:%u", line, column);
}

const char *cli_location_tensor(const char *location, size_t *out_size) {
  static const char before[] = "tensor '";
  const char *name = strstr(location, before);
  const char *last = name ? strrchr(location, '\'') : NULL;
  if (name) name += sizeof before - 1;
  bool quoted = name && last >= name;
  *out_size = quoted ? (size_t)(last - name) : 0;
  return quoted ? name : NULL;
}
