/* What the parts of the kernel of ml.integer_lstm share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LSTM_H
#define QN_LOWER_LOOPS_LSTM_H

#include "ir/ops/lstm.h"
#include "lower/loops/int16/dot16.h"
#include "lower/loops/loops.h"

/* Buffers of the kernel; those from TABLE on are there for cells that need them. */
typedef enum qn_lstm_buffer {
  QN_LSTM_B_X,
  QN_LSTM_B_HIDDEN,
  QN_LSTM_B_CELL,
  QN_LSTM_B_WEIGHTS, /* packed, of the input, then of the hidden state */
  QN_LSTM_B_START,   /* what the sums start with, in the same order */
  QN_LSTM_B_Y,
  QN_LSTM_B_NEW_HIDDEN,
  QN_LSTM_B_NEW_CELL,
  QN_LSTM_B_TABLE,      /* of the gates' functions */
  QN_LSTM_B_PEEPHOLES,  /* i16, per gate a row of all units */
  QN_LSTM_B_SUMS,       /* i16, of an entry per gate a row, before they are normalized */
  QN_LSTM_B_GAINS,      /* i32, per gate a row */
  QN_LSTM_B_NORM_BIAS,  /* the same */
  QN_LSTM_B_PRODUCT,    /* i8, of an entry a row: what is projected */
  QN_LSTM_B_PROJECTION, /* packed */
  QN_LSTM_B_PROJECTION_START,
  QN_LSTM_B_COUNT
} qn_lstm_buffer;

/* Statistics of a gate's sums, in the kernel: the mean in steps of 2^-10, 1 / deviation. */
typedef struct qn_lstm_norm {
  qn_value *mean;                        /* i32 */
  qn_value *factor, *mask, *half, *down; /* i64: the division by a power of 2 */
} qn_lstm_norm;

typedef struct qn_lstm_kernel {
  const qn_op *op;
  qn_lstm_parts parts;
  int64_t batch, time, units, outputs;
  bool time_major, fixed, wide; /* wide: activations of 16 bits, sums of 64 */
  uint32_t first;               /* gate: a coupled input gate is not computed */
  int32_t cell_shift;
  qn_dot16 input, recurrent, projection;
  qn_value *buffers[QN_LSTM_B_COUNT]; /* in @main */
  uint32_t places[QN_LSTM_B_COUNT], buffer_count;
  /* in the kernel */
  qn_value *x, *y;                 /* first elements of the row of x and of y */
  qn_value *state, *hidden, *sums; /* of the entry in the cell, the hidden state and the sums */
  qn_lstm_norm norms[QN_GATE_COUNT];
} qn_lstm_kernel;

static inline qn_value *qn_lstm_arg(const qn_kernel *k, const qn_lstm_kernel *l,
                                    qn_lstm_buffer buffer) {
  return k->args[l->places[buffer]];
}

/* ---- numbers (lstm_fixed.c) ---- */

/* Multiplier and shift, by their places in the operands (ir/ops/lstm.h). */
qn_multiplier qn_lstm_multiplier(const qn_lstm_kernel *l, uint32_t i);
/* Lanes of i32 within 16 bits. */
qn_value *qn_lstm_saturated(qn_builder *b, qn_value *lanes);
/* x, within 16 bits, and any lanes of i32: their sum, saturated. */
qn_value *qn_lstm_sum(qn_builder *b, qn_value *x, qn_value *any);

/* ---- constants (lstm_constants.c) ---- */

void qn_lstm_add_buffer(qn_lstm_kernel *l, qn_lstm_buffer buffer, qn_value *value);
/* All but those that tensors have. */
void qn_lstm_add_constants(qn_loops *lo, qn_lstm_kernel *l);
/* So many products of 16 and 8 bits are added up in 32. */
enum { QN_LSTM_RUN = 256 };
/* Where the packed weights of a gate lie; of wide sums those of each run consecutively. */
int64_t qn_lstm_weights_of(const qn_lstm_kernel *l, bool recurrent, uint32_t gate);

/* ---- layer normalization (lstm_norm.c) ---- */

/* The sums of the gate are there. */
void qn_lstm_build_norm(qn_kernel *k, qn_lstm_kernel *l, uint32_t gate);
/* The normalized sums of the units from `unit` on: i32 lanes within 16 bits. */
qn_value *qn_lstm_normalized(qn_kernel *k, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit,
                             int64_t lanes);
/* Where the gate's sum of a unit of the entry lies. */
qn_value *qn_lstm_sum_index(qn_builder *b, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit);

#endif
