/* Unsupported operators that are kept for inspection: ops such as "tflite.NAME" with the reason, so
 * that the rest of the model is complete around them. They are never compiled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/opaque.h"

/* An element type of the file's width, for tensors without an IR type. */
static const qn_type *placeholder(const qn_graph *graph, uint8_t dtype) {
  qn_ir_context *cx = graph->cx;
  if (dtype == QN_GRAPH_FLOAT32) return qn_type_float(cx, QN_F32);
  if (dtype == QN_GRAPH_FLOAT16) return qn_type_float(cx, QN_F16);
  if (dtype == QN_GRAPH_FLOAT64) return qn_type_float(cx, QN_F64);
  uint32_t width = dtype == QN_GRAPH_INT16   ? 16
                   : dtype == QN_GRAPH_INT32 ? 32
                   : dtype == QN_GRAPH_INT64 ? 64
                                             : 8;
  return qn_type_integer(cx, width, QN_SIGNLESS);
}

const qn_type *qn_graph_opaque_type(qn_graph_op *op, const qn_graph_tensor *tensor) {
  qn_graph_op quiet = *op; /* errors of the tensor are reported elsewhere */
  const qn_type *element = qn_graph_element_type(op->graph, &quiet, tensor);
  if (!element) element = placeholder(op->graph, tensor->dtype);
  return qn_graph_shaped(op->graph, element, &tensor->shape);
}

/* The op name: letters, digits and underscores. */
static qn_str opaque_name(const qn_graph_op *op) {
  const char *dialect = op->graph->format->name;
  qn_str name = qn_arena_format(&op->graph->arena, "%s.%.*s", dialect, QN_STR_ARG(op->name));
  char *text = qn_arena_copy(&op->graph->arena, name.data, name.size);
  for (size_t i = strlen(dialect) + 1; i < name.size; i++) {
    char c = text[i];
    bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain) text[i] = '_';
  }
  return (qn_str){text, name.size};
}

void qn_graph_build_opaque(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  uint32_t outputs = op->outputs.count, operands = 0, results = 0;
  qn_value **values = QN_NEW_ARRAY(&graph->arena, (size_t)op->inputs.count + 1, qn_value *);
  const qn_type **types = QN_NEW_ARRAY(&graph->arena, (size_t)outputs + 1, const qn_type *);
  int64_t *tensors = QN_NEW_ARRAY(&graph->arena, (size_t)outputs + 1, int64_t);
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    int32_t index = qn_graph_number(op->inputs, i);
    if (index >= 0 && graph->tensors[index].value) values[operands++] = graph->tensors[index].value;
  }
  for (uint32_t i = 0; i < outputs; i++) {
    qn_graph_tensor *tensor = &graph->tensors[qn_graph_number(op->outputs, i)];
    qn_graph_op quiet = *op;
    if (tensor->value) continue;
    (void)qn_graph_load(graph, &quiet, tensor);
    if (graph->status != QN_OK) return; /* no shape is known; the import fails */
    tensors[results] = tensor->index;
    types[results++] = qn_graph_opaque_type(op, tensor);
  }
  const qn_named_attr attrs[] = {
      {qn_str_of("quern.reason"), qn_attr_string(graph->cx, op->reason)},
      {qn_str_of("quern.tensors"), qn_attr_i64s(graph->cx, tensors, results)}};
  qn_graph_tensor *first = outputs ? &graph->tensors[qn_graph_number(op->outputs, 0)] : NULL;
  qn_op *built = qn_build(&graph->builder, (qn_op_state){.kind = QN_OP_UNREGISTERED,
                                                         .name = opaque_name(op),
                                                         .loc = qn_graph_loc(op, first),
                                                         .operands = values,
                                                         .operand_count = operands,
                                                         .result_types = types,
                                                         .result_count = results,
                                                         .attrs = attrs,
                                                         .attr_count = QN_COUNT(attrs)});
  for (uint32_t i = 0; i < results; i++) graph->tensors[tensors[i]].value = &built->results[i];
}
