/* Operators that arrange elements anew: PACK, UNPACK, GATHER, TILE, REVERSE_V2, MIRROR_PAD, blocks,
 * SLICE, SPLIT_V, BROADCAST_TO, and the resizing ones. Stored values move as they are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

bool qn_tflite_open_move(qn_tflite_op *op, uint32_t input, qn_tflite_tensor **out_x) {
  *out_x = qn_tflite_input(op, input);
  qn_tflite_tensor *y = qn_tflite_output(op, 0);
  return !op->failed && qn_tflite_movable(op, *out_x, y);
}

void qn_tflite_build_move(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_attrs *attrs,
                          const qn_tflite_shape *shape) {
  qn_value *value = qn_tflite_value(op, x);
  if (value) qn_tflite_build(op, op->code->builtin->kind, &value, 1, attrs, shape);
}

void qn_tflite_attr_i64s(qn_tflite_op *op, qn_tflite_attrs *attrs, const char *name,
                         const int64_t *values, uint32_t count) {
  qn_tflite_attr(attrs, name, qn_attr_i64s(op->im->cx, values, count));
}

bool qn_tflite_amounts(qn_tflite_op *op, uint32_t input, uint32_t count, int64_t low, int64_t high,
                       int64_t *out_values) {
  qn_tflite_tensor *operand = qn_tflite_input(op, input);
  uint32_t found;
  if (op->failed || !qn_tflite_ints(op, operand, 2 * QN_TFLITE_MAX_RANK, out_values, &found))
    return false;
  if (found != count)
    return qn_tflite_error(op, operand, QN_INVALID, "%u elements where %u are expected", found,
                           count);
  for (uint32_t i = 0; i < count; i++)
    if (out_values[i] < low || out_values[i] > high)
      return qn_tflite_error(op, operand, QN_INVALID, "element %u is %lld, outside of [%lld, %lld]",
                             i, (long long)out_values[i], (long long)low, (long long)high);
  return true;
}

/* ---- resizing ---- */

void qn_tflite_import_resize(qn_tflite_op *op) {
  qn_tflite_tensor *x;
  int64_t size[2 * QN_TFLITE_MAX_RANK];
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_amounts(op, 1, 2, 1, QN_TFLITE_MAX_TENSOR_BYTES, size))
    return;
  if (x->shape.rank != 4) {
    qn_tflite_error(op, x, QN_INVALID, "rank %u where 4 is expected", x->shape.rank);
    return;
  }
  bool corners = qn_tflite_option(op, "ALIGN_CORNERS") != 0,
       half = qn_tflite_option(op, "HALF_PIXEL_CENTERS") != 0;
  if (corners && half) {
    qn_tflite_error(op, x, QN_INVALID, "align_corners and half_pixel_centers exclude each other");
    return;
  }
  qn_tflite_attrs attrs = {0};
  const char *mode = corners ? "align_corners" : half ? "half_pixel" : "asymmetric";
  qn_tflite_attr(&attrs, "sampling_mode", qn_attr_string(op->im->cx, qn_str_of(mode)));
  qn_tflite_shape shape = {4, {x->shape.dims[0], size[0], size[1], x->shape.dims[3]}};
  qn_tflite_build_move(op, x, &attrs, &shape);
}

/* ---- along an axis ---- */

void qn_tflite_import_pack(qn_tflite_op *op) {
  qn_tflite *im = op->im;
  qn_tflite_tensor *first = qn_tflite_input(op, 0), *y = qn_tflite_output(op, 0);
  uint32_t axis, count = op->inputs.count;
  if (op->failed || !qn_tflite_axis(op, qn_tflite_option(op, "AXIS"), first->shape.rank + 1, &axis))
    return;
  if (first->shape.rank == QN_TFLITE_MAX_RANK) {
    qn_tflite_error(op, first, QN_LIMIT, "the result's rank is above the limit of %d",
                    QN_TFLITE_MAX_RANK);
    return;
  }
  qn_value **operands = QN_NEW_ARRAY(&im->arena, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) {
    qn_tflite_tensor *x = qn_tflite_input(op, i);
    if (!x || !qn_tflite_movable(op, y, x)) return;
    if (!qn_tflite_has_shape_of(op, x, first, QN_INVALID)) return;
    operands[i] = qn_tflite_value(op, x);
    if (!operands[i]) return;
  }
  qn_tflite_shape shape = first->shape;
  for (uint32_t i = shape.rank; i > axis; i--) shape.dims[i] = shape.dims[i - 1];
  shape.dims[axis] = count;
  shape.rank++;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "axis", qn_attr_i64(im->cx, axis));
  qn_tflite_build(op, QN_OP_ML_STACK, operands, count, &attrs, &shape);
}

/* A slice of one entry, without the dimension, per result. */
void qn_tflite_import_unpack(qn_tflite_op *op) {
  qn_ir_context *cx = op->im->cx;
  qn_tflite_tensor *x;
  uint32_t axis, parts = op->outputs.count;
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_axis(op, qn_tflite_option(op, "AXIS"), x->shape.rank, &axis))
    return;
  if (x->shape.dims[axis] != parts) {
    qn_tflite_error(op, x, QN_INVALID, "%u results of a dimension of %lld", parts,
                    (long long)x->shape.dims[axis]);
    return;
  }
  for (uint32_t i = 1; i < parts; i++) {
    const qn_tflite_tensor *y = qn_tflite_output(op, i);
    if (!y || !qn_tflite_movable(op, x, y)) return;
  }
  qn_value *value = qn_tflite_value(op, x);
  if (!value) return;
  int64_t begin[QN_TFLITE_MAX_RANK] = {0}, end[QN_TFLITE_MAX_RANK], stride[QN_TFLITE_MAX_RANK];
  qn_tflite_shape cut = x->shape, shape = {0};
  for (uint32_t d = 0; d < cut.rank; d++) {
    end[d] = cut.dims[d], stride[d] = 1;
    if (d != axis) shape.dims[shape.rank++] = cut.dims[d];
  }
  cut.dims[axis] = 1;
  const qn_type *type = qn_tflite_shaped(op->im, qn_type_element(value->type), &cut);
  for (uint32_t i = 0; i < parts; i++) {
    begin[axis] = i, end[axis] = i + 1;
    qn_builder b = op->im->builder;
    b.loc = qn_tflite_loc(op, NULL);
    qn_value *slice = qn_build_1(&b, QN_OP_ML_SLICE_BY_INDEX, type, QN_VALUES(value),
                                 QN_ATTRS({"begin", qn_attr_i64s(cx, begin, cut.rank)},
                                          {"end", qn_attr_i64s(cx, end, cut.rank)},
                                          {"stride", qn_attr_i64s(cx, stride, cut.rank)}));
    qn_tflite_attrs attrs = {0};
    qn_tflite_op one = *op;
    one.outputs = qn_fb_i32_part(op->outputs, i, 1);
    qn_tflite_build(&one, QN_OP_ML_RESHAPE, &slice, 1, &attrs, &shape);
    op->failed |= one.failed;
    if (op->reason.size == 0) op->reason = one.reason;
  }
}

void qn_tflite_import_split_v(qn_tflite_op *op) {
  qn_tflite_tensor *x, *operand = qn_tflite_input(op, 2), *lengths = qn_tflite_input(op, 1);
  int64_t stated, *sizes = QN_NEW_ARRAY(&op->im->arena, op->outputs.count + 1, int64_t), sum = 0;
  uint32_t count, axis, parts = op->outputs.count, open = parts;
  if (!qn_tflite_open_move(op, 0, &x) || !qn_tflite_ints(op, operand, 1, &stated, &count) ||
      !qn_tflite_axis(op, stated, x->shape.rank, &axis) ||
      !qn_tflite_ints(op, lengths, parts, sizes, &count))
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
    qn_tflite_error(op, lengths, QN_INVALID, "the parts do not fill a dimension of %lld",
                    (long long)x->shape.dims[axis]);
    return;
  }
  qn_tflite_shape *shapes = QN_NEW_ARRAY(&op->im->arena, parts, qn_tflite_shape);
  for (uint32_t i = 0; i < parts; i++) {
    qn_tflite_tensor *y = qn_tflite_output(op, i);
    if (!y || !qn_tflite_movable(op, x, y)) return;
    shapes[i] = x->shape;
    shapes[i].dims[axis] = sizes[i];
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "axis", qn_attr_i64(op->im->cx, axis));
  qn_tflite_build_move(op, x, &attrs, shapes);
}

/* ---- by indices ---- */

static bool indices_of(qn_tflite_op *op, qn_tflite_tensor **out_indices) {
  *out_indices = qn_tflite_input(op, 1);
  if (!*out_indices) return false;
  uint8_t dtype = (*out_indices)->dtype;
  return dtype == QN_TFLITE_INT32 || dtype == QN_TFLITE_INT64 ||
         qn_tflite_error(op, *out_indices, QN_UNSUPPORTED,
                         "it is %s where int32 or int64 is expected", qn_tflite_dtype_name(dtype));
}

static void build_gather(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_tensor *indices,
                         qn_tflite_attrs *attrs, const qn_tflite_shape *shape) {
  qn_value *operands[] = {qn_tflite_value(op, x), qn_tflite_value(op, indices)};
  if (!op->failed) qn_tflite_build(op, op->code->builtin->kind, operands, 2, attrs, shape);
}

static bool append(qn_tflite_op *op, qn_tflite_shape *shape, int64_t size) {
  if (shape->rank == QN_TFLITE_MAX_RANK)
    return qn_tflite_error(op, NULL, QN_LIMIT, "the result's rank is above the limit of %d",
                           QN_TFLITE_MAX_RANK);
  shape->dims[shape->rank++] = size;
  return true;
}

void qn_tflite_import_gather(qn_tflite_op *op) {
  qn_ir_context *cx = op->im->cx;
  qn_tflite_tensor *x, *indices;
  uint32_t axis;
  if (!qn_tflite_open_move(op, 0, &x) || !indices_of(op, &indices) ||
      !qn_tflite_axis(op, qn_tflite_option(op, "AXIS"), x->shape.rank, &axis))
    return;
  int64_t batch = qn_tflite_option(op, "BATCH_DIMS");
  if (batch < 0) batch += indices->shape.rank;
  qn_tflite_shape shape = {0};
  bool good = batch >= 0 && batch <= axis && batch <= indices->shape.rank;
  for (uint32_t i = 0; good && i < axis; i++) {
    good = i >= batch || x->shape.dims[i] == indices->shape.dims[i];
    if (good && !append(op, &shape, x->shape.dims[i])) return;
  }
  if (!good) {
    qn_tflite_error(op, indices, QN_INVALID, "%lld dimensions are not common to both operands",
                    (long long)batch);
    return;
  }
  for (uint32_t i = (uint32_t)batch; i < indices->shape.rank; i++)
    if (!append(op, &shape, indices->shape.dims[i])) return;
  for (uint32_t i = axis + 1; i < x->shape.rank; i++)
    if (!append(op, &shape, x->shape.dims[i])) return;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "axis", qn_attr_i64(cx, axis));
  if (batch > 0) qn_tflite_attr(&attrs, "batch_dims", qn_attr_i64(cx, batch));
  build_gather(op, x, indices, &attrs, &shape);
}

void qn_tflite_import_gather_nd(qn_tflite_op *op) {
  qn_tflite_tensor *x, *indices;
  if (!qn_tflite_open_move(op, 0, &x) || !indices_of(op, &indices)) return;
  const qn_tflite_shape *in = &indices->shape;
  if (in->rank == 0 || in->dims[in->rank - 1] > x->shape.rank) {
    qn_tflite_error(op, indices, QN_INVALID, "no vectors of at most %u indices", x->shape.rank);
    return;
  }
  qn_tflite_shape shape = {0};
  for (uint32_t i = 0; i + 1 < in->rank; i++)
    if (!append(op, &shape, in->dims[i])) return;
  for (int64_t i = in->dims[in->rank - 1]; i < x->shape.rank; i++)
    if (!append(op, &shape, x->shape.dims[i])) return;
  qn_tflite_attrs attrs = {0};
  build_gather(op, x, indices, &attrs, &shape);
}

/* ---- whole tensors ---- */

void qn_tflite_import_tile(qn_tflite_op *op) {
  qn_tflite_tensor *x, *y = qn_tflite_output(op, 0);
  int64_t reps[2 * QN_TFLITE_MAX_RANK];
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_amounts(op, 1, x->shape.rank, 1, QN_TFLITE_MAX_TENSOR_BYTES, reps))
    return;
  qn_tflite_shape shape = x->shape;
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] *= reps[i];
  if (!qn_tflite_check_size(op, y, &shape)) return;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr_i64s(op, &attrs, "reps", reps, shape.rank);
  qn_tflite_build_move(op, x, &attrs, &shape);
}

void qn_tflite_build_repeated(qn_tflite_op *op, const qn_tflite_tensor *operand, qn_value *value,
                              const qn_tflite_shape *from, const qn_tflite_shape *to) {
  int64_t reps[QN_TFLITE_MAX_RANK];
  qn_tflite_shape view = {.rank = to->rank};
  bool good = to->rank >= from->rank;
  for (uint32_t i = 0; good && i < to->rank; i++) {
    uint32_t missing = to->rank - from->rank;
    view.dims[i] = i < missing ? 1 : from->dims[i - missing];
    good = to->dims[i] > 0 && (view.dims[i] == 1 || view.dims[i] == to->dims[i]);
    reps[i] = good ? to->dims[i] / view.dims[i] : 1;
  }
  if (!good) {
    qn_tflite_error(op, operand, QN_INVALID, "the operand can't be broadcast to this shape");
    return;
  }
  if (!qn_tflite_check_size(op, qn_tflite_output(op, 0), to)) return;
  value = qn_tflite_view(op, value, &view);
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr_i64s(op, &attrs, "reps", reps, to->rank);
  qn_tflite_build(op, QN_OP_ML_TILE, &value, 1, &attrs, to);
}

void qn_tflite_import_broadcast_to(qn_tflite_op *op) {
  qn_tflite_tensor *x, *operand = qn_tflite_input(op, 1);
  qn_tflite_shape shape;
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_ints(op, operand, QN_TFLITE_MAX_RANK, shape.dims, &shape.rank))
    return;
  qn_value *value = qn_tflite_value(op, x);
  if (value) qn_tflite_build_repeated(op, operand, value, &x->shape, &shape);
}

void qn_tflite_import_reverse(qn_tflite_op *op) {
  qn_tflite_tensor *x, *operand = qn_tflite_input(op, 1);
  int64_t axes[QN_TFLITE_MAX_RANK];
  uint32_t count;
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_ints(op, operand, QN_TFLITE_MAX_RANK, axes, &count))
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t axis;
    if (!qn_tflite_axis(op, axes[i], x->shape.rank, &axis)) return;
    axes[i] = axis;
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr_i64s(op, &attrs, "axes", axes, count);
  qn_tflite_build_move(op, x, &attrs, &x->shape);
}

void qn_tflite_import_mirror_pad(qn_tflite_op *op) {
  qn_tflite_tensor *x;
  int64_t pad[2 * QN_TFLITE_MAX_RANK];
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_amounts(op, 1, 2 * x->shape.rank, 0, QN_TFLITE_MAX_TENSOR_BYTES, pad))
    return;
  bool repeats = qn_tflite_option(op, "MODE") == 1;
  qn_tflite_shape shape = x->shape;
  for (uint32_t i = 0; i < 2 * shape.rank; i++) {
    if (pad[i] > x->shape.dims[i / 2] - (repeats ? 0 : 1)) {
      qn_tflite_error(op, x, QN_INVALID, "dimension %u has no %lld elements to mirror", i / 2,
                      (long long)pad[i]);
      return;
    }
    shape.dims[i / 2] += pad[i];
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr_i64s(op, &attrs, "pad", pad, 2 * shape.rank);
  qn_tflite_attr(&attrs, "mode",
                 qn_attr_string(op->im->cx, qn_str_of(repeats ? "symmetric" : "reflect")));
  qn_tflite_build_move(op, x, &attrs, &shape);
}

/* ---- SLICE ---- */

void qn_tflite_import_slice(qn_tflite_op *op) {
  qn_tflite_tensor *x;
  int64_t begin[2 * QN_TFLITE_MAX_RANK], size[2 * QN_TFLITE_MAX_RANK], end[QN_TFLITE_MAX_RANK],
      stride[QN_TFLITE_MAX_RANK];
  if (!qn_tflite_open_move(op, 0, &x) ||
      !qn_tflite_amounts(op, 1, x->shape.rank, 0, QN_TFLITE_MAX_TENSOR_BYTES, begin) ||
      !qn_tflite_amounts(op, 2, x->shape.rank, -1, QN_TFLITE_MAX_TENSOR_BYTES, size))
    return;
  qn_tflite_shape shape = x->shape;
  for (uint32_t i = 0; i < shape.rank; i++) {
    end[i] = size[i] < 0 ? shape.dims[i] : begin[i] + size[i];
    stride[i] = 1;
    if (end[i] > x->shape.dims[i] || end[i] <= begin[i]) {
      qn_tflite_error(op, x, QN_INVALID, "nothing, or what lies outside, is taken of dimension %u",
                      i);
      return;
    }
    shape.dims[i] = end[i] - begin[i];
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr_i64s(op, &attrs, "begin", begin, shape.rank);
  qn_tflite_attr_i64s(op, &attrs, "end", end, shape.rank);
  qn_tflite_attr_i64s(op, &attrs, "stride", stride, shape.rank);
  qn_tflite_build_move(op, x, &attrs, &shape);
}
