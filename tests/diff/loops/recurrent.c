/* Random ops with states, and rescaling between integers of all widths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "maker.h"
#include "plan/plan.h"
#include "quant/multiplier.h"

static qn_value *random_bias(maker *m, uint32_t width, int64_t count, int64_t limit) {
  int64_t *values = QN_NEW_ARRAY(m->arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++) values[i] = maker_range(m, -limit, limit);
  return maker_const(m, qn_type_i(m->cx, width), 1, &count, values);
}
static qn_value *random_i32(maker *m, int64_t count, int64_t limit) {
  return random_bias(m, 32, count, limit);
}

static const qn_type *tensor_of(maker *m, uint32_t width, uint32_t rank, const int64_t *dims) {
  return maker_tensor(m, qn_type_i(m->cx, width), rank, dims);
}

static qn_value *random_weights(maker *m, uint32_t width, int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  if (width == 8) return maker_const_random(m, tensor_of(m, 8, 2, dims));
  int64_t *values = QN_NEW_ARRAY(m->arena, (size_t)(rows * columns), int64_t);
  for (int64_t i = 0; i < rows * columns; i++) values[i] = maker_range(m, INT16_MIN, INT16_MAX);
  return maker_const(m, qn_type_i(m->cx, width), 2, dims, values);
}

/* Builds an op. All of its results get tensor numbers. */
static void make(maker *m, qn_op_kind kind, qn_value *const *operands, uint32_t count,
                 const qn_type *const *types, uint32_t results, const qn_named_attr *attrs,
                 uint32_t attr_count) {
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = count,
                                            .result_types = types,
                                            .result_count = results,
                                            .attrs = attrs,
                                            .attr_count = attr_count});
  maker_number(m, op);
  qn_value *values[3] = {NULL};
  for (uint32_t i = 0; i < results; i++) values[i] = qn_op_result(op, i);
  maker_return(m, values, results);
}

#define NAMED(name, value)                                                                         \
  { qn_str_of(name), value }

void case_svdf(maker *m) {
  int64_t batch = maker_range(m, 1, 3), depth = maker_range(m, 1, 40), rank = maker_range(m, 1, 3),
          units = maker_range(m, 1, 20), memory = maker_range(m, 1, 20), filters = units * rank;
  uint32_t width = maker_chance(m, 50) ? 8 : 16;
  const qn_type *types[] = {tensor_of(m, 8, 2, (int64_t[]){batch, units}),
                            tensor_of(m, width, 2, (int64_t[]){batch, filters * memory})};
  qn_value *operands[] = {maker_input(m, tensor_of(m, 8, 2, (int64_t[]){batch, depth})),
                          maker_input(m, types[1]), random_weights(m, 8, filters, depth),
                          random_weights(m, width, filters, memory), random_i32(m, units, 30000)};
  qn_multiplier to_state = qn_multiplier_of(maker_scale(m, 1e-4, 0.1));
  qn_multiplier to_y = qn_multiplier_of(maker_scale(m, width == 8 ? 1e-4 : 1e-9, 0.01));
  const qn_named_attr attrs[] = {
      NAMED("input_zero_point", maker_i64(m, maker_range(m, -128, 127))),
      NAMED("state_zero_point", maker_i64(m, width == 8 ? maker_range(m, -128, 127) : 0)),
      NAMED("state_multiplier", maker_i64(m, to_state.mantissa)),
      NAMED("state_shift", maker_i64(m, to_state.shift)),
      NAMED("multiplier", maker_i64(m, to_y.mantissa)),
      NAMED("shift", maker_i64(m, to_y.shift)),
      NAMED("output_zero_point", maker_i64(m, maker_range(m, -128, 127))),
      NAMED("min", maker_i64(m, -128)),
      NAMED("max", maker_i64(m, 127))};
  make(m, QN_OP_ML_INTEGER_SVDF, operands, QN_COUNT(operands), types, 2, attrs, QN_COUNT(attrs));
}

static qn_value *random_row(maker *m, int64_t count) {
  int64_t *values = QN_NEW_ARRAY(m->arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++) values[i] = maker_range(m, INT16_MIN, INT16_MAX);
  return maker_const(m, qn_type_i(m->cx, 16), 1, &count, values);
}

/* Multipliers and shifts for `count` products. */
static void random_products(maker *m, int64_t count, bool wide, qn_value **out) {
  int64_t mantissas[QN_LSTM_ALL_MULTIPLIERS], shifts[QN_LSTM_ALL_MULTIPLIERS];
  const qn_type *i32 = qn_type_i(m->cx, 32);
  for (int64_t i = 0; i < count; i++) {
    bool of_cell = i >= QN_LSTM_OF_PEEPHOLES && i < QN_LSTM_OF_GAINS;
    bool of_gain = i >= QN_LSTM_OF_GAINS && i < QN_LSTM_OF_PROJECTION;
    qn_multiplier q = qn_multiplier_of(of_cell   ? maker_scale(m, 0x1p-20, 0x1p-12)
                                       : of_gain ? maker_scale(m, 0x1p-6, 0.5)
                                       : wide    ? maker_scale(m, 0x1p-16, 0x1p-6)
                                                 : maker_scale(m, 0.01, 2.0));
    mantissas[i] = q.mantissa;
    shifts[i] = q.shift;
  }
  out[0] = maker_const(m, i32, 1, &count, mantissas);
  out[1] = maker_const(m, i32, 1, &count, shifts);
}

/* A fixed-point gate may have all parts. */
typedef struct cell {
  bool fixed, wide, peepholes, normalized, projected;
  int64_t units, outputs;
} cell;

static cell random_cell(maker *m) {
  cell c = {.fixed = maker_chance(m, 70), .units = maker_range(m, 1, 21)};
  c.outputs = c.units;
  c.wide = !c.fixed && maker_chance(m, 50);
  if (!c.fixed) return c;
  c.peepholes = maker_chance(m, 40);
  c.normalized = maker_chance(m, 40);
  c.projected = maker_chance(m, 40);
  if (c.projected) c.outputs = maker_range(m, 1, 21);
  return c;
}

static uint32_t add_parts(maker *m, const cell *c, qn_value **operands) {
  uint32_t count = QN_LSTM_PLAIN;
  for (uint32_t i = 0; c->peepholes && i < QN_LSTM_PEEPHOLES; i++)
    operands[count++] = random_row(m, c->units);
  for (uint32_t i = 0; c->normalized && i < QN_LSTM_GAINS; i++)
    operands[count++] = random_row(m, c->units);
  if (!c->projected) return count;
  operands[count++] = random_weights(m, 8, c->outputs, c->units);
  operands[count++] = random_i32(m, c->outputs, 20000);
  return count;
}

enum {
  MOST_OPERANDS =
      QN_LSTM_PLAIN + QN_LSTM_PEEPHOLES + QN_LSTM_GAINS + QN_LSTM_PROJECTION + QN_LSTM_NUMBERS
};

void case_lstm(maker *m) {
  int64_t batch = maker_range(m, 1, 2), time = maker_range(m, 1, 4), depth = maker_range(m, 1, 20);
  const cell c = random_cell(m);
  uint32_t width = c.wide ? 16 : 8;
  if (c.wide && maker_chance(m, 20)) depth = maker_range(m, 250, 600);
  bool major = maker_chance(m, 30);
  int64_t outer = major ? time : batch, inner = major ? batch : time;
  const qn_type *types[] = {tensor_of(m, width, 3, (int64_t[]){outer, inner, c.outputs}),
                            tensor_of(m, width, 2, (int64_t[]){batch, c.outputs}),
                            tensor_of(m, 16, 2, (int64_t[]){batch, c.units})};
  qn_value *operands[MOST_OPERANDS] = {
      maker_input(m, tensor_of(m, width, 3, (int64_t[]){outer, inner, depth})),
      maker_input(m, types[1]), maker_input(m, types[2])};
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    operands[QN_LSTM_WEIGHTS + g] = random_weights(m, 8, c.units, depth);
    operands[QN_LSTM_RECURRENT + g] = random_weights(m, 8, c.units, c.outputs);
    operands[QN_LSTM_BIAS + g] =
        random_bias(m, c.wide ? 64 : 32, c.units, c.normalized ? 1 << 24 : 20000);
  }
  bool has_parts = c.peepholes || c.normalized || c.projected;
  uint32_t count = add_parts(m, &c, operands), attr_count = 12;
  random_products(m, has_parts ? QN_LSTM_ALL_MULTIPLIERS : QN_LSTM_FEW_MULTIPLIERS, c.wide,
                  operands + count);
  count += QN_LSTM_NUMBERS;
  const uint32_t sizes[QN_CELL_SEGMENTS] = {1,
                                            2,
                                            QN_GATE_COUNT,
                                            QN_GATE_COUNT,
                                            QN_GATE_COUNT,
                                            c.peepholes ? QN_LSTM_PEEPHOLES : 0,
                                            c.normalized ? QN_LSTM_GAINS : 0,
                                            c.projected ? QN_LSTM_PROJECTION : 0,
                                            QN_LSTM_NUMBERS};
  qn_multiplier y = qn_multiplier_of(c.wide ? maker_scale(m, 0x1p-17, 0x1p-14)
                                            : maker_scale(m, 0x1p-24, 0x1p-22));
  const int64_t guards[] = {1, 7, 100, 9000};
  qn_named_attr attrs[15] = {
      NAMED("operandSegmentSizes", qn_cell_segments(m->cx, QN_OP_ML_INTEGER_LSTM, sizes)),
      NAMED("time_major", qn_attr_bool(m->cx, major)),
      NAMED("input_zero_point", maker_i64(m, c.wide ? 0 : maker_range(m, -128, 127))),
      NAMED("state_zero_point", maker_i64(m, c.wide ? 0 : maker_range(m, -128, 127))),
      NAMED("cell_shift", maker_i64(m, maker_range(m, -15, -9))),
      NAMED("cell_limit", maker_i64(m, maker_chance(m, 50) ? maker_range(m, 1, INT16_MAX) : 0)),
      NAMED("gates", qn_attr_string(m->cx, qn_str_of(c.fixed ? "fixed" : "table"))),
      NAMED("multiplier", maker_i64(m, y.mantissa)),
      NAMED("shift", maker_i64(m, y.shift)),
      NAMED("output_zero_point", maker_i64(m, c.wide ? 0 : maker_range(m, -128, 127))),
      NAMED("min", maker_i64(m, c.wide ? INT16_MIN : -128)),
      NAMED("max", maker_i64(m, c.wide ? INT16_MAX : 127))};
  if (c.fixed && maker_chance(m, 30))
    attrs[attr_count++] = (qn_named_attr)NAMED("coupled", qn_attr_bool(m->cx, true));
  if (c.normalized)
    attrs[attr_count++] =
        (qn_named_attr)NAMED("guards", qn_attr_i64s(m->cx, guards, QN_COUNT(guards)));
  if (c.projected)
    attrs[attr_count++] =
        (qn_named_attr)NAMED("product_zero_point", maker_i64(m, maker_range(m, -127, 128)));
  make(m, QN_OP_ML_INTEGER_LSTM, operands, count, types, 3, attrs, attr_count);
}

void case_rescale(maker *m) {
  static const uint32_t widths[] = {8, 16, 32};
  uint32_t from = widths[maker_range(m, 0, 2)], to = widths[maker_range(m, 0, 2)];
  int64_t count = maker_dim(m) * maker_range(m, 1, 40), lo, hi;
  bool is_unsigned = to == 8 && maker_chance(m, 40);
  const qn_type *element = to == 8 ? maker_byte(m, is_unsigned) : qn_type_i(m->cx, to);
  const qn_type *in = from == 8 ? maker_byte(m, maker_chance(m, 40)) : qn_type_i(m->cx, from);
  qn_storage_range(to, !is_unsigned, &lo, &hi);
  qn_multiplier q = qn_multiplier_of(maker_scale(m, 1e-5, 100));
  qn_value *x = maker_input(m, maker_tensor(m, in, 1, &count));
  const qn_named_attr attrs[] = {
      NAMED("input_zero_point", maker_i64(m, maker_range(m, -128, 127))),
      NAMED("multiplier", maker_i64(m, q.mantissa)),
      NAMED("shift", maker_i64(m, q.shift)),
      NAMED("output_zero_point", maker_i64(m, is_unsigned ? 128 : maker_range(m, -128, 127))),
      NAMED("min", maker_i64(m, maker_chance(m, 30) ? 0 : lo)),
      NAMED("max", maker_i64(m, maker_chance(m, 30) ? hi / 2 : hi))};
  const qn_type *type = maker_tensor(m, element, 1, &count);
  make(m, QN_OP_ML_INTEGER_RESCALE, &x, 1, &type, 1, attrs, QN_COUNT(attrs));
}
