/* RESHAPE, SQUEEZE, EXPAND_DIMS, TRANSPOSE: the same elements under another shape. Stored
 * values move as they are, as in the kernels, also where the file gives input and output unequal
 * scales.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* Input 0, of the same type as output 0. */
static bool open_copy(qn_tflite_op *op, qn_tflite_tensor **out_x) {
  qn_tflite_tensor *x = qn_tflite_input(op, 0), *y = qn_tflite_output(op, 0);
  *out_x = x;
  return !op->failed && qn_tflite_movable(op, x, y);
}

static void build_copy(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_attrs *attrs,
                       const qn_tflite_shape *shape) {
  qn_value *value = qn_tflite_value(op, x);
  if (value) qn_tflite_build(op, op->code->builtin->kind, &value, 1, attrs, shape);
}

/* The target: operand 1, else the options. Very old files mean a scalar by [0]. */
static bool target_shape(qn_tflite_op *op, int64_t values[QN_TFLITE_MAX_RANK],
                         uint32_t *out_count) {
  qn_tflite_tensor *operand = qn_tflite_input(op, 1);
  if (op->failed) return false;
  if (operand)
    return qn_tflite_stated_sizes(op, operand, qn_tflite_output(op, 0), values, out_count);
  qn_fb_vector stated = qn_fb_vector_of(op->options, QN_FB_RESHAPE_OPTIONS_NEW_SHAPE);
  if (stated.count > QN_TFLITE_MAX_RANK)
    return qn_tflite_error(op, NULL, QN_LIMIT, "rank %u is above the limit of %d", stated.count,
                           QN_TFLITE_MAX_RANK);
  *out_count = stated.count;
  for (uint32_t i = 0; i < stated.count; i++) values[i] = qn_fb_i32_at(stated, i);
  if (stated.count == 1 && values[0] == 0) *out_count = 0;
  return true;
}

/* A target that fixes the file's own batch follows a new one. */
static void follow_batch(const qn_tflite *im, qn_tflite_shape *shape) {
  bool fixed = im->options->rebatch && shape->rank > 0 && shape->dims[0] == im->stored_batch;
  if (fixed) shape->dims[0] = im->batch;
}

/* One -1 stands for what is left. */
static bool resolve_target(qn_tflite_op *op, const qn_tflite_tensor *x, qn_tflite_shape *shape) {
  follow_batch(op->im, shape);
  int64_t elements = qn_tflite_elements(&x->shape), known = 1;
  int free_dim = -1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    int64_t d = shape->dims[i];
    if (d == -1 && free_dim < 0) {
      free_dim = (int)i;
    } else if (d < 1 || d > elements / known) {
      known = 0;
      break;
    } else {
      known *= d;
    }
  }
  if (known == 0 || elements % known != 0 || (free_dim < 0 && known != elements)) {
    qn_str text = qn_tflite_shape_text(op->im, shape);
    return qn_tflite_error(op, x, QN_INVALID, "%lld elements do not fit the shape %.*s%s",
                           (long long)elements, QN_STR_ARG(text),
                           op->im->rebound ? ", which the file fixes for its own batch size" : "");
  }
  if (free_dim >= 0) shape->dims[free_dim] = elements / known;
  return true;
}

void qn_tflite_import_reshape(qn_tflite_op *op) {
  qn_tflite_tensor *x;
  qn_tflite_shape shape = {0};
  qn_tflite_attrs attrs = {0};
  if (!open_copy(op, &x) || !target_shape(op, shape.dims, &shape.rank) ||
      !resolve_target(op, x, &shape))
    return;
  build_copy(op, x, &attrs, &shape);
}

void qn_tflite_import_squeeze(qn_tflite_op *op) {
  qn_tflite_tensor *x;
  if (!open_copy(op, &x)) return;
  qn_fb_vector stated = qn_fb_vector_of(op->options, QN_FB_SQUEEZE_OPTIONS_SQUEEZE_DIMS);
  bool drop[QN_TFLITE_MAX_RANK] = {false};
  for (uint32_t i = 0; i < x->shape.rank; i++) drop[i] = stated.count == 0 && x->shape.dims[i] == 1;
  for (uint32_t i = 0; i < stated.count; i++) {
    uint32_t axis;
    if (!qn_tflite_axis(op, qn_fb_i32_at(stated, i), x->shape.rank, &axis)) return;
    if (x->shape.dims[axis] != 1) {
      qn_tflite_error(op, x, QN_INVALID, "dimension %u is %lld; only 1 can be dropped", axis,
                      (long long)x->shape.dims[axis]);
      return;
    }
    drop[axis] = true;
  }
  int64_t axes[QN_TFLITE_MAX_RANK];
  uint32_t count = 0;
  qn_tflite_shape shape = {0};
  for (uint32_t i = 0; i < x->shape.rank; i++) {
    if (drop[i])
      axes[count++] = i;
    else
      shape.dims[shape.rank++] = x->shape.dims[i];
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "axes", qn_attr_i64s(op->im->cx, axes, count));
  build_copy(op, x, &attrs, &shape);
}

void qn_tflite_import_expand_dims(qn_tflite_op *op) {
  qn_tflite_tensor *x, *operand = qn_tflite_input(op, 1);
  int64_t axis;
  uint32_t count, at;
  if (!open_copy(op, &x) || !qn_tflite_ints(op, operand, 1, &axis, &count)) return;
  if (x->shape.rank == QN_TFLITE_MAX_RANK) {
    qn_tflite_error(op, x, QN_LIMIT, "the result's rank is above the limit of %d",
                    QN_TFLITE_MAX_RANK);
    return;
  }
  if (!qn_tflite_axis(op, axis, x->shape.rank + 1, &at)) return;
  qn_tflite_shape shape = {0};
  for (uint32_t i = 0; i <= x->shape.rank; i++)
    shape.dims[i] = i == at ? 1 : x->shape.dims[i - (i > at)];
  shape.rank = x->shape.rank + 1;
  int64_t resolved = at;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "axes", qn_attr_i64s(op->im->cx, &resolved, 1));
  build_copy(op, x, &attrs, &shape);
}

void qn_tflite_import_transpose(qn_tflite_op *op) {
  qn_tflite_tensor *x, *operand = qn_tflite_input(op, 1);
  int64_t perm[QN_TFLITE_MAX_RANK];
  uint32_t count, seen = 0;
  if (!open_copy(op, &x) || !qn_tflite_ints(op, operand, QN_TFLITE_MAX_RANK, perm, &count)) return;
  qn_tflite_shape shape = {x->shape.rank, {0}};
  for (uint32_t i = 0; i < count && count == x->shape.rank; i++) {
    uint32_t from;
    if (!qn_tflite_axis(op, perm[i], count, &from)) return;
    perm[i] = from;
    seen |= 1u << from;
    shape.dims[i] = x->shape.dims[from];
  }
  if (count != x->shape.rank || seen != (1u << count) - 1) {
    qn_tflite_error(op, operand, QN_INVALID, "no permutation of %u dimensions", x->shape.rank);
    return;
  }
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "perm", qn_attr_i64s(op->im->cx, perm, count));
  build_copy(op, x, &attrs, &shape);
}
