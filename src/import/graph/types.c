/* Types of elements, shapes and lists of numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/types.h"

#include <string.h>

static const struct {
  const char *name;
  uint8_t bits; /* 0 if not read without conversion */
} dtypes[QN_GRAPH_DTYPE_COUNT] = {
    [QN_GRAPH_UNKNOWN] = {"an unknown type", 0},
    [QN_GRAPH_FLOAT32] = {"float32", 32},
    [QN_GRAPH_FLOAT16] = {"float16", 0},
    [QN_GRAPH_INT32] = {"int32", 32},
    [QN_GRAPH_UINT8] = {"uint8", 8},
    [QN_GRAPH_INT64] = {"int64", 64},
    [QN_GRAPH_STRING] = {"string", 0},
    [QN_GRAPH_BOOL] = {"bool", 8},
    [QN_GRAPH_INT16] = {"int16", 16},
    [QN_GRAPH_COMPLEX64] = {"complex64", 0},
    [QN_GRAPH_INT8] = {"int8", 8},
    [QN_GRAPH_FLOAT64] = {"float64", 64},
    [QN_GRAPH_COMPLEX128] = {"complex128", 0},
    [QN_GRAPH_UINT64] = {"uint64", 64},
    [QN_GRAPH_RESOURCE] = {"resource", 0},
    [QN_GRAPH_VARIANT] = {"variant", 0},
    [QN_GRAPH_UINT32] = {"uint32", 32},
    [QN_GRAPH_UINT16] = {"uint16", 16},
    [QN_GRAPH_INT4] = {"int4", 0},
    [QN_GRAPH_BFLOAT16] = {"bfloat16", 0},
    [QN_GRAPH_INT2] = {"int2", 0},
};

const char *qn_graph_dtype_name(uint8_t dtype) {
  QN_ASSERT(dtype < QN_GRAPH_DTYPE_COUNT);
  return dtypes[dtype].name;
}

uint32_t qn_graph_dtype_bits(uint8_t dtype) {
  QN_ASSERT(dtype < QN_GRAPH_DTYPE_COUNT);
  return dtypes[dtype].bits;
}

int64_t qn_graph_dtype_bytes(uint8_t dtype) {
  uint32_t bits = qn_graph_dtype_bits(dtype);
  return bits ? bits / 8 : 1;
}

int64_t qn_graph_elements(const qn_graph_shape *shape) {
  int64_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++) n *= shape->dims[i];
  return n;
}

bool qn_graph_same_shape(const qn_graph_shape *a, const qn_graph_shape *b) {
  if (a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return true;
}

qn_graph_shape qn_graph_shape_of(const qn_value *value) {
  qn_graph_shape shape = {.rank = value->type->shaped.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = value->type->shaped.dims[i];
  return shape;
}

/* ---- lists ---- */

/* Loads `bytes` bytes, little-endian. */
static uint64_t load(const uint8_t *p, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << (8 * i);
  return value;
}

static uint32_t width_of(uint8_t dtype) { return dtypes[dtype].bits; }

int64_t qn_graph_int_at(qn_graph_list list, uint32_t index) {
  QN_ASSERT(index < list.count);
  const uint32_t bits = width_of(list.dtype);
  QN_ASSERT(bits > 0 && list.dtype != QN_GRAPH_FLOAT32 && list.dtype != QN_GRAPH_FLOAT64);
  const uint64_t value = load(list.bytes + (size_t)index * (bits / 8), bits / 8);
  const bool is_signed = list.dtype == QN_GRAPH_INT8 || list.dtype == QN_GRAPH_INT16 ||
                         list.dtype == QN_GRAPH_INT32 || list.dtype == QN_GRAPH_INT64;
  if (!is_signed || bits == 64) return (int64_t)value;
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)(value ^ sign) - (int64_t)sign;
}

double qn_graph_real_at(qn_graph_list list, uint32_t index) {
  QN_ASSERT(index < list.count);
  QN_ASSERT(list.dtype == QN_GRAPH_FLOAT32 || list.dtype == QN_GRAPH_FLOAT64);
  const uint32_t bytes = width_of(list.dtype) / 8;
  const uint64_t wide = load(list.bytes + (size_t)index * bytes, bytes);
  if (list.dtype == QN_GRAPH_FLOAT64) {
    double real;
    memcpy(&real, &wide, sizeof real);
    return real;
  }
  const uint32_t narrow = (uint32_t)wide;
  float real;
  memcpy(&real, &narrow, sizeof real);
  return (double)real;
}

qn_graph_list qn_graph_part_of(qn_graph_list list, uint32_t first, uint32_t count) {
  QN_ASSERT(first <= list.count && count <= list.count - first);
  return (qn_graph_list){list.bytes + (size_t)first * (width_of(list.dtype) / 8), count,
                         list.dtype};
}
