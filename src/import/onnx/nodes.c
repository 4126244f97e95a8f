/* Nodes of a graph, a function or a body: operators, and calls of functions, which are inlined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

/* "" is "ai.onnx". */
static qn_str domain_of(qn_str domain) {
  return qn_str_is(domain, "ai.onnx") ? qn_str_of("") : domain;
}

static int64_t opset_of(const qn_onnx *im, const qn_onnx_scope *scope, qn_str domain) {
  const qn_pb_message *owner = scope->function ? scope->function : im->model, *import;
  qn_pb_row field = scope->function ? QN_PB_FUNCTION_OPSET_IMPORT : QN_PB_MODEL_OPSET_IMPORT;
  for (qn_pb_walk walk = qn_pb_begin(owner, field); qn_pb_next_child(&walk, &import);)
    if (qn_str_equal(domain_of(qn_pb_string(import, QN_PB_OPSET_DOMAIN)), domain))
      return qn_pb_int(import, QN_PB_OPSET_VERSION);
  return 0;
}

static const qn_pb_message *function_of(qn_onnx *im, const qn_pb_message *node) {
  if (im->functions.count == 0) return NULL;
  qn_str domain = domain_of(qn_pb_string(node, QN_PB_NODE_DOMAIN)),
         name = qn_pb_string(node, QN_PB_NODE_OP_TYPE),
         overload = qn_pb_string(node, QN_PB_NODE_OVERLOAD);
  qn_str key = qn_arena_format(&im->graph.arena, "%.*s:%.*s:%.*s", QN_STR_ARG(domain),
                               QN_STR_ARG(name), QN_STR_ARG(overload));
  return qn_str_map_get(&im->functions, key);
}

static qn_onnx_node *add_node(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  if (im->node_count == QN_GRAPH_MAX_OPERATORS) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT, "more than %d nodes", QN_GRAPH_MAX_OPERATORS);
    return NULL;
  }
  if (im->node_count == im->node_capacity) {
    uint32_t capacity = im->node_capacity ? 2 * im->node_capacity : 64;
    qn_onnx_node *nodes = QN_NEW_ARRAY(&graph->arena, capacity, qn_onnx_node);
    if (im->node_count) memcpy(nodes, im->nodes, im->node_count * sizeof *nodes);
    im->nodes = nodes;
    im->node_capacity = capacity;
  }
  qn_onnx_node *node = &im->nodes[im->node_count];
  *node = (qn_onnx_node){.index = im->node_count++};
  return node;
}

/* Tensor indices of names; -1 for an empty name. A new name gets a tensor without definition. */
static int32_t *numbers_of(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *message,
                           qn_pb_row field, uint32_t *out_count) {
  qn_str name;
  size_t count = qn_pb_count(message, field);
  int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, count, int32_t);
  *out_count = (uint32_t)count;
  for (qn_pb_walk walk = qn_pb_begin(message, field); qn_pb_next_string(&walk, &name);)
    *numbers++ = name.size == 0               ? -1
                 : field == QN_PB_NODE_OUTPUT ? qn_onnx_find_or_define(im, scope, name)
                                              : qn_onnx_find_or_add(im, scope, name);
  return numbers - count;
}

static bool has_body(const qn_pb_message *node) {
  const qn_pb_message *attribute;
  for (qn_pb_walk walk = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
       qn_pb_next_child(&walk, &attribute);)
    if (qn_pb_child(attribute, QN_PB_ATTRIBUTE_G)) return true;
  return false;
}

static void open_node(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *message) {
  qn_onnx_node *node = add_node(im);
  if (!node) return;
  qn_str domain = domain_of(qn_pb_string(message, QN_PB_NODE_DOMAIN));
  uint8_t bit = domain.size == 0                     ? QN_ONNX_STANDARD
                : qn_str_is(domain, "com.microsoft") ? QN_ONNX_MICROSOFT
                                                     : 0;
  const qn_onnx_row *row = qn_str_map_get(&im->rows, qn_pb_string(message, QN_PB_NODE_OP_TYPE));
  node->message = message;
  node->scope = scope;
  node->row = row && (row->domains & bit) ? row : NULL;
  node->opset = opset_of(im, scope, domain);
  uint32_t inputs, outputs;
  int32_t *of_inputs = numbers_of(im, scope, message, QN_PB_NODE_INPUT, &inputs);
  int32_t *of_outputs = numbers_of(im, scope, message, QN_PB_NODE_OUTPUT, &outputs);
  while (outputs > 0 && of_outputs[outputs - 1] < 0)
    outputs--; /* trailing outputs may be omitted */
  node->inputs = of_inputs;
  node->input_count = node->operand_count = inputs;
  node->outputs = of_outputs;
  node->output_count = outputs;
  if (has_body(message)) {
    im->has_bodies = true;
    qn_onnx_append_captures(im, scope, node);
  }
}

qn_onnx_op qn_onnx_open_op(qn_onnx *im, const qn_onnx_node *node) {
  qn_graph_list inputs = {(const uint8_t *)node->inputs, node->operand_count, QN_GRAPH_INT32};
  qn_graph_list outputs = {(const uint8_t *)node->outputs, node->output_count, QN_GRAPH_INT32};
  return (qn_onnx_op){
      .op = {.graph = &im->graph,
             .frame = im->graph.frame,
             .row = node->row ? &node->row->row : NULL,
             .name = qn_graph_printable(&im->graph.arena,
                                        qn_pb_string(node->message, QN_PB_NODE_OP_TYPE), 80),
             .title = qn_pb_string(node->message, QN_PB_NODE_NAME),
             .index = node->index,
             .at = node->message->at,
             .inputs = inputs,
             .outputs = outputs},
      .node = node};
}

/* Inlines a function call: adds its body's nodes, in a new scope. */
static void open_call(qn_onnx *im, qn_onnx_scope *outer, const qn_pb_message *call,
                      const qn_pb_message *function) {
  qn_graph *graph = &im->graph;
  qn_str called = qn_graph_printable(&graph->arena, qn_pb_string(call, QN_PB_NODE_OP_TYPE), 80);
  for (const qn_onnx_scope *s = outer; s; s = s->outer)
    if (s->function == function) {
      qn_graph_model_error(graph, NULL, QN_INVALID, "function '%.*s' calls itself",
                           QN_STR_ARG(called));
      return;
    }
  if (outer->depth == QN_ONNX_MOST_CALLS) {
    qn_graph_model_error(graph, NULL, QN_LIMIT, "functions call each other more than %d deep",
                         QN_ONNX_MOST_CALLS);
    return;
  }
  qn_onnx_scope *scope = qn_onnx_new_scope(im, function);
  scope->function = function;
  scope->outer = outer;
  scope->call = call;
  scope->depth = outer->depth + 1;
  static const qn_pb_row formal[] = {QN_PB_FUNCTION_INPUT, QN_PB_FUNCTION_OUTPUT},
                         actual[] = {QN_PB_NODE_INPUT, QN_PB_NODE_OUTPUT};
  for (uint32_t k = 0; k < 2; k++) {
    qn_pb_walk given = qn_pb_begin(call, actual[k]);
    qn_str name, of_call;
    if (qn_pb_count(call, actual[k]) > qn_pb_count(function, formal[k]))
      qn_graph_model_error(graph, NULL, QN_INVALID,
                           "a call of function '%.*s' has more %s than the function",
                           QN_STR_ARG(called), k ? "outputs" : "inputs");
    for (qn_pb_walk walk = qn_pb_begin(function, formal[k]); qn_pb_next_string(&walk, &name);) {
      bool is_given = qn_pb_next_string(&given, &of_call) && of_call.size;
      if (is_given || k == 0)
        qn_onnx_bind(scope, name, is_given ? qn_onnx_find_or_add(im, outer, of_call) : -1);
    }
  }
  qn_onnx_open_nodes(im, scope, QN_PB_FUNCTION_NODE);
}

/* Adds results first, so that their indices follow the order of writing, and earlier nodes can
 * refer to them. */
void qn_onnx_open_nodes(qn_onnx *im, qn_onnx_scope *scope, qn_pb_row field) {
  const qn_pb_message *node, *function;
  qn_str name;
  for (qn_pb_walk walk = qn_pb_begin(scope->message, field); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT);
         qn_pb_next_string(&names, &name);) {
      qn_onnx_check_name(im, name);
      if (name.size) qn_onnx_find_or_define(im, scope, name);
    }
  for (qn_pb_walk walk = qn_pb_begin(scope->message, field);
       im->graph.status != QN_LIMIT && qn_pb_next_child(&walk, &node);) {
    function = function_of(im, node);
    if (function)
      open_call(im, scope, node, function);
    else
      open_node(im, scope, node);
  }
}
