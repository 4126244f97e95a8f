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

/* "0.1.0". */
QN_API const char *qn_version(void);

QN_API qn_context *qn_context_create(void);
QN_API void qn_context_destroy(qn_context *context);

/* Receives each diagnostic, rendered ("file:1:2: error: text", notes on further lines, no newline at
 * the end). Severity: a qn_message_severity. Without a handler they go to stderr. */
typedef enum qn_message_severity {
  QN_MESSAGE_ERROR,
  QN_MESSAGE_WARNING,
  QN_MESSAGE_NOTE,
  QN_MESSAGE_REMARK,
} qn_message_severity;
typedef void qn_message_fn(void *user, int severity, const char *message);
QN_API void qn_context_set_handler(qn_context *context, qn_message_fn *handler, void *user);
/* The same in parts, for programs; notes come one by one behind what they belong to. While it is set,
 * the handler above gets nothing, and no error is left out for being one of many. */
typedef struct qn_message {
  int severity;
  const char *file; /* of the first place in a text file; empty when there is none */
  uint32_t line, column;
  const char *text;
} qn_message;
typedef void qn_message_parts_fn(void *user, const qn_message *message);
QN_API void qn_context_set_parts_handler(qn_context *context, qn_message_parts_fn *handler_or_null,
                                         void *user);
/* Writes a file so that nobody ever sees half of it, not even after an interrupt; "-" is standard
 * output. QN_IO, with a message, when that fails. */
QN_API QN_NODISCARD qn_status qn_context_write_file(qn_context *context, const char *path, qn_bytes bytes);
/* Errors reported so far. */
QN_API uint32_t qn_context_error_count(const qn_context *context);

#ifdef __cplusplus
}
#endif
#endif
