/* Verifiers of the shape dialect. The types !shape.shape and !shape.size are accepted so that text
 * with them can be parsed; only extent tensors can be executed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static const char shape_or_extents[] = "shape or extent tensor";
static const char size_or_index[] = "size or index";

static bool is_opaque(const qn_type *type, const char *text) {
  return type->kind == QN_TYPE_OPAQUE && qn_str_is(type->opaque, text);
}
static bool is_shape(const qn_type *type) {
  bool extents =
      qn_is_ranked_tensor(type) && type->shaped.rank == 1 && qn_is_index(type->shaped.element);
  return extents || is_opaque(type, "!shape.shape");
}
static bool is_size(const qn_type *type) {
  return qn_is_index(type) || is_opaque(type, "!shape.size");
}
static bool is_shaped(const qn_type *type) {
  return qn_type_is_shaped(type) || is_opaque(type, "!shape.value_shape");
}

/* Checks that the result is an extent tensor of this length, or of dynamic length. */
static bool check_length(qn_ir_context *cx, const qn_op *op, int64_t length) {
  const qn_type *type = op->results[0].type;
  if (!qn_is_tensor(type) || length == QN_DYNAMIC || type->shaped.dims[0] == QN_DYNAMIC ||
      type->shaped.dims[0] == length) {
    return true;
  }
  const qn_type *inferred = qn_type_tensor(cx, qn_type_index(cx), 1, &length);
  return qn_op_complain(cx, op,
                        "inferred type(s) %s are incompatible with return type(s) of operation %s",
                        qn_type_quoted(cx, inferred), qn_type_quoted(cx, type));
}

bool qn_verify_shape_of(qn_ir_context *cx, const qn_op *op) {
  if (!qn_check_operand(cx, op, 0, is_shaped, "shaped of any type values or ") ||
      !qn_check_result(cx, op, 0, is_shape, shape_or_extents)) {
    return false;
  }
  const qn_type *type = qn_op_operand(op, 0)->type;
  bool ranked = qn_type_is_shaped(type) && type->shaped.ranked;
  return check_length(cx, op, ranked ? (int64_t)type->shaped.rank : QN_DYNAMIC);
}

bool qn_verify_shape_num_elements(qn_ir_context *cx, const qn_op *op) {
  return qn_check_operand(cx, op, 0, is_shape, shape_or_extents) &&
         qn_check_result(cx, op, 0, is_size, size_or_index);
}

bool qn_verify_shape_split_at(qn_ir_context *cx, const qn_op *op) {
  return qn_check_operand(cx, op, 0, is_shape, shape_or_extents) &&
         qn_check_operand(cx, op, 1, is_size, size_or_index) &&
         qn_check_result(cx, op, 0, is_shape, shape_or_extents) &&
         qn_check_result(cx, op, 1, is_shape, shape_or_extents);
}

bool qn_verify_const_shape(qn_ir_context *cx, const qn_op *op) {
  const qn_type *type = qn_op_find(op, QN_A_SHAPE)->type;
  if (type->shaped.rank != 1 || !qn_is_index(type->shaped.element)) {
    return qn_op_complain(
        cx, op, "attribute 'shape' failed to satisfy constraint: index elements attribute");
  }
  return qn_check_result(cx, op, 0, is_shape, shape_or_extents) &&
         check_length(cx, op, type->shaped.dims[0]);
}
