/* Reading files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_FILE_H
#define QN_BASE_FILE_H

#include <quern/base.h>
#include <stdbool.h>

/* The contents of a file as they were when it was opened ("-" is standard input), whatever becomes
 * of the file. Reference counted: constants of a module borrow from it. */
typedef struct qn_file qn_file;

/* QN_IO when it can't be read, QN_LIMIT when it is larger than 2 GiB (a device: 1 MiB) or than
 * memory, or when the time of the call is over; with errno's text, or ours, in *out_reason (static
 * storage). A pipe is waited for, no longer than that time. */
QN_NODISCARD qn_status qn_file_open(const char *path, qn_file **out_file, const char **out_reason);
/* The same up to 16 GiB where `is_long` (or NULL) says so of its first bytes. */
typedef bool qn_is_long(qn_bytes first);
QN_NODISCARD qn_status qn_file_open_long(const char *path, qn_is_long *is_long, qn_file **out_file,
                                         const char **out_reason);
/* The same of an open file, from where it is; the caller closes it. */
QN_NODISCARD qn_status qn_file_read(int fd, qn_file **out_file, const char **out_reason);
/* Wraps memory; copies it when `copy`, else the caller keeps it alive as long as the file. */
qn_file *qn_file_from_memory(qn_bytes bytes, bool copy);
/* A copy in read-only pages, which outlives the original. */
qn_file *qn_file_sealed(qn_bytes bytes);
bool qn_file_is_sealed(const qn_file *file);
qn_bytes qn_file_bytes(const qn_file *file);
void qn_file_retain(qn_file *file);
void qn_file_release(qn_file *file); /* NULL is allowed */

#endif
