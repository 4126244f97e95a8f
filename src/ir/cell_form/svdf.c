/* ml.svdf on floats: the state holds the last values of each filter, which are weighted by their
 * time; the filters of a unit are summed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

enum { X, STATE, FEATURES, TIMES, BIAS };

static const qn_type *cube(const qn_cell_expansion *f, int64_t rows, int64_t columns) {
  return qn_type_tensor(f->b->cx, f->f32, 3, (int64_t[]){f->batch, rows, columns});
}

static qn_value *reshaped(qn_cell_expansion *f, qn_value *x, const qn_type *type) {
  return qn_build_1(f->b, QN_OP_ML_RESHAPE, type, QN_VALUES(x), NULL);
}

/* Sums over the last of three dimensions. */
static qn_value *row_sums(qn_cell_expansion *f, qn_value *x) {
  qn_ir_context *cx = f->b->cx;
  const int64_t axes[] = {2};
  const qn_type *type = qn_type_tensor(cx, f->f32, 2, x->type->shaped.dims);
  return qn_build_1(
      f->b, QN_OP_ML_REDUCE_SUM, type, QN_VALUES(x),
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, false)}));
}

/* The state without its oldest values, with the newest appended: [batch, filters, memory]. */
static qn_value *moved(qn_cell_expansion *f, qn_value *newest, int64_t filters, int64_t memory) {
  qn_ir_context *cx = f->b->cx;
  const int64_t begin[] = {0, 0, 1}, end[] = {f->batch, filters, memory}, stride[] = {1, 1, 1};
  newest = reshaped(f, newest, cube(f, filters, 1));
  if (memory == 1) return newest;
  qn_value *kept = reshaped(f, f->operands[STATE], cube(f, filters, memory));
  kept =
      qn_build_1(f->b, QN_OP_ML_SLICE_BY_INDEX, cube(f, filters, memory - 1), QN_VALUES(kept),
                 QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 3)}, {"end", qn_attr_i64s(cx, end, 3)},
                          {"stride", qn_attr_i64s(cx, stride, 3)}));
  return qn_build_1(f->b, QN_OP_ML_CONCAT, cube(f, filters, memory), QN_VALUES(kept, newest),
                    QN_ATTRS({"axis", qn_attr_i64(cx, 2)}));
}

void qn_cell_build_svdf(qn_cell_expansion *f, qn_value **out_results) {
  const qn_type *y_type = f->op->results[0].type, *state_type = f->op->results[1].type;
  f->batch = y_type->shaped.dims[0];
  int64_t units = y_type->shaped.dims[1], filters = f->operands[FEATURES]->type->shaped.dims[0],
          memory = f->operands[TIMES]->type->shaped.dims[1], rank = filters / units;
  qn_value *newest = qn_cell_product(f, f->operands[X], f->operands[FEATURES], NULL);
  qn_value *state = moved(f, newest, filters, memory);
  qn_value *y =
      qn_build_1(f->b, QN_OP_ML_MUL, state->type, QN_VALUES(state, f->operands[TIMES]), NULL);
  y = row_sums(f, y);
  if (rank > 1) {
    y = reshaped(f, y, cube(f, units, rank));
    y = row_sums(f, y);
  }
  if (f->op->operand_count > BIAS) y = qn_cell_combine(f, QN_OP_ML_ADD, y, f->operands[BIAS]);
  out_results[1] = reshaped(f, state, state_type);
  y = qn_cell_activate(f, y);
  out_results[0] = reshaped(f, y, y_type);
}
