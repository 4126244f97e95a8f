/* Reading and writing files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_FILE_H
#define QN_BASE_FILE_H

#include <quern/base.h>
#include <stdbool.h>

/* The contents of a file: mapped where the system allows it, read otherwise ("-" is standard
 * input). Reference counted: constants of a module borrow from it. */
typedef struct qn_file qn_file;

/* QN_IO with errno's text in *out_reason (static storage) when it can't be read. */
QN_NODISCARD qn_status qn_file_open(const char *path, qn_file **out_file, const char **out_reason);
/* Wraps memory; copies it when `copy`, else the caller keeps it alive as long as the file. */
qn_file *qn_file_from_memory(qn_bytes bytes, bool copy);
qn_bytes qn_file_bytes(const qn_file *file);
void qn_file_retain(qn_file *file);
void qn_file_release(qn_file *file); /* NULL is allowed */

/* Writes to PATH.tmp-PID and renames, so that a reader (or Ctrl-C) never sees half a file. "-" is
 * standard output. */
QN_NODISCARD qn_status qn_file_write(const char *path, qn_bytes bytes, const char **out_reason);

#endif
