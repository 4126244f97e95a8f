/* Building ops at an insertion point.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/builder.h"

#include <math.h>

#include "ir/types/float_format.h"

qn_builder qn_builder_at_end(qn_module *module, qn_block *block, const qn_loc *loc) {
  return (qn_builder){module, module->cx, block, NULL, loc};
}

qn_builder qn_builder_before(qn_module *module, qn_op *op) {
  return (qn_builder){module, module->cx, op->block, op, op->loc};
}

qn_builder qn_builder_after(qn_module *module, qn_op *op) {
  return (qn_builder){module, module->cx, op->block, op->next, op->loc};
}

static qn_op *insert(qn_builder *b, qn_op *op) {
  if (b->before) {
    qn_op_insert_before(op, b->before);
  } else {
    qn_op_append(op, b->block);
  }
  return op;
}

qn_op *qn_build(qn_builder *b, qn_op_state state) {
  if (!state.loc) state.loc = b->loc;
  return insert(b, qn_op_create(b->module, &state));
}

qn_op *qn_build_copy(qn_builder *b, const qn_op *op, qn_value *const *operands,
                     const qn_type *const *result_types) {
  return qn_build(b, (qn_op_state){.kind = op->kind,
                                   .operands = operands,
                                   .operand_count = op->operand_count,
                                   .result_types = result_types,
                                   .result_count = op->result_count,
                                   .attrs = op->attrs,
                                   .attr_count = op->attr_count});
}

static qn_op *build_short(qn_builder *b, qn_op_kind kind, const qn_type *const *result,
                          qn_value *const *operands, uint32_t operand_count,
                          const qn_attr_arg *attrs) {
  qn_op *op = qn_build(b, (qn_op_state){.kind = kind,
                                        .operands = operands,
                                        .operand_count = operand_count,
                                        .result_types = result,
                                        .result_count = result != NULL});
  for (; attrs && attrs->name; attrs++) qn_op_set_attr(b->module, op, attrs->name, attrs->value);
  return op;
}

qn_value *qn_build_1(qn_builder *b, qn_op_kind kind, const qn_type *result,
                     qn_value *const *operands, uint32_t operand_count, const qn_attr_arg *attrs) {
  return qn_op_result(build_short(b, kind, &result, operands, operand_count, attrs), 0);
}

qn_op *qn_build_0(qn_builder *b, qn_op_kind kind, qn_value *const *operands, uint32_t operand_count,
                  const qn_attr_arg *attrs) {
  return build_short(b, kind, NULL, operands, operand_count, attrs);
}

qn_op *qn_build_func(qn_builder *b, qn_str name, const qn_type *function_type,
                     const char *visibility) {
  QN_ASSERT(function_type->kind == QN_TYPE_FUNCTION);
  const qn_named_attr attrs[] = {
      {qn_str_of("sym_name"), qn_attr_string(b->cx, name)},
      {qn_str_of("function_type"), qn_attr_type(b->cx, function_type)},
      {qn_str_of("sym_visibility"),
       visibility ? qn_attr_string(b->cx, qn_str_of(visibility)) : NULL},
  };
  qn_op *func = qn_build(b, (qn_op_state){.kind = QN_OP_FUNC,
                                          .attrs = attrs,
                                          .attr_count = visibility ? 3 : 2,
                                          .region_count = 1});
  qn_block *entry = qn_block_create(b->module);
  qn_block_append(entry, &func->regions[0]);
  for (uint32_t i = 0; i < function_type->function.input_count; i++) {
    qn_block_add_arg(b->module, entry, function_type->function.inputs[i], b->loc);
  }
  return func;
}

/* ---- arith ---- */

static qn_value *constant(qn_builder *b, const qn_attr *value, const qn_type *type) {
  return qn_build_1(b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_build_index(qn_builder *b, int64_t value) {
  return qn_build_int(b, value, qn_type_index(b->cx));
}

qn_value *qn_build_int(qn_builder *b, int64_t value, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return constant(b, qn_attr_int(b->cx, value, type), type);
  qn_bytes element = {(const uint8_t *)&value, qn_type_bytes(type->shaped.element)};
  return constant(b, qn_attr_dense(b->cx, type, element, false), type);
}

qn_value *qn_build_float(qn_builder *b, double value, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return constant(b, qn_attr_float(b->cx, value, type), type);
  uint8_t bytes[sizeof(double)];
  size_t size = qn_type_bytes(type->shaped.element);
  QN_ASSERT(type->shaped.element->kind == QN_TYPE_FLOAT && size <= sizeof bytes);
  qn_float_store(type->shaped.element->float_kind, value, bytes);
  return constant(b, qn_attr_dense(b->cx, type, (qn_bytes){bytes, size}, true), type);
}

qn_value *qn_build_binary(qn_builder *b, qn_op_kind kind, qn_value *lhs, qn_value *rhs) {
  return qn_build_1(b, kind, lhs->type, QN_VALUES(lhs, rhs), NULL);
}

qn_value *qn_build_binary_int(qn_builder *b, qn_op_kind kind, qn_value *lhs, int64_t rhs) {
  return qn_build_binary(b, kind, lhs, qn_build_int(b, rhs, lhs->type));
}

qn_value *qn_build_unary(qn_builder *b, qn_op_kind kind, qn_value *operand, const qn_type *result) {
  return qn_build_1(b, kind, result, QN_VALUES(operand), NULL);
}

qn_value *qn_build_cmpi(qn_builder *b, qn_cmpi predicate, qn_value *lhs, qn_value *rhs) {
  const qn_type *result = qn_type_with_element(b->cx, lhs->type, qn_type_i(b->cx, 1));
  return qn_build_1(b, QN_OP_ARITH_CMPI, result, QN_VALUES(lhs, rhs),
                    QN_ATTRS({"predicate", qn_attr_i64(b->cx, predicate)}));
}

qn_value *qn_build_cmpf(qn_builder *b, qn_cmpf predicate, qn_value *lhs, qn_value *rhs) {
  const qn_type *result = qn_type_with_element(b->cx, lhs->type, qn_type_i(b->cx, 1));
  return qn_build_1(b, QN_OP_ARITH_CMPF, result, QN_VALUES(lhs, rhs),
                    QN_ATTRS({"predicate", qn_attr_i64(b->cx, (int64_t)predicate)}));
}

qn_value *qn_build_float_clamp(qn_builder *b, qn_value *x, float low, float high) {
  if (low > -INFINITY) {
    qn_value *bound = qn_build_float(b, (double)low, x->type);
    x = qn_build_select(b, qn_build_cmpf(b, QN_CMP_OLT, x, bound), bound, x);
  }
  if (high < INFINITY) {
    qn_value *bound = qn_build_float(b, (double)high, x->type);
    x = qn_build_select(b, qn_build_cmpf(b, QN_CMP_OLT, bound, x), bound, x);
  }
  return x;
}

qn_value *qn_build_select(qn_builder *b, qn_value *condition, qn_value *if_true,
                          qn_value *if_false) {
  return qn_build_1(b, QN_OP_ARITH_SELECT, if_true->type, QN_VALUES(condition, if_true, if_false),
                    NULL);
}

/* ---- loops ---- */

qn_op *qn_build_for(qn_builder *b, qn_value *lower, qn_value *upper, qn_value *step,
                    qn_value *const *init, uint32_t init_count) {
  qn_arena *arena = &b->module->arena;
  qn_value **operands = QN_NEW_ARRAY(arena, 3 + init_count, qn_value *);
  const qn_type **types = QN_NEW_ARRAY(arena, init_count, const qn_type *);
  operands[0] = lower;
  operands[1] = upper;
  operands[2] = step;
  for (uint32_t i = 0; i < init_count; i++) {
    operands[3 + i] = init[i];
    types[i] = init[i]->type;
  }
  qn_op *loop = qn_build(b, (qn_op_state){.kind = QN_OP_SCF_FOR,
                                          .operands = operands,
                                          .operand_count = 3 + init_count,
                                          .result_types = types,
                                          .result_count = init_count,
                                          .region_count = 1});
  qn_block *body = qn_block_create(b->module);
  qn_block_append(body, &loop->regions[0]);
  qn_block_add_arg(b->module, body, lower->type, b->loc);
  for (uint32_t i = 0; i < init_count; i++) qn_block_add_arg(b->module, body, types[i], b->loc);
  b->block = body;
  b->before = NULL;
  return loop;
}

void qn_build_yield(qn_builder *b, qn_value *const *values, uint32_t count) {
  qn_build_0(b, QN_OP_SCF_YIELD, values, count, NULL);
  qn_op *loop = b->block->region->owner;
  b->block = loop->block;
  b->before = loop->next;
}
