/* Tensors: types, shapes and data. Raw data of whole bytes are borrowed from the file, and so are
 * floats in a field of their own; other numbers are decoded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "import/graph/batch.h"
#include "import/onnx/onnx.h"

/* Element types, as numbered in the file: name, common type, bits of an element in raw data. */
static const struct stored_type {
  const char *name;
  uint8_t dtype, bits;
  qn_pb_row field; /* field of numbers that are not raw */
} types[] = {
    [0] = {"no type", QN_GRAPH_UNKNOWN, 0, QN_PB_TENSOR},
    [QN_ONNX_FLOAT] = {"float32", QN_GRAPH_FLOAT32, 32, QN_PB_TENSOR_FLOAT_DATA},
    [QN_ONNX_UINT8] = {"uint8", QN_GRAPH_UINT8, 8, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT8] = {"int8", QN_GRAPH_INT8, 8, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_UINT16] = {"uint16", QN_GRAPH_UINT16, 16, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT16] = {"int16", QN_GRAPH_INT16, 16, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT32] = {"int32", QN_GRAPH_INT32, 32, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT64] = {"int64", QN_GRAPH_INT64, 64, QN_PB_TENSOR_INT64_DATA},
    [QN_ONNX_STRING] = {"string", QN_GRAPH_STRING, 0, QN_PB_TENSOR_STRING_DATA},
    [QN_ONNX_BOOL] = {"bool", QN_GRAPH_BOOL, 8, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_FLOAT16] = {"float16", QN_GRAPH_FLOAT16, 16, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_DOUBLE] = {"float64", QN_GRAPH_FLOAT64, 64, QN_PB_TENSOR_DOUBLE_DATA},
    [QN_ONNX_UINT32] = {"uint32", QN_GRAPH_UINT32, 32, QN_PB_TENSOR_UINT64_DATA},
    [QN_ONNX_UINT64] = {"uint64", QN_GRAPH_UINT64, 64, QN_PB_TENSOR_UINT64_DATA},
    [14] = {"complex64", QN_GRAPH_COMPLEX64, 64, QN_PB_TENSOR_FLOAT_DATA},
    [15] = {"complex128", QN_GRAPH_COMPLEX128, 128, QN_PB_TENSOR_DOUBLE_DATA},
    [QN_ONNX_BFLOAT16] = {"bfloat16", QN_GRAPH_BFLOAT16, 16, QN_PB_TENSOR_INT32_DATA},
    [17] = {"float8e4m3fn", QN_GRAPH_UNKNOWN, 8, QN_PB_TENSOR_INT32_DATA},
    [18] = {"float8e4m3fnuz", QN_GRAPH_UNKNOWN, 8, QN_PB_TENSOR_INT32_DATA},
    [19] = {"float8e5m2", QN_GRAPH_UNKNOWN, 8, QN_PB_TENSOR_INT32_DATA},
    [20] = {"float8e5m2fnuz", QN_GRAPH_UNKNOWN, 8, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_UINT4] = {"uint4", QN_GRAPH_UINT8, 4, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT4] = {"int4", QN_GRAPH_INT8, 4, QN_PB_TENSOR_INT32_DATA},
    [23] = {"float4e2m1", QN_GRAPH_UNKNOWN, 4, QN_PB_TENSOR_INT32_DATA},
    [24] = {"float8e8m0", QN_GRAPH_UNKNOWN, 8, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_UINT2] = {"uint2", QN_GRAPH_UINT8, 2, QN_PB_TENSOR_INT32_DATA},
    [QN_ONNX_INT2] = {"int2", QN_GRAPH_INT8, 2, QN_PB_TENSOR_INT32_DATA},
};

static const struct stored_type *type_of(int64_t type) {
  return &types[type > 0 && type < (int64_t)QN_COUNT(types) ? type : 0];
}

uint8_t qn_onnx_dtype(int64_t type) { return type_of(type)->dtype; }
const char *qn_onnx_type_name(int64_t type) { return type_of(type)->name; }
uint32_t qn_onnx_narrow_bits(int64_t type) {
  const struct stored_type *t = type_of(type);
  return t->dtype != QN_GRAPH_UNKNOWN && t->bits < 8 ? t->bits : 0;
}

/* ---- shapes ---- */

static bool read_dims(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message) {
  size_t rank = qn_pb_count(message, QN_PB_TENSOR_DIMS);
  if (rank > QN_GRAPH_MAX_RANK) {
    qn_graph_problem(graph, op, tensor, QN_LIMIT, "rank %zu is above the limit of %d", rank,
                     QN_GRAPH_MAX_RANK);
    return false;
  }
  tensor->shape.rank = (uint32_t)rank;
  qn_pb_numbers(message, QN_PB_TENSOR_DIMS, tensor->shape.dims);
  return qn_graph_check_size_at(graph, op, tensor, &tensor->shape);
}

/* Reads the type of a model input and binds its unknown dimensions. */
static bool read_type(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *type) {
  const qn_pb_message *of = qn_pb_child(type, QN_PB_TYPE_TENSOR_TYPE), *dim;
  const qn_pb_message *shape = qn_pb_child(of, QN_PB_TENSOR_TYPE_SHAPE);
  if (!of) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED,
                     "it is not a tensor; sequences, maps and optional values are not supported");
    return false;
  }
  int64_t elements = qn_pb_int(of, QN_PB_TENSOR_TYPE_ELEM_TYPE);
  tensor->stored_dtype = (uint8_t)elements;
  tensor->dtype = qn_onnx_dtype(elements);
  if (tensor->dtype == QN_GRAPH_UNKNOWN || type_of(elements)->bits == 0) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED, "an input of type %s is not supported",
                     qn_onnx_type_name(elements));
    return false;
  }
  const uint32_t bits = type_of(elements)->bits;
  qn_onnx_extra(graph, tensor)->bits = bits < 8 ? (uint8_t)bits : 0; /* a byte each outside */
  if (!shape && tensor->given) {                                     /* it says the shape */
    tensor->shape.rank = tensor->given->rank;
    tensor->dynamic = UINT32_MAX;
    return true;
  }
  if (!shape) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED,
                     "an input without a shape is not supported");
    return false;
  }
  size_t rank = qn_pb_count(shape, QN_PB_SHAPE_DIM);
  if (rank > QN_GRAPH_MAX_RANK) {
    qn_graph_problem(graph, op, tensor, QN_LIMIT, "rank %zu is above the limit of %d", rank,
                     QN_GRAPH_MAX_RANK);
    return false;
  }
  qn_str *names = QN_NEW_ARRAY(&graph->arena, rank, qn_str);
  tensor->shape.rank = (uint32_t)rank;
  tensor->dim_names = names;
  uint32_t i = 0;
  for (qn_pb_walk walk = qn_pb_begin(shape, QN_PB_SHAPE_DIM); qn_pb_next_child(&walk, &dim); i++) {
    int64_t value = qn_pb_int(dim, QN_PB_DIMENSION_DIM_VALUE);
    names[i] = qn_pb_string(dim, QN_PB_DIMENSION_DIM_PARAM);
    bool unknown = !qn_pb_has(dim, QN_PB_DIMENSION_DIM_VALUE) || value == -1;
    tensor->shape.dims[i] = qn_graph_bind(graph, tensor, i, unknown ? -1 : value, unknown);
  }
  return qn_graph_check_size_at(graph, op, tensor, &tensor->shape);
}

/* ---- data ---- */

/* Unpacks elements of fewer than 8 bits to bytes; the first one is in the lowest bits. */
static void unpack(const uint8_t *in, uint32_t bits, bool is_signed, int64_t count, uint8_t *out) {
  const uint32_t per_byte = 8 / bits;
  for (int64_t i = 0; i < count; i++) {
    int32_t value = in[i / per_byte] >> (uint32_t)(i % per_byte) * bits & ((1 << bits) - 1);
    if (is_signed && value >> (bits - 1)) value -= 1 << bits;
    out[i] = (uint8_t)value;
  }
}

static bool spend(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor, int64_t bytes) {
  graph->work -= bytes;
  if (graph->work >= 0) return true;
  qn_graph_problem(graph, op, tensor, QN_LIMIT,
                   "constants are decoded so often that the import would cost too much");
  return false;
}

/* Decodes the numbers in a field to stored elements of `bits` each, or a byte each if fewer than 8.
 */
static bool decode_field(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                         const qn_pb_message *message, const struct stored_type *type,
                         int64_t count, qn_bytes *out) {
  const size_t width = type->bits < 8 ? 1 : type->bits / 8u;
  qn_bytes packed = {NULL, 0};
  if (type->field == QN_PB_TENSOR_FLOAT_DATA || type->field == QN_PB_TENSOR_DOUBLE_DATA)
    packed = qn_pb_packed(message, type->field);
  if (packed.size == (size_t)count * width && packed.size > 0) {
    *out = packed;
    return true;
  }
  if (!spend(graph, op, tensor, count * 16)) return false;
  int64_t *numbers = QN_NEW_ARRAY(&graph->arena, (size_t)count, int64_t);
  uint8_t *bytes = qn_arena_alloc(&graph->cx->arena, (size_t)count * width);
  qn_pb_numbers(message, type->field, numbers);
  for (int64_t i = 0; i < count; i++) memcpy(bytes + (size_t)i * width, &numbers[i], width);
  *out = (qn_bytes){bytes, (size_t)count * width};
  return true;
}

/* Whether every element of int32_data is in the range of the type. */
static bool is_in_range(const qn_pb_message *message, const struct stored_type *type, int64_t count,
                        qn_arena *arena) {
  int64_t lo = INT32_MIN, hi = INT32_MAX;
  if (type->field != QN_PB_TENSOR_INT32_DATA || type->bits >= 32) return true;
  lo = type->dtype == QN_GRAPH_INT8 && type->bits == 8 ? INT8_MIN
       : type->dtype == QN_GRAPH_INT16                 ? INT16_MIN
                                                       : 0;
  hi = lo ? -(lo + 1) : type->bits <= 8 ? UINT8_MAX : UINT16_MAX;
  if (type->dtype == QN_GRAPH_BOOL) hi = 1;
  int64_t *numbers = QN_NEW_ARRAY(arena, (size_t)count, int64_t);
  qn_pb_numbers(message, type->field, numbers);
  for (int64_t i = 0; i < count; i++)
    if (numbers[i] < lo || numbers[i] > hi) return false;
  return true;
}

static uint32_t fields_with_data(const qn_pb_message *message) {
  static const qn_pb_row fields[] = {QN_PB_TENSOR_FLOAT_DATA,  QN_PB_TENSOR_INT32_DATA,
                                     QN_PB_TENSOR_STRING_DATA, QN_PB_TENSOR_INT64_DATA,
                                     QN_PB_TENSOR_DOUBLE_DATA, QN_PB_TENSOR_UINT64_DATA};
  uint32_t count = qn_pb_bytes(message, QN_PB_TENSOR_RAW_DATA).size > 0;
  for (size_t i = 0; i < QN_COUNT(fields); i++) count += qn_pb_count(message, fields[i]) > 0;
  return count;
}

static bool wrong_size(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor, const char *what,
                       int64_t is, int64_t wanted) {
  qn_graph_problem(graph, op, tensor, QN_INVALID, "it has %lld %s, its shape and type say %lld",
                   (long long)is, what, (long long)wanted);
  return false;
}

/* The tensor's raw bytes, in the file or in an external file. */
static bool raw_bytes(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message, qn_bytes *out, bool *out_is) {
  enum { EXTERNAL = 1 };
  *out_is = true;
  if (qn_pb_int(message, QN_PB_TENSOR_DATA_LOCATION) == EXTERNAL)
    return qn_onnx_external(graph, op, tensor, message, out);
  *out = qn_pb_bytes(message, QN_PB_TENSOR_RAW_DATA);
  *out_is = out->size > 0;
  return true;
}

static bool read_data(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message, const struct stored_type *type) {
  const int64_t count = qn_graph_elements(&tensor->shape);
  const int64_t wanted = (count * type->bits + 7) / 8;
  qn_bytes raw;
  bool is_raw;
  if (fields_with_data(message) > 1) {
    qn_graph_problem(graph, op, tensor, QN_INVALID, "it has data in several fields");
    return false;
  }
  if (!raw_bytes(graph, op, tensor, message, &raw, &is_raw)) return false;
  if (is_raw && (int64_t)raw.size != wanted)
    return wrong_size(graph, op, tensor, "bytes of raw data", (int64_t)raw.size, wanted);
  if (!is_raw) {
    const uint32_t per = type->bits < 8 ? 8u / type->bits : 1; /* elements per byte */
    const int64_t numbers = (int64_t)qn_pb_count(message, type->field);
    const int64_t entries = (count + per - 1) / per;
    if (numbers != entries)
      return wrong_size(graph, op, tensor, "numbers of data", numbers, entries);
    if (!is_in_range(message, type, numbers, &graph->arena)) {
      qn_graph_problem(graph, op, tensor, QN_INVALID, "one of its numbers is no %s", type->name);
      return false;
    }
    if (!decode_field(graph, op, tensor, message, type, numbers, &raw)) return false;
  }
  tensor->data = raw;
  if (type->bits >= 8 || count == 0) return true;
  if (!spend(graph, op, tensor, count)) return false;
  uint8_t *bytes = qn_arena_alloc(&graph->cx->arena, (size_t)count);
  unpack(raw.data, type->bits, type->dtype == QN_GRAPH_INT8, count, bytes);
  tensor->data = (qn_bytes){bytes, (size_t)count};
  return true;
}

bool qn_onnx_read_tensor(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                         const qn_pb_message *message) {
  const int64_t number = qn_pb_int(message, QN_PB_TENSOR_DATA_TYPE);
  const struct stored_type *type = type_of(number);
  tensor->stored_dtype = number > 0 && number < 256 ? (uint8_t)number : 0;
  tensor->dtype = type->dtype;
  if (qn_pb_has(message, QN_PB_TENSOR_SEGMENT)) {
    qn_graph_problem(graph, op, tensor, QN_INVALID, "data in segments are not read");
    return false;
  }
  if (type == &types[0]) {
    qn_graph_problem(graph, op, tensor, number <= 0 ? QN_INVALID : QN_UNSUPPORTED,
                     "data of type %lld, which there is not", (long long)number);
    return false;
  }
  if (!read_dims(graph, op, tensor, message)) return false;
  if (type->dtype == QN_GRAPH_UNKNOWN || type->dtype == QN_GRAPH_STRING ||
      type->dtype == QN_GRAPH_COMPLEX64 || type->dtype == QN_GRAPH_COMPLEX128 ||
      type->dtype == QN_GRAPH_BFLOAT16) {
    qn_graph_problem(graph, op, tensor, QN_UNSUPPORTED, "a constant of type %s is not supported",
                     type->name);
    return false;
  }
  if (!read_data(graph, op, tensor, message, type)) return false;
  qn_onnx_extra(graph, tensor)->bits = type->bits < 8 ? type->bits : 0;
  const char *problem = type->bits < 8 ? NULL : qn_graph_unpack(graph, tensor);
  if (problem) qn_graph_problem(graph, op, tensor, QN_INVALID, "%s", problem);
  return !problem;
}

bool qn_onnx_load(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor) {
  const qn_onnx_tensor *extra = qn_onnx_extra(graph, tensor);
  if (extra->initializer && !tensor->is_input)
    return qn_onnx_read_tensor(graph, op, tensor, extra->initializer);
  if (tensor->is_input || tensor->given) return read_type(graph, op, tensor, extra->type);
  return true; /* its writer determines its type */
}
