/* Layout of the operands of ml.lstm and ml.integer_lstm, whose segments are those of all cells
 * (cell.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_LSTM_H
#define QN_IR_OPS_LSTM_H

#include "ir/ops/cell.h"

enum { QN_GATE_INPUT, QN_GATE_FORGET, QN_GATE_CELL, QN_GATE_OUTPUT, QN_GATE_COUNT };

/* Operands that every cell has. */
enum {
  QN_LSTM_X,
  QN_LSTM_HIDDEN,
  QN_LSTM_CELL,
  QN_LSTM_WEIGHTS,
  QN_LSTM_RECURRENT = QN_LSTM_WEIGHTS + QN_GATE_COUNT,
  QN_LSTM_BIAS = QN_LSTM_RECURRENT + QN_GATE_COUNT,
  QN_LSTM_PLAIN = QN_LSTM_BIAS + QN_GATE_COUNT
};
/* Within the segment of multipliers. */
enum { QN_LSTM_MULTIPLIER, QN_LSTM_SHIFT, QN_LSTM_NUMBERS };

/* Multipliers and shifts; a cell without optional parts has the first two groups. */
enum {
  QN_LSTM_OF_INPUT,
  QN_LSTM_OF_HIDDEN = QN_LSTM_OF_INPUT + QN_GATE_COUNT,
  QN_LSTM_FEW_MULTIPLIERS = QN_LSTM_OF_HIDDEN + QN_GATE_COUNT,
  QN_LSTM_OF_PEEPHOLES = QN_LSTM_FEW_MULTIPLIERS,
  QN_LSTM_OF_GAINS = QN_LSTM_OF_PEEPHOLES + QN_GATE_COUNT,
  QN_LSTM_OF_PROJECTION = QN_LSTM_OF_GAINS + QN_GATE_COUNT,
  QN_LSTM_ALL_MULTIPLIERS
};

/* First operand of each optional part; 0 if the cell lacks it. */
typedef struct qn_lstm_parts {
  uint32_t peepholes;  /* peephole weights of all gates except the cell gate */
  uint32_t gains;      /* layer normalization, one per gate */
  uint32_t projection; /* weights and bias */
} qn_lstm_parts;
enum {
  QN_LSTM_PEEPHOLES = QN_GATE_COUNT - 1,
  QN_LSTM_GAINS = QN_GATE_COUNT,
  QN_LSTM_PROJECTION = 2
};

static inline uint32_t qn_lstm_part(const qn_op *op, qn_cell_segment segment) {
  return qn_cell_size(op, segment) ? qn_cell_first(op, segment) : 0;
}
static inline qn_lstm_parts qn_lstm_parts_of(const qn_op *op) {
  return (qn_lstm_parts){.peepholes = qn_lstm_part(op, QN_CELL_PEEPHOLES),
                         .gains = qn_lstm_part(op, QN_CELL_GAINS),
                         .projection = qn_lstm_part(op, QN_CELL_PROJECTION)};
}
static inline bool qn_lstm_has_parts(const qn_lstm_parts *parts) {
  return parts->peepholes || parts->gains || parts->projection;
}
/* Operand index of a gate's peephole weights. */
static inline uint32_t qn_lstm_peephole(const qn_lstm_parts *parts, uint32_t gate) {
  return parts->peepholes + (gate == QN_GATE_OUTPUT ? QN_LSTM_PEEPHOLES - 1 : gate);
}

#endif
