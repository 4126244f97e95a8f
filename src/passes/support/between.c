/* Changes the shape of elementwise ops in place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/between.h"

static const qn_type *element_of(const qn_value *value) { return value->type->shaped.element; }

static bool may_change(const qn_pass_context *pc, const qn_op *second, const qn_op *first) {
  if (element_of(&second->results[0]) != element_of(qn_op_operand(second, 0)) ||
      element_of(&first->results[0]) != element_of(qn_op_operand(first, 0)))
    return false;
  const qn_value *value = qn_op_operand(second, 0);
  for (; value->op != first; value = qn_op_operand(value->op, 0)) {
    QN_ASSERT(value->op && value->op->operand_count == 1); /* the rows have matched */
    if (!qn_is_position_free(value->type) || qn_pass_keeps(pc, value->op)) return false;
  }
  return qn_is_position_free(value->type);
}

qn_value *qn_reshape_between(qn_rewriter *rw, const qn_matched *m) {
  qn_op *second = m->op[0], *first = m->op[1];
  qn_value *source = m->value[2];
  if (!may_change(rw->pc, second, first)) return NULL;
  qn_value *last = qn_op_operand(second, 0);
  if (last->op == first) return source;
  const qn_type *shape = source->type;
  for (qn_op *op = last->op; op != first;) {
    qn_op *before = qn_op_operand(op, 0)->op;
    QN_ASSERT(qn_type_elements(op->results[0].type) == qn_type_elements(shape));
    qn_value_set_type(&op->results[0], qn_type_with_dims(rw->cx, op->results[0].type,
                                                         shape->shaped.rank, shape->shaped.dims));
    /* the result is no longer one of the model's tensors */
    qn_op_set_attr(rw->module, op, qn_attr_decls[QN_A_TENSORS].name, NULL);
    if (before == first) qn_op_set_operand(op, 0, source);
    qn_rewriter_touched(rw, op);
    op = before;
  }
  return last;
}
