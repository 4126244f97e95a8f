/* Operators whose results are constants that follow from shapes or constant operands:
 * ConstantOfShape, Size, Range, EyeLike. Also CastLike, and Trilu, which selects with a constant
 * mask.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

#include <math.h>

/* Makes output 0 a constant with the type of `of` and a copy of these bytes. */
static void become(qn_graph_op *op, const qn_graph_tensor *of, const qn_graph_shape *shape,
                   const void *data, size_t size) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  y->dtype = of->dtype;
  y->stored_dtype = of->stored_dtype;
  y->loaded = true;
  if (!qn_graph_check_size(op, y, shape)) return;
  y->shape = *shape;
  y->data = (qn_bytes){qn_arena_copy(&op->graph->cx->arena, data, size), size};
  y->writer = -1; /* no operator writes it, as for a constant in the file */
}

void qn_onnx_import_size(qn_graph_op *op) {
  const qn_graph_shape none = {0};
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  const int64_t size = qn_graph_elements(&x->shape);
  const qn_graph_tensor of = {.dtype = QN_GRAPH_INT64, .stored_dtype = QN_ONNX_INT64};
  become(op, &of, &none, &size, sizeof size);
}

/* Makes output 0 a constant in which every element is `element`. */
static void fill(qn_graph_op *op, const qn_graph_tensor *of, const qn_graph_shape *shape,
                 const void *element) {
  const size_t width = (size_t)qn_graph_dtype_bytes(of->dtype);
  if (!qn_graph_check_size(op, qn_graph_output(op, 0), shape)) return;
  const int64_t count = qn_graph_elements(shape);
  if (!qn_graph_spend(op, count * (int64_t)width)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->arena, (size_t)count * width + 1);
  for (int64_t i = 0; i < count; i++) memcpy(bytes + (size_t)i * width, element, width);
  become(op, of, shape, bytes, (size_t)count * width);
}

void qn_onnx_import_constant_of_shape(qn_graph_op *op) {
  static const uint8_t zero[8];
  qn_graph_tensor *sizes = qn_graph_input(op, 0);
  qn_graph_tensor of = {.dtype = QN_GRAPH_FLOAT32,
                        .stored_dtype = QN_ONNX_FLOAT,
                        .index = (uint32_t)qn_graph_number(op->outputs, 0)};
  qn_graph_shape shape;
  const void *element = zero;
  if (op->failed || !qn_graph_ints(op, sizes, QN_GRAPH_MAX_RANK, shape.dims, &shape.rank)) return;
  for (uint32_t i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0) {
      qn_graph_error(op, sizes, QN_INVALID, "size %u is %lld", i, (long long)shape.dims[i]);
      return;
    }
  const qn_pb_message *value = qn_onnx_attribute(op, "value", QN_ONNX_ATTR_TENSOR);
  if (value) {
    qn_graph_tensor *y = qn_graph_output(op, 0);
    if (!qn_onnx_read_tensor(op->graph, op, y, qn_pb_child(value, QN_PB_ATTRIBUTE_T))) {
      op->failed = true;
      return;
    }
    of = *y;
    element = y->data.data;
    if (y->data.size != (size_t)qn_graph_dtype_bytes(y->dtype)) {
      qn_graph_error(op, y, QN_INVALID, "'value' must have one element");
      return;
    }
  }
  if (!op->failed) fill(op, &of, &shape, element);
}

/* ---- Range ---- */

static double number_of(const qn_graph_tensor *x) {
  const qn_graph_list one = {x->data.data, 1, x->dtype};
  const bool is_real = qn_onnx_is_real(x->dtype);
  return is_real ? qn_graph_real_at(one, 0) : (double)qn_graph_int_at(one, 0);
}

/* Stores one element of the dtype at `at`: float32 rounded, an integer that the dtype represents.
 */
static void store(uint8_t dtype, double real, uint8_t *at) {
  const float narrow = (float)real;
  const int64_t whole = qn_onnx_is_whole(dtype) ? (int64_t)real : 0;
  const void *element = dtype == QN_GRAPH_FLOAT32   ? (const void *)&narrow
                        : dtype == QN_GRAPH_FLOAT64 ? (const void *)&real
                                                    : (const void *)&whole;
  memcpy(at, element, (size_t)qn_graph_dtype_bytes(dtype));
}

void qn_onnx_import_range(qn_graph_op *op) {
  qn_graph_tensor *x[3];
  for (uint32_t i = 0; i < 3; i++) {
    x[i] = qn_graph_input(op, i);
    if (!x[i] || !qn_graph_check_dtype(op, x[i], x[0]->dtype) || !qn_onnx_is_ordered(op, x[i]))
      return;
    if (qn_graph_is_index(x[i]->dtype))
      (void)(qn_onnx_is_constant(op, x[i]) || qn_graph_know(op, x[i]));
    if (!x[i]->data.size || x[i]->writer >= 0 || qn_graph_elements(&x[i]->shape) != 1) {
      qn_graph_error(op, x[i], QN_UNSUPPORTED,
                     "it must be a constant: shapes are fixed at compile "
                     "time");
      return;
    }
  }
  const double start = number_of(x[0]), limit = number_of(x[1]), step = number_of(x[2]);
  const double steps = ceil((limit - start) / step);
  if (!(step != 0) || !(steps < (double)QN_GRAPH_MAX_TENSOR_BYTES) || fabs(start) > 0x1p52 ||
      fabs(step) > 0x1p21) {
    qn_graph_error(op, x[2], QN_LIMIT, "a range from %g to %g by %g", start, limit, step);
    return;
  }
  const qn_graph_shape shape = {1, {steps > 0 ? (int64_t)steps : 0}};
  const size_t width = (size_t)qn_graph_dtype_bytes(x[0]->dtype);
  if (!qn_graph_spend(op, shape.dims[0] * (int64_t)width)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->arena, (size_t)shape.dims[0] * width + 1);
  for (int64_t i = 0; i < shape.dims[0]; i++)
    store(x[0]->dtype, start + (double)i * step, bytes + (size_t)i * width);
  become(op, x[0], &shape, bytes, (size_t)shape.dims[0] * width);
}

/* ---- EyeLike and Trilu ---- */

void qn_onnx_import_eye_like(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  const int64_t stated = qn_onnx_int(op, "dtype", 0), k = qn_onnx_int(op, "k", 0);
  const uint8_t dtype = stated ? qn_onnx_dtype(stated) : x->dtype;
  qn_graph_tensor of = {.dtype = dtype, .stored_dtype = (uint8_t)stated};
  if (op->failed || !qn_onnx_is_ordered(op, &of)) return;
  if (x->shape.rank != 2 || k < -INT32_MAX || k > INT32_MAX) {
    qn_graph_error(op, x, QN_INVALID, "a matrix, and a diagonal that is near it, are expected");
    return;
  }
  const size_t width = (size_t)qn_graph_dtype_bytes(dtype);
  const int64_t rows = x->shape.dims[0], columns = x->shape.dims[1];
  if (!qn_graph_spend(op, rows * columns * (int64_t)width)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->arena, (size_t)(rows * columns) * width + 1);
  memset(bytes, 0, (size_t)(rows * columns) * width);
  for (int64_t i = 0; i < rows; i++)
    if (i + k >= 0 && i + k < columns)
      store(dtype, 1, bytes + (size_t)(i * columns + i + k) * width);
  become(op, &of, &x->shape, bytes, (size_t)(rows * columns) * width);
}

/* Trilu: keeps the elements on and above (with upper = 0: below) the diagonal k; the others are
 * 0. */
void qn_onnx_import_trilu(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t k = 0;
  const bool upper = qn_onnx_int(op, "upper", 1) != 0;
  if (op->failed) return;
  if (qn_graph_has_input(op, 1)) {
    qn_graph_tensor *diagonal = qn_graph_input(op, 1);
    if (!diagonal || !qn_graph_scalar(op, diagonal, &k)) return;
  }
  if (x->shape.rank < 2 || k < -INT32_MAX || k > INT32_MAX) {
    qn_graph_error(op, x, QN_INVALID, "matrices, and a diagonal that is near them, are expected");
    return;
  }
  const int64_t rows = x->shape.dims[x->shape.rank - 2], columns = x->shape.dims[x->shape.rank - 1];
  const qn_graph_shape shape = {2, {rows, columns}};
  qn_value *v = qn_onnx_value(op, x);
  if (!v || !qn_graph_spend(op, rows * columns)) return;
  uint8_t *bits = qn_arena_alloc(&op->graph->arena, (size_t)(rows * columns) + 1);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) bits[i * columns + j] = upper ? j - i >= k : j - i <= k;
  qn_value *mask = qn_graph_const(op, qn_onnx_boolean(op), &shape, bits);
  qn_value *zero = qn_onnx_whole(op, qn_type_element(v->type), 0);
  qn_onnx_give(op, 0, x->dtype, qn_onnx_choose(op, mask, v, zero));
}
