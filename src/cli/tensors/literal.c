/* Tensors written on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/literal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

static const struct {
  const char *name;
  qn_dtype dtype;
  int64_t min, max;
} types[] = {
    {"i8", QN_DTYPE_I8, INT8_MIN, INT8_MAX},
    {"int8", QN_DTYPE_I8, INT8_MIN, INT8_MAX},
    {"ui8", QN_DTYPE_U8, 0, UINT8_MAX},
    {"u8", QN_DTYPE_U8, 0, UINT8_MAX},
    {"uint8", QN_DTYPE_U8, 0, UINT8_MAX},
    {"i16", QN_DTYPE_I16, INT16_MIN, INT16_MAX},
    {"int16", QN_DTYPE_I16, INT16_MIN, INT16_MAX},
    {"i32", QN_DTYPE_I32, INT32_MIN, INT32_MAX},
    {"int32", QN_DTYPE_I32, INT32_MIN, INT32_MAX},
    {"i64", QN_DTYPE_I64, INT64_MIN, INT64_MAX},
    {"int64", QN_DTYPE_I64, INT64_MIN, INT64_MAX},
    {"f32", QN_DTYPE_F32, 0, 0},
    {"float32", QN_DTYPE_F32, 0, 0},
    {"ui16", QN_DTYPE_U16, 0, UINT16_MAX},
    {"uint16", QN_DTYPE_U16, 0, UINT16_MAX},
    {"ui32", QN_DTYPE_U32, 0, UINT32_MAX},
    {"uint32", QN_DTYPE_U32, 0, UINT32_MAX},
    {"ui64", QN_DTYPE_U64, 0, INT64_MAX}, /* larger ones only in files */
    {"uint64", QN_DTYPE_U64, 0, INT64_MAX},
    {"f64", QN_DTYPE_F64, 0, 0},
    {"float64", QN_DTYPE_F64, 0, 0},
    {"i1", QN_DTYPE_BOOL, 0, 1},
    {"bool", QN_DTYPE_BOOL, 0, 1},
};
enum { TYPE_COUNT = sizeof types / sizeof types[0], MAX_ELEMENTS = 1 << 24 };

/* Parses "2x3xi8" up to the '='. Returns the index of the type; -1 if it is unknown. */
static int parse_type(const char *text, literal *value, const char **out_values) {
  while (*text >= '0' && *text <= '9') {
    char *end;
    errno = 0;
    long long dim = strtoll(text, &end, 10);
    if (errno || *end != 'x' || dim < 1 || value->rank == NPY_MAX_RANK) return -1;
    value->dims[value->rank++] = dim;
    text = end + 1;
  }
  for (int i = 0; i < TYPE_COUNT; i++) {
    size_t size = strlen(types[i].name);
    if (strncmp(text, types[i].name, size) == 0 && text[size] == '=') {
      *out_values = text + size + 1;
      return i;
    }
  }
  return -1;
}

/* Parses one number at `*at` and stores it at `to`. */
static bool parse_value(int type, const char **at, char *to) {
  char *end;
  errno = 0;
  if (types[type].dtype == QN_DTYPE_F32) {
    float real = strtof(*at, &end);
    memcpy(to, &real, sizeof real);
  } else if (types[type].dtype == QN_DTYPE_F64) {
    double real = strtod(*at, &end);
    memcpy(to, &real, sizeof real);
  } else {
    long long integer = strtoll(*at, &end, 10);
    if (errno || integer < types[type].min || integer > types[type].max) return false;
    memcpy(to, &integer, npy_dtype_size(types[type].dtype)); /* little-endian */
  }
  bool moved = end != *at;
  *at = end;
  return moved;
}

static const char *parse_values(int type, const char *at, literal *value, int64_t count) {
  size_t size = npy_dtype_size(value->dtype);
  char *data = value->data;
  int64_t given = 0;
  for (;; at++) {
    if (given == count) return "more values than elements";
    if (!parse_value(type, &at, data + (size_t)given * size))
      return "a value is out of range or no number";
    given++;
    if (*at != ',') break;
  }
  if (*at) return "a value is not a number";
  if (given != 1 && given != count) return "fewer values than elements";
  for (int64_t i = given; i < count; i++) memcpy(data + (size_t)i * size, data, size);
  return NULL;
}

bool literal_is_one(const char *text) {
  literal value = {0};
  const char *values;
  return parse_type(text, &value, &values) >= 0;
}

const char *literal_parse(const char *text, literal *out_literal) {
  literal value = {0};
  const char *values;
  int type = parse_type(text, &value, &values);
  if (type < 0)
    return "neither @FILE.npy, random:SEED, a literal like 4xi8=1,2,3,4, nor one of these behind "
           "the name of an input and '='";
  value.dtype = types[type].dtype;
  int64_t count = 1;
  for (uint32_t i = 0; i < value.rank; i++) {
    if (__builtin_mul_overflow(count, value.dims[i], &count)) return "too many elements";
  }
  if (count > MAX_ELEMENTS) return "too many elements";
  /* one more element, because calloc(0) may return NULL */
  value.data = cli_need(calloc((size_t)count + 1, npy_dtype_size(value.dtype)));
  const char *problem = parse_values(type, values, &value, count);
  if (problem) {
    literal_free(&value);
    return problem;
  }
  *out_literal = value;
  return NULL;
}

void literal_free(literal *value) {
  free(value->data);
  value->data = NULL;
}
