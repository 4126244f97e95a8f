/* Data movement operators: PACK, UNPACK, GATHER, TILE, REVERSE_V2, MIRROR_PAD, blocks, SLICE,
 * SPLIT_V, BROADCAST_TO, and resizing. Stored values do not change, except by resizing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/move.h"
#include "ir/ops/forms.h"
#include "import/graph/ops/ops.h"

/* ---- resizing ---- */

void qn_graph_resize(qn_graph_op *op, bool corners, bool half) {
  qn_graph_tensor *x;
  int64_t size[2 * QN_GRAPH_MAX_RANK];
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_amounts(op, 1, 2, 1, QN_GRAPH_MAX_TENSOR_BYTES, size))
    return;
  if (x->shape.rank != 4) {
    qn_graph_error(op, x, QN_INVALID, "rank %u where 4 is expected", x->shape.rank);
    return;
  }
  if (corners && half) {
    qn_graph_error(op, x, QN_INVALID, "align_corners and half_pixel_centers exclude each other");
    return;
  }
  qn_graph_attrs attrs = {0};
  const char *mode = corners ? "align_corners" : half ? "half_pixel" : "asymmetric";
  qn_graph_attr(&attrs, "sampling_mode", qn_attr_string(op->graph->cx, qn_str_of(mode)));
  qn_graph_shape shape = {4, {x->shape.dims[0], size[0], size[1], x->shape.dims[3]}};
  qn_graph_build_move(op, x, &attrs, &shape);
}

/* ---- along an axis ---- */

void qn_graph_stack(qn_graph_op *op, int64_t stated) {
  qn_graph *graph = op->graph;
  qn_graph_tensor *first = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  uint32_t axis, count = op->inputs.count;
  if (op->failed || !qn_graph_axis(op, stated, first->shape.rank + 1, &axis)) return;
  if (first->shape.rank == QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, first, QN_LIMIT, "the result's rank is above the limit of %d",
                   QN_GRAPH_MAX_RANK);
    return;
  }
  qn_value **operands = QN_NEW_ARRAY(&graph->arena, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !qn_graph_movable(op, y, x)) return;
    if (!qn_graph_has_shape_of(op, x, first, QN_INVALID)) return;
    operands[i] = qn_graph_value(op, x);
    if (!operands[i]) return;
  }
  qn_graph_shape shape = first->shape;
  for (uint32_t i = shape.rank; i > axis; i--) shape.dims[i] = shape.dims[i - 1];
  shape.dims[axis] = count;
  shape.rank++;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(graph->cx, axis));
  qn_graph_build(op, QN_OP_ML_STACK, operands, count, &attrs, &shape);
}

/* One result per index of the axis, without that dimension. */
void qn_graph_unstack(qn_graph_op *op, int64_t stated) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x;
  uint32_t axis, parts = op->outputs.count;
  if (!qn_graph_open_move(op, 0, &x) || !qn_graph_axis(op, stated, x->shape.rank, &axis)) return;
  if (x->shape.dims[axis] != parts) {
    qn_graph_error(op, x, QN_INVALID, "%u results of a dimension of %lld", parts,
                   (long long)x->shape.dims[axis]);
    return;
  }
  for (uint32_t i = 1; i < parts; i++) {
    const qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y || !qn_graph_movable(op, x, y)) return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  int64_t begin[QN_GRAPH_MAX_RANK] = {0}, end[QN_GRAPH_MAX_RANK], stride[QN_GRAPH_MAX_RANK];
  qn_graph_shape cut = x->shape, shape = {0};
  for (uint32_t d = 0; d < cut.rank; d++) {
    end[d] = cut.dims[d], stride[d] = 1;
    if (d != axis) shape.dims[shape.rank++] = cut.dims[d];
  }
  cut.dims[axis] = 1;
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_element(value->type), &cut);
  for (uint32_t i = 0; i < parts; i++) {
    begin[axis] = i, end[axis] = i + 1;
    qn_builder b = op->graph->builder;
    b.loc = qn_graph_loc(op, NULL);
    qn_value *slice = qn_build_1(&b, QN_OP_ML_SLICE_BY_INDEX, type, QN_VALUES(value),
                                 QN_ATTRS({"begin", qn_attr_i64s(cx, begin, cut.rank)},
                                          {"end", qn_attr_i64s(cx, end, cut.rank)},
                                          {"stride", qn_attr_i64s(cx, stride, cut.rank)}));
    qn_graph_attrs attrs = {0};
    qn_graph_op one = *op;
    one.outputs = qn_graph_part_of(op->outputs, i, 1);
    qn_graph_build(&one, QN_OP_ML_RESHAPE, &slice, 1, &attrs, &shape);
    op->failed |= one.failed;
    if (op->reason.size == 0) op->reason = one.reason;
  }
}

void qn_graph_import_split_v(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 2), *lengths = qn_graph_input(op, 1);
  int64_t stated, *sizes = QN_NEW_ARRAY(&op->graph->arena, op->outputs.count + 1, int64_t), sum = 0;
  uint32_t count, axis, parts = op->outputs.count, open = parts;
  if (!qn_graph_open_move(op, 0, &x) || !qn_graph_ints(op, operand, 1, &stated, &count) ||
      !qn_graph_axis(op, stated, x->shape.rank, &axis) ||
      !qn_graph_ints(op, lengths, parts, sizes, &count))
    return;
  bool good = count == parts;
  for (uint32_t i = 0; good && i < parts; i++) {
    if (sizes[i] == -1 && open == parts)
      open = i;
    else
      good = sizes[i] > 0 && sizes[i] <= x->shape.dims[axis];
    sum += sizes[i] > 0 ? sizes[i] : 0;
  }
  if (good && open < parts) sizes[open] = x->shape.dims[axis] - sum;
  if (!good || (open < parts ? sizes[open] < 1 : sum != x->shape.dims[axis])) {
    qn_graph_error(op, lengths, QN_INVALID, "the parts do not fill a dimension of %lld",
                   (long long)x->shape.dims[axis]);
    return;
  }
  qn_graph_shape *shapes = QN_NEW_ARRAY(&op->graph->arena, parts, qn_graph_shape);
  for (uint32_t i = 0; i < parts; i++) {
    qn_graph_tensor *y = qn_graph_output(op, i);
    if (!y || !qn_graph_movable(op, x, y)) return;
    shapes[i] = x->shape;
    shapes[i].dims[axis] = sizes[i];
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(op->graph->cx, axis));
  qn_graph_build_move(op, x, &attrs, shapes);
}

/* ---- by indices ---- */

static bool indices_of(qn_graph_op *op, qn_graph_tensor **out_indices) {
  *out_indices = qn_graph_input(op, 1);
  if (!*out_indices) return false;
  uint8_t dtype = (*out_indices)->dtype;
  return dtype == QN_GRAPH_INT32 || dtype == QN_GRAPH_INT64 ||
         qn_graph_error(op, *out_indices, QN_UNSUPPORTED,
                        "it is %s where int32 or int64 is expected", qn_graph_dtype_name(dtype));
}

static void build_gather(qn_graph_op *op, qn_graph_tensor *x, qn_graph_tensor *indices,
                         qn_graph_attrs *attrs, const qn_graph_shape *shape) {
  qn_value *operands[] = {qn_graph_value(op, x), qn_graph_value(op, indices)};
  if (!op->failed) qn_graph_build(op, op->row->kind, operands, 2, attrs, shape);
}

static bool append(qn_graph_op *op, qn_graph_shape *shape, int64_t size) {
  if (shape->rank == QN_GRAPH_MAX_RANK)
    return qn_graph_error(op, NULL, QN_LIMIT, "the result's rank is above the limit of %d",
                          QN_GRAPH_MAX_RANK);
  shape->dims[shape->rank++] = size;
  return true;
}

void qn_graph_gather(qn_graph_op *op, int64_t stated, int64_t batch) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x, *indices;
  uint32_t axis;
  if (!qn_graph_open_move(op, 0, &x) || !indices_of(op, &indices) ||
      !qn_graph_axis(op, stated, x->shape.rank, &axis))
    return;
  if (batch < 0) batch += indices->shape.rank;
  qn_graph_shape shape = {0};
  bool good = batch >= 0 && batch <= axis && batch <= indices->shape.rank;
  for (uint32_t i = 0; good && i < axis; i++) {
    good = i >= batch || x->shape.dims[i] == indices->shape.dims[i];
    if (good && !append(op, &shape, x->shape.dims[i])) return;
  }
  if (!good) {
    qn_graph_error(op, indices, QN_INVALID, "%lld dimensions are not common to both operands",
                   (long long)batch);
    return;
  }
  for (uint32_t i = (uint32_t)batch; i < indices->shape.rank; i++)
    if (!append(op, &shape, indices->shape.dims[i])) return;
  for (uint32_t i = axis + 1; i < x->shape.rank; i++)
    if (!append(op, &shape, x->shape.dims[i])) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(cx, axis));
  if (batch > 0) qn_graph_attr(&attrs, "batch_dims", qn_attr_i64(cx, batch));
  build_gather(op, x, indices, &attrs, &shape);
}

void qn_graph_import_gather_nd(qn_graph_op *op) {
  qn_graph_tensor *x, *indices;
  if (!qn_graph_open_move(op, 0, &x) || !indices_of(op, &indices)) return;
  const qn_graph_shape *in = &indices->shape;
  if (in->rank == 0 || in->dims[in->rank - 1] > x->shape.rank) {
    qn_graph_error(op, indices, QN_INVALID, "no vectors of at most %u indices", x->shape.rank);
    return;
  }
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i + 1 < in->rank; i++)
    if (!append(op, &shape, in->dims[i])) return;
  for (int64_t i = in->dims[in->rank - 1]; i < x->shape.rank; i++)
    if (!append(op, &shape, x->shape.dims[i])) return;
  qn_graph_attrs attrs = {0};
  build_gather(op, x, indices, &attrs, &shape);
}

/* ---- whole tensors ---- */

void qn_graph_import_tile(qn_graph_op *op) {
  qn_graph_tensor *x, *y = qn_graph_output(op, 0);
  int64_t reps[2 * QN_GRAPH_MAX_RANK];
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_amounts(op, 1, x->shape.rank, 1, QN_GRAPH_MAX_TENSOR_BYTES, reps))
    return;
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] *= reps[i];
  if (!qn_graph_check_size(op, y, &shape)) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "reps", reps, shape.rank);
  qn_graph_build_move(op, x, &attrs, &shape);
}

void qn_graph_import_broadcast_to(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 1);
  qn_graph_shape shape;
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, shape.dims, &shape.rank))
    return;
  qn_value *value = qn_graph_value(op, x);
  if (value) qn_graph_build_repeated(op, operand, value, &x->shape, &shape);
}

void qn_graph_import_reverse(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 1);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count;
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, axes, &count))
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, axes[i], x->shape.rank, &axis)) return;
    axes[i] = axis;
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "axes", axes, count);
  qn_graph_build_move(op, x, &attrs, &x->shape);
}

void qn_graph_mirror_pad(qn_graph_op *op, bool repeats) {
  qn_graph_tensor *x;
  int64_t pad[2 * QN_GRAPH_MAX_RANK];
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_amounts(op, 1, 2 * x->shape.rank, 0, QN_GRAPH_MAX_TENSOR_BYTES, pad))
    return;
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < 2 * shape.rank; i++) {
    if (pad[i] > x->shape.dims[i / 2] - (repeats ? 0 : 1)) {
      qn_graph_error(op, x, QN_INVALID, "dimension %u has no %lld elements to mirror", i / 2,
                     (long long)pad[i]);
      return;
    }
    shape.dims[i / 2] += pad[i];
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "pad", pad, 2 * shape.rank);
  qn_graph_attr(&attrs, "mode",
                qn_attr_string(op->graph->cx, qn_str_of(repeats ? "symmetric" : "reflect")));
  qn_graph_build_move(op, x, &attrs, &shape);
}

/* ---- SLICE ---- */

void qn_graph_import_slice(qn_graph_op *op) {
  qn_graph_tensor *x;
  int64_t begin[2 * QN_GRAPH_MAX_RANK], size[2 * QN_GRAPH_MAX_RANK], end[QN_GRAPH_MAX_RANK],
      stride[QN_GRAPH_MAX_RANK];
  if (!qn_graph_open_move(op, 0, &x) ||
      !qn_graph_amounts(op, 1, x->shape.rank, 0, QN_GRAPH_MAX_TENSOR_BYTES, begin) ||
      !qn_graph_amounts(op, 2, x->shape.rank, -1, QN_GRAPH_MAX_TENSOR_BYTES, size))
    return;
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < shape.rank; i++) {
    end[i] = size[i] < 0 ? shape.dims[i] : begin[i] + size[i];
    stride[i] = 1;
    if (end[i] > x->shape.dims[i] || end[i] <= begin[i]) {
      qn_graph_error(op, x, QN_INVALID, "the slice is empty or out of bounds in dimension %u", i);
      return;
    }
    shape.dims[i] = end[i] - begin[i];
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "begin", begin, shape.rank);
  qn_graph_attr_i64s(op, &attrs, "end", end, shape.rank);
  qn_graph_attr_i64s(op, &attrs, "stride", stride, shape.rank);
  qn_graph_build_move(op, x, &attrs, &shape);
}
