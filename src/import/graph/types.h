/* Common to all formats: element types, shapes, and lists of numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_TYPES_H
#define QN_IMPORT_GRAPH_TYPES_H

#include "ir/ops/ml.h"

/* Element types by their common names; a format maps its own numbers to these. Types that no shared
 * function supports exist for messages. */
typedef enum qn_graph_dtype {
  QN_GRAPH_UNKNOWN, /* not a type of the format, or unknown to us */
  QN_GRAPH_FLOAT32,
  QN_GRAPH_FLOAT16,
  QN_GRAPH_INT32,
  QN_GRAPH_UINT8,
  QN_GRAPH_INT64,
  QN_GRAPH_STRING,
  QN_GRAPH_BOOL,
  QN_GRAPH_INT16,
  QN_GRAPH_COMPLEX64,
  QN_GRAPH_INT8,
  QN_GRAPH_FLOAT64,
  QN_GRAPH_COMPLEX128,
  QN_GRAPH_UINT64,
  QN_GRAPH_RESOURCE,
  QN_GRAPH_VARIANT,
  QN_GRAPH_UINT32,
  QN_GRAPH_UINT16,
  QN_GRAPH_INT4,
  QN_GRAPH_BFLOAT16,
  QN_GRAPH_INT2,
  QN_GRAPH_DTYPE_COUNT
} qn_graph_dtype;

/* "float32"; "an unknown type". */
const char *qn_graph_dtype_name(uint8_t dtype);
/* Bits of an element in memory; 0 if the type is not read without conversion. */
uint32_t qn_graph_dtype_bits(uint8_t dtype);
/* Bytes of an element in memory. 1 for types of 0 bits, so that the number of elements is still
 * compared with the limit of a tensor's bytes. */
int64_t qn_graph_dtype_bytes(uint8_t dtype);
/* Whether the type is int32 or int64, which shapes, axes and similar operands have. */
static inline bool qn_graph_is_index(uint8_t dtype) {
  return dtype == QN_GRAPH_INT32 || dtype == QN_GRAPH_INT64;
}

enum { QN_GRAPH_MAX_RANK = QN_ML_MAX_RANK };

typedef struct qn_graph_shape {
  uint32_t rank;
  int64_t dims[QN_GRAPH_MAX_RANK];
} qn_graph_shape;

/* Number of elements of a checked shape. */
int64_t qn_graph_elements(const qn_graph_shape *shape);
bool qn_graph_same_shape(const qn_graph_shape *a, const qn_graph_shape *b);
qn_graph_shape qn_graph_shape_of(const qn_value *value);

/* A list of numbers in a file or in memory: little-endian, unaligned, not copied. */
typedef struct qn_graph_list {
  const uint8_t *bytes;
  uint32_t count;
  uint8_t dtype; /* FLOAT32, FLOAT64, or integers of 8 to 64 bits */
} qn_graph_list;

/* Integer `index`; requires index < count. */
int64_t qn_graph_int_at(qn_graph_list list, uint32_t index);
/* Float `index`; requires index < count. */
double qn_graph_real_at(qn_graph_list list, uint32_t index);
/* The sublist of `count` elements from `first` on. */
qn_graph_list qn_graph_part_of(qn_graph_list list, uint32_t first, uint32_t count);

#endif
