/* A set of files for one directory that is written atomically: all of them, or none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FILES_H
#define QN_CLI_FILES_H

#include "cli/cli.h"

typedef struct cli_files {
  char **paths;
  qn_bytes *data; /* owned */
  uint32_t count, capacity;
} cli_files;

/* Adds FOLDER/STEM<number>.npy with an array of the tensor's type. */
cli_exit cli_files_add_array(cli *c, cli_files *files, const char *folder, const char *stem,
                             uint32_t number, const qn_tensor_info *info, const void *data);
/* Adds FOLDER/NAME; takes ownership of `text`, which is from malloc. */
void cli_files_add_text(cli_files *files, const char *folder, const char *name, char *text);
/* Creates a directory unless it exists; its parent must exist. */
cli_exit cli_make_folder(cli *c, const char *folder);
cli_exit cli_files_write(cli *c, const cli_files *files);
void cli_files_free(cli_files *files);

#endif
