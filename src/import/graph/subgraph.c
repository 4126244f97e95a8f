/* Subgraphs that operators call, read where they are called: the current graph's state is saved,
 * and new tensors are created for each reading.
 *
 * A file may let subgraphs call each other recursively, or so often that reading all calls would
 * take forever. Recursion is an error, and each reading is charged to a budget that the file's size
 * determines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/subgraph.h"

#include "import/graph/build.h"

enum { MOST_CALLS = 64 };

static bool is_open(const qn_graph *graph, uint32_t number) {
  for (const qn_graph_frame *f = graph->frame; f; f = f->outer)
    if (f->subgraph == number) return true;
  return false;
}

static uint32_t depth_of(const qn_graph *graph) {
  uint32_t depth = 0;
  for (const qn_graph_frame *f = graph->frame; f; f = f->outer) depth++;
  return depth;
}

bool qn_graph_subgraph_of(qn_graph_op *op, const char *option, uint32_t *out_number) {
  const qn_graph *graph = op->graph;
  int64_t number = qn_graph_option(op, option);
  if (number < 0 || number >= graph->subgraph_count)
    return qn_graph_error(op, NULL, QN_INVALID, "subgraph %lld, but there are %u subgraphs",
                          (long long)number, graph->subgraph_count);
  *out_number = (uint32_t)number;
  if (is_open(graph, *out_number))
    return qn_graph_error(op, NULL, QN_INVALID, "it calls subgraph %u, in which it is",
                          *out_number);
  if (depth_of(graph) > MOST_CALLS)
    return qn_graph_error(op, NULL, QN_LIMIT, "subgraphs call each other more than %d deep",
                          MOST_CALLS);
  return qn_graph_spend_on_calls(op, graph->format->cost(graph, *out_number));
}

/* ---- arguments and results ---- */

qn_graph_given qn_graph_give(qn_graph_op *op, uint32_t i) {
  qn_graph_tensor *tensor = qn_graph_input(op, i);
  if (!tensor) return (qn_graph_given){0};
  if (tensor->variable) return (qn_graph_given){.variable = tensor->variable};
  return (qn_graph_given){.value = qn_graph_value(op, tensor)};
}

static void set_shape(qn_graph_tensor *tensor, const qn_type *type) {
  tensor->shape.rank = type->shaped.rank;
  for (uint32_t d = 0; d < type->shaped.rank; d++) tensor->shape.dims[d] = type->shaped.dims[d];
}

/* Sets input i of the subgraph to the caller's value. */
static void take_input(qn_graph_op *op, uint32_t i, const qn_graph_given *given) {
  qn_graph *graph = op->graph;
  int32_t index = qn_graph_number(graph->inputs, i);
  if (index < 0 || (uint32_t)index >= graph->tensor_count) {
    qn_graph_error(op, NULL, QN_INVALID, "input %u of subgraph %u is tensor %d of %u", i,
                   graph->frame->subgraph, index, graph->tensor_count);
    return;
  }
  qn_graph_tensor *tensor = &graph->tensors[index];
  if (tensor->is_input) {
    qn_graph_error(op, NULL, QN_INVALID, "input %u of subgraph %u is listed twice", i,
                   graph->frame->subgraph);
    return;
  }
  bool bound = graph->bound,
       rebound = graph->rebound; /* these fields concern inputs of the model */
  tensor->is_input = true;
  bool good = qn_graph_load(graph, op, tensor);
  graph->bound = bound;
  graph->rebound = rebound;
  if (!good) return;
  tensor->variable = given->variable;
  tensor->value = given->value;
  bool resource = tensor->dtype == QN_GRAPH_RESOURCE;
  if (!given->value || resource) {
    if (resource != (given->variable != NULL))
      qn_graph_error(op, NULL, QN_INVALID, "input %u of subgraph %u is %s variable", i,
                     graph->frame->subgraph, resource ? "a" : "no");
    return;
  }
  const qn_type *type = given->value->type, *element = qn_graph_element_type(graph, op, tensor);
  if (element && element != qn_type_element(type))
    qn_graph_error(op, NULL, QN_INVALID,
                   "input %u of subgraph %u has another type of elements than what is given", i,
                   graph->frame->subgraph);
  set_shape(tensor, type);
}

static void collect(qn_graph_op *op, qn_graph_given *out) {
  qn_graph *graph = op->graph;
  qn_graph_op end = {.graph = graph,
                     .frame = graph->frame,
                     .index = graph->op_count,
                     .name = qn_str_of("output"),
                     .is_interface = true};
  for (uint32_t i = 0; i < graph->outputs.count; i++) {
    int32_t index = qn_graph_number(graph->outputs, i);
    if (index < 0 || (uint32_t)index >= graph->tensor_count) {
      qn_graph_error(op, NULL, QN_INVALID, "output %u of subgraph %u is tensor %d of %u", i,
                     graph->frame->subgraph, index, graph->tensor_count);
      continue;
    }
    qn_graph_tensor *tensor = &graph->tensors[index];
    if (!qn_graph_load(graph, &end, tensor)) continue;
    out[i].variable = tensor->variable;
    if (!tensor->variable) out[i].value = qn_graph_value(&end, tensor);
  }
  op->failed |= end.failed;
}

/* ---- reading one ---- */

bool qn_graph_call(qn_graph_op *op, uint32_t number, qn_block *block, const qn_graph_given *given,
                   uint32_t given_count, qn_graph_given *out, uint32_t out_count) {
  qn_graph *graph = op->graph;
  const qn_graph outside = *graph;
  qn_status before = graph->status;
  qn_graph_frame frame = {number, graph->reached[number], graph->frame};
  graph->frame = &frame;
  graph->reached[number] = true;
  if (block != graph->block) graph->builder = qn_builder_at_end(graph->module, block, graph->loc);
  graph->block = block;
  if (graph->format->open(graph, number)) {
    if (graph->inputs.count != given_count || graph->outputs.count != out_count)
      qn_graph_error(op, NULL, QN_INVALID,
                     "subgraph %u has %u inputs and %u outputs where %u and %u are expected",
                     number, graph->inputs.count, graph->outputs.count, given_count, out_count);
    for (uint32_t i = 0; i < given_count && !op->failed; i++) take_input(op, i, &given[i]);
    if (!op->failed) graph->format->read_ops(graph);
    if (!op->failed) collect(op, out);
    qn_graph_keep_inner(graph);
  }
  /* Restores the caller's state; fields that concern the whole file keep their values. */
  graph->frame = outside.frame;
  graph->builder = outside.builder;
  graph->block = outside.block;
  graph->tensors = outside.tensors;
  graph->tensor_count = outside.tensor_count;
  graph->op_count = outside.op_count;
  graph->inputs = outside.inputs;
  graph->outputs = outside.outputs;
  if (graph->status != before) op->failed = true; /* already reported */
  for (uint32_t i = 0; i < out_count && !op->failed; i++)
    if (!out[i].value && !out[i].variable) op->failed = true;
  return !op->failed;
}
