/* Directories of recorded cases: DIR/CASE/in<k>.npy, out<k>.npy, tensors.json. With several
 * invocations, in<k>.<n>.npy and out<k>.<n>.npy belong to the n-th.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_GOLDEN_H
#define QN_CLI_GOLDEN_H

#include "cli/cli.h"

typedef struct golden_case {
  char *name, *path;
  uint32_t invocations;
  bool numbered;
} golden_case;

typedef struct golden {
  golden_case *cases; /* sorted by name */
  size_t count;
} golden;

/* Opens a directory of cases. A directory without cases is an error. */
cli_exit golden_open(cli *c, const char *folder, golden *out_golden);
void golden_close(golden *g);
/* Path of "in0.npy", "in0.2.npy", or, if index < 0, a file without index ("tensors.json"). The
 * caller frees it. */
char *golden_path(const golden_case *one, uint32_t invocation, const char *stem, int64_t index,
                  const char *suffix);

/* A row of tensors.json. */
typedef struct golden_tensor {
  int64_t index;
  const char *name, *sha256;
} golden_tensor;
typedef struct golden_tensors {
  void *json; /* owns the strings of the row */
  golden_tensor *rows;
  size_t count;
} golden_tensors;
cli_exit golden_read_tensors(cli *c, const char *path, golden_tensors *out_tensors);
void golden_tensors_free(golden_tensors *tensors);

#endif
