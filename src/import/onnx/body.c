/* Bodies: graphs in attributes, which the operators that have them open (ops/control.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

static qn_onnx_scope *scope_in(qn_onnx *im, const qn_onnx_scope *around,
                               const qn_pb_message *graph) {
  qn_onnx_scope *scope = qn_onnx_new_scope(im, graph);
  scope->function = around->function;
  scope->outer = around->outer;
  scope->call = around->call;
  scope->depth = around->depth + 1;
  scope->around = around;
  return scope;
}

/* The work of reading a body once: its nodes, and names in bodies inside of it, which are looked up
 * again. */
static int64_t cost_of(const qn_pb_message *graph) {
  const qn_pb_message *node, *attribute;
  int64_t cost = 1;
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);) {
    cost += 1 + (int64_t)qn_pb_count(node, QN_PB_NODE_INPUT) +
            (int64_t)qn_pb_count(node, QN_PB_NODE_OUTPUT);
    for (qn_pb_walk each = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
         qn_pb_next_child(&each, &attribute);) {
      const qn_pb_message *inner = qn_pb_child(attribute, QN_PB_ATTRIBUTE_G);
      if (inner) cost += cost_of(inner);
    }
  }
  return cost;
}

qn_onnx_scope *qn_onnx_open_body(qn_graph_op *op, const qn_pb_message *graph) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const qn_onnx_scope *around = qn_onnx_node_of(op)->scope;
  if (around->depth >= QN_ONNX_MOST_CALLS) {
    qn_graph_error(op, NULL, QN_LIMIT, "bodies are in each other more than %d deep",
                   QN_ONNX_MOST_CALLS);
    return NULL;
  }
  qn_onnx_scope *scope = scope_in(im, around, graph);
  scope->cost = cost_of(graph);
  qn_onnx_open_initializers(im, scope, graph);
  return scope;
}

int32_t qn_onnx_add_tensor(qn_graph_op *op, qn_str name) {
  const int32_t number = qn_onnx_new_tensor(qn_onnx_of(op->graph), name);
  op->failed |= number < 0;
  return number;
}

/* Binds the inputs of a body to tensors. */
static bool bind_inputs(qn_graph_op *op, qn_onnx_scope *scope, const int32_t *arguments,
                        uint32_t count) {
  const qn_pb_message *input;
  const size_t inputs = qn_pb_count(scope->message, QN_PB_GRAPH_INPUT);
  if (inputs != count)
    return qn_graph_error(op, NULL, QN_INVALID, "a body with %zu inputs where %u are expected",
                          inputs, count);
  for (qn_pb_walk walk = qn_pb_begin(scope->message, QN_PB_GRAPH_INPUT);
       qn_pb_next_child(&walk, &input);) {
    const qn_str name = qn_pb_string(input, QN_PB_VALUE_NAME);
    qn_onnx_check_name(qn_onnx_of(op->graph), name);
    qn_onnx_bind(scope, name, *arguments++);
  }
  return true;
}

static bool find_results(qn_graph_op *op, qn_onnx_scope *scope, int32_t *out, uint32_t count) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const qn_pb_message *output;
  const size_t outputs = qn_pb_count(scope->message, QN_PB_GRAPH_OUTPUT);
  if (outputs != count)
    return qn_graph_error(op, NULL, QN_INVALID, "a body with %zu outputs where %u are expected",
                          outputs, count);
  for (qn_pb_walk walk = qn_pb_begin(scope->message, QN_PB_GRAPH_OUTPUT);
       qn_pb_next_child(&walk, &output); out++) {
    *out = qn_onnx_find_or_add(im, scope, qn_pb_string(output, QN_PB_VALUE_NAME));
    op->failed |= *out < 0;
    if (op->failed) return false;
    qn_graph_tensor *tensor = &im->graph.tensors[*out];
    if (!qn_onnx_has_source(im, *out))
      return qn_graph_error(op, tensor, QN_INVALID, "an output of a body that no operator writes");
  }
  return true;
}

bool qn_onnx_read_body(qn_graph_op *op, const qn_onnx_scope *body, const int32_t *arguments,
                       uint32_t argument_count, int32_t *out_results, uint32_t result_count,
                       const qn_onnx_node ***out_order, uint32_t *out_count) {
  qn_onnx *im = qn_onnx_of(op->graph);
  const uint32_t first = im->node_count;
  const int64_t cost = body->cost + argument_count + result_count;
  qn_onnx_scope *scope = scope_in(im, body, body->message);
  scope->depth = body->depth;
  if (!qn_graph_spend_on_calls(op, cost) || !bind_inputs(op, scope, arguments, argument_count))
    return false;
  qn_onnx_open_nodes(im, scope, QN_PB_GRAPH_NODE);
  op->failed |= im->graph.status == QN_LIMIT;
  if (op->failed) return false;
  qn_onnx_record_writers(im, first);
  qn_onnx_check_readers(im, first);
  if (!find_results(op, scope, out_results, result_count)) return false;
  *out_order = QN_NEW_ARRAY(&im->graph.arena, im->node_count - first, const qn_onnx_node *);
  if (!qn_onnx_sort(im, first, *out_order, out_count)) {
    op->failed = true;
    return false;
  }
  *out_count = qn_onnx_keep_live(im, first, *out_order, *out_count, out_results, result_count);
  qn_onnx_count_readers(im, first);
  return true;
}
