/* Assigns arguments of a call to parameters: to the one that the argument names, or to the next
 * one. The name of a parameter is its name in the text (found through its location), its name in
 * the model, or its printed name: %arg0, %arg1 ...
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/arguments.h"

#include "diag/loc.h"
#include "ir/entry/port.h"

/* The name "%x" at the parameter's location in the model's text; empty if there is none. */
static qn_str written_name(const qn_model *model, const qn_value *parameter) {
  const qn_loc *loc = qn_loc_position(parameter->loc);
  if (!loc || !qn_str_equal(loc->text, model->name)) return (qn_str){NULL, 0};
  qn_bytes bytes = qn_file_bytes(model->file);
  qn_str line = qn_source_line((qn_str){(const char *)bytes.data, bytes.size}, loc->line);
  if (loc->column == 0 || loc->column > line.size || line.data[loc->column - 1] != '%')
    return (qn_str){NULL, 0};
  qn_str name = {line.data + loc->column, 0};
  while (loc->column + name.size < line.size && !strchr(" \t\r:,)", name.data[name.size]))
    name.size++;
  return name;
}

/* The name of a parameter for messages, without '%': from the model, the text, or its index. */
static qn_str name_of(const qn_model *model, const qn_op *func, uint32_t i, qn_arena *arena) {
  const char *given = qn_port_name(func, QN_SIDE_ARGUMENTS, i);
  qn_str written = written_name(model, qn_op_body(func)->args[i]);
  if (given) return qn_str_of(given);
  return written.size ? written : qn_arena_format(arena, "arg%u", i);
}

static bool is_called(const qn_model *model, const qn_op *func, uint32_t i, const char *name,
                      qn_arena *arena) {
  if (name[0] == '%') name++;
  const char *given = qn_port_name(func, QN_SIDE_ARGUMENTS, i);
  return (given && strcmp(given, name) == 0) ||
         qn_str_is(written_name(model, qn_op_body(func)->args[i]), name) ||
         qn_str_is(qn_arena_format(arena, "arg%u", i), name);
}

/* The names of all parameters, "%x, %y". */
static qn_str list_names(const qn_model *model, const qn_op *func, qn_arena *arena) {
  qn_text list = {0};
  for (uint32_t i = 0; i < qn_op_body(func)->arg_count; i++) {
    qn_text_puts(&list, i ? ", %" : "%");
    qn_text_put(&list, name_of(model, func, i, arena));
  }
  qn_str kept = qn_arena_str(arena, qn_text_view(&list));
  qn_text_deinit(&list);
  return kept;
}

/* Assigns a named argument to its parameter. */
static qn_status place(const qn_model *model, const qn_op *func, const qn_argument *argument,
                       qn_arena *arena, const qn_argument **ordered) {
  qn_diag_engine *diag = &model->context->ir.diag;
  uint32_t i = 0, parameters = qn_op_body(func)->arg_count;
  while (i < parameters && !is_called(model, func, i, argument->name, arena)) i++;
  if (i == parameters)
    return qn_error(diag, func->loc, QN_INVALID,
                    "the function has no argument '%s': its arguments are %s", argument->name,
                    list_names(model, func, arena).data);
  if (ordered[i])
    return qn_error(diag, func->loc, QN_INVALID, "argument '%s' is given twice", argument->name);
  ordered[i] = argument;
  return QN_OK;
}

qn_status qn_arguments_order(const qn_model *model, const qn_op *func, const qn_argument *arguments,
                             uint32_t count, qn_arena *arena, const qn_argument ***out_ordered) {
  uint32_t parameters = qn_op_body(func)->arg_count, next = 0;
  const qn_argument **ordered = QN_NEW_ARRAY(arena, parameters + 1, const qn_argument *);
  *out_ordered = ordered;
  if (count != parameters) {
    qn_str names = list_names(model, func, arena);
    return qn_error(&model->context->ir.diag, func->loc, QN_INVALID,
                    "the function takes %u arguments%s%.*s%s, got %u", parameters,
                    parameters ? " (" : "", QN_STR_ARG(names), parameters ? ")" : "", count);
  }
  for (uint32_t k = 0; k < count; k++)
    if (arguments[k].name) QN_TRY(place(model, func, &arguments[k], arena, ordered));
  for (uint32_t k = 0; k < count; k++) {
    if (arguments[k].name) continue;
    while (ordered[next]) next++;
    ordered[next] = &arguments[k];
  }
  return QN_OK;
}
