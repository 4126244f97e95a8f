/* Taking ops away. The table says what there is; each row makes a module strictly smaller, so that
 * a search over them ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"
#include "ir/builder.h"
#include "ir/walk.h"

/* ---- values in the place of results ---- */

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
  return qn_build_int(&b, 0, type); /* all bits 0, which is zero in floats, too */
}

static qn_value *operand_of_type(const qn_op *op, const qn_type *type) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_op_operand(op, i)->type == type) return qn_op_operand(op, i);
  return NULL;
}

/* A zero is a smaller op only than one with operands. */
static bool is_replaceable(const qn_op *op, const qn_value *result) {
  return !result->first_use || operand_of_type(op, result->type) ||
         (op->operand_count > 0 && has_zero(result->type));
}

/* ---- what can be taken away ---- */

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

static const struct reduction {
  const char *name;
  bool (*is_place)(const qn_op *op);
  bool (*apply)(qn_module *module, qn_op *op);
} reductions[] = {
    {"functions", is_top, drop}, {"bodies", has_body, drop_body}, {"ops", is_inner, drop}};

/* ---- the places ---- */

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
  /* Backwards: users go before what they use, and what is inside of an op before the op. */
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
