/* Variables: VAR_HANDLE names one by container and name, READ_VARIABLE and ASSIGN_VARIABLE are its
 * value as it stands, and CALL_ONCE says what it begins with. They are states of the model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

static qn_str string_option(const qn_tflite_op *op, qn_fb_row row) {
  return qn_fb_string(op->options, row);
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
    if (!qn_str_equal(known->container, container) || !qn_str_equal(known->name, name)) continue;
    handle->variable = known;
    return;
  }
  if (im->variable_count == QN_TFLITE_MAX_VARIABLES) {
    qn_tflite_error(op, handle, QN_LIMIT, "more than %d variables", QN_TFLITE_MAX_VARIABLES);
    return;
  }
  qn_tflite_variable *fresh = &im->variables[im->variable_count++];
  *fresh = (qn_tflite_variable){.container = container, .name = name};
  handle->variable = fresh;
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

/* In a subgraph of CALL_ONCE: what the variable holds after a reset. */
static void set_initial(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_variable *variable,
                        const qn_value *value) {
  const qn_attr *constant = value->op ? qn_op_find(value->op, QN_A_VALUE) : NULL;
  if (!constant || !qn_op_has(value->op, QN_CONSTANT))
    qn_tflite_error(op, x, QN_UNSUPPORTED, "what a variable begins with must be a constant");
  else
    variable->initial = constant;
}

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
