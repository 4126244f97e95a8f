/* Recurrent cells on floats: the time steps of a sequence are unrolled to ops without time
 * dimension (cells.c).
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
  bool single, time_major, asymmetric; /* single: no time dimension */
  int64_t activation;
} qn_cell_sequence;

/* Properties of a sequence, from the operator's options. */
typedef struct qn_cell_form {
  bool single, time_major, asymmetric; /* as in qn_cell_sequence */
  int64_t activation;                  /* none, relu, relu_n1_to_1, relu6, tanh */
} qn_cell_form;
/* Checks the input and the form. Returns false, reported, on errors. */
bool qn_cell_open(qn_graph_op *op, const qn_cell_form *form, qn_cell_sequence *out_s);

/* ---- operands: NULL if absent or, reported, invalid ---- */

bool qn_cell_check_shape(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *expected);
bool qn_cell_check_rank(qn_graph_op *op, const qn_graph_tensor *tensor, uint32_t rank);
/* Operand i; reports an error if absent. */
qn_graph_tensor *qn_cell_required(qn_graph_op *op, uint32_t i);
/* The current value of a variable tensor. */
qn_value *qn_cell_state_value(qn_graph_op *op, qn_graph_tensor *tensor);
/* A bias of `size` elements of 32 or 64 bits, added as stored. */
qn_value *qn_cell_bias(qn_graph_op *op, qn_graph_tensor *tensor, int64_t size, uint32_t width);

qn_graph_tensor *qn_cell_optional(qn_graph_op *op, uint32_t i);
/* A required constant [rows, columns]: floats, or 8-bit weights. */
qn_value *qn_cell_matrix(qn_graph_op *op, uint32_t i, int64_t rows, int64_t columns);
/* Optional 1-D operand: floats, or quantized 8-bit values, which are dequantized. */
qn_value *qn_cell_floats(qn_graph_op *op, uint32_t i, qn_graph_shape shape);
qn_value *qn_cell_vector(qn_graph_op *op, uint32_t i, int64_t size);
/* A required variable tensor [batch, size]. */
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
/* x times the transposed weights, plus the bias if not NULL. */
qn_value *qn_cell_product(qn_cell_sequence *s, qn_value *x, qn_value *w, qn_value *bias);
/* The part of `all`, which contains all time steps, for one step. */
qn_value *qn_cell_at_step(qn_cell_sequence *s, qn_value *all, int64_t step);
/* The steps' results joined to one tensor, with the input's dimension order. */
qn_value *qn_cell_joined(qn_cell_sequence *s, qn_value *const *steps, qn_graph_shape *out_shape);

/* ---- results ---- */

void qn_cell_define(qn_cell_sequence *s, uint32_t output, qn_value *y, const qn_graph_shape *shape);

#endif
