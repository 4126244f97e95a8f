/* One walk that reports, with their locations, all tensors and ops that the loops stage can't
 * represent, so that the lowering functions need no checks and a user sees every problem at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/check.h"

#include "ir/walk.h"
#include "lower/loops/plan.h"

/* Sums of tensor sizes must not overflow 64 bits. */
#define MAX_TENSOR_BYTES (INT64_C(1) << 36)

const char *qn_loops_dtype(const qn_type *element) {
  if (qn_type_is_float(element, QN_F32)) return "f32";
  if (element->kind != QN_TYPE_INTEGER) return NULL;
  if (qn_type_is_unsigned(element)) return element->integer.width == 8 ? "ui8" : NULL;
  switch (element->integer.width) {
  case 8:
    return "i8";
  case 16:
    return "i16";
  case 32:
    return "i32";
  case 64:
    return "i64";
  default:
    return NULL;
  }
}

typedef struct checker {
  qn_ir_context *cx;
  qn_status status;
} checker;

static void refuse(checker *c, const qn_loc *loc, qn_status status, const char *what) {
  qn_status reported = qn_error(&c->cx->diag, loc, status, "%s", what);
  if (c->status == QN_OK) c->status = reported;
}

static void check_tensor(checker *c, const qn_value *v, const qn_loc *loc, bool constant) {
  const qn_type *t = v->type;
  if (t->kind != QN_TYPE_TENSOR || !t->shaped.ranked || !qn_type_is_static(t)) {
    refuse(c, loc, QN_UNSUPPORTED, "the lowering to loops needs tensors of static shape");
    return;
  }
  int64_t elements = qn_type_elements(t), bytes = (int64_t)qn_type_bytes(t->shaped.element);
  if (bytes == 0 || (!constant && !qn_loops_dtype(t->shaped.element)))
    refuse(c, loc, QN_UNSUPPORTED, "the element type of this tensor can't be lowered to loops");
  else if (elements == 0)
    refuse(c, loc, QN_UNSUPPORTED, "tensors without elements can't be lowered to loops");
  else if (elements < 0 || elements > MAX_TENSOR_BYTES / bytes)
    refuse(c, loc, QN_LIMIT, "this tensor is too large");
}

static void check_payload(checker *c, const qn_op *op) {
  const qn_attr *payload = qn_value_constant(&op->results[0]);
  size_t one = qn_type_bytes(qn_type_element(op->results[0].type));
  int64_t elements = qn_type_elements(op->results[0].type);
  if (!payload ||
      (payload->dense.bytes.size != one && payload->dense.bytes.size != (size_t)elements * one))
    refuse(c, op->loc, QN_INVALID, "this constant has no data");
}

static void check_op(checker *c, const qn_op *op) {
  bool constant = op->kind == QN_OP_ML_CONST;
  for (uint32_t i = 0; i < op->result_count; i++)
    check_tensor(c, &op->results[i], op->loc, constant);
  if (op->kind == QN_OP_FUNC_RETURN) return;
  if (constant) {
    if (c->status == QN_OK) check_payload(c, op);
    return;
  }
  if (!qn_loops_lowering(op->kind)) {
    qn_status s = qn_error(&c->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no lowering to loops",
                           QN_STR_ARG(op->name));
    if (c->status == QN_OK) c->status = s;
    return;
  }
  for (uint32_t i = qn_loops_first_constant(op->kind); i < op->operand_count; i++)
    if (!qn_value_constant(qn_op_operand(op, i)))
      refuse(c, op->loc, QN_UNSUPPORTED, "weights, multipliers and tables must be constants");
}

qn_status qn_loops_check(qn_module *module, const qn_op *func) {
  checker c = {module->cx, QN_OK};
  QN_FOR_EACH_OP(other, qn_op_body(module->op))
  if (other != func)
    refuse(&c, other->loc, QN_UNSUPPORTED, "only one function can be lowered to loops");
  const qn_block *body = qn_op_body(func);
  if (!body || body->next) {
    refuse(&c, func->loc, QN_UNSUPPORTED, "the lowering to loops needs a function of one block");
    return c.status;
  }
  for (uint32_t i = 0; i < body->arg_count; i++) check_tensor(&c, body->args[i], func->loc, false);
  QN_FOR_EACH_OP(op, body) check_op(&c, op);
  return c.status;
}
