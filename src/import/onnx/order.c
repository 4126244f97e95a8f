/* The order of nodes: each after the nodes that it reads from, without those that no result depends
 * on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/graph.h"

enum { NEW, OPEN, DONE };

static int64_t writer_of(const qn_onnx *im, int32_t number) {
  return number < 0 ? -1 : im->graph.tensors[number].writer;
}

/* Reports a cycle: the nodes of the stack from the repeated one on depend on each other. */
static void report_cycle(qn_onnx *im, const uint32_t *stack, uint32_t depth, uint32_t again) {
  enum { MOST_NAMED = 8 };
  qn_text text = {0};
  uint32_t first = depth, named = 0;
  while (first > 0 && stack[first - 1] != again) first--;
  for (uint32_t i = first - 1; i < depth && named < MOST_NAMED; i++, named++) {
    const qn_onnx_node *node = &im->nodes[stack[i]];
    qn_str name = qn_pb_string(node->message, QN_PB_NODE_OP_TYPE);
    name = qn_graph_printable(&im->graph.arena, name, 40);
    qn_text_format(&text, "%s%u (%.*s)", named ? ", " : "", node->index, QN_STR_ARG(name));
  }
  qn_graph_model_error(
      &im->graph, NULL, QN_INVALID, "operators read each other's results in a circle: %.*s%s",
      QN_STR_ARG(qn_text_view(&text)), depth - first + 1 > MOST_NAMED ? ", ..." : "");
  qn_text_deinit(&text);
}

bool qn_onnx_sort(qn_onnx *im, uint32_t first, const qn_onnx_node **order, uint32_t *out_count) {
  qn_arena *arena = &im->graph.arena;
  const uint32_t count = im->node_count - first;
  uint32_t *stack = QN_NEW_ARRAY(arena, count, uint32_t);
  uint32_t *next = QN_NEW_ARRAY(arena, count, uint32_t);
  *out_count = 0;
  for (uint32_t root = first; root < im->node_count; root++) {
    uint32_t depth = 0;
    if (im->nodes[root].state == DONE) continue;
    stack[depth++] = root;
    im->nodes[root].state = OPEN;
    while (depth > 0) {
      uint32_t at = stack[depth - 1];
      qn_onnx_node *node = &im->nodes[at];
      if (next[at - first] == node->input_count) {
        node->state = DONE;
        order[(*out_count)++] = node;
        depth--;
        continue;
      }
      int64_t writer = writer_of(im, node->inputs[next[at - first]++]);
      if (writer < first || im->nodes[writer].state == DONE) continue;
      if (im->nodes[writer].state == OPEN) {
        report_cycle(im, stack, depth, (uint32_t)writer);
        return false;
      }
      im->nodes[writer].state = OPEN;
      stack[depth++] = (uint32_t)writer;
    }
  }
  return true;
}

uint32_t qn_onnx_keep_live(qn_onnx *im, uint32_t first, const qn_onnx_node **order, uint32_t count,
                           const int32_t *results, uint32_t result_count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < result_count; i++) {
    int64_t writer = writer_of(im, results[i]);
    if (writer >= first) im->nodes[writer].live = true;
  }
  for (uint32_t i = count; i > 0; i--) {
    const qn_onnx_node *node = order[i - 1];
    for (uint32_t k = 0; node->live && k < node->input_count; k++) {
      int64_t writer = writer_of(im, node->inputs[k]);
      if (writer >= first) im->nodes[writer].live = true;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (order[i]->live) order[kept++] = order[i];
  return kept;
}
