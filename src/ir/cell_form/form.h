/* Internals of the decompositions of cells: the sequence, and parts that all cells use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CELL_FORM_FORM_H
#define QN_IR_CELL_FORM_FORM_H

#include "ir/cell_form/cell_form.h"
#include "ir/ops/lstm.h"

/* A cell with its sequence. Values are matrices [batch, ...] of f32 unless specified. */
typedef struct qn_cell_expansion {
  qn_builder *b;
  const qn_op *op;
  qn_value *const *operands;
  const qn_type *f32;
  int64_t batch, steps, depth, units, outputs;
  bool time_major;
  int64_t step; /* the current time step */
  qn_value
      *products[QN_GATE_COUNT]; /* [gate] of the input, for all steps: [batch * steps, units] */
  qn_value *states[QN_CELL_MOST_RESULTS];
  qn_value *empty_bias; /* RNN: row of -0; NULL if none */
} qn_cell_expansion;

/* What differs between cells. */
typedef struct qn_cell_rule {
  void (*open)(qn_cell_expansion *f); /* what precedes the first step: products of the input */
  void (*step)(qn_cell_expansion *f); /* one time step: replaces f->states */
} qn_cell_rule;
/* Builds all time steps by a rule. */
void qn_cell_build_sequence(qn_cell_expansion *f, const qn_cell_rule *rule, qn_value **out_results);

/* The whole decomposition of a cell. */
void qn_cell_build_lstm(qn_cell_expansion *f, qn_value **out_results);
void qn_cell_build_rnn(qn_cell_expansion *f, qn_value **out_results);
void qn_cell_build_svdf(qn_cell_expansion *f, qn_value **out_results);

/* A tensor of f32. */
const qn_type *qn_cell_tensor(const qn_cell_expansion *f, uint32_t rank, const int64_t *dims);
/* x with the shape of `type`; x itself if it has it. */
qn_value *qn_cell_view(qn_cell_expansion *f, qn_value *x, const qn_type *type);
/* Operand i of a segment; NULL if the segment is empty. */
qn_value *qn_cell_operand(const qn_cell_expansion *f, qn_cell_segment segment, uint32_t i);
qn_value *qn_cell_apply(qn_cell_expansion *f, qn_op_kind kind, qn_value *x);
/* a: a matrix. b: a matrix of its shape, or a row or scalar that is broadcast. */
qn_value *qn_cell_combine(qn_cell_expansion *f, qn_op_kind kind, qn_value *a, qn_value *b);
/* A row of `size` elements equal to `value`. */
qn_value *qn_cell_constant(qn_cell_expansion *f, float value, int64_t size);
/* x clamped to [-limit, limit]; x itself if limit is 0. */
qn_value *qn_cell_clip(qn_cell_expansion *f, qn_value *x, double limit);
/* x through the cell's activation function. */
qn_value *qn_cell_activate(qn_cell_expansion *f, qn_value *x);
/* The input as rows: [batch * steps, depth]. */
qn_value *qn_cell_rows(qn_cell_expansion *f);
/* x times the transposed weights, plus the bias if not NULL. */
qn_value *qn_cell_product(qn_cell_expansion *f, qn_value *x, qn_value *weights, qn_value *bias);
/* The products of the input by `gate` at the current step. */
qn_value *qn_cell_product_now(qn_cell_expansion *f, uint32_t gate);

#endif
