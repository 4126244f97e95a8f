/* The table of decompositions of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/cell_form.h"

#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

typedef void build_fn(qn_cell_expansion *f, qn_value **out_results);

static build_fn *builder_of(qn_op_kind kind) {
  static build_fn *const builders[QN_OP_COUNT] = {[QN_OP_ML_LSTM] = qn_cell_build_lstm,
                                                  [QN_OP_ML_RNN] = qn_cell_build_rnn,
                                                  [QN_OP_ML_SVDF] = qn_cell_build_svdf};
  return builders[kind];
}

bool qn_has_cell_form(qn_op_kind kind) { return builder_of(kind) != NULL; }

bool qn_cell_is_real(const qn_op *op) {
  enum { STATE = 1 };
  return builder_of(op->kind) && op->operand_count > STATE &&
         qn_type_element(qn_op_operand(op, STATE)->type)->kind == QN_TYPE_FLOAT;
}

const char *qn_cell_form_problem(const qn_op *op) {
  QN_ASSERT(qn_cell_is_real(op));
  const qn_type *x = qn_op_operand(op, 0)->type;
  bool many =
      x->shaped.rank == 3 && x->shaped.dims[qn_op_time_major(op) ? 0 : 1] > QN_CELL_MOST_STEPS;
  return many ? "it has too many time steps" : NULL;
}

void qn_build_cell_form(qn_builder *b, const qn_op *op, qn_value *const *operands,
                        qn_value *out_results[QN_CELL_MOST_RESULTS]) {
  QN_ASSERT(!qn_cell_form_problem(op));
  qn_cell_expansion f = {
      .b = b, .op = op, .operands = operands, .f32 = qn_type_float(b->cx, QN_F32)};
  builder_of(op->kind)(&f, out_results);
}
