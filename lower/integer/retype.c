/* Types of the integer stage: what may come in, and the conversion of every !quant type at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/integer.h"

const qn_type *qn_integer_storage_element(qn_ir_context *cx, const qn_type *element) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return element;
  uint32_t width = element->uniform.storage->integer.width;
  return qn_type_integer(cx, width, element->uniform.is_signed ? QN_SIGNLESS : QN_UNSIGNED);
}

static const qn_type *convert(qn_ir_context *cx, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return type;
  const qn_type *element = qn_type_element(type);
  const qn_type *storage = qn_integer_storage_element(cx, element);
  return storage == element ? type : qn_type_with_element(cx, type, storage);
}

/* ---- what may come in ---- */

static const char *type_problem(const qn_type *type) {
  if (qn_type_is_quant(type)) return "a quantized value outside of a tensor";
  if (!qn_type_is_shaped(type)) return NULL;
  if (!qn_type_is_static(type)) return "a tensor without static shape";
  const qn_type *element = qn_type_element(type);
  if (!qn_type_is_quant(element)) return NULL;
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return "a quantized type without scale";
  uint32_t width = element->uniform.storage->integer.width;
  return width == 8 || width == 16 || width == 32 ? NULL
                                                  : "a storage width other than 8, 16 or 32 bits";
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

static void check_results(qn_op *op, void *user) {
  for (uint32_t i = 0; i < op->result_count; i++)
    check_value(user, op->loc, op->results[i].type, "a result");
}

qn_status qn_integer_check_types(qn_integer *in) {
  type_check check = {in, QN_OK};
  QN_FOR_EACH_OP(func, qn_op_body(in->module->op)) {
    if (func->kind != QN_OP_FUNC) continue;
    QN_FOR_EACH_BLOCK(block, &func->regions[0]) {
      for (uint32_t i = 0; i < block->arg_count; i++)
        check_value(&check, func->loc, block->args[i]->type, "an argument");
    }
  }
  qn_integer_for_each(in->module, check_results, &check);
  return check.status;
}

/* ---- conversion ---- */

/* The same bytes under the storage type: nothing is copied. */
static void retype_constant(qn_integer *in, qn_op *op) {
  const qn_attr *value = qn_op_attr(op, "value");
  const qn_type *type = op->results[0].type;
  if (!value || !qn_attr_is_elements(value) || value->type == type) return;
  const struct qn_dense *dense = &value->dense;
  const qn_attr *retyped = value->kind == QN_ATTR_RESOURCE
                               ? qn_attr_resource(in->cx, type, dense->key, dense->bytes, true)
                               : qn_attr_dense(in->cx, type, dense->bytes, true);
  qn_op_set_attr(in->module, op, "value", retyped);
}

/* A storage cast is nothing once its quantized side is storage too, except that i8 and ui8 are two
 * types of the same bytes: the identity table says that. */
static void retype_storage_cast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0);
  const qn_type *type = op->results[0].type;
  if (x->type != type) {
    uint8_t identity[256];
    for (int i = 0; i < 256; i++) identity[i] = (uint8_t)i;
    qn_builder b = qn_builder_before(in->module, op);
    x = qn_integer_lut(&b, x, identity, type);
  }
  qn_value_replace_all_uses(qn_op_result(op, 0), x);
  qn_op_erase(in->module, op);
}

static void retype_op(qn_op *op, void *user) {
  qn_integer *in = user;
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_set_type(&op->results[i], convert(in->cx, op->results[i].type));
  if (qn_op_has(op, QN_CONSTANT)) retype_constant(in, op);
  if (op->kind == QN_OP_QUANT_SCAST) retype_storage_cast(in, op);
}

static const qn_type *convert_signature(qn_integer *in, const qn_type *type) {
  uint32_t inputs = type->function.input_count, results = type->function.result_count;
  const qn_type **types = QN_NEW_ARRAY(in->scratch, (size_t)inputs + results + 1, const qn_type *);
  for (uint32_t i = 0; i < inputs; i++) types[i] = convert(in->cx, type->function.inputs[i]);
  for (uint32_t i = 0; i < results; i++)
    types[inputs + i] = convert(in->cx, type->function.results[i]);
  return qn_type_function(in->cx, types, inputs, types + inputs, results);
}

void qn_integer_retype(qn_integer *in) {
  QN_FOR_EACH_OP(func, qn_op_body(in->module->op)) {
    if (func->kind != QN_OP_FUNC) continue;
    qn_integer_keep_quantization(in, func);
    const qn_type *type = convert_signature(in, qn_op_attr(func, "function_type")->type);
    qn_op_set_attr(in->module, func, "function_type", qn_attr_type(in->cx, type));
    QN_FOR_EACH_BLOCK(block, &func->regions[0]) {
      for (uint32_t i = 0; i < block->arg_count; i++)
        qn_value_set_type(block->args[i], convert(in->cx, block->args[i]->type));
    }
  }
  qn_integer_for_each(in->module, retype_op, in);
}
