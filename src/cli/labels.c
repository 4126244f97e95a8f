/* Ranking the classes of a classifier's output.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/labels.h"

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
  const char *problem = cli_read_file(path, &names.text, &size);
  if (problem) return cli_fail(c, CLI_INVALID, "%s: %s", path, problem);
  size_t lines = 1;
  for (size_t i = 0; i < size; i++) lines += names.text[i] == '\n';
  names.lines = calloc(lines, sizeof *names.lines);
  if (!names.lines) abort();
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
  free(names->text);
  free(names->lines);
  *names = (labels){0};
}

/* Keeps ranks[0..count) sorted while elements come in the order of their index. */
static size_t insert(label_rank *ranks, size_t count, size_t top, size_t index,
                     const qn_tensor_info *info, const void *data) {
  double value = cli_tensor_stored(info, data, index);
  size_t at = count;
  while (at > 0 && cli_tensor_stored(info, data, ranks[at - 1].index) < value) at--;
  if (at == top) return count;
  size_t kept = count < top ? count : top - 1;
  memmove(&ranks[at + 1], &ranks[at], (kept - at) * sizeof *ranks);
  ranks[at] = (label_rank){index, ""};
  return kept + 1;
}

label_rank *labels_rank(const labels *names, const qn_tensor_info *info, const void *data,
                        size_t top, size_t *out_count) {
  size_t elements = cli_tensor_elements(info), count = 0;
  if (top > elements) top = elements;
  label_rank *ranks = calloc(top + 1, sizeof *ranks);
  if (!ranks) abort();
  for (size_t i = 0; i < elements && top; i++) count = insert(ranks, count, top, i, info, data);
  bool background = names->count == elements + 1 && strcmp(names->lines[0], "background") == 0;
  for (size_t i = 0; i < count; i++) {
    size_t line = ranks[i].index + background;
    if (line < names->count) ranks[i].label = names->lines[line];
  }
  *out_count = count;
  return ranks;
}
