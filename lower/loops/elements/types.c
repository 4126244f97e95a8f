/* Element types and bodies that have machine code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/float_format.h"
#include "ir/types/quant_at.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/elements/record.h"

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
