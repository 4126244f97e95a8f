/* Writing files: all outputs of a command together, or none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_OUTPUT_H
#define QN_BASE_OUTPUT_H

#include <quern/base.h>
#include <stdbool.h>

#include "base/check.h"

typedef struct qn_output {
  const char *path;       /* "-" is standard output */
  const qn_bytes *pieces; /* written consecutively */
  size_t count;
  /* Mode 0600; replaces whatever has the name, links included, which are not followed. */
  bool private;
} qn_output;

/* Whether a file of this name is one that was not moved to its place yet: of a process that is at
 * it, or of one that was killed. */
bool qn_output_is_temporary(const char *name);

/* Makes every file beside its place and moves all of them there only when all could be made: a
 * failure, or a signal that ends the process, leaves what was there before and nothing else. An
 * existing file keeps its mode, its owner and its links; a symbolic link's target is written, not
 * the link. Devices, pipes and standard output can't be taken back: they are written first, and an
 * interrupt ends a write that waits. A file with other hard links, of another owner, or in a folder
 * that takes no new files is overwritten in place, as the last step.
 *
 * QN_INVALID when two paths are the same file; QN_LIMIT out of memory; QN_IO with errno's text in
 * *out_reason (static storage) and the number of the path in *out_failed. */
QN_NODISCARD qn_status qn_outputs_write(const qn_output *outputs, size_t count, size_t *out_failed,
                                        const char **out_reason);

#endif
