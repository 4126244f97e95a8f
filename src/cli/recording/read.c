/* Reads recordings from directories: a dump of this tool or of a script, a case of a golden
 * directory, or .npy files of another runtime, of which only names are known.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/golden.h"
#include "cli/memory.h"
#include "cli/recording/recording.h"

static char *path_in(const char *folder, const char *name) {
  return cli_text("%s/%s", folder, name);
}

static bool has(const char *folder, const char *name) {
  char *path = path_in(folder, name);
  bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

static cli_exit reserve(cli *c, recording *r, size_t count) {
  r->tensors = calloc(count + 1, sizeof *r->tensors);
  return r->tensors ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

/* A row with index and name only, for a tensor of which nothing else is known. */
static json_t *bare_row(int64_t index, const char *name) {
  json_t *row = json_pack("{s:I, s:s}", "tensor", (json_int_t)index, "name", name);
  return row ? row : json_pack("{s:I, s:s}", "tensor", (json_int_t)index, "name", "");
}

static void add(recording *r, json_t *row, int64_t index, char *path) {
  recorded *t = &r->tensors[r->count++];
  const char *name = json_string_value(json_object_get(row, "name"));
  const json_t *scales = json_object_get(row, "scales");
  *t = (recorded){.row = row, .path = path};
  t->info = (qn_tensor_info){.name = name ? name : "", .index = index, .dims = t->dims};
  if (json_array_size(scales) != 1) return;
  t->info.scale = json_number_value(json_array_get(scales, 0));
  t->info.zero_point = json_integer_value(json_array_get(json_object_get(row, "zero_points"), 0));
}

/* ---- dumps ---- */

static cli_exit add_dumped(cli *c, const char *folder, size_t i, json_t *row, recording *r) {
  json_int_t index = -1;
  const char *name, *file, *sha256 = "";
  if (json_unpack(row, "{s:I, s:s, s:s, s?s}", "tensor", &index, "name", &name, "file", &file,
                  "sha256", &sha256) != 0 ||
      strchr(file, '/'))
    return cli_fail(c, CLI_INVALID,
                    "%s/index.json: tensor %zu lacks tensor, name or file, a name without '/'",
                    folder, i);
  add(r, json_incref(row), index, path_in(folder, file));
  snprintf(r->tensors[r->count - 1].sha256, DIGEST_HEX, "%s", sha256);
  return CLI_OK;
}

static cli_exit read_index(cli *c, const char *folder, recording *r) {
  char *path = path_in(folder, "index.json"), *text = NULL;
  size_t size = 0, i;
  json_error_t error;
  cli_exit code = cli_read_text(c, path, &text, &size);
  r->head = code == CLI_OK ? json_loadb(text, size, 0, &error) : NULL;
  qn_free(text);
  json_t *row, *rows = json_object_get(r->head, "tensors");
  if (code == CLI_OK && !r->head)
    code = cli_fail(c, CLI_INVALID, "%s:%d: %s", path, error.line, error.text);
  json_int_t version = json_integer_value(json_object_get(r->head, "version"));
  if (code == CLI_OK && version > RECORDING_VERSION)
    code = cli_fail(c, CLI_UNSUPPORTED, "%s: version %lld is newer than this program", path,
                    (long long)version);
  if (code == CLI_OK && (version < 1 || !json_is_array(rows)))
    code = cli_fail(c, CLI_INVALID, "%s: no version, or no list of tensors", path);
  free(path);
  if (code == CLI_OK) code = reserve(c, r, json_array_size(rows));
  if (code != CLI_OK) return code;
  r->ordered = true;
  json_array_foreach(rows, i, row) {
    if ((code = add_dumped(c, folder, i, row, r)) != CLI_OK) return code;
  }
  json_object_del(r->head, "tensors");
  return CLI_OK;
}

/* ---- cases ---- */

static cli_exit read_case(cli *c, const char *folder, recording *r) {
  char *path = path_in(folder, "tensors.json");
  golden_tensors rows;
  cli_exit code = golden_read_tensors(c, path, &rows);
  free(path);
  if (code != CLI_OK) return code;
  code = reserve(c, r, rows.count);
  for (size_t i = 0; i < rows.count && code == CLI_OK; i++) {
    json_t *row = bare_row(rows.rows[i].index, rows.rows[i].name);
    json_object_set_new(row, "sha256", json_string(rows.rows[i].sha256));
    add(r, row, rows.rows[i].index, NULL);
    snprintf(r->tensors[i].sha256, DIGEST_HEX, "%s", rows.rows[i].sha256);
  }
  golden_tensors_free(&rows);
  r->only_digests = true;
  r->ordered = true;
  return code;
}

/* If a directory of cases has a single case, returns its path. With several cases, the command line
 * must name one. */
static cli_exit only_case(cli *c, const char *folder, const struct dirent *const *entries,
                          int count, char **out_path) {
  char *found = NULL, names[256] = "";
  size_t cases = 0, used = 0;
  for (int i = 0; i < count; i++) {
    char *path = path_in(folder, entries[i]->d_name);
    bool is_case = has(path, "tensors.json");
    if (is_case && used < sizeof names)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", cases ? ", " : "",
                               entries[i]->d_name);
    cases += is_case;
    if (is_case && !found)
      found = path;
    else
      free(path);
  }
  *out_path = found;
  if (cases < 2) return CLI_OK;
  free(found);
  *out_path = NULL;
  return cli_fail(c, CLI_USAGE, "%s has several cases, name the folder of one: %s", folder, names);
}

/* ---- files without an index ---- */

/* The index in "t112.npy" or "112.npy": 112. */
static int64_t index_of(const char *file) {
  const char *digits = file + (file[0] == 't');
  const char *end;
  int64_t index;
  bool numbered = cli_read_integer(digits, &end, &index) && index >= 0 && strcmp(end, ".npy") == 0;
  return numbered ? index : -1;
}

static bool is_end(const char *file) {
  int number, end = 0;
  return (sscanf(file, "in%d.npy%n", &number, &end) == 1 && end > 0 && !file[end]) ||
         (sscanf(file, "out%d.npy%n", &number, &end) == 1 && end > 0 && !file[end]);
}

static int by_index(const void *a, const void *b) {
  int64_t left = ((const recorded *)a)->info.index, right = ((const recorded *)b)->info.index;
  return (left > right) - (left < right);
}

static cli_exit read_files(cli *c, const char *folder, const struct dirent *const *entries,
                           int count, recording *r) {
  cli_exit code = reserve(c, r, (size_t)count);
  for (int i = 0; i < count && code == CLI_OK; i++) {
    const char *file = entries[i]->d_name;
    size_t size = strlen(file);
    if (size < 5 || strcmp(file + size - 4, ".npy") != 0 || is_end(file)) continue;
    int64_t index = index_of(file);
    char *stem = cli_need(strndup(file, size - 4));
    add(r, bare_row(index, index < 0 ? stem : ""), index, path_in(folder, file));
    free(stem);
  }
  if (code == CLI_OK && !r->count)
    code = cli_fail(c, CLI_INVALID,
                    "%s: neither index.json, tensors.json nor .npy files of tensors", folder);
  qsort(r->tensors, r->count, sizeof *r->tensors, by_index);
  return code;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static cli_exit read_unnamed(cli *c, const char *folder, recording *r, char **out_case) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_visible, alphasort);
  if (count < 0) return cli_fail(c, CLI_INVALID, "%s: %s", folder, strerror(errno));
  const struct dirent *const *all = (const struct dirent *const *)entries;
  cli_exit code = only_case(c, folder, all, count, out_case);
  if (code == CLI_OK && !*out_case) code = read_files(c, folder, all, count, r);
  for (int i = 0; i < count; i++) free(entries[i]);
  free(entries);
  return code;
}

cli_exit recording_read(cli *c, const char *folder, recording *out_recording) {
  recording r = {0};
  char *one = NULL;
  cli_exit code = CLI_OK;
  if (has(folder, "index.json"))
    code = read_index(c, folder, &r);
  else if (has(folder, "tensors.0.json"))
    code = cli_fail(c, CLI_UNSUPPORTED, "%s has several invocations: replay it with 'quern verify'",
                    folder);
  else if (!has(folder, "tensors.json"))
    code = read_unnamed(c, folder, &r, &one);
  const char *from = one ? one : folder;
  if (code == CLI_OK && has(from, "tensors.json") && !r.tensors) code = read_case(c, from, &r);
  if (code == CLI_OK && has(from, "in0.npy")) r.inputs = strdup(from);
  recording_finish(&r);
  free(one);
  if (code != CLI_OK) recording_free(&r);
  *out_recording = r;
  return code;
}
