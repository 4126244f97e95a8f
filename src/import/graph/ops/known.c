/* Operators whose results follow from shapes or constants: SHAPE, RANK, RANGE, BROADCAST_ARGS,
 * FILL, ZEROS_LIKE.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/move.h"
#include "import/graph/ops/ops.h"

enum { LEAST_FILLS = 4 }; /* maximum share of the budget for one constant */

/* Builds a constant, which other operators can use as a known value. */
static void build_shape(qn_graph_op *op, bool is_rank) {
  qn_graph *graph = op->graph;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  uint32_t count = is_rank ? 1 : x->shape.rank;
  size_t width = y->dtype == QN_GRAPH_INT64 ? 8 : 4;
  if (y->dtype != QN_GRAPH_INT64 && !qn_graph_check_dtype(op, y, QN_GRAPH_INT32)) return;
  if (count == 0) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "a scalar has a shape without elements");
    return;
  }
  uint8_t *bytes = qn_arena_alloc(&graph->cx->arena, count * width);
  for (uint32_t i = 0; i < count; i++) {
    int64_t value = is_rank ? x->shape.rank : x->shape.dims[i];
    memcpy(bytes + i * width, &value, width); /* little-endian */
  }
  qn_graph_shape shape = is_rank ? (qn_graph_shape){0} : (qn_graph_shape){1, {count}};
  qn_graph_become_constant(op, y, (qn_bytes){bytes, count * width}, &shape);
}

void qn_graph_import_shape_of(qn_graph_op *op) { build_shape(op, false); }
void qn_graph_import_rank(qn_graph_op *op) { build_shape(op, true); }

static bool is_known(const qn_graph_tensor *value) {
  return value->data.size > 0 && value->writer < 0 && !value->is_input;
}

static bool known_real(qn_graph_op *op, qn_graph_tensor *x, float *out_value) {
  if (!is_known(x) || x->data.size != sizeof *out_value)
    return qn_graph_error(op, x, QN_UNSUPPORTED, "it must be a constant of one element");
  memcpy(out_value, x->data.data, sizeof *out_value);
  return true;
}

/* RANGE of float32. The number of elements follows from the quotient; each element is the one
 * before plus delta. */
static void import_real_range(qn_graph_op *op, qn_graph_tensor *y) {
  float ends[3]; /* start, limit, delta */
  for (uint32_t i = 0; i < 3; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (op->failed || !qn_graph_movable(op, x, y) || !known_real(op, x, &ends[i])) return;
  }
  float span = ends[1] - ends[0], count = ceilf(fabsf(span / ends[2]));
  bool forward = ends[2] > 0 ? span > 0 : span < 0;
  if (!forward || !(count >= 1 && count <= (float)(QN_GRAPH_MAX_TENSOR_BYTES / sizeof span))) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "a range without elements, or with too many");
    return;
  }
  qn_graph_shape shape = {1, {(int64_t)count}};
  size_t size = (size_t)shape.dims[0] * sizeof span;
  if (!qn_graph_check_size(op, y, &shape) || !qn_graph_spend(op, (int64_t)size)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, size);
  float value = ends[0];
  for (size_t at = 0; at < size; at += sizeof value, value += ends[2])
    memcpy(bytes + at, &value, sizeof value);
  qn_graph_become_constant(op, y, (qn_bytes){bytes, size}, &shape);
}

/* RANGE with constant operands: start, start + delta, ... before limit. */
void qn_graph_import_range(qn_graph_op *op) {
  qn_graph *graph = op->graph;
  qn_graph_tensor *y = qn_graph_output(op, 0);
  if (!op->failed && y->dtype == QN_GRAPH_FLOAT32) {
    import_real_range(op, y);
    return;
  }
  int64_t ends[3]; /* start, limit, delta */
  for (uint32_t i = 0; i < 3; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (op->failed || !qn_graph_movable(op, x, y) || !qn_graph_scalar(op, x, &ends[i])) return;
  }
  bool wide = y->dtype == QN_GRAPH_INT64;
  if (!wide && !qn_graph_check_dtype(op, y, QN_GRAPH_INT32)) return;
  int64_t span = ends[1] / 2 - ends[0] / 2; /* without overflow */
  bool forward = ends[2] > 0;
  if (ends[2] == 0 || forward != (ends[1] > ends[0]) || span > QN_GRAPH_MAX_TENSOR_BYTES ||
      span < -QN_GRAPH_MAX_TENSOR_BYTES) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "a range without elements, or with too many");
    return;
  }
  int64_t step = forward ? ends[2] : -ends[2],
          length = forward ? ends[1] - ends[0] : ends[0] - ends[1];
  qn_graph_shape shape = {1, {(length - 1) / step + 1}};
  size_t width = wide ? 8 : 4, size = (size_t)shape.dims[0] * width;
  if (!qn_graph_check_size(op, y, &shape) || !qn_graph_spend(op, (int64_t)size)) return;
  uint8_t *bytes = qn_arena_alloc(&graph->cx->arena, size);
  for (int64_t i = 0; i < shape.dims[0]; i++) {
    int64_t value = ends[0] + i * ends[2];
    memcpy(bytes + (size_t)i * width, &value, width); /* little-endian */
  }
  qn_graph_become_constant(op, y, (qn_bytes){bytes, size}, &shape);
}

/* BROADCAST_ARGS: the shape of both, as a constant. */
void qn_graph_import_broadcast_args(qn_graph_op *op) {
  qn_graph_tensor *y = qn_graph_output(op, 0), of[2] = {0};
  for (uint32_t i = 0; i < 2; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    qn_graph_shape *shape = &of[i].shape;
    if (op->failed || !qn_graph_movable(op, x, y) ||
        !qn_graph_ints(op, x, QN_GRAPH_MAX_RANK, shape->dims, &shape->rank))
      return;
  }
  qn_graph_shape shape;
  if (!qn_graph_broadcast(op, &of[0], &of[1], &shape)) return;
  size_t width = y->dtype == QN_GRAPH_INT64 ? 8 : 4;
  if (shape.rank == 0) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "a scalar has a shape without elements");
    return;
  }
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, shape.rank * width);
  for (uint32_t i = 0; i < shape.rank; i++) memcpy(bytes + i * width, &shape.dims[i], width);
  const qn_graph_shape vector = {1, {shape.rank}};
  qn_graph_become_constant(op, y, (qn_bytes){bytes, shape.rank * width}, &vector);
}

/* ---- FILL and ZEROS_LIKE ---- */

static void fill_with_bytes(qn_graph_op *op, const qn_graph_shape *shape, const uint8_t *element,
                            size_t width) {
  size_t size = (size_t)qn_graph_elements(shape) * width;
  if (!qn_graph_spend(op, (int64_t)size)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, size);
  for (size_t at = 0; at < size; at += width) memcpy(bytes + at, element, width);
  qn_graph_become_constant(op, qn_graph_output(op, 0), (qn_bytes){bytes, size}, shape);
}

/* The element of a tensor of zeros. */
static qn_value *zero_of(qn_graph_op *op, const qn_type *element, const uint8_t *bytes,
                         size_t width) {
  const qn_graph_shape scalar = {0};
  const qn_quant_uniform *q = qn_type_quant(element);
  const qn_type *type = qn_graph_shaped(op->graph, q ? q->storage : element, &scalar);
  const qn_attr *value = qn_attr_dense(op->graph->cx, type, (qn_bytes){bytes, width}, false);
  return qn_graph_part(op, QN_OP_ML_CONST, element, &scalar, NULL, 0, QN_ATTRS({"value", value}));
}

/* Fills a shape: with a constant if that is small, for operators that need known values; else by
 * repeating one element, which may be computed. */
static void fill(qn_graph_op *op, qn_graph_tensor *value, const qn_graph_shape *shape) {
  const qn_type *type = qn_graph_element_type(op->graph, op, qn_graph_output(op, 0));
  if (!type) return;
  const qn_quant_uniform *q = qn_type_quant(type);
  size_t width = qn_type_bytes(q ? q->storage : type);
  int64_t zero = q ? q->zero_points[0] : 0;
  const uint8_t *element = value ? value->data.data : (const uint8_t *)&zero;
  bool small = qn_graph_elements(shape) * (int64_t)width <= op->graph->work / LEAST_FILLS;
  if ((!value || is_known(value)) && (small || shape->rank == 0)) {
    fill_with_bytes(op, shape, element, width);
    return;
  }
  qn_value *one = value ? qn_graph_value(op, value) : zero_of(op, type, element, width);
  const qn_graph_shape *from = value ? &value->shape : &(qn_graph_shape){0};
  if (one && shape->rank > 0)
    qn_graph_build_repeated(op, value, one, from, shape);
  else if (one)
    qn_graph_define(op, qn_graph_output(op, 0), shape, qn_graph_view(op, one, shape));
}

/* FILL with a known size, and ZEROS_LIKE. */
void qn_graph_import_fill(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  bool zeros = op->inputs.count == 1;
  qn_graph_shape shape = x->shape;
  qn_graph_tensor *value = zeros ? NULL : qn_graph_input(op, 1);
  if (!zeros) {
    if (!value || !qn_graph_movable(op, value, y) ||
        !qn_graph_ints(op, x, QN_GRAPH_MAX_RANK, shape.dims, &shape.rank))
      return;
  } else if (!qn_graph_movable(op, x, y)) {
    return;
  }
  if (!qn_graph_check_size(op, y, &shape)) return;
  if (qn_graph_elements(&shape) == 0)
    qn_graph_error(op, y, QN_UNSUPPORTED, "a filled tensor without elements is not supported");
  else if (value && qn_graph_elements(&value->shape) != 1)
    qn_graph_error(op, value, QN_INVALID, "it must have one element");
  else
    fill(op, value, &shape);
}
