/* Checks references to symbols: calls, launches, globals.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool verify_call(qn_ir_context *cx, const qn_op *op, const qn_op *callee) {
  const qn_type *type = qn_op_function_type(callee);
  if (type->kind != QN_TYPE_FUNCTION) return true; /* reported for the function */
  if (type->function.input_count != op->operand_count) {
    return qn_op_complain(cx, op, "incorrect number of operands for callee");
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *is = qn_op_operand(op, i)->type;
    if (is != type->function.inputs[i]) {
      return qn_op_complain(
          cx, op,
          "operand type mismatch: expected operand type %s, but provided %s for operand number %u",
          qn_type_quoted(cx, type->function.inputs[i]), qn_type_quoted(cx, is), i);
    }
  }
  if (type->function.result_count != op->result_count) {
    return qn_op_complain(cx, op, "incorrect number of results for callee");
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (op->results[i].type != type->function.results[i]) {
      return qn_op_complain(cx, op, "result type mismatch at index %u: expected %s, but has %s", i,
                            qn_type_quoted(cx, type->function.results[i]),
                            qn_type_quoted(cx, op->results[i].type));
    }
  }
  return true;
}

/* Checks a launch: kernel(buffers..., lo: index, hi: index), without results. */
static bool verify_launch(qn_ir_context *cx, const qn_op *op, const qn_op *kernel) {
  const qn_type *type = qn_op_function_type(kernel);
  if (type->kind != QN_TYPE_FUNCTION) return true;
  uint32_t buffers = op->operand_count - 1;
  if (type->function.input_count != buffers + 2) {
    return qn_op_complain(cx, op, "passes %u buffers to a kernel of %u parameters", buffers,
                          type->function.input_count);
  }
  for (uint32_t i = 0; i < buffers; i++) {
    const qn_type *is = qn_op_operand(op, i)->type;
    if (is != type->function.inputs[i]) {
      return qn_op_complain(cx, op, "passes %s as parameter %u, which is %s",
                            qn_type_quoted(cx, is), i,
                            qn_type_quoted(cx, type->function.inputs[i]));
    }
  }
  for (uint32_t i = buffers; i < buffers + 2; i++) {
    if (type->function.inputs[i]->kind != QN_TYPE_INDEX) {
      return qn_op_complain(cx, op, "names a kernel whose last two parameters are not indices");
    }
  }
  if (type->function.result_count) return qn_op_complain(cx, op, "names a kernel with results");
  if (!qn_op_body(kernel)) return qn_op_complain(cx, op, "names a kernel without a body");
  return true;
}

static bool verify_get_global(qn_ir_context *cx, const qn_op *op, const qn_op *global) {
  const qn_type *type = qn_op_global_type(global);
  if (op->results[0].type == type) return true;
  return qn_op_complain(cx, op, "result type %s does not match type %s of the global memref @%.*s",
                        qn_type_quoted(cx, op->results[0].type), qn_type_quoted(cx, type),
                        QN_STR_ARG(qn_op_global_name(op)));
}

static bool verify_func_constant(qn_ir_context *cx, const qn_op *op, const qn_op *func) {
  if (op->results[0].type == qn_op_function_type(func)) return true;
  return qn_op_complain(cx, op, "reference to function with mismatched type");
}

static const struct {
  qn_attr_id name;
  /* kind of the op that the symbol must name; QN_OP_UNREGISTERED: the op has no reference */
  qn_op_kind target;
  const char *what;
  bool (*verify)(qn_ir_context *cx, const qn_op *op, const qn_op *target);
} references[QN_OP_COUNT] = {
    [QN_OP_FUNC_CALL] = {QN_A_CALLEE, QN_OP_FUNC, "function", verify_call},
    [QN_OP_FUNC_CONSTANT] = {QN_A_FUNCTION, QN_OP_FUNC, "function", verify_func_constant},
    [QN_OP_QUERN_LAUNCH] = {QN_A_KERNEL, QN_OP_FUNC, "function", verify_launch},
    [QN_OP_MEMREF_GET_GLOBAL] = {QN_A_GLOBAL_NAME, QN_OP_MEMREF_GLOBAL, "global memref",
                                 verify_get_global},
};

bool qn_op_symbol_reference(const qn_op *op, qn_str *out_name) {
  if (references[op->kind].target == QN_OP_UNREGISTERED) return false;
  *out_name = qn_op_read_string(op, references[op->kind].name);
  return true;
}

bool qn_verify_symbol_use(qn_ir_context *cx, const qn_op *op, const qn_op *target_or_null) {
  qn_str name = {0};
  QN_ASSERT(qn_op_symbol_reference(op, &name));
  if (!target_or_null || target_or_null->kind != references[op->kind].target) {
    return qn_op_complain(cx, op, "'%.*s' does not reference a valid %s", QN_STR_ARG(name),
                          references[op->kind].what);
  }
  return references[op->kind].verify(cx, op, target_or_null);
}
