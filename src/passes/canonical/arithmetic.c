/* Identities of arithmetic, as tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"

#include <string.h>

/* The value of all elements of an integer constant; false if they differ or it is not a
 * constant. */
static bool splat_int(const qn_value *value, int64_t *out_x) {
  const qn_attr *attr = qn_value_constant(value);
  if (!attr) return false;
  if (attr->kind == QN_ATTR_BOOL) {
    *out_x = attr->boolean;
    return true;
  }
  if (attr->kind == QN_ATTR_INTEGER) {
    *out_x = attr->integer;
    return true;
  }
  bool ints = qn_attr_is_elements(attr) && attr->dense.splat &&
              qn_type_element(attr->type)->kind != QN_TYPE_FLOAT;
  if (ints) *out_x = qn_dense_int(attr, 0);
  return ints;
}

bool qn_canonical_order(qn_rewriter *rw, qn_op *op) {
  if (!qn_op_has(op, QN_COMMUTATIVE) || op->operand_count != 2) return false;
  qn_value *lhs = qn_op_operand(op, 0), *rhs = qn_op_operand(op, 1);
  if (!qn_value_constant(lhs) || qn_value_constant(rhs)) return false;
  qn_op_set_operand(op, 0, rhs);
  qn_op_set_operand(op, 1, lhs);
  qn_rewriter_touched(rw, op);
  return true;
}

typedef enum outcome { LEFT, RIGHT } outcome; /* which operand the op equals */

static const struct {
  qn_op_kind kind;
  int64_t right; /* value of all elements of the second operand */
  outcome result;
} rows[] = {
    {QN_OP_ARITH_ADDI, 0, LEFT},       {QN_OP_ARITH_SUBI, 0, LEFT},
    {QN_OP_ARITH_MULI, 1, LEFT},       {QN_OP_ARITH_MULI, 0, RIGHT},
    {QN_OP_ARITH_DIVSI, 1, LEFT},      {QN_OP_ARITH_DIVUI, 1, LEFT},
    {QN_OP_ARITH_FLOORDIVSI, 1, LEFT}, {QN_OP_ARITH_CEILDIVSI, 1, LEFT},
    {QN_OP_ARITH_ANDI, -1, LEFT},      {QN_OP_ARITH_ANDI, 0, RIGHT},
    {QN_OP_ARITH_ORI, 0, LEFT},        {QN_OP_ARITH_XORI, 0, LEFT},
    {QN_OP_ARITH_SHLI, 0, LEFT},       {QN_OP_ARITH_SHRSI, 0, LEFT},
    {QN_OP_ARITH_SHRUI, 0, LEFT},
};

/* Maxima and minima with a constant: a constant that is the smallest value of the type leaves the
 * maximum's other operand, and the largest value is the maximum. For minima it is the other way
 * round. */
static const struct {
  qn_op_kind kind;
  bool is_signed, greater;
} choices[] = {{QN_OP_ARITH_MAXSI, true, true},
               {QN_OP_ARITH_MINSI, true, false},
               {QN_OP_ARITH_MAXUI, false, true},
               {QN_OP_ARITH_MINUI, false, false}};

static bool choose(const qn_module *module, qn_op_kind kind, const qn_type *element, int64_t right,
                   outcome *out_result) {
  bool is_index = element->kind != QN_TYPE_INTEGER;
  uint32_t width = is_index ? (uint32_t)qn_op_index_bits(module->op) : element->integer.width;
  if (width == 0 || width > 64) return false;
  int64_t most = (int64_t)(UINT64_MAX >> 1 >> (64 - width));
  for (size_t i = 0; i < QN_COUNT(choices); i++) {
    if (kind != choices[i].kind) continue;
    int64_t least = choices[i].is_signed ? -most - 1 : 0;
    int64_t largest = choices[i].is_signed ? most : -1;
    *out_result = (right == least) == choices[i].greater ? LEFT : RIGHT;
    return right == least || right == largest;
  }
  return false;
}

/* Second operands that leave every float unchanged, including the sign of zero. */
static const struct {
  qn_op_kind kind;
  double right;
} neutral_floats[] = {
    {QN_OP_ARITH_ADDF, -0.0},
    {QN_OP_ARITH_SUBF, 0.0},
    {QN_OP_ARITH_MULF, 1.0},
    {QN_OP_ARITH_DIVF, 1.0},
};

static bool is_neutral_float(qn_op_kind kind, const qn_value *right) {
  const qn_attr *attr = qn_value_constant(right);
  if (!attr || qn_type_element(right->type)->kind != QN_TYPE_FLOAT) return false;
  if (attr->kind != QN_ATTR_FLOAT && !(qn_attr_is_elements(attr) && attr->dense.splat))
    return false;
  double x = attr->kind == QN_ATTR_FLOAT ? attr->number : qn_dense_float(attr, 0);
  for (size_t i = 0; i < QN_COUNT(neutral_floats); i++)
    if (kind == neutral_floats[i].kind && memcmp(&x, &neutral_floats[i].right, sizeof x) == 0)
      return true;
  return false;
}

/* Ops that return their operand if both operands are the same. */
static const qn_op_kind idempotent[] = {QN_OP_ARITH_ANDI,  QN_OP_ARITH_ORI,   QN_OP_ARITH_MAXSI,
                                        QN_OP_ARITH_MINSI, QN_OP_ARITH_MAXUI, QN_OP_ARITH_MINUI};

static bool replace_by(qn_rewriter *rw, qn_op *op, qn_value *value) {
  if (value->type != op->results[0].type) return false;
  qn_rewriter_replace(rw, op, &value);
  return true;
}

bool qn_canonical_identity(qn_rewriter *rw, qn_op *op) {
  if (op->operand_count != 2 || op->result_count != 1) return false;
  qn_value *lhs = qn_op_operand(op, 0), *rhs = qn_op_operand(op, 1);
  for (size_t i = 0; lhs == rhs && i < QN_COUNT(idempotent); i++)
    if (op->kind == idempotent[i]) return replace_by(rw, op, lhs);
  int64_t x;
  if (is_neutral_float(op->kind, rhs)) return replace_by(rw, op, lhs);
  if (!splat_int(rhs, &x)) return false;
  /* in an i1, 1 has all bits set */
  if (qn_type_is_int(qn_type_element(rhs->type), 1) && x == 1) x = -1;
  outcome result;
  bool found = choose(rw->module, op->kind, qn_type_element(rhs->type), x, &result);
  for (size_t i = 0; i < QN_COUNT(rows) && !found; i++) {
    found = op->kind == rows[i].kind && x == rows[i].right;
    result = rows[i].result;
  }
  return found && replace_by(rw, op, result == LEFT ? lhs : rhs);
}

/* (x + c1) + c2 -> x + (c1 + c2), and the same for products. c1 + c2 is built as an op, which the
 * pattern for constants then folds. x must not be a constant: then either all three are folded, or,
 * if they are too large or empty, none is, and c1 + c2 would be taken for x again without end. */
bool qn_canonical_combine(qn_rewriter *rw, qn_op *op) {
  if (op->kind != QN_OP_ARITH_ADDI && op->kind != QN_OP_ARITH_MULI) return false;
  qn_op *inner = qn_op_operand(op, 0)->op;
  if (!inner || inner->kind != op->kind || !qn_value_constant(qn_op_operand(op, 1)) ||
      !qn_value_constant(qn_op_operand(inner, 1)) || qn_value_constant(qn_op_operand(inner, 0)))
    return false;
  qn_value *constant =
      qn_build_binary(&rw->builder, op->kind, qn_op_operand(inner, 1), qn_op_operand(op, 1));
  qn_op_set_operand(op, 0, qn_op_operand(inner, 0));
  qn_op_set_operand(op, 1, constant);
  qn_rewriter_touched(rw, constant->op);
  qn_rewriter_touched(rw, inner);
  qn_rewriter_touched(rw, op);
  return true;
}

bool qn_canonical_select(qn_rewriter *rw, qn_op *op) {
  qn_value *if_true = qn_op_operand(op, 1), *if_false = qn_op_operand(op, 2);
  int64_t condition;
  if (if_true == if_false) return replace_by(rw, op, if_true);
  if (!splat_int(qn_op_operand(op, 0), &condition)) return false;
  return replace_by(rw, op, condition ? if_true : if_false);
}
