/* Recurrent cells on floats, inside: a sequence of steps that are written out as ops which know
 * nothing of time (cells.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_CELL_H
#define QN_IMPORT_GRAPH_OPS_CELL_H

#include "import/graph/build.h"

typedef struct qn_cell_sequence {
  qn_graph_op *op;
  const qn_type *f32;
  qn_value *x; /* [batch * steps, depth] */
  int64_t batch, steps, depth;
  bool single, time_major, asymmetric; /* single: without a dimension of time */
  int64_t activation;
} qn_cell_sequence;

/* What the format says of a sequence. */
typedef struct qn_cell_form {
  bool single, time_major, asymmetric; /* as in qn_cell_sequence */
  int64_t activation;                  /* none, relu, relu_n1_to_1, relu6, tanh */
} qn_cell_form;
/* Checks the input and the form. False, reported, when something is wrong. */
bool qn_cell_open(qn_graph_op *op, const qn_cell_form *form, qn_cell_sequence *out_s);

/* ---- operands: NULL when absent or, reported, wrong ---- */

bool qn_cell_check_shape(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *expected);
bool qn_cell_check_rank(qn_graph_op *op, const qn_graph_tensor *tensor, uint32_t rank);
/* One that must be there. */
qn_graph_tensor *qn_cell_required(qn_graph_op *op, uint32_t i);
/* The current value of a variable tensor. */
qn_value *qn_cell_state_value(qn_graph_op *op, qn_graph_tensor *tensor);
/* A bias of that size, of 32 or 64 bits, added as it is stored. */
qn_value *qn_cell_bias(qn_graph_op *op, qn_graph_tensor *tensor, int64_t size, uint32_t width);

qn_graph_tensor *qn_cell_optional(qn_graph_op *op, uint32_t i);
/* A constant of [rows, columns] that must be there: floats, or weights of 8 bits. */
qn_value *qn_cell_matrix(qn_graph_op *op, uint32_t i, int64_t rows, int64_t columns);
/* Floats, or 8 bits, which stand for floats; of one dimension. */
qn_value *qn_cell_floats(qn_graph_op *op, uint32_t i, qn_graph_shape shape);
qn_value *qn_cell_vector(qn_graph_op *op, uint32_t i, int64_t size);
/* A variable tensor, which must be there. */
qn_graph_tensor *qn_cell_state(qn_graph_op *op, uint32_t i, int64_t batch, int64_t size);

/* ---- parts: ops on matrices ---- */

qn_value *qn_cell_unary(qn_cell_sequence *s, qn_op_kind kind, qn_value *x);
/* a: a matrix. b: a matrix of the shape of a, or a row or scalar that is broadcast. */
qn_value *qn_cell_binary(qn_cell_sequence *s, qn_op_kind kind, qn_value *a, qn_value *b);
qn_value *qn_cell_number(qn_cell_sequence *s, float value);
/* A row of `size` elements equal to `value`. */
qn_value *qn_cell_row(qn_cell_sequence *s, float value, int64_t size);
/* x clamped to [-limit, limit]; x unchanged if limit is 0. */
qn_value *qn_cell_clipped(qn_cell_sequence *s, qn_value *x, double limit);
/* x through the activation function in the operator's options. */
qn_value *qn_cell_activated(qn_cell_sequence *s, qn_value *x);
/* x times the weights, plus the bias where there is one. */
qn_value *qn_cell_product(qn_cell_sequence *s, qn_value *x, qn_value *w, qn_value *bias);
/* What all steps have, at one of them. */
qn_value *qn_cell_at_step(qn_cell_sequence *s, qn_value *all, int64_t step);
/* The steps' results as one tensor, in the input's order of dimensions. */
qn_value *qn_cell_joined(qn_cell_sequence *s, qn_value *const *steps, qn_graph_shape *out_shape);

/* ---- results ---- */

void qn_cell_define(qn_cell_sequence *s, uint32_t output, qn_value *y, const qn_graph_shape *shape);

#endif
