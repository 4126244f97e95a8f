/* Concatenation and split along an axis. uint8 inputs with other parameters than the result are
 * rescaled through a table (docs/arithmetic.md 10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

/* A tensor viewed as `outer` rows of `row` bytes: everything from the axis inwards. */
typedef struct rows {
  size_t outer, row;
} rows;

static rows rows_of(const qn_type *type, int64_t axis) {
  rows r = {1, qn_type_bytes(qn_type_element(type))};
  for (int64_t d = 0; d < type->shaped.rank; d++)
    *(d < axis ? &r.outer : &r.row) *= (size_t)type->shaped.dims[d];
  return r;
}

/* Checks that the parts cover the whole: equal sizes except along the axis, where they sum to the
 * whole's. */
static qn_status check_parts(qn_eval *ev, const qn_op *op, const qn_type *whole, int64_t *out_axis,
                             const qn_type *(*part_of)(const qn_op *, uint32_t), uint32_t parts) {
  int64_t axis = qn_op_axis(op), sum = 0;
  if (axis < 0 || axis >= whole->shaped.rank)
    return qn_eval_fail(ev, op, "has no axis %lld", (long long)axis);
  rows w = rows_of(whole, axis);
  for (uint32_t i = 0; i < parts; i++) {
    const qn_type *part = part_of(op, i);
    if (part->shaped.rank != whole->shaped.rank)
      return qn_eval_fail(ev, op, "has parts of different rank");
    rows p = rows_of(part, axis);
    sum += part->shaped.dims[axis];
    if (p.outer != w.outer ||
        p.row * (size_t)whole->shaped.dims[axis] != w.row * (size_t)part->shaped.dims[axis])
      return qn_eval_fail(ev, op, "has a part %u that differs outside of the axis", i);
  }
  if (sum != whole->shaped.dims[axis])
    return qn_eval_fail(ev, op, "has parts that don't fill the axis");
  *out_axis = axis;
  return QN_OK;
}

static qn_status concat(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  int64_t axis = 0;
  QN_TRY(check_parts(ev, op, y->type, &axis, qn_ref_operand_type, op->operand_count));
  rows whole = rows_of(y->type, axis);
  uint8_t *to = y->data;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_rt_value *x = qn_eval_operand(ev, op, i);
    const uint8_t *from = x->data;
    if (plan->concat[i]) {
      qn_rt_value rescaled = {.size = x->size,
                              .data = qn_arena_alloc(ev->arena, (size_t)x->size + 1)};
      qn_ref_lut(x, plan->concat[i], &rescaled);
      from = rescaled.data;
    }
    size_t row = rows_of(x->type, axis).row;
    for (size_t r = 0; r < whole.outer; r++) memcpy(to + r * whole.row, from + r * row, row);
    to += row;
  }
  return QN_OK;
}

static qn_status split(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  int64_t axis = 0;
  QN_TRY(check_parts(ev, op, x->type, &axis, qn_ref_result_type, op->result_count));
  rows whole = rows_of(x->type, axis);
  const uint8_t *from = x->data;
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_rt_value *y = qn_eval_result(ev, op, i);
    size_t row = rows_of(y->type, axis).row;
    for (size_t r = 0; r < whole.outer; r++) memcpy(y->data + r * row, from + r * whole.row, row);
    from += row;
  }
  return QN_OK;
}

qn_status qn_eval_ml_concat(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, concat);
}
qn_status qn_eval_ml_split(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, split); }
