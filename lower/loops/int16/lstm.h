/* Declarations shared by the parts of the kernel of ml.integer_lstm.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LSTM_H
#define QN_LOWER_LOOPS_LSTM_H

#include "ir/ops/lstm.h"
#include "lower/loops/int16/dot16.h"
#include "lower/loops/loops.h"

/* Buffers of the kernel. Those from TABLE on exist only for cells that need them. */
typedef enum qn_lstm_buffer {
  QN_LSTM_B_X,
  QN_LSTM_B_HIDDEN,
  QN_LSTM_B_CELL,
  QN_LSTM_B_WEIGHTS, /* packed weights of the input, then of the hidden state */
  QN_LSTM_B_START,   /* initial accumulators, in the same order */
  QN_LSTM_B_Y,
  QN_LSTM_B_NEW_HIDDEN,
  QN_LSTM_B_NEW_CELL,
  QN_LSTM_B_TABLE,      /* table of the gates' functions */
  QN_LSTM_B_PEEPHOLES,  /* i16 [gate][cell] */
  QN_LSTM_B_SUMS,       /* i16 [batch element][gate][cell] sums before normalization */
  QN_LSTM_B_GAINS,      /* i32 [gate][cell] normalization gains */
  QN_LSTM_B_NORM_BIAS,  /* i32 [gate][cell] normalization biases */
  QN_LSTM_B_PRODUCT,    /* i8 [batch element][cell] input of the projection */
  QN_LSTM_B_PROJECTION, /* packed weights of the projection */
  QN_LSTM_B_PROJECTION_START,
  QN_LSTM_B_COUNT
} qn_lstm_buffer;

/* Statistics of a gate's sums, in the kernel: the mean in steps of 2^-10, and 1 / standard
 * deviation. */
typedef struct qn_lstm_norm {
  qn_value *mean;                        /* i32 */
  qn_value *factor, *mask, *half, *down; /* i64 values of the division by a power of 2 */
} qn_lstm_norm;

typedef struct qn_lstm_kernel {
  const qn_op *op;
  qn_lstm_parts parts;
  int64_t batch, time, units, outputs;
  bool time_major, fixed, wide; /* wide: 16-bit activations, 64-bit accumulators */
  uint32_t first;               /* first gate that is computed: a coupled input gate is not */
  int32_t cell_shift;
  qn_dot16 input, recurrent, projection;
  qn_value *buffers[QN_LSTM_B_COUNT]; /* [buffer] in @main */
  uint32_t places[QN_LSTM_B_COUNT], buffer_count;
  /* in the kernel */
  qn_value *x, *y;                 /* first elements of the row of x and of y */
  qn_value *state, *hidden, *sums; /* first elements of the batch element in the cell state, the
                                      hidden state and the sums */
  qn_value *widened;               /* weights as i16; NULL if they are read as they are stored */
  qn_lstm_norm norms[QN_GATE_COUNT];
} qn_lstm_kernel;

static inline qn_value *qn_lstm_arg(const qn_kernel *k, const qn_lstm_kernel *l,
                                    qn_lstm_buffer buffer) {
  return k->args[l->places[buffer]];
}

/* ---- fixed-point arithmetic (lstm_fixed.c) ---- */

/* Multiplier and shift at index i of the multipliers among the operands (ir/ops/lstm.h). */
qn_multiplier qn_lstm_multiplier(const qn_lstm_kernel *l, uint32_t i);
/* Saturates i32 lanes to 16 bits. */
qn_value *qn_lstm_saturated(qn_builder *b, qn_value *lanes);
/* x (within 16 bits) + any i32 lanes, saturated to 16 bits. */
qn_value *qn_lstm_sum(qn_builder *b, qn_value *x, qn_value *any);

/* ---- constants (lstm_constants.c) ---- */

void qn_lstm_add_buffer(qn_lstm_kernel *l, qn_lstm_buffer buffer, qn_value *value);
/* Adds all constant buffers that are not buffers of tensors. */
void qn_lstm_add_constants(qn_loops *lo, qn_lstm_kernel *l);
/* Products of 16 and 8 bits that are accumulated in 32 bits. */
enum { QN_LSTM_RUN = 256 };
/* First element of the packed weights of a gate; with 64-bit accumulators, the weights of each run
 * are consecutive. */
int64_t qn_lstm_weights_of(const qn_lstm_kernel *l, bool recurrent, uint32_t gate);

/* ---- layer normalization (lstm_norm.c) ---- */

/* Emits the statistics of a gate, whose sums must be complete. */
void qn_lstm_build_norm(qn_kernel *k, qn_lstm_kernel *l, uint32_t gate);
/* The normalized sums of the units from `unit` on: i32 lanes within 16 bits. */
qn_value *qn_lstm_normalized(qn_kernel *k, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit,
                             int64_t lanes);
/* Element index of a cell's sum for the gate, in the current batch element. */
qn_value *qn_lstm_sum_index(qn_builder *b, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit);

#endif
