/* Operators that move elements or change the shape: Reshape, Flatten, Squeeze, Unsqueeze, Identity,
 * Dropout, Transpose, Concat, Slice, Resize.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/layer.h"
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

static qn_graph_tensor *const *inputs_from(qn_graph_op *op, uint32_t first, uint32_t step,
                                           uint32_t *out_count) {
  uint32_t count = (op->inputs.count - first + step - 1) / step;
  qn_graph_tensor **through = QN_NEW_ARRAY(&op->graph->arena, count, qn_graph_tensor *);
  for (uint32_t i = 0; i < count; i++) through[i] = qn_graph_input(op, first + i * step);
  *out_count = count;
  return through;
}

/* Defines output 0, whose elements are elements of x, so that readers may request any element type
 * of x (qn_onnx_pass). */
static void pass(qn_graph_op *op, qn_graph_tensor *x, const qn_graph_shape *shape,
                 const qn_onnx_recipe *r) {
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), shape, r);
}

/* If x is a constant, makes output 0 a constant with the same data and returns true. */
static bool becomes_constant(qn_graph_op *op, const qn_graph_tensor *x,
                             const qn_graph_shape *shape) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  if (!qn_onnx_is_constant(op, x)) return false;
  y->dtype = x->dtype;
  y->stored_dtype = x->stored_dtype;
  y->shape = *shape;
  y->data = x->data;
  y->loaded = true;
  y->writer = -1; /* no operator writes it, as for a constant in the file */
  qn_onnx_extra(op->graph, y)->bits = qn_onnx_extra(op->graph, x)->bits;
  return true;
}

/* ---- the same elements in another shape ---- */

static void reshape(qn_graph_op *op, qn_graph_tensor *x, const qn_graph_shape *shape) {
  if (qn_graph_elements(shape) != qn_graph_elements(&x->shape)) {
    qn_str from = qn_graph_shape_text(op->graph, &x->shape),
           to = qn_graph_shape_text(op->graph, shape);
    qn_graph_error(op, x, QN_INVALID, "shape %.*s can't become %.*s", QN_STR_ARG(from),
                   QN_STR_ARG(to));
    return;
  }
  if (becomes_constant(op, x, shape)) return;
  qn_onnx_recipe r = {.kind = QN_OP_ML_RESHAPE, .shape = *shape};
  pass(op, x, shape, &r);
}

void qn_onnx_import_reshape(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *sizes = qn_graph_input(op, 1);
  qn_graph_shape shape = {0};
  if (op->failed || !qn_graph_ints(op, sizes, QN_GRAPH_MAX_RANK, shape.dims, &shape.rank)) return;
  const bool zeros = qn_onnx_int(op, "allowzero", 0) != 0;
  int64_t rest = qn_graph_elements(&x->shape);
  int32_t open = -1;
  for (uint32_t i = 0; i < shape.rank; i++) {
    if (shape.dims[i] == 0 && !zeros) {
      if (i >= x->shape.rank) {
        qn_graph_error(op, sizes, QN_INVALID, "size %u is that of a dimension that there is not",
                       i);
        return;
      }
      shape.dims[i] = x->shape.dims[i];
    }
    if (shape.dims[i] < -1 || (shape.dims[i] == -1 && open >= 0)) {
      qn_graph_error(op, sizes, QN_INVALID, "size %u is %lld", i, (long long)shape.dims[i]);
      return;
    }
    if (shape.dims[i] == -1)
      open = (int32_t)i;
    else if (shape.dims[i] > 0 && rest % shape.dims[i] == 0)
      rest /= shape.dims[i];
    else if (shape.dims[i] == 0 && rest == 0)
      continue;
    else {
      qn_graph_error(op, sizes, QN_INVALID, "%lld elements do not divide into this shape",
                     (long long)qn_graph_elements(&x->shape));
      return;
    }
  }
  if (open >= 0) shape.dims[open] = rest;
  reshape(op, x, &shape);
}

void qn_onnx_import_flatten(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t axis = qn_onnx_int(op, "axis", 1);
  if (op->failed) return;
  const int64_t rank = x->shape.rank;
  if (axis < -rank || axis > rank) {
    qn_graph_error(op, x, QN_INVALID, "axis %lld of a tensor of rank %lld", (long long)axis,
                   (long long)rank);
    return;
  }
  if (axis < 0) axis += rank;
  qn_graph_shape shape = {2, {1, 1}};
  for (int64_t i = 0; i < rank; i++) shape.dims[i >= axis] *= x->shape.dims[i];
  reshape(op, x, &shape);
}

/* Reads the axes: from an attribute before opset version 13, from operand 1 from version 13 on.
 * *out_count is 0 if they are absent. */
static bool axes_of(qn_graph_op *op, int64_t *axes, uint32_t *out_count) {
  *out_count = 0;
  if (qn_onnx_opset(op) < 13) return qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, axes, out_count);
  if (!qn_graph_has_input(op, 1)) return true;
  qn_graph_tensor *operand = qn_graph_input(op, 1);
  return operand && qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, axes, out_count);
}

/* Converts the axes to a bit set. Reports an axis that is listed twice. */
static bool mask_of(qn_graph_op *op, const int64_t *axes, uint32_t count, uint32_t rank,
                    uint32_t *out) {
  *out = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, axes[i], rank, &axis)) return false;
    if (*out >> axis & 1)
      return qn_graph_error(op, NULL, QN_INVALID, "axis %u is listed twice", axis);
    *out |= 1u << axis;
  }
  return true;
}

void qn_onnx_import_squeeze(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count, mask;
  qn_graph_shape shape = {0};
  if (op->failed || !axes_of(op, axes, &count) || !mask_of(op, axes, count, x->shape.rank, &mask))
    return;
  for (uint32_t i = 0; i < x->shape.rank; i++) {
    bool is_one = x->shape.dims[i] == 1, drop = count ? mask >> i & 1 : is_one;
    if (drop && !is_one) {
      qn_graph_error(op, x, QN_INVALID, "dimension %u is %lld, not 1", i,
                     (long long)x->shape.dims[i]);
      return;
    }
    if (!drop) shape.dims[shape.rank++] = x->shape.dims[i];
  }
  reshape(op, x, &shape);
}

void qn_onnx_import_unsqueeze(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count, mask, from = 0;
  if (op->failed || !axes_of(op, axes, &count)) return;
  if (x->shape.rank + count > QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_LIMIT, "rank %u is above the limit of %d", x->shape.rank + count,
                   QN_GRAPH_MAX_RANK);
    return;
  }
  qn_graph_shape shape = {.rank = x->shape.rank + count};
  if (!mask_of(op, axes, count, shape.rank, &mask)) return;
  for (uint32_t i = 0; i < shape.rank; i++)
    shape.dims[i] = mask >> i & 1 ? 1 : x->shape.dims[from++];
  reshape(op, x, &shape);
}

void qn_onnx_import_identity(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  qn_onnx_alias(op, qn_graph_output(op, 0), x);
}

/* Every element is kept. */
static void give_mask(qn_graph_op *op) {
  const uint8_t one = 1;
  const qn_graph_shape none = {0};
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  qn_value *kept = qn_graph_const(op, qn_onnx_boolean(op), &none, &one);
  if (x) qn_onnx_give(op, 1, QN_GRAPH_BOOL, qn_onnx_filled(op, kept, &x->shape));
}

/* The share that training drops is known to be 0. */
static bool drops_nothing(qn_graph_op *op) {
  if (!qn_graph_has_input(op, 1)) return false;
  const qn_graph_tensor *ratio = qn_graph_input(op, 1);
  if (!ratio || !qn_onnx_is_constant(op, ratio) || qn_graph_elements(&ratio->shape) != 1 ||
      (ratio->dtype != QN_GRAPH_FLOAT32 && ratio->dtype != QN_GRAPH_FLOAT64))
    return false;
  return qn_graph_real_at((qn_graph_list){ratio->data.data, 1, ratio->dtype}, 0) == 0;
}

/* Nothing is dropped but in training, of which operand 2 says whether it is. */
void qn_onnx_import_dropout(qn_graph_op *op) {
  int64_t training = 0;
  if (qn_graph_has_input(op, 2)) {
    qn_graph_tensor *mode = qn_graph_input(op, 2);
    if (!mode || !qn_graph_scalar(op, mode, &training)) return;
  }
  if (training && !drops_nothing(op)) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "training is not supported");
    return;
  }
  qn_onnx_import_identity(op);
  if (!op->failed && qn_onnx_wants(op, 1)) give_mask(op);
}

/* ---- Transpose ---- */

static bool is_perm(const int64_t *perm, const int64_t *of) {
  return memcmp(perm, of, 4 * sizeof *perm) == 0;
}

static qn_value *build_same(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  return qn_onnx_through(op, r, 0, element);
}

void qn_onnx_import_transpose(qn_graph_op *op) {
  static const int64_t to_last[] = {0, 2, 3, 1}, to_first[] = {0, 3, 1, 2};
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t perm[QN_GRAPH_MAX_RANK];
  uint32_t count, seen = 0;
  if (op->failed || !qn_onnx_ints(op, "perm", QN_GRAPH_MAX_RANK, perm, &count)) return;
  const uint32_t rank = x->shape.rank;
  for (uint32_t i = 0; count == 0 && i < rank; i++) perm[i] = rank - 1 - i;
  qn_graph_shape shape = {.rank = rank};
  for (uint32_t i = 0; i < rank; i++) {
    if ((count && count != rank) || perm[i] < 0 || perm[i] >= rank || seen >> perm[i] & 1) {
      qn_graph_error(op, x, QN_INVALID, "'perm' is not an order of %u dimensions", rank);
      return;
    }
    seen |= 1u << perm[i];
    shape.dims[i] = x->shape.dims[perm[i]];
  }
  qn_onnx_recipe r = {.kind = QN_OP_ML_TRANSPOSE, .shape = shape};
  qn_graph_attr_i64s(op, &r.attrs, "perm", perm, rank);
  if (rank == 4 && is_perm(perm, to_last) && qn_onnx_layout_of(op, x) == QN_ONNX_NHWC) {
    r.build = build_same;
    r.through_layout = QN_ONNX_NHWC;
  } else if (rank == 4 && is_perm(perm, to_first)) {
    r.build = build_same;
    r.layout = QN_ONNX_NHWC;
    r.shape = qn_onnx_shape_in(&shape, QN_ONNX_NHWC);
  }
  pass(op, x, &shape, &r);
}

/* ---- Concat ---- */

static const int64_t place_in_nhwc[] = {0, 3, 1, 2};

static bool join_shapes(qn_graph_op *op, qn_graph_tensor *const *x, uint32_t count, uint32_t axis,
                        qn_graph_shape *out) {
  *out = x[0]->shape;
  for (uint32_t i = 1; i < count; i++) {
    bool fits = x[i]->shape.rank == out->rank && x[i]->dtype == x[0]->dtype;
    for (uint32_t d = 0; fits && d < out->rank; d++)
      fits = d == axis || x[i]->shape.dims[d] == out->dims[d];
    if (!fits) return qn_graph_error(op, x[i], QN_INVALID, "it does not fit to the first operand");
    out->dims[axis] += x[i]->shape.dims[axis];
  }
  return true;
}

static bool open_concat(qn_graph_op *op, qn_graph_tensor *const *x, uint32_t count,
                        qn_onnx_recipe *r, qn_graph_shape *out_shape) {
  uint32_t axis;
  if (!qn_onnx_attribute(op, "axis", QN_ONNX_ATTR_INT))
    return qn_graph_error(op, NULL, QN_INVALID, "attribute 'axis' is missing");
  if (!qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x[0]->shape.rank, &axis) ||
      !join_shapes(op, x, count, axis, out_shape))
    return false;
  qn_onnx_layout layout = QN_ONNX_PLAIN;
  for (uint32_t i = 0; i < count && out_shape->rank == 4; i++)
    if (qn_onnx_layout_of(op, x[i]) == QN_ONNX_NHWC) layout = QN_ONNX_NHWC;
  *r = (qn_onnx_recipe){.kind = QN_OP_ML_CONCAT,
                        .layout = layout,
                        .through_layout = layout,
                        .shape = qn_onnx_shape_in(out_shape, layout),
                        .through = x,
                        .through_count = count};
  int64_t along = layout == QN_ONNX_NHWC ? place_in_nhwc[axis] : axis;
  if (layout == QN_ONNX_NHWC) along = axis == 1 ? 3 : axis == 0 ? 0 : axis - 1;
  qn_graph_attr(&r->attrs, "axis", qn_attr_i64(op->graph->cx, along));
  return true;
}

/* The operands with elements, at most `most`. */
static qn_graph_tensor *const *with_elements(qn_graph_op *op, qn_graph_tensor *const *x,
                                             uint32_t most, uint32_t *out_count) {
  qn_graph_tensor **kept = QN_NEW_ARRAY(&op->graph->arena, most, qn_graph_tensor *);
  *out_count = 0;
  for (uint32_t i = 0; i < most; i++)
    if (qn_graph_elements(&x[i]->shape) > 0) kept[(*out_count)++] = x[i];
  return kept;
}

void qn_onnx_import_concat(qn_graph_op *op) {
  qn_onnx_recipe r;
  qn_graph_shape shape;
  uint32_t count;
  qn_graph_tensor *const *x = inputs_from(op, 0, 1, &count);
  if (op->failed || !open_concat(op, x, count, &r, &shape)) return;
  if (qn_graph_elements(&shape) == 0) {
    qn_onnx_define_empty(op, qn_graph_output(op, 0), x[0]->dtype, &shape);
    return;
  }
  x = with_elements(op, x, count, &count);
  if (!open_concat(op, x, count, &r, &shape)) return;
  qn_onnx_pass(op, qn_graph_output(op, 0), &shape, &r);
}

/* QLinearConcat. Operands: scale and zero point of the result, then tensor, scale and zero point of
 * each input. */
void qn_onnx_import_qlinear_concat(qn_graph_op *op) {
  qn_onnx_recipe r;
  qn_graph_shape shape;
  uint32_t count;
  uint8_t dtype;
  if ((op->inputs.count - 2) % 3 != 0) {
    qn_graph_error(op, NULL, QN_INVALID, "%u operands, not 3 for each tensor", op->inputs.count);
    return;
  }
  qn_graph_tensor *const *x = inputs_from(op, 2, 3, &count);
  if (op->failed || !open_concat(op, x, count, &r, &shape)) return;
  const qn_type *result = qn_onnx_quantized_result(op, 0, x[0]->dtype, &dtype);
  if (!result) return;
  qn_value **parts = QN_NEW_ARRAY(&op->graph->arena, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) {
    qn_onnx_source source;
    if (!qn_onnx_quantized_operand(op, 2 + 3 * i, 0, &source)) return;
    parts[i] = qn_onnx_source_value(op, source, r.layout);
    if (!parts[i]) return;
    const qn_graph_shape of = qn_graph_shape_of(parts[i]);
    if (source.element != result)
      parts[i] = qn_graph_part(op, QN_OP_ML_REQUANTIZE, result, &of, &parts[i], 1, NULL);
  }
  qn_value *y = qn_graph_part(op, QN_OP_ML_CONCAT, result, &r.shape, parts, count,
                              QN_ATTRS({"axis", r.attrs.items[0].value}));
  qn_onnx_define(op, qn_graph_output(op, 0), dtype, &shape, y, r.layout);
}

/* ---- Slice ---- */

void qn_onnx_import_slice(qn_graph_op *op) {
  static const char *const names[] = {"starts", "ends", "axes", "steps"};
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t given[4][QN_GRAPH_MAX_RANK];
  uint32_t counts[4] = {0}, mask;
  if (op->failed) return;
  for (uint32_t k = 0; k < 4; k++) {
    if (qn_onnx_opset(op) < 10) {
      if (k < 3 && !qn_onnx_ints(op, names[k], QN_GRAPH_MAX_RANK, given[k], &counts[k])) return;
    } else if (qn_graph_has_input(op, k + 1)) {
      qn_graph_tensor *operand = qn_graph_input(op, k + 1);
      if (!operand || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, given[k], &counts[k])) return;
    }
    if (k > 0 && counts[k] != counts[0] && !(k >= 2 && counts[k] == 0)) {
      qn_graph_error(op, x, QN_INVALID, "%u %s for %u starts", counts[k], names[k], counts[0]);
      return;
    }
  }
  int64_t begin[QN_GRAPH_MAX_RANK], end[QN_GRAPH_MAX_RANK], stride[QN_GRAPH_MAX_RANK];
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < counts[0] && counts[2] == 0; i++) given[2][i] = i;
  if (!mask_of(op, given[2], counts[0], shape.rank, &mask)) return;
  for (uint32_t d = 0; d < shape.rank; d++) begin[d] = 0, end[d] = shape.dims[d], stride[d] = 1;
  for (uint32_t i = 0; i < counts[0]; i++) {
    const uint32_t d = (uint32_t)(given[2][i] < 0 ? given[2][i] + shape.rank : given[2][i]);
    const int64_t size = x->shape.dims[d], step = counts[3] ? given[3][i] : 1;
    if (step == 0 || step < -INT32_MAX || step > INT32_MAX) {
      qn_graph_error(op, x, QN_INVALID, "a step of %lld", (long long)step);
      return;
    }
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    int64_t ends[2] = {given[0][i], given[1][i]};
    for (uint32_t k = 0; k < 2; k++) {
      if (ends[k] < 0) ends[k] = ends[k] < -size ? -size - 1 : ends[k];
      if (ends[k] < 0) ends[k] += size;
      int64_t least = k == 0 ? 0 : low;
      ends[k] = ends[k] < least ? least : ends[k] > high ? high : ends[k];
    }
    begin[d] = ends[0], end[d] = ends[1], stride[d] = step;
    int64_t span = step > 0 ? end[d] - begin[d] : begin[d] - end[d], by = step > 0 ? step : -step;
    shape.dims[d] = span <= 0 ? 0 : (span + by - 1) / by;
  }
  if (qn_graph_elements(&shape) == 0) {
    qn_onnx_define_empty(op, qn_graph_output(op, 0), x->dtype, &shape);
    return;
  }
  qn_onnx_recipe r = {.kind = QN_OP_ML_SLICE_BY_INDEX, .shape = shape};
  qn_graph_attr_i64s(op, &r.attrs, "begin", begin, shape.rank);
  qn_graph_attr_i64s(op, &r.attrs, "end", end, shape.rank);
  qn_graph_attr_i64s(op, &r.attrs, "stride", stride, shape.rank);
  pass(op, x, &shape, &r);
}
