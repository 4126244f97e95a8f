/* Types of the integer stage: which types are supported, and the conversion of all !quant types at
 * once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/integer.h"

static const qn_type *convert(qn_ir_context *cx, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return type;
  const qn_type *element = qn_type_element(type);
  const qn_type *storage = qn_plan_storage_element(cx, element);
  return storage == element ? type : qn_type_with_element(cx, type, storage);
}

/* ---- supported types ---- */

static const char *type_problem(const qn_type *type) {
  if (qn_type_is_quant(type)) return "a quantized value outside of a tensor";
  if (!qn_type_is_shaped(type)) return NULL;
  if (!qn_type_is_static(type)) return "a tensor without static shape";
  const qn_type *element = qn_type_element(type);
  if (!qn_type_is_quant(element)) return NULL;
  return element->kind == QN_TYPE_QUANT_UNIFORM ? NULL : "a quantized type without scale";
}

typedef struct type_check {
  qn_integer *in;
  qn_status status;
} type_check;

static void check_value(type_check *check, const qn_loc *loc, const qn_type *type,
                        const char *what) {
  const char *problem = type_problem(type);
  if (problem)
    check->status = qn_error(&check->in->cx->diag, loc, QN_UNSUPPORTED,
                             "%s has %s, which the integer stage can't hold", what, problem);
}

/* Checks the arguments of the blocks of a function, branch or loop. */
static void check_arguments(type_check *check, const qn_op *op) {
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r]) {
      for (uint32_t i = 0; i < block->arg_count; i++)
        check_value(check, op->loc, block->args[i]->type, "an argument");
    }
}

/* Rejects storage casts of tensors without elements, because such a cast may become a table lookup.
 */
static void check_storage_cast(type_check *check, const qn_op *op) {
  const qn_type *type = op->results[0].type;
  if (op->kind == QN_OP_QUANT_SCAST && qn_type_is_shaped(type) && qn_type_is_static(type) &&
      qn_type_elements(type) == 0)
    check->status = qn_error(&check->in->cx->diag, op->loc, QN_UNSUPPORTED,
                             "a storage cast of no elements has no integer form");
}

static void check_values(qn_op *op, void *user) {
  if (op->result_count > 0) check_storage_cast(user, op);
  if (qn_op_has(op, QN_CONTROL)) check_arguments(user, op);
  for (uint32_t i = 0; i < op->result_count; i++)
    check_value(user, op->loc, op->results[i].type, "a result");
}

qn_status qn_integer_check_types(qn_integer *in) {
  type_check check = {in, QN_OK};
  QN_FOR_EACH_OP(func, qn_op_body(in->module->op))
  if (func->kind == QN_OP_FUNC) check_arguments(&check, func);
  qn_integer_for_each(in->module, check_values, &check);
  return check.status;
}

/* ---- conversion ---- */

/* Stored values with fewer bits than their bytes, extended to whole bytes for arithmetic. */
static const qn_attr *widened(qn_integer *in, const qn_attr *value, const qn_quant_uniform *q,
                              const qn_type *type) {
  size_t size = qn_type_bytes(qn_type_element(type)), count = value->dense.bytes.size / size;
  uint8_t *data = QN_NEW_ARRAY(in->scratch, count * size, uint8_t);
  for (size_t i = 0; i < count; i++) {
    int64_t stored = qn_quant_stored(q, qn_dense_int(value, (int64_t)i));
    memcpy(data + i * size, &stored, size); /* little-endian */
  }
  return qn_attr_dense(in->cx, type, (qn_bytes){data, count * size}, false);
}

/* Changes the type of a constant to its storage type. The bytes are shared unless values must be
 * extended. */
static void retype_constant(qn_integer *in, qn_op *op, const qn_quant_uniform *q) {
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  const qn_type *type = op->results[0].type;
  if (!value || !qn_attr_is_elements(value) || value->type == type) return;
  if (q && q->storage->integer.width != 8 * qn_type_bytes(q->storage)) {
    qn_op_set_attr(in->module, op, "value", widened(in, value, q, type));
    return;
  }
  const struct qn_dense *dense = &value->dense;
  const qn_attr *retyped = value->kind == QN_ATTR_RESOURCE
                               ? qn_attr_resource(in->cx, type, dense->key, dense->bytes, true)
                               : qn_attr_dense(in->cx, type, dense->bytes, true);
  qn_op_set_attr(in->module, op, "value", retyped);
}

/* Replaces an arith.constant of unsigned type, which arith does not support. */
static void retype_unsigned_constant(qn_integer *in, qn_op *op) {
  if (op->kind != QN_OP_ARITH_CONSTANT) return;
  const qn_type *element = qn_type_element(op->results[0].type);
  if (element->kind != QN_TYPE_INTEGER || element->integer.sign != QN_UNSIGNED) return;
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *constant = qn_build_1(&b, QN_OP_ML_CONST, op->results[0].type, NULL, 0,
                                  QN_ATTRS({"value", qn_op_find(op, QN_A_VALUE)}));
  qn_value_replace_all_uses(&op->results[0], constant);
  qn_op_erase(in->module, op);
}

/* Removes a storage cast, whose two types are now equal, except i8 and ui8: an identity table
 * converts between these. */
static void retype_storage_cast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0);
  const qn_type *type = op->results[0].type;
  if (x->type != type) {
    uint8_t identity[256];
    for (int i = 0; i < 256; i++) identity[i] = (uint8_t)i;
    qn_builder b = qn_builder_before(in->module, op);
    x = qn_plan_lut(&b, x, identity, type);
  }
  if (x->op && !qn_op_find(x->op, QN_A_TENSORS)) qn_integer_move_marks(in->module, op, x->op);
  qn_value_replace_all_uses(qn_op_result(op, 0), x);
  qn_op_erase(in->module, op);
}

static void retype_arguments(qn_integer *in, const qn_op *op) {
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r]) {
      for (uint32_t i = 0; i < block->arg_count; i++)
        qn_value_set_type(block->args[i], convert(in->cx, block->args[i]->type));
    }
}

static void retype_op(qn_op *op, void *user) {
  qn_integer *in = user;
  if (qn_op_has(op, QN_CONTROL)) retype_arguments(in, op);
  const qn_quant_uniform *q = op->result_count ? qn_type_quant(op->results[0].type) : NULL;
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_set_type(&op->results[i], convert(in->cx, op->results[i].type));
  if (qn_op_has(op, QN_CONSTANT)) retype_constant(in, op, q);
  if (op->kind == QN_OP_QUANT_SCAST)
    retype_storage_cast(in, op);
  else
    retype_unsigned_constant(in, op);
}

static const qn_type *convert_signature(qn_integer *in, const qn_type *type) {
  uint32_t inputs = type->function.input_count, results = type->function.result_count;
  const qn_type **types = QN_NEW_ARRAY(in->scratch, (size_t)inputs + results + 1, const qn_type *);
  for (uint32_t i = 0; i < inputs; i++) types[i] = convert(in->cx, type->function.inputs[i]);
  for (uint32_t i = 0; i < results; i++)
    types[inputs + i] = convert(in->cx, type->function.results[i]);
  return qn_type_function(in->cx, types, inputs, types + inputs, results);
}

qn_status qn_integer_retype(qn_integer *in) {
  QN_FOR_EACH_OP(func, qn_op_body(in->module->op)) {
    if (func->kind != QN_OP_FUNC) continue;
    QN_TRY(qn_integer_keep_quantization(in, func));
    const qn_type *type = convert_signature(in, qn_op_function_type(func));
    qn_op_set_attr(in->module, func, "function_type", qn_attr_type(in->cx, type));
    retype_arguments(in, func);
  }
  qn_integer_for_each(in->module, retype_op, in);
  return QN_OK;
}
