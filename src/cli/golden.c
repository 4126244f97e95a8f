/* Directories of recorded cases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/golden.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *golden_path(const golden_case *one, uint32_t invocation, const char *stem, int64_t index,
                  const char *suffix) {
  char number[24] = "", order[16] = "";
  if (index >= 0) snprintf(number, sizeof number, "%lld", (long long)index);
  if (one->numbered) snprintf(order, sizeof order, ".%u", invocation);
  return cli_text("%s/%s%s%s.%s", one->path, stem, number, order, suffix);
}

static bool exists(const golden_case *one, uint32_t invocation) {
  char *path = golden_path(one, invocation, "tensors", -1, "json");
  bool found = access(path, F_OK) == 0;
  free(path);
  return found;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Counts the invocations of a case; 0 if the directory is not a case. */
static golden_case open_case(const char *folder, const char *name) {
  golden_case one = {.name = cli_text("%s", name), .path = cli_text("%s/%s", folder, name)};
  if (exists(&one, 0)) {
    one.invocations = 1;
    return one;
  }
  one.numbered = true;
  while (exists(&one, one.invocations)) one.invocations++;
  return one;
}

static void free_case(golden_case *one) {
  free(one->name);
  free(one->path);
}

cli_exit golden_open(cli *c, const char *folder, golden *out_golden) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_visible, alphasort);
  if (count < 0) return cli_fail(c, CLI_INVALID, "%s: %s", folder, strerror(errno));
  golden g = {.cases = cli_need(calloc((size_t)count + 1, sizeof *g.cases))};
  for (int i = 0; i < count; i++) {
    golden_case one = open_case(folder, entries[i]->d_name);
    if (one.invocations) g.cases[g.count++] = one;
    if (!one.invocations) free_case(&one);
    free(entries[i]);
  }
  free(entries);
  *out_golden = g;
  if (g.count) return CLI_OK;
  golden_close(out_golden);
  return cli_fail(c, CLI_INVALID, "%s: no folder in it has a tensors.json", folder);
}

void golden_close(golden *g) {
  for (size_t i = 0; i < g->count; i++) free_case(&g->cases[i]);
  free(g->cases);
  *g = (golden){0};
}

cli_exit golden_read_tensors(cli *c, const char *path, golden_tensors *out_tensors) {
  json_error_t error;
  char *text;
  size_t size;
  cli_exit code = cli_read_text(c, path, &text, &size);
  if (code != CLI_OK) return code;
  json_t *json = json_loadb(text, size, 0, &error);
  qn_free(text);
  if (!json) return cli_fail(c, CLI_INVALID, "%s:%d: %s", path, error.line, error.text);
  if (json_array_size(json) == 0) { /* an empty list would verify nothing */
    json_decref(json);
    return cli_fail(c, CLI_INVALID, "%s: not a list of tensors with at least one entry", path);
  }
  golden_tensors tensors = {
      .json = json, .rows = cli_need(calloc(json_array_size(json) + 1, sizeof *tensors.rows))};
  size_t i;
  json_t *row;
  json_array_foreach(json, i, row) {
    json_int_t index = -1;
    golden_tensor tensor = {0};
    if (json_unpack(row, "{s:I, s:s, s:s}", "index", &index, "name", &tensor.name, "sha256",
                    &tensor.sha256) != 0) {
      golden_tensors_free(&tensors);
      return cli_fail(c, CLI_INVALID, "%s: entry %zu lacks index, name or sha256", path, i);
    }
    tensor.index = index;
    tensors.rows[tensors.count++] = tensor;
  }
  *out_tensors = tensors;
  return CLI_OK;
}

void golden_tensors_free(golden_tensors *tensors) {
  json_decref(tensors->json);
  free(tensors->rows);
  *tensors = (golden_tensors){0};
}
