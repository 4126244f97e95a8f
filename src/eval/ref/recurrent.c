/* Ops with states: the new state is a result, so that the op reads and writes values like any other
 * (docs/arithmetic.md 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "quant/table16.h"
#include "runtime/fixed16.h"

static int32_t dot(const int32_t *a, const int32_t *b, int64_t count) {
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += (uint32_t)a[i] * (uint32_t)b[i];
  return (int32_t)sum;
}

static int32_t scaled(int32_t x, qn_multiplier m) { return qn_requant32(x, m.mantissa, m.shift); }

/* ---- svdf ---- */

enum { SVDF_X, SVDF_STATE, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS };

typedef struct svdf {
  int64_t batch, depth, filters, memory, units;
  const qn_plan_svdf *plan;
  int32_t *x, *features, *times; /* without zero points */
  const int32_t *bias;
} svdf;

/* All batches as one run, moved by one element; the last ones are written over. */
static void move_state(const qn_rt_value *from, qn_rt_value *to) {
  int64_t count = qn_rt_count(from);
  for (int64_t i = 0; i < count; i++)
    qn_rt_set_int(to, i, qn_rt_int(from, i + 1 < count ? i + 1 : i));
}

/* The state's type wraps what its zero point adds. */
static int32_t new_element(const svdf *s, int64_t n, int64_t f, uint32_t width) {
  int32_t sum = dot(s->x + n * s->depth, s->features + f * s->depth, s->depth);
  int32_t lo = -(1 << (width - 1)), hi = (1 << (width - 1)) - 1;
  int32_t y = qn_clamp32(scaled(sum, s->plan->state), lo, hi) + s->plan->state_zero_point;
  return width == 8 ? (int8_t)(uint8_t)y : (int16_t)(uint16_t)y;
}

static int32_t filtered(const svdf *s, const qn_rt_value *state, int64_t n, int64_t f) {
  uint32_t sum = 0;
  for (int64_t m = 0; m < s->memory; m++) {
    int64_t stored = qn_rt_int(state, (n * s->filters + f) * s->memory + m);
    sum += (uint32_t)s->times[f * s->memory + m] *
           (uint32_t)(int32_t)(stored - s->plan->state_zero_point);
  }
  return (int32_t)sum;
}

static void run_svdf(const svdf *s, qn_rt_value *y, qn_rt_value *state, uint32_t width) {
  int64_t rank = s->filters / s->units;
  for (int64_t n = 0; n < s->batch; n++)
    for (int64_t f = 0; f < s->filters; f++)
      qn_rt_set_int(state, (n * s->filters + f + 1) * s->memory - 1, new_element(s, n, f, width));
  for (int64_t n = 0; n < s->batch; n++)
    for (int64_t u = 0; u < s->units; u++) {
      int32_t sum = s->bias ? s->bias[u] : 0;
      for (int64_t r = 0; r < rank; r++)
        sum = qn_wrap_add32(sum, filtered(s, state, n, u * rank + r));
      qn_rt_set_int(y, n * s->units + u, qn_ref_finish(&s->plan->output, scaled(sum, s->plan->y)));
    }
}

qn_status qn_ref_svdf(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_type *features = qn_ref_operand_type(op, SVDF_FEATURES);
  const qn_type *times = qn_ref_operand_type(op, SVDF_TIMES), *y = qn_ref_result_type(op, 0);
  if (features->shaped.rank != 2 || times->shaped.rank != 2 || y->shaped.rank != 2)
    return qn_eval_fail(ev, op, "needs weights and a result of rank 2");
  svdf s = {.batch = y->shaped.dims[0],
            .units = y->shaped.dims[1],
            .filters = features->shaped.dims[0],
            .depth = features->shaped.dims[1],
            .memory = times->shaped.dims[1],
            .plan = &plan->svdf};
  const qn_rt_value *x = qn_eval_operand(ev, op, SVDF_X),
                    *state = qn_eval_operand(ev, op, SVDF_STATE);
  qn_rt_value *new_state = qn_eval_result(ev, op, 1);
  bool fits = s.units > 0 && s.filters % s.units == 0 && times->shaped.dims[0] == s.filters &&
              qn_rt_count(x) == s.batch * s.depth &&
              qn_rt_count(state) == s.batch * s.filters * s.memory &&
              qn_rt_count(new_state) == qn_rt_count(state);
  if (!fits) return qn_eval_fail(ev, op, "has operands whose shapes don't fit");
  s.x = qn_ref_load(ev, x, s.plan->input_zero_point);
  s.features = qn_ref_load(ev, qn_eval_operand(ev, op, SVDF_FEATURES), 0);
  s.times = qn_ref_load(ev, qn_eval_operand(ev, op, SVDF_TIMES), 0);
  if (op->operand_count > SVDF_BIAS) {
    const qn_rt_value *bias = qn_eval_operand(ev, op, SVDF_BIAS);
    if (qn_rt_count(bias) != s.units) return qn_eval_fail(ev, op, "has a bias of another size");
    s.bias = qn_ref_load(ev, bias, 0);
  }
  move_state(state, new_state);
  run_svdf(&s, qn_eval_result(ev, op, 0), new_state,
           (uint32_t)(8 * qn_type_bytes(qn_type_element(state->type))));
  return QN_OK;
}

qn_status qn_eval_ml_integer_svdf(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_svdf, qn_ref_svdf);
}

/* ---- lstm ---- */

typedef struct lstm {
  int64_t batch, time, depth, units;
  bool time_major;
  const qn_plan_lstm *plan;
  const int32_t *x; /* without its zero point */
  const int32_t *weights[QN_GATE_COUNT], *recurrent[QN_GATE_COUNT], *bias[QN_GATE_COUNT];
  uint16_t sigmoid[256];
} lstm;

/* What a gate is before its function, scale 2^-12. */
static int32_t gate_input(const lstm *l, int g, const int32_t *x, const int32_t *hidden,
                          int64_t unit) {
  int32_t a = dot(l->weights[g] + unit * l->depth, x, l->depth);
  int32_t b = dot(l->recurrent[g] + unit * l->units, hidden, l->units);
  int32_t of_input = scaled(qn_wrap_add32(a, l->bias[g][unit]), l->plan->of_input[g]);
  return qn_sat16(qn_sat16(of_input) + qn_sat16(scaled(b, l->plan->of_hidden[g])));
}

static int32_t gate(const lstm *l, int g, int32_t input) {
  enum { BITS = 3, MULTIPLIER = 3 }; /* of the input scale 2^-12 */
  bool tanh = g == QN_GATE_CELL;
  if (l->plan->gates == QN_GATES_FIXED)
    return tanh ? qn_fixed16_tanh(input, BITS) : qn_fixed16_logistic(input, BITS);
  return tanh ? qn_tanh16(l->sigmoid, input, MULTIPLIER, 0)
              : qn_logistic16(l->sigmoid, input, MULTIPLIER, 0);
}

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

/* One time of one batch; hidden (without its zero point) and cell go on to the next. */
static void run_step(const lstm *l, const int32_t *x, int32_t *hidden, int32_t *cell,
                     int32_t *next_hidden) {
  for (int64_t u = 0; u < l->units; u++) {
    int32_t gates[QN_GATE_COUNT];
    for (int g = 0; g < QN_GATE_COUNT; g++) gates[g] = gate(l, g, gate_input(l, g, x, hidden, u));
    cell[u] =
        next_cell(l, gates[QN_GATE_FORGET], cell[u], gates[QN_GATE_INPUT], gates[QN_GATE_CELL]);
    int32_t y = scaled(gates[QN_GATE_OUTPUT] * tanh_of_cell(l, cell[u]), l->plan->y);
    next_hidden[u] = qn_ref_finish(&l->plan->output, y) - l->plan->hidden_zero_point;
  }
  memcpy(hidden, next_hidden, (size_t)l->units * sizeof *hidden);
}

static qn_status open_lstm(qn_eval *ev, const qn_op *op, lstm *l) {
  const qn_type *x = qn_ref_operand_type(op, QN_LSTM_X);
  const qn_type *hidden = qn_ref_operand_type(op, QN_LSTM_HIDDEN);
  if (x->shaped.rank != 3 || hidden->shaped.rank != 2)
    return qn_eval_fail(ev, op, "needs an input of rank 3 and states of rank 2");
  l->time_major = qn_op_time_major(op);
  l->batch = x->shaped.dims[l->time_major ? 1 : 0];
  l->time = x->shaped.dims[l->time_major ? 0 : 1];
  l->depth = x->shaped.dims[2];
  l->units = hidden->shaped.dims[1];
  int64_t state = l->batch * l->units;
  bool fits = qn_rt_count(qn_eval_operand(ev, op, QN_LSTM_HIDDEN)) == state &&
              qn_rt_count(qn_eval_operand(ev, op, QN_LSTM_CELL)) == state &&
              qn_rt_count(qn_eval_result(ev, op, 0)) == state * l->time &&
              qn_rt_count(qn_eval_result(ev, op, 1)) == state &&
              qn_rt_count(qn_eval_result(ev, op, 2)) == state;
  for (uint32_t g = 0; fits && g < QN_GATE_COUNT; g++) {
    const qn_rt_value *w = qn_eval_operand(ev, op, QN_LSTM_WEIGHTS + g);
    const qn_rt_value *r = qn_eval_operand(ev, op, QN_LSTM_RECURRENT + g);
    const qn_rt_value *bias = qn_eval_operand(ev, op, QN_LSTM_BIAS + g);
    fits = qn_rt_count(w) == l->units * l->depth && qn_rt_count(r) == l->units * l->units &&
           qn_rt_count(bias) == l->units;
    l->weights[g] = qn_ref_load(ev, w, 0);
    l->recurrent[g] = qn_ref_load(ev, r, 0);
    l->bias[g] = qn_ref_load(ev, bias, 0);
  }
  if (!fits) return qn_eval_fail(ev, op, "has operands whose shapes don't fit");
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
  int32_t *next = QN_NEW_ARRAY(ev->arena, (size_t)l.units + 1, int32_t);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  for (int64_t n = 0; n < l.batch; n++)
    for (int64_t t = 0; t < l.time; t++) {
      int64_t row = l.time_major ? t * l.batch + n : n * l.time + t;
      run_step(&l, l.x + row * l.depth, hidden + n * l.units, cell + n * l.units, next);
      for (int64_t u = 0; u < l.units; u++) qn_rt_set_int(y, row * l.units + u, next[u] + zero);
    }
  for (int64_t i = 0; i < l.batch * l.units; i++) {
    qn_rt_set_int(qn_eval_result(ev, op, 1), i, hidden[i] + zero);
    qn_rt_set_int(qn_eval_result(ev, op, 2), i, cell[i]);
  }
  return QN_OK;
}

qn_status qn_eval_ml_integer_lstm(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_lstm, qn_ref_lstm);
}
