/* The context: diagnostics and everything interned.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_CONTEXT_H
#define QUERN_CONTEXT_H

#include <quern/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_context qn_context;

/* "0.1.0"; static. */
QN_API const char *qn_version(void);

/* NULL when out of memory. All that is made from a context is destroyed before it. */
QN_API qn_context *qn_context_create(void);
QN_API void qn_context_destroy(qn_context *context);

/* ---- diagnostics ---- */

typedef enum qn_message_severity {
  QN_MESSAGE_ERROR,
  QN_MESSAGE_WARNING,
  QN_MESSAGE_NOTE,
  QN_MESSAGE_REMARK,
  QN_MESSAGE_HELP, /* after an error or warning: what to write instead */
} qn_message_severity;

/* Receives each diagnostic, rendered ("file:1:2: error: text", notes on further lines, no newline
 * at the end), in the thread of the call that it belongs to. `severity` is a qn_message_severity;
 * the message lives until the handler returns. After 100 errors of a context the rest is counted,
 * not shown. */
typedef void qn_message_fn(void *user, int severity, const char *message);
/* NULL, as at first: errors and warnings go to standard error, remarks nowhere. */
QN_API void qn_context_set_handler(qn_context *context, qn_message_fn *handler_or_null, void *user);

/* A diagnostic in parts, for programs. It lives until the handler returns. */
typedef struct qn_message {
  int severity;          /* a qn_message_severity */
  const char *file;      /* of the first place in a text file; empty when there is none */
  uint32_t line, column; /* from 1; 0 without a place */
  const char *text;
  const char *code; /* of a message about rewrite rules, "RR0101"; empty as a rule */
} qn_message;
typedef void qn_message_parts_fn(void *user, const qn_message *message);
/* Notes come one by one after what they belong to. While it is set, the handler above gets
 * nothing, and no error is left out for being one of many. */
QN_API void qn_context_set_parts_handler(qn_context *context, qn_message_parts_fn *handler_or_null,
                                         void *user);

/* Errors reported so far, those that were not shown included. */
QN_API uint32_t qn_context_error_count(const qn_context *context);

/* ---- limits ---- */

typedef struct qn_limits {
  size_t size;
  size_t max_memory;  /* bytes that the context and all that was made from it hold; SIZE_MAX: any */
  double max_seconds; /* from now on; negative: any */
} qn_limits;
#define QN_LIMITS_INIT                                                                             \
  { sizeof(qn_limits), SIZE_MAX, -1.0 }

/* Bounds what calls on this context may take until limits are set again; NULL: nothing. A call that
 * would take more, or that the system has no memory for, gives back what it made and ends with
 * QN_LIMIT and a message that names the limit. The context stays usable then; a model that the
 * call was changing in place does not (quern/pipeline.h). Time is looked at while reading, passing,
 * lowering, planning, folding and interpreting, before each piece of code generation, and, while
 * code of the JIT engine runs, between steps and in loops around them. What LLVM allocates is
 * estimated and has to fit before LLVM begins. */
QN_API void qn_context_set_limits(qn_context *context, const qn_limits *limits_or_null);
/* Bytes held now, as max_memory counts them: without LLVM's, and without files that are mapped. */
QN_API size_t qn_context_memory(const qn_context *context);

/* ---- text ---- */

/* Makes text from files and command lines what messages show of it: '?' for each control character,
 * and for each byte that is not valid UTF-8, so that it moves no cursor. */
QN_API void qn_make_printable(char *text);

/* ---- files ---- */

/* Reads a whole file of at most 2 GiB; "-" is standard input. A NUL comes after the data, which is
 * freed with qn_free. QN_IO or QN_LIMIT, with a message, when that fails. */
QN_API QN_NODISCARD qn_status qn_context_read_file(qn_context *context, const char *path,
                                                   char **out_data, size_t *out_size);
/* Writes a file so that no process ever sees half of it, not even after an interrupt; "-" is
 * standard output. An existing file keeps its mode, owner and links. QN_IO, with a message, when
 * that fails.
 */
QN_API QN_NODISCARD qn_status qn_context_write_file(qn_context *context, const char *path,
                                                    qn_bytes bytes);
/* The same for several files: all of them or none. QN_INVALID when two paths are one file. */
QN_API QN_NODISCARD qn_status qn_context_write_files(qn_context *context, uint32_t count,
                                                     const char *const *paths,
                                                     const qn_bytes *bytes);

#ifdef __cplusplus
}
#endif
#endif
