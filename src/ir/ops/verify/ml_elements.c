/* Verifiers of ml ops on numbers of any type, elementwise or along an axis. They check which
 * element types can be combined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

static bool is_boolean(const qn_type *type) { return qn_type_is_int(qn_type_element(type), 1); }

/* Whether both are quantized, or both have the same element type. */
static bool are_alike(const qn_type *a, const qn_type *b) {
  return (qn_type_quant(a) && qn_type_quant(b)) || qn_type_element(a) == qn_type_element(b);
}

static bool check_alike(qn_ir_context *cx, const qn_op *op, const qn_type *a, const qn_type *b) {
  return are_alike(a, b) || qn_op_complain(cx, op, "mixes elements of %s and %s",
                                           qn_type_quoted(cx, a), qn_type_quoted(cx, b));
}

static bool check_operands_alike(qn_ir_context *cx, const qn_op *op, uint32_t first) {
  for (uint32_t i = first + 1; i < op->operand_count; i++)
    if (!check_alike(cx, op, qn_ml_in(op, first), qn_ml_in(op, i))) return false;
  return true;
}

static bool check_boolean(qn_ir_context *cx, const qn_op *op, const char *what,
                          const qn_type *type) {
  return is_boolean(type) || qn_op_complain(cx, op, "%s must have elements of i1, but is %s", what,
                                            qn_type_quoted(cx, type));
}

/* Whether the operand is quantized and the result is not. */
static bool is_not_quantized_again(const qn_op *op) {
  const qn_type *x = qn_ml_in(op, 0), *element = qn_type_element(qn_ml_out(op));
  return qn_type_quant(x) && element == qn_type_quant(x)->expressed;
}

bool qn_verify_ml_alike(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  if (is_boolean(qn_ml_out(op)) && !qn_op_find(op, QN_A_AXES))
    return qn_op_complain(cx, op, "does not take booleans");
  if (!check_operands_alike(cx, op, 0)) return false;
  return is_not_quantized_again(op) || check_alike(cx, op, qn_ml_in(op, 0), qn_ml_out(op));
}

bool qn_verify_ml_compare(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  return check_operands_alike(cx, op, 0) && check_boolean(cx, op, "the result", qn_ml_out(op));
}

bool qn_verify_ml_logical(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  return check_operands_alike(cx, op, 0) && check_boolean(cx, op, "the operand", qn_ml_in(op, 0)) &&
         check_boolean(cx, op, "the result", qn_ml_out(op));
}

bool qn_verify_ml_bits(qn_ir_context *cx, const qn_op *op) {
  if (!qn_verify_ml_alike(cx, op)) return false;
  const qn_type *element = qn_type_element(qn_ml_out(op));
  return (element->kind == QN_TYPE_INTEGER && !qn_type_is_unsigned(element)) ||
         qn_op_complain(cx, op, "takes plain signless integers");
}

bool qn_verify_ml_cast(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  bool quantized = qn_type_quant(qn_ml_in(op, 0)) || qn_type_quant(qn_ml_out(op));
  return !quantized || qn_op_complain(cx, op,
                                      "takes and gives plain numbers: quant.qcast, quant.dcast and "
                                      "quant.scast are for quantized ones");
}

static bool has_bits(const qn_type *element) {
  return element->kind == QN_TYPE_INTEGER || element->kind == QN_TYPE_FLOAT;
}

bool qn_verify_ml_bitcast(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  const qn_type *from = qn_type_element(qn_ml_in(op, 0)), *to = qn_type_element(qn_ml_out(op));
  return (has_bits(from) && has_bits(to) && qn_bit_width(from) == qn_bit_width(to)) ||
         qn_op_complain(cx, op, "does not make %s of the bits of %s",
                        qn_type_quoted(cx, qn_ml_out(op)), qn_type_quoted(cx, qn_ml_in(op, 0)));
}

bool qn_verify_ml_select(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  if (!check_boolean(cx, op, "the condition", qn_ml_in(op, 0))) return false;
  for (uint32_t i = 1; i < 3; i++)
    if (!qn_ml_same_storage(qn_ml_in(op, i), qn_ml_out(op)))
      return qn_op_complain(cx, op, "moves elements of %s to %s",
                            qn_type_quoted(cx, qn_ml_in(op, i)), qn_type_quoted(cx, qn_ml_out(op)));
  return true;
}

static bool is_index(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return element->kind == QN_TYPE_INTEGER && !qn_type_is_unsigned(element) &&
         (element->integer.width == 32 || element->integer.width == 64);
}

/* Limits the row length, because a row is scanned once per element. */
static bool check_row(qn_ir_context *cx, const qn_op *op, int64_t size) {
  return size <= QN_ML_LONGEST_ROW ||
         qn_op_complain(cx, op, "has rows of %lld elements, beyond the limit of %d",
                        (long long)size, QN_ML_LONGEST_ROW);
}

bool qn_verify_ml_arg(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  return is_index(qn_ml_out(op)) || qn_op_complain(cx, op, "gives indices of i32 or i64, not %s",
                                                   qn_type_quoted(cx, qn_ml_out(op)));
}

bool qn_verify_ml_top(qn_ir_context *cx, const qn_op *op) {
  if (!qn_verify_ml_arg(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0);
  return check_row(cx, op, x->shaped.dims[x->shaped.rank - 1]);
}

/* Limits the boxes, because each found box needs a loop over all of them. */
bool qn_verify_ml_suppression(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  for (uint32_t i = 0; i < 2; i++)
    if (!qn_type_is_float(qn_type_element(qn_ml_in(op, i)), QN_F32))
      return qn_op_complain(cx, op, "takes elements of f32, not %s",
                            qn_type_quoted(cx, qn_ml_in(op, i)));
  if (!qn_type_is_int(qn_type_element(qn_ml_out(op)), 32))
    return qn_op_complain(cx, op, "gives indices of i32, not %s",
                          qn_type_quoted(cx, qn_ml_out(op)));
  return qn_op_top(op) <= QN_ML_MOST_BOXES ||
         qn_op_complain(cx, op, "looks for %lld boxes, beyond the limit of %d",
                        (long long)qn_op_top(op), QN_ML_MOST_BOXES);
}

bool qn_verify_ml_along(qn_ir_context *cx, const qn_op *op) {
  if (!qn_verify_ml_alike(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0);
  if (x->shaped.rank == 0) return qn_op_complain(cx, op, "a scalar has no rows");
  bool along = qn_op_find(op, QN_A_AXIS) != NULL, near = qn_op_find(op, QN_A_RADIUS) != NULL;
  int64_t axis = along ? qn_op_axis(op) : x->shaped.rank - 1;
  return (!along && !near) || check_row(cx, op, x->shaped.dims[axis]);
}

bool qn_verify_ml_scatter(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *indices = qn_ml_in(op, 0), *updates = qn_ml_in(op, 1), *y = qn_ml_out(op);
  uint32_t rank = indices->shaped.rank, given = updates->shaped.rank;
  int64_t k = rank ? indices->shaped.dims[rank - 1] : 0;
  bool fits = rank > 0 && k <= y->shaped.rank && given + k == rank - 1 + y->shaped.rank;
  for (uint32_t i = 0; fits && i < given; i++)
    fits = updates->shaped.dims[i] ==
           (i + 1 < rank ? indices->shaped.dims[i] : y->shaped.dims[i - (rank - 1) + k]);
  if (!is_index(indices) || !fits || !are_alike(updates, y) || is_boolean(y))
    return qn_op_complain(cx, op, "does not scatter %s at %s to %s", qn_type_quoted(cx, updates),
                          qn_type_quoted(cx, indices), qn_type_quoted(cx, y));
  int64_t points = 1; /* every slice of the result is compared with every index vector */
  for (uint32_t i = 0; i + 1 < rank; i++) points *= indices->shaped.dims[i];
  int64_t elements = qn_type_elements(y);
  return elements <= INT32_MAX / points ||
         qn_op_complain(cx, op, "scatters %lld slices over %lld elements, beyond the limit of 2^31",
                        (long long)points, (long long)elements);
}

bool qn_verify_ml_gather(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  if (!is_index(qn_ml_in(op, 1)))
    return qn_op_complain(cx, op, "takes indices of i32 or i64, not %s",
                          qn_type_quoted(cx, qn_ml_in(op, 1)));
  return qn_ml_same_storage(qn_ml_in(op, 0), qn_ml_out(op)) ||
         qn_op_complain(cx, op, "moves elements of %s to %s", qn_type_quoted(cx, qn_ml_in(op, 0)),
                        qn_type_quoted(cx, qn_ml_out(op)));
}

bool qn_verify_ml_one_hot(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  if (!is_index(qn_ml_in(op, 0)))
    return qn_op_complain(cx, op, "takes indices of i32 or i64, not %s",
                          qn_type_quoted(cx, qn_ml_in(op, 0)));
  for (uint32_t i = 1; i < 3; i++) {
    const qn_type *value = qn_ml_in(op, i);
    if (qn_type_elements(value) != 1)
      return qn_op_complain(cx, op, "takes one element, not %s", qn_type_quoted(cx, value));
    if (!qn_ml_same_storage(value, qn_ml_out(op)))
      return qn_op_complain(cx, op, "moves elements of %s to %s", qn_type_quoted(cx, value),
                            qn_type_quoted(cx, qn_ml_out(op)));
  }
  return true;
}

bool qn_verify_ml_resize(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_out(op);
  bool fits = x->shaped.rank == 4 && y->shaped.rank == 4 &&
              x->shaped.dims[0] == y->shaped.dims[0] && x->shaped.dims[3] == y->shaped.dims[3];
  return (fits && qn_ml_same_storage(x, y)) ||
         qn_op_complain(cx, op, "takes NHWC to other rows and columns of the same, not %s to %s",
                        qn_type_quoted(cx, x), qn_type_quoted(cx, y));
}

static bool is_real(const qn_type *type) {
  return qn_type_quant(type) || qn_type_element(type)->kind == QN_TYPE_FLOAT;
}

bool qn_verify_ml_norm(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_real(qn_ml_in(op, i)))
      return qn_op_complain(cx, op, "takes quantized tensors or floats, not %s",
                            qn_type_quoted(cx, qn_ml_in(op, i)));
  double epsilon = qn_op_epsilon(op);
  return check_alike(cx, op, qn_ml_in(op, 0), qn_ml_out(op)) &&
         ((epsilon >= 0 && epsilon <= 1) ||
          qn_op_complain(cx, op, "has an epsilon that is not from 0 to 1"));
}

bool qn_verify_ml_stack(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!qn_ml_same_storage(qn_ml_in(op, i), qn_ml_out(op)))
      return qn_op_complain(cx, op, "moves elements of %s to %s",
                            qn_type_quoted(cx, qn_ml_in(op, i)), qn_type_quoted(cx, qn_ml_out(op)));
  return true;
}
