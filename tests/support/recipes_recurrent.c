/* Recipes of ops with states. States are operands and results like other tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/plan.h"
#include "tests/support/recipes.h"

enum { GATES = 4 };

/* An int8 type in any model, because these ops do not support uint8. */
static const qn_type *activation8(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  return qn_random_signed(m, 8, qn_random_real(m, 0.002, 0.2), qn_random_between(m, -128, 127),
                          rank, dims);
}

static qn_value *weights(qn_random_model *m, uint32_t width, int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  const qn_type *type = qn_random_signed(m, width, qn_random_real(m, 0.001, 0.05), 0, 2, dims);
  size_t size = (size_t)(rows * columns) * (width / 8);
  if (qn_random_is_variable(m)) return qn_random_input(m, type);
  uint8_t *bytes = QN_NEW_ARRAY(&m->cx.arena, size + 1, uint8_t);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)qn_choose(&m->choices, 256);
  return qn_random_const(m, type, bytes, size);
}

static bool has_room(const qn_random_model *m, uint32_t arguments) {
  return qn_op_body(m->func)->arg_count + arguments <= QN_RANDOM_MAX_ARGS;
}

static void build(qn_random_model *m, qn_op_kind kind, qn_value *const *operands, uint32_t count,
                  const qn_type *const *types, uint32_t results, const qn_named_attr *attrs,
                  uint32_t attr_count) {
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = count,
                                            .result_types = types,
                                            .result_count = results,
                                            .attrs = attrs,
                                            .attr_count = attr_count});
  for (uint32_t i = results; i-- > 0;) qn_pool_add(m, qn_op_result(op, i));
}

bool qn_make_svdf(qn_random_model *m, qn_op_kind kind) {
  if (!has_room(m, 2)) return false;
  int64_t batch = qn_random_between(m, 1, 2), depth = qn_random_between(m, 1, 20),
          rank = qn_random_between(m, 1, 3), units = qn_random_between(m, 1, 9),
          memory = qn_random_between(m, 1, 9);
  uint32_t width = qn_random_chance(m, 2) ? 8 : 16;
  int64_t zero = width == 8 ? qn_random_between(m, -128, 127) : 0;
  const qn_type *types[] = {activation8(m, 2, (int64_t[]){batch, units}),
                            qn_random_signed(m, width,
                                             qn_random_real(m, width == 8 ? 0.01 : 0.0001, 0.5),
                                             zero, 2, (int64_t[]){batch, units * rank * memory})};
  qn_value *operands[5];
  operands[0] = qn_random_input(m, activation8(m, 2, (int64_t[]){batch, depth}));
  operands[1] = qn_random_input(m, types[1]);
  operands[2] = weights(m, 8, units * rank, depth);
  operands[3] = weights(m, width, units * rank, memory);
  operands[4] = qn_random_bias32(m, units);
  build(m, kind, operands, qn_random_chance(m, 4) ? 4 : 5, types, 2, NULL, 0);
  return true;
}

/* ---- lstm ---- */

/* Properties of a cell that are drawn before its operands. */
typedef struct lstm {
  int64_t batch, time, depth, units, outputs;
  bool major, wide, coupled, peepholes, gains, projected, product;
  qn_value *operands[3 + 3 * GATES + 3 + GATES + 2];
  uint32_t count;
  qn_named_attr attrs[9];
  uint32_t attr_count;
} lstm;

static void set(lstm *l, const char *name, const qn_attr *value) {
  l->attrs[l->attr_count++] = (qn_named_attr){qn_str_of(name), value};
}
static const qn_attr *real_of(qn_random_model *m, double value) {
  return qn_attr_float(&m->cx, value, qn_type_float(&m->cx, QN_F32));
}

/* A random power of 2 between 2^low and 2^high. */
static double stepped(qn_random_model *m, int low, int high) {
  return qn_random_real(m, ldexp(1, low), ldexp(1, high));
}

/* A constant row of random stored values. */
static qn_value *row(qn_random_model *m, double scale, int64_t size) {
  return qn_random_bytes(m, qn_random_signed(m, 16, scale, 0, 1, &size));
}

static qn_value *wide_bias(qn_random_model *m, int64_t size) {
  int64_t *values = QN_NEW_ARRAY(&m->cx.arena, (size_t)size, int64_t);
  for (int64_t i = 0; i < size; i++) values[i] = qn_random_between(m, -4000000, 4000000);
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 64), 1, &size);
  return qn_random_const(m, type, values, (size_t)size * sizeof *values);
}

/* Draws optional parts of the cell, among those that the profile supports. */
static void draw_parts(qn_random_model *m, lstm *l) {
  qn_planner planner;
  bool fixed = qn_planner_of(m->module, &m->cx.arena, m->cx.diag.unknown, &planner) == QN_OK &&
               planner.profile->gates == QN_GATES_FIXED;
  l->wide = !fixed && qn_random_chance(m, 2);
  if (!fixed) return;
  l->coupled = qn_random_chance(m, 3);
  l->peepholes = qn_random_chance(m, 3);
  l->gains = qn_random_chance(m, 3);
  l->projected = qn_random_chance(m, 3);
  l->product = l->projected || qn_random_chance(m, 4);
  if (l->projected) l->outputs = qn_random_between(m, 1, 11);
}

static void take_gates(qn_random_model *m, lstm *l) {
  for (int g = 0; g < GATES; g++) {
    l->operands[3 + g] = weights(m, 8, l->units, l->depth);
    l->operands[3 + GATES + g] = weights(m, 8, l->units, l->outputs);
    l->operands[3 + 2 * GATES + g] =
        l->wide ? wide_bias(m, l->units) : qn_random_bias32(m, l->units);
  }
  l->count = 3 + 3 * GATES;
}

static void take_parts(qn_random_model *m, lstm *l) {
  for (int g = 0; l->peepholes && g < GATES - 1; g++)
    l->operands[l->count++] = row(m, stepped(m, -16, -12), l->units);
  const qn_attr *scales[GATES];
  for (int g = 0; l->gains && g < GATES; g++) {
    l->operands[l->count++] = row(m, stepped(m, -17, -13), l->units);
    scales[g] = real_of(m, stepped(m, -14, -9));
  }
  if (l->gains) set(l, "gate_scales", qn_attr_array(&m->cx, scales, GATES));
  if (l->coupled) set(l, "coupled", qn_attr_bool(&m->cx, true));
  if (l->product) {
    set(l, "product_scale", real_of(m, qn_random_real(m, 0.002, 0.02)));
    set(l, "product_zero_point", qn_attr_i64(&m->cx, qn_random_between(m, -128, 127)));
  }
  if (!l->projected) return;
  l->operands[l->count++] = weights(m, 8, l->outputs, l->units);
  l->operands[l->count++] = qn_random_bias32(m, l->outputs);
  if (qn_random_chance(m, 2)) set(l, "projection_clip", real_of(m, 0.3));
}

bool qn_make_lstm(qn_random_model *m, qn_op_kind kind) {
  if (!has_room(m, 3)) return false;
  lstm l = {.batch = qn_random_between(m, 1, 2),
            .time = qn_random_between(m, 1, 3),
            .depth = qn_random_between(m, 1, 12),
            .units = qn_random_between(m, 1, 11),
            .major = qn_random_chance(m, 3)};
  l.outputs = l.units;
  draw_parts(m, &l);
  int64_t outer = l.major ? l.time : l.batch, inner = l.major ? l.batch : l.time;
  uint32_t width = l.wide ? 16 : 8;
  double scale = l.wide ? stepped(m, -17, -15) : qn_random_real(m, 0.005, 0.01);
  int64_t zero = l.wide ? 0 : qn_random_between(m, -30, 30);
  const int64_t x[] = {outer, inner, l.depth}, y[] = {outer, inner, l.outputs};
  const qn_type *types[] = {
      qn_random_signed(m, width, scale, zero, 3, y),
      qn_random_signed(m, width, scale, zero, 2, (int64_t[]){l.batch, l.outputs}),
      qn_random_signed(m, 16, ldexp(1, (int)qn_random_between(m, -15, -9)), 0, 2,
                       (int64_t[]){l.batch, l.units})};
  const qn_type *given =
      l.wide ? qn_random_signed(m, 16, stepped(m, -17, -12), 0, 3, x) : activation8(m, 3, x);
  l.operands[0] = qn_random_input(m, given);
  l.operands[1] = qn_random_input(m, types[1]);
  l.operands[2] = qn_random_input(m, types[2]);
  take_gates(m, &l);
  set(&l, "time_major", qn_attr_bool(&m->cx, l.major));
  if (!qn_random_chance(m, 3))
    set(&l, "cell_clip", real_of(m, qn_random_chance(m, 2) ? 0.9 : 10.0));
  take_parts(m, &l);
  const uint32_t sizes[QN_CELL_SEGMENTS] = {1,
                                            2,
                                            GATES,
                                            GATES,
                                            GATES,
                                            l.peepholes ? QN_LSTM_PEEPHOLES : 0,
                                            l.gains ? QN_LSTM_GAINS : 0,
                                            l.projected ? QN_LSTM_PROJECTION : 0};
  set(&l, "operandSegmentSizes", qn_cell_segments(&m->cx, kind, sizes));
  build(m, kind, l.operands, l.count, types, 3, l.attrs, l.attr_count);
  return true;
}

/* ---- rnn, on floats alone ---- */

static qn_value *reals(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_float(&m->cx, QN_F32), rank, dims);
  return qn_random_is_variable(m) ? qn_random_input(m, type) : qn_random_constant(m, type);
}

bool qn_make_rnn(qn_random_model *m, qn_op_kind kind) {
  if (!has_room(m, 5)) return false;
  const qn_type *f32 = qn_type_float(&m->cx, QN_F32);
  int64_t batch = qn_random_between(m, 1, 2), time = qn_random_between(m, 1, 3),
          depth = qn_random_between(m, 1, 12), units = qn_random_between(m, 1, 11);
  bool major = qn_random_chance(m, 3);
  int64_t outer = major ? time : batch, inner = major ? batch : time;
  const qn_type *types[] = {qn_type_tensor(&m->cx, f32, 3, (int64_t[]){outer, inner, units}),
                            qn_type_tensor(&m->cx, f32, 2, (int64_t[]){batch, units})};
  qn_value *operands[5];
  operands[0] =
      qn_random_input(m, qn_type_tensor(&m->cx, f32, 3, (int64_t[]){outer, inner, depth}));
  operands[1] = qn_random_input(m, types[1]);
  operands[2] = reals(m, 2, (int64_t[]){units, depth});
  operands[3] = reals(m, 2, (int64_t[]){units, units});
  operands[4] = reals(m, 1, &units);
  const uint32_t sizes[QN_CELL_SEGMENTS] = {1, 1, 1, 1, 1};
  uint32_t activation = (uint32_t)qn_random_between(m, QN_CELL_TANH, QN_CELL_RELU6);
  const qn_named_attr attrs[] = {
      {qn_str_of("operandSegmentSizes"), qn_cell_segments(&m->cx, kind, sizes)},
      {qn_str_of("time_major"), qn_attr_bool(&m->cx, major)},
      {qn_str_of("backward"), qn_attr_bool(&m->cx, qn_random_chance(m, 2))},
      {qn_str_of("cell_activation"), qn_attr_word(&m->cx, QN_A_CELL_ACTIVATION, activation)}};
  build(m, kind, operands, 5, types, 2, attrs, QN_COUNT(attrs));
  return true;
}
