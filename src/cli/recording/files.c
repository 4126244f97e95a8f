/* A set of files for one directory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/recording/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/memory.h"
#include "cli/tensors/npy.h"

/* Adds a file; takes ownership of path and data. */
static void add(cli_files *files, char *path, void *data, size_t size) {
  if (files->count == files->capacity) {
    files->capacity = files->capacity ? 2 * files->capacity : 64;
    files->paths = cli_need(realloc(files->paths, files->capacity * sizeof *files->paths));
    files->data = cli_need(realloc(files->data, files->capacity * sizeof *files->data));
  }
  files->paths[files->count] = path;
  files->data[files->count++] = (qn_bytes){cli_need(data), size};
}

cli_exit cli_files_add_array(cli *c, cli_files *files, const char *folder, const char *stem,
                             uint32_t number, const qn_tensor_info *info, const void *data) {
  size_t size = 0;
  if (info->rank > NPY_MAX_RANK)
    return cli_fail(c, CLI_UNSUPPORTED, "tensor '%s' has %u dimensions, and .npy files at most %d",
                    info->name, info->rank, NPY_MAX_RANK);
  void *file = npy_encode(info->dtype, info->rank, info->dims, data, info->bytes, &size);
  add(files, cli_text("%s/%s%u.npy", folder, stem, number), file, size);
  return CLI_OK;
}

void cli_files_add_text(cli_files *files, const char *folder, const char *name, char *text) {
  size_t size = strlen(cli_need(text));
  add(files, cli_text("%s/%s", folder, name), text, size);
}

cli_exit cli_make_folder(cli *c, const char *folder) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST) return CLI_OK;
  return cli_fail(c, CLI_INVALID, "%s: %s", folder, strerror(errno));
}

cli_exit cli_files_write(cli *c, const cli_files *files) {
  return cli_exit_of(qn_context_write_files(c->context, files->count,
                                            (const char *const *)files->paths, files->data));
}

void cli_files_free(cli_files *files) {
  for (uint32_t i = 0; i < files->count; i++) {
    free(files->paths[i]);
    free((void *)(uintptr_t)files->data[i].data);
  }
  free(files->paths);
  free(files->data);
  *files = (cli_files){0};
}
