/* Sets actual sizes in the tensor types of the main function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/entry.h"
#include "ir/op_attrs.h"
#include "ir/walk.h"

static const qn_type *bound_type(qn_module *module, const qn_type *type, uint32_t dimension,
                                 int64_t size) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  int64_t *dims = QN_NEW_ARRAY(&scratch, type->shaped.rank, int64_t);
  for (uint32_t d = 0; d < type->shaped.rank; d++) dims[d] = type->shaped.dims[d];
  dims[dimension] = size;
  const qn_type *bound = qn_type_shaped(module->cx, type->kind, type->shaped.element, true,
                                        type->shaped.rank, dims, type->shaped.encoding, NULL);
  qn_arena_deinit(&scratch);
  return bound;
}

static const qn_type *bind_value(qn_module *module, const qn_entry *e, const int64_t *sizes,
                                 qn_value *value) {
  qn_sized sized = e->size_of[value->id];
  if (sized.size != QN_SIZE_FIXED)
    qn_value_set_type(value, bound_type(module, value->type, sized.dimension, sizes[sized.size]));
  return value->type;
}

/* Adjusts a splat whose result has become smaller. */
static void bind_constant(qn_module *module, qn_op *op) {
  const qn_attr *value = qn_op_has(op, QN_CONSTANT) ? qn_value_constant(&op->results[0]) : NULL;
  if (!value || !qn_attr_is_elements(value)) return;
  const qn_type *element = qn_type_element(value->type); /* stored integers, of a quantized one */
  const qn_type *type = qn_type_with_element(module->cx, op->results[0].type, element);
  if (type == value->type) return;
  const qn_attr *bound = qn_attr_dense(module->cx, type, value->dense.bytes, true);
  qn_op_set_attr(module, op, "value", bound);
}

/* Adjusts the end of a slice that keeps the whole dynamic dimension. */
static void bind_end(qn_module *module, const qn_entry *e, const int64_t *sizes, qn_op *op) {
  qn_i64s end = qn_op_end(op);
  if (end.count == 0 || op->result_count == 0) return;
  qn_sized sized = e->size_of[op->results[0].id];
  if (sized.size == QN_SIZE_FIXED) return;
  qn_arena scratch;
  qn_arena_init(&scratch);
  int64_t *bound = qn_arena_copy(&scratch, end.data, end.count * sizeof *end.data);
  bound[sized.dimension] = sizes[sized.size];
  qn_op_set_attr(module, op, "end", qn_attr_i64s(module->cx, bound, end.count));
  qn_arena_deinit(&scratch);
}

void qn_entry_bind(qn_module *module, const qn_entry *entry, const int64_t *sizes) {
  qn_op *func = qn_module_main(module);
  qn_block *body = qn_op_body(func);
  const qn_op *ret = body->last;
  qn_arena scratch;
  qn_arena_init(&scratch);
  const qn_type **inputs = QN_NEW_ARRAY(&scratch, (size_t)body->arg_count + 1, const qn_type *);
  const qn_type **outputs = QN_NEW_ARRAY(&scratch, (size_t)ret->operand_count + 1, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++)
    inputs[i] = bind_value(module, entry, sizes, body->args[i]);
  QN_FOR_EACH_OP(op, body) {
    for (uint32_t i = 0; i < op->result_count; i++)
      bind_value(module, entry, sizes, &op->results[i]);
    bind_constant(module, op);
    bind_end(module, entry, sizes, op);
  }
  for (uint32_t i = 0; i < ret->operand_count; i++) outputs[i] = qn_op_operand(ret, i)->type;
  const qn_type *type =
      qn_type_function(module->cx, inputs, body->arg_count, outputs, ret->operand_count);
  qn_op_set_attr(module, func, "function_type", qn_attr_type(module->cx, type));
  qn_arena_deinit(&scratch);
}
