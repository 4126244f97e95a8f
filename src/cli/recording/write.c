/* Writes recordings to directories.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/memory.h"
#include "cli/recording/files.h"
#include "cli/recording/recording.h"

/* Adds inputs and outputs: in0.npy, out0.npy ... */
static cli_exit add_ends(cli *c, const cli_tensors *t, const char *folder, cli_files *files) {
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < t->input_count && code == CLI_OK; i++) {
    qn_tensor_info info = qn_executable_input(t->executable, i);
    code = cli_files_add_array(c, files, folder, "in", i, &info, t->inputs[i]);
  }
  for (uint32_t i = 0; i < t->output_count && code == CLI_OK; i++) {
    qn_tensor_info info = qn_executable_output(t->executable, i);
    code = cli_files_add_array(c, files, folder, "out", i, &info, t->outputs[i]);
  }
  return code;
}

/* Adds a tensor. Model files have indices of 32 bits; MLIR text can have larger ones, which can't
 * be file names and are an error. */
static cli_exit add_tensor(cli *c, const recorded *t, const char *folder, json_t *rows,
                           cli_files *files) {
  if (t->info.index < 0 || t->info.index > UINT32_MAX)
    return cli_fail(c, CLI_UNSUPPORTED, "a tensor has the number %lld", (long long)t->info.index);
  uint32_t number = (uint32_t)t->info.index;
  const char *stem = number < 10 ? "t00" : number < 100 ? "t0" : "t";
  char *name = cli_text("%s%u.npy", stem, number);
  json_t *row = json_copy(t->row);
  json_object_set_new(row, "file", json_string(name));
  json_array_append_new(rows, row);
  free(name);
  return cli_files_add_array(c, files, folder, stem, number, &t->info, t->data);
}

static cli_exit finish(cli *c, cli_exit code, cli_files *files, const char *folder) {
  if (code == CLI_OK) code = cli_make_folder(c, folder);
  if (code == CLI_OK) code = cli_files_write(c, files);
  cli_files_free(files);
  return code;
}

cli_exit recording_write_dump(cli *c, const recording *r, const cli_tensors *t,
                              const char *folder) {
  cli_files files = {0};
  json_t *rows = json_array(), *index = json_copy(r->head);
  cli_exit code = add_ends(c, t, folder, &files);
  for (size_t i = 0; i < r->count && code == CLI_OK; i++)
    code = add_tensor(c, &r->tensors[i], folder, rows, &files);
  json_object_set_new(index, "tensors", rows);
  cli_files_add_text(&files, folder, "index.json",
                     json_dumps(index, JSON_INDENT(1) | JSON_ENSURE_ASCII));
  json_decref(index);
  return finish(c, code, &files, folder);
}

/* The rows of tensors.json, with the keys that verify compares. */
static json_t *golden_rows(const recording *r) {
  static const char *const keys[] = {"name", "dtype", "shape", "sha256"};
  json_t *rows = json_array();
  for (size_t i = 0; i < r->count; i++) {
    json_t *row = json_pack("{s:I}", "index", (json_int_t)r->tensors[i].info.index);
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
      json_object_set(row, keys[k], json_object_get(r->tensors[i].row, keys[k]));
    json_array_append_new(rows, row);
  }
  return rows;
}

cli_exit recording_write_case(cli *c, const recording *r, const cli_tensors *t, const char *folder,
                              const char *name) {
  char *path = cli_text("%s/%s", folder, name);
  cli_files files = {0};
  json_t *rows = golden_rows(r);
  cli_exit code = add_ends(c, t, path, &files);
  cli_files_add_text(&files, path, "record.json",
                     json_dumps(r->head, JSON_INDENT(1) | JSON_ENSURE_ASCII));
  cli_files_add_text(&files, path, "tensors.json",
                     json_dumps(rows, JSON_INDENT(1) | JSON_ENSURE_ASCII));
  json_decref(rows);
  code = finish(c, code, &files, path);
  free(path);
  return code;
}
