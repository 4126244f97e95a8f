/* Variables are states of the model. VAR_HANDLE names a variable by container and name,
 * READ_VARIABLE and ASSIGN_VARIABLE read and replace its value, CALL_ONCE initializes it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "import/graph/subgraph.h"
#include "import/tflite/tflite.h"

/* A handle without names refers to a variable of this operator alone. */
void qn_tflite_import_var_handle(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  qn_graph_tensor *handle = qn_graph_output(op, 0);
  if (!handle) return;
  qn_str container = qn_graph_string_option(op, "CONTAINER");
  qn_str name = qn_graph_string_option(op, "SHARED_NAME");
  for (uint32_t i = 0; i < graph->variable_count; i++) {
    qn_graph_variable *known = &graph->variables[i];
    if (known->at || !qn_str_equal(known->container, container) || !qn_str_equal(known->name, name))
      continue;
    handle->variable = known;
    return;
  }
  handle->variable =
      qn_graph_add_variable(op, handle, (qn_graph_variable){.container = container, .name = name});
}

static qn_graph_variable *variable_of(qn_graph_op *op) {
  qn_graph_tensor *handle = qn_graph_input(op, 0);
  if (handle && !handle->variable)
    qn_graph_error(op, handle, QN_INVALID, "it is not a variable that VAR_HANDLE names");
  return handle ? handle->variable : NULL;
}

static const qn_type *type_of(qn_graph_op *op, const qn_graph_tensor *tensor) {
  const qn_type *element = qn_graph_element_type(op->graph, op, tensor);
  return element ? qn_graph_shaped(op->graph, element, &tensor->shape) : NULL;
}

void qn_tflite_import_read_variable(qn_graph_op *op) {
  qn_graph_variable *variable = variable_of(op);
  qn_graph_tensor *y = qn_graph_output(op, 0);
  const qn_type *type = variable && y ? type_of(op, y) : NULL;
  if (type && qn_graph_fits_variable(op, y, variable, type))
    y->value = qn_graph_open_variable(op, variable);
}

/* ---- initial values of variables ---- */

/* In a subgraph of CALL_ONCE: sets the variable's value after a reset. */
static void set_initial(qn_graph_op *op, qn_graph_tensor *x, qn_graph_variable *variable,
                        const qn_value *value) {
  variable->initial = qn_graph_computed(op->graph, value);
  if (!variable->initial)
    qn_graph_error(
        op, x, QN_UNSUPPORTED,
        "what a variable begins with must be a constant, or numbers computed from constants "
        "to at most %d bytes",
        QN_FOLD_MAX_BYTES);
}

/* ---- ASSIGN_VARIABLE, CALL_ONCE ---- */

void qn_tflite_import_assign_variable(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  qn_graph_variable *variable = variable_of(op);
  qn_graph_tensor *x = qn_graph_input(op, 1);
  qn_value *value = variable && x ? qn_graph_value(op, x) : NULL;
  if (!value || !qn_graph_fits_variable(op, x, variable, value->type)) return;
  if (graph->initializing) {
    set_initial(op, x, variable, value);
  } else {
    (void)qn_graph_open_variable(op, variable);
    variable->value = value;
  }
}

void qn_tflite_import_call_once(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  uint32_t number;
  if (graph->conditional)
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "it is in a branch or loop, and may not be reached");
  if (op->failed || !qn_graph_subgraph_of(op, "SUBGRAPH", &number)) return;
  graph->initializing++;
  qn_graph_call(op, number, graph->block, NULL, 0, NULL, 0);
  graph->initializing--;
}
