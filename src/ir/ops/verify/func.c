/* Verifiers of the func dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/module.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool verify_dicts(qn_ir_context *cx, const qn_op *op, qn_attr_id id, uint32_t count) {
  const char *name = qn_attr_decls[id].name;
  const qn_attr *attr = qn_op_find(op, id);
  if (!attr) return true;
  if (attr->array.count != count) {
    return qn_op_complain(cx, op, "attribute '%s' has %u entries, but %u are expected", name,
                          attr->array.count, count);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!attr->array.items[i] || attr->array.items[i]->kind != QN_ATTR_DICT) {
      return qn_op_complain(cx, op, "attribute '%s' must have dictionaries only", name);
    }
  }
  return true;
}

static bool verify_entry(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  const qn_block *entry = qn_op_body(op);
  if (entry->arg_count != type->function.input_count) {
    return qn_op_complain(cx, op, "entry block must have %u arguments to match function signature",
                          type->function.input_count);
  }
  for (uint32_t i = 0; i < entry->arg_count; i++) {
    if (entry->args[i]->type == type->function.inputs[i]) continue;
    return qn_op_complain(cx, op,
                          "type of entry block argument #%u (%s) must match the type of the "
                          "corresponding argument in function signature (%s)",
                          i, qn_type_quoted(cx, entry->args[i]->type),
                          qn_type_quoted(cx, type->function.inputs[i]));
  }
  return true;
}

bool qn_verify_func(qn_ir_context *cx, const qn_op *op) {
  const qn_type *type = qn_op_function_type(op);
  if (type->kind != QN_TYPE_FUNCTION) {
    return qn_op_complain(cx, op, "attribute 'function_type' must be a function type");
  }
  bool ok = verify_dicts(cx, op, QN_A_ARG_ATTRS, type->function.input_count);
  ok &= verify_dicts(cx, op, QN_A_RES_ATTRS, type->function.result_count);
  if (qn_op_body(op)) return (int)verify_entry(cx, op, type) & ok;
  if (qn_symbol_is_public(op)) {
    return qn_op_complain(cx, op, "symbol declaration cannot have public visibility");
  }
  return ok;
}

bool qn_verify_func_return(qn_ir_context *cx, const qn_op *op) {
  const qn_op *func = qn_op_parent(op);
  if (!func || func->kind != QN_OP_FUNC) {
    return qn_op_complain(cx, op, "expects parent op 'func.func'");
  }
  const qn_attr *attr = qn_op_find(func, QN_A_FUNCTION_TYPE);
  if (!attr || attr->kind != QN_ATTR_TYPE || attr->type->kind != QN_TYPE_FUNCTION) return true;
  const qn_type *type = attr->type;
  qn_str name = qn_op_sym_name(func);
  if (op->operand_count != type->function.result_count) {
    return qn_op_complain(cx, op, "has %u operands, but enclosing function (@%.*s) returns %u",
                          op->operand_count, QN_STR_ARG(name), type->function.result_count);
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *is = qn_op_operand(op, i)->type;
    if (is == type->function.results[i]) continue;
    return qn_op_complain(cx, op,
                          "type of return operand %u (%s) doesn't match function result type (%s) "
                          "in function @%.*s",
                          i, qn_type_quoted(cx, is), qn_type_quoted(cx, type->function.results[i]),
                          QN_STR_ARG(name));
  }
  return true;
}

static bool is_function(const qn_type *type) { return type->kind == QN_TYPE_FUNCTION; }

bool qn_verify_call_indirect(qn_ir_context *cx, const qn_op *op) {
  if (op->operand_count < 1) {
    return qn_op_complain(cx, op, "expected 1 or more operands, but found 0");
  }
  if (!qn_check_operand(cx, op, 0, is_function, "function type")) return false;
  const qn_type *type = qn_op_operand(op, 0)->type;
  bool inputs = type->function.input_count == op->operand_count - 1;
  for (uint32_t i = 0; inputs && i < type->function.input_count; i++) {
    inputs = qn_op_operand(op, i + 1)->type == type->function.inputs[i];
  }
  if (!inputs) {
    return qn_op_complain(cx, op, "failed to verify that callee input types match argument types");
  }
  bool results = type->function.result_count == op->result_count;
  for (uint32_t i = 0; results && i < op->result_count; i++) {
    results = op->results[i].type == type->function.results[i];
  }
  return results ||
         qn_op_complain(cx, op, "failed to verify that callee result types match result types");
}

bool qn_verify_unrealized_cast(qn_ir_context *cx, const qn_op *op) {
  return op->result_count > 0 ||
         qn_op_complain(cx, op, "expected at least one result for cast operation");
}
