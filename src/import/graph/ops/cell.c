/* Recurrent cells: operands with checks, and the op that they become.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/cell.h"
#include "ir/ops/forms.h"

#include "import/graph/batch.h"
#include "ir/cell_form/cell_form.h"

enum { COST_OF_STEP = 256 };

/* ---- operands ---- */

bool qn_cell_check_shape(qn_graph_op *op, const qn_graph_tensor *tensor,
                         const qn_graph_shape *expected) {
  if (qn_graph_same_shape(&tensor->shape, expected)) return true;
  qn_str is = qn_graph_shape_text(op->graph, &tensor->shape);
  qn_str wanted = qn_graph_shape_text(op->graph, expected);
  return qn_graph_error(op, tensor, QN_INVALID, "shape %.*s where %.*s follows from the others",
                        QN_STR_ARG(is), QN_STR_ARG(wanted));
}

bool qn_cell_check_rank(qn_graph_op *op, const qn_graph_tensor *tensor, uint32_t rank) {
  return tensor->shape.rank == rank ||
         qn_graph_error(op, tensor, QN_INVALID, "rank %u where %u is expected", tensor->shape.rank,
                        rank);
}

qn_graph_tensor *qn_cell_required(qn_graph_op *op, uint32_t i) {
  qn_graph_tensor *tensor = qn_graph_input(op, i);
  if (!tensor && !op->failed) qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", i);
  return tensor;
}

qn_value *qn_cell_state_value(qn_graph_op *op, qn_graph_tensor *tensor) {
  if (tensor->is_state) return qn_graph_value(op, tensor);
  qn_graph_error(op, tensor, QN_INVALID, "it must be a variable tensor: the operator changes it");
  return NULL;
}

qn_value *qn_cell_bias(qn_graph_op *op, qn_graph_tensor *tensor, int64_t size, uint32_t width) {
  uint8_t dtype = width == 64 ? QN_GRAPH_INT64 : QN_GRAPH_INT32;
  if (tensor->dtype != dtype) {
    qn_graph_error(op, tensor, QN_UNSUPPORTED, "a bias of type %s is not supported, only %s",
                   qn_graph_dtype_name(tensor->dtype), qn_graph_dtype_name(dtype));
    return NULL;
  }
  qn_graph_shape shape = {1, {size}};
  if (!qn_cell_check_shape(op, tensor, &shape)) return NULL;
  return qn_graph_constant(op, tensor,
                           qn_graph_shaped(op->graph, qn_type_i(op->graph->cx, width), &shape));
}

qn_graph_tensor *qn_cell_optional(qn_graph_op *op, uint32_t i) { return qn_graph_input(op, i); }

/* A required constant [rows, columns]. */
qn_value *qn_cell_matrix(qn_graph_op *op, uint32_t i, int64_t rows, int64_t columns) {
  qn_graph_tensor *w = qn_cell_optional(op, i);
  if (!w && !op->failed) qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", i);
  if (!w || !qn_cell_check_shape(op, w, &(qn_graph_shape){2, {rows, columns}})) return NULL;
  const qn_type *f32 = qn_type_float(op->graph->cx, QN_F32);
  const qn_type *element = w->dtype == QN_GRAPH_FLOAT32 ? f32 : qn_graph_weights_type(op, w, 0);
  return element ? qn_graph_constant(op, w, qn_graph_shaped(op->graph, element, &w->shape)) : NULL;
}

/* Floats, or quantized 8-bit values, which are dequantized. */
qn_value *qn_cell_floats(qn_graph_op *op, uint32_t i, qn_graph_shape shape) {
  qn_graph_tensor *v = qn_cell_optional(op, i);
  if (!v || !qn_cell_check_shape(op, v, &shape)) return NULL;
  if (v->dtype != QN_GRAPH_FLOAT32 && v->dtype != QN_GRAPH_INT8) {
    qn_graph_error(op, v, QN_UNSUPPORTED, "it is %s where float32 or int8 is expected",
                   qn_graph_dtype_name(v->dtype));
    return NULL;
  }
  qn_value *value = qn_graph_value(op, v);
  if (!value || v->dtype == QN_GRAPH_FLOAT32) return value;
  const qn_type *f32 = qn_type_float(op->graph->cx, QN_F32);
  return qn_graph_part(op, QN_OP_QUANT_DCAST, f32, &shape, &value, 1, NULL);
}

qn_value *qn_cell_vector(qn_graph_op *op, uint32_t i, int64_t size) {
  return qn_cell_floats(op, i, (qn_graph_shape){1, {size}});
}

qn_graph_tensor *qn_cell_state(qn_graph_op *op, uint32_t i, int64_t batch, int64_t size) {
  qn_graph_tensor *s = qn_cell_optional(op, i);
  if (!s || !s->is_state || s->dtype != QN_GRAPH_FLOAT32) {
    if (!op->failed)
      qn_graph_error(op, s, QN_INVALID, "operand %u must be a variable tensor of floats", i);
    return NULL;
  }
  return qn_cell_check_shape(op, s, &(qn_graph_shape){2, {batch, size}}) ? s : NULL;
}

/* ---- a cell as an op ---- */

bool qn_cell_take(qn_cell *cell, qn_cell_segment segment, qn_value *value) {
  if (!value) return false;
  QN_ASSERT(cell->count < QN_CELL_MOST_OPERANDS);
  for (uint32_t i = segment + 1; i < QN_CELL_SEGMENTS; i++) QN_ASSERT(cell->sizes[i] == 0);
  cell->operands[cell->count++] = value;
  cell->sizes[segment]++;
  return true;
}

void qn_cell_finish(qn_cell *cell) {
  qn_graph_attr(&cell->attrs, qn_attr_decls[QN_A_SEGMENT_SIZES].name,
                qn_cell_segments(cell->op->graph->cx, cell->kind, cell->sizes));
}

qn_value *qn_cell_build(qn_cell *cell, const qn_graph_shape *shape) {
  qn_graph_op *op = cell->op;
  uint32_t states = cell->sizes[QN_CELL_STATES];
  const qn_type *f32 = qn_type_float(op->graph->cx, QN_F32),
                *types[1 + QN_CELL_MOST_STATES] = {qn_graph_shaped(op->graph, f32, shape)};
  for (uint32_t i = 0; i < states; i++) types[1 + i] = cell->operands[1 + i]->type;
  qn_cell_finish(cell);
  qn_op *built = qn_build(&op->graph->builder, (qn_op_state){.kind = cell->kind,
                                                             .loc = qn_graph_loc(op, NULL),
                                                             .operands = cell->operands,
                                                             .operand_count = cell->count,
                                                             .result_types = types,
                                                             .result_count = 1 + states,
                                                             .attrs = cell->attrs.items,
                                                             .attr_count = cell->attrs.count});
  for (uint32_t i = 0; i < states; i++) cell->states[i]->value = qn_op_result(built, 1 + i);
  return qn_op_result(built, 0);
}

/* ---- sequences of floats ---- */

bool qn_cell_check_floats(qn_graph_op *op, const qn_graph_tensor *x) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y) return false;
    if (x->dtype != QN_GRAPH_FLOAT32 || y->dtype != QN_GRAPH_FLOAT32)
      return qn_graph_error(op, y, QN_UNSUPPORTED, "only float32 is supported here");
  }
  return true;
}

bool qn_cell_open(qn_graph_op *op, const qn_cell_options *options, qn_cell_sequence *out_s) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  *out_s = (qn_cell_sequence){
      .op = op, .f32 = qn_type_float(op->graph->cx, QN_F32), .options = *options, .steps = 1};
  bool major = options->time_major;
  if (!x || !qn_graph_check_sequence(op, major) || !qn_cell_check_floats(op, x)) return false;
  uint32_t rank = options->single ? 2 : 3;
  if (!qn_cell_check_rank(op, x, rank)) return false;
  const int64_t *dims = x->shape.dims;
  out_s->batch = dims[major ? 1 : 0];
  out_s->depth = dims[rank - 1];
  if (!options->single) out_s->steps = dims[major ? 0 : 1];
  if (out_s->steps > QN_CELL_MOST_STEPS)
    return qn_graph_error(op, x, QN_LIMIT, "%lld steps of time are more than the limit of %d",
                          (long long)out_s->steps, QN_CELL_MOST_STEPS);
  if (!qn_graph_spend(op, COST_OF_STEP * out_s->steps)) return false;
  const qn_graph_shape cube = qn_cell_result_shape(out_s, out_s->depth);
  qn_value *value = qn_graph_value(op, x);
  if (value) out_s->x = qn_graph_view(op, value, &cube);
  return value != NULL;
}

qn_cell qn_cell_begin(const qn_cell_sequence *s, qn_op_kind kind, bool backward) {
  qn_ir_context *cx = s->op->graph->cx;
  qn_cell cell = {.op = s->op, .kind = kind};
  qn_cell_take(&cell, QN_CELL_INPUT, s->x);
  qn_graph_attr(&cell.attrs, "time_major", qn_attr_bool(cx, s->options.time_major));
  if (backward) qn_graph_attr(&cell.attrs, "backward", qn_attr_bool(cx, true));
  if (s->options.activation != QN_CELL_TANH)
    qn_graph_attr(&cell.attrs, "cell_activation",
                  qn_attr_word(cx, QN_A_CELL_ACTIVATION, s->options.activation));
  if (s->options.asymmetric)
    qn_graph_attr(&cell.attrs, "asymmetric_inputs", qn_attr_bool(cx, true));
  return cell;
}

qn_graph_shape qn_cell_result_shape(const qn_cell_sequence *s, int64_t width) {
  if (s->options.time_major) return (qn_graph_shape){3, {s->steps, s->batch, width}};
  return (qn_graph_shape){3, {s->batch, s->steps, width}};
}

/* The reshape is a separate op that produces the tensor of the model. */
void qn_cell_define(const qn_cell_sequence *s, uint32_t output, qn_value *y) {
  qn_graph_tensor *tensor = qn_graph_output(s->op, output);
  if (!tensor) return;
  const int64_t *dims = y->type->shaped.dims;
  qn_graph_shape shape = {3, {dims[0], dims[1], dims[2]}};
  if (s->options.single) shape = (qn_graph_shape){2, {dims[0], dims[2]}};
  y = qn_graph_part(s->op, QN_OP_ML_RESHAPE, s->f32, &shape, &y, 1, NULL);
  qn_graph_define(s->op, tensor, &shape, y);
}
