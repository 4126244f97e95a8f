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
  /* Created with mode 0600. Replaces an existing file of that name; if that is a symbolic link, the
   * link is replaced, not its target. */
  bool private;
} qn_output;

/* Whether a file of this name is a temporary file of qn_outputs_write: a process is writing it now,
 * or was killed while it did. */
bool qn_output_is_temporary(const char *name);

/* Writes every file under a temporary name in the same directory, and renames all of them only
 * after all could be written. After a failure, or a signal that ends the process, the directory is
 * as before. An existing file keeps its mode, its owner and its links. A symbolic link stays, and
 * its target is written. Output to devices, pipes and standard output can't be undone, so these are
 * written first; an interrupt ends a write that blocks. A file with other hard links, of another
 * owner, or in a directory without write permission is overwritten in place, as the last step.
 *
 * Returns QN_INVALID if two paths are the same file; QN_LIMIT if memory does not suffice; QN_IO
 * otherwise, with errno's text in *out_reason (static storage) and the index of the failed output
 * in *out_failed. */
QN_NODISCARD qn_status qn_outputs_write(const qn_output *outputs, size_t count, size_t *out_failed,
                                        const char **out_reason);

#endif
