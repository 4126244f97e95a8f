/* Ranks the classes of a classifier's output.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tensors/tensors.h"

static void end_line(char *line) {
  size_t size = strcspn(line, "\r");
  line[size] = '\0';
}

cli_exit labels_read(cli *c, const char *path, labels *out_labels) {
  labels names = {0};
  size_t size;
  cli_exit code = cli_read_text(c, path, &names.text, &size);
  if (code != CLI_OK) return code;
  size_t lines = 1;
  for (size_t i = 0; i < size; i++) lines += names.text[i] == '\n';
  names.lines = cli_need(calloc(lines, sizeof *names.lines));
  for (char *at = names.text; at < names.text + size;) {
    char *end = memchr(at, '\n', (size_t)(names.text + size - at));
    if (end) *end = '\0';
    names.lines[names.count++] = at;
    at = end ? end + 1 : names.text + size;
  }
  for (size_t i = 0; i < names.count; i++) end_line((char *)(uintptr_t)names.lines[i]);
  *out_labels = names;
  return CLI_OK;
}

void labels_free(labels *names) {
  qn_free(names->text);
  free(names->lines);
  *names = (labels){0};
}

typedef struct score {
  double value;
  size_t index;
} score;

/* Compares scores: largest first, NaN last, equal scores by index. */
static int compare(const void *left, const void *right) {
  const score *a = left, *b = right;
  if (isnan(a->value) != isnan(b->value)) return isnan(a->value) ? 1 : -1;
  if (!isnan(a->value) && a->value != b->value) return a->value > b->value ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

label_rank *labels_rank(const labels *names, const qn_tensor_info *info, const void *data,
                        size_t top, size_t *out_count) {
  size_t elements = cli_tensor_elements(info), count = top < elements ? top : elements;
  score *scores = cli_need(calloc(elements + 1, sizeof *scores));
  label_rank *ranks = cli_need(calloc(count + 1, sizeof *ranks));
  for (size_t i = 0; i < elements; i++) scores[i] = (score){cli_tensor_stored(info, data, i), i};
  qsort(scores, elements, sizeof *scores, compare);
  for (size_t i = 0; i < count; i++) ranks[i] = (label_rank){scores[i].index, ""};
  free(scores);
  bool background = names->count == elements + 1 && strcmp(names->lines[0], "background") == 0;
  for (size_t i = 0; i < count; i++) {
    size_t line = ranks[i].index + background;
    if (line < names->count) ranks[i].label = names->lines[line];
  }
  *out_count = count;
  return ranks;
}
