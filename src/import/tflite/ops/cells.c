/* Recurrent cells on floats, with weights of floats or of 8 bits: LSTM and RNN, one step or a
 * sequence of them, in one direction or both. What the input contributes is computed for all steps
 * at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/cell.h"
#include "ir/ops/forms.h"
#include "import/tflite/tflite.h"

enum { GATES = 4 };
enum { INPUT_GATE, FORGET_GATE, CELL_GATE, OUTPUT_GATE };

/* First operand of each group; 0 if none. */
typedef struct lstm_layout {
  uint32_t weights, recurrent, peepholes, biases, projection, hidden, cell, normalization;
} lstm_layout;

typedef struct lstm {
  qn_value *products[GATES]; /* [gate] products of the input, for all time steps */
  qn_value *recurrent[GATES], *projection;
  qn_value *peepholes[GATES], *gains[GATES], *biases[GATES], *projection_bias;
  bool coupled; /* coupled input gate: 1 - forget gate */
  int64_t units, outputs;
  double cell_clip, projection_clip;
} lstm;

static bool open_sequence(qn_graph_op *op, bool single, bool time_major, qn_cell_sequence *out_s) {
  const qn_cell_form form = {.single = single,
                             .time_major = time_major,
                             .activation = qn_graph_option(op, "ACTIVATION"),
                             .asymmetric = qn_graph_option(op, "ASYMMETRIC_INPUTS") != 0};
  return qn_cell_open(op, &form, out_s);
}

/* Defines the results of both directions, possibly concatenated. */
static void define_both(qn_cell_sequence *s, qn_value *const *y, const qn_graph_shape *shapes) {
  bool merges = qn_graph_option(s->op, "MERGE_OUTPUTS") != 0;
  if (s->op->outputs.count != (merges ? 1u : 2u)) {
    qn_graph_error(s->op, NULL, QN_INVALID, "%u results where %d are expected",
                   s->op->outputs.count, merges ? 1 : 2);
    return;
  }
  if (!merges) {
    for (uint32_t i = 0; i < 2; i++) qn_cell_define(s, i, y[i], &shapes[i]);
    return;
  }
  qn_graph_shape shape = shapes[0];
  shape.dims[2] += shapes[1].dims[2];
  qn_value *both = qn_graph_part(s->op, QN_OP_ML_CONCAT, s->f32, &shape, y, 2,
                                 QN_ATTRS({"axis", qn_attr_i64(s->op->graph->cx, 2)}));
  qn_cell_define(s, 0, both, &shape);
}
/* ---- LSTM ---- */

static bool open_gate(qn_cell_sequence *s, const lstm_layout *l, lstm *c, uint32_t gate) {
  qn_graph_op *op = s->op;
  qn_value *weights = qn_cell_matrix(op, l->weights + gate, c->units, s->depth);
  c->recurrent[gate] = qn_cell_matrix(op, l->recurrent + gate, c->units, c->outputs);
  c->biases[gate] = qn_cell_vector(op, l->biases + gate, c->units);
  if (gate != CELL_GATE) { /* the cell gate has no peephole weights */
    uint32_t place = gate == OUTPUT_GATE ? 2 : gate;
    c->peepholes[gate] = qn_cell_vector(op, l->peepholes + place, c->units);
  }
  if (l->normalization) c->gains[gate] = qn_cell_vector(op, l->normalization + gate, c->units);
  if (op->failed) return false;
  if (!c->biases[gate])
    return qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", l->biases + gate);
  /* A normalized sum adds its bias after normalization. */
  c->products[gate] = qn_cell_product(s, s->x, weights, c->gains[gate] ? NULL : c->biases[gate]);
  return true;
}

static bool open_lstm(qn_cell_sequence *s, const lstm_layout *l, lstm *c) {
  qn_graph_op *op = s->op;
  const qn_graph_tensor *forget = qn_cell_optional(op, l->weights + FORGET_GATE),
                        *projection = qn_cell_optional(op, l->projection);
  if (s->activation == 0)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                          "a cell without an activation is not supported: the runtimes leave "
                          "its gates undefined");
  c->coupled = !qn_cell_optional(op, l->weights + INPUT_GATE);
  if (op->failed || !forget || forget->shape.rank != 2 ||
      (projection && projection->shape.rank != 2))
    return qn_graph_error(op, forget, QN_INVALID, "weights are no matrix, or missing");
  c->units = forget->shape.dims[0];
  c->outputs = projection ? projection->shape.dims[0] : c->units;
  if (projection) {
    c->projection = qn_cell_matrix(op, l->projection, c->outputs, c->units);
    c->projection_bias = qn_cell_vector(op, l->projection + 1, c->outputs);
  }
  for (uint32_t gate = c->coupled ? FORGET_GATE : INPUT_GATE; gate < GATES; gate++)
    if (!open_gate(s, l, c, gate)) return false;
  return !op->failed;
}

/* The sum of a gate before its activation function. */
static qn_value *gate_sum(qn_cell_sequence *s, const lstm *c, uint32_t gate, int64_t step,
                          qn_value *hidden, qn_value *cell) {
  qn_ir_context *cx = s->op->graph->cx;
  const int64_t axes[] = {1};
  qn_value *sum = qn_cell_at_step(s, c->products[gate], step);
  sum = qn_cell_binary(s, QN_OP_ML_ADD, sum, qn_cell_product(s, hidden, c->recurrent[gate], NULL));
  if (c->peepholes[gate])
    sum = qn_cell_binary(s, QN_OP_ML_ADD, sum,
                         qn_cell_binary(s, QN_OP_ML_MUL, cell, c->peepholes[gate]));
  if (!c->gains[gate]) return sum;
  const qn_graph_shape shape = {2, {s->batch, c->units}};
  const qn_attr *epsilon = qn_attr_float(cx, 1e-8, qn_type_float(cx, QN_F64));
  return qn_graph_part(s->op, QN_OP_ML_LAYER_NORM, s->f32, &shape,
                       (qn_value *[]){sum, c->gains[gate], c->biases[gate]}, 3,
                       QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"epsilon", epsilon}));
}

static qn_value *sigmoid_gate(qn_cell_sequence *s, const lstm *c, uint32_t gate, int64_t step,
                              qn_value *hidden, qn_value *cell) {
  return qn_cell_unary(s, QN_OP_ML_SIGMOID, gate_sum(s, c, gate, step, hidden, cell));
}

static void lstm_step(qn_cell_sequence *s, const lstm *c, int64_t step, qn_value **hidden,
                      qn_value **cell) {
  const qn_graph_shape shape = {2, {s->batch, c->units}};
  qn_value *forget = sigmoid_gate(s, c, FORGET_GATE, step, *hidden, *cell), *input;
  if (c->coupled)
    input = qn_graph_part(s->op, QN_OP_ML_SUB, s->f32, &shape,
                          (qn_value *[]){qn_cell_number(s, 1), forget}, 2, NULL);
  else
    input = sigmoid_gate(s, c, INPUT_GATE, step, *hidden, *cell);
  qn_value *given = qn_cell_activated(s, gate_sum(s, c, CELL_GATE, step, *hidden, *cell));
  qn_value *kept = qn_cell_binary(s, QN_OP_ML_MUL, forget, *cell);
  *cell = qn_cell_binary(s, QN_OP_ML_ADD, kept, qn_cell_binary(s, QN_OP_ML_MUL, given, input));
  *cell = qn_cell_clipped(s, *cell, c->cell_clip);
  qn_value *output = sigmoid_gate(s, c, OUTPUT_GATE, step, *hidden, *cell);
  *hidden = qn_cell_binary(s, QN_OP_ML_MUL, output, qn_cell_activated(s, *cell));
  if (!c->projection) return;
  *hidden = qn_cell_product(s, *hidden, c->projection, c->projection_bias);
  *hidden = qn_cell_clipped(s, *hidden, c->projection_clip);
}

/* All time steps of one direction; NULL on error. */
static qn_value *run_lstm(qn_cell_sequence *s, const lstm_layout *l, lstm *c, bool backward,
                          qn_graph_shape *out_shape) {
  if (!open_lstm(s, l, c)) return NULL;
  qn_graph_tensor *states[] = {qn_cell_state(s->op, l->hidden, s->batch, c->outputs),
                               qn_cell_state(s->op, l->cell, s->batch, c->units)};
  if (!states[0] || !states[1]) return NULL;
  qn_value *hidden = qn_graph_value(s->op, states[0]), *cell = qn_graph_value(s->op, states[1]);
  qn_value **steps = QN_NEW_ARRAY(&s->op->graph->arena, (size_t)s->steps, qn_value *);
  if (!hidden || !cell) return NULL;
  for (int64_t i = 0; i < s->steps; i++) {
    int64_t step = backward ? s->steps - 1 - i : i;
    lstm_step(s, c, step, &hidden, &cell);
    steps[step] = hidden;
  }
  states[0]->value = hidden;
  states[1]->value = cell;
  return qn_cell_joined(s, steps, out_shape);
}

static bool read_clips(qn_graph_op *op, lstm *out_c) {
  *out_c = (lstm){.cell_clip = qn_graph_real_option(op, "CELL_CLIP"),
                  .projection_clip = qn_graph_real_option(op, "PROJECTION_CLIP")};
  return (isfinite(out_c->cell_clip) && isfinite(out_c->projection_clip)) ||
         qn_graph_error(op, NULL, QN_INVALID, "a clip is not finite");
}

static const lstm_layout one_way = {1, 5, 9, 12, 16, 18, 19, 20};

void qn_tflite_float_lstm(qn_graph_op *op) {
  qn_cell_sequence s;
  lstm c;
  qn_graph_shape shape;
  if (!read_clips(op, &c) || !open_sequence(op, false, qn_graph_option(op, "TIME_MAJOR") != 0, &s))
    return;
  qn_value *y = run_lstm(&s, &one_way, &c, false, &shape);
  if (y) qn_cell_define(&s, 0, y, &shape);
}

void qn_tflite_import_lstm_step(qn_graph_op *op) {
  qn_cell_sequence s;
  lstm c;
  qn_graph_shape shape;
  if (qn_graph_option(op, "KERNEL") != 0) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "the basic kernel is not supported");
    return;
  }
  if (!read_clips(op, &c) || !open_sequence(op, true, false, &s)) return;
  qn_value *y = run_lstm(&s, &one_way, &c, false, &shape);
  if (y) qn_cell_define(&s, 0, y, &shape);
}

static bool has_auxiliary(qn_graph_op *op, uint32_t operand) {
  const qn_graph_tensor *auxiliary = qn_cell_optional(op, operand);
  return auxiliary &&
         !qn_graph_error(op, auxiliary, QN_UNSUPPORTED, "an auxiliary input is not supported");
}

/* Opens a bidirectional operator with two outputs, one per direction. */
static bool open_both(qn_graph_op *op, uint32_t auxiliary, qn_cell_sequence *out) {
  return !has_auxiliary(op, auxiliary) &&
         open_sequence(op, false, qn_graph_option(op, "TIME_MAJOR") != 0, out);
}

void qn_tflite_import_lstm_both(qn_graph_op *op) {
  static const lstm_layout layouts[] = {{1, 5, 9, 12, 16, 35, 36, 0},
                                        {18, 22, 26, 29, 33, 37, 38, 0}};
  enum { AUXILIARY = 39 };
  qn_cell_sequence s;
  lstm c;
  qn_value *y[2];
  qn_graph_shape shapes[2];
  if (!open_both(op, AUXILIARY, &s)) return;
  for (uint32_t i = 0; i < 2; i++) {
    if (!read_clips(op, &c)) return;
    y[i] = run_lstm(&s, &layouts[i], &c, i == 1, &shapes[i]);
    if (!y[i]) return;
  }
  define_both(&s, y, shapes);
}

/* ---- RNN: y = activation(W x + R y' + bias) ---- */

/* Computes all time steps of an RNN. `first`: index of the first of the operands weights, recurrent
 * weights, bias, state. */
static qn_value *run_rnn(qn_cell_sequence *s, uint32_t first, bool backward,
                         qn_graph_shape *out_shape) {
  qn_graph_op *op = s->op;
  const qn_graph_tensor *weights = qn_cell_optional(op, first);
  int64_t units = weights && weights->shape.rank == 2 ? weights->shape.dims[0] : 0;
  qn_value *w = qn_cell_matrix(op, first, units, s->depth),
           *r = qn_cell_matrix(op, first + 1, units, units);
  qn_value *bias = qn_cell_vector(op, first + 2, units);
  if (op->failed || !bias) {
    if (!op->failed) qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", first + 2);
    return NULL;
  }
  qn_graph_tensor *kept = qn_cell_state(op, first + 3, s->batch, units);
  qn_value *hidden = kept ? qn_graph_value(op, kept) : NULL;
  if (!hidden) return NULL;
  qn_value *products = qn_cell_product(s, s->x, w, bias);
  /* Kernels skip a state of 0, so the sum keeps its sign: -0 is added instead. */
  qn_value *nothing = qn_type_quant(r->type) ? qn_cell_row(s, -0.0F, units) : NULL;
  qn_value **steps = QN_NEW_ARRAY(&op->graph->arena, (size_t)s->steps, qn_value *);
  for (int64_t i = 0; i < s->steps; i++) {
    int64_t step = backward ? s->steps - 1 - i : i;
    qn_value *sum = qn_cell_at_step(s, products, step);
    hidden = qn_cell_activated(
        s, qn_cell_binary(s, QN_OP_ML_ADD, sum, qn_cell_product(s, hidden, r, nothing)));
    steps[step] = hidden;
  }
  kept->value = hidden;
  return qn_cell_joined(s, steps, out_shape);
}

static void import_rnn(qn_graph_op *op, bool single, bool time_major) {
  qn_cell_sequence s;
  qn_graph_shape shape;
  if (!open_sequence(op, single, time_major, &s)) return;
  qn_value *y = run_rnn(&s, 1, false, &shape);
  if (y) qn_cell_define(&s, 0, y, &shape);
}
void qn_tflite_import_rnn_step(qn_graph_op *op) { import_rnn(op, true, false); }
void qn_tflite_import_rnn(qn_graph_op *op) {
  import_rnn(op, false, qn_graph_option(op, "TIME_MAJOR") != 0);
}

void qn_tflite_import_rnn_both(qn_graph_op *op) {
  enum { AUXILIARY = 9 };
  qn_cell_sequence s;
  qn_value *y[2];
  qn_graph_shape shapes[2];
  if (!open_both(op, AUXILIARY, &s)) return;
  for (uint32_t i = 0; i < 2; i++) {
    y[i] = run_rnn(&s, 1 + 4 * i, i == 1, &shapes[i]);
    if (!y[i]) return;
  }
  define_both(&s, y, shapes);
}

/* ---- SVDF: a state of the last values of each filter, weighted by their time ---- */

static qn_value *of_cube(qn_cell_sequence *s, qn_op_kind kind, const qn_graph_shape *shape,
                         qn_value *const *operands, uint32_t count, const qn_attr_arg *attrs) {
  return qn_graph_part(s->op, kind, s->f32, shape, operands, count, attrs);
}

/* Sums over the last dimension. */
static qn_value *row_sums(qn_cell_sequence *s, qn_value *x) {
  qn_ir_context *cx = s->op->graph->cx;
  const int64_t axes[] = {2}, *dims = x->type->shaped.dims;
  const qn_graph_shape shape = {2, {dims[0], dims[1]}};
  return of_cube(
      s, QN_OP_ML_REDUCE_SUM, &shape, &x, 1,
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, false)}));
}

/* The state without its oldest values, with the newest appended. */
static qn_value *moved(qn_cell_sequence *s, qn_value *state, qn_value *newest, int64_t filters,
                       int64_t memory) {
  qn_ir_context *cx = s->op->graph->cx;
  const qn_graph_shape cube = {3, {s->batch, filters, memory}},
                       kept = {3, {s->batch, filters, memory - 1}},
                       one = {3, {s->batch, filters, 1}};
  const int64_t begin[] = {0, 0, 1}, end[] = {s->batch, filters, memory}, stride[] = {1, 1, 1};
  qn_value *parts[2] = {qn_graph_view(s->op, state, &cube)};
  newest = qn_graph_view(s->op, newest, &one);
  if (memory == 1) return newest;
  parts[0] =
      of_cube(s, QN_OP_ML_SLICE_BY_INDEX, &kept, parts, 1,
              QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 3)}, {"end", qn_attr_i64s(cx, end, 3)},
                       {"stride", qn_attr_i64s(cx, stride, 3)}));
  parts[1] = newest;
  return of_cube(s, QN_OP_ML_CONCAT, &cube, parts, 2, QN_ATTRS({"axis", qn_attr_i64(cx, 2)}));
}

void qn_tflite_float_svdf(qn_graph_op *op) {
  enum { FEATURES = 1, TIMES, BIAS, STATE };
  qn_cell_sequence s;
  const qn_graph_tensor *features = qn_cell_optional(op, FEATURES),
                        *times = qn_cell_optional(op, TIMES);
  int64_t rank = qn_graph_option(op, "RANK");
  if (!open_sequence(op, true, false, &s)) return;
  if (!features || !times || features->shape.rank != 2 || times->shape.rank != 2 || rank < 1 ||
      features->shape.dims[0] % rank != 0) {
    qn_graph_error(op, features, QN_INVALID, "weights of filters, %lld for each unit, are expected",
                   (long long)rank);
    return;
  }
  int64_t filters = features->shape.dims[0], memory = times->shape.dims[1], units = filters / rank;
  const qn_graph_shape cube = {3, {s.batch, filters, memory}},
                       flat = {2, {s.batch, filters * memory}}, ranks = {3, {s.batch, units, rank}},
                       shape = {2, {s.batch, units}};
  qn_value *weights = qn_cell_matrix(op, FEATURES, filters, s.depth);
  qn_value *of_times = qn_cell_floats(op, TIMES, (qn_graph_shape){2, {filters, memory}});
  qn_value *bias = qn_cell_vector(op, BIAS, units);
  qn_graph_tensor *state = op->failed ? NULL : qn_cell_state(op, STATE, s.batch, filters * memory);
  qn_value *value = state ? qn_graph_value(op, state) : NULL;
  if (!value || !weights || !of_times) return;
  value = moved(&s, value, qn_cell_product(&s, s.x, weights, NULL), filters, memory);
  qn_value *y = of_cube(&s, QN_OP_ML_MUL, &cube, (qn_value *[]){value, of_times}, 2, NULL);
  y = qn_graph_view(op, row_sums(&s, y), &ranks);
  y = rank > 1 ? row_sums(&s, y) : qn_graph_view(op, y, &shape);
  if (bias) y = qn_cell_binary(&s, QN_OP_ML_ADD, y, bias);
  state->value = qn_graph_part(op, QN_OP_ML_RESHAPE, s.f32, &flat, &value, 1, NULL);
  qn_cell_define(&s, 0, qn_cell_activated(&s, y), &shape);
}
