/* Decomposition of recurrent cells on floats into ops of the model dialect:
 *
 *   %y, %h = "ml.rnn"(%x, %h0, %w, %r, %b)     x: [batch, time, depth]
 *     ->
 *   %p = "ml.linear"(%x, %w, %b)               the products of the input, for all time steps
 *   per step t: %h = tanh(%p[t] + "ml.linear"(%h, %r));  %y[t] = %h
 *
 * The interpreter executes it, and expand-cells (lower/integer) writes it. Weights may be
 * quantized: the products are then hybrid ones, with the bits of the cell's kernels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CELL_FORM_H
#define QN_IR_CELL_FORM_H

#include "ir/builder.h"

enum {
  QN_CELL_MOST_RESULTS = 3,
  QN_CELL_MOST_STEPS = 1 << 10 /* the steps are unrolled */
};

/* Whether ops of the kind have one on floats. */
bool qn_has_cell_form(qn_op_kind kind);
/* Whether the op is a cell on floats: its states are floats. Such a cell has no plan. */
bool qn_cell_is_real(const qn_op *op);
/* Why this verified cell on floats has no decomposition; NULL if it has one. */
const char *qn_cell_form_problem(const qn_op *op);
/* Builds the decomposition of `op` on `operands`, which have the types of the op's operands. Result
 * i of the op is out_results[i]; the first is the result of a new op. */
void qn_build_cell_form(qn_builder *b, const qn_op *op, qn_value *const *operands,
                        qn_value *out_results[QN_CELL_MOST_RESULTS]);

#endif
