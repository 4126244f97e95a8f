/* ml.lstm, with all parts that a cell may have: weights of the cell, an input gate coupled to the
 * forget gate, layer normalization, a projection (docs/arithmetic.md 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "quant/table16.h"
#include "runtime/fixed16.h"

typedef struct lstm {
  int64_t batch, time, depth, units, outputs;
  bool time_major;
  const qn_plan_lstm *plan;
  qn_lstm_parts parts;
  const int32_t *x; /* minus its zero point */
  const int32_t *weights[QN_GATE_COUNT], *recurrent[QN_GATE_COUNT], *bias[QN_GATE_COUNT];
  const qn_rt_value *wide_bias[QN_GATE_COUNT];
  const int32_t *peephole[QN_GATE_COUNT], *gain[QN_GATE_COUNT]; /* [gate] NULL if none */
  const int32_t *projection, *projection_bias;
  int32_t *gates[QN_GATE_COUNT]; /* [gate] sums of one time step */
  int32_t *product;              /* input of the projection, minus its zero point */
  uint16_t sigmoid[256];
} lstm;

static int32_t dot(const int32_t *a, const int32_t *b, int64_t count) {
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += (uint32_t)a[i] * (uint32_t)b[i];
  return (int32_t)sum;
}

static int64_t wide_dot(const int32_t *a, const int32_t *b, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += (int64_t)a[i] * b[i];
  return sum;
}

static int32_t scaled(int32_t x, qn_multiplier m) { return qn_requant32(x, m.mantissa, m.shift); }

/* ---- gates ---- */

/* The sum of a gate before normalization or its function. Table gates saturate both products;
 * fixed-point gates saturate the first one, then the sum. */
static int32_t wide_gate_sum(const lstm *l, int g, const int32_t *x, const int32_t *hidden,
                             int64_t unit) {
  const qn_multiplier *of_input = &l->plan->of_input[g], *of_hidden = &l->plan->of_hidden[g];
  int64_t a =
      wide_dot(l->weights[g] + unit * l->depth, x, l->depth) + qn_rt_int(l->wide_bias[g], unit);
  int64_t b = wide_dot(l->recurrent[g] + unit * l->outputs, hidden, l->outputs);
  return qn_sat16(qn_sat16(qn_requant64(a, of_input->mantissa, of_input->shift)) +
                  qn_sat16(qn_requant64(b, of_hidden->mantissa, of_hidden->shift)));
}

static int32_t gate_sum(const lstm *l, int g, const int32_t *x, const int32_t *hidden,
                        const int32_t *cell, int64_t unit) {
  const qn_plan_lstm *p = l->plan;
  if (p->wide) return wide_gate_sum(l, g, x, hidden, unit);
  int32_t a = dot(l->weights[g] + unit * l->depth, x, l->depth);
  int32_t b = dot(l->recurrent[g] + unit * l->outputs, hidden, l->outputs);
  if (!l->gain[g]) a = qn_wrap_add32(a, l->bias[g][unit]);
  int64_t of_hidden = scaled(b, p->of_hidden[g]);
  if (p->gates != QN_GATES_FIXED) of_hidden = qn_sat16(of_hidden);
  int32_t sum = qn_sat16(qn_sat16(scaled(a, p->of_input[g])) + of_hidden);
  if (!l->peephole[g]) return sum;
  int64_t of_cell = scaled(l->peephole[g][unit] * cell[unit], p->of_peephole[g]);
  return qn_sat16(sum + of_cell);
}

/* Normalizes the sums of a gate by their standard deviation, in steps of 2^-10, and multiplies by
 * the gains. */
static void normalize(const lstm *l, int g) {
  enum { STEPS = 1024, POWER = 1 << 20 };
  int32_t *sums = l->gates[g];
  int64_t total = 0, squares = 0;
  for (int64_t u = 0; u < l->units; u++) {
    total += sums[u];
    squares += (int64_t)sums[u] * sums[u];
  }
  int32_t mean = (int32_t)(total * STEPS / l->units);
  int64_t spread = squares * (POWER / l->units) - (int64_t)mean * mean;
  int32_t variance = (int32_t)(spread / POWER);
  qn_fixed_recip root = qn_fixed_inv_sqrt(variance < 1 ? l->plan->guards[g] : variance);
  for (int64_t u = 0; u < l->units; u++) {
    int32_t y = qn_requant32(STEPS * sums[u] - mean, root.value, -root.exponent);
    y = qn_wrap_add32(qn_wrap_mul32(y, l->gain[g][u]), l->bias[g][u]);
    sums[u] = qn_sat16(scaled(qn_rdivp2(y, 10), l->plan->of_gain[g]));
  }
}

static int32_t gate(const lstm *l, int g, int32_t input) {
  enum { BITS = 3, MULTIPLIER = 3 }; /* for the input scale 2^-12 */
  bool tanh = g == QN_GATE_CELL;
  if (l->plan->gates == QN_GATES_FIXED)
    return tanh ? qn_fixed16_tanh(input, BITS) : qn_fixed16_logistic(input, BITS);
  return tanh ? qn_tanh16(l->sigmoid, input, MULTIPLIER, 0)
              : qn_logistic16(l->sigmoid, input, MULTIPLIER, 0);
}

static void run_gate(const lstm *l, int g, const int32_t *x, const int32_t *hidden,
                     const int32_t *cell) {
  for (int64_t u = 0; u < l->units; u++) l->gates[g][u] = gate_sum(l, g, x, hidden, cell, u);
  if (l->gain[g]) normalize(l, g);
  for (int64_t u = 0; u < l->units; u++) l->gates[g][u] = gate(l, g, l->gates[g][u]);
}

/* ---- a step ---- */

static int32_t next_cell(const lstm *l, int32_t forget, int32_t cell, int32_t input,
                         int32_t candidate) {
  const qn_plan_lstm *p = l->plan;
  int32_t kept = forget * cell, added = input * candidate, sum;
  if (p->gates == QN_GATES_FIXED) {
    sum = qn_wrap16(qn_rdivp2(kept, 15)) + qn_wrap16(qn_rdivp2(added, 30 + p->cell_shift));
  } else {
    qn_multiplier of_kept = {1 << 30, -14}, of_added = {1 << 30, -29 - p->cell_shift};
    sum = qn_sat16(scaled(kept, of_kept)) + qn_sat16(scaled(added, of_added));
  }
  sum = qn_sat16(sum);
  return p->cell_limit ? qn_clamp32(sum, -p->cell_limit, p->cell_limit) : sum;
}

static int32_t tanh_of_cell(const lstm *l, int32_t cell) {
  int32_t bits = 15 + l->plan->cell_shift; /* integer bits of the cell */
  if (l->plan->gates == QN_GATES_FIXED) return qn_fixed16_tanh(cell, bits);
  return bits >= 3 ? qn_tanh16(l->sigmoid, cell, 3 << (bits - 3), 0)
                   : qn_tanh16(l->sigmoid, cell, 3, 3 - bits);
}

/* One time step of one batch element; updates hidden (minus its zero point) and cell. */
static void run_step(const lstm *l, const int32_t *x, int32_t *hidden, int32_t *cell) {
  const qn_plan_lstm *p = l->plan;
  for (int g = p->coupled ? QN_GATE_FORGET : QN_GATE_INPUT; g < QN_GATE_OUTPUT; g++)
    run_gate(l, g, x, hidden, cell);
  for (int64_t u = 0; u < l->units; u++) {
    int32_t forget = l->gates[QN_GATE_FORGET][u];
    int32_t input = p->coupled ? INT16_MAX - forget : l->gates[QN_GATE_INPUT][u];
    cell[u] = next_cell(l, forget, cell[u], input, l->gates[QN_GATE_CELL][u]);
  }
  run_gate(l, QN_GATE_OUTPUT, x, hidden, cell);
  const qn_plan_output eight = {p->projected_zero_point, INT8_MIN, INT8_MAX};
  const qn_plan_output *output = l->projection ? &eight : &p->output;
  int32_t zero = l->projection ? p->projected_zero_point : p->hidden_zero_point;
  int32_t *product = l->projection ? l->product : hidden;
  for (int64_t u = 0; u < l->units; u++) {
    int32_t y = scaled(l->gates[QN_GATE_OUTPUT][u] * tanh_of_cell(l, cell[u]), p->y);
    product[u] = qn_ref_finish(output, y) - zero;
  }
  if (!l->projection) return;
  for (int64_t o = 0; o < l->outputs; o++) {
    int32_t y = dot(l->projection + o * l->units, product, l->units);
    y = scaled(qn_wrap_add32(y, l->projection_bias[o]), p->projection);
    hidden[o] = qn_ref_finish(&p->output, y) - p->hidden_zero_point;
  }
}

/* ---- operands ---- */

/* Loads an operand; NULL if it has another size. */
static const int32_t *load(qn_eval *ev, const qn_op *op, uint32_t operand, int64_t count,
                           bool *fits) {
  const qn_rt_value *value = qn_eval_operand(ev, op, operand);
  *fits = *fits && qn_rt_count(value) == count;
  return *fits ? qn_ref_load(ev, value, 0) : NULL;
}

static bool load_gate(qn_eval *ev, const qn_op *op, lstm *l, uint32_t g) {
  bool fits = true;
  l->weights[g] = load(ev, op, QN_LSTM_WEIGHTS + g, l->units * l->depth, &fits);
  l->recurrent[g] = load(ev, op, QN_LSTM_RECURRENT + g, l->units * l->outputs, &fits);
  l->wide_bias[g] = qn_eval_operand(ev, op, QN_LSTM_BIAS + g);
  l->bias[g] = load(ev, op, QN_LSTM_BIAS + g, l->units, &fits);
  if (l->parts.peepholes && g != QN_GATE_CELL)
    l->peephole[g] = load(ev, op, qn_lstm_peephole(&l->parts, g), l->units, &fits);
  if (l->parts.gains) l->gain[g] = load(ev, op, l->parts.gains + g, l->units, &fits);
  l->gates[g] = QN_NEW_ARRAY(ev->arena, (size_t)l->units + 1, int32_t);
  return fits;
}

static bool load_projection(qn_eval *ev, const qn_op *op, lstm *l) {
  bool fits = l->parts.projection || l->units == l->outputs;
  if (!fits || !l->parts.projection) return fits;
  l->product = QN_NEW_ARRAY(ev->arena, (size_t)l->units + 1, int32_t);
  l->projection = load(ev, op, l->parts.projection, l->outputs * l->units, &fits);
  l->projection_bias = load(ev, op, l->parts.projection + 1, l->outputs, &fits);
  return fits;
}

static qn_status open_lstm(qn_eval *ev, const qn_op *op, lstm *l) {
  const qn_type *x = qn_ref_operand_type(op, QN_LSTM_X);
  const qn_type *hidden = qn_ref_operand_type(op, QN_LSTM_HIDDEN);
  const qn_type *cell = qn_ref_operand_type(op, QN_LSTM_CELL);
  if (x->shaped.rank != 3 || hidden->shaped.rank != 2 || cell->shaped.rank != 2)
    return qn_eval_fail(ev, op, "needs an input of rank 3 and states of rank 2");
  l->time_major = qn_op_time_major(op);
  l->batch = x->shaped.dims[l->time_major ? 1 : 0];
  l->time = x->shaped.dims[l->time_major ? 0 : 1];
  l->depth = x->shaped.dims[2];
  l->units = cell->shaped.dims[1];
  l->outputs = hidden->shaped.dims[1];
  l->parts = qn_lstm_parts_of(op);
  int64_t kept = l->batch * l->outputs, state = l->batch * l->units;
  bool fits = l->units > 0 && qn_rt_count(qn_eval_operand(ev, op, QN_LSTM_HIDDEN)) == kept &&
              qn_rt_count(qn_eval_operand(ev, op, QN_LSTM_CELL)) == state &&
              qn_rt_count(qn_eval_result(ev, op, 0)) == kept * l->time &&
              qn_rt_count(qn_eval_result(ev, op, 1)) == kept &&
              qn_rt_count(qn_eval_result(ev, op, 2)) == state;
  for (uint32_t g = 0; fits && g < QN_GATE_COUNT; g++) fits = load_gate(ev, op, l, g);
  if (!fits || !load_projection(ev, op, l))
    return qn_eval_fail(ev, op, "has operands whose shapes don't fit");
  l->x = qn_ref_load(ev, qn_eval_operand(ev, op, QN_LSTM_X), l->plan->input_zero_point);
  return QN_OK;
}

qn_status qn_ref_lstm(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  lstm l = {.plan = &plan->lstm};
  QN_TRY(open_lstm(ev, op, &l));
  qn_sigmoid_table(l.sigmoid);
  int32_t zero = l.plan->hidden_zero_point;
  int32_t *hidden = qn_ref_load(ev, qn_eval_operand(ev, op, QN_LSTM_HIDDEN), zero);
  int32_t *cell = qn_ref_load(ev, qn_eval_operand(ev, op, QN_LSTM_CELL), 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  for (int64_t n = 0; n < l.batch; n++)
    for (int64_t t = 0; t < l.time; t++) {
      int64_t row = l.time_major ? t * l.batch + n : n * l.time + t;
      int32_t *state = hidden + n * l.outputs;
      run_step(&l, l.x + row * l.depth, state, cell + n * l.units);
      for (int64_t o = 0; o < l.outputs; o++)
        qn_rt_set_int(y, row * l.outputs + o, state[o] + zero);
    }
  for (int64_t i = 0; i < l.batch * l.outputs; i++)
    qn_rt_set_int(qn_eval_result(ev, op, 1), i, hidden[i] + zero);
  for (int64_t i = 0; i < l.batch * l.units; i++)
    qn_rt_set_int(qn_eval_result(ev, op, 2), i, cell[i]);
  return QN_OK;
}

qn_status qn_eval_ml_integer_lstm(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_lstm, qn_ref_lstm);
}
