/* Ranks the classes of a classifier's output.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LABELS_H
#define QN_CLI_LABELS_H

#include "cli/cli.h"

typedef struct labels {
  char *text; /* contents of the file, with lines ended by NUL */
  const char **lines;
  size_t count;
} labels;

typedef struct label_rank {
  size_t index;
  const char *label; /* label of the class; "" if there is none */
} label_rank;

cli_exit labels_read(cli *c, const char *path, labels *out_labels);
void labels_free(labels *names);

/* Returns the `top` largest elements of a tensor in order; equal ones by index. If there is one
 * label more than classes and the first is "background", labels are shifted by one. The caller
 * frees the result. */
label_rank *labels_rank(const labels *names, const qn_tensor_info *info, const void *data,
                        size_t top, size_t *out_count);

#endif
