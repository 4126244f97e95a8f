/* Verifiers of the memref dialect and of vector loads and stores.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

bool qn_verify_global(qn_ir_context *cx, const qn_op *op) {
  const qn_type *type = qn_op_global_type(op);
  if (type->kind != QN_TYPE_MEMREF || qn_type_elements(type) < 0) {
    return qn_op_complain(cx, op, "type should be static shaped memref, but got %s",
                          qn_type_quoted(cx, type));
  }
  const qn_attr *value = qn_op_find(op, QN_A_INITIAL_VALUE);
  if (!value || value->kind == QN_ATTR_UNIT) return true;
  const qn_type *tensor = qn_attr_is_shaped(value) ? value->type : NULL;
  bool matches = tensor && tensor->kind == QN_TYPE_TENSOR &&
                 tensor->shaped.element == type->shaped.element &&
                 tensor->shaped.rank == type->shaped.rank;
  for (uint32_t i = 0; matches && i < type->shaped.rank; i++) {
    matches = tensor->shaped.dims[i] == type->shaped.dims[i];
  }
  if (matches) return true;
  return qn_op_complain(cx, op,
                        "initial value should be a unit or elements attribute of the shape and "
                        "element type of the memref");
}

bool qn_verify_get_global(qn_ir_context *cx, const qn_op *op) {
  const qn_type *type = op->results[0].type;
  if (type->kind == QN_TYPE_MEMREF) return true;
  return qn_op_complain(cx, op, "result #0 must be memref, but got %s", qn_type_quoted(cx, type));
}

static bool is_flat(const qn_type *type) {
  return type->kind == QN_TYPE_MEMREF && type->shaped.ranked && type->shaped.rank == 1;
}

bool qn_verify_view(qn_ir_context *cx, const qn_op *op) {
  const qn_type *source = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  if (!is_flat(source) || !qn_is_i(source->shaped.element, 8)) {
    return qn_op_complain(cx, op,
                          "operand #0 must be 1D memref of 8-bit signless integer, but got %s",
                          qn_type_quoted(cx, source));
  }
  if (qn_op_operand(op, 1)->type->kind != QN_TYPE_INDEX) {
    return qn_op_complain(cx, op, "operand #1 must be index, but got %s",
                          qn_type_quoted(cx, qn_op_operand(op, 1)->type));
  }
  if (!is_flat(out) || qn_type_size(out) < 0) {
    return qn_op_complain(cx, op, "result #0 must be static 1D memref, but got %s",
                          qn_type_quoted(cx, out));
  }
  int64_t available = qn_type_size(source);
  const qn_attr *offset = qn_value_constant(qn_op_operand(op, 1));
  int64_t begin = offset && offset->kind == QN_ATTR_INTEGER ? offset->integer : 0;
  int64_t end = 0;
  bool fits = begin >= 0 && qn_checked_add(begin, qn_type_size(out), &end);
  if (!fits || (available >= 0 && end > available)) {
    return qn_op_complain(cx, op, "views bytes outside of its source");
  }
  return true;
}

/* ---- loads and stores of scalars and vectors ---- */

static bool is_store(const qn_op *op) {
  return op->kind == QN_OP_MEMREF_STORE || op->kind == QN_OP_VECTOR_STORE;
}
static bool is_vector(const qn_op *op) {
  return op->kind == QN_OP_VECTOR_LOAD || op->kind == QN_OP_VECTOR_STORE ||
         op->kind == QN_OP_QUERN_RELOAD;
}

/* Checks the loaded or stored value against the memref's element type. */
static bool verify_moved(qn_ir_context *cx, const qn_op *op, const qn_type *moved,
                         const qn_type *element) {
  if (is_vector(op) && !qn_is_vector_1d(moved)) {
    return qn_op_complain(cx, op, "moves %s, not a vector of one dimension",
                          qn_type_quoted(cx, moved));
  }
  if ((is_vector(op) ? moved->shaped.element : moved) == element) return true;
  return qn_op_complain(cx, op, "moves %s to or from a memref of %s", qn_type_quoted(cx, moved),
                        qn_type_quoted(cx, element));
}

bool qn_verify_memref_access(qn_ir_context *cx, const qn_op *op) {
  uint32_t at = is_store(op) ? 1 : 0; /* position of the memref */
  if (op->operand_count <= at) {
    return qn_op_complain(cx, op, "expected %u or more operands, but found %u", at + 1,
                          op->operand_count);
  }
  const qn_type *memref = qn_op_operand(op, at)->type;
  if (memref->kind != QN_TYPE_MEMREF || !memref->shaped.ranked) {
    return qn_op_complain(cx, op, "operand #%u must be ranked memref, but got %s", at,
                          qn_type_quoted(cx, memref));
  }
  uint32_t indices = op->operand_count - at - 1;
  if (indices != memref->shaped.rank) {
    return qn_op_complain(cx, op, "incorrect number of indices, expected %u but got %u",
                          memref->shaped.rank, indices);
  }
  for (uint32_t i = at + 1; i < op->operand_count; i++) {
    if (qn_op_operand(op, i)->type->kind == QN_TYPE_INDEX) continue;
    return qn_op_complain(cx, op, "operand #%u must be index, but got %s", i,
                          qn_type_quoted(cx, qn_op_operand(op, i)->type));
  }
  const qn_type *moved = at ? qn_op_operand(op, 0)->type : op->results[0].type;
  return verify_moved(cx, op, moved, memref->shaped.element);
}
