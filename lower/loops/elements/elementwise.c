/* Which ops are elementwise and cannot trap for any operand values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/elements.h"

/* A constant divisor that is safe for every integer: not 0, and not -1, because INT_MIN / -1
 * overflows. A set i1 is -1. */
static bool is_safe_constant(const qn_value *value) {
  const qn_attr *divisor = qn_value_constant(value);
  if (!divisor || qn_type_is_int(qn_type_element(value->type), 1)) return false;
  if (divisor->kind == QN_ATTR_INTEGER) return divisor->integer != 0 && divisor->integer != -1;
  if (!qn_attr_is_elements(divisor)) return false;
  for (int64_t i = 0, n = qn_type_elements(divisor->type); i < n; i++) {
    int64_t x = qn_dense_int(divisor, i);
    if (x == 0 || x == -1) return false;
  }
  return true;
}

static const qn_op *made_by(const qn_value *value, qn_op_kind kind) {
  return value->op && value->op->kind == kind ? value->op : NULL;
}

/* Whether `condition` is true whenever `value` equals `number`. */
static bool holds_at(const qn_value *condition, const qn_value *value, int64_t number) {
  const qn_op *is = made_by(condition, QN_OP_ARITH_CMPI);
  if (!is || qn_op_predicate(is) != QN_CMP_EQ || qn_op_operand(is, 0) != value) return false;
  const qn_attr *other = qn_value_constant(qn_op_operand(is, 1));
  return other && other->kind == QN_ATTR_INTEGER && other->integer == number;
}
static bool holds_at_either(const qn_value *condition, const qn_value *value, int64_t number) {
  const qn_op *either = made_by(condition, QN_OP_ARITH_ORI);
  if (!either) return holds_at(condition, value, number);
  return holds_at(qn_op_operand(either, 0), value, number) ||
         holds_at(qn_op_operand(either, 1), value, number);
}

/* Whether the divisor is a safe constant, or an arith.select that replaces it by one where it is 0
 * or -1. */
static bool has_safe_divisor(const qn_op *op) {
  const qn_value *divisor = qn_op_operand(op, 1);
  const qn_op *choice = made_by(divisor, QN_OP_ARITH_SELECT);
  if (!choice) return is_safe_constant(divisor);
  const qn_value *condition = qn_op_operand(choice, 0), *other = qn_op_operand(choice, 2);
  return is_safe_constant(qn_op_operand(choice, 1)) && holds_at_either(condition, other, 0) &&
         holds_at_either(condition, other, -1);
}

bool qn_elements_is_elementwise(const qn_op *op) {
  return qn_op_has(op, QN_ELEMENTWISE) && qn_op_has(op, QN_LOOPS_STAGE) && op->result_count == 1 &&
         op->region_count == 0 && (!qn_op_has(op, QN_DIVIDES) || has_safe_divisor(op));
}
