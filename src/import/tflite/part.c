/* A part of the graph: some of its operators, with the tensors at its boundary as inputs and
 * outputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

static qn_tflite *file_of(qn_graph *graph) { return (qn_tflite *)graph; /* its first field */ }

static qn_fb_table tensor_at(const qn_graph *graph, uint32_t i) {
  return (qn_fb_table){qn_tflite_of(graph)->file, graph->tensors[i].at, QN_FB_TENSOR};
}

static qn_fb_table operator_at(const qn_graph *graph, uint32_t i) {
  qn_fb_table subgraph =
      qn_fb_child_at(qn_tflite_of(graph)->subgraphs, graph->frame->subgraph, QN_FB_SUBGRAPH);
  return qn_fb_child_at(qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OPERATORS), i, QN_FB_OPERATOR);
}

/* A list of tensor indices in file format: little-endian. */
static qn_graph_list list_of(qn_graph *graph, const int32_t *numbers, uint32_t count) {
  uint8_t *bytes = qn_arena_alloc(&graph->arena, 4 * (size_t)count + 4);
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 4; k++) bytes[4 * i + k] = (uint8_t)((uint32_t)numbers[i] >> (8 * k));
  return (qn_graph_list){bytes, count, QN_GRAPH_INT32};
}

static bool choose(qn_graph *graph, const qn_import_part *part) {
  bool *chosen = QN_NEW_ARRAY(&graph->arena, (size_t)graph->op_count + 1, bool);
  for (uint32_t i = 0; i < part->operator_count; i++) {
    uint32_t number = part->operators[i];
    if (number >= graph->op_count || (i > 0 && number <= part->operators[i - 1])) {
      qn_graph_model_error(graph, NULL, QN_INVALID,
                           number >= graph->op_count
                               ? "operator %u is wanted, but there are %u"
                               : "operator %u is wanted out of order; there are %u",
                           number, graph->op_count);
      return false;
    }
    chosen[number] = true;
  }
  file_of(graph)->chosen = chosen;
  return true;
}

/* ---- the boundary, if the options do not specify it ---- */

enum { READ_INSIDE = 1, READ_OUTSIDE = 2, WRITTEN_INSIDE = 4, IS_OUTPUT = 8 };

static void mark(const qn_graph *graph, uint8_t *marks, qn_graph_list list, uint8_t bit) {
  for (uint32_t i = 0; i < list.count; i++) {
    int32_t index = qn_graph_number(list, i);
    if (index >= 0 && (uint32_t)index < graph->tensor_count) marks[index] |= bit;
  }
}

/* Inputs of a part: tensors read inside and not written inside, except constants and states. */
static bool is_border_input(const qn_graph *graph, uint32_t i, uint8_t marks) {
  return (marks & READ_INSIDE) && !(marks & WRITTEN_INSIDE) &&
         graph->tensors[i].stored_dtype != QN_GRAPH_RESOURCE &&
         !qn_fb_int(tensor_at(graph, i), QN_FB_TENSOR_IS_VARIABLE) &&
         qn_tflite_buffer(graph, tensor_at(graph, i)).bytes.size == 0;
}

/* Outputs of a part: tensors that are written inside and read outside or not at all, or that are
 * outputs of the model. */
static bool is_border_output(const qn_graph *graph, uint32_t i, uint8_t marks) {
  return (marks & WRITTEN_INSIDE) && graph->tensors[i].stored_dtype != QN_GRAPH_RESOURCE &&
         ((marks & (READ_OUTSIDE | IS_OUTPUT)) || !(marks & READ_INSIDE));
}

static qn_graph_list collect(qn_graph *graph, const uint8_t *marks,
                             bool (*belongs)(const qn_graph *graph, uint32_t i, uint8_t marks)) {
  int32_t *numbers = QN_NEW_ARRAY(&graph->arena, (size_t)graph->tensor_count + 1, int32_t);
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->tensor_count; i++)
    if (belongs(graph, i, marks[i])) numbers[count++] = (int32_t)i;
  return list_of(graph, numbers, count);
}

static void find_border(qn_graph *graph) {
  const bool *chosen = qn_tflite_of(graph)->chosen;
  uint8_t *marks = QN_NEW_ARRAY(&graph->arena, (size_t)graph->tensor_count + 1, uint8_t);
  for (uint32_t i = 0; i < graph->op_count; i++) {
    qn_fb_table op = operator_at(graph, i);
    mark(graph, marks, qn_tflite_list(op, QN_FB_OPERATOR_INPUTS),
         chosen[i] ? READ_INSIDE : READ_OUTSIDE);
    if (chosen[i]) mark(graph, marks, qn_tflite_list(op, QN_FB_OPERATOR_OUTPUTS), WRITTEN_INSIDE);
  }
  mark(graph, marks, graph->outputs, IS_OUTPUT);
  graph->inputs = collect(graph, marks, is_border_input);
  graph->outputs = collect(graph, marks, is_border_output);
}

bool qn_tflite_take_part(qn_graph *graph) {
  const qn_import_part *part = &graph->options->part;
  if (part->operator_count == 0) return true;
  if (!choose(graph, part)) return false;
  if (part->input_count == 0 && part->output_count == 0) {
    find_border(graph);
    return true;
  }
  graph->inputs = list_of(graph, part->inputs, part->input_count);
  graph->outputs = list_of(graph, part->outputs, part->output_count);
  return true;
}

bool qn_tflite_is_chosen(const qn_graph *graph, uint32_t index) {
  const bool *chosen = qn_tflite_of(graph)->chosen;
  return !chosen || graph->frame->outer || chosen[index];
}
