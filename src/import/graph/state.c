/* States: variable tensors of the main graph, named variables, and variable tensors of called
 * subgraphs. They are arguments of @main after the inputs, in order of first use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/value.h"

/* Adds a state; returns its value from the last invocation. */
static qn_value *add_state(qn_graph *graph, const qn_type *type, qn_graph_state state) {
  graph->states[graph->state_count++] = state;
  return qn_block_add_arg(graph->module, graph->entry, type, graph->loc);
}

qn_value *qn_graph_open_variable(qn_graph_op *op, qn_graph_variable *variable) {
  if (!variable->value)
    variable->value = variable->argument =
        add_state(op->graph, variable->type, (qn_graph_state){.variable = variable});
  return variable->value;
}

qn_graph_variable *qn_graph_add_variable(qn_graph_op *op, const qn_graph_tensor *tensor,
                                         qn_graph_variable variable) {
  qn_graph *graph = op->graph;
  if (graph->variable_count == QN_GRAPH_MAX_VARIABLES) {
    qn_graph_error(op, tensor, QN_LIMIT, "more than %d variables", QN_GRAPH_MAX_VARIABLES);
    return NULL;
  }
  if (!graph->variables)
    graph->variables = QN_NEW_ARRAY(&graph->arena, QN_GRAPH_MAX_VARIABLES, qn_graph_variable);
  graph->variables[graph->variable_count] = variable;
  return &graph->variables[graph->variable_count++];
}

bool qn_graph_fits_variable(qn_graph_op *op, qn_graph_tensor *tensor, qn_graph_variable *variable,
                            const qn_type *type) {
  if (!variable->type) variable->type = type;
  if (variable->type == type) return true;
  return qn_graph_error(op, tensor, QN_INVALID,
                        "its type or shape is not that of the variable '%.*s'",
                        QN_STR_ARG(qn_graph_printable(&op->graph->arena, variable->name, 80)));
}

/* ---- variable tensors of called subgraphs ---- */

static qn_graph_variable *inner_variable(qn_graph *graph, const qn_graph_tensor *tensor) {
  for (uint32_t i = 0; i < graph->variable_count; i++)
    if (graph->variables[i].at == tensor->at) return &graph->variables[i];
  return NULL;
}

static uint32_t depth_of(const qn_graph *graph) {
  uint32_t depth = 0;
  for (const qn_graph_frame *f = graph->frame; f; f = f->outer) depth++;
  return depth;
}

/* The initial value of a variable that is not a state, as a constant at the start of @main. */
static qn_value *beginning(qn_graph *graph, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  int64_t zero_point = quant ? quant->zero_points[0] : 0; /* little-endian */
  const qn_type *stored = qn_type_stored(graph->cx, type);
  qn_bytes one = {(const uint8_t *)&zero_point, qn_type_bytes(qn_type_element(stored))};
  const qn_attr *value = qn_attr_dense(graph->cx, stored, one, false);
  qn_builder b = graph->entry->first ? qn_builder_before(graph->module, graph->entry->first)
                                     : qn_builder_at_end(graph->module, graph->entry, graph->loc);
  b.loc = graph->loc;
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* Opens a variable tensor of a called subgraph, which keeps its value between calls. */
static qn_value *open_inner(qn_graph_op *op, qn_graph_tensor *tensor, const qn_type *type) {
  qn_graph *graph = op->graph;
  if (graph->initializing) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "a variable tensor of a subgraph of CALL_ONCE");
    return NULL;
  }
  qn_graph_variable *variable = inner_variable(graph, tensor);
  if (!variable)
    variable = qn_graph_add_variable(op, tensor,
                                     (qn_graph_variable){.name = tensor->name, .at = tensor->at});
  if (!variable || !qn_graph_fits_variable(op, tensor, variable, type)) return NULL;
  variable->depth = depth_of(graph);
  if (!variable->value && !graph->profile->kept_states)
    variable->value = variable->argument = beginning(graph, type);
  tensor->value = qn_graph_open_variable(op, variable);
  return tensor->value;
}

void qn_graph_keep_inner(qn_graph *graph) {
  for (uint32_t i = 0; i < graph->tensor_count; i++) {
    const qn_graph_tensor *tensor = &graph->tensors[i];
    qn_graph_variable *variable =
        tensor->loaded && tensor->is_state && tensor->value ? inner_variable(graph, tensor) : NULL;
    if (variable) variable->value = tensor->value;
  }
}

void qn_graph_forget_inner(qn_graph *graph) {
  uint32_t depth = depth_of(graph);
  for (uint32_t i = 0; i < graph->variable_count && !graph->profile->kept_states; i++) {
    qn_graph_variable *variable = &graph->variables[i];
    if (variable->at && variable->depth > depth) variable->value = variable->argument;
  }
}

/* ---- variable tensors of the main graph ---- */

qn_value *qn_graph_open_state(qn_graph_op *op, qn_graph_tensor *tensor) {
  qn_graph *graph = op->graph;
  const qn_type *element = qn_graph_element_type(graph, op, tensor);
  if (!element) return NULL;
  const qn_type *type = qn_graph_shaped(graph, element, &tensor->shape);
  if (graph->frame->outer) return open_inner(op, tensor, type);
  tensor->value = add_state(graph, type, (qn_graph_state){.tensor = tensor});
  return tensor->value;
}
