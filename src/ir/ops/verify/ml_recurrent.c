/* Verifiers of ml ops with states, and of their integer forms, which have the same shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"

static bool is_integer_form(const qn_op *op) { return !qn_op_has(op, QN_MODEL_STAGE); }

/* Tensor `what` has these dimensions. */
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

/* At the integer stage nothing else says how an element is stored. */
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
    return qn_op_complain(cx, op, "%lld filters are no multiple of %lld units", (long long)filters,
                          (long long)units);
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

enum {
  X,
  HIDDEN,
  CELL,
  WEIGHTS,
  GATES = 4,
  RECURRENT = WEIGHTS + GATES,
  BIAS = RECURRENT + GATES,
  MULTIPLIER = BIAS + GATES,
  SHIFT
};

static bool check_gates(qn_ir_context *cx, const qn_op *op, int64_t depth, int64_t units) {
  bool ok = true;
  for (uint32_t g = 0; ok && g < GATES; g++) {
    const qn_type *w = qn_ml_in(op, WEIGHTS + g), *r = qn_ml_in(op, RECURRENT + g),
                  *bias = qn_ml_in(op, BIAS + g);
    ok = has_dims(cx, op, "operand", WEIGHTS + g, w, 2, (int64_t[]){units, depth}) &&
         has_dims(cx, op, "operand", RECURRENT + g, r, 2, (int64_t[]){units, units}) &&
         has_dims(cx, op, "operand", BIAS + g, bias, 1, &units) &&
         stores(cx, op, "operand", WEIGHTS + g, w, 8) &&
         stores(cx, op, "operand", RECURRENT + g, r, 8) &&
         stores(cx, op, "operand", BIAS + g, bias, 32);
  }
  return ok;
}

static bool check_lstm_integers(qn_ir_context *cx, const qn_op *op) {
  if (!is_integer_form(op)) return true;
  int64_t products = 2 * GATES;
  bool ok = stores(cx, op, "operand", X, qn_ml_in(op, X), 8) &&
            stores(cx, op, "operand", HIDDEN, qn_ml_in(op, HIDDEN), 8) &&
            stores(cx, op, "operand", CELL, qn_ml_in(op, CELL), 16) &&
            stores(cx, op, "result", 0, qn_ml_out(op), 8);
  for (uint32_t i = MULTIPLIER; ok && i <= SHIFT; i++)
    ok = has_dims(cx, op, "operand", i, qn_ml_in(op, i), 1, &products) &&
         stores(cx, op, "operand", i, qn_ml_in(op, i), 32);
  return ok;
}

bool qn_verify_ml_lstm(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, X), *hidden = qn_ml_in(op, HIDDEN);
  if (x->shaped.rank != 3 || hidden->shaped.rank != 2)
    return qn_op_complain(cx, op, "needs an input of rank 3 and states of rank 2");
  int64_t units = hidden->shaped.dims[1];
  int64_t batch = x->shaped.dims[qn_op_time_major(op) ? 1 : 0];
  const int64_t state[] = {batch, units};
  const int64_t y[] = {x->shaped.dims[0], x->shaped.dims[1], units};
  return has_dims(cx, op, "operand", HIDDEN, hidden, 2, state) &&
         has_dims(cx, op, "operand", CELL, qn_ml_in(op, CELL), 2, state) &&
         has_dims(cx, op, "result", 0, qn_ml_out(op), 3, y) && has_state(cx, op, HIDDEN, 1) &&
         has_state(cx, op, CELL, 2) && check_gates(cx, op, x->shaped.dims[2], units) &&
         check_lstm_integers(cx, op);
}
