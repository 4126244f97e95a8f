/* Parts of recurrent cells on floats: operands with checks, and the ops of a step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/cell.h"
#include "ir/ops/forms.h"

#include "import/graph/batch.h"

enum { MOST_STEPS = 1 << 10, COST_OF_STEP = 256 };

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

/* ---- parts ---- */

qn_value *qn_cell_unary(qn_cell_sequence *s, qn_op_kind kind, qn_value *x) {
  const int64_t *dims = x->type->shaped.dims;
  const qn_graph_shape shape = {2, {dims[0], dims[1]}};
  return qn_graph_part(s->op, kind, s->f32, &shape, &x, 1, NULL);
}
/* b: a matrix of the shape of a, or a row or scalar that is broadcast. */
qn_value *qn_cell_binary(qn_cell_sequence *s, qn_op_kind kind, qn_value *a, qn_value *b) {
  const int64_t *dims = a->type->shaped.dims;
  const qn_graph_shape shape = {2, {dims[0], dims[1]}};
  return qn_graph_part(s->op, kind, s->f32, &shape, (qn_value *[]){a, b}, 2, NULL);
}
qn_value *qn_cell_row(qn_cell_sequence *s, float value, int64_t size) {
  const qn_graph_shape row = {1, {size}};
  const qn_type *type = qn_graph_shaped(s->op->graph, s->f32, &row);
  const qn_bytes bytes = {(const uint8_t *)&value, sizeof value};
  const qn_attr *attr = qn_attr_dense(s->op->graph->cx, type, bytes, false);
  return qn_graph_part(s->op, QN_OP_ML_CONST, s->f32, &row, NULL, 0, QN_ATTRS({"value", attr}));
}
qn_value *qn_cell_number(qn_cell_sequence *s, float value) { return qn_cell_row(s, value, 1); }
qn_value *qn_cell_clipped(qn_cell_sequence *s, qn_value *x, double limit) {
  if (!(limit > 0)) return x;
  x = qn_cell_binary(s, QN_OP_ML_MINIMUM, x, qn_cell_number(s, (float)limit));
  return qn_cell_binary(s, QN_OP_ML_MAXIMUM, x, qn_cell_number(s, -(float)limit));
}

qn_value *qn_cell_activated(qn_cell_sequence *s, qn_value *x) {
  static const qn_op_kind kinds[] = {QN_OP_UNREGISTERED, QN_OP_ML_RELU, QN_OP_ML_RELU_N1_TO_1,
                                     QN_OP_ML_RELU6, QN_OP_ML_TANH};
  return s->activation ? qn_cell_unary(s, kinds[s->activation], x) : x;
}

/* x times the transposed weights, plus the bias if not NULL. */
qn_value *qn_cell_product(qn_cell_sequence *s, qn_value *x, qn_value *w, qn_value *bias) {
  const qn_graph_shape shape = {2, {x->type->shaped.dims[0], w->type->shaped.dims[0]}};
  const qn_attr *is = qn_attr_bool(s->op->graph->cx, s->asymmetric);
  const qn_attr *kernel = qn_attr_word(s->op->graph->cx, QN_A_LINEAR_KERNEL, QN_LINEAR_CELL);
  return qn_graph_part(
      s->op, QN_OP_ML_LINEAR, s->f32, &shape, (qn_value *[]){x, w, bias}, bias ? 3 : 2,
      qn_type_quant(w->type) ? QN_ATTRS({"kernel", kernel}, {"asymmetric_inputs", is}) : NULL);
}

/* The part of `all`, which contains all time steps, for one step. */
qn_value *qn_cell_at_step(qn_cell_sequence *s, qn_value *all, int64_t step) {
  qn_ir_context *cx = s->op->graph->cx;
  if (s->steps == 1) return all;
  int64_t width = all->type->shaped.dims[1], time = s->time_major ? 0 : 1;
  qn_graph_shape cube = {3, {s->batch, s->steps, width}}, cut = {3, {s->batch, 1, width}};
  const qn_graph_shape flat = {2, {s->batch, width}};
  if (s->time_major) {
    cube = (qn_graph_shape){3, {s->steps, s->batch, width}};
    cut = (qn_graph_shape){3, {1, s->batch, width}};
  }
  int64_t begin[] = {0, 0, 0}, end[] = {cube.dims[0], cube.dims[1], width}, stride[] = {1, 1, 1};
  begin[time] = step;
  end[time] = step + 1;
  all = qn_graph_view(s->op, all, &cube);
  qn_value *part = qn_graph_part(s->op, QN_OP_ML_SLICE_BY_INDEX, s->f32, &cut, &all, 1,
                                 QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 3)},
                                          {"end", qn_attr_i64s(cx, end, 3)},
                                          {"stride", qn_attr_i64s(cx, stride, 3)}));
  return qn_graph_view(s->op, part, &flat);
}

/* The steps' results joined to one tensor, with the input's dimension order. */
qn_value *qn_cell_joined(qn_cell_sequence *s, qn_value *const *steps, qn_graph_shape *out_shape) {
  int64_t width = steps[0]->type->shaped.dims[1], time = s->time_major ? 0 : 1;
  *out_shape = (qn_graph_shape){2, {s->batch, width}};
  if (s->single) return steps[0];
  qn_graph_shape one = {3, {s->batch, 1, width}};
  if (s->time_major) one = (qn_graph_shape){3, {1, s->batch, width}};
  *out_shape = one;
  out_shape->dims[time] = s->steps;
  qn_value **parts = QN_NEW_ARRAY(&s->op->graph->arena, (size_t)s->steps, qn_value *);
  for (int64_t t = 0; t < s->steps; t++) parts[t] = qn_graph_view(s->op, steps[t], &one);
  if (s->steps == 1) return parts[0];
  return qn_graph_part(s->op, QN_OP_ML_CONCAT, s->f32, out_shape, parts, (uint32_t)s->steps,
                       QN_ATTRS({"axis", qn_attr_i64(s->op->graph->cx, time)}));
}

bool qn_cell_open(qn_graph_op *op, const qn_cell_form *form, qn_cell_sequence *out_s) {
  const bool single = form->single, time_major = form->time_major;
  qn_graph_tensor *x = qn_graph_input(op, 0);
  *out_s = (qn_cell_sequence){.op = op,
                              .f32 = qn_type_float(op->graph->cx, QN_F32),
                              .single = single,
                              .time_major = time_major && !single,
                              .steps = 1,
                              .activation = form->activation,
                              .asymmetric = form->asymmetric};
  if (!x || !qn_graph_check_sequence(op, out_s->time_major)) return false;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y) return false;
    if (x->dtype != QN_GRAPH_FLOAT32 || y->dtype != QN_GRAPH_FLOAT32)
      return qn_graph_error(op, y, QN_UNSUPPORTED, "only float32 is supported here");
  }
  if (x->shape.rank != (single ? 2 : 3))
    return qn_graph_error(op, x, QN_INVALID, "rank %u where %d is expected", x->shape.rank,
                          single ? 2 : 3);
  const int64_t *dims = x->shape.dims;
  out_s->batch = dims[out_s->time_major ? 1 : 0];
  out_s->depth = dims[x->shape.rank - 1];
  if (!single) out_s->steps = dims[time_major ? 0 : 1];
  if (out_s->activation < 0 || out_s->activation > 4)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "the activation %lld is not supported",
                          (long long)out_s->activation);
  if (out_s->steps > MOST_STEPS)
    return qn_graph_error(op, x, QN_LIMIT, "%lld steps of time are more than the limit of %d",
                          (long long)out_s->steps, MOST_STEPS);
  if (!qn_graph_spend(op, COST_OF_STEP * out_s->steps)) return false;
  const qn_graph_shape rows = {2, {out_s->batch * out_s->steps, out_s->depth}};
  qn_value *value = qn_graph_value(op, x);
  if (value) out_s->x = qn_graph_view(op, value, &rows);
  return value != NULL;
}

/* ---- results ---- */

/* Defines an output by a separate op, because its value may also be a state. */
void qn_cell_define(qn_cell_sequence *s, uint32_t output, qn_value *y,
                    const qn_graph_shape *shape) {
  qn_graph_tensor *tensor = qn_graph_output(s->op, output);
  if (!tensor) return;
  y = qn_graph_part(s->op, QN_OP_ML_RESHAPE, s->f32, shape, &y, 1, NULL);
  qn_graph_define(s->op, tensor, shape, y);
}
