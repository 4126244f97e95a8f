/* The main graph: initializers, inputs and outputs, and whether each name is written once and where
 * it is read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

/* ---- inputs, outputs, initializers ---- */

void qn_onnx_open_initializers(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph) {
  const qn_pb_message *message;
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_INITIALIZER);
       qn_pb_next_child(&walk, &message);) {
    qn_str name = qn_pb_string(message, QN_PB_TENSOR_NAME);
    qn_onnx_check_name(im, name);
    if (name.size == 0) {
      qn_graph_model_error(&im->graph, NULL, QN_INVALID, "an initializer, at byte %zu, has no name",
                           message->at);
      continue;
    }
    int32_t number = qn_onnx_find_or_define(im, scope, name);
    if (number < 0) return;
    qn_onnx_tensor *extra = &im->extras[number];
    if (extra->initializer)
      qn_graph_model_error(&im->graph, &im->graph.tensors[number], QN_INVALID,
                           "there are two initializers of this name");
    extra->initializer = message;
  }
  if (qn_pb_count(graph, QN_PB_GRAPH_SPARSE_INITIALIZER) > 0)
    qn_graph_model_error(&im->graph, NULL, QN_UNSUPPORTED, "sparse initializers are not supported");
}

/* Tensor indices of the inputs or outputs. An initializer that is listed as an input is a constant.
 */
static qn_graph_list open_interface(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                                    qn_pb_row field) {
  const qn_pb_message *message;
  size_t count = qn_pb_count(graph, field);
  int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, count, int32_t);
  uint32_t kept = 0, constants = 0;
  for (qn_pb_walk walk = qn_pb_begin(graph, field); qn_pb_next_child(&walk, &message);) {
    qn_str name = qn_pb_string(message, QN_PB_VALUE_NAME);
    qn_onnx_check_name(im, name);
    if (name.size == 0) {
      qn_graph_model_error(&im->graph, NULL, QN_INVALID, "an %s of the model has no name",
                           field == QN_PB_GRAPH_INPUT ? "input" : "output");
      continue;
    }
    int32_t number = qn_onnx_find_or_add(im, scope, name);
    if (number < 0) break;
    im->extras[number].type = qn_pb_child(message, QN_PB_VALUE_TYPE);
    if (field == QN_PB_GRAPH_INPUT && im->extras[number].initializer)
      constants++;
    else
      numbers[kept++] = number;
  }
  if (constants > 0)
    qn_remark(&im->graph.cx->diag, im->graph.loc,
              "%u inputs have their values in the file and are constants", constants);
  return (qn_graph_list){(const uint8_t *)numbers, kept, QN_GRAPH_INT32};
}

/* ---- checks of names ---- */

void qn_onnx_record_writers(qn_onnx *im, uint32_t first) {
  for (uint32_t i = first; i < im->node_count; i++) {
    qn_onnx_op op = {0};
    for (uint32_t k = 0; k < im->nodes[i].output_count; k++) {
      int32_t number = im->nodes[i].outputs[k];
      if (number < 0) continue;
      qn_graph_tensor *tensor = &im->graph.tensors[number];
      const char *problem = tensor->writer >= 0              ? "already written by operator"
                            : im->extras[number].initializer ? "writes a constant"
                            : tensor->is_input               ? "writes an input of the model"
                                                             : NULL;
      if (problem && !op.node) op = qn_onnx_open_op(im, &im->nodes[i]);
      if (problem && tensor->writer >= 0)
        qn_graph_error(&op.op, tensor, QN_INVALID, "%s %lld", problem, (long long)tensor->writer);
      else if (problem)
        qn_graph_error(&op.op, tensor, QN_INVALID, "%s", problem);
      else
        tensor->writer = i;
    }
  }
}

bool qn_onnx_has_source(const qn_onnx *im, int32_t number) {
  const qn_graph_tensor *tensor = &im->graph.tensors[number];
  return tensor->writer >= 0 || tensor->is_input || im->extras[number].initializer ||
         tensor->loaded;
}

void qn_onnx_check_readers(qn_onnx *im, uint32_t first) {
  for (uint32_t i = first; i < im->node_count; i++)
    for (uint32_t k = 0; k < im->nodes[i].input_count; k++) {
      int32_t number = im->nodes[i].inputs[k];
      if (number < 0 || qn_onnx_has_source(im, number)) continue;
      qn_onnx_op op = qn_onnx_open_op(im, &im->nodes[i]);
      qn_graph_error(&op.op, &im->graph.tensors[number], QN_INVALID,
                     "it is not an initializer, no operator writes it and it is not an input");
    }
}

static void check_outputs(qn_onnx *im) {
  for (uint32_t i = 0; i < im->graph.outputs.count; i++) {
    int32_t number = qn_graph_number(im->graph.outputs, i);
    if (!qn_onnx_has_source(im, number))
      qn_graph_model_error(&im->graph, &im->graph.tensors[number], QN_INVALID,
                           "an output of the model that no operator writes");
  }
}

static void mark_live(qn_onnx *im) {
  const qn_graph_list outputs = im->graph.outputs;
  int32_t *results = QN_NEW_ARRAY(&im->graph.arena, outputs.count, int32_t);
  for (uint32_t i = 0; i < outputs.count; i++) results[i] = qn_graph_number(outputs, i);
  const uint32_t kept =
      qn_onnx_keep_live(im, 0, im->order, im->order_count, results, outputs.count);
  if (kept < im->order_count)
    qn_remark(&im->graph.cx->diag, im->graph.loc,
              "%u of %u nodes are not imported, as no output depends on them",
              im->order_count - kept, im->order_count);
  im->order_count = kept;
}

bool qn_onnx_open_graph(qn_onnx *im, const qn_pb_message *graph) {
  qn_onnx_scope *scope = qn_onnx_new_scope(im, graph);
  const qn_pb_message *node;
  qn_str name;
  /* Tensors that nodes of the main graph write get the first indices, in the order of writing. */
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT); qn_pb_next_string(&names, &name);)
      if (name.size) qn_onnx_find_or_add(im, scope, name);
  qn_onnx_open_initializers(im, scope, graph);
  im->graph.inputs = open_interface(im, scope, graph, QN_PB_GRAPH_INPUT);
  im->graph.outputs = open_interface(im, scope, graph, QN_PB_GRAPH_OUTPUT);
  for (uint32_t i = 0; i < im->graph.inputs.count; i++)
    im->graph.tensors[qn_graph_number(im->graph.inputs, i)].is_input = true;
  qn_onnx_open_nodes(im, scope, QN_PB_GRAPH_NODE);
  if (im->graph.status == QN_LIMIT) return false;
  im->graph.op_count = im->node_count;
  qn_onnx_record_writers(im, 0);
  qn_onnx_check_readers(im, 0);
  check_outputs(im);
  for (uint32_t i = 0; i < im->graph.inputs.count; i++) /* begin_main marks them again */
    im->graph.tensors[qn_graph_number(im->graph.inputs, i)].is_input = false;
  if (im->graph.outputs.count == 0)
    qn_graph_model_error(&im->graph, NULL, QN_INVALID, "the model has no outputs");
  im->order = QN_NEW_ARRAY(&im->graph.arena, im->node_count, const qn_onnx_node *);
  if (!qn_onnx_sort(im, 0, im->order, &im->order_count)) return false;
  mark_live(im);
  qn_onnx_simplify(im);
  return !im->has_bodies || qn_onnx_reserve_for_bodies(im);
}
