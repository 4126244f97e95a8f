/* Subgraphs: their tensors, and their operators in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/main.h"
#include "import/tflite/tflite.h"

static qn_fb_table subgraph_at(const qn_graph *graph, uint32_t number) {
  return qn_fb_child_at(qn_tflite_of(graph)->subgraphs, number, QN_FB_SUBGRAPH);
}

bool qn_tflite_open(qn_graph *graph, uint32_t number) {
  qn_fb_table subgraph = subgraph_at(graph, number);
  qn_fb_vector tensors = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_TENSORS);
  qn_fb_vector operators = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OPERATORS);
  if (!qn_graph_open(graph, tensors.count, operators.count,
                     qn_tflite_list(subgraph, QN_FB_SUBGRAPH_INPUTS),
                     qn_tflite_list(subgraph, QN_FB_SUBGRAPH_OUTPUTS)))
    return false;
  for (uint32_t i = 0; i < tensors.count; i++)
    qn_tflite_describe(&graph->tensors[i], qn_fb_child_at(tensors, i, QN_FB_TENSOR));
  return true;
}

int64_t qn_tflite_cost(const qn_graph *graph, uint32_t number) {
  enum { COST_OF_OPERATOR = 16 };
  qn_fb_table subgraph = subgraph_at(graph, number);
  int64_t tensors = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_TENSORS).count;
  int64_t operators = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OPERATORS).count;
  return 1 + tensors + COST_OF_OPERATOR * operators;
}

/* ---- operators ---- */

static int64_t code_of(const qn_graph_op *op) {
  return qn_fb_int(qn_tflite_table(op), QN_FB_OPERATOR_OPCODE_INDEX);
}

/* False when the file has no such code. */
static bool open_operator(qn_graph *graph, uint32_t index, qn_graph_op *op) {
  const qn_tflite *file = qn_tflite_of(graph);
  qn_fb_vector operators =
      qn_fb_vector_of(subgraph_at(graph, graph->frame->subgraph), QN_FB_SUBGRAPH_OPERATORS);
  qn_fb_table table = qn_fb_child_at(operators, index, QN_FB_OPERATOR);
  *op = (qn_graph_op){.graph = graph,
                      .frame = graph->frame,
                      .name = qn_str_of("?"),
                      .index = index,
                      .at = table.at,
                      .inputs = qn_tflite_list(table, QN_FB_OPERATOR_INPUTS),
                      .outputs = qn_tflite_list(table, QN_FB_OPERATOR_OUTPUTS)};
  int64_t code = code_of(op);
  if (code >= file->code_count) return false;
  const qn_tflite_builtin *builtin = file->codes[code].builtin;
  op->row = builtin ? &builtin->row : NULL;
  op->name = file->codes[code].name;
  return true;
}

/* First pass over the operators: indices and writers. Returns which operators can be imported. */
static bool *check_operators(qn_graph *graph) {
  bool *good = QN_NEW_ARRAY(&graph->arena, graph->op_count + 1, bool);
  for (uint32_t i = 0; i < graph->op_count; i++) {
    qn_graph_op op;
    good[i] = open_operator(graph, i, &op);
    if (!good[i])
      qn_graph_error(&op, NULL, QN_INVALID, "operator code %lld, but there are %u codes",
                     (long long)code_of(&op), qn_tflite_of(graph)->code_count);
    bool inputs = qn_graph_check_indices(&op, op.inputs, -1, "operand");
    bool outputs = qn_graph_check_indices(&op, op.outputs, 0, "result");
    if (outputs) qn_graph_record_writes(&op);
    good[i] = good[i] && inputs && outputs;
  }
  return good;
}

static bool check_version(qn_graph_op *op, const qn_graph_tensor *first) {
  int64_t version = qn_tflite_of(op->graph)->codes[code_of(op)].version;
  int newest = qn_tflite_builtin_of(op)->version;
  if (version >= 1 && version <= newest) return true;
  return qn_graph_error(op, first, version < 1 ? QN_INVALID : QN_UNSUPPORTED,
                        "version %lld of the operator; 1 to %d are supported", (long long)version,
                        newest);
}

static void check_options(qn_graph_op *op, const qn_graph_tensor *first) {
  qn_fb_row table = qn_tflite_builtin_of(op)->options;
  int64_t options = qn_fb_int(qn_tflite_table(op), QN_FB_OPERATOR_BUILTIN_OPTIONS_TYPE),
          expected = qn_fb_options_code(table);
  if (expected && options && options != expected)
    qn_graph_error(op, first, QN_INVALID, "its options are of kind %lld instead of %lld (%s)",
                   (long long)options, (long long)expected, qn_fb_schema[table].name);
}

void qn_tflite_read_ops(qn_graph *graph) {
  static const qn_graph_checks checks = {check_version, check_options};
  const bool *good = check_operators(graph);
  for (uint32_t i = 0; i < graph->op_count; i++) {
    qn_graph_op op;
    if (good[i] && open_operator(graph, i, &op)) qn_graph_take(&op, &checks);
  }
}
