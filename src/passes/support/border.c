/* Reads and writes the interface of the main function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/border.h"

#include "ir/walk.h"

static bool refers(qn_op *op, void *user) {
  qn_border *border = user;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    const qn_attr *attr = op->attrs[i].value;
    border->is_called |=
        attr->kind == QN_ATTR_SYMBOL && qn_str_equal(attr->string, qn_op_sym_name(border->func));
  }
  return true;
}

qn_status qn_border_read(qn_pass_context *pc, qn_border *out_border) {
  qn_op *func = qn_module_main(pc->module);
  *out_border = (qn_border){0};
  if (!func || !qn_op_body(func)) return QN_OK;
  out_border->func = func;
  qn_op *last = qn_op_body(func)->last;
  if (func->regions[0].first == func->regions[0].last && last->kind == QN_OP_FUNC_RETURN)
    out_border->end = last;
  qn_walk_pre(pc->module->op, refers, out_border);
  const qn_type *type = qn_op_function_type(func);
  out_border->count[QN_SIDE_ARGUMENTS] = type->function.input_count;
  out_border->count[QN_SIDE_RESULTS] = type->function.result_count;
  qn_status status = QN_OK;
  for (qn_side side = QN_SIDE_ARGUMENTS; side <= QN_SIDE_RESULTS; side++) {
    uint32_t count = out_border->count[side];
    out_border->ports[side] = QN_NEW_ARRAY(pc->scratch, (size_t)count + 1, qn_port);
    for (uint32_t i = 0; i < count; i++) {
      qn_status read = qn_port_read(pc->cx, func, side, i, &out_border->ports[side][i]);
      if (read) status = read;
    }
  }
  return status;
}

static void write_type(qn_pass_context *pc, const qn_border *border) {
  const qn_block *body = qn_op_body(border->func);
  uint32_t arguments = body->arg_count, results = border->end->operand_count;
  QN_ASSERT(arguments == border->count[QN_SIDE_ARGUMENTS]);
  QN_ASSERT(results == border->count[QN_SIDE_RESULTS]);
  const qn_type **types =
      QN_NEW_ARRAY(pc->scratch, (size_t)arguments + results + 1, const qn_type *);
  for (uint32_t i = 0; i < arguments; i++) types[i] = body->args[i]->type;
  for (uint32_t i = 0; i < results; i++) types[arguments + i] = qn_op_operand(border->end, i)->type;
  const qn_type *type = qn_type_function(pc->cx, types, arguments, types + arguments, results);
  qn_op_set_attr(pc->module, border->func, qn_attr_decls[QN_A_FUNCTION_TYPE].name,
                 qn_attr_type(pc->cx, type));
}

static bool is_described(const qn_border *border, qn_side side) {
  bool any = false;
  for (uint32_t i = 0; i < border->count[side]; i++) {
    const qn_port *port = &border->ports[side][i];
    any |= port->present != 0 || port->others != NULL;
  }
  return any;
}

void qn_border_write(qn_pass_context *pc, const qn_border *border) {
  if (border->end) write_type(pc, border);
  for (qn_side side = QN_SIDE_ARGUMENTS; side <= QN_SIDE_RESULTS; side++)
    if (is_described(border, side))
      qn_ports_set(pc->module, border->func, side, border->ports[side], border->count[side]);
  pc->changed = true;
}
