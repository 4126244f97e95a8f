/* UNIDIRECTIONAL_SEQUENCE_LSTM on integers, whose variable tensors are states: ml.lstm.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "import/graph/ops/cell.h"
#include "import/tflite/tflite.h"

#include "import/graph/batch.h"
#include "ir/ops/forms.h"
#include "ir/ops/lstm.h"

/* Operand indices in the file, whose gates have our order. */
enum {
  X = 0,
  WEIGHTS = 1,
  RECURRENT = 5,
  PEEPHOLES = 9,
  BIAS = 12,
  PROJECTION = 16,
  HIDDEN = 18,
  CELL = 19,
  GAINS = 20,
  PRODUCT_INTERMEDIATE = 4 /* follows one intermediate per gate's sum */
};

typedef struct lstm {
  qn_graph_op *op;
  bool time_major, coupled, peepholes, normalized, projected;
  int64_t batch, depth, units, outputs;
  qn_graph_tensor *x;
  qn_cell cell;
} lstm;

static bool has(qn_graph_op *op, uint32_t i) { return qn_graph_has_input(op, i); }

static bool take(lstm *l, qn_cell_segment segment, qn_value *value) {
  return qn_cell_take(&l->cell, segment, value);
}

/* ---- variant of the cell ---- */

/* Checks that all of `count` operands are present, or none; the input gate's is absent in a coupled
 * cell. */
static bool check_group(const lstm *l, uint32_t first, uint32_t count, const char *what,
                        bool *out_has) {
  *out_has = has(l->op, first + 1);
  for (uint32_t i = 0; i < count; i++)
    if (has(l->op, first + i) != (*out_has && (i > 0 || !l->coupled)))
      return qn_graph_error(l->op, NULL, QN_INVALID, "operand %u: %s are there for some gates only",
                            first + i, what);
  return true;
}

static bool check_variant(lstm *l) {
  enum { TANH = 4 };
  qn_graph_op *op = l->op;
  if (qn_graph_option(op, "ACTIVATION") != TANH)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "only the activation TANH is supported");
  l->coupled = !has(op, WEIGHTS);
  l->projected = has(op, PROJECTION);
  if (l->coupled && (has(op, RECURRENT) || has(op, BIAS)))
    return qn_graph_error(op, NULL, QN_INVALID, "an input gate has some of its operands only");
  if (!l->projected && has(op, PROJECTION + 1))
    return qn_graph_error(op, NULL, QN_INVALID, "a projection has a bias and no weights");
  return check_group(l, PEEPHOLES, QN_LSTM_PEEPHOLES, "weights of the cell", &l->peepholes) &&
         check_group(l, GAINS, QN_LSTM_GAINS, "gains", &l->normalized);
}

static bool check_states(lstm *l) {
  qn_graph_op *op = l->op;
  l->x = qn_cell_required(op, X);
  l->cell.states[0] = qn_cell_required(op, HIDDEN);
  l->cell.states[1] = qn_cell_required(op, CELL);
  if (op->failed || !qn_cell_check_rank(op, l->x, 3) ||
      !qn_cell_check_rank(op, l->cell.states[0], 2) ||
      !qn_cell_check_rank(op, l->cell.states[1], 2))
    return false;
  l->time_major = qn_graph_option(op, "TIME_MAJOR") != 0;
  if (!qn_graph_check_sequence(op, l->time_major)) return false;
  l->batch = l->x->shape.dims[l->time_major ? 1 : 0];
  l->depth = l->x->shape.dims[2];
  l->outputs = l->cell.states[0]->shape.dims[1];
  l->units = l->projected ? l->cell.states[1]->shape.dims[1] : l->outputs;
  return qn_cell_check_shape(op, l->cell.states[0], &(qn_graph_shape){2, {l->batch, l->outputs}}) &&
         qn_cell_check_shape(op, l->cell.states[1], &(qn_graph_shape){2, {l->batch, l->units}});
}

/* ---- intermediates: tensors without elements, for their parameters ---- */

static qn_graph_list intermediates(const qn_graph_op *op) {
  return qn_tflite_list(qn_tflite_table(op), QN_FB_OPERATOR_INTERMEDIATES);
}

static bool intermediate(lstm *l, uint32_t i, qn_graph_q8 *out) {
  qn_graph_list list = intermediates(l->op);
  int32_t index = i < list.count ? qn_graph_number(list, i) : -1;
  if (index < 0 || (uint32_t)index >= l->op->graph->tensor_count)
    return qn_graph_error(l->op, NULL, QN_INVALID, "intermediate %u is tensor %d, but there are %u",
                          i, index, l->op->graph->tensor_count);
  qn_graph_tensor tensor = l->op->graph->tensors[index]; /* not loaded */
  tensor.dtype = tensor.stored_dtype;
  return qn_graph_activation(l->op, &tensor, out);
}

/* Reads the quantization of the input of the projection: LiteRT uses that of an intermediate, other
 * runtimes that of the state. */
static bool read_product(lstm *l) {
  qn_ir_context *cx = l->op->graph->cx;
  qn_graph_q8 product, hidden;
  bool there = intermediates(l->op).count > PRODUCT_INTERMEDIATE;
  if (!there && !l->projected) return true;
  if (!intermediate(l, PRODUCT_INTERMEDIATE, &product) ||
      !qn_graph_activation(l->op, l->cell.states[0], &hidden))
    return false;
  if (!l->projected && product.scale == hidden.scale && product.zero_point == hidden.zero_point)
    return true;
  if (product.width != 8 || product.is_unsigned)
    return qn_graph_error(l->op, NULL, QN_UNSUPPORTED, "intermediate %u is not int8",
                          PRODUCT_INTERMEDIATE);
  qn_graph_attr(&l->cell.attrs, "product_scale",
                qn_attr_float(cx, product.scale, qn_type_float(cx, QN_F32)));
  qn_graph_attr(&l->cell.attrs, "product_zero_point", qn_attr_i64(cx, product.zero_point));
  return true;
}

static bool read_gate_scales(lstm *l) {
  qn_ir_context *cx = l->op->graph->cx;
  const qn_attr *scales[QN_GATE_COUNT];
  for (uint32_t g = 0; l->normalized && g < QN_GATE_COUNT; g++) {
    qn_graph_q8 sums;
    if (!intermediate(l, g, &sums)) return false;
    scales[g] = qn_attr_float(cx, sums.scale, qn_type_float(cx, QN_F32));
  }
  if (l->normalized)
    qn_graph_attr(&l->cell.attrs, "gate_scales", qn_attr_array(cx, scales, QN_GATE_COUNT));
  return true;
}

static bool read_options(lstm *l) {
  qn_graph_op *op = l->op;
  qn_ir_context *cx = op->graph->cx;
  double cell = qn_graph_real_option(op, "CELL_CLIP"),
         projection = qn_graph_real_option(op, "PROJECTION_CLIP");
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  qn_graph_attr(&l->cell.attrs, "time_major", qn_attr_bool(cx, l->time_major));
  if (l->coupled) qn_graph_attr(&l->cell.attrs, "coupled", qn_attr_bool(cx, true));
  if (cell > 0) qn_graph_attr(&l->cell.attrs, "cell_clip", qn_attr_float(cx, cell, f32));
  if (l->projected && projection > 0)
    qn_graph_attr(&l->cell.attrs, "projection_clip", qn_attr_float(cx, projection, f32));
  return read_product(l) && read_gate_scales(l);
}

/* ---- operands ---- */

static bool take_matrix(lstm *l, qn_cell_segment segment, uint32_t i, int64_t rows,
                        int64_t columns) {
  qn_graph_tensor *w = qn_cell_required(l->op, i);
  if (l->op->failed || !qn_cell_check_shape(l->op, w, &(qn_graph_shape){2, {rows, columns}}))
    return false;
  return take(l, segment, qn_graph_value(l->op, w));
}

/* Appends one weight matrix per gate, from operand `first` on. A coupled input gate has no weights:
 * the forget gate's are a placeholder that is never read. */
static bool take_weights(lstm *l, qn_cell_segment segment, uint32_t first, int64_t columns) {
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++)
    if (!take_matrix(l, segment, first + (g == 0 && l->coupled ? 1 : g), l->units, columns))
      return false;
  return true;
}

static bool take_biases(lstm *l) {
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    qn_graph_tensor *bias = qn_cell_required(l->op, BIAS + (g == 0 && l->coupled ? 1 : g));
    if (!bias ||
        !take(l, QN_CELL_BIASES,
              qn_cell_bias(l->op, bias, l->units, l->x->dtype == QN_GRAPH_INT16 ? 64 : 32)))
      return false;
  }
  return true;
}

/* A row of int16 weights, one per cell. Those from `live` on have no effect and become 0. */
static qn_value *row_of(lstm *l, uint32_t i, int64_t live) {
  qn_graph_op *op = l->op;
  qn_graph_tensor *row = qn_cell_required(op, i);
  const qn_graph_shape shape = {1, {l->units}};
  if (!row || !qn_cell_check_shape(op, row, &shape)) return NULL;
  if (row->dtype != QN_GRAPH_INT16) {
    qn_graph_error(op, row, QN_UNSUPPORTED, "it is %s where int16 is expected",
                   qn_graph_dtype_name(row->dtype));
    return NULL;
  }
  size_t size = (size_t)l->units * sizeof(int16_t), kept = (size_t)live * sizeof(int16_t);
  if (live >= l->units || row->data.size != size) return qn_graph_value(op, row);
  uint8_t *bytes = QN_NEW_ARRAY(&op->graph->arena, size, uint8_t);
  memcpy(bytes, row->data.data, kept);
  const qn_type *element = qn_graph_element_type(op->graph, op, row);
  if (!element) return NULL;
  const qn_type *stored = qn_graph_shaped(op->graph, qn_type_i(op->graph->cx, 16), &shape);
  const qn_attr *value = qn_attr_dense(op->graph->cx, stored, (qn_bytes){bytes, size}, false);
  return qn_graph_part(op, QN_OP_ML_CONST, element, &shape, NULL, 0, QN_ATTRS({"value", value}));
}

/* Reads peephole weights. LiteRT multiplies as many cell elements as there are outputs. */
static bool take_peepholes(lstm *l) {
  if (!l->peepholes) return true;
  if (l->outputs > l->units)
    return qn_graph_error(
        l->op, NULL, QN_UNSUPPORTED,
        "peephole weights have %lld cells for %lld outputs: LiteRT reads beyond their end",
        (long long)l->units, (long long)l->outputs);
  if (l->outputs < l->units && l->time_major && l->batch > 1)
    return qn_graph_error(l->op, NULL, QN_UNSUPPORTED,
                          "peephole weights with fewer outputs than cells are not supported for "
                          "several entries that are time-major: LiteRT mixes these up");
  if (l->outputs < l->units)
    qn_graph_warn(l->op, NULL,
                  "the weights of cells from %lld on are not used: there are not "
                  "more outputs",
                  (long long)l->outputs);
  for (uint32_t i = 0; i < QN_LSTM_PEEPHOLES; i++)
    if (!take(l, QN_CELL_PEEPHOLES,
              row_of(l, PEEPHOLES + (i == 0 && l->coupled ? 1 : i), l->outputs)))
      return false;
  return true;
}

static bool take_gains(lstm *l) {
  for (uint32_t g = 0; l->normalized && g < QN_LSTM_GAINS; g++)
    if (!take(l, QN_CELL_GAINS, row_of(l, GAINS + (g == 0 && l->coupled ? 1 : g), l->units)))
      return false;
  return true;
}

static bool take_projection(lstm *l) {
  qn_graph_op *op = l->op;
  if (!l->projected) return true;
  if (!take_matrix(l, QN_CELL_PROJECTION, PROJECTION, l->outputs, l->units)) return false;
  if (has(op, PROJECTION + 1)) {
    qn_graph_tensor *bias = qn_cell_required(op, PROJECTION + 1);
    return bias && take(l, QN_CELL_PROJECTION, qn_cell_bias(op, bias, l->outputs, 32));
  }
  const qn_graph_shape shape = {1, {l->outputs}};
  const qn_type *i32 = qn_type_i(op->graph->cx, 32);
  const uint8_t zero[sizeof(int32_t)] = {0}; /* for all outputs */
  const qn_attr *value = qn_attr_dense(op->graph->cx, qn_graph_shaped(op->graph, i32, &shape),
                                       (qn_bytes){zero, sizeof zero}, false);
  return take(l, QN_CELL_PROJECTION,
              qn_graph_part(op, QN_OP_ML_CONST, i32, &shape, NULL, 0, QN_ATTRS({"value", value})));
}

void qn_tflite_import_lstm(qn_graph_op *op) {
  const qn_graph_tensor *input = qn_graph_input(op, X);
  if (input && input->dtype == QN_GRAPH_FLOAT32) {
    qn_tflite_float_lstm(op);
    return;
  }
  lstm l = {.op = op, .cell = {.op = op, .kind = QN_OP_ML_LSTM}};
  if (!check_variant(&l) || !check_states(&l) || !read_options(&l)) return;
  take(&l, QN_CELL_INPUT, qn_graph_value(op, l.x));
  for (uint32_t i = 0; i < 2; i++)
    take(&l, QN_CELL_STATES, qn_cell_state_value(op, l.cell.states[i]));
  if (op->failed || !take_weights(&l, QN_CELL_WEIGHTS, WEIGHTS, l.depth) ||
      !take_weights(&l, QN_CELL_RECURRENT, RECURRENT, l.outputs) || !take_biases(&l) ||
      !take_peepholes(&l) || !take_gains(&l) || !take_projection(&l))
    return;
  qn_cell_finish(&l.cell);
  qn_graph_shape shape = {3, {l.x->shape.dims[0], l.x->shape.dims[1], l.outputs}};
  qn_graph_build_with_states(op, QN_OP_ML_LSTM, l.cell.operands, l.cell.count, &l.cell.attrs,
                             &shape, l.cell.states, 2);
}
