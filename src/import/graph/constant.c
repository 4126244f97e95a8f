/* IR values of tensors, and integers from constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/value.h"

/* Whether the tensor is a constant; a tensor without elements has no data. */
static bool is_constant(const qn_graph_tensor *tensor) {
  return (tensor->data.size || qn_graph_elements(&tensor->shape) == 0) && tensor->writer < 0 &&
         !tensor->is_input;
}

/* Whether the integers of the tensor are known, after computing them from constants if necessary.
 */
static bool is_known(qn_graph_op *op, qn_graph_tensor *tensor) {
  return is_constant(tensor) || qn_graph_know(op, tensor);
}

/* Reports why a tensor without value and data cannot be read. */
static void report_undefined(qn_graph_op *op, qn_graph_tensor *tensor) {
  if (tensor->writer >= (int64_t)op->index) {
    qn_graph_error(op, tensor, QN_INVALID, "used before operator %lld writes it",
                   (long long)tensor->writer);
  } else if (tensor->writer < 0) {
    qn_graph_error(op, tensor, QN_INVALID,
                   "it has no data, no operator writes it and it is not an input");
  }
  tensor->bad = tensor->writer < 0;
  op->failed = true;
}

qn_value *qn_graph_value(qn_graph_op *op, qn_graph_tensor *tensor) {
  if (tensor->value) return tensor->value;
  if (tensor->is_state) return qn_graph_open_state(op, tensor);
  if (!is_constant(tensor)) {
    report_undefined(op, tensor);
    return NULL;
  }
  const qn_type *element = qn_graph_element_type(op->graph, op, tensor);
  if (!element) return NULL;
  return qn_graph_constant(op, tensor, qn_graph_shaped(op->graph, element, &tensor->shape));
}

/* Builds a constant, once per type. Bytes that an operator created are already charged. */
static qn_value *make_constant(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type,
                               bool paid) {
  qn_graph *graph = op->graph;
  if (tensor->value && tensor->value->type == type) return tensor->value;
  int64_t bytes = qn_graph_elements(&tensor->shape) * qn_graph_dtype_bytes(tensor->dtype);
  if (!is_constant(tensor)) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "it must be a constant");
    return NULL;
  }
  if (tensor->data.size != (size_t)bytes) {
    tensor->bad = true;
    qn_graph_error(op, tensor, QN_INVALID, "its buffer has %zu bytes, its shape and type say %lld",
                   tensor->data.size, (long long)bytes);
    return NULL;
  }
  if (!paid && !qn_graph_spend(op, bytes)) return NULL;
  const qn_type *stored = qn_type_stored(graph->cx, type);
  bool aligned = (uintptr_t)tensor->data.data % (uintptr_t)qn_graph_dtype_bytes(tensor->dtype) == 0;
  const qn_attr *value = qn_attr_dense(graph->cx, stored, tensor->data, aligned);
  qn_builder b = graph->builder;
  b.loc = qn_graph_loc(op, tensor);
  tensor->value = qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  return tensor->value;
}

qn_value *qn_graph_constant(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type) {
  return make_constant(op, tensor, type, false);
}

void qn_graph_become_constant(qn_graph_op *op, qn_graph_tensor *y, qn_bytes data,
                              const qn_graph_shape *shape) {
  y->data = data;
  y->shape = *shape;
  y->writer = -1;
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (element) make_constant(op, y, qn_graph_shaped(op->graph, element, shape), true);
}

bool qn_graph_ints(qn_graph_op *op, qn_graph_tensor *tensor, uint32_t most, int64_t *out_values,
                   uint32_t *out_count) {
  if (!qn_graph_is_index(tensor->dtype))
    return qn_graph_error(op, tensor, QN_UNSUPPORTED, "it is %s where int32 or int64 is expected",
                          qn_graph_dtype_name(tensor->dtype));
  if (!is_known(op, tensor))
    return qn_graph_error(op, tensor, QN_UNSUPPORTED,
                          "it must be a constant: shapes are fixed at compile time");
  int64_t n = qn_graph_elements(&tensor->shape), width = qn_graph_dtype_bytes(tensor->dtype);
  if (tensor->data.size != (size_t)(n * width))
    return qn_graph_error(op, tensor, QN_INVALID,
                          "its buffer has %zu bytes, its shape and type say %lld",
                          tensor->data.size, (long long)(n * width));
  if (n > most)
    return qn_graph_error(op, tensor, QN_INVALID, "%lld elements where at most %u make sense",
                          (long long)n, most);
  const qn_graph_list values = {tensor->data.data, (uint32_t)n, tensor->dtype};
  for (uint32_t i = 0; i < values.count; i++) out_values[i] = qn_graph_int_at(values, i);
  *out_count = (uint32_t)n;
  return true;
}

bool qn_graph_stated_sizes(qn_graph_op *op, qn_graph_tensor *operand, const qn_graph_tensor *result,
                           int64_t *out_values, uint32_t *out_count) {
  bool whole = qn_graph_is_index(operand->dtype);
  if (!whole || is_known(op, operand) || op->graph->rebound || result->is_optional_shape)
    return qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, out_values, out_count);
  if (!qn_graph_value(op, operand)) return false; /* The shape operand must have a value. */
  *out_count = result->shape.rank;
  for (uint32_t i = 0; i < result->shape.rank; i++) out_values[i] = result->shape.dims[i];
  qn_str text = qn_graph_shape_text(op->graph, &result->shape);
  qn_graph_warn(op, operand,
                "its value is not in the file; the stored shape %.*s of the result is used, as "
                "shapes are fixed at compile time",
                QN_STR_ARG(text));
  return true;
}

/* Whether a float is an integer; -0.0 is not. */
static bool is_whole(double real, int64_t *out_value) {
  *out_value = fabs(real) <= 0x1p24 ? (int64_t)real : 0;
  return (double)*out_value == real && !(real == 0 && signbit(real));
}

bool qn_graph_whole(const qn_graph_tensor *tensor, int64_t *out_value) {
  if (!is_constant(tensor) || tensor->data.size != (size_t)qn_graph_dtype_bytes(tensor->dtype))
    return false;
  const qn_graph_list one = {tensor->data.data, 1, tensor->dtype};
  switch (tensor->dtype) {
  case QN_GRAPH_INT8:
  case QN_GRAPH_UINT8:
  case QN_GRAPH_BOOL:
  case QN_GRAPH_INT16:
  case QN_GRAPH_INT32:
  case QN_GRAPH_INT64:
    *out_value = qn_graph_int_at(one, 0);
    return true;
  case QN_GRAPH_FLOAT32:
    return is_whole(qn_graph_real_at(one, 0), out_value);
  default:
    return false;
  }
}

bool qn_graph_scalar(qn_graph_op *op, qn_graph_tensor *tensor, int64_t *out_value) {
  bool known = is_known(op, tensor);
  return (known && qn_graph_whole(tensor, out_value)) ||
         qn_graph_error(op, tensor, QN_UNSUPPORTED, "it must be a constant with one integer");
}
