/* Recordings in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/recording/recording.h"

#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

static void free_all(recorded *tensors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    json_decref(tensors[i].row);
    free(tensors[i].data);
    free(tensors[i].path);
  }
  free(tensors);
}

void recording_free(recording *r) {
  free_all(r->tensors, r->count);
  free_all(r->given, r->given_count);
  free(r->inputs);
  json_decref(r->head);
  json_decref(r->places);
  *r = (recording){0};
}

cli_exit recording_data(cli *c, recorded *tensor, const void **out_data) {
  *out_data = tensor->data;
  if (tensor->data || !tensor->path) return CLI_OK;
  char *file;
  size_t size;
  npy array;
  cli_exit code = cli_read_file(c, tensor->path, &file, &size);
  if (code != CLI_OK) return code;
  const char *problem = npy_decode(file, size, &array);
  if (problem) {
    qn_free(file);
    return cli_fail(c, CLI_INVALID, "%s: %s", tensor->path, problem);
  }
  tensor->info.dtype = array.dtype;
  tensor->info.rank = array.rank;
  tensor->info.bytes = array.bytes;
  memcpy(tensor->dims, array.dims, sizeof tensor->dims);
  tensor->data = malloc(array.bytes + 1);
  if (tensor->data && array.bytes) memcpy(tensor->data, array.data, array.bytes);
  qn_free(file);
  *out_data = tensor->data;
  return tensor->data ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

/* ---- lookup ---- */

/* The key of a tensor's name. File names can't contain all characters of tensor names: "a/b"
 * becomes "a_b" in both. Keys of indices start with '#', which no name key contains. */
static char *key_of_name(const char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  char *key = cli_need(strdup(name));
  for (char *at = key; *at; at++)
    if (!strchr(plain, *at)) *at = '_';
  return key;
}

static void key_of_index(int64_t index, char key[24]) {
  snprintf(key, 24, "#%lld", (long long)index);
}

static void add_place(recording *r, const char *key, size_t place) {
  if (!json_object_get(r->places, key))
    json_object_set_new(r->places, key, json_integer((json_int_t)place));
}

void recording_finish(recording *r) {
  r->places = json_object();
  for (size_t i = 0; i < r->count; i++) {
    recorded *t = &r->tensors[i];
    char number[24], *name = key_of_name(t->info.name);
    t->info.dims = t->dims; /* set now, because adding tensors can move the array */
    key_of_index(t->info.index, number);
    if (t->info.index >= 0) add_place(r, number, i);
    if (name[0]) add_place(r, name, i);
    free(name);
  }
}

static recorded *find(const recording *r, const char *key) {
  const json_t *place = json_object_get(r->places, key);
  return place ? &r->tensors[json_integer_value(place)] : NULL;
}

recorded *recording_by_index(const recording *r, int64_t index) {
  char key[24];
  key_of_index(index, key);
  return find(r, key);
}

recorded *recording_by_name(const recording *r, const char *name) {
  char *key = key_of_name(name);
  recorded *found = find(r, key);
  free(key);
  return found;
}
