/* Which ops of a function have machine code, and which values depend only on the shapes of the
 * arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/tensors/trace.h"

#include "ir/walk.h"
#include "lower/loops/elements/record.h"

typedef struct checker {
  qn_ir_context *cx;
  qn_trace *t;
  bool failed;
} checker;

static void reject(checker *c, const qn_op *op, const char *what) {
  qn_elements_refuse(c->cx, op, what);
  c->failed = true;
}

static void check_type(checker *c, const qn_op *op, const qn_type *type) {
  c->failed |= !qn_elements_check_type(c->cx, op, type);
}

static bool operands_are_fixed(const checker *c, const qn_op *op, uint32_t from) {
  for (uint32_t i = from; i < op->operand_count; i++)
    if (!qn_trace_place(c->t, qn_op_operand(op, i))->fixed) return false;
  return true;
}

/* Whether the op's result depends only on shapes: sizes, and indices and booleans computed from
 * them. */
static bool is_fixed(const checker *c, const qn_op *op) {
  bool reads_type = qn_element_record_of(op)->reads_type;
  if (!qn_op_has(op, QN_PURE) || op->region_count > 0 || op->result_count == 0 ||
      op->kind == QN_OP_UNREGISTERED || !operands_are_fixed(c, op, reads_type ? 1 : 0))
    return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type, *element = qn_type_element(type);
    if (!qn_elements_is_representable(c->cx, type)) return false;
    if (element->kind != QN_TYPE_INDEX && !qn_type_is_int(element, 1)) return false;
  }
  return true;
}

static void check_op(checker *c, const qn_op *op) {
  if (is_fixed(c, op)) {
    for (uint32_t i = 0; i < op->result_count; i++)
      qn_trace_place(c->t, &op->results[i])->fixed = true;
    return;
  }
  const qn_element_record *record = qn_element_record_of(op);
  if (record->part == QN_ELEMENT_NONE) {
    qn_elements_refuse_op(c->cx, op, record->none);
    c->failed = true;
    return;
  }
  if (!operands_are_fixed(c, op, record->numbers))
    reject(c, op, "depends on numbers where machine code takes only what follows from shapes");
  for (uint32_t i = 0; i < op->result_count; i++) check_type(c, op, op->results[i].type);
  if (op->kind == QN_OP_LINALG_GENERIC) c->failed |= !qn_elements_check_generic(c->cx, op);
}

bool qn_trace_check(qn_trace *t, const qn_block *block) {
  checker c = {.cx = t->elements.lo->cx, .t = t};
  for (uint32_t i = 0; i < block->arg_count; i++)
    check_type(&c, block->region->owner, block->args[i]->type);
  QN_FOR_EACH_OP(op, block) check_op(&c, op);
  return !c.failed;
}
