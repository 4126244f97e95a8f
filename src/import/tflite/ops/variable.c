/* Variables: VAR_HANDLE names one by container and name, READ_VARIABLE and ASSIGN_VARIABLE are its
 * value as it stands, and CALL_ONCE says what it begins with. They are states of the model, and so
 * are variable tensors of subgraphs that are called.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "import/tflite/tflite.h"

static qn_str string_option(const qn_tflite_op *op, qn_fb_row row) {
  return qn_fb_string(op->options, row);
}

static qn_tflite_variable *add_variable(qn_tflite_op *op, const qn_tflite_tensor *tensor,
                                        qn_tflite_variable variable) {
  qn_tflite *im = op->im;
  if (im->variable_count == QN_TFLITE_MAX_VARIABLES) {
    qn_tflite_error(op, tensor, QN_LIMIT, "more than %d variables", QN_TFLITE_MAX_VARIABLES);
    return NULL;
  }
  im->variables[im->variable_count] = variable;
  return &im->variables[im->variable_count++];
}

/* Those that nobody names are the operators' own. */
void qn_tflite_import_var_handle(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  qn_tflite_tensor *handle = qn_tflite_output(op, 0);
  if (!handle) return;
  qn_str container = string_option(op, QN_FB_VAR_HANDLE_OPTIONS_CONTAINER);
  qn_str name = string_option(op, QN_FB_VAR_HANDLE_OPTIONS_SHARED_NAME);
  for (uint32_t i = 0; i < im->variable_count; i++) {
    qn_tflite_variable *known = &im->variables[i];
    if (known->at || !qn_str_equal(known->container, container) || !qn_str_equal(known->name, name))
      continue;
    handle->variable = known;
    return;
  }
  handle->variable =
      add_variable(op, handle, (qn_tflite_variable){.container = container, .name = name});
}

static qn_tflite_variable *variable_of(qn_tflite_op *op) {
  qn_tflite_tensor *handle = qn_tflite_input(op, 0);
  if (handle && !handle->variable)
    qn_tflite_error(op, handle, QN_INVALID, "it is no variable that VAR_HANDLE names");
  return handle ? handle->variable : NULL;
}

/* Whether the tensor has the type of the variable, which is that of its first use. */
static bool fits(qn_tflite_op *op, qn_tflite_tensor *tensor, qn_tflite_variable *variable,
                 const qn_type *type) {
  if (!variable->type) variable->type = type;
  if (variable->type == type) return true;
  return qn_tflite_error(op, tensor, QN_INVALID,
                         "its type or shape is not that of the variable '%.*s'",
                         QN_STR_ARG(qn_tflite_printable(&op->im->arena, variable->name, 80)));
}

static const qn_type *type_of(qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  const qn_type *element = qn_tflite_element_type(op->im, op, tensor);
  return element ? qn_tflite_shaped(op->im, element, &tensor->shape) : NULL;
}

void qn_tflite_import_read_variable(qn_tflite_op *op) {
  qn_tflite_variable *variable = variable_of(op);
  qn_tflite_tensor *y = qn_tflite_output(op, 0);
  const qn_type *type = variable && y ? type_of(op, y) : NULL;
  if (type && fits(op, y, variable, type)) y->value = qn_tflite_open_variable(op, variable);
}

/* ---- what a variable begins with ---- */

/* In a subgraph of CALL_ONCE: what the variable holds after a reset. */
static void set_initial(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_variable *variable,
                        const qn_value *value) {
  variable->initial = qn_tflite_computed(op->im, value);
  if (!variable->initial)
    qn_tflite_error(
        op, x, QN_UNSUPPORTED,
        "what a variable begins with must be a constant, or numbers computed from constants "
        "to at most %d bytes",
        QN_FOLD_MAX_BYTES);
}

/* ---- ASSIGN_VARIABLE, CALL_ONCE ---- */

void qn_tflite_import_assign_variable(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  qn_tflite_variable *variable = variable_of(op);
  qn_tflite_tensor *x = qn_tflite_input(op, 1);
  qn_value *value = variable && x ? qn_tflite_value(op, x) : NULL;
  if (!value || !fits(op, x, variable, value->type)) return;
  if (im->initializing) {
    set_initial(op, x, variable, value);
  } else {
    (void)qn_tflite_open_variable(op, variable);
    variable->value = value;
  }
}

void qn_tflite_import_call_once(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  uint32_t number;
  if (im->conditional)
    qn_tflite_error(op, NULL, QN_UNSUPPORTED,
                    "it stands in a branch or loop, and may not be reached");
  if (op->failed || !qn_tflite_subgraph_of(op, "SUBGRAPH", &number)) return;
  im->initializing++;
  qn_tflite_call(op, number, im->block, NULL, 0, NULL, 0);
  im->initializing--;
}

/* ---- variable tensors of subgraphs that are called ---- */

static qn_tflite_variable *inner_variable(qn_tflite *im, const qn_tflite_tensor *tensor) {
  for (uint32_t i = 0; i < im->variable_count; i++)
    if (im->variables[i].at == tensor->table.at) return &im->variables[i];
  return NULL;
}

static uint32_t depth_of(const qn_tflite *im) {
  uint32_t depth = 0;
  for (const qn_tflite_frame *f = im->frame; f; f = f->outer) depth++;
  return depth;
}

/* A constant in front of everything else, as which a variable begins where it is no state. */
static qn_value *beginning(qn_tflite *im, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  int64_t zero_point = quant ? quant->zero_points[0] : 0; /* little-endian */
  const qn_type *stored = qn_type_stored(im->cx, type);
  qn_bytes one = {(const uint8_t *)&zero_point, qn_type_bytes(qn_type_element(stored))};
  const qn_attr *value = qn_attr_dense(im->cx, stored, one, false);
  qn_builder b = im->entry->first ? qn_builder_before(im->module, im->entry->first)
                                  : qn_builder_at_end(im->module, im->entry, im->loc);
  b.loc = im->loc;
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_tflite_open_inner(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type) {
  qn_tflite *im = op->im;
  if (im->initializing) {
    qn_tflite_error(op, tensor, QN_UNSUPPORTED, "a variable tensor of a subgraph of CALL_ONCE");
    return NULL;
  }
  qn_tflite_variable *variable = inner_variable(im, tensor);
  if (!variable)
    variable =
        add_variable(op, tensor,
                     (qn_tflite_variable){.name = qn_fb_string(tensor->table, QN_FB_TENSOR_NAME),
                                          .at = tensor->table.at});
  if (!variable || !fits(op, tensor, variable, type)) return NULL;
  variable->depth = depth_of(im);
  if (!variable->value && !im->profile->kept_states)
    variable->value = variable->argument = beginning(im, type);
  tensor->value = qn_tflite_open_variable(op, variable);
  return tensor->value;
}

void qn_tflite_keep_inner(qn_tflite *im) {
  for (uint32_t i = 0; i < im->tensor_count; i++) {
    const qn_tflite_tensor *tensor = &im->tensors[i];
    qn_tflite_variable *variable =
        tensor->loaded && tensor->is_state && tensor->value ? inner_variable(im, tensor) : NULL;
    if (variable) variable->value = tensor->value;
  }
}

void qn_tflite_forget_inner(qn_tflite *im) {
  uint32_t depth = depth_of(im);
  for (uint32_t i = 0; i < im->variable_count && !im->profile->kept_states; i++) {
    qn_tflite_variable *variable = &im->variables[i];
    if (variable->at && variable->depth > depth) variable->value = variable->argument;
  }
}
