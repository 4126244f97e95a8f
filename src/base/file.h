/* Reading files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_FILE_H
#define QN_BASE_FILE_H

#include <quern/base.h>
#include <stdbool.h>

/* The contents of a file ("-" is standard input) as they were when it was opened; later changes of
 * the file have no effect. Reference counted, because constants of a module point into the
 * contents. */
typedef struct qn_file qn_file;

/* Reads a whole file. Returns QN_IO if it can't be read; QN_LIMIT if it is larger than 2 GiB (1 MiB
 * for a device), if memory does not suffice, or if the time limit of the call has passed. On
 * failure *out_reason is a text of errno or of this library (static storage). Reading a pipe waits
 * for its writer until the time limit at most. */
QN_NODISCARD qn_status qn_file_open(const char *path, qn_file **out_file, const char **out_reason);
/* Like qn_file_open, but with a size limit of 16 GiB if `is_long` returns true for the first bytes
 * of the file. `is_long` may be NULL. */
typedef bool qn_is_long(qn_bytes first);
QN_NODISCARD qn_status qn_file_open_long(const char *path, qn_is_long *is_long, qn_file **out_file,
                                         const char **out_reason);
/* Like qn_file_open and qn_file_open_long, but read an open file from its current position. The
 * caller closes `fd`. */
QN_NODISCARD qn_status qn_file_read(int fd, qn_file **out_file, const char **out_reason);
QN_NODISCARD qn_status qn_file_read_long(int fd, qn_is_long *is_long, qn_file **out_file,
                                         const char **out_reason);
/* A qn_file with the given bytes. If `copy` is false, the caller must keep the bytes alive as long
 * as the qn_file. */
qn_file *qn_file_from_memory(qn_bytes bytes, bool copy);
/* A qn_file with a copy of the bytes in read-only pages. The copy does not depend on the original.
 */
qn_file *qn_file_sealed(qn_bytes bytes);
bool qn_file_is_sealed(const qn_file *file);
qn_bytes qn_file_bytes(const qn_file *file);
void qn_file_retain(qn_file *file);
void qn_file_release(qn_file *file); /* NULL is allowed */

#endif
