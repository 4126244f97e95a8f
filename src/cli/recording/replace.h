/* --replace: tensors from files that replace results of operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_REPLACE_H
#define QN_CLI_REPLACE_H

#include "cli/cli.h"

typedef struct replacement {
  int64_t index;
  const void *data;
  size_t bytes;
  char *file; /* contents of the file, to which `data` points; NULL if none */
  bool met;
} replacement;

typedef struct replacements {
  replacement *items;
  size_t count;
} replacements;

/* Reads the replacements of the command line, each TENSOR=@FILE.npy. */
cli_exit replacements_read(cli *c, replacements *out);
/* Applies the replacements to later invocations. `r` must outlive them. */
cli_exit replacements_use(cli *c, replacements *r, qn_executable *executable);
/* Checks the replacements after an invocation: a tensor that no operator wrote, or that has another
 * size, is an error. */
cli_exit replacements_check(cli *c, const replacements *r);
/* The bytes that replace a tensor; NULL if it is not replaced. */
const void *replacements_find(const replacements *r, int64_t index, size_t bytes);
void replacements_free(replacements *r);

#endif
