/* The time steps of a cell, and their results joined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

/* The shape of a tensor with `steps` time steps. */
static const qn_type *sequence(const qn_cell_expansion *f, int64_t steps, int64_t width) {
  int64_t dims[] = {f->batch, steps, width};
  if (f->time_major) dims[0] = steps, dims[1] = f->batch;
  return qn_cell_tensor(f, 3, dims);
}

qn_value *qn_cell_product_now(qn_cell_expansion *f, uint32_t gate) {
  qn_ir_context *cx = f->b->cx;
  qn_value *all = f->products[gate];
  if (f->steps == 1) return all;
  const qn_type *whole = sequence(f, f->steps, f->units), *part = sequence(f, 1, f->units);
  int64_t begin[3] = {0}, end[3], stride[] = {1, 1, 1}, time = f->time_major ? 0 : 1;
  for (uint32_t d = 0; d < 3; d++) end[d] = whole->shaped.dims[d];
  begin[time] = f->step;
  end[time] = f->step + 1;
  all = qn_cell_view(f, all, whole);
  qn_value *now =
      qn_build_1(f->b, QN_OP_ML_SLICE_BY_INDEX, part, QN_VALUES(all),
                 QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 3)}, {"end", qn_attr_i64s(cx, end, 3)},
                          {"stride", qn_attr_i64s(cx, stride, 3)}));
  return qn_cell_view(f, now, qn_cell_tensor(f, 2, (int64_t[]){f->batch, f->units}));
}

/* Joins the steps' results, with the input's dimension order. */
static qn_value *joined(qn_cell_expansion *f, qn_value *const *steps) {
  const qn_type *one = sequence(f, 1, f->outputs), *whole = f->op->results[0].type;
  qn_value **parts = qn_arena_array(&f->b->module->arena, (size_t)f->steps, sizeof *parts);
  for (int64_t t = 0; t < f->steps; t++) parts[t] = qn_cell_view(f, steps[t], one);
  const qn_attr *axis = qn_attr_i64(f->b->cx, f->time_major ? 0 : 1);
  qn_value *y = f->steps == 1 ? parts[0]
                              : qn_build_1(f->b, QN_OP_ML_CONCAT, whole, parts, (uint32_t)f->steps,
                                           QN_ATTRS({"axis", axis}));
  return qn_build_1(f->b, QN_OP_ML_RESHAPE, whole, QN_VALUES(y), NULL);
}

/* All steps of a cell with `rule`. */
void qn_cell_build_sequence(qn_cell_expansion *f, const qn_cell_rule *rule,
                            qn_value **out_results) {
  const int64_t *x = f->operands[0]->type->shaped.dims;
  uint32_t states = qn_cell_size(f->op, QN_CELL_STATES);
  f->time_major = qn_op_time_major(f->op);
  f->batch = x[f->time_major ? 1 : 0];
  f->steps = x[f->time_major ? 0 : 1];
  f->depth = x[2];
  for (uint32_t i = 0; i < states; i++) f->states[i] = qn_cell_operand(f, QN_CELL_STATES, i);
  f->outputs = f->states[0]->type->shaped.dims[1];
  f->units = f->states[states - 1]->type->shaped.dims[1];
  rule->open(f);
  qn_value **steps = qn_arena_array(&f->b->module->arena, (size_t)f->steps, sizeof *steps);
  for (int64_t i = 0; i < f->steps; i++) {
    f->step = qn_op_backward(f->op) ? f->steps - 1 - i : i;
    rule->step(f);
    steps[f->step] = f->states[0];
  }
  out_results[0] = joined(f, steps);
  for (uint32_t i = 0; i < states; i++) out_results[1 + i] = f->states[i];
}
