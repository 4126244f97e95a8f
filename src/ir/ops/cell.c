/* The table of recurrent cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/cell.h"

#include "ir/ops/forms.h"

#define LSTM_SIZES(multipliers)                                                                    \
  {                                                                                                \
    [QN_CELL_INPUT] = 1, [QN_CELL_STATES] = 2, [QN_CELL_WEIGHTS] = 4, [QN_CELL_RECURRENT] = 4,     \
    [QN_CELL_BIASES] = 4, [QN_CELL_PEEPHOLES] = 3, [QN_CELL_GAINS] = 4, [QN_CELL_PROJECTION] = 2,  \
    [QN_CELL_MULTIPLIERS] = multipliers                                                            \
  }

static const char lstm_gates[] = "input, forget, cell, output";
static const qn_cell_record lstm = {lstm_gates, LSTM_SIZES(0)},
                            integer_lstm = {lstm_gates, LSTM_SIZES(2)};
static const qn_cell_record rnn = {"hidden",
                                   {[QN_CELL_INPUT] = 1,
                                    [QN_CELL_STATES] = 1,
                                    [QN_CELL_WEIGHTS] = 1,
                                    [QN_CELL_RECURRENT] = 1,
                                    [QN_CELL_BIASES] = 1}};

const qn_cell_record *qn_cell_record_of(qn_op_kind kind) {
  static const qn_cell_record *const records[QN_OP_COUNT] = {
      [QN_OP_ML_LSTM] = &lstm, [QN_OP_ML_INTEGER_LSTM] = &integer_lstm, [QN_OP_ML_RNN] = &rnn};
  return records[kind];
}

uint32_t qn_cell_segment_count(const qn_cell_record *record) {
  return record->sizes[QN_CELL_MULTIPLIERS] ? QN_CELL_SEGMENTS : QN_CELL_MULTIPLIERS;
}

const qn_attr *qn_cell_segments(qn_ir_context *cx, qn_op_kind kind,
                                const uint32_t sizes[QN_CELL_SEGMENTS]) {
  int64_t values[QN_CELL_SEGMENTS];
  for (uint32_t i = 0; i < QN_CELL_SEGMENTS; i++) values[i] = sizes[i];
  uint32_t count = qn_cell_segment_count(qn_cell_record_of(kind));
  return qn_attr_dense_array(cx, qn_type_i(cx, 32), values, NULL, count);
}
