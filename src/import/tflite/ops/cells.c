/* Recurrent cells on floats, with weights of floats or of 8 bits: LSTM and RNN, one step or a
 * sequence of them, in one direction or both; SVDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/cell.h"
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"
#include "ir/ops/lstm.h"

/* First operand of each group; 0 if none. */
typedef struct lstm_layout {
  uint32_t weights, recurrent, peepholes, biases, projection, hidden, cell, normalization;
} lstm_layout;

static bool activation_of(qn_graph_op *op, qn_cell_activation *out) {
  static const qn_cell_activation by_number[] = {QN_CELL_NONE, QN_CELL_RELU, QN_CELL_RELU_N1_TO_1,
                                                 QN_CELL_RELU6, QN_CELL_TANH};
  int64_t number = qn_graph_option(op, "ACTIVATION");
  if (number < 0 || number >= (int64_t)QN_COUNT(by_number))
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "the activation %lld is not supported",
                          (long long)number);
  *out = by_number[number];
  return true;
}

static bool open_sequence(qn_graph_op *op, bool single, bool time_major, qn_cell_sequence *out_s) {
  qn_cell_options options = {.single = single,
                             .time_major = time_major && !single,
                             .asymmetric = qn_graph_option(op, "ASYMMETRIC_INPUTS") != 0};
  return activation_of(op, &options.activation) && qn_cell_open(op, &options, out_s);
}

/* Defines the results of both directions, possibly concatenated. */
static void define_both(qn_cell_sequence *s, qn_value *const *y) {
  bool merges = qn_graph_option(s->op, "MERGE_OUTPUTS") != 0;
  if (s->op->outputs.count != (merges ? 1u : 2u)) {
    qn_graph_error(s->op, NULL, QN_INVALID, "%u results where %d are expected",
                   s->op->outputs.count, merges ? 1 : 2);
    return;
  }
  if (!merges) {
    for (uint32_t i = 0; i < 2; i++) qn_cell_define(s, i, y[i]);
    return;
  }
  int64_t width = y[0]->type->shaped.dims[2] + y[1]->type->shaped.dims[2];
  const qn_graph_shape shape = qn_cell_result_shape(s, width);
  qn_value *both = qn_graph_part(s->op, QN_OP_ML_CONCAT, s->f32, &shape, y, 2,
                                 QN_ATTRS({"axis", qn_attr_i64(s->op->graph->cx, 2)}));
  qn_cell_define(s, 0, both);
}

/* A state as an operand of the cell. */
static bool take_state(const qn_cell_sequence *s, qn_cell *cell, uint32_t i, int64_t size) {
  uint32_t number = cell->sizes[QN_CELL_STATES];
  qn_graph_tensor *state = qn_cell_state(s->op, i, s->batch, size);
  cell->states[number] = state;
  return state && qn_cell_take(cell, QN_CELL_STATES, qn_graph_value(s->op, state));
}

static bool is_missing(qn_graph_op *op, uint32_t i) {
  return op->failed || !qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", i);
}

/* ---- LSTM ---- */

typedef struct lstm {
  qn_cell cell;
  bool coupled; /* the input gate has no operands: the forget gate's are placeholders */
  int64_t units, outputs;
} lstm;

static bool take_matrices(const qn_cell_sequence *s, lstm *c, qn_cell_segment segment,
                          uint32_t first, int64_t columns) {
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    uint32_t gate = g == QN_GATE_INPUT && c->coupled ? QN_GATE_FORGET : g;
    if (!qn_cell_take(&c->cell, segment, qn_cell_matrix(s->op, first + gate, c->units, columns)))
      return false;
  }
  return true;
}

/* Vectors of the gates from operand `first` on; an optional part may have none. */
static bool take_vectors(const qn_cell_sequence *s, lstm *c, qn_cell_segment segment,
                         uint32_t first, uint32_t count, bool optional) {
  if (optional && (!first || !qn_cell_optional(s->op, first + QN_GATE_FORGET))) return true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t operand = first + (i == QN_GATE_INPUT && c->coupled ? QN_GATE_FORGET : i);
    qn_value *value = qn_cell_vector(s->op, operand, c->units);
    if (!qn_cell_take(&c->cell, segment, value)) return !is_missing(s->op, operand);
  }
  return true;
}

static bool take_projection(const qn_cell_sequence *s, lstm *c, uint32_t first) {
  qn_graph_op *op = s->op;
  if (!qn_cell_optional(op, first)) return !op->failed;
  qn_value *weights = qn_cell_matrix(op, first, c->outputs, c->units),
           *bias = weights ? qn_cell_vector(op, first + 1, c->outputs) : NULL;
  if (!qn_cell_take(&c->cell, QN_CELL_PROJECTION, weights)) return false;
  if (bias) qn_cell_take(&c->cell, QN_CELL_PROJECTION, bias);
  return !op->failed;
}

static bool open_lstm(qn_cell_sequence *s, const lstm_layout *l, lstm *c) {
  qn_graph_op *op = s->op;
  const qn_graph_tensor *forget = qn_cell_optional(op, l->weights + QN_GATE_FORGET),
                        *projection = qn_cell_optional(op, l->projection);
  if (s->options.activation == QN_CELL_NONE)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                          "a cell without an activation is not supported: the runtimes leave "
                          "its gates undefined");
  c->coupled = !qn_cell_optional(op, l->weights + QN_GATE_INPUT);
  if (op->failed || !forget || forget->shape.rank != 2 ||
      (projection && projection->shape.rank != 2))
    return qn_graph_error(op, forget, QN_INVALID, "weights are no matrix, or missing");
  c->units = forget->shape.dims[0];
  c->outputs = projection ? projection->shape.dims[0] : c->units;
  return true;
}

static bool read_clips(qn_graph_op *op, lstm *c) {
  static const struct {
    const char *option, *attr;
  } clips[] = {{"CELL_CLIP", "cell_clip"}, {"PROJECTION_CLIP", "projection_clip"}};
  qn_ir_context *cx = op->graph->cx;
  for (size_t i = 0; i < QN_COUNT(clips); i++) {
    double clip = qn_graph_real_option(op, clips[i].option);
    if (!isfinite(clip)) return qn_graph_error(op, NULL, QN_INVALID, "a clip is not finite");
    if (clip > 0)
      qn_graph_attr(&c->cell.attrs, clips[i].attr,
                    qn_attr_float(cx, clip, qn_type_float(cx, QN_F32)));
  }
  if (c->coupled) qn_graph_attr(&c->cell.attrs, "coupled", qn_attr_bool(cx, true));
  return true;
}

/* The cell of one direction; NULL, reported, on error. */
static qn_value *build_lstm(qn_cell_sequence *s, const lstm_layout *l, bool backward) {
  lstm c = {.cell = qn_cell_begin(s, QN_OP_ML_LSTM, backward)};
  if (!open_lstm(s, l, &c) || !read_clips(s->op, &c) ||
      !take_state(s, &c.cell, l->hidden, c.outputs) || !take_state(s, &c.cell, l->cell, c.units) ||
      !take_matrices(s, &c, QN_CELL_WEIGHTS, l->weights, s->depth) ||
      !take_matrices(s, &c, QN_CELL_RECURRENT, l->recurrent, c.outputs) ||
      !take_vectors(s, &c, QN_CELL_BIASES, l->biases, QN_GATE_COUNT, false) ||
      !take_vectors(s, &c, QN_CELL_PEEPHOLES, l->peepholes, QN_LSTM_PEEPHOLES, true) ||
      !take_vectors(s, &c, QN_CELL_GAINS, l->normalization, QN_LSTM_GAINS, true) ||
      !take_projection(s, &c, l->projection))
    return NULL;
  const qn_graph_shape shape = qn_cell_result_shape(s, c.outputs);
  return qn_cell_build(&c.cell, &shape);
}

static const lstm_layout one_way = {1, 5, 9, 12, 16, 18, 19, 20};

static void import_lstm(qn_graph_op *op, bool single, bool time_major) {
  qn_cell_sequence s;
  if (!open_sequence(op, single, time_major, &s)) return;
  qn_value *y = build_lstm(&s, &one_way, false);
  if (y) qn_cell_define(&s, 0, y);
}

void qn_tflite_float_lstm(qn_graph_op *op) {
  import_lstm(op, false, qn_graph_option(op, "TIME_MAJOR") != 0);
}

void qn_tflite_import_lstm_step(qn_graph_op *op) {
  if (qn_graph_option(op, "KERNEL") != 0) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "the basic kernel is not supported");
    return;
  }
  import_lstm(op, true, false);
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
  qn_value *y[2];
  if (!open_both(op, AUXILIARY, &s)) return;
  for (uint32_t i = 0; i < 2; i++) {
    y[i] = build_lstm(&s, &layouts[i], i == 1);
    if (!y[i]) return;
  }
  define_both(&s, y);
}

/* ---- RNN ---- */

/* The cell of one direction; NULL, reported, on error. `first`: weights, recurrent weights, bias,
 * state. */
static qn_value *build_rnn(qn_cell_sequence *s, uint32_t first, bool backward) {
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
  qn_cell cell = qn_cell_begin(s, QN_OP_ML_RNN, backward);
  if (!take_state(s, &cell, first + 3, units) || !qn_cell_take(&cell, QN_CELL_WEIGHTS, w) ||
      !qn_cell_take(&cell, QN_CELL_RECURRENT, r) || !qn_cell_take(&cell, QN_CELL_BIASES, bias))
    return NULL;
  const qn_graph_shape shape = qn_cell_result_shape(s, units);
  return qn_cell_build(&cell, &shape);
}

static void import_rnn(qn_graph_op *op, bool single, bool time_major) {
  qn_cell_sequence s;
  if (!open_sequence(op, single, time_major, &s)) return;
  qn_value *y = build_rnn(&s, 1, false);
  if (y) qn_cell_define(&s, 0, y);
}
void qn_tflite_import_rnn_step(qn_graph_op *op) { import_rnn(op, true, false); }
void qn_tflite_import_rnn(qn_graph_op *op) {
  import_rnn(op, false, qn_graph_option(op, "TIME_MAJOR") != 0);
}

void qn_tflite_import_rnn_both(qn_graph_op *op) {
  enum { AUXILIARY = 9 };
  qn_cell_sequence s;
  qn_value *y[2];
  if (!open_both(op, AUXILIARY, &s)) return;
  for (uint32_t i = 0; i < 2; i++) {
    y[i] = build_rnn(&s, 1 + 4 * i, i == 1);
    if (!y[i]) return;
  }
  define_both(&s, y);
}

/* ---- SVDF ---- */

void qn_tflite_float_svdf(qn_graph_op *op) {
  enum { X, FEATURES, TIMES, BIAS, STATE };
  qn_cell_activation activation = QN_CELL_NONE;
  const qn_graph_tensor *x = qn_graph_input(op, X), *features = qn_cell_optional(op, FEATURES),
                        *times = qn_cell_optional(op, TIMES);
  int64_t rank = qn_graph_option(op, "RANK");
  if (!activation_of(op, &activation) || !qn_cell_check_floats(op, x) ||
      !qn_cell_check_rank(op, x, 2))
    return;
  if (!features || !times || features->shape.rank != 2 || times->shape.rank != 2 || rank < 1 ||
      features->shape.dims[0] % rank != 0) {
    qn_graph_error(op, features, QN_INVALID, "weights of filters, %lld for each unit, are expected",
                   (long long)rank);
    return;
  }
  qn_ir_context *cx = op->graph->cx;
  int64_t batch = x->shape.dims[0], filters = features->shape.dims[0],
          memory = times->shape.dims[1], units = filters / rank;
  qn_value *operands[5] = {[X] = qn_graph_value(op, (qn_graph_tensor *)x)};
  operands[2] = qn_cell_matrix(op, FEATURES, filters, x->shape.dims[1]);
  operands[3] = qn_cell_floats(op, TIMES, (qn_graph_shape){2, {filters, memory}});
  operands[4] = qn_cell_vector(op, BIAS, units);
  qn_graph_tensor *state = op->failed ? NULL : qn_cell_state(op, STATE, batch, filters * memory);
  operands[1] = state ? qn_graph_value(op, state) : NULL;
  if (!operands[0] || !operands[1] || !operands[2] || !operands[3]) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "cell_activation", qn_attr_word(cx, QN_A_CELL_ACTIVATION, activation));
  if (qn_graph_option(op, "ASYMMETRIC_INPUTS") != 0)
    qn_graph_attr(&attrs, "asymmetric_inputs", qn_attr_bool(cx, true));
  const qn_graph_shape shape = {2, {batch, units}};
  qn_graph_build_with_states(op, QN_OP_ML_SVDF, operands, operands[4] ? 5 : 4, &attrs, &shape,
                             &state, 1);
}
