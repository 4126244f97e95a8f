/* ml.integer_lstm. The new states start as copies of the old ones. Each time step computes, for a
 * vector of cells at once: the sums of all gates, the gates, the cell state and the output. The
 * output replaces the hidden state once all cells have read the old one. With normalization, the
 * sums of all cells are computed first; a projection reads the whole output. A work item is a batch
 * element, because they are independent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/int16/lstm.h"

#include "lower/loops/compact.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/int16/functions16.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "runtime/fixed.h"

enum { GATE_BITS = 3, GATE_MULTIPLIER = 3 }; /* of the gates' input, whose scale is 2^-12 */

static qn_value *apply(qn_builder *b, qn_op_kind kind, qn_value *x, qn_value *y) {
  return qn_build_binary(b, kind, x, y);
}

/* ---- a vector of cells ---- */

/* Accumulates runs in i64 lanes, then requantizes them with qn_requant64. */
static qn_value *wide_product(qn_builder *b, const qn_dot16 *d, qn_dot16_operands operands,
                              qn_value *unit, qn_value *acc, qn_multiplier m) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *x = operands.x_base, *weights = operands.weights_base;
  for (int64_t from = 0; from < d->depth; from += QN_LSTM_RUN) {
    const qn_dot16 run = {d->depth - from < QN_LSTM_RUN ? d->depth - from : QN_LSTM_RUN,
                          d->columns};
    operands.x_base = qn_index_add(b, x, from);
    operands.weights_base = qn_index_add(b, weights, from * d->columns);
    qn_value *sum = qn_vec_splat(b, 0, i32, qn_vec_count(acc));
    sum = qn_dot16_build(b, &run, &operands, unit, sum);
    sum = qn_vec_cast(b, QN_OP_ARITH_EXTSI, sum, i64);
    acc = apply(b, QN_OP_ARITH_ADDI, acc, sum);
  }
  int32_t down = 15 - m.shift;
  acc = qn_build_binary_int(b, QN_OP_ARITH_MULI, acc, qn_reduced_mantissa(m.mantissa));
  acc = qn_build_binary_int(b, QN_OP_ARITH_ADDI, acc, INT64_C(1) << (down - 1));
  acc = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, acc, down);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, acc, i32);
}

/* The products of gate g with the input, or with the hidden state if `recurrent`, rescaled. */
static qn_value *product(qn_kernel *k, const qn_lstm_kernel *l, bool recurrent, uint32_t g,
                         qn_value *unit, int64_t lanes) {
  qn_builder *b = &k->b;
  int64_t row = (recurrent ? QN_GATE_COUNT : 0) + g;
  qn_value *start = qn_vec_load(b, qn_lstm_arg(k, l, QN_LSTM_B_START), unit, row * l->units, lanes);
  const qn_dot16_operands operands = {
      qn_lstm_arg(k, l, recurrent ? QN_LSTM_B_NEW_HIDDEN : QN_LSTM_B_X),
      recurrent ? l->hidden : l->x, l->widened ? l->widened : qn_lstm_arg(k, l, QN_LSTM_B_WEIGHTS),
      qn_build_index(b, qn_lstm_weights_of(l, recurrent, g))};
  const qn_dot16 *d = recurrent ? &l->recurrent : &l->input;
  uint32_t place = (recurrent ? QN_LSTM_OF_HIDDEN : QN_LSTM_OF_INPUT) + g;
  qn_multiplier m = qn_lstm_multiplier(l, place);
  if (l->wide) return wide_product(b, d, operands, unit, start, m);
  return qn_fixed_requant32(b, qn_dot16_build(b, d, &operands, unit, start), m);
}

/* The sum of gate g, saturated to 16 bits. */
static qn_value *gate_sum(qn_kernel *k, const qn_lstm_kernel *l, uint32_t g, qn_value *unit,
                          int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *sum = qn_lstm_saturated(b, product(k, l, false, g, unit, lanes));
  qn_value *of_hidden = product(k, l, true, g, unit, lanes);
  if (!l->fixed) of_hidden = qn_lstm_saturated(b, of_hidden);
  sum = qn_lstm_sum(b, sum, of_hidden);
  if (!l->parts.peepholes || g == QN_GATE_CELL) return sum;
  qn_value *weights =
      qn_stored_load(b, qn_lstm_arg(k, l, QN_LSTM_B_PEEPHOLES), unit, g * l->units, lanes, false);
  qn_value *at = qn_nest_add(b, l->state, unit);
  qn_value *cell = qn_stored_load(b, qn_lstm_arg(k, l, QN_LSTM_B_NEW_CELL), at, 0, lanes, false);
  qn_value *of_cell = apply(b, QN_OP_ARITH_MULI, weights, cell);
  of_cell = qn_fixed_requant32(b, of_cell, qn_lstm_multiplier(l, QN_LSTM_OF_PEEPHOLES + g));
  return qn_lstm_sum(b, sum, of_cell);
}

static qn_value *gate(qn_kernel *k, const qn_lstm_kernel *l, uint32_t g, qn_value *unit,
                      int64_t lanes) {
  qn_value *input =
      l->parts.gains ? qn_lstm_normalized(k, l, g, unit, lanes) : gate_sum(k, l, g, unit, lanes);
  bool tanh = g == QN_GATE_CELL;
  if (l->fixed) return qn_lanes_fixed16(&k->b, tanh, input, GATE_BITS);
  return qn_lanes_table16(&k->b, tanh, qn_lstm_arg(k, l, QN_LSTM_B_TABLE), input, GATE_MULTIPLIER,
                          0);
}

static qn_value *next_cell(qn_builder *b, const qn_lstm_kernel *l, qn_value *kept,
                           qn_value *added) {
  if (l->fixed) { /* after a shift of at least 15, products of 16 bits stay below 2^15 */
    kept = qn_fixed_rounding_shift(b, kept, 15);
    added = qn_fixed_rounding_shift(b, added, 30 + l->cell_shift);
  } else {
    kept = qn_lstm_saturated(b, qn_fixed_requant32(b, kept, (qn_multiplier){1 << 30, -14}));
    qn_multiplier m = {1 << 30, -29 - l->cell_shift};
    added = qn_lstm_saturated(b, qn_fixed_requant32(b, added, m));
  }
  qn_value *cell = qn_lstm_saturated(b, apply(b, QN_OP_ARITH_ADDI, kept, added));
  int64_t limit = qn_op_cell_limit(l->op);
  return limit ? qn_fixed_clamp(b, cell, -limit, limit) : cell;
}

static qn_value *tanh_of_cell(qn_kernel *k, const qn_lstm_kernel *l, qn_value *cell) {
  int32_t bits = 15 + l->cell_shift; /* integer bits of the cell */
  if (l->fixed) return qn_lanes_fixed16(&k->b, true, cell, bits);
  int32_t up = bits > GATE_BITS ? bits - GATE_BITS : 0,
          down = bits < GATE_BITS ? GATE_BITS - bits : 0;
  return qn_lanes_table16(&k->b, true, qn_lstm_arg(k, l, QN_LSTM_B_TABLE), cell,
                          GATE_MULTIPLIER << up, down);
}

static qn_value *build_cell(qn_kernel *k, const qn_lstm_kernel *l, qn_value *unit, int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *at = qn_nest_add(b, l->state, unit), *gates[QN_GATE_OUTPUT] = {NULL};
  for (uint32_t g = l->first; g < QN_GATE_OUTPUT; g++) gates[g] = gate(k, l, g, unit, lanes);
  if (l->first > QN_GATE_INPUT) {
    qn_value *one = qn_build_int(b, INT16_MAX, gates[QN_GATE_FORGET]->type);
    gates[QN_GATE_INPUT] = apply(b, QN_OP_ARITH_SUBI, one, gates[QN_GATE_FORGET]);
  }
  qn_value *buffer = qn_lstm_arg(k, l, QN_LSTM_B_NEW_CELL);
  qn_value *cell = qn_stored_load(b, buffer, at, 0, lanes, false);
  qn_value *kept = apply(b, QN_OP_ARITH_MULI, gates[QN_GATE_FORGET], cell);
  qn_value *added = apply(b, QN_OP_ARITH_MULI, gates[QN_GATE_INPUT], gates[QN_GATE_CELL]);
  cell = next_cell(b, l, kept, added);
  qn_stored_store(b, cell, buffer, at, 0);
  return cell;
}

/* Output gate times tanh of the cell state: the result, or the input of the projection. */
static void build_product(qn_kernel *k, const qn_lstm_kernel *l, qn_value *cell, qn_value *unit,
                          int64_t lanes) {
  qn_builder *b = &k->b;
  const qn_op *op = l->op;
  qn_value *output = gate(k, l, QN_GATE_OUTPUT, unit, lanes);
  qn_value *y = apply(b, QN_OP_ARITH_MULI, output, tanh_of_cell(k, l, cell));
  y = qn_fixed_requant32(b, y,
                         (qn_multiplier){(int32_t)qn_op_multiplier(op), (int32_t)qn_op_shift(op)});
  if (l->parts.projection) {
    y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_product_zero_point(op), INT8_MIN, INT8_MAX);
    qn_stored_store(b, y, qn_lstm_arg(k, l, QN_LSTM_B_PRODUCT), qn_nest_add(b, l->state, unit), 0);
    return;
  }
  y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_output_zero_point(op), (int32_t)qn_op_min(op),
                              (int32_t)qn_op_max(op));
  qn_stored_store(b, y, qn_lstm_arg(k, l, QN_LSTM_B_Y), qn_nest_add(b, l->y, unit), 0);
}

static void build_projection(qn_kernel *k, void *user, qn_value *output, int64_t lanes) {
  const qn_lstm_kernel *l = user;
  qn_builder *b = &k->b;
  qn_value *start = qn_vec_load(b, qn_lstm_arg(k, l, QN_LSTM_B_PROJECTION_START), output, 0, lanes);
  const qn_dot16_operands operands = {qn_lstm_arg(k, l, QN_LSTM_B_PRODUCT), l->state,
                                      qn_lstm_arg(k, l, QN_LSTM_B_PROJECTION),
                                      qn_build_index(b, 0)};
  qn_value *y = qn_dot16_build(b, &l->projection, &operands, output, start);
  y = qn_fixed_requant32(b, y, qn_lstm_multiplier(l, QN_LSTM_OF_PROJECTION));
  y = qn_fixed_add_zero_point(b, y, (int32_t)qn_op_output_zero_point(l->op),
                              (int32_t)qn_op_min(l->op), (int32_t)qn_op_max(l->op));
  qn_stored_store(b, y, qn_lstm_arg(k, l, QN_LSTM_B_Y), qn_nest_add(b, l->y, output), 0);
}

/* ---- a time step of all cells ---- */

static void build_all(qn_kernel *k, void *user, qn_value *unit, int64_t lanes) {
  qn_value *cell = build_cell(k, user, unit, lanes);
  build_product(k, user, cell, unit, lanes);
}

static void store_sum(qn_kernel *k, const qn_lstm_kernel *l, uint32_t g, qn_value *unit,
                      int64_t lanes) {
  qn_value *sum = gate_sum(k, l, g, unit, lanes);
  qn_value *at = qn_lstm_sum_index(&k->b, l, g, unit);
  qn_stored_store(&k->b, sum, qn_lstm_arg(k, l, QN_LSTM_B_SUMS), at, 0);
}
static void build_sums(qn_kernel *k, void *user, qn_value *unit, int64_t lanes) {
  const qn_lstm_kernel *l = user;
  for (uint32_t g = l->first; g < QN_GATE_OUTPUT; g++) store_sum(k, l, g, unit, lanes);
}
/* Emits cell states first and outputs after them, because the output gate has peephole weights on
 * the new cell state. */
static void build_cells(qn_kernel *k, void *user, qn_value *unit, int64_t lanes) {
  (void)build_cell(k, user, unit, lanes);
  store_sum(k, user, QN_GATE_OUTPUT, unit, lanes);
}
static void build_products(qn_kernel *k, void *user, qn_value *unit, int64_t lanes) {
  const qn_lstm_kernel *l = user;
  qn_value *at = qn_nest_add(&k->b, l->state, unit);
  qn_value *cell =
      qn_stored_load(&k->b, qn_lstm_arg(k, l, QN_LSTM_B_NEW_CELL), at, 0, lanes, false);
  build_product(k, l, cell, unit, lanes);
}

static void build_step(qn_kernel *k, qn_lstm_kernel *l) {
  int64_t lanes = k->lo->target->vector_bytes / 4;
  if (l->parts.gains) {
    qn_nest_run(k, l->units, lanes, false, build_sums, l);
    for (uint32_t g = l->first; g < QN_GATE_OUTPUT; g++) qn_lstm_build_norm(k, l, g);
    qn_nest_run(k, l->units, lanes, false, build_cells, l);
    qn_lstm_build_norm(k, l, QN_GATE_OUTPUT);
    qn_nest_run(k, l->units, lanes, false, build_products, l);
  } else {
    qn_nest_run(k, l->units, lanes, false, build_all, l);
  }
  if (l->parts.projection) qn_nest_run(k, l->outputs, lanes, false, build_projection, l);
}

/* ---- batch elements and time steps ---- */

typedef struct copy {
  qn_value *from, *to, *from_base, *to_base;
} copy;

static void copy_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const copy *c = user;
  qn_builder *b = &k->b;
  qn_value *moved = qn_vec_load(b, c->from, qn_nest_add(b, c->from_base, index), 0, lanes);
  qn_vec_store(b, moved, c->to, qn_nest_add(b, c->to_base, index), 0);
}

static void copy_row(qn_kernel *k, int64_t count, copy c) {
  qn_nest_run(k, count, k->lo->target->vector_bytes, true, copy_vector, &c);
}

static void build_batch(qn_kernel *k, qn_lstm_kernel *l, qn_value *n) {
  qn_builder *b = &k->b;
  qn_value *hidden = qn_lstm_arg(k, l, QN_LSTM_B_NEW_HIDDEN);
  l->state = qn_index_affine(b, n, l->units, 0);
  l->hidden = l->outputs == l->units ? l->state : qn_index_affine(b, n, l->outputs, 0);
  if (l->parts.gains) l->sums = qn_index_affine(b, n, QN_GATE_COUNT * l->units, 0);
  copy_row(k, l->outputs,
           (copy){qn_lstm_arg(k, l, QN_LSTM_B_HIDDEN), hidden, l->hidden, l->hidden});
  copy_row(k, l->units,
           (copy){qn_lstm_arg(k, l, QN_LSTM_B_CELL), qn_lstm_arg(k, l, QN_LSTM_B_NEW_CELL),
                  l->state, l->state});
  qn_value *t = qn_nest_count(b, l->time, 1);
  qn_value *outer = l->time_major ? t : n, *inner = l->time_major ? n : t;
  qn_value *row = qn_index_affine(b, outer, l->time_major ? l->batch : l->time, 0);
  row = qn_nest_add(b, row, inner);
  l->x = qn_index_affine(b, row, l->input.depth, 0);
  l->y = qn_index_affine(b, row, l->outputs, 0);
  build_step(k, l);
  copy_row(k, l->outputs, (copy){qn_lstm_arg(k, l, QN_LSTM_B_Y), hidden, l->y, l->hidden});
  qn_nest_end(b);
}

static qn_lstm_kernel kernel_of(const qn_op *op) {
  const int64_t *x = qn_op_operand(op, QN_LSTM_X)->type->shaped.dims;
  qn_lstm_kernel l = {.op = op,
                      .time_major = qn_op_time_major(op),
                      .fixed = qn_op_gates(op) == QN_GATES_FIXED,
                      .first = qn_op_coupled(op) ? QN_GATE_FORGET : QN_GATE_INPUT,
                      .cell_shift = (int32_t)qn_op_cell_shift(op),
                      .parts = qn_lstm_parts_of(op)};
  l.batch = x[l.time_major ? 1 : 0];
  l.time = x[l.time_major ? 0 : 1];
  l.units = qn_op_operand(op, QN_LSTM_CELL)->type->shaped.dims[1];
  l.outputs = qn_op_operand(op, QN_LSTM_HIDDEN)->type->shaped.dims[1];
  l.wide = qn_type_is_int(qn_type_element(qn_op_operand(op, QN_LSTM_X)->type), 16);
  l.input = (qn_dot16){x[2], l.units};
  l.recurrent = (qn_dot16){l.outputs, l.units};
  l.projection = (qn_dot16){l.units, l.outputs};
  return l;
}

/* Widens weights that are stored as bytes once for all time steps, if they fit in kernel-local
 * scratch. The stack of a microcontroller has no room for them. */
static void widen_weights(const qn_loops *lo, qn_kernel *k, qn_lstm_kernel *l) {
  const qn_value *weights = qn_lstm_arg(k, l, QN_LSTM_B_WEIGHTS);
  const qn_type *i16 = qn_type_i(k->b.cx, 16);
  int64_t count = qn_type_elements(weights->type);
  bool narrow = qn_type_element(weights->type) != i16;
  if (!narrow || l->time == 1 || lo->target->index_bits == 32) return;
  if (2 * count > QN_COMPACT_SCRATCH_BYTES) return;
  const qn_type *type = qn_type_buf(k->b.cx, i16, count);
  l->widened = qn_build_1(&k->b, QN_OP_QUERN_SCRATCH, type, NULL, 0, NULL);
  qn_compact_widen(&k->b, qn_lstm_arg(k, l, QN_LSTM_B_WEIGHTS), NULL, qn_build_index(&k->b, 0),
                   count, l->widened);
}

static qn_status lower_lstm(qn_loops *lo, qn_op *op) {
  qn_lstm_kernel l = kernel_of(op);
  qn_lstm_add_buffer(&l, QN_LSTM_B_X, qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_X)));
  qn_lstm_add_buffer(&l, QN_LSTM_B_HIDDEN, qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_HIDDEN)));
  qn_lstm_add_buffer(&l, QN_LSTM_B_CELL, qn_loops_buffer(lo, qn_op_operand(op, QN_LSTM_CELL)));
  qn_lstm_add_constants(lo, &l);
  qn_lstm_add_buffer(&l, QN_LSTM_B_Y, qn_loops_buffer(lo, &op->results[0]));
  qn_lstm_add_buffer(&l, QN_LSTM_B_NEW_HIDDEN, qn_loops_buffer(lo, &op->results[1]));
  qn_lstm_add_buffer(&l, QN_LSTM_B_NEW_CELL, qn_loops_buffer(lo, &op->results[2]));
  qn_kernel k = qn_kernel_begin(lo, "lstm", op, l.buffers, l.buffer_count);
  widen_weights(lo, &k, &l);
  qn_value *n = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  build_batch(&k, &l, n);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, l.batch, qn_op_cost(op).macs);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_lstm = {.lower = lower_lstm,
                                                 .constants_from = QN_LSTM_WEIGHTS};
