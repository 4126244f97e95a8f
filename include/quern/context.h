/* The context: owns diagnostics, limits and all interned data (types, strings, locations).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_CONTEXT_H
#define QUERN_CONTEXT_H

#include <quern/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_context qn_context;

/* The version of the library, "0.2.0". Static storage. */
QN_API const char *qn_version(void);

/* Returns NULL if memory does not suffice. Everything that was created from a context must be
 * destroyed before the context. */
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

/* Receives each diagnostic as text: "file:1:2: error: text", with notes on further lines and no
 * newline at the end. It is called in the thread of the API call that reports the diagnostic.
 * `severity` is a qn_message_severity. The message is valid until the handler returns. After 100
 * errors of a context, further errors are counted but not passed to the handler. */
typedef void qn_message_fn(void *user, int severity, const char *message);
/* Sets the handler. With NULL, the initial value, errors and warnings are written to standard
 * error, and remarks are dropped. */
QN_API void qn_context_set_handler(qn_context *context, qn_message_fn *handler_or_null, void *user);

/* A diagnostic as separate fields, for programs. It is valid until the handler returns. */
typedef struct qn_message {
  int severity;          /* a qn_message_severity */
  const char *file;      /* file of the first location in a text file; empty if there is none */
  uint32_t line, column; /* counted from 1; 0 if there is no location */
  const char *text;
  const char *code;  /* code of a message about rewrite rules, "RR0101"; empty for other messages */
  const char *where; /* the location as text: "a.mlir:1:2", or "a.tflite: operator 3 (CONV_2D),
                        tensor 't'"; empty if it is unknown */
} qn_message;
typedef void qn_message_parts_fn(void *user, const qn_message *message);
/* Sets a handler that receives diagnostics as fields. Each note is passed in a separate call, after
 * the diagnostic to which it belongs. While this handler is set, the handler of
 * qn_context_set_handler is not called, and there is no maximum number of errors. */
QN_API void qn_context_set_parts_handler(qn_context *context, qn_message_parts_fn *handler_or_null,
                                         void *user);

/* Number of errors reported so far, including those that were not passed to a handler. */
QN_API uint32_t qn_context_error_count(const qn_context *context);

/* ---- limits ---- */

typedef struct qn_limits {
  size_t size;
  size_t max_memory;  /* maximum bytes of the context and everything created from it; SIZE_MAX: no
                         limit */
  double max_seconds; /* seconds from this call on; negative: no limit */
} qn_limits;
#define QN_LIMITS_INIT                                                                             \
  { sizeof(qn_limits), SIZE_MAX, -1.0 }

/* Sets limits for all later calls on this context; NULL removes them. A call that would exceed a
 * limit, or for which the system has no memory, frees what it allocated and returns QN_LIMIT, with
 * a message that names the limit. The context stays usable; a model that the call was changing in
 * place does not (quern/pipeline.h). Time is checked while files are read, passes run, models are
 * lowered and interpreted, and before each partition of code generation. While code of the JIT
 * engine runs, it is checked between kernels and in the loops around them. Memory that LLVM will
 * allocate is estimated, and must fit the limit before LLVM starts. */
QN_API void qn_context_set_limits(qn_context *context, const qn_limits *limits_or_null);
/* Bytes that are allocated now, counted like max_memory: without memory of LLVM and without mapped
 * files. */
QN_API size_t qn_context_memory(const qn_context *context);

/* ---- text ---- */

/* Replaces each control character, and each byte that is not valid UTF-8, by '?', in place.
 * Messages show text of files and command lines in this form, so that it can't control the
 * terminal. */
QN_API void qn_make_printable(char *text);

/* ---- files ---- */

/* Reads a whole file of at most 2 GiB; "-" is standard input. The data is followed by a NUL, which
 * *out_size does not count, and is freed with qn_free. Returns QN_IO or QN_LIMIT, with a message,
 * on failure. */
QN_API QN_NODISCARD qn_status qn_context_read_file(qn_context *context, const char *path,
                                                   char **out_data, size_t *out_size);
/* Writes a file atomically: no process sees a part of it, not even after an interrupt. "-" is
 * standard output. An existing file keeps its mode, owner and links. Returns QN_IO, with a message,
 * on failure.
 */
QN_API QN_NODISCARD qn_status qn_context_write_file(qn_context *context, const char *path,
                                                    qn_bytes bytes);
/* Writes several files like qn_context_write_file: all of them or none. Returns QN_INVALID if two
 * paths are the same file. */
QN_API QN_NODISCARD qn_status qn_context_write_files(qn_context *context, uint32_t count,
                                                     const char *const *paths,
                                                     const qn_bytes *bytes);

#ifdef __cplusplus
}
#endif
#endif
