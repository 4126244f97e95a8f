/* Reductions of a module, one per row of a table. Each reduction makes the module strictly smaller,
 * so a search over them terminates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"
#include "ir/builder.h"
#include "ir/walk.h"

/* ---- values that replace results ---- */

static bool has_zero(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  bool shape = !qn_type_is_shaped(type) ||
               (qn_type_is_static(type) && type->kind != QN_TYPE_MEMREF && !type->shaped.encoding);
  bool number = element->kind == QN_TYPE_FLOAT || element->kind == QN_TYPE_INDEX ||
                (element->kind == QN_TYPE_INTEGER && element->integer.sign == QN_SIGNLESS);
  return shape && number && qn_type_bytes(element) > 0 && qn_type_bytes(element) <= 8;
}

static qn_value *zero_before(qn_module *module, qn_op *op, const qn_type *type) {
  qn_builder b = qn_builder_before(module, op);
  if (type->kind == QN_TYPE_FLOAT) return qn_build_float(&b, 0.0, type);
  return qn_build_int(&b, 0, type); /* all bits are 0, which is 0.0 in tensors of floats, too */
}

static qn_value *operand_of_type(const qn_op *op, const qn_type *type) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_op_operand(op, i)->type == type) return qn_op_operand(op, i);
  return NULL;
}

/* Whether replacing a result by a zero makes the module smaller: only if the op has operands. */
static bool is_replaceable(const qn_op *op, const qn_value *result) {
  return !result->first_use || operand_of_type(op, result->type) ||
         (op->operand_count > 0 && has_zero(result->type));
}

/* ---- ops that can be removed ---- */

static bool is_top(const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  return parent && parent->kind == QN_OP_MODULE;
}

static bool is_inner(const qn_op *op) {
  return op->block && !is_top(op) && !qn_op_has(op, QN_TERMINATOR);
}

static bool drop(qn_module *module, qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_replaceable(op, &op->results[i])) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_value *result = &op->results[i], *instead = NULL;
    if (!result->first_use) continue;
    instead = operand_of_type(op, result->type);
    if (!instead) instead = zero_before(module, op, result->type);
    qn_value_replace_all_uses(result, instead);
  }
  qn_op_erase(module, op);
  return true;
}

static bool has_body(const qn_op *op) {
  return op->kind == QN_OP_FUNC && op->region_count == 1 && op->regions[0].first;
}

static bool drop_body(qn_module *module, qn_op *op) {
  qn_op *declaration = qn_op_create(module, &(qn_op_state){.kind = op->kind,
                                                           .loc = op->loc,
                                                           .attrs = op->attrs,
                                                           .attr_count = op->attr_count,
                                                           .region_count = 1});
  qn_op_set_attr(module, declaration, "sym_visibility",
                 qn_attr_string(module->cx, qn_str_of("private")));
  qn_op_insert_before(declaration, op);
  qn_op_erase(module, op);
  return true;
}

/* ---- functions: inputs and outputs move towards the failing op ---- */

static qn_op *func_of(const qn_op *op) {
  qn_op *parent = qn_op_parent(op);
  bool body = parent && parent->kind == QN_OP_FUNC && op->block == qn_op_body(parent);
  bool returns = body && op->block->last->kind == QN_OP_FUNC_RETURN;
  return returns && parent->regions[0].first == parent->regions[0].last ? parent : NULL;
}

static bool in_func(const qn_op *op) { return is_inner(op) && op->result_count > 0 && func_of(op); }

/* Updates the type of the function to its block arguments and returned values. Attributes of
 * arguments and results are removed, because they may describe other values now. */
static void update_type(qn_module *module, qn_op *func) {
  const qn_block *body = qn_op_body(func);
  const qn_op *end = body->last;
  qn_arena *scratch = &module->cx->diag.scratch;
  qn_arena_mark mark = qn_arena_get_mark(scratch);
  uint32_t results = end->operand_count;
  const qn_type **types =
      QN_NEW_ARRAY(scratch, (size_t)body->arg_count + results + 1, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++) types[i] = body->args[i]->type;
  for (uint32_t i = 0; i < results; i++) types[body->arg_count + i] = qn_op_operand(end, i)->type;
  const qn_type *type =
      qn_type_function(module->cx, types, body->arg_count, types + body->arg_count, results);
  qn_op_set_attr(module, func, "function_type", qn_attr_type(module->cx, type));
  qn_op_set_attr(module, func, "arg_attrs", NULL);
  qn_op_set_attr(module, func, "res_attrs", NULL);
  qn_arena_rewind(scratch, mark);
}

/* Replaces the results of an op by new arguments of the function. */
static bool become_argument(qn_module *module, qn_op *op) {
  qn_op *func = func_of(op);
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_value *result = &op->results[i];
    if (!result->first_use) continue;
    qn_value *argument = qn_block_add_arg(module, op->block, result->type, op->loc);
    qn_value_replace_all_uses(result, argument);
  }
  qn_op_erase(module, op);
  update_type(module, func);
  return true;
}

/* Whether only the return reads the op's results, so that the return can read the op's first
 * operand instead. */
static bool at_the_end(const qn_op *op) {
  if (op->operand_count == 0) return false;
  bool returned = false;
  for (uint32_t i = 0; i < op->result_count; i++)
    for (const qn_use *use = op->results[i].first_use; use; use = use->next) {
      if (use->owner->kind != QN_OP_FUNC_RETURN) return false;
      returned = true;
    }
  return returned;
}

static bool return_operand(qn_module *module, qn_op *op) {
  /* an earlier reduction in the same run has removed its readers */
  if (!at_the_end(op)) return false;
  qn_op *func = func_of(op);
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_replace_all_uses(&op->results[i], qn_op_operand(op, 0));
  qn_op_erase(module, op);
  update_type(module, func);
  return true;
}

static bool has_unused_argument(const qn_op *op) {
  const qn_block *body = has_body(op) ? qn_op_body(op) : NULL;
  bool returns = body && body->last && body->last->kind == QN_OP_FUNC_RETURN;
  for (uint32_t i = 0; returns && i < body->arg_count; i++)
    if (!body->args[i]->first_use) return true;
  return false;
}

static bool drop_arguments(qn_module *module, qn_op *op) {
  if (!has_unused_argument(op)) return false;
  qn_block_drop_unused_args(qn_op_body(op));
  update_type(module, op);
  return true;
}

static const struct reduction {
  const char *name;
  bool (*is_place)(const qn_op *op);
  bool (*apply)(qn_module *module, qn_op *op);
} reductions[] = {
    {"functions", is_top, drop},
    {"bodies", has_body, drop_body},
    {"ends", in_func, return_operand},
    {"ops", is_inner, drop},
    {"producers", in_func, become_argument},
    {"arguments", has_unused_argument, drop_arguments},
};

/* ---- places at which a reduction applies ---- */

typedef struct place_list {
  const struct reduction *reduction;
  QN_ARRAY(qn_op *) ops;
} place_list;

static bool note_place(qn_op *op, void *user) {
  place_list *list = user;
  if (list->reduction->is_place(op)) qn_array_push(&list->ops, op);
  return true;
}

const char *qn_reduction_name(uint32_t reduction) {
  return reduction < QN_COUNT(reductions) ? reductions[reduction].name : NULL;
}

static qn_status reduce(qn_model *model, uint32_t reduction, uint32_t first, uint32_t count,
                        uint32_t *out_applied, uint32_t *out_places) {
  QN_TRY(qn_model_check(model));
  qn_model_begin_change(model);
  place_list list = {.reduction = &reductions[reduction]};
  qn_walk_pre(model->module->op, note_place, &list);
  size_t end = list.ops.count;
  if (count < end && first < end - count) end = (size_t)first + count;
  /* Backwards, so that users precede the ops they use, and ops in regions precede the owner of the
   * region. */
  for (size_t i = end; i > first; i--)
    *out_applied += list.reduction->apply(model->module, list.ops.data[i - 1]);
  *out_places = (uint32_t)list.ops.count;
  qn_array_free(&list.ops);
  model->changing = false;
  return QN_OK;
}

qn_status qn_model_reduce(qn_model *model, uint32_t reduction, uint32_t first, uint32_t count,
                          uint32_t *out_applied, uint32_t *out_places) {
  *out_applied = *out_places = 0;
  if (reduction >= QN_COUNT(reductions)) return QN_NOT_FOUND;
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, &model->ring,
          reduce(model, reduction, first, count, out_applied, out_places));
  if (model->changing) qn_model_lose(model);
  return status;
}
