/* ml.rnn on floats: h' = activation(W x + bias + R h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

enum { HIDDEN };

/* The cell's kernels skip a hidden state of 0, so that the sum keeps its sign: a bias of -0 does
 * the same. */
static void open(qn_cell_expansion *f) {
  qn_value *weights = qn_cell_operand(f, QN_CELL_WEIGHTS, 0),
           *recurrent = qn_cell_operand(f, QN_CELL_RECURRENT, 0);
  f->products[0] =
      qn_cell_product(f, qn_cell_rows(f), weights, qn_cell_operand(f, QN_CELL_BIASES, 0));
  if (qn_type_quant(recurrent->type)) f->empty_bias = qn_cell_constant(f, -0.0F, f->units);
}

static void step(qn_cell_expansion *f) {
  qn_value *recurrent = qn_cell_operand(f, QN_CELL_RECURRENT, 0);
  qn_value *sum = qn_cell_product_now(f, 0);
  recurrent = qn_cell_product(f, f->states[HIDDEN], recurrent, f->empty_bias);
  sum = qn_cell_combine(f, QN_OP_ML_ADD, sum, recurrent);
  f->states[HIDDEN] = qn_cell_activate(f, sum);
}

void qn_cell_build_rnn(qn_cell_expansion *f, qn_value **out_results) {
  qn_cell_build_sequence(f, &(qn_cell_rule){open, step}, out_results);
}
