/* Levenshtein's distance between names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/spelling.h"

#include <quern/base.h>

enum { LONGEST_NAME = 64 };

/* One row of the table at a time. */
size_t qn_name_distance(qn_str name, qn_str candidate) {
  size_t row[LONGEST_NAME + 1];
  if (name.size > LONGEST_NAME || candidate.size > LONGEST_NAME) return SIZE_MAX;
  for (size_t j = 0; j <= candidate.size; j++) row[j] = j;
  for (size_t i = 1; i <= name.size; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= candidate.size; j++) {
      size_t best = diagonal + (name.data[i - 1] != candidate.data[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[candidate.size] <= 1 + name.size / 4 ? row[candidate.size] : SIZE_MAX;
}

const char *qn_nearest_name(const char *name, const char *const *names, size_t count) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    size_t distance = qn_name_distance(qn_str_of(name), qn_str_of(names[i]));
    if (distance >= least) continue;
    least = distance;
    nearest = names[i];
  }
  return nearest;
}
