/* Verifiers of the tensor dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static const char any_tensor[] = "tensor of any type values";
static const char ranked_tensor[] = "ranked tensor of any type values";

static bool has_a_dim(const qn_type *type) {
  return qn_is_tensor(type) && (!type->shaped.ranked || type->shaped.rank > 0);
}

bool qn_verify_tensor_dim(qn_ir_context *cx, const qn_op *op) {
  return qn_check_operand(cx, op, 0, has_a_dim, "non-0-ranked or unranked tensor") &&
         qn_check_operand(cx, op, 1, qn_is_index, "index") &&
         qn_check_result(cx, op, 0, qn_is_index, "index");
}

bool qn_verify_tensor_rank(qn_ir_context *cx, const qn_op *op) {
  return qn_check_operand(cx, op, 0, qn_is_tensor, any_tensor) &&
         qn_check_result(cx, op, 0, qn_is_index, "index");
}

/* Checks that there is an index operand, from operand `first` on, for each dynamic dimension of the
 * result. */
static bool check_dynamic_sizes(qn_ir_context *cx, const qn_op *op, uint32_t first) {
  if (!qn_check_operands_from(cx, op, first, qn_is_index, "index") ||
      !qn_check_result(cx, op, 0, qn_is_ranked_tensor, ranked_tensor)) {
    return false;
  }
  const qn_type *type = op->results[0].type;
  uint32_t dynamic = 0, given = op->operand_count - first;
  for (uint32_t i = 0; i < type->shaped.rank; i++) dynamic += type->shaped.dims[i] == QN_DYNAMIC;
  if (given == dynamic) return true;
  return qn_op_complain(cx, op, "incorrect number of dynamic sizes, has %u, expected %u", given,
                        dynamic);
}

bool qn_verify_tensor_splat(qn_ir_context *cx, const qn_op *op) {
  if (!check_dynamic_sizes(cx, op, 1)) return false;
  if (qn_op_operand(op, 0)->type == qn_type_element(op->results[0].type)) return true;
  return qn_op_complain(cx, op,
                        "failed to verify that operand type matches element type of result");
}

bool qn_verify_tensor_empty(qn_ir_context *cx, const qn_op *op) {
  return check_dynamic_sizes(cx, op, 0);
}

static bool is_static_tensor(const qn_type *type) {
  return qn_is_tensor(type) && qn_type_is_static(type);
}

bool qn_verify_tensor_from_elements(qn_ir_context *cx, const qn_op *op) {
  if (!qn_check_result(cx, op, 0, is_static_tensor,
                       "statically shaped tensor of any type values")) {
    return false;
  }
  const qn_type *type = op->results[0].type;
  bool ok = qn_type_elements(type) == (int64_t)op->operand_count;
  for (uint32_t i = 0; ok && i < op->operand_count; i++) {
    ok = qn_op_operand(op, i)->type == qn_type_element(type);
  }
  return ok ||
         qn_op_complain(cx, op, "failed to verify that operand types match result element type");
}

static bool is_shape_operand(const qn_type *type) {
  return qn_is_ranked_tensor(type) && type->shaped.rank == 1 &&
         qn_is_signless(qn_type_element(type));
}

bool qn_verify_tensor_reshape(qn_ir_context *cx, const qn_op *op) {
  if (!qn_check_operand(cx, op, 0, qn_is_tensor, any_tensor) ||
      !qn_check_operand(cx, op, 1, is_shape_operand,
                        "1D tensor of signless integer or index values") ||
      !qn_check_result(cx, op, 0, qn_is_tensor, any_tensor)) {
    return false;
  }
  const qn_type *from = qn_op_operand(op, 0)->type, *to = op->results[0].type;
  int64_t length = qn_op_operand(op, 1)->type->shaped.dims[0];
  if (qn_type_element(from) != qn_type_element(to)) {
    return qn_op_complain(
        cx, op, "element types of source and destination tensor types should be the same");
  }
  if (is_static_tensor(from) && is_static_tensor(to) &&
      qn_type_elements(from) != qn_type_elements(to)) {
    return qn_op_complain(cx, op,
                          "source and destination tensor should have the same number of elements");
  }
  if (!to->shaped.ranked) return true;
  if (length == QN_DYNAMIC) {
    return qn_op_complain(
        cx, op,
        "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type");
  }
  if (length == (int64_t)to->shaped.rank) return true;
  return qn_op_complain(cx, op, "length of shape operand differs from the result's tensor rank");
}

/* Whether both can be the same tensor at run time: equal element types, and no static sizes that
 * differ. */
static bool may_be_one_tensor(const qn_type *a, const qn_type *b) {
  if (!qn_is_tensor(a) || !qn_is_tensor(b) || a->shaped.element != b->shaped.element) return false;
  if (!a->shaped.ranked || !b->shaped.ranked) return true;
  if (a->shaped.rank != b->shaped.rank) return false;
  for (uint32_t i = 0; i < a->shaped.rank; i++) {
    int64_t x = a->shaped.dims[i], y = b->shaped.dims[i];
    if (x != y && x != QN_DYNAMIC && y != QN_DYNAMIC) return false;
  }
  return true;
}

bool qn_verify_tensor_cast(qn_ir_context *cx, const qn_op *op) {
  const qn_type *from = qn_op_operand(op, 0)->type, *to = op->results[0].type;
  if (may_be_one_tensor(from, to)) return true;
  return qn_op_complain(cx, op, "operand type %s and result type %s are cast incompatible",
                        qn_type_quoted(cx, from), qn_type_quoted(cx, to));
}

bool qn_verify_tensor_extract(qn_ir_context *cx, const qn_op *op) {
  if (!qn_check_operands_from(cx, op, 1, qn_is_index, "index") ||
      !qn_check_operand(cx, op, 0, qn_is_ranked_tensor, ranked_tensor)) {
    return false;
  }
  const qn_type *type = qn_op_operand(op, 0)->type;
  if (op->results[0].type != qn_type_element(type)) {
    return qn_op_complain(cx, op,
                          "failed to verify that result type matches element type of tensor");
  }
  if (op->operand_count - 1 == type->shaped.rank) return true;
  return qn_op_complain(cx, op, "incorrect number of indices for extract_element");
}
