/* ml.integer_lstm. The new states start as copies of the old ones; each time then makes, for a
 * vector of units at once, the sums of all gates, the gates, the cell and the output, which becomes
 * the hidden state when all units have read the old one. A unit of work is a batch: they are
 * independent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/nest.h"
#include "lower/loops/words/dot16.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/words/functions16.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "plan/plan.h"

/* Arguments of the kernel; the table is there for gates that ask for it. */
enum { X, HIDDEN, CELL, WEIGHTS, START, Y, NEW_HIDDEN, NEW_CELL, TABLE, ARG_COUNT };
enum { GATE_BITS = 3, GATE_MULTIPLIER = 3 }; /* of the gates' input scale 2^-12 */

typedef struct lstm {
  const qn_op *op;
  int64_t batch, time, units;
  bool time_major, fixed;
  int32_t cell_shift;
  qn_dot16 input, recurrent;
  /* in the kernel */
  qn_value *x, *y,
      *state; /* first elements of the row of x, of y, and of the batch in the states */
} lstm;

static qn_value *apply(qn_builder *b, qn_op_kind kind, qn_value *x, qn_value *y) {
  return qn_build_binary(b, kind, x, y);
}
static qn_value *saturate(qn_builder *b, qn_value *lanes) {
  return qn_fixed_clamp(b, lanes, INT16_MIN, INT16_MAX);
}

static qn_multiplier gate_multiplier(const lstm *l, uint32_t i) {
  return (qn_multiplier){(int32_t)qn_stored_constant(l->op, QN_LSTM_MULTIPLIER, i),
                         (int32_t)qn_stored_constant(l->op, QN_LSTM_SHIFT, i)};
}

/* ---- a vector of units ---- */

/* Gate g before its function, scale 2^-12. */
static qn_value *gate_input(qn_kernel *k, const lstm *l, uint32_t g, qn_value *unit,
                            int64_t lanes) {
  qn_builder *b = &k->b;
  int64_t input_size = qn_dot16_size(&l->input), recurrent_size = qn_dot16_size(&l->recurrent);
  qn_value *sums[2];
  for (int i = 0; i < 2; i++) {
    const qn_dot16 *d = i == 0 ? &l->input : &l->recurrent;
    int64_t at = i == 0 ? g * input_size : QN_GATE_COUNT * input_size + g * recurrent_size;
    qn_value *start =
        qn_vec_load(b, k->args[START], unit, (i * QN_GATE_COUNT + g) * l->units, lanes);
    const qn_dot16_operands operands = {k->args[i == 0 ? X : NEW_HIDDEN], i == 0 ? l->x : l->state,
                                        k->args[WEIGHTS], qn_build_index(b, at)};
    qn_value *acc = qn_dot16_build(b, d, &operands, unit, start);
    acc = qn_fixed_requant32(b, acc, gate_multiplier(l, (uint32_t)i * QN_GATE_COUNT + g));
    sums[i] = saturate(b, acc);
  }
  return saturate(b, apply(b, QN_OP_ARITH_ADDI, sums[0], sums[1]));
}

static qn_value *gate(qn_kernel *k, const lstm *l, uint32_t g, qn_value *unit, int64_t lanes) {
  qn_value *input = gate_input(k, l, g, unit, lanes);
  bool tanh = g == QN_GATE_CELL;
  return l->fixed ? qn_lanes_fixed16(&k->b, tanh, input, GATE_BITS)
                  : qn_lanes_table16(&k->b, tanh, k->args[TABLE], input, GATE_MULTIPLIER, 0);
}

static qn_value *next_cell(qn_builder *b, const lstm *l, qn_value *kept, qn_value *added) {
  if (l->fixed) { /* shifted by 15 and more, products of 16 bits stay below 2^15 */
    kept = qn_fixed_rounding_shift(b, kept, 15);
    added = qn_fixed_rounding_shift(b, added, 30 + l->cell_shift);
  } else {
    kept = saturate(b, qn_fixed_requant32(b, kept, (qn_multiplier){1 << 30, -14}));
    qn_multiplier m = {1 << 30, -29 - l->cell_shift};
    added = saturate(b, qn_fixed_requant32(b, added, m));
  }
  qn_value *cell = saturate(b, apply(b, QN_OP_ARITH_ADDI, kept, added));
  int64_t limit = qn_op_cell_limit(l->op);
  return limit ? qn_fixed_clamp(b, cell, -limit, limit) : cell;
}

static qn_value *tanh_of_cell(qn_kernel *k, const lstm *l, qn_value *cell) {
  int32_t bits = 15 + l->cell_shift; /* integer bits of the cell */
  if (l->fixed) return qn_lanes_fixed16(&k->b, true, cell, bits);
  int32_t up = bits > GATE_BITS ? bits - GATE_BITS : 0,
          down = bits < GATE_BITS ? GATE_BITS - bits : 0;
  return qn_lanes_table16(&k->b, true, k->args[TABLE], cell, GATE_MULTIPLIER << up, down);
}

static void build_units(qn_kernel *k, void *user, qn_value *unit, int64_t lanes) {
  const lstm *l = user;
  qn_builder *b = &k->b;
  qn_value *at = qn_nest_add(b, l->state, unit);
  qn_value *gates[QN_GATE_COUNT];
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) gates[g] = gate(k, l, g, unit, lanes);
  qn_value *cell = qn_stored_load(b, k->args[NEW_CELL], at, 0, lanes, false);
  qn_value *kept = apply(b, QN_OP_ARITH_MULI, gates[QN_GATE_FORGET], cell);
  qn_value *added = apply(b, QN_OP_ARITH_MULI, gates[QN_GATE_INPUT], gates[QN_GATE_CELL]);
  cell = next_cell(b, l, kept, added);
  qn_stored_store(b, cell, k->args[NEW_CELL], at, 0);
  qn_value *y = apply(b, QN_OP_ARITH_MULI, gates[QN_GATE_OUTPUT], tanh_of_cell(k, l, cell));
  qn_multiplier m = {(int32_t)qn_op_multiplier(l->op), (int32_t)qn_op_shift(l->op)};
  y = qn_fixed_requant32(b, y, m);
  y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_output_zero_point(l->op),
                              (int32_t)qn_op_min(l->op), (int32_t)qn_op_max(l->op));
  qn_stored_store(b, y, k->args[Y], qn_nest_add(b, l->y, unit), 0);
}

/* ---- batches and times ---- */

typedef struct copy {
  int from, to; /* arguments */
  qn_value *from_base, *to_base;
} copy;

static void copy_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const copy *c = user;
  qn_builder *b = &k->b;
  qn_value *moved = qn_vec_load(b, k->args[c->from], qn_nest_add(b, c->from_base, index), 0, lanes);
  qn_vec_store(b, moved, k->args[c->to], qn_nest_add(b, c->to_base, index), 0);
}

static void copy_row(qn_kernel *k, const lstm *l, copy c) {
  qn_nest_run(k, l->units, k->lo->target->vector_bytes, true, copy_vector, &c);
}

static void build_batch(qn_kernel *k, lstm *l, qn_value *n) {
  qn_builder *b = &k->b;
  l->state = qn_index_affine(b, n, l->units, 0);
  copy_row(k, l, (copy){HIDDEN, NEW_HIDDEN, l->state, l->state});
  copy_row(k, l, (copy){CELL, NEW_CELL, l->state, l->state});
  qn_value *t = qn_nest_count(b, l->time, 1);
  qn_value *outer = l->time_major ? t : n, *inner = l->time_major ? n : t;
  qn_value *row = qn_index_affine(b, outer, l->time_major ? l->batch : l->time, 0);
  row = qn_nest_add(b, row, inner);
  l->x = qn_index_affine(b, row, l->input.depth, 0);
  l->y = qn_index_affine(b, row, l->units, 0);
  qn_nest_run(k, l->units, k->lo->target->vector_bytes / 4, false, build_units, l);
  copy_row(k, l, (copy){Y, NEW_HIDDEN, l->y, l->state});
  qn_nest_end(b);
}

/* ---- constants ---- */

typedef struct matrix {
  const qn_op *op;
  uint32_t operand;
  int64_t depth;
} matrix;

static int64_t weight(const void *user, int64_t column, int64_t k) {
  const matrix *m = user;
  return qn_stored_constant(m->op, m->operand, column * m->depth + k);
}

static qn_value *pack_weights(qn_loops *lo, const lstm *l) {
  size_t input = (size_t)qn_dot16_size(&l->input), recurrent = (size_t)qn_dot16_size(&l->recurrent);
  size_t size = QN_GATE_COUNT * (input + recurrent);
  int16_t *packed = QN_NEW_ARRAY(lo->scratch, size, int16_t), *at = packed;
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++, at += input)
    qn_dot16_pack(&l->input, weight, &(matrix){l->op, QN_LSTM_WEIGHTS + g, l->input.depth}, at);
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++, at += recurrent)
    qn_dot16_pack(&l->recurrent, weight, &(matrix){l->op, QN_LSTM_RECURRENT + g, l->units}, at);
  return qn_loops_constant(lo, qn_type_i(lo->cx, 16),
                           (qn_bytes){(const uint8_t *)packed, size * sizeof *packed});
}

/* What the sums of one kind start with: minus the zero point times the weights. */
static void start_of(const matrix *m, int64_t units, int64_t zero_point, int32_t *out) {
  for (int64_t u = 0; u < units; u++) {
    uint32_t sum = 0;
    for (int64_t k = 0; k < m->depth; k++) sum += (uint32_t)weight(m, u, k);
    out[u] = (int32_t)(0u - sum * (uint32_t)zero_point);
  }
}

static qn_value *start_values(qn_loops *lo, const lstm *l) {
  size_t count = 2 * QN_GATE_COUNT * (size_t)l->units;
  int32_t *values = QN_NEW_ARRAY(lo->scratch, count, int32_t);
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    int32_t *of_input = values + g * l->units, *of_hidden = of_input + QN_GATE_COUNT * l->units;
    start_of(&(matrix){l->op, QN_LSTM_WEIGHTS + g, l->input.depth}, l->units,
             qn_op_input_zero_point(l->op), of_input);
    start_of(&(matrix){l->op, QN_LSTM_RECURRENT + g, l->units}, l->units,
             qn_op_state_zero_point(l->op), of_hidden);
    for (int64_t u = 0; u < l->units; u++) {
      int64_t bias = qn_stored_constant(l->op, QN_LSTM_BIAS + g, u);
      of_input[u] = (int32_t)((uint32_t)of_input[u] + (uint32_t)bias);
    }
  }
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                           (qn_bytes){(const uint8_t *)values, count * sizeof *values});
}

static qn_status lower_lstm(qn_loops *lo, qn_op *op) {
  const int64_t *x = qn_op_operand(op, QN_LSTM_X)->type->shaped.dims;
  lstm l = {.op = op,
            .time_major = qn_op_time_major(op),
            .fixed = qn_op_gates(op) == QN_GATES_FIXED,
            .cell_shift = (int32_t)qn_op_cell_shift(op)};
  l.batch = x[l.time_major ? 1 : 0];
  l.time = x[l.time_major ? 0 : 1];
  l.units = qn_op_operand(op, QN_LSTM_HIDDEN)->type->shaped.dims[1];
  l.input = (qn_dot16){x[2], l.units};
  l.recurrent = (qn_dot16){l.units, l.units};
  qn_value *buffers[ARG_COUNT];
  buffers[X] = qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_X));
  buffers[HIDDEN] = qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_HIDDEN));
  buffers[CELL] = qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_CELL));
  buffers[WEIGHTS] = pack_weights(lo, &l);
  buffers[START] = start_values(lo, &l);
  buffers[Y] = qn_loops_buffer(lo, &op->results[0]);
  buffers[NEW_HIDDEN] = qn_loops_buffer(lo, &op->results[1]);
  buffers[NEW_CELL] = qn_loops_buffer(lo, &op->results[2]);
  if (!l.fixed) buffers[TABLE] = qn_lanes_sigmoid_table(lo);
  qn_kernel k = qn_kernel_begin(lo, "lstm", op, buffers, l.fixed ? TABLE : ARG_COUNT);
  qn_value *n = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  build_batch(&k, &l, n);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, l.batch, qn_op_cost(op).macs);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_lstm = {.lower = lower_lstm,
                                                 .constants_from = QN_LSTM_WEIGHTS};
