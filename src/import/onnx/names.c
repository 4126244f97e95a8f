/* Tensors by name: indices, and the scopes that bind names to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

#include <stdlib.h>

enum { MOST_IN_BODIES = 1 << 16 };

int32_t qn_onnx_new_tensor(qn_onnx *im, qn_str name) {
  qn_graph *graph = &im->graph;
  if (graph->tensor_count == QN_GRAPH_MAX_TENSORS) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT, "more than %d tensors", QN_GRAPH_MAX_TENSORS);
    return -1;
  }
  if (graph->tensor_count == im->tensor_capacity && im->is_fixed) {
    if (graph->status != QN_LIMIT)
      qn_graph_model_error(graph, NULL, QN_LIMIT,
                           "the bodies of loops and branches have more than %d tensors in all",
                           MOST_IN_BODIES);
    return -1;
  }
  if (graph->tensor_count == im->tensor_capacity) {
    uint32_t capacity = im->tensor_capacity ? 2 * im->tensor_capacity : 64;
    qn_graph_tensor *tensors = QN_NEW_ARRAY(&graph->arena, capacity, qn_graph_tensor);
    qn_onnx_tensor *extras = QN_NEW_ARRAY(&graph->arena, capacity, qn_onnx_tensor);
    if (graph->tensor_count) {
      memcpy(tensors, graph->tensors, graph->tensor_count * sizeof *tensors);
      memcpy(extras, im->extras, graph->tensor_count * sizeof *extras);
    }
    graph->tensors = tensors;
    im->extras = extras;
    im->tensor_capacity = capacity;
  }
  uint32_t number = graph->tensor_count++;
  graph->tensors[number] =
      (qn_graph_tensor){.name = name, .index = number, .at = number + 1, .writer = -1};
  return (int32_t)number;
}

/* calloc gives memory that is only used where it is written. */
bool qn_onnx_reserve_for_bodies(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  const uint32_t capacity = graph->tensor_count + MOST_IN_BODIES;
  im->is_fixed = true;
  im->reserved[0] = calloc(capacity, sizeof *graph->tensors);
  im->reserved[1] = calloc(capacity, sizeof *im->extras);
  if (!im->reserved[0] || !im->reserved[1]) {
    qn_graph_model_error(graph, NULL, QN_LIMIT, "no memory for the bodies of loops and branches");
    return false;
  }
  if (graph->tensor_count > 0) {
    memcpy(im->reserved[0], graph->tensors, graph->tensor_count * sizeof *graph->tensors);
    memcpy(im->reserved[1], im->extras, graph->tensor_count * sizeof *im->extras);
  }
  graph->tensors = im->reserved[0];
  im->extras = im->reserved[1];
  im->tensor_capacity = capacity;
  return true;
}

/* Offset of indices stored as map values, which are non-NULL pointers. */
enum { SHIFT = 2 };

void qn_onnx_bind(qn_onnx_scope *scope, qn_str name, int32_t number) {
  qn_str_map_set(&scope->names, name, (void *)((intptr_t)number + SHIFT));
}

int32_t qn_onnx_find_or_define(qn_onnx *im, qn_onnx_scope *scope, qn_str name) {
  void *found = qn_str_map_get(&scope->names, name);
  if (found) return (int32_t)((intptr_t)found - SHIFT);
  int32_t number = qn_onnx_new_tensor(im, name);
  if (number >= 0) qn_onnx_bind(scope, name, number);
  return number;
}

int32_t qn_onnx_find_or_add(qn_onnx *im, qn_onnx_scope *scope, qn_str name) {
  for (const qn_onnx_scope *s = scope; s; s = s->around) {
    void *found = qn_str_map_get(&s->names, name);
    if (found) return (int32_t)((intptr_t)found - SHIFT);
  }
  return qn_onnx_find_or_define(im, scope, name);
}

void qn_onnx_check_name(qn_onnx *im, qn_str name) {
  if (name.size && memchr(name.data, 0, name.size)) {
    qn_graph_tensor tensor = {.name = name};
    qn_graph_model_error(&im->graph, &tensor, QN_INVALID, "its name has a NUL byte");
  }
}

qn_onnx_scope *qn_onnx_new_scope(qn_onnx *im, const qn_pb_message *message) {
  qn_onnx_scope *scope = QN_NEW(&im->graph.arena, qn_onnx_scope);
  scope->message = message;
  scope->next = im->scopes;
  im->scopes = scope;
  return scope;
}
