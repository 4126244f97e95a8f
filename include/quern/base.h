/* Status codes, element types, and views of strings and bytes, which every other public header
 * uses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_BASE_H
#define QUERN_BASE_H

#include <stddef.h>
#include <stdint.h>

/* The version of these headers; qn_version() returns the version of the library. The build system
 * reads the version of packages and library names from this file. */
#define QN_VERSION_MAJOR 0
#define QN_VERSION_MINOR 2
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

/* The result of a call. The message of an error is a diagnostic of the context, not part of the
 * status. The values are not exit codes; the tool maps them to its own. */
typedef enum qn_status {
  QN_OK = 0,
  QN_INVALID,     /* the input is malformed: a file, a text, a tensor of the wrong shape */
  QN_UNSUPPORTED, /* well-formed, but outside of what this version implements */
  QN_NOT_FOUND,   /* a name that does not exist: a file, a target, a pass, an input */
  QN_IO,          /* the operating system reported an error on reading or writing */
  QN_LIMIT,       /* a stated limit was reached: nesting depth, size, memory */
  QN_INTERNAL,    /* a defect of Quern itself */
} qn_status;

/* The lower-case name of a status, for messages ("invalid input"). Never NULL. */
QN_API const char *qn_status_name(qn_status status);

/* The element of `names` that is most similar to a misspelled `name`; NULL if no element is similar
 * enough. */
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

/* The kind of a file, recognized by its first bytes, for messages about wrong files: "a PNG image".
 * NULL if the kind is not recognized; the bytes may be text then. */
QN_API const char *qn_file_kind(qn_bytes bytes);

/* Element types of inputs, outputs and states in memory. The values are stored in compiled objects,
 * so new types are only added at the end. */
typedef enum qn_dtype {
  QN_DTYPE_I8 = 1,
  QN_DTYPE_U8,
  QN_DTYPE_I16,
  QN_DTYPE_I32,
  QN_DTYPE_I64,
  QN_DTYPE_F32,
  QN_DTYPE_BOOL, /* a byte, 0 or 1 */
  QN_DTYPE_U16,
  QN_DTYPE_U32,
  QN_DTYPE_U64,
  QN_DTYPE_F16,
  QN_DTYPE_F64,
} qn_dtype;
enum { QN_DTYPE_COUNT = QN_DTYPE_F64 + 1 }; /* entries of a table by qn_dtype */

#ifdef __cplusplus
}
#endif
#endif
