/* Constants of the kernel of ml.integer_lstm, and its buffers for intermediate sums.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/compact.h"
#include "lower/loops/int16/functions16.h"
#include "lower/loops/int16/lstm.h"
#include "lower/loops/ops/stored.h"

void qn_lstm_add_buffer(qn_lstm_kernel *l, qn_lstm_buffer buffer, qn_value *value) {
  l->places[buffer] = l->buffer_count;
  l->buffers[l->buffer_count++] = value;
}

int64_t qn_lstm_weights_of(const qn_lstm_kernel *l, bool recurrent, uint32_t gate) {
  int64_t input = qn_dot16_size(&l->input), hidden = qn_dot16_size(&l->recurrent);
  int64_t gates = QN_GATE_COUNT - l->first, place = gate - l->first;
  return recurrent ? gates * input + place * hidden : place * input;
}

/* ---- weights ---- */

typedef struct matrix {
  const qn_op *op;
  uint32_t operand;
  int64_t depth, from; /* columns of a row; first column that is packed */
} matrix;

static int64_t weight(const void *user, int64_t column, int64_t k) {
  const matrix *m = user;
  return qn_stored_constant(m->op, m->operand, column * m->depth + m->from + k);
}

/* Packs weights in runs that cannot overflow. A run has an even number of weights, so that runs
 * take no more space than one sequence. */
static void pack(const qn_lstm_kernel *l, const qn_dot16 *d, matrix m, int16_t *out) {
  int64_t length = l->wide ? QN_LSTM_RUN : d->depth;
  for (; m.from < d->depth; m.from += length) {
    const qn_dot16 run = {d->depth - m.from < length ? d->depth - m.from : length, d->columns};
    qn_dot16_pack(&run, weight, &m, out);
    out += qn_dot16_size(&run);
  }
}

static qn_value *int16_constant(qn_loops *lo, const int16_t *values, size_t count) {
  return qn_loops_constant(lo, qn_type_i(lo->cx, 16),
                           (qn_bytes){(const uint8_t *)values, count * sizeof *values});
}
static qn_value *sums(qn_loops *lo, const int32_t *values, size_t count) {
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                           (qn_bytes){(const uint8_t *)values, count * sizeof *values});
}

static qn_value *pack_weights(qn_loops *lo, const qn_lstm_kernel *l) {
  size_t size = (size_t)qn_lstm_weights_of(l, true, QN_GATE_COUNT);
  int16_t *packed = QN_NEW_ARRAY(lo->scratch, size, int16_t);
  for (uint32_t g = l->first; g < QN_GATE_COUNT; g++) {
    const matrix input = {l->op, QN_LSTM_WEIGHTS + g, l->input.depth, 0},
                 hidden = {l->op, QN_LSTM_RECURRENT + g, l->outputs, 0};
    pack(l, &l->input, input, packed + qn_lstm_weights_of(l, false, g));
    pack(l, &l->recurrent, hidden, packed + qn_lstm_weights_of(l, true, g));
  }
  return qn_compact_constant(lo, packed, size);
}

/* ---- initial accumulators: a bias, or 0, minus the zero point times the weights ---- */

static void start_of(const matrix *m, int64_t columns, int64_t zero_point, uint32_t bias,
                     int32_t *out) {
  for (int64_t c = 0; c < columns; c++) {
    uint32_t sum = 0, start = 0;
    for (int64_t k = 0; k < m->depth; k++) sum += (uint32_t)weight(m, c, k);
    if (bias) start = (uint32_t)qn_stored_constant(m->op, bias, c);
    out[c] = (int32_t)(start - sum * (uint32_t)zero_point);
  }
}

/* Initial accumulators. A normalized sum adds its bias after normalization. */
static qn_value *start_values(qn_loops *lo, const qn_lstm_kernel *l) {
  size_t count = 2 * QN_GATE_COUNT * (size_t)l->units;
  int32_t *values = QN_NEW_ARRAY(lo->scratch, count, int32_t);
  for (uint32_t g = l->first; g < QN_GATE_COUNT; g++) {
    int32_t *of_input = values + g * l->units, *of_hidden = of_input + QN_GATE_COUNT * l->units;
    const matrix input = {l->op, QN_LSTM_WEIGHTS + g, l->input.depth, 0},
                 hidden = {l->op, QN_LSTM_RECURRENT + g, l->outputs, 0};
    start_of(&input, l->units, qn_op_input_zero_point(l->op), l->parts.gains ? 0 : QN_LSTM_BIAS + g,
             of_input);
    start_of(&hidden, l->units, qn_op_state_zero_point(l->op), 0, of_hidden);
  }
  return sums(lo, values, count);
}

/* With 16-bit activations, whose zero points are 0, initial accumulators are the biases. */
static qn_value *wide_start_values(qn_loops *lo, const qn_lstm_kernel *l) {
  size_t count = 2 * QN_GATE_COUNT * (size_t)l->units;
  int64_t *values = QN_NEW_ARRAY(lo->scratch, count, int64_t);
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++)
    for (int64_t u = 0; u < l->units; u++)
      values[g * l->units + u] = qn_stored_constant(l->op, QN_LSTM_BIAS + g, u);
  return qn_loops_constant(lo, qn_type_i(lo->cx, 64),
                           (qn_bytes){(const uint8_t *)values, count * sizeof *values});
}

/* ---- parts ---- */

static void add_peepholes(qn_loops *lo, qn_lstm_kernel *l) {
  size_t count = QN_GATE_COUNT * (size_t)l->units;
  int16_t *values = QN_NEW_ARRAY(lo->scratch, count, int16_t);
  for (uint32_t g = l->first; g < QN_GATE_COUNT; g++)
    for (int64_t u = 0; g != QN_GATE_CELL && u < l->units; u++)
      values[g * l->units + u] =
          (int16_t)qn_stored_constant(l->op, qn_lstm_peephole(&l->parts, g), u);
  qn_lstm_add_buffer(l, QN_LSTM_B_PEEPHOLES, int16_constant(lo, values, count));
}

static void add_norm(qn_loops *lo, qn_lstm_kernel *l) {
  size_t count = QN_GATE_COUNT * (size_t)l->units;
  int32_t *gains = QN_NEW_ARRAY(lo->scratch, count, int32_t),
          *biases = QN_NEW_ARRAY(lo->scratch, count, int32_t);
  for (uint32_t g = l->first; g < QN_GATE_COUNT; g++)
    for (int64_t u = 0; u < l->units; u++) {
      gains[g * l->units + u] = (int32_t)qn_stored_constant(l->op, l->parts.gains + g, u);
      biases[g * l->units + u] = (int32_t)qn_stored_constant(l->op, QN_LSTM_BIAS + g, u);
    }
  qn_value *rows =
      qn_loops_scratch(lo, l->op, qn_type_i(lo->cx, 16), l->batch * QN_GATE_COUNT * l->units);
  qn_lstm_add_buffer(l, QN_LSTM_B_SUMS, rows);
  qn_lstm_add_buffer(l, QN_LSTM_B_GAINS, sums(lo, gains, count));
  qn_lstm_add_buffer(l, QN_LSTM_B_NORM_BIAS, sums(lo, biases, count));
}

static void add_projection(qn_loops *lo, qn_lstm_kernel *l) {
  size_t size = (size_t)qn_dot16_size(&l->projection);
  int16_t *packed = QN_NEW_ARRAY(lo->scratch, size, int16_t);
  int32_t *start = QN_NEW_ARRAY(lo->scratch, (size_t)l->outputs, int32_t);
  const matrix m = {l->op, l->parts.projection, l->units, 0};
  qn_dot16_pack(&l->projection, weight, &m, packed);
  start_of(&m, l->outputs, qn_op_product_zero_point(l->op), l->parts.projection + 1, start);
  qn_value *rows = qn_loops_scratch(lo, l->op, qn_type_i(lo->cx, 8), l->batch * l->units);
  qn_lstm_add_buffer(l, QN_LSTM_B_PRODUCT, rows);
  qn_lstm_add_buffer(l, QN_LSTM_B_PROJECTION, qn_compact_constant(lo, packed, size));
  qn_lstm_add_buffer(l, QN_LSTM_B_PROJECTION_START, sums(lo, start, (size_t)l->outputs));
}

void qn_lstm_add_constants(qn_loops *lo, qn_lstm_kernel *l) {
  qn_lstm_add_buffer(l, QN_LSTM_B_WEIGHTS, pack_weights(lo, l));
  qn_lstm_add_buffer(l, QN_LSTM_B_START, l->wide ? wide_start_values(lo, l) : start_values(lo, l));
  if (!l->fixed) qn_lstm_add_buffer(l, QN_LSTM_B_TABLE, qn_lanes_sigmoid_table(lo));
  if (l->parts.peepholes) add_peepholes(lo, l);
  if (l->parts.gains) add_norm(lo, l);
  if (l->parts.projection) add_projection(lo, l);
}
