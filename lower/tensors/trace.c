/* What has machine code, and which values follow from the shapes of the arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/float_format.h"
#include "ir/types/quant_at.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/tensors/record.h"

/* ---- kinds of ops ---- */

/* A constant by which every integer can be divided: not 0, and not -1, which has no quotient with
 * the least integer. A set i1 is -1. */
static bool has_safe_divisor(const qn_op *op) {
  const qn_attr *divisor = qn_value_constant(qn_op_operand(op, 1));
  if (!divisor || qn_type_is_int(qn_type_element(op->results[0].type), 1)) return false;
  if (divisor->kind == QN_ATTR_INTEGER) return divisor->integer != 0 && divisor->integer != -1;
  if (!qn_attr_is_elements(divisor)) return false;
  for (int64_t i = 0, n = qn_type_elements(divisor->type); i < n; i++) {
    int64_t x = qn_dense_int(divisor, i);
    if (x == 0 || x == -1) return false;
  }
  return true;
}

bool qn_tensors_is_elementwise(const qn_op *op) {
  return qn_op_has(op, QN_ELEMENTWISE) && qn_op_has(op, QN_LOOPS_STAGE) && op->result_count == 1 &&
         op->region_count == 0 && (!qn_op_has(op, QN_DIVIDES) || has_safe_divisor(op));
}

/* ---- element types ---- */

const qn_type *qn_tensors_element(qn_ir_context *cx, const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  qn_quant_storage storage;
  return qn_quant_storage_of(element, &storage) ? qn_type_i(cx, storage.width) : element;
}

const qn_type *qn_tensors_memory_element(qn_ir_context *cx, const qn_type *type) {
  const qn_type *element = qn_tensors_element(cx, type);
  if (element->kind != QN_TYPE_INTEGER || element->integer.width == 1) return element;
  return qn_type_i(cx, 8 * qn_type_bytes(element));
}

int64_t qn_tensors_count(const qn_type *type) {
  return qn_type_is_shaped(type) ? qn_type_elements(type) : 1;
}

bool qn_tensors_is_representable(qn_ir_context *cx, const qn_type *type) {
  if (type->kind != QN_TYPE_TENSOR && qn_type_is_shaped(type)) return false;
  const qn_type *element = qn_tensors_element(cx, type);
  if (element->kind == QN_TYPE_INDEX) return true;
  if (element->kind == QN_TYPE_FLOAT) return qn_float_format_of(element->float_kind)->computes;
  if (element->kind != QN_TYPE_INTEGER || element->integer.sign != QN_SIGNLESS) return false;
  return element->integer.width >= 1 && element->integer.width <= 64;
}

/* ---- checks ---- */

typedef struct checker {
  qn_ir_context *cx;
  qn_tensors *t;
  bool failed;
} checker;

void qn_tensors_refuse(qn_ir_context *cx, const qn_op *op, const char *what) {
  (void)qn_error(&cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' op %s", QN_STR_ARG(op->name), what);
}

static void refuse(checker *c, const qn_op *op, const char *what) {
  qn_tensors_refuse(c->cx, op, what);
  c->failed = true;
}

static void refuse_op(checker *c, const qn_op *op, const char *what) {
  refuse(c, op,
         qn_op_has(op, QN_DIVIDES)
             ? "divides by what may be 0 or -1: machine code can't report that"
             : what);
}

static void check_type(checker *c, const qn_op *op, const qn_type *type) {
  if (qn_tensors_is_representable(c->cx, type)) return;
  (void)qn_error(&c->cx->diag, op->loc, QN_UNSUPPORTED,
                 "'%.*s' op has elements of type %s, which has no machine code",
                 QN_STR_ARG(op->name), qn_type_quoted(c->cx, type));
  c->failed = true;
}

static bool operands_are_fixed(const checker *c, const qn_op *op, uint32_t from) {
  for (uint32_t i = from; i < op->operand_count; i++)
    if (!qn_tensors_place(c->t, qn_op_operand(op, i))->fixed) return false;
  return true;
}

/* Sizes and what is computed from them: indices and booleans, whatever the numbers. */
static bool is_fixed(const checker *c, const qn_op *op) {
  bool reads_type = qn_tensor_record_of(op)->reads_type;
  if (!qn_op_has(op, QN_PURE) || op->region_count > 0 || op->result_count == 0 ||
      op->kind == QN_OP_UNREGISTERED || !operands_are_fixed(c, op, reads_type ? 1 : 0))
    return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type, *element = qn_type_element(type);
    if (!qn_tensors_is_representable(c->cx, type)) return false;
    if (element->kind != QN_TYPE_INDEX && !qn_type_is_int(element, 1)) return false;
  }
  return true;
}

static void check_generic(checker *c, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  for (uint32_t i = 0; i < body->arg_count; i++) check_type(c, op, body->args[i]->type);
  QN_FOR_EACH_OP(inner, body) {
    if (!qn_tensor_record_of(inner)->in_body)
      refuse_op(c, inner, "has no machine code in the body of a linalg.generic");
    for (uint32_t i = 0; i < inner->result_count; i++) {
      if (qn_type_is_shaped(inner->results[i].type))
        refuse(c, inner, "makes no scalar");
      else
        check_type(c, inner, inner->results[i].type);
    }
  }
}

bool qn_tensors_check_generic(qn_ir_context *cx, const qn_op *op) {
  checker c = {.cx = cx};
  check_generic(&c, op);
  return !c.failed;
}

static void check_op(checker *c, const qn_op *op) {
  if (is_fixed(c, op)) {
    for (uint32_t i = 0; i < op->result_count; i++)
      qn_tensors_place(c->t, &op->results[i])->fixed = true;
    return;
  }
  const qn_tensor_record *record = qn_tensor_record_of(op);
  if (record->part == QN_TENSOR_NONE) {
    refuse_op(c, op, record->none);
    return;
  }
  if (!operands_are_fixed(c, op, record->numbers))
    refuse(c, op, "depends on numbers where machine code takes only what follows from shapes");
  for (uint32_t i = 0; i < op->result_count; i++) check_type(c, op, op->results[i].type);
  if (op->kind == QN_OP_LINALG_GENERIC) check_generic(c, op);
}

bool qn_tensors_check_block(qn_tensors *t, const qn_block *block) {
  checker c = {.cx = t->lo->cx, .t = t};
  for (uint32_t i = 0; i < block->arg_count; i++)
    check_type(&c, block->region->owner, block->args[i]->type);
  QN_FOR_EACH_OP(op, block) check_op(&c, op);
  return !c.failed;
}
