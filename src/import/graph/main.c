/* Steps of an import: a module, @main with its inputs, outputs and states.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/main.h"

#include "eval/fold.h"
#include "import/graph/batch.h"
#include "import/graph/opaque.h"
#include "ir/entry/port.h"
#include "ir/numerics.h"
#include "ir/verify/verify.h"

/* ---- the module ---- */

/* The file name without directories, so that the IR does not depend on the file's location. */
static qn_str base_name(qn_str path) {
  for (size_t i = path.size; i > 0; i--)
    if (path.data[i - 1] == '/') return (qn_str){path.data + i, path.size - i};
  return path;
}

static void set_module_attrs(qn_graph *graph, qn_str numerics) {
  qn_op *op = graph->module->op;
  qn_str source = qn_graph_printable(&graph->arena, base_name(graph->options->path), SIZE_MAX);
  qn_op_set_attr(graph->module, op, qn_numerics_attr, qn_attr_string(graph->cx, numerics));
  qn_op_set_attr(graph->module, op, "quern.source", qn_attr_string(graph->cx, source));
}

/* Minimum budgets, for about 10,000 operators however small the file is, and for 256 KiB of
 * constants that are computed: a small file may describe a matrix that resizes images by two
 * numbers. */
enum { LEAST_CALLS = 1 << 18, LEAST_WORK = 1 << 18, UNITS_PER_BYTE = 8 };

qn_status qn_graph_begin(qn_graph *graph, const qn_graph_format *format, const char *numerics,
                         qn_ir_context *cx, qn_file *file, const qn_import_options *options) {
  const qn_loc *loc = qn_loc_file(&cx->diag, options->path, 0, 0);
  const int64_t allowed = UNITS_PER_BYTE * (int64_t)qn_file_bytes(file).size;
  qn_str chosen = options->numerics.size > 0 ? options->numerics : qn_str_of(numerics);
  const qn_profile *profile;
  QN_TRY(qn_profile_find(&cx->diag, loc, chosen, &profile));
  *graph = (qn_graph){.format = format,
                      .cx = cx,
                      .options = options,
                      .profile = profile,
                      .loc = loc,
                      .batch = options->batch > 0 ? options->batch : 1,
                      .work = LEAST_WORK + allowed,
                      .calls = LEAST_CALLS + allowed};
  qn_arena_init(&graph->arena);
  graph->named = QN_NEW_ARRAY(&graph->arena, (size_t)options->dimension_count + 1, bool);
  graph->module = qn_module_create(cx, loc);
  qn_module_retain_file(graph->module, file);
  set_module_attrs(graph, chosen);
  return QN_OK;
}

void qn_graph_add_file(qn_graph *graph, qn_file *file) {
  graph->work += UNITS_PER_BYTE * (int64_t)qn_file_bytes(file).size;
  qn_module_retain_file(graph->module, file);
}

/* Verifies the module. An error here is reported as unsupported, because the checks of the operator
 * accepted it. */
static bool is_valid(qn_module *module, const qn_import_options *options) {
  return qn_verify(module) == QN_OK &&
         (options->keep_unsupported || qn_verify_stage(module, QN_STAGE_MODEL) == QN_OK);
}

qn_status qn_graph_end(qn_graph *graph, qn_module **out_module) {
  qn_folder_destroy(graph->folder);
  qn_arena_deinit(&graph->arena);
  if (graph->status == QN_OK && !is_valid(graph->module, graph->options))
    graph->status = QN_UNSUPPORTED;
  if (graph->status == QN_OK)
    *out_module = graph->module;
  else
    qn_module_destroy(graph->module);
  return graph->status;
}

bool qn_graph_open(qn_graph *graph, uint32_t tensor_count, uint32_t op_count, qn_graph_list inputs,
                   qn_graph_list outputs) {
  if (tensor_count > QN_GRAPH_MAX_TENSORS || op_count > QN_GRAPH_MAX_OPERATORS) {
    qn_graph_model_error(graph, NULL, QN_LIMIT,
                         "%u tensors and %u operators; the limits are %d and %d", tensor_count,
                         op_count, QN_GRAPH_MAX_TENSORS, QN_GRAPH_MAX_OPERATORS);
    return false;
  }
  graph->inputs = inputs;
  graph->outputs = outputs;
  graph->op_count = op_count;
  graph->tensor_count = tensor_count;
  graph->tensors = QN_NEW_ARRAY(&graph->arena, (size_t)tensor_count + 1, qn_graph_tensor);
  for (uint32_t i = 0; i < tensor_count; i++) {
    graph->tensors[i].index = i;
    graph->tensors[i].writer = -1;
  }
  return true;
}

/* ---- inputs and outputs ---- */

static void describe_type(qn_port *port, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->count > 1) return;
  port->scale = quant->scales[0];
  port->zero_point = quant->zero_points[0];
  qn_port_note(port, QN_PORT_SCALE);
  qn_port_note(port, QN_PORT_ZERO_POINT);
}

/* The interface has the unsigned type of integers that are signless in the IR. */
static void state_sign(qn_port *port, const qn_graph_tensor *tensor) {
  static const qn_dtype dtypes[QN_GRAPH_DTYPE_COUNT] = {[QN_GRAPH_UINT16] = QN_DTYPE_U16,
                                                        [QN_GRAPH_UINT32] = QN_DTYPE_U32,
                                                        [QN_GRAPH_UINT64] = QN_DTYPE_U64};
  port->dtype = dtypes[tensor->dtype];
  if (port->dtype) qn_port_note(port, QN_PORT_DTYPE);
}

static qn_port describe(qn_graph *graph, const qn_graph_tensor *tensor, const qn_type *type) {
  qn_port port = QN_PORT_INIT;
  port.index = tensor->index;
  port.name = qn_graph_printable(&graph->arena, tensor->name, SIZE_MAX);
  qn_port_note(&port, QN_PORT_INDEX);
  qn_port_note(&port, QN_PORT_NAME);
  describe_type(&port, type);
  if (graph->format->has_all_types) state_sign(&port, tensor);
  return port;
}

/* Tensor i of a list of inputs or outputs; NULL if invalid. */
static qn_graph_tensor *listed(qn_graph *graph, qn_graph_list list, uint32_t i, const char *what) {
  int32_t index = qn_graph_number(list, i);
  if (index >= 0 && (uint32_t)index < graph->tensor_count) return &graph->tensors[index];
  qn_graph_model_error(graph, NULL, QN_INVALID,
                       "%s %u of the model is tensor %d, but there are %u tensors", what, i, index,
                       graph->tensor_count);
  return NULL;
}

/* The type of an input or output; errors are reported at the model. */
static const qn_type *interface_type(qn_graph *graph, qn_graph_tensor *tensor, const char *what) {
  qn_graph_op op = {.graph = graph, .name = qn_str_of(what), .is_interface = true};
  bool loaded = qn_graph_load(graph, &op, tensor);
  if (graph->options->keep_unsupported)
    return graph->status == QN_OK ? qn_graph_opaque_type(&op, tensor) : NULL;
  const qn_type *element = loaded ? qn_graph_element_type(graph, &op, tensor) : NULL;
  return element ? qn_graph_shaped(graph, element, &tensor->shape) : NULL;
}

static void report_fixed(qn_graph *graph, const qn_graph_tensor *tensor) {
  qn_graph_op op = {.graph = graph, .name = qn_str_of("input"), .is_interface = true};
  qn_graph_remark(
      &op, tensor,
      "its value in the file is used, and it is not an input: shapes are fixed at compile "
      "time");
}

/* The constant that the options give for an input of a name. */
static const qn_constant_input *given_for(const qn_graph *graph, qn_str name, bool *met) {
  const qn_import_options *options = graph->options;
  for (uint32_t k = 0; k < options->constant_count; k++) {
    if (!qn_str_is(name, options->constants[k].name)) continue;
    met[k] = true;
    return &options->constants[k];
  }
  return NULL;
}

static void report_unknown(qn_graph *graph, const char *what, const char *name) {
  qn_str shown = qn_graph_printable(&graph->arena, qn_str_of(name), SIZE_MAX);
  qn_graph_model_error(graph, NULL, QN_NOT_FOUND, "the model has no %s '%.*s'", what,
                       QN_STR_ARG(shown));
}

static void mark_inputs(qn_graph *graph) {
  const uint32_t given = graph->options->constant_count;
  bool *met = QN_NEW_ARRAY(&graph->arena, (size_t)given + 1, bool);
  for (uint32_t i = 0; i < graph->inputs.count; i++) {
    qn_graph_tensor *tensor = listed(graph, graph->inputs, i, "input");
    if (!tensor) continue;
    if (tensor->is_input)
      qn_graph_model_error(graph, tensor, QN_INVALID, "listed twice among the inputs of the model");
    tensor->is_input = !graph->format->is_fixed_input(graph, tensor);
    if (tensor->is_input) tensor->given = given_for(graph, tensor->name, met);
    if (tensor->given) tensor->is_input = false;
  }
  for (uint32_t k = 0; k < given; k++)
    if (!met[k]) report_unknown(graph, "input", graph->options->constants[k].name);
}

static void add_inputs(qn_graph *graph, qn_port *descriptions) {
  for (uint32_t i = 0; i < graph->inputs.count; i++) {
    int32_t index = qn_graph_number(graph->inputs, i);
    if (index < 0 || (uint32_t)index >= graph->tensor_count || graph->tensors[index].value)
      continue;
    qn_graph_tensor *tensor = &graph->tensors[index];
    if (tensor->given) continue;
    if (!tensor->is_input) {
      report_fixed(graph, tensor);
      continue;
    }
    const qn_type *type = interface_type(graph, tensor, "input");
    tensor->bad = !type;
    if (!type) continue;
    qn_port *port = &descriptions[graph->entry->arg_count];
    *port = describe(graph, tensor, type);
    qn_graph_name_size(graph, tensor, port);
    tensor->value = qn_block_add_arg(graph->module, graph->entry, type, graph->loc);
  }
}

/* ---- states ---- */

/* The initial value of a state: every element is the zero point. */
static const qn_attr *initial_value(qn_graph *graph, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->zero_points[0] == 0) return NULL;
  int64_t zero_point = quant->zero_points[0]; /* little-endian */
  qn_bytes one = {(const uint8_t *)&zero_point, qn_type_bytes(quant->storage)};
  return qn_attr_dense(graph->cx, qn_type_with_element(graph->cx, type, quant->storage), one,
                       false);
}

/* Describes a state; a variable has its own name and no tensor. */
static qn_port describe_state(qn_graph *graph, const qn_graph_state *state, const qn_type *type) {
  qn_port port = QN_PORT_INIT;
  if (state->tensor) {
    port = describe(graph, state->tensor, type);
  } else {
    port.name = qn_graph_printable(&graph->arena, state->variable->name, SIZE_MAX);
    if (port.name.size > 0) qn_port_note(&port, QN_PORT_NAME);
    describe_type(&port, type);
  }
  port.role = QN_ROLE_STATE;
  qn_port_note(&port, QN_PORT_ROLE);
  return port;
}

qn_value **qn_graph_state_place(const qn_graph_state *state) {
  return state->tensor ? &state->tensor->value : &state->variable->value;
}

static qn_value *state_value(const qn_graph_state *state) { return *qn_graph_state_place(state); }

static void describe_states(qn_graph *graph, qn_port *arguments, qn_port *results) {
  for (uint32_t k = 0; k < graph->state_count; k++) {
    const qn_graph_state *state = &graph->states[k];
    const qn_type *type = state_value(state)->type;
    qn_port port = describe_state(graph, state, type);
    results[k] = port;
    port.initial = state->variable ? state->variable->initial : NULL;
    if (!port.initial) port.initial = initial_value(graph, type);
    if (port.initial) qn_port_note(&port, QN_PORT_INITIAL);
    arguments[k] = port;
  }
}

/* ---- the function ---- */

/* Collects the values that @main returns. */
static void collect_outputs(qn_graph *graph, qn_value **values, qn_port *descriptions) {
  for (uint32_t i = 0; i < graph->outputs.count; i++) {
    qn_graph_tensor *tensor = listed(graph, graph->outputs, i, "output");
    if (!tensor || !interface_type(graph, tensor, "output")) continue;
    qn_graph_op op = {.graph = graph,
                      .index = graph->op_count,
                      .name = qn_str_of("output"),
                      .is_interface = true};
    values[i] = qn_graph_value(&op, tensor);
    if (values[i]) descriptions[i] = describe(graph, tensor, values[i]->type);
  }
}

struct qn_graph_main {
  qn_op *func;
  qn_port *inputs; /* descriptions of the arguments that are no states */
};

qn_graph_main *qn_graph_begin_main(qn_graph *graph) {
  qn_graph_main *main = QN_NEW(&graph->arena, qn_graph_main);
  qn_builder top = qn_builder_at_end(graph->module, qn_op_body(graph->module->op), graph->loc);
  main->func =
      qn_build_func(&top, qn_str_of("main"), qn_type_function(graph->cx, NULL, 0, NULL, 0), NULL);
  graph->entry = graph->block = qn_op_body(main->func);
  graph->builder = qn_builder_at_end(graph->module, graph->entry, graph->loc);
  const uint32_t most_states = graph->tensor_count + QN_GRAPH_MAX_VARIABLES;
  graph->states = QN_NEW_ARRAY(&graph->arena, most_states, qn_graph_state);
  main->inputs = QN_NEW_ARRAY(&graph->arena, (size_t)graph->inputs.count + 1, qn_port);
  mark_inputs(graph);
  add_inputs(graph, main->inputs);
  for (uint32_t k = 0; k < graph->options->dimension_count; k++)
    if (!graph->named[k])
      report_unknown(graph, "input with an unknown dimension", graph->options->dimensions[k].name);
  if (graph->options->batch > 1 && !graph->bound)
    qn_warning(&graph->cx->diag, graph->loc,
               "no dimension of the inputs is unknown: the batch of %lld is ignored",
               (long long)graph->options->batch);
  return main;
}

void qn_graph_end_main(qn_graph *graph, qn_graph_main *main) {
  const uint32_t own = graph->outputs.count;
  qn_value **own_values = QN_NEW_ARRAY(&graph->arena, (size_t)own + 1, qn_value *);
  qn_port *own_ports = QN_NEW_ARRAY(&graph->arena, (size_t)own + 1, qn_port);
  collect_outputs(graph, own_values, own_ports); /* may open more states */
  if (own == 0) qn_graph_model_error(graph, NULL, QN_INVALID, "the model has no outputs");
  if (graph->status != QN_OK) return;
  const uint32_t states = graph->state_count, arguments = graph->entry->arg_count;
  const uint32_t inputs = arguments - states, results = own + states;
  qn_port *ports = QN_NEW_ARRAY(&graph->arena, arguments + 1, qn_port);
  qn_port *result_ports = QN_NEW_ARRAY(&graph->arena, results + 1, qn_port);
  qn_value **values = QN_NEW_ARRAY(&graph->arena, results + 1, qn_value *);
  memcpy(ports, main->inputs, inputs * sizeof *ports);
  memcpy(result_ports, own_ports, own * sizeof *result_ports);
  memcpy(values, own_values, own * sizeof(qn_value *));
  describe_states(graph, ports + inputs, result_ports + own);
  for (uint32_t k = 0; k < states; k++) values[own + k] = state_value(&graph->states[k]);
  qn_build_0(&graph->builder, QN_OP_FUNC_RETURN, values, results, NULL);
  const qn_type **types = QN_NEW_ARRAY(&graph->arena, arguments + results + 1, const qn_type *);
  for (uint32_t i = 0; i < arguments; i++) types[i] = graph->entry->args[i]->type;
  for (uint32_t i = 0; i < results; i++) types[arguments + i] = values[i]->type;
  const qn_type *type = qn_type_function(graph->cx, types, arguments, types + arguments, results);
  qn_op_set_attr(graph->module, main->func, "function_type", qn_attr_type(graph->cx, type));
  qn_ports_set(graph->module, main->func, QN_SIDE_ARGUMENTS, ports, arguments);
  qn_ports_set(graph->module, main->func, QN_SIDE_RESULTS, result_ports, results);
}
