/* Verifiers of ml ops with states, and of their integer forms, which have the same shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

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
         has_state(cx, op, SVDF_STATE, 1) && check_svdf_elements(cx, op);
}

/* ---- lstm ---- */

typedef struct cell {
  int64_t batch, depth, units, outputs;
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
    ok = is_matrix(cx, op, QN_LSTM_WEIGHTS + g, 8, c->units, c->depth) &&
         is_matrix(cx, op, QN_LSTM_RECURRENT + g, 8, c->units, c->outputs) &&
         is_row(cx, op, QN_LSTM_BIAS + g, c->wide ? 64 : 32, c->units);
  return ok;
}

static bool check_parts(qn_ir_context *cx, const qn_op *op, const cell *c) {
  const qn_lstm_parts *p = &c->parts;
  bool ok = true;
  for (uint32_t i = 0; ok && p->peepholes && i < QN_LSTM_PEEPHOLES; i++)
    ok = is_row(cx, op, p->peepholes + i, 16, c->units);
  for (uint32_t i = 0; ok && p->gains && i < QN_LSTM_GAINS; i++)
    ok = is_row(cx, op, p->gains + i, 16, c->units);
  if (ok && p->projection)
    ok = is_matrix(cx, op, p->projection, 8, c->outputs, c->units) &&
         is_row(cx, op, p->projection + 1, 32, c->outputs);
  if (!ok) return false;
  if (!p->projection && c->units != c->outputs)
    return qn_op_complain(cx, op, "%lld units give %lld outputs without a projection",
                          (long long)c->units, (long long)c->outputs);
  return true;
}

/* Checks the operands and attributes of layer normalization, one per gate. */
static bool check_norm(qn_ir_context *cx, const qn_op *op, const cell *c) {
  qn_attr_id id = is_integer_form(op) ? QN_A_GUARDS : QN_A_GATE_SCALES;
  const qn_attr *list = qn_op_find(op, id);
  uint32_t count = !list ? 0 : is_integer_form(op) ? qn_op_guards(op).count : list->array.count;
  bool ok = count == (c->parts.gains ? QN_GATE_COUNT : 0);
  for (uint32_t g = 0; ok && !is_integer_form(op) && g < count; g++) {
    const qn_attr *scale = list->array.items[g];
    ok = scale->kind == QN_ATTR_FLOAT && scale->number > 0 && scale->number <= FLT_MAX;
  }
  if (ok) return true;
  return qn_op_complain(cx, op, "attribute '%s' needs %d positive numbers where there are gains",
                        qn_attr_decls[id].name, QN_GATE_COUNT);
}

static bool check_lstm_integers(qn_ir_context *cx, const qn_op *op, const cell *c) {
  if (!is_integer_form(op)) return true;
  int64_t products =
      qn_lstm_has_parts(&c->parts) ? QN_LSTM_ALL_MULTIPLIERS : QN_LSTM_FEW_MULTIPLIERS;
  if (c->wide && (qn_lstm_has_parts(&c->parts) || qn_op_coupled(op)))
    return qn_op_complain(cx, op, "cells of 16-bit inputs have no further parts");
  uint32_t width = c->wide ? 16 : 8;
  return stores(cx, op, "operand", QN_LSTM_X, qn_ml_in(op, QN_LSTM_X), width) &&
         stores(cx, op, "operand", QN_LSTM_HIDDEN, qn_ml_in(op, QN_LSTM_HIDDEN), width) &&
         stores(cx, op, "operand", QN_LSTM_CELL, qn_ml_in(op, QN_LSTM_CELL), 16) &&
         stores(cx, op, "result", 0, qn_ml_out(op), width) &&
         is_row(cx, op, QN_LSTM_MULTIPLIER, 32, products) &&
         is_row(cx, op, QN_LSTM_SHIFT, 32, products);
}

bool qn_verify_ml_lstm(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op)) return false;
  cell c = {.batch = 0};
  if (!qn_lstm_parts_of(op, &c.parts))
    return qn_op_complain(cx, op, "%u operands are none of the numbers that a cell can have",
                          op->operand_count);
  const qn_type *x = qn_ml_in(op, QN_LSTM_X), *hidden = qn_ml_in(op, QN_LSTM_HIDDEN),
                *state = qn_ml_in(op, QN_LSTM_CELL);
  if (x->shaped.rank != 3 || hidden->shaped.rank != 2 || state->shaped.rank != 2)
    return qn_op_complain(cx, op, "needs an input of rank 3 and states of rank 2");
  c.batch = x->shaped.dims[qn_op_time_major(op) ? 1 : 0];
  c.depth = x->shaped.dims[2];
  c.wide = is_integer_form(op) && qn_is_i(qn_type_element(x), 16);
  c.units = state->shaped.dims[1];
  c.outputs = hidden->shaped.dims[1];
  const int64_t y[] = {x->shaped.dims[0], x->shaped.dims[1], c.outputs};
  return has_dims(cx, op, "operand", QN_LSTM_HIDDEN, hidden, 2, (int64_t[]){c.batch, c.outputs}) &&
         has_dims(cx, op, "operand", QN_LSTM_CELL, state, 2, (int64_t[]){c.batch, c.units}) &&
         has_dims(cx, op, "result", 0, qn_ml_out(op), 3, y) &&
         has_state(cx, op, QN_LSTM_HIDDEN, 1) && has_state(cx, op, QN_LSTM_CELL, 2) &&
         check_gates(cx, op, &c) && check_parts(cx, op, &c) && check_norm(cx, op, &c) &&
         check_lstm_integers(cx, op, &c);
}
