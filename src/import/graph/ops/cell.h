/* Recurrent cells: operands with checks, and the op that they become.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_CELL_H
#define QN_IMPORT_GRAPH_OPS_CELL_H

#include "import/graph/build.h"
#include "ir/ops/cell.h"

/* ---- a cell as an op ---- */

enum { QN_CELL_MOST_OPERANDS = 32, QN_CELL_MOST_STATES = 2 };

/* An op whose operands are collected segment by segment. */
typedef struct qn_cell {
  qn_graph_op *op;
  qn_op_kind kind;
  qn_value *operands[QN_CELL_MOST_OPERANDS];
  uint32_t count, sizes[QN_CELL_SEGMENTS];
  qn_graph_attrs attrs;
  qn_graph_tensor *states[QN_CELL_MOST_STATES];
} qn_cell;

/* Appends an operand to the current segment or a later one. False if `value` is NULL. */
bool qn_cell_take(qn_cell *cell, qn_cell_segment segment, qn_value *value);
/* Sets the attribute of the segments. All operands have been taken. */
void qn_cell_finish(qn_cell *cell);
/* Builds the op, whose first result has `shape` and is not an output; the others are the new values
 * of the states. Returns the first result. */
qn_value *qn_cell_build(qn_cell *cell, const qn_graph_shape *shape);

/* ---- sequences of floats ---- */

/* Properties of a sequence, from the operator's options. */
typedef struct qn_cell_options {
  bool single;     /* no time dimension */
  bool time_major; /* dimension 0 is the time */
  bool asymmetric; /* 8-bit weights: rows of the input have a zero point */
  qn_cell_activation activation;
} qn_cell_options;

typedef struct qn_cell_sequence {
  qn_graph_op *op;
  const qn_type *f32;
  qn_cell_options options;
  qn_value *x; /* [batch, steps, depth] or, time-major, [steps, batch, depth] */
  int64_t batch, steps, depth;
} qn_cell_sequence;

/* Checks that an input and the outputs are f32. */
bool qn_cell_check_floats(qn_graph_op *op, const qn_graph_tensor *x);
/* Checks input 0 and the outputs. Returns false, reported, on errors. */
bool qn_cell_open(qn_graph_op *op, const qn_cell_options *options, qn_cell_sequence *out_s);
/* Begins a cell on a sequence: its input, and the attributes of all cells. */
qn_cell qn_cell_begin(const qn_cell_sequence *s, qn_op_kind kind, bool backward);
/* The shape of a cell's result of `width` elements per time step. */
qn_graph_shape qn_cell_result_shape(const qn_cell_sequence *s, int64_t width);
/* Defines an output by a reshape of y, which removes the time dimension of a single step. */
void qn_cell_define(const qn_cell_sequence *s, uint32_t output, qn_value *y);

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

#endif
