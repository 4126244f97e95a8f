/* Pad and CenterCropPad: elements of the operand, of its border or a number, around it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* Amounts before and after each dimension; negative ones remove elements. */
typedef struct padding {
  int64_t before[QN_GRAPH_MAX_RANK], after[QN_GRAPH_MAX_RANK];
} padding;

/* ---- with zeros: an op that passes quantized elements on ---- */

static void pad_with_zeros(qn_graph_op *op, qn_graph_tensor *x, const padding *p) {
  static const int64_t nhwc[] = {0, 2, 3, 1};
  int64_t pad[2 * QN_GRAPH_MAX_RANK];
  qn_graph_shape shape = x->shape;
  const qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  for (uint32_t i = 0; i < shape.rank; i++) {
    const int64_t d = layout == QN_ONNX_NHWC ? nhwc[i] : i;
    pad[2 * i] = p->before[d], pad[2 * i + 1] = p->after[d];
    shape.dims[d] += p->before[d] + p->after[d];
  }
  qn_onnx_recipe r = {.kind = QN_OP_ML_PAD,
                      .layout = layout,
                      .through_layout = layout,
                      .shape = qn_onnx_shape_in(&shape, layout)};
  qn_graph_attr_i64s(op, &r.attrs, "pad", pad, 2 * shape.rank);
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}

/* ---- with anything ---- */

/* x and `count` times a number along an axis, before or after it. */
qn_value *qn_onnx_extended(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t count,
                           qn_value *number, bool is_before) {
  if (!x || count == 0) return x;
  qn_graph_shape shape = qn_graph_shape_of(x);
  shape.dims[axis] = count;
  qn_value *more = qn_onnx_filled(op, number, &shape);
  qn_value *parts[] = {is_before ? more : x, is_before ? x : more};
  return qn_onnx_joined(op, parts, 2, axis);
}

static qn_value *filled_around(qn_graph_op *op, qn_value *x, const padding *p, qn_value *number) {
  for (uint32_t axis = 0; x && axis < qn_onnx_rank(x); axis++) {
    const int64_t before = p->before[axis], after = p->after[axis], size = qn_onnx_dim(x, axis);
    x = qn_onnx_cut(op, x, axis, before < 0 ? -before : 0, after < 0 ? size + after : size);
    x = qn_onnx_extended(op, x, axis, before > 0 ? before : 0, number, true);
    x = qn_onnx_extended(op, x, axis, after > 0 ? after : 0, number, false);
  }
  return x;
}

typedef enum border { CONSTANT, REFLECT, EDGE, WRAP } border;

/* The element of the operand at a place outside. */
static int64_t reflected(border mode, int64_t at, int64_t size) {
  if (mode == EDGE || size == 1) return at < 0 ? 0 : at >= size ? size - 1 : at;
  const int64_t period = mode == WRAP ? size : 2 * (size - 1);
  at = (at % period + period) % period;
  return at < size ? at : period - at;
}

static qn_value *picked_around(qn_graph_op *op, qn_value *x, const padding *p, border mode) {
  for (uint32_t axis = 0; x && axis < qn_onnx_rank(x); axis++) {
    const int64_t size = qn_onnx_dim(x, axis), count = size + p->before[axis] + p->after[axis];
    if (p->before[axis] == 0 && p->after[axis] == 0) continue;
    int64_t *indices = qn_onnx_numbers(op, count);
    if (!indices) return NULL;
    for (int64_t i = 0; i < count; i++) indices[i] = reflected(mode, i - p->before[axis], size);
    x = qn_onnx_picked(op, x, axis, indices, count);
  }
  return x;
}

/* ---- Pad ---- */

static bool read_mode(qn_graph_op *op, border *out) {
  static const char *const modes[] = {"constant", "reflect", "edge", "wrap", NULL};
  uint32_t which;
  if (!qn_onnx_word(op, "mode", "constant", modes, &which)) return false;
  *out = (border)which;
  return true;
}

/* The amounts of the axes in operand 3, or of all. */
static bool read_padding(qn_graph_op *op, const qn_graph_tensor *x, padding *p) {
  const uint32_t rank = x->shape.rank;
  int64_t given[2 * QN_GRAPH_MAX_RANK], axes[QN_GRAPH_MAX_RANK];
  uint32_t count, axis_count = rank;
  for (uint32_t i = 0; i < rank; i++) axes[i] = i;
  if (qn_onnx_opset(op) < 11) {
    if (!qn_onnx_ints(op, "pads", 2 * QN_GRAPH_MAX_RANK, given, &count)) return false;
  } else {
    qn_graph_tensor *operand = qn_graph_input(op, 1);
    if (!operand || !qn_graph_ints(op, operand, 2 * QN_GRAPH_MAX_RANK, given, &count)) return false;
  }
  if (qn_graph_has_input(op, 3)) {
    qn_graph_tensor *operand = qn_graph_input(op, 3);
    if (!operand || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, axes, &axis_count)) return false;
  }
  if (count != 2 * axis_count)
    return qn_graph_error(op, x, QN_INVALID, "%u amounts of padding for %u axes", count,
                          axis_count);
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < axis_count; i++) {
    uint32_t d;
    if (!qn_graph_axis(op, axes[i], rank, &d)) return false;
    const int64_t before = given[i], after = given[axis_count + i];
    if (before < -INT32_MAX || before > INT32_MAX || after < -INT32_MAX || after > INT32_MAX)
      return qn_graph_error(op, x, QN_LIMIT, "%lld and %lld elements of padding", (long long)before,
                            (long long)after);
    p->before[d] = before, p->after[d] = after;
    shape.dims[d] = x->shape.dims[d] + before + after;
    if (shape.dims[d] < 0 || before < -x->shape.dims[d] || after < -x->shape.dims[d])
      return qn_graph_error(op, x, QN_INVALID, "%lld and %lld elements of padding for %lld",
                            (long long)before, (long long)after, (long long)x->shape.dims[d]);
  }
  return qn_graph_check_size(op, x, &shape);
}

/* The number of the border, with the type of x; NULL: zero. */
static bool read_number(qn_graph_op *op, qn_graph_tensor *x, qn_value **out) {
  *out = NULL;
  if (qn_onnx_opset(op) < 11) {
    const float number = qn_onnx_float(op, "value", 0);
    const qn_graph_shape none = {0};
    if (number != 0) *out = qn_graph_const(op, qn_onnx_f32(op->graph), &none, &number);
    return !op->failed;
  }
  if (!qn_graph_has_input(op, 2)) return true;
  qn_graph_tensor *number = qn_graph_input(op, 2);
  if (!number || !qn_graph_check_dtype(op, number, x->dtype)) return false;
  if (qn_graph_elements(&number->shape) != 1)
    return qn_graph_error(op, number, QN_INVALID, "one number is expected");
  float zero = 1;
  if (x->dtype == QN_GRAPH_FLOAT32 && qn_onnx_is_constant(op, number) &&
      number->data.size == sizeof zero)
    memcpy(&zero, number->data.data, sizeof zero);
  if (zero == 0) return true;
  *out = qn_onnx_value(op, number);
  return *out != NULL;
}

static bool is_positive(const padding *p, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    if (p->before[i] < 0 || p->after[i] < 0) return false;
  return true;
}

void qn_onnx_import_pad(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  padding p = {0};
  border mode = CONSTANT;
  qn_value *number = NULL;
  if (op->failed || !read_mode(op, &mode) || !read_padding(op, x, &p)) return;
  if (mode == CONSTANT && !read_number(op, x, &number)) return;
  const bool has_elements = qn_graph_elements(&x->shape) > 0;
  if (mode == CONSTANT && !number && x->dtype == QN_GRAPH_FLOAT32 && has_elements &&
      is_positive(&p, x->shape.rank)) {
    pad_with_zeros(op, x, &p);
    return;
  }
  qn_value *v = qn_onnx_value(op, x);
  if (!v || (mode != CONSTANT && !qn_graph_has_elements(op, x))) return;
  if (mode == CONSTANT && !number && qn_type_element(v->type)->kind == QN_TYPE_QUANT_UNIFORM) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "a border of quantized elements is not supported");
    return;
  }
  if (mode == CONSTANT && !number) number = qn_onnx_whole(op, qn_type_element(v->type), 0);
  v = mode == CONSTANT ? filled_around(op, v, &p, number) : picked_around(op, v, &p, mode);
  qn_onnx_give(op, 0, x->dtype, v);
}

/* ---- CenterCropPad ---- */

void qn_onnx_import_center_crop_pad(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *sizes = qn_graph_input(op, 1);
  int64_t axes[QN_GRAPH_MAX_RANK], wanted[QN_GRAPH_MAX_RANK];
  uint32_t count, size_count;
  padding p = {0};
  if (op->failed || !qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, axes, &count) ||
      !qn_graph_ints(op, sizes, QN_GRAPH_MAX_RANK, wanted, &size_count))
    return;
  if (count == 0) {
    count = x->shape.rank;
    for (uint32_t i = 0; i < count; i++) axes[i] = i;
  }
  if (count != size_count) {
    qn_graph_error(op, sizes, QN_INVALID, "%u sizes for %u axes", size_count, count);
    return;
  }
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t d;
    if (!qn_graph_axis(op, axes[i], x->shape.rank, &d)) return;
    if (wanted[i] < 1 || wanted[i] > INT32_MAX) {
      qn_graph_error(op, sizes, QN_INVALID, "size %u is %lld", i, (long long)wanted[i]);
      return;
    }
    const int64_t more = wanted[i] - x->shape.dims[d];
    const int64_t first = more >= 0 ? more / 2 : -(-more / 2);
    p.before[d] = first, p.after[d] = more - first;
    shape.dims[d] = wanted[i];
  }
  qn_value *v = qn_graph_check_size(op, x, &shape) ? qn_onnx_value(op, x) : NULL;
  if (!v) return;
  qn_value *zero = qn_onnx_whole(op, qn_type_element(v->type), 0);
  qn_onnx_give(op, 0, x->dtype, filled_around(op, v, &p, zero));
}
