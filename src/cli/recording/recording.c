/* Recordings in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/recording/recording.h"

#include <stdlib.h>
#include <string.h>

void recording_free(recording *r) {
  for (size_t i = 0; i < r->count; i++) {
    json_decref(r->tensors[i].row);
    free(r->tensors[i].data);
    free(r->tensors[i].path);
  }
  free(r->tensors);
  free(r->inputs);
  json_decref(r->head);
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

recorded *recording_by_index(const recording *r, int64_t index) {
  for (size_t i = 0; index >= 0 && i < r->count; i++)
    if (r->tensors[i].info.index == index) return &r->tensors[i];
  return NULL;
}

/* Names of files can't have what names of tensors can: "a/b" is "a_b" there. */
static bool same_name(const char *a, const char *b) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  for (; *a && *b; a++, b++) {
    char left = strchr(plain, *a) ? *a : '_', right = strchr(plain, *b) ? *b : '_';
    if (left != right) return false;
  }
  return !*a && !*b;
}

recorded *recording_by_name(const recording *r, const char *name) {
  for (size_t i = 0; name[0] && i < r->count; i++)
    if (same_name(r->tensors[i].info.name, name)) return &r->tensors[i];
  return NULL;
}
