/* What has machine code: ops, and types of elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/float_format.h"
#include "ir/types/quant_at.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/elements/record.h"

/* ---- kinds of ops ---- */

/* A constant by which every integer can be divided: not 0, and not -1, which has no quotient with
 * the least integer. A set i1 is -1. */
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

/* Whether the condition holds wherever the value is the number. */
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

/* Or a choice of one where the other side is 0 or -1. */
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

/* ---- element types ---- */

const qn_type *qn_elements_element(qn_ir_context *cx, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  qn_quant_storage storage;
  return qn_quant_storage_of(element, &storage) ? qn_type_i(cx, storage.width) : element;
}

const qn_type *qn_elements_memory_element(qn_ir_context *cx, const qn_type *type) {
  const qn_type *element = qn_elements_element(cx, type);
  if (element->kind != QN_TYPE_INTEGER || element->integer.width == 1) return element;
  return qn_type_i(cx, 8 * qn_type_bytes(element));
}

int64_t qn_elements_count(const qn_type *type) {
  return qn_type_is_shaped(type) ? qn_type_elements(type) : 1;
}

bool qn_elements_is_representable(qn_ir_context *cx, const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR && qn_type_is_shaped(type)) return false;
  const qn_type *element = qn_elements_element(cx, type);
  if (element->kind == QN_TYPE_INDEX) return true;
  if (element->kind == QN_TYPE_FLOAT) return qn_float_format_of(element->float_kind)->computes;
  if (element->kind != QN_TYPE_INTEGER || element->integer.sign != QN_SIGNLESS) return false;
  return element->integer.width >= 1 && element->integer.width <= 64;
}

/* ---- checks ---- */

void qn_elements_refuse(qn_ir_context *cx, const qn_op *op, const char *what) {
  (void)qn_error(&cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' op %s", QN_STR_ARG(op->name), what);
}

void qn_elements_refuse_op(qn_ir_context *cx, const qn_op *op, const char *what) {
  bool divides = qn_op_has(op, QN_DIVIDES);
  qn_elements_refuse(
      cx, op, divides ? "divides by what may be 0 or -1: machine code can't report that" : what);
}

bool qn_elements_check_type(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  if (qn_elements_is_representable(cx, type)) return true;
  (void)qn_error(&cx->diag, op->loc, QN_UNSUPPORTED,
                 "'%.*s' op has elements of type %s, which has no machine code",
                 QN_STR_ARG(op->name), qn_type_quoted(cx, type));
  return false;
}

static bool check_scalar(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return qn_elements_check_type(cx, op, type);
  qn_elements_refuse(cx, op, "makes no scalar");
  return false;
}

bool qn_elements_check_generic(qn_ir_context *cx, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  bool good = true;
  for (uint32_t i = 0; i < body->arg_count; i++)
    good &= qn_elements_check_type(cx, op, body->args[i]->type);
  QN_FOR_EACH_OP(inner, body) {
    if (!qn_element_record_of(inner)->in_body) {
      qn_elements_refuse_op(cx, inner, "has no machine code in the body of a linalg.generic");
      good = false;
    }
    for (uint32_t i = 0; i < inner->result_count; i++)
      good &= check_scalar(cx, inner, inner->results[i].type);
  }
  return good;
}
