/* Data movement ops, which are the same at the integer stage. Their plan has the stored padding
 * value and checks that values only change their positions (docs/arithmetic.md 10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

/* Checks that operand and result have the same storage. If their quantization parameters differ,
 * adds a warning: stored values are moved unchanged, so the kernels compute other real values than
 * the model specifies. */
static qn_status check_pair(qn_planner *p, const qn_op *op, const qn_value *from,
                            const qn_value *to, qn_plan *out) {
  const qn_type *a = qn_type_element(from->type), *b = qn_type_element(to->type);
  if (qn_plan_storage_element(p->cx, a) != qn_plan_storage_element(p->cx, b) ||
      qn_type_is_quant(a) != qn_type_is_quant(b))
    return qn_plan_refuse(p, op, "it changes the storage type");
  const qn_quant_uniform *x = qn_type_quant(from->type), *y = qn_type_quant(to->type);
  if (!x || !y || x->scheme != QN_PER_LAYER || y->scheme != QN_PER_LAYER) return QN_OK;
  if (x->scales[0] != y->scales[0] || x->zero_points[0] != y->zero_points[0])
    qn_plan_note_on(p, out, QN_WARNING,
                    "'%.*s' changes the quantization from scale %g, zero point %lld to scale %g, "
                    "zero point %lld; the stored values are kept",
                    QN_STR_ARG(op->name), x->scales[0], (long long)x->zero_points[0], y->scales[0],
                    (long long)y->zero_points[0]);
  return QN_OK;
}

static qn_status plan_moves(qn_planner *p, const qn_op *op, qn_plan *out) {
  out->kind = QN_PLAN_MOVES;
  for (uint32_t i = 0; i < op->result_count; i++)
    QN_TRY(check_pair(p, op, op->operands[0].value, &op->results[i], out));
  return QN_OK;
}

/* Plans the padding value: the explicit one, else the result's zero point, else 0. */
static qn_status plan_pad(qn_planner *p, const qn_op *op, qn_plan *out) {
  QN_TRY(plan_moves(p, op, out));
  out->moves.pads = true;
  out->moves.pad_real = qn_pad_border_real(op);
  if (qn_pad_names_border(op)) {
    out->moves.pad_value = qn_op_pad_value(op);
    return QN_OK;
  }
  const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
  for (uint32_t i = 0; q && i < q->count; i++) {
    if (q->zero_points[i] != q->zero_points[0])
      return qn_plan_refuse(p, op, "the result has more than one zero point");
    out->moves.pad_value = q->zero_points[i];
  }
  return QN_OK;
}

static qn_value *write_moves(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  (void)p;
  if (plan->moves.pads && !qn_pad_names_border(op))
    qn_op_set_attr(b->module, op, "value", qn_attr_i64(b->cx, plan->moves.pad_value));
  return &op->results[0];
}

#define MOVES(stem, plan_fn)                                                                       \
  const qn_plan_record qn_plan_##stem = {.plan = plan_fn, .write = write_moves};
MOVES(ml_pad, plan_pad)
MOVES(ml_reshape, plan_moves)
MOVES(ml_squeeze, plan_moves)
MOVES(ml_expand_dims, plan_moves)
MOVES(ml_transpose, plan_moves)
MOVES(ml_split, plan_moves)
MOVES(ml_gather, plan_moves)
MOVES(ml_slice_by_index, plan_moves)
#undef MOVES

const qn_plan_record qn_plan_ml_const = {.none = "holds stored values"};
