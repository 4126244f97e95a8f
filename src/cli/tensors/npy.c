/* numpy's .npy files. The header is a Python dictionary, of which only numpy's own output is
 * accepted: the keys descr, fortran_order and shape, in any order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/npy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC_SIZE = 6, ALIGN = 64 };
_Static_assert(NPY_MAX_RANK == 64, "a message of take_shape says it");

static const struct {
  const char *descr;
  size_t size;
} dtypes[] = {
    [QN_DTYPE_I8] = {"|i1", 1},   [QN_DTYPE_U8] = {"|u1", 1},  [QN_DTYPE_I16] = {"<i2", 2},
    [QN_DTYPE_I32] = {"<i4", 4},  [QN_DTYPE_I64] = {"<i8", 8}, [QN_DTYPE_F32] = {"<f4", 4},
    [QN_DTYPE_BOOL] = {"|b1", 1}, [QN_DTYPE_U16] = {"<u2", 2}, [QN_DTYPE_U32] = {"<u4", 4},
    [QN_DTYPE_U64] = {"<u8", 8},  [QN_DTYPE_F16] = {"<f2", 2}, [QN_DTYPE_F64] = {"<f8", 8},
};
enum { DTYPE_COUNT = sizeof dtypes / sizeof dtypes[0] };

size_t npy_dtype_size(qn_dtype dtype) {
  return (size_t)dtype < DTYPE_COUNT ? dtypes[dtype].size : 0;
}

/* ---- reading the header ---- */

typedef struct scanner {
  const char *at, *end;
} scanner;

static void skip_blanks(scanner *s) {
  while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at) s->at++;
}

static bool take(scanner *s, const char *word) {
  skip_blanks(s);
  size_t size = strlen(word);
  if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0) return false;
  s->at += size;
  return true;
}

static bool take_number(scanner *s, int64_t *out) {
  skip_blanks(s);
  int64_t value = 0;
  const char *start = s->at;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
    if (__builtin_mul_overflow(value, 10, &value)) return false;
    if (__builtin_add_overflow(value, *s->at - '0', &value)) return false;
  }
  *out = value;
  return s->at > start;
}

static bool take_descr(scanner *s, qn_dtype *out) {
  for (size_t i = QN_DTYPE_I8; i < DTYPE_COUNT; i++) {
    char quoted[8];
    snprintf(quoted, sizeof quoted, "'%s'", dtypes[i].descr);
    if (take(s, quoted)) {
      *out = (qn_dtype)i;
      return true;
    }
  }
  return false;
}

static const char malformed[] = "malformed .npy header";

static const char *take_shape(scanner *s, npy *array) {
  if (!take(s, "(")) return malformed;
  while (!take(s, ")")) {
    if (array->rank == NPY_MAX_RANK) return "array has more than 64 dimensions";
    if (!take_number(s, &array->dims[array->rank++])) return malformed;
    if (!take(s, ",")) return take(s, ")") ? NULL : malformed;
  }
  return NULL;
}

static const char *read_header(scanner s, npy *array) {
  bool descr = false, order = false, shape = false;
  if (!take(&s, "{")) return malformed;
  while (!take(&s, "}")) {
    if (take(&s, "'descr':")) {
      if (!take_descr(&s, &array->dtype)) {
        return "element type is no integer or float that a model can have";
      }
      descr = true;
    } else if (take(&s, "'fortran_order':")) {
      if (take(&s, "True")) return "array is in Fortran order";
      if (!take(&s, "False")) return malformed;
      order = true;
    } else if (take(&s, "'shape':")) {
      const char *problem = shape ? malformed : take_shape(&s, array);
      if (problem) return problem;
      shape = true;
    } else {
      return malformed;
    }
    if (!take(&s, ",")) return take(&s, "}") && descr && order && shape ? NULL : malformed;
  }
  return descr && order && shape ? NULL : malformed;
}

const char *npy_decode(const void *file, size_t size, npy *out_array) {
  const uint8_t *bytes = file;
  if (size < 10 || memcmp(bytes, magic, MAGIC_SIZE) != 0) return "not an .npy file";
  if (bytes[6] < 1 || bytes[6] > 3) return "unknown version of .npy";
  size_t prefix = bytes[6] == 1 ? 10 : 12;
  if (size < prefix) return "truncated .npy file";
  size_t header = bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1) header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (header > size - prefix) return "truncated .npy file";
  npy array = {0};
  const char *text = (const char *)bytes + prefix;
  const char *problem = read_header((scanner){text, text + header}, &array);
  if (problem) return problem;
  int64_t total = (int64_t)dtypes[array.dtype].size;
  for (uint32_t i = 0; i < array.rank; i++) {
    if (__builtin_mul_overflow(total, array.dims[i], &total)) return "shape overflows";
  }
  array.data = bytes + prefix + header;
  array.bytes = size - prefix - header;
  if ((size_t)total != array.bytes) return "size of the data does not match the shape";
  const uint8_t *elements = array.data;
  for (size_t i = 0; array.dtype == QN_DTYPE_BOOL && i < array.bytes; i++)
    if (elements[i] > 1) return "a bool is neither 0 nor 1";
  *out_array = array;
  return NULL;
}

void *npy_encode(qn_dtype dtype, uint32_t rank, const int64_t *dims, const void *data, size_t bytes,
                 size_t *out_size) {
  enum { PREFIX = 10, FIXED = 128, DIM = 22 /* 19 digits, comma, blank */ };
  char header[FIXED + NPY_MAX_RANK * DIM];
  if (rank > NPY_MAX_RANK) return NULL;
  int size = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                      dtypes[dtype].descr);
  for (uint32_t i = 0; i < rank; i++) {
    size += snprintf(header + size, sizeof header - (size_t)size, "%lld%s", (long long)dims[i],
                     i + 1 < rank ? ", "
                     : rank == 1  ? ","
                                  : "");
  }
  size += snprintf(header + size, sizeof header - (size_t)size, "), }");
  /* includes the newline */
  size_t padded = (PREFIX + (size_t)size + 1 + ALIGN - 1) / ALIGN * ALIGN;
  char *file = cli_need(malloc(padded + bytes));
  memcpy(file, magic, MAGIC_SIZE);
  file[6] = 1;
  file[7] = 0;
  file[8] = (char)((padded - PREFIX) & 255);
  file[9] = (char)((padded - PREFIX) >> 8);
  memcpy(file + PREFIX, header, (size_t)size);
  memset(file + PREFIX + size, ' ', padded - PREFIX - (size_t)size - 1);
  file[padded - 1] = '\n';
  if (bytes) memcpy(file + padded, data, bytes);
  *out_size = padded + bytes;
  return file;
}
