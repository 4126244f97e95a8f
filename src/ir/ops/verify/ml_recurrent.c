/* Verifiers of ml ops with states, and of their integer forms, which have the same shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "ir/cell_form/cell_form.h"
#include "ir/ops/lstm.h"
#include "ir/ops/ml.h"

static bool is_integer_form(const qn_op *op) { return !qn_op_has(op, QN_MODEL_STAGE); }

/* Checks that tensor `what` has these dimensions. */
static bool has_dims(qn_ir_context *cx, const qn_op *op, const char *what, uint32_t i,
                     const qn_type *type, uint32_t rank, const int64_t *dims) {
  bool same = type->shaped.rank == rank;
  for (uint32_t d = 0; same && d < rank; d++) same = type->shaped.dims[d] == dims[d];
  if (same) return true;
  const qn_type *expected = qn_type_tensor(cx, qn_type_element(type), rank, dims);
  return qn_op_complain(cx, op, "%s #%u is %s, but %s follows from the others", what, i,
                        qn_type_quoted(cx, type), qn_type_quoted(cx, expected));
}

static bool has_state(qn_ir_context *cx, const qn_op *op, uint32_t operand, uint32_t result) {
  if (qn_ml_in(op, operand) == op->results[result].type) return true;
  return qn_op_complain(cx, op, "operand #%u and result #%u are one state, but have two types",
                        operand, result);
}

/* Checks the storage of a tensor at the integer stage, where types have no quantization. */
static bool stores(qn_ir_context *cx, const qn_op *op, const char *what, uint32_t i,
                   const qn_type *type, uint32_t width) {
  if (!is_integer_form(op) || qn_is_i(qn_type_element(type), width)) return true;
  return qn_op_complain(cx, op, "%s #%u must have elements of i%u, but got %s", what, i, width,
                        qn_type_quoted(cx, type));
}

/* Checks a tensor of a cell on floats: f32, or quantized if it is a matrix of weights. */
static bool is_real(qn_ir_context *cx, const qn_op *op, uint32_t i, bool is_matrix) {
  const qn_type *type = qn_ml_in(op, i);
  if (qn_type_is_float(qn_type_element(type), QN_F32) || (is_matrix && qn_type_quant(type)))
    return true;
  return qn_op_complain(cx, op,
                        "operand #%u of a cell on floats must have elements of f32%s, but got %s",
                        i, is_matrix ? " or quantized ones" : "", qn_type_quoted(cx, type));
}
static bool gives_reals(qn_ir_context *cx, const qn_op *op) {
  if (qn_type_is_float(qn_type_element(qn_ml_out(op)), QN_F32)) return true;
  return qn_op_complain(cx, op,
                        "the result of a cell on floats must have elements of f32, but got %s",
                        qn_type_quoted(cx, qn_ml_out(op)));
}

/* ---- svdf ---- */

enum { SVDF_X, SVDF_STATE, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS };

static bool check_svdf_elements(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  const qn_type *state = qn_ml_in(op, SVDF_STATE), *times = qn_ml_in(op, SVDF_TIMES);
  const qn_type *element = qn_type_element(state);
  if (!(qn_is_i(element, 8) || qn_is_i(element, 16)) || qn_type_element(times) != element)
    return qn_op_complain(cx, op, "the state and its weights must both be i8 or both be i16");
  return stores(cx, op, "operand", SVDF_X, qn_ml_in(op, SVDF_X), 8) &&
         stores(cx, op, "operand", SVDF_FEATURES, qn_ml_in(op, SVDF_FEATURES), 8) &&
         stores(cx, op, "operand", SVDF_BIAS, qn_ml_in(op, SVDF_BIAS), 32) &&
         stores(cx, op, "result", 0, qn_ml_out(op), 8);
}

/* What only the op on floats has: an activation, which no profile reads. */
static bool check_svdf_reals(qn_ir_context *cx, const qn_op *op) {
  bool real = qn_cell_is_real(op);
  if (!is_integer_form(op) && real != (qn_op_find(op, QN_A_CELL_ACTIVATION) != NULL))
    return qn_op_complain(cx, op, "attribute 'cell_activation' must be there on floats alone");
  bool ok = !real || gives_reals(cx, op);
  for (uint32_t i = 0; ok && real && i < op->operand_count; i++)
    ok = is_real(cx, op, i, i == SVDF_FEATURES);
  return ok;
}

bool qn_verify_ml_svdf(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, SVDF_X), *features = qn_ml_in(op, SVDF_FEATURES),
                *times = qn_ml_in(op, SVDF_TIMES), *y = qn_ml_out(op);
  if (x->shaped.rank != 2 || features->shaped.rank != 2 || times->shaped.rank != 2 ||
      y->shaped.rank != 2)
    return qn_op_complain(cx, op, "needs an input, weights and a result of rank 2");
  int64_t batch = x->shaped.dims[0], depth = x->shaped.dims[1];
  int64_t filters = features->shaped.dims[0], memory = times->shaped.dims[1];
  int64_t units = y->shaped.dims[1];
  if (filters % units != 0)
    return qn_op_complain(cx, op, "%lld filters are not a multiple of %lld units",
                          (long long)filters, (long long)units);
  return has_dims(cx, op, "operand", SVDF_FEATURES, features, 2, (int64_t[]){filters, depth}) &&
         has_dims(cx, op, "operand", SVDF_TIMES, times, 2, (int64_t[]){filters, memory}) &&
         has_dims(cx, op, "operand", SVDF_STATE, qn_ml_in(op, SVDF_STATE), 2,
                  (int64_t[]){batch, filters * memory}) &&
         has_dims(cx, op, "result", 0, y, 2, (int64_t[]){batch, units}) &&
         (op->operand_count <= SVDF_BIAS ||
          has_dims(cx, op, "operand", SVDF_BIAS, qn_ml_in(op, SVDF_BIAS), 1, &units)) &&
         has_state(cx, op, SVDF_STATE, 1) && check_svdf_elements(cx, op) &&
         check_svdf_reals(cx, op) &&
         (op->kind != QN_OP_ML_INTEGER_SVDF || qn_ml_double_or_once(cx, op));
}

/* ---- segments of all cells ---- */

/* Checks the size of a segment, which is empty if the cell lacks an optional part. On floats a
 * projection may have no bias. */
static bool has_segment(qn_ir_context *cx, const qn_op *op, const qn_cell_record *record,
                        qn_cell_segment segment) {
  static const char *const names[] = {[QN_CELL_INPUT] = "inputs",
                                      [QN_CELL_STATES] = "states",
                                      [QN_CELL_WEIGHTS] = "weights",
                                      [QN_CELL_RECURRENT] = "recurrent weights",
                                      [QN_CELL_BIASES] = "biases",
                                      [QN_CELL_PEEPHOLES] = "peephole weights",
                                      [QN_CELL_GAINS] = "gains",
                                      [QN_CELL_PROJECTION] = "the projection",
                                      [QN_CELL_MULTIPLIERS] = "multipliers"};
  uint32_t size = qn_cell_size(op, segment), wanted = record->sizes[segment];
  bool optional = segment >= QN_CELL_PEEPHOLES && segment <= QN_CELL_PROJECTION;
  bool bare = segment == QN_CELL_PROJECTION && size == 1 && qn_cell_is_real(op);
  if (size == wanted || (optional && size == 0) || bare) return true;
  return qn_op_complain(cx, op, "'operandSegmentSizes' has %u for %s, but a cell has %u%s", size,
                        names[segment], wanted, optional && wanted ? " or none" : "");
}

static bool has_segments(qn_ir_context *cx, const qn_op *op) {
  const qn_cell_record *record = qn_cell_record_of(op->kind);
  uint32_t count = qn_cell_segment_count(record);
  bool ok = qn_check_segments(cx, op, count);
  for (uint32_t i = 0; ok && i < count; i++) ok = has_segment(cx, op, record, i);
  return ok;
}

/* Checks the elements of a cell on floats. */
static bool check_reals(qn_ir_context *cx, const qn_op *op) {
  uint32_t weights = qn_cell_first(op, QN_CELL_WEIGHTS), biases = qn_cell_first(op, QN_CELL_BIASES),
           projection = qn_cell_first(op, QN_CELL_PROJECTION);
  bool ok = gives_reals(cx, op);
  for (uint32_t i = 0; ok && i < op->operand_count; i++)
    ok = is_real(cx, op, i, (i >= weights && i < biases) || i == projection);
  return ok;
}

/* Checks the input, the result and the states, and that each gate's operands have its shape. */
typedef struct cell_dims {
  int64_t batch, depth, units, outputs;
} cell_dims;
static bool check_sequence(qn_ir_context *cx, const qn_op *op, cell_dims *out) {
  const qn_type *x = qn_ml_in(op, 0);
  uint32_t states = qn_cell_size(op, QN_CELL_STATES);
  bool ranks = x->shaped.rank == 3;
  for (uint32_t i = 0; i < states; i++) ranks &= qn_ml_in(op, 1 + i)->shaped.rank == 2;
  if (!ranks) return qn_op_complain(cx, op, "needs an input of rank 3 and states of rank 2");
  *out = (cell_dims){.batch = x->shaped.dims[qn_op_time_major(op) ? 1 : 0],
                     .depth = x->shaped.dims[2],
                     .units = qn_ml_in(op, states)->shaped.dims[1],
                     .outputs = qn_ml_in(op, 1)->shaped.dims[1]};
  const int64_t y[] = {x->shaped.dims[0], x->shaped.dims[1], out->outputs};
  bool ok = true;
  for (uint32_t i = 0; ok && i < states; i++)
    ok = has_dims(cx, op, "operand", 1 + i, qn_ml_in(op, 1 + i), 2,
                  (int64_t[]){out->batch, i + 1 == states ? out->units : out->outputs});
  ok = ok && has_dims(cx, op, "result", 0, qn_ml_out(op), 3, y);
  for (uint32_t i = 0; ok && i < states; i++) ok = has_state(cx, op, 1 + i, 1 + i);
  return ok;
}

/* ---- rnn ---- */

bool qn_verify_ml_rnn(qn_ir_context *cx, const qn_op *op) {
  cell_dims d;
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op) || !has_segments(cx, op) ||
      !check_sequence(cx, op, &d))
    return false;
  uint32_t weights = qn_cell_first(op, QN_CELL_WEIGHTS),
           recurrent = qn_cell_first(op, QN_CELL_RECURRENT),
           bias = qn_cell_first(op, QN_CELL_BIASES);
  return has_dims(cx, op, "operand", weights, qn_ml_in(op, weights), 2,
                  (int64_t[]){d.units, d.depth}) &&
         has_dims(cx, op, "operand", recurrent, qn_ml_in(op, recurrent), 2,
                  (int64_t[]){d.units, d.outputs}) &&
         has_dims(cx, op, "operand", bias, qn_ml_in(op, bias), 1, &d.units) && check_reals(cx, op);
}

/* ---- lstm ---- */

typedef struct cell {
  cell_dims d;
  bool wide; /* 16-bit activations, int64 accumulators */
  qn_lstm_parts parts;
} cell;

/* Checks the shape of operand i and, at the integer stage, its width. */
static bool is_matrix(qn_ir_context *cx, const qn_op *op, uint32_t i, uint32_t width, int64_t rows,
                      int64_t columns) {
  const qn_type *type = qn_ml_in(op, i);
  return has_dims(cx, op, "operand", i, type, 2, (int64_t[]){rows, columns}) &&
         stores(cx, op, "operand", i, type, width);
}
static bool is_row(qn_ir_context *cx, const qn_op *op, uint32_t i, uint32_t width, int64_t size) {
  const qn_type *type = qn_ml_in(op, i);
  return has_dims(cx, op, "operand", i, type, 1, &size) &&
         stores(cx, op, "operand", i, type, width);
}

static bool check_gates(qn_ir_context *cx, const qn_op *op, const cell *c) {
  bool ok = true;
  for (uint32_t g = 0; ok && g < QN_GATE_COUNT; g++)
    ok = is_matrix(cx, op, QN_LSTM_WEIGHTS + g, 8, c->d.units, c->d.depth) &&
         is_matrix(cx, op, QN_LSTM_RECURRENT + g, 8, c->d.units, c->d.outputs) &&
         is_row(cx, op, QN_LSTM_BIAS + g, c->wide ? 64 : 32, c->d.units);
  return ok;
}

static bool check_parts(qn_ir_context *cx, const qn_op *op, const cell *c) {
  const qn_lstm_parts *p = &c->parts;
  bool ok = true;
  for (uint32_t i = 0; ok && p->peepholes && i < QN_LSTM_PEEPHOLES; i++)
    ok = is_row(cx, op, p->peepholes + i, 16, c->d.units);
  for (uint32_t i = 0; ok && p->gains && i < QN_LSTM_GAINS; i++)
    ok = is_row(cx, op, p->gains + i, 16, c->d.units);
  if (ok && p->projection)
    ok = is_matrix(cx, op, p->projection, 8, c->d.outputs, c->d.units) &&
         (qn_cell_size(op, QN_CELL_PROJECTION) == 1 ||
          is_row(cx, op, p->projection + 1, 32, c->d.outputs));
  if (!ok) return false;
  if (!p->projection && c->d.units != c->d.outputs)
    return qn_op_complain(cx, op, "%lld units give %lld outputs without a projection",
                          (long long)c->d.units, (long long)c->d.outputs);
  return true;
}

/* Checks the operands and attributes of layer normalization, one per gate. */
static bool check_norm(qn_ir_context *cx, const qn_op *op, const cell *c) {
  qn_attr_id id = is_integer_form(op) ? QN_A_GUARDS : QN_A_GATE_SCALES;
  const qn_attr *list = qn_op_find(op, id);
  uint32_t count = !list ? 0 : is_integer_form(op) ? qn_op_guards(op).count : list->array.count;
  bool wanted = c->parts.gains && !qn_cell_is_real(op);
  bool ok = count == (wanted ? QN_GATE_COUNT : 0);
  for (uint32_t g = 0; ok && !is_integer_form(op) && g < count; g++) {
    const qn_attr *scale = list->array.items[g];
    ok = scale->kind == QN_ATTR_FLOAT && scale->number > 0 && scale->number <= FLT_MAX;
  }
  if (ok) return true;
  return qn_op_complain(
      cx, op, "attribute '%s' needs %d positive numbers where there are gains of integers",
      qn_attr_decls[id].name, QN_GATE_COUNT);
}

static bool check_lstm_integers(qn_ir_context *cx, const qn_op *op, const cell *c) {
  if (!is_integer_form(op)) return true;
  int64_t products =
      qn_lstm_has_parts(&c->parts) ? QN_LSTM_ALL_MULTIPLIERS : QN_LSTM_FEW_MULTIPLIERS;
  if (c->wide && (qn_lstm_has_parts(&c->parts) || qn_op_coupled(op)))
    return qn_op_complain(cx, op, "cells of 16-bit inputs have no further parts");
  uint32_t width = c->wide ? 16 : 8, first = qn_cell_first(op, QN_CELL_MULTIPLIERS);
  return stores(cx, op, "operand", QN_LSTM_X, qn_ml_in(op, QN_LSTM_X), width) &&
         stores(cx, op, "operand", QN_LSTM_HIDDEN, qn_ml_in(op, QN_LSTM_HIDDEN), width) &&
         stores(cx, op, "operand", QN_LSTM_CELL, qn_ml_in(op, QN_LSTM_CELL), 16) &&
         stores(cx, op, "result", 0, qn_ml_out(op), width) &&
         is_row(cx, op, first + QN_LSTM_MULTIPLIER, 32, products) &&
         is_row(cx, op, first + QN_LSTM_SHIFT, 32, products);
}

/* What only cells on floats have. */
static bool is_plain(qn_ir_context *cx, const qn_op *op) {
  if (!qn_op_backward(op) && qn_op_cell_activation(op) == QN_CELL_TANH) return true;
  return qn_op_complain(cx, op,
                        "only a cell on floats can be backward or have another activation "
                        "than tanh");
}

bool qn_verify_ml_lstm(qn_ir_context *cx, const qn_op *op) {
  cell c;
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op) || !has_segments(cx, op) ||
      !check_sequence(cx, op, &c.d))
    return false;
  c.parts = qn_lstm_parts_of(op);
  c.wide = is_integer_form(op) && qn_is_i(qn_type_element(qn_ml_in(op, QN_LSTM_X)), 16);
  return check_gates(cx, op, &c) && check_parts(cx, op, &c) && check_norm(cx, op, &c) &&
         check_lstm_integers(cx, op, &c) &&
         (qn_cell_is_real(op) ? check_reals(cx, op) : is_integer_form(op) || is_plain(cx, op));
}
