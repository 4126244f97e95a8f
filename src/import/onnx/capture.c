/* Names that the bodies of a node use from outside. They are inputs of the node, so that it follows
 * their writers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

typedef struct name_set {
  qn_str_map names;
  const struct name_set *around;
} name_set;

typedef struct captures {
  int32_t *numbers;
  uint32_t count, capacity;
  qn_str_map seen;
} captures;

static bool is_defined(const name_set *set, qn_str name) {
  for (; set; set = set->around)
    if (qn_str_map_get(&set->names, name)) return true;
  return false;
}

static void capture(qn_onnx *im, qn_onnx_scope *scope, const name_set *set, qn_str name,
                    captures *out) {
  if (name.size == 0 || is_defined(set, name) || qn_str_map_get(&out->seen, name)) return;
  qn_str_map_set(&out->seen, name, out);
  if (out->count == out->capacity) {
    const uint32_t capacity = out->capacity ? 2 * out->capacity : 8;
    int32_t *numbers = QN_NEW_ARRAY(&im->graph.arena, capacity, int32_t);
    if (out->count) memcpy(numbers, out->numbers, out->count * sizeof *numbers);
    out->numbers = numbers;
    out->capacity = capacity;
  }
  out->numbers[out->count++] = qn_onnx_find_or_add(im, scope, name);
}

static void add_names(name_set *set, const qn_pb_message *owner, qn_pb_row field, qn_pb_row name) {
  const qn_pb_message *message;
  for (qn_pb_walk walk = qn_pb_begin(owner, field); qn_pb_next_child(&walk, &message);)
    qn_str_map_set(&set->names, qn_pb_string(message, name), set);
}

static void capture_of_graph(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                             const name_set *around, captures *out);

static void capture_of_node(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *node,
                            const name_set *set, captures *out) {
  const qn_pb_message *attribute;
  for (qn_pb_walk walk = qn_pb_begin(node, QN_PB_NODE_ATTRIBUTE);
       qn_pb_next_child(&walk, &attribute);) {
    const qn_pb_message *graph = qn_pb_child(attribute, QN_PB_ATTRIBUTE_G);
    if (graph) capture_of_graph(im, scope, graph, set, out);
  }
}

/* Nested graphs are a message in a message each, so their depth is limited. */
static void capture_of_graph(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph,
                             const name_set *around, captures *out) {
  name_set set = {.around = around};
  const qn_pb_message *node, *value;
  qn_str name;
  add_names(&set, graph, QN_PB_GRAPH_INPUT, QN_PB_VALUE_NAME);
  add_names(&set, graph, QN_PB_GRAPH_INITIALIZER, QN_PB_TENSOR_NAME);
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);)
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_OUTPUT); qn_pb_next_string(&names, &name);)
      qn_str_map_set(&set.names, name, &set);
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_NODE); qn_pb_next_child(&walk, &node);) {
    for (qn_pb_walk names = qn_pb_begin(node, QN_PB_NODE_INPUT); qn_pb_next_string(&names, &name);)
      capture(im, scope, &set, name, out);
    capture_of_node(im, scope, node, &set, out);
  }
  for (qn_pb_walk walk = qn_pb_begin(graph, QN_PB_GRAPH_OUTPUT); qn_pb_next_child(&walk, &value);)
    capture(im, scope, &set, qn_pb_string(value, QN_PB_VALUE_NAME), out);
  qn_str_map_deinit(&set.names);
}

void qn_onnx_append_captures(qn_onnx *im, qn_onnx_scope *scope, qn_onnx_node *node) {
  captures found = {0};
  capture_of_node(im, scope, node->message, NULL, &found);
  qn_str_map_deinit(&found.seen);
  if (found.count == 0) return;
  int32_t *all = QN_NEW_ARRAY(&im->graph.arena, node->input_count + found.count, int32_t);
  memcpy(all, node->inputs, node->input_count * sizeof *all);
  memcpy(all + node->input_count, found.numbers, found.count * sizeof *all);
  node->inputs = all;
  node->input_count += found.count;
}
