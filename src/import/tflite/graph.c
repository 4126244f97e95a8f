/* The main subgraph: its inputs and outputs, who writes which tensor, and the operators in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/entry/port.h"

/* Whether an operand that is computed with has no elements: shapes, axes and the like are integers.
 */
static bool has_empty_operand(qn_tflite_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    const qn_tflite_tensor *x = qn_tflite_input(op, i);
    bool values = x && x->dtype != QN_TFLITE_INT32 && x->dtype != QN_TFLITE_INT64;
    if (values && qn_tflite_elements(&x->shape) == 0) return true;
  }
  return false;
}

static bool has_empty_results(qn_tflite_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_tflite_tensor *y = qn_tflite_output(op, i);
    if (!y || qn_tflite_elements(&y->shape) != 0) return false;
  }
  return true;
}

/* From nothing comes nothing, but for joining and padding; the rest would compute with sizes of 0.
 */
static void import_checked(qn_tflite_op *op) {
  const qn_tflite_builtin *row = op->code->builtin;
  bool empty = has_empty_operand(op);
  if (op->failed) return;
  if (empty && has_empty_results(op))
    qn_tflite_build_empty(op);
  else if (empty && row->kind != QN_OP_ML_CONCAT)
    qn_tflite_refuse_empty(op);
  else
    row->import(op);
}

/* Calls the import function after what the table can check: operand and result counts, required
 * operands, the kind of options, the version. */
static void import_operator(qn_tflite_op *op, qn_fb_table table) {
  const qn_tflite_code *code = op->code;
  const qn_tflite_builtin *row = code->builtin;
  const qn_tflite_tensor *first =
      op->outputs.count ? &op->im->tensors[qn_fb_i32_at(op->outputs, 0)] : NULL;
  if (!row || !row->import) {
    qn_tflite_error(op, first, QN_UNSUPPORTED, "the operator %.*s is not supported%s%s",
                    QN_STR_ARG(code->name), row ? ": " : "", row ? row->refused : "");
    return;
  }
  if (code->version < 1 || code->version > row->version) {
    qn_tflite_error(op, first, code->version < 1 ? QN_INVALID : QN_UNSUPPORTED,
                    "version %lld of the operator; 1 to %d are supported", (long long)code->version,
                    row->version);
    return;
  }
  if (op->inputs.count < (uint32_t)row->least ||
      (row->most >= 0 && op->inputs.count > (uint32_t)row->most))
    qn_tflite_error(op, first, QN_INVALID, "%u operands; %d%s expected", op->inputs.count,
                    row->least, row->most == row->least ? " are" : " or more are");
  if (row->results >= 0 ? op->outputs.count != (uint32_t)row->results : op->outputs.count == 0)
    qn_tflite_error(op, first, QN_INVALID, "%u results; %d expected", op->outputs.count,
                    row->results < 0 ? 1 : row->results);
  uint32_t required = row->most < 0 ? op->inputs.count : (uint32_t)row->least;
  for (uint32_t i = 0; i < required && i < op->inputs.count; i++)
    if (qn_fb_i32_at(op->inputs, i) < 0)
      qn_tflite_error(op, first, QN_INVALID, "operand %u is missing", i);
  int64_t options = qn_fb_int(table, QN_FB_OPERATOR_BUILTIN_OPTIONS_TYPE),
          expected = qn_fb_options_code(row->options);
  if (expected && options && options != expected)
    qn_tflite_error(op, first, QN_INVALID, "its options are of kind %lld instead of %lld (%s)",
                    (long long)options, (long long)expected, qn_fb_schema[row->options].name);
  if (!op->failed) import_checked(op);
}

/* Results of a failed operator get values of their stored shapes, so that what follows is checked
 * as well. The module is thrown away in the end. */
static void leave_placeholders(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_tflite_tensor *tensor = &im->tensors[qn_fb_i32_at(op->outputs, i)];
    if (tensor->value || !qn_tflite_load(im, op, tensor)) continue;
    const qn_type *element =
        tensor->dtype == QN_TFLITE_FLOAT32 ? qn_type_float(im->cx, QN_F32) : qn_type_i(im->cx, 8);
    tensor->value = qn_block_add_arg(im->module, im->entry,
                                     qn_tflite_shaped(im, element, &tensor->shape), im->loc);
  }
}

static qn_value **state_place(const qn_tflite_state *state) {
  return state->tensor ? &state->tensor->value : &state->variable->value;
}

/* A state that comes out of an op which goes away is again what it was at first: what is kept to
 * look at is not run. */
static void take_back_states(qn_tflite *im, const qn_op *gone) {
  qn_value **arguments = im->entry->args + im->entry->arg_count - im->state_count;
  for (uint32_t k = 0; k < im->state_count; k++) {
    qn_value **value = state_place(&im->states[k]);
    if (*value && (*value)->op == gone) *value = arguments[k];
  }
}

/* Takes away what an operator had built before it failed, behind `last`. Constants may stay: others
 * may read them. */
static void take_back(qn_tflite_op *op, const qn_op *last) {
  qn_tflite *im = op->im;
  for (uint32_t i = 0; i < op->outputs.count; i++)
    im->tensors[qn_fb_i32_at(op->outputs, i)].value = NULL;
  for (qn_op *built = im->block->last, *before; built && built != last; built = before) {
    before = built->prev;
    if (qn_op_has(built, QN_CONSTANT)) continue;
    take_back_states(im, built);
    qn_op_erase(im->module, built);
  }
}

/* What stands for an operator that failed. A tensor that fails silently was refused before, at
 * another operator. */
static void leave_in_place(qn_tflite_op *op, const qn_op *last) {
  bool kept = op->im->options->keep_unsupported && op->im->status == QN_OK;
  if (!kept) {
    leave_placeholders(op);
    return;
  }
  if (op->reason.size == 0) op->reason = qn_str_of("one of its tensors is not supported");
  take_back(op, last);
  qn_tflite_build_opaque(op);
}

/* Every index is a tensor's (an input may be -1). */
static bool check_indices(qn_tflite_op *op, qn_fb_vector indices, int32_t least, const char *what) {
  bool good = true;
  for (uint32_t i = 0; i < indices.count; i++) {
    int32_t index = qn_fb_i32_at(indices, i);
    if (index >= least && (index < 0 || (uint32_t)index < op->im->tensor_count)) continue;
    good = qn_tflite_error(op, NULL, QN_INVALID, "%s %u is tensor %d, but there are %u tensors",
                           what, i, index, op->im->tensor_count);
  }
  return good;
}

/* Records who writes what. Nothing is written twice, and no constant or input is written. */
static void record_writes(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    qn_tflite_tensor *tensor = &im->tensors[qn_fb_i32_at(op->outputs, i)];
    if (tensor->writer >= 0) {
      qn_tflite_error(op, tensor, QN_INVALID, "already written by operator %lld",
                      (long long)tensor->writer);
    } else if (tensor->is_input) {
      qn_tflite_error(op, tensor, QN_INVALID, "writes an input of the model");
    } else {
      tensor->writer = op->index;
      if (qn_tflite_load(im, op, tensor) && tensor->data.size)
        qn_tflite_error(op, tensor, QN_INVALID, "writes a constant");
    }
  }
}

/* An operator with checked indices; false when it can't be looked at. */
static bool open_operator(qn_tflite *im, uint32_t index, qn_tflite_op *op, qn_fb_table *out_table) {
  static const qn_tflite_code unknown = {NULL, {"?", 1}, 1};
  *out_table = qn_fb_child_at(im->operators, index, QN_FB_OPERATOR);
  int64_t code = qn_fb_int(*out_table, QN_FB_OPERATOR_OPCODE_INDEX);
  *op = (qn_tflite_op){.im = im,
                       .frame = im->frame,
                       .index = index,
                       .table = *out_table,
                       .code = code < im->code_count ? &im->codes[code] : &unknown,
                       .inputs = qn_fb_vector_of(*out_table, QN_FB_OPERATOR_INPUTS),
                       .outputs = qn_fb_vector_of(*out_table, QN_FB_OPERATOR_OUTPUTS)};
  if (op->code->builtin) op->options = qn_fb_options(*out_table, op->code->builtin->options);
  return code < im->code_count;
}

/* First pass over the operators: indices and writers. Returns which operators can be imported. */
static bool *check_operators(qn_tflite *im) {
  bool *good = QN_NEW_ARRAY(&im->arena, im->operators.count + 1, bool);
  for (uint32_t i = 0; i < im->operators.count; i++) {
    qn_tflite_op op;
    qn_fb_table table;
    if (!qn_tflite_is_chosen(im, i)) continue;
    good[i] = open_operator(im, i, &op, &table);
    if (!good[i])
      qn_tflite_error(&op, NULL, QN_INVALID, "operator code %lld, but there are %u codes",
                      (long long)qn_fb_int(table, QN_FB_OPERATOR_OPCODE_INDEX), im->code_count);
    bool inputs = check_indices(&op, op.inputs, -1, "operand");
    bool outputs = check_indices(&op, op.outputs, 0, "result");
    if (outputs) record_writes(&op);
    good[i] = good[i] && inputs && outputs;
  }
  return good;
}

static void import_operators(qn_tflite *im, const bool *good) {
  for (uint32_t i = 0; i < im->operators.count; i++) {
    if (!good[i]) continue;
    qn_tflite_op op;
    qn_fb_table table;
    bool opened = open_operator(im, i, &op, &table);
    QN_ASSERT(opened);
    qn_op *last = im->block->last;
    import_operator(&op, table);
    qn_tflite_check_batch(&op, last);
    if (op.failed) leave_in_place(&op, last);
  }
}

bool qn_tflite_open_graph(qn_tflite *im, qn_fb_table subgraph) {
  qn_fb_vector tensors = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_TENSORS);
  im->operators = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OPERATORS);
  im->inputs = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_INPUTS);
  im->outputs = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OUTPUTS);
  if (tensors.count > QN_TFLITE_MAX_TENSORS || im->operators.count > QN_TFLITE_MAX_OPERATORS) {
    qn_tflite_model_error(im, NULL, QN_LIMIT,
                          "%u tensors and %u operators; the limits are %d and %d", tensors.count,
                          im->operators.count, QN_TFLITE_MAX_TENSORS, QN_TFLITE_MAX_OPERATORS);
    return false;
  }
  im->tensor_count = tensors.count;
  im->tensors = QN_NEW_ARRAY(&im->arena, (size_t)tensors.count + 1, qn_tflite_tensor);
  for (uint32_t i = 0; i < tensors.count; i++) {
    im->tensors[i].table = qn_fb_child_at(tensors, i, QN_FB_TENSOR);
    im->tensors[i].index = i;
    im->tensors[i].writer = -1;
  }
  return true;
}

void qn_tflite_operators(qn_tflite *im) { import_operators(im, check_operators(im)); }

/* ---- inputs and outputs ---- */

static void describe_type(qn_port *port, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->count > 1) return;
  port->scale = quant->scales[0];
  port->zero_point = quant->zero_points[0];
  qn_port_note(port, QN_PORT_SCALE);
  qn_port_note(port, QN_PORT_ZERO_POINT);
}

static qn_port describe(qn_tflite *im, const qn_tflite_tensor *tensor, const qn_type *type) {
  qn_port port = QN_PORT_INIT;
  qn_str name = qn_fb_string(tensor->table, QN_FB_TENSOR_NAME);
  port.index = tensor->index;
  port.name = qn_tflite_printable(&im->arena, name, SIZE_MAX);
  qn_port_note(&port, QN_PORT_INDEX);
  qn_port_note(&port, QN_PORT_NAME);
  describe_type(&port, type);
  return port;
}

/* Tensor number i of a list of inputs or outputs, or NULL. */
static qn_tflite_tensor *listed(qn_tflite *im, qn_fb_vector list, uint32_t i, const char *what) {
  int32_t index = qn_fb_i32_at(list, i);
  if (index >= 0 && (uint32_t)index < im->tensor_count) return &im->tensors[index];
  qn_tflite_model_error(im, NULL, QN_INVALID,
                        "%s %u of the model is tensor %d, but there are %u tensors", what, i, index,
                        im->tensor_count);
  return NULL;
}

/* Types and quantization are reported as at an operator; the model itself stands in for it. */
static const qn_type *interface_type(qn_tflite *im, qn_tflite_tensor *tensor, const char *what) {
  qn_tflite_code code = {NULL, qn_str_of(what), 1};
  qn_tflite_op op = {.im = im, .code = &code, .is_interface = true};
  bool loaded = qn_tflite_load(im, &op, tensor);
  if (im->options->keep_unsupported)
    return im->status == QN_OK ? qn_tflite_opaque_type(&op, tensor) : NULL;
  const qn_type *element = loaded ? qn_tflite_element_type(im, &op, tensor) : NULL;
  return element ? qn_tflite_shaped(im, element, &tensor->shape) : NULL;
}

static void report_fixed(qn_tflite *im, const qn_tflite_tensor *tensor) {
  qn_tflite_code code = {NULL, qn_str_of("input"), 1};
  qn_tflite_op op = {.im = im, .code = &code, .is_interface = true};
  qn_tflite_remark(&op, tensor,
                   "its value in the file is used, and it is no input: shapes are fixed at compile "
                   "time");
}

static void mark_inputs(qn_tflite *im) {
  for (uint32_t i = 0; i < im->inputs.count; i++) {
    qn_tflite_tensor *tensor = listed(im, im->inputs, i, "input");
    if (!tensor) continue;
    if (tensor->is_input)
      qn_tflite_model_error(im, tensor, QN_INVALID, "listed twice among the inputs of the model");
    tensor->is_input = !qn_tflite_is_fixed_input(im, tensor);
  }
}

static void add_inputs(qn_tflite *im, qn_port *descriptions) {
  for (uint32_t i = 0; i < im->inputs.count; i++) {
    int32_t index = qn_fb_i32_at(im->inputs, i);
    if (index < 0 || (uint32_t)index >= im->tensor_count || im->tensors[index].value) continue;
    qn_tflite_tensor *tensor = &im->tensors[index];
    if (!tensor->is_input) {
      report_fixed(im, tensor);
      continue;
    }
    const qn_type *type = interface_type(im, tensor, "input");
    tensor->bad = !type;
    if (!type) continue;
    qn_port *port = &descriptions[im->entry->arg_count];
    *port = describe(im, tensor, type);
    qn_tflite_name_size(im, tensor, port);
    tensor->value = qn_block_add_arg(im->module, im->entry, type, im->loc);
  }
}

/* ---- states ---- */

qn_value *qn_tflite_open_state(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  qn_tflite *im = op->im;
  const qn_type *element = qn_tflite_element_type(im, op, tensor);
  if (!element) return NULL;
  const qn_type *type = qn_tflite_shaped(im, element, &tensor->shape);
  if (im->frame->outer) return qn_tflite_open_inner(op, tensor, type);
  tensor->value = qn_block_add_arg(im->module, im->entry, type, im->loc);
  im->states[im->state_count++] = (qn_tflite_state){.tensor = tensor};
  return tensor->value;
}

qn_value *qn_tflite_open_variable(qn_tflite_op *op, qn_tflite_variable *variable) {
  qn_tflite *im = op->im;
  if (variable->value) return variable->value;
  variable->value = qn_block_add_arg(im->module, im->entry, variable->type, im->loc);
  variable->argument = variable->value;
  im->states[im->state_count++] = (qn_tflite_state){.variable = variable};
  return variable->value;
}

/* After a reset every element is the zero point. */
static const qn_attr *initial_value(qn_tflite *im, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->zero_points[0] == 0) return NULL;
  int64_t zero_point = quant->zero_points[0]; /* little-endian */
  qn_bytes one = {(const uint8_t *)&zero_point, qn_type_bytes(quant->storage)};
  return qn_attr_dense(im->cx, qn_type_with_element(im->cx, type, quant->storage), one, false);
}

/* A variable has a name of its own, and no tensor. */
static qn_port describe_state(qn_tflite *im, const qn_tflite_state *state, const qn_type *type) {
  qn_port port = QN_PORT_INIT;
  if (state->tensor) {
    port = describe(im, state->tensor, type);
  } else {
    port.name = qn_tflite_printable(&im->arena, state->variable->name, SIZE_MAX);
    if (port.name.size > 0) qn_port_note(&port, QN_PORT_NAME);
    describe_type(&port, type);
  }
  port.role = QN_ROLE_STATE;
  qn_port_note(&port, QN_PORT_ROLE);
  return port;
}

static qn_value *state_value(const qn_tflite_state *state) { return *state_place(state); }

static void describe_states(qn_tflite *im, qn_port *arguments, qn_port *results) {
  for (uint32_t k = 0; k < im->state_count; k++) {
    const qn_tflite_state *state = &im->states[k];
    const qn_type *type = state_value(state)->type;
    qn_port port = describe_state(im, state, type);
    results[k] = port;
    port.initial = state->variable ? state->variable->initial : NULL;
    if (!port.initial) port.initial = initial_value(im, type);
    if (port.initial) qn_port_note(&port, QN_PORT_INITIAL);
    arguments[k] = port;
  }
}

/* ---- the function ---- */

/* The values that main returns. */
static void collect_outputs(qn_tflite *im, qn_value **values, qn_port *descriptions) {
  for (uint32_t i = 0; i < im->outputs.count; i++) {
    qn_tflite_tensor *tensor = listed(im, im->outputs, i, "output");
    if (!tensor || !interface_type(im, tensor, "output")) continue;
    qn_tflite_code code = {NULL, qn_str_of("output"), 1};
    qn_tflite_op op = {.im = im, .index = im->operators.count, .code = &code, .is_interface = true};
    values[i] = qn_tflite_value(&op, tensor);
    if (values[i]) descriptions[i] = describe(im, tensor, values[i]->type);
  }
}

void qn_tflite_graph(qn_tflite *im) {
  qn_ir_context *cx = im->cx;
  qn_builder top = qn_builder_at_end(im->module, qn_op_body(im->module->op), im->loc);
  qn_op *func =
      qn_build_func(&top, qn_str_of("main"), qn_type_function(cx, NULL, 0, NULL, 0), NULL);
  im->entry = im->block = qn_op_body(func);
  im->builder = qn_builder_at_end(im->module, im->entry, im->loc);
  uint32_t most_states = im->tensor_count + QN_TFLITE_MAX_VARIABLES;
  im->states = QN_NEW_ARRAY(&im->arena, most_states, qn_tflite_state);
  qn_port *arguments = QN_NEW_ARRAY(&im->arena, im->inputs.count + most_states + 1, qn_port);
  qn_port *outputs = QN_NEW_ARRAY(&im->arena, im->outputs.count + most_states + 1, qn_port);
  qn_value **results = QN_NEW_ARRAY(&im->arena, im->outputs.count + most_states + 1, qn_value *);
  mark_inputs(im);
  add_inputs(im, arguments);
  if (im->options->batch > 1 && !im->bound)
    qn_warning(&im->cx->diag, im->loc,
               "no dimension of the inputs is unknown: the batch of %lld is ignored",
               (long long)im->options->batch);
  qn_tflite_operators(im);
  collect_outputs(im, results, outputs);
  if (im->outputs.count == 0)
    qn_tflite_model_error(im, NULL, QN_INVALID, "the model has no outputs");
  if (im->status != QN_OK) return;
  uint32_t input_count = im->entry->arg_count;
  uint32_t output_count = im->outputs.count + im->state_count;
  describe_states(im, arguments + input_count - im->state_count, outputs + im->outputs.count);
  for (uint32_t k = 0; k < im->state_count; k++)
    results[im->outputs.count + k] = state_value(&im->states[k]);
  qn_build_0(&im->builder, QN_OP_FUNC_RETURN, results, output_count, NULL);
  const qn_type **types = QN_NEW_ARRAY(&im->arena, input_count + output_count + 1, const qn_type *);
  for (uint32_t i = 0; i < input_count; i++) types[i] = im->entry->args[i]->type;
  for (uint32_t i = 0; i < output_count; i++) types[input_count + i] = results[i]->type;
  const qn_type *type = qn_type_function(cx, types, input_count, types + input_count, output_count);
  qn_op_set_attr(im->module, func, "function_type", qn_attr_type(cx, type));
  qn_ports_set(im->module, func, QN_SIDE_ARGUMENTS, arguments, input_count);
  qn_ports_set(im->module, func, QN_SIDE_RESULTS, outputs, output_count);
}
