/* Status codes, element types, string and byte views: what every other public header needs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_BASE_H
#define QUERN_BASE_H

#include <stddef.h>
#include <stdint.h>

/* The version of these headers; that of the library is qn_version(). The build, the packages and
 * the names of the libraries take it from here. */
#define QN_VERSION_MAJOR 0
#define QN_VERSION_MINOR 1
#define QN_VERSION_PATCH 0
#define QN_VERSION_JOIN_(a, b, c) #a "." #b "." #c
#define QN_VERSION_TEXT_(a, b, c) QN_VERSION_JOIN_(a, b, c)
/* "MAJOR.MINOR.PATCH" */
#define QN_VERSION QN_VERSION_TEXT_(QN_VERSION_MAJOR, QN_VERSION_MINOR, QN_VERSION_PATCH)
/* For #if: whether the headers are of this version or a later one. */
#define QN_VERSION_AT_LEAST(major, minor, patch)                                                   \
  (QN_VERSION_MAJOR * 1000000 + QN_VERSION_MINOR * 1000 + QN_VERSION_PATCH >=                      \
   (major)*1000000 + (minor)*1000 + (patch))

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define QN_API __attribute__((visibility("default")))
#define QN_NODISCARD __attribute__((warn_unused_result))
#else
#define QN_API
#define QN_NODISCARD
#endif

/* How a call ended. The message, if there is one, is a diagnostic of the context, not part of the
 * status. The order is not an exit code; the tool maps it. */
typedef enum qn_status {
  QN_OK = 0,
  QN_INVALID,     /* the input is malformed: a file, a text, a tensor of the wrong shape */
  QN_UNSUPPORTED, /* well-formed, but outside of what this version implements */
  QN_NOT_FOUND,   /* a name that does not exist: a file, a target, a pass, an input */
  QN_IO,          /* the operating system rejected to read or write */
  QN_LIMIT,       /* a stated limit was reached: nesting depth, size, memory */
  QN_INTERNAL,    /* a defect of Quern itself */
} qn_status;

/* The lower-case name of a status, for messages ("invalid input"). Never NULL. */
QN_API const char *qn_status_name(qn_status status);

/* The one of `names` that was probably meant; NULL when none is near enough for a slip of the pen.
 */
QN_API const char *qn_nearest_name(const char *name, const char *const *names, size_t count);

/* A view of text: not owned, not terminated by NUL. */
typedef struct qn_str {
  const char *data;
  size_t size;
} qn_str;

/* A view of bytes: not owned. */
typedef struct qn_bytes {
  const uint8_t *data;
  size_t size;
} qn_bytes;

/* What a file is by its first bytes, to tell who gave the wrong one: "a PNG image". NULL: it may
 * be anything, such as text. */
QN_API const char *qn_file_kind(qn_bytes bytes);

/* Types of the elements of inputs, outputs and state, as they are in memory. New ones are added at
 * the end: the numbers are in compiled objects. */
typedef enum qn_dtype {
  QN_DTYPE_I8 = 1,
  QN_DTYPE_U8,
  QN_DTYPE_I16,
  QN_DTYPE_I32,
  QN_DTYPE_I64,
  QN_DTYPE_F32,
  QN_DTYPE_BOOL, /* a byte, 0 or 1 */
} qn_dtype;
enum { QN_DTYPE_COUNT = QN_DTYPE_BOOL + 1 }; /* entries of a table by qn_dtype */

#ifdef __cplusplus
}
#endif
#endif
