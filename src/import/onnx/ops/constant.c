/* Operators whose results are known when a model is read: Constant and Shape.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

static void become(qn_graph_op *op, uint8_t dtype, int64_t stored, const qn_graph_shape *shape,
                   const void *data, size_t size) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  y->loaded = true;
  y->dtype = dtype;
  y->stored_dtype = (uint8_t)stored;
  y->shape = *shape;
  y->data = (qn_bytes){qn_arena_copy(&op->graph->cx->arena, data, size), size};
  y->writer = -1; /* no operator writes it, as for a constant in the file */
}

void qn_onnx_import_constant(qn_graph_op *op) {
  const qn_graph_shape none = {0};
  qn_graph_tensor *y = qn_graph_output(op, 0);
  const qn_pb_message *value = qn_onnx_attribute(op, "value", QN_ONNX_ATTR_TENSOR);
  if (value) {
    y->writer = -1;
    y->loaded = true;
    qn_onnx_read_tensor(op->graph, op, y, qn_pb_child(value, QN_PB_ATTRIBUTE_T));
    return;
  }
  if ((value = qn_onnx_attribute(op, "value_float", QN_ONNX_ATTR_FLOAT))) {
    float number = qn_pb_float(value, QN_PB_ATTRIBUTE_F);
    become(op, QN_GRAPH_FLOAT32, QN_ONNX_FLOAT, &none, &number, sizeof number);
    return;
  }
  if ((value = qn_onnx_attribute(op, "value_int", QN_ONNX_ATTR_INT))) {
    int64_t number = qn_pb_int(value, QN_PB_ATTRIBUTE_I);
    become(op, QN_GRAPH_INT64, QN_ONNX_INT64, &none, &number, sizeof number);
    return;
  }
  if ((value = qn_onnx_attribute(op, "value_ints", QN_ONNX_ATTR_INTS))) {
    size_t count = qn_pb_count(value, QN_PB_ATTRIBUTE_INTS);
    const qn_graph_shape vector = {1, {(int64_t)count}};
    int64_t *numbers = QN_NEW_ARRAY(&op->graph->arena, count, int64_t);
    qn_pb_numbers(value, QN_PB_ATTRIBUTE_INTS, numbers);
    become(op, QN_GRAPH_INT64, QN_ONNX_INT64, &vector, numbers, count * sizeof *numbers);
    return;
  }
  if ((value = qn_onnx_attribute(op, "value_floats", QN_ONNX_ATTR_FLOATS))) {
    size_t count = qn_pb_count(value, QN_PB_ATTRIBUTE_FLOATS);
    const qn_graph_shape vector = {1, {(int64_t)count}};
    int64_t *numbers = QN_NEW_ARRAY(&op->graph->arena, count, int64_t);
    uint32_t *bits = QN_NEW_ARRAY(&op->graph->arena, count, uint32_t);
    qn_pb_numbers(value, QN_PB_ATTRIBUTE_FLOATS, numbers);
    for (size_t i = 0; i < count; i++) bits[i] = (uint32_t)numbers[i];
    become(op, QN_GRAPH_FLOAT32, QN_ONNX_FLOAT, &vector, bits, count * sizeof *bits);
    return;
  }
  if (!op->failed)
    qn_graph_error(op, y, QN_UNSUPPORTED,
                   "a constant by another attribute than value, value_int, value_ints, value_float "
                   "or value_floats");
}

void qn_onnx_import_shape(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  const int64_t rank = x->shape.rank;
  int64_t start = qn_onnx_int(op, "start", 0), end = qn_onnx_int(op, "end", rank);
  if (start < 0) start += rank;
  if (end < 0) end += rank;
  start = start < 0 ? 0 : start > rank ? rank : start;
  end = end < start ? start : end > rank ? rank : end;
  const qn_graph_shape vector = {1, {end - start}};
  become(op, QN_GRAPH_INT64, QN_ONNX_INT64, &vector, x->shape.dims + start,
         (size_t)(end - start) * sizeof(int64_t));
}
