/* ml.lstm on floats: gates, peephole weights, layer normalization, a projection.
 *
 *   gate    = sigmoid(W x + R h + peephole * c + bias); with gains: sigmoid(norm(W x + R h ...))
 *   c'      = clip(forget * c + input * activation(cell gate));  h' = output * activation(c')
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/form.h"
#include "ir/ops/forms.h"

/* Index of the states. */
enum { HIDDEN, CELL };

static qn_value *peephole(const qn_cell_expansion *f, uint32_t gate) {
  if (gate == QN_GATE_CELL) return NULL;
  return qn_cell_operand(f, QN_CELL_PEEPHOLES,
                         gate == QN_GATE_OUTPUT ? QN_LSTM_PEEPHOLES - 1 : gate);
}

/* A normalized sum adds its bias after normalization. */
static void open(qn_cell_expansion *f) {
  qn_value *x = qn_cell_rows(f);
  uint32_t first = qn_op_coupled(f->op) ? QN_GATE_FORGET : QN_GATE_INPUT;
  for (uint32_t g = first; g < QN_GATE_COUNT; g++) {
    qn_value *bias = qn_cell_operand(f, QN_CELL_BIASES, g);
    if (qn_cell_operand(f, QN_CELL_GAINS, g)) bias = NULL;
    f->products[g] = qn_cell_product(f, x, qn_cell_operand(f, QN_CELL_WEIGHTS, g), bias);
  }
}

/* The sum of a gate before its activation function. */
static qn_value *gate_sum(qn_cell_expansion *f, uint32_t gate) {
  qn_ir_context *cx = f->b->cx;
  qn_value *sum = qn_cell_product_now(f, gate);
  qn_value *recurrent = qn_cell_operand(f, QN_CELL_RECURRENT, gate),
           *gains = qn_cell_operand(f, QN_CELL_GAINS, gate), *of_cell = peephole(f, gate);
  recurrent = qn_cell_product(f, f->states[HIDDEN], recurrent, NULL);
  sum = qn_cell_combine(f, QN_OP_ML_ADD, sum, recurrent);
  if (of_cell) {
    of_cell = qn_cell_combine(f, QN_OP_ML_MUL, f->states[CELL], of_cell);
    sum = qn_cell_combine(f, QN_OP_ML_ADD, sum, of_cell);
  }
  if (!gains) return sum;
  qn_value *bias = qn_cell_operand(f, QN_CELL_BIASES, gate);
  const qn_attr *epsilon = qn_attr_float(cx, 1e-8, qn_type_float(cx, QN_F64));
  const int64_t axes[] = {1};
  return qn_build_1(f->b, QN_OP_ML_LAYER_NORM, sum->type, QN_VALUES(sum, gains, bias),
                    QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"epsilon", epsilon}));
}

static qn_value *sigmoid_gate(qn_cell_expansion *f, uint32_t gate) {
  qn_value *sum = gate_sum(f, gate);
  return qn_cell_apply(f, QN_OP_ML_SIGMOID, sum);
}

/* The input gate; if coupled, 1 less the forget gate. */
static qn_value *input_gate(qn_cell_expansion *f, qn_value *forget) {
  if (!qn_op_coupled(f->op)) return sigmoid_gate(f, QN_GATE_INPUT);
  qn_value *one = qn_cell_constant(f, 1, 1);
  return qn_build_1(f->b, QN_OP_ML_SUB, forget->type, QN_VALUES(one, forget), NULL);
}

static void step(qn_cell_expansion *f) {
  qn_value *forget = sigmoid_gate(f, QN_GATE_FORGET);
  qn_value *input = input_gate(f, forget);
  qn_value *candidate = gate_sum(f, QN_GATE_CELL);
  candidate = qn_cell_activate(f, candidate);
  qn_value *kept = qn_cell_combine(f, QN_OP_ML_MUL, forget, f->states[CELL]);
  qn_value *added = qn_cell_combine(f, QN_OP_ML_MUL, candidate, input);
  qn_value *cell = qn_cell_combine(f, QN_OP_ML_ADD, kept, added);
  f->states[CELL] = qn_cell_clip(f, cell, qn_op_cell_clip(f->op));
  qn_value *output = sigmoid_gate(f, QN_GATE_OUTPUT);
  qn_value *hidden = qn_cell_activate(f, f->states[CELL]);
  hidden = qn_cell_combine(f, QN_OP_ML_MUL, output, hidden);
  qn_value *projection = qn_cell_operand(f, QN_CELL_PROJECTION, 0);
  if (projection) {
    hidden = qn_cell_product(f, hidden, projection, qn_cell_operand(f, QN_CELL_PROJECTION, 1));
    hidden = qn_cell_clip(f, hidden, qn_op_projection_clip(f->op));
  }
  f->states[HIDDEN] = hidden;
}

void qn_cell_build_lstm(qn_cell_expansion *f, qn_value **out_results) {
  qn_cell_build_sequence(f, &(qn_cell_rule){open, step}, out_results);
}
