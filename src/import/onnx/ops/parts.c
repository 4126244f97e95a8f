/* Building blocks of operators that become several ops (parts.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

#include <math.h>

/* ---- operands and results ---- */

const qn_type *qn_onnx_f64(const qn_graph_op *op) { return qn_type_float(op->graph->cx, QN_F64); }
const qn_type *qn_onnx_boolean(const qn_graph_op *op) { return qn_type_i(op->graph->cx, 1); }
const qn_type *qn_onnx_i64(const qn_graph_op *op) { return qn_type_i(op->graph->cx, 64); }

/* A quantized operand is exact in f64. */
qn_value *qn_onnx_real(qn_graph_op *op, uint32_t i) {
  qn_graph_tensor *x = qn_graph_input(op, i);
  if (x && x->dtype == QN_GRAPH_FLOAT64) return qn_onnx_value(op, x);
  if (!x || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32)) return NULL;
  const qn_onnx_source source = qn_onnx_source_of(op, i);
  const qn_type *element = source.element;
  if (element &&
      (element->uniform.scheme != QN_PER_LAYER || element->uniform.storage->integer.width > 16)) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "only one scale, of 8 or 16 bits, is supported here");
    return NULL;
  }
  qn_value *v = qn_onnx_source_value(op, source, QN_ONNX_PLAIN);
  return v ? qn_onnx_to_doubles(op, v) : NULL;
}

/* Whether the operator forms a unit (value.h): its real operands are all quantized or constant, and
 * at least one is quantized. Then the readers of the result round it. */
static bool is_unit(qn_graph_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    if (!qn_graph_has_input(op, i)) continue;
    const qn_onnx_source source = qn_onnx_source_of(op, i);
    if (!source.element && source.tensor->dtype != QN_GRAPH_FLOAT32) continue;
    if (!qn_onnx_is_exact(op, source)) return false;
    any |= source.element != NULL;
  }
  return any;
}

static qn_value *build_rounded(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  return qn_onnx_from_doubles(op, r->operands[0], element);
}

qn_value *qn_onnx_optional_real(qn_graph_op *op, uint32_t i) {
  return qn_graph_has_input(op, i) ? qn_onnx_real(op, i) : NULL;
}

bool qn_onnx_wants(const qn_graph_op *op, uint32_t i) {
  return i < op->outputs.count && qn_graph_number(op->outputs, i) >= 0;
}

void qn_onnx_give(qn_graph_op *op, uint32_t i, uint8_t dtype, qn_value *value) {
  if (!qn_onnx_wants(op, i)) return;
  qn_graph_tensor *y = qn_graph_output(op, i);
  if (!value || op->failed) {
    op->failed = true;
    return;
  }
  const qn_graph_shape shape = qn_graph_shape_of(value);
  if (qn_type_element(value->type) == qn_onnx_f64(op) && dtype != QN_GRAPH_FLOAT64) {
    qn_onnx_recipe r = {
        .build = build_rounded, .is_exact = is_unit(op), .shape = shape, .count = 1};
    r.operands[0] = value;
    qn_onnx_leave(op, y, dtype, &shape, &r);
    return;
  }
  qn_onnx_define(op, y, dtype, &shape, value, QN_ONNX_PLAIN);
}

uint8_t qn_onnx_real_dtype(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    const qn_graph_tensor *x = qn_graph_has_input(op, i) ? qn_graph_input(op, i) : NULL;
    if (x && x->dtype == QN_GRAPH_FLOAT64) return QN_GRAPH_FLOAT64;
  }
  return QN_GRAPH_FLOAT32;
}

void qn_onnx_give_real(qn_graph_op *op, uint32_t i, qn_value *value) {
  qn_onnx_give(op, i, qn_onnx_real_dtype(op), value);
}

bool qn_onnx_word(qn_graph_op *op, const char *attribute, const char *fallback,
                  const char *const *words, uint32_t *out) {
  qn_str word = qn_onnx_string(op, attribute, fallback);
  if (op->failed) return false;
  for (*out = 0; words[*out]; ++*out)
    if (qn_str_is(word, words[*out])) return true;
  word = qn_graph_printable(&op->graph->arena, word, 40);
  return qn_graph_error(op, NULL, QN_INVALID, "'%s' is '%.*s'", attribute, QN_STR_ARG(word));
}

/* ---- numbers ---- */

qn_value *qn_onnx_whole(qn_graph_op *op, const qn_type *element, int64_t value) {
  return qn_graph_const_number(op, element, value);
}

qn_value *qn_onnx_count(qn_graph_op *op, const qn_type *element, uint32_t rank, uint32_t at,
                        int64_t size) {
  qn_graph_shape shape = {.rank = rank};
  for (uint32_t i = 0; i < rank; i++) shape.dims[i] = i == at ? size : 1;
  return qn_graph_counted(op, element, &shape, 0);
}

/* ---- elements ---- */

static qn_value *same_shape(qn_graph_op *op, qn_op_kind kind, const qn_type *element, qn_value *x) {
  if (!x) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, kind, element, &shape, &x, 1, NULL);
}

qn_value *qn_onnx_unary(qn_graph_op *op, qn_op_kind kind, qn_value *x) {
  return x ? same_shape(op, kind, qn_type_element(x->type), x) : NULL;
}

/* Messages name the first result. */
static bool broadcast(qn_graph_op *op, qn_value *x, qn_value *y, qn_graph_shape *out) {
  qn_graph_tensor a = {0}, b = {0};
  uint32_t i = 0;
  while (qn_graph_number(op->outputs, i) < 0) i++;
  a.shape = qn_graph_shape_of(x), b.shape = qn_graph_shape_of(y);
  a.index = b.index = (uint32_t)qn_graph_number(op->outputs, i);
  return qn_graph_broadcast(op, &a, &b, out);
}

static qn_value *pair(qn_graph_op *op, qn_op_kind kind, const qn_type *element, qn_value *x,
                      qn_value *y) {
  qn_graph_shape shape;
  if (!x || !y || !broadcast(op, x, y, &shape)) return NULL;
  return qn_graph_part(op, kind, element, &shape, (qn_value *[]){x, y}, 2, NULL);
}

qn_value *qn_onnx_binary(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y) {
  return x && y ? pair(op, kind, qn_type_element(x->type), x, y) : NULL;
}

qn_value *qn_onnx_with(qn_graph_op *op, qn_op_kind kind, qn_value *x, double number) {
  if (!x) return NULL;
  return qn_onnx_binary(op, kind, x, qn_onnx_double(op, number));
}

qn_value *qn_onnx_compare(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y) {
  return x && y ? pair(op, kind, qn_onnx_boolean(op), x, y) : NULL;
}

qn_value *qn_onnx_choose(qn_graph_op *op, qn_value *condition, qn_value *x, qn_value *y) {
  qn_graph_shape both, shape;
  if (!condition || !x || !y || !broadcast(op, x, y, &both)) return NULL;
  qn_graph_tensor a = {0}, b = {0};
  a.shape = qn_graph_shape_of(condition), b.shape = both;
  if (!qn_graph_broadcast(op, &a, &b, &shape)) return NULL;
  return qn_graph_part(op, QN_OP_ML_SELECT, qn_type_element(x->type), &shape,
                       (qn_value *[]){condition, x, y}, 3, NULL);
}

qn_value *qn_onnx_as(qn_graph_op *op, qn_value *x, const qn_type *element) {
  if (!x || qn_type_element(x->type) == element) return x;
  return same_shape(op, QN_OP_ML_CAST, element, x);
}

/* ---- dimensions ---- */

/* What a reduction of no elements is. */
static qn_value *of_nothing(qn_graph_op *op, qn_op_kind kind, const qn_type *element,
                            const qn_graph_shape *shape) {
  const double real = kind == QN_OP_ML_REDUCE_MAX    ? (double)-INFINITY
                      : kind == QN_OP_ML_REDUCE_MIN  ? (double)INFINITY
                      : kind == QN_OP_ML_REDUCE_PROD ? 1
                      : kind == QN_OP_ML_REDUCE_MEAN ? (double)NAN
                                                     : 0;
  if (element->kind != QN_TYPE_FLOAT) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "a reduction of no integers is not supported");
    return NULL;
  }
  return qn_onnx_filled(op, qn_onnx_as(op, qn_onnx_double(op, real), element), shape);
}

qn_value *qn_onnx_reduced(qn_graph_op *op, qn_op_kind kind, qn_value *x, const int64_t *axes,
                          uint32_t count, bool keep) {
  if (!x || count == 0) return x;
  qn_ir_context *cx = op->graph->cx;
  qn_graph_shape from = qn_graph_shape_of(x), shape = {0};
  for (uint32_t i = 0, at = 0; i < from.rank; i++) {
    const bool gone = at < count && axes[at] == i;
    at += gone;
    if (!gone || keep) shape.dims[shape.rank++] = gone ? 1 : from.dims[i];
  }
  const qn_attr *along = qn_attr_i64s(cx, axes, count);
  if (qn_graph_elements(&from) == 0 && qn_graph_elements(&shape) > 0)
    return of_nothing(op, kind, qn_type_element(x->type), &shape);
  return qn_graph_part(op, kind, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"axes", along}, {"keep_dims", qn_attr_bool(cx, keep)}));
}

qn_value *qn_onnx_reduced_along(qn_graph_op *op, qn_op_kind kind, qn_value *x, uint32_t axis) {
  const int64_t axes[] = {axis};
  return qn_onnx_reduced(op, kind, x, axes, 1, true);
}

qn_value *qn_onnx_viewed(qn_graph_op *op, qn_value *x, uint32_t rank, const int64_t *dims) {
  if (!x) return NULL;
  qn_graph_shape shape = {.rank = rank};
  memcpy(shape.dims, dims, rank * sizeof *dims);
  return qn_graph_view(op, x, &shape);
}

qn_value *qn_onnx_along(qn_graph_op *op, qn_value *vector, uint32_t rank, uint32_t axis) {
  if (!vector) return NULL;
  int64_t dims[QN_GRAPH_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) dims[i] = i == axis ? qn_type_elements(vector->type) : 1;
  return qn_onnx_viewed(op, vector, rank, dims);
}

qn_value *qn_onnx_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end) {
  if (!x) return NULL;
  int64_t begins[QN_GRAPH_MAX_RANK] = {0}, ends[QN_GRAPH_MAX_RANK], strides[QN_GRAPH_MAX_RANK];
  qn_graph_shape shape = qn_graph_shape_of(x);
  qn_ir_context *cx = op->graph->cx;
  if (begin == 0 && end == shape.dims[axis]) return x;
  for (uint32_t i = 0; i < shape.rank; i++) ends[i] = shape.dims[i], strides[i] = 1;
  begins[axis] = begin, ends[axis] = end, shape.dims[axis] = end - begin;
  const qn_attr *from = qn_attr_i64s(cx, begins, shape.rank);
  const qn_attr *to = qn_attr_i64s(cx, ends, shape.rank);
  const qn_attr *by = qn_attr_i64s(cx, strides, shape.rank);
  return qn_graph_part(op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"begin", from}, {"end", to}, {"stride", by}));
}

qn_value *qn_onnx_joined(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis) {
  for (uint32_t i = 0; i < count; i++)
    if (!parts[i]) return NULL;
  if (count == 1) return parts[0];
  qn_graph_shape shape = qn_graph_shape_of(parts[0]);
  for (uint32_t i = 1; i < count; i++) shape.dims[axis] += qn_onnx_dim(parts[i], axis);
  return qn_graph_part(op, QN_OP_ML_CONCAT, qn_type_element(parts[0]->type), &shape, parts, count,
                       QN_ATTRS({"axis", qn_attr_i64(op->graph->cx, axis)}));
}

qn_value *qn_onnx_permuted(qn_graph_op *op, qn_value *x, const int64_t *perm) {
  return x ? qn_onnx_transpose(op, x, perm) : NULL;
}

qn_value *qn_onnx_tiled(qn_graph_op *op, qn_value *x, const qn_graph_shape *to) {
  if (!x) return NULL;
  qn_graph_shape from = qn_graph_shape_of(x), view = {.rank = to->rank};
  const uint32_t missing = to->rank - from.rank;
  int64_t reps[QN_GRAPH_MAX_RANK];
  for (uint32_t i = 0; i < view.rank; i++) {
    view.dims[i] = i < missing ? 1 : from.dims[i - missing];
    reps[i] = view.dims[i] ? to->dims[i] / view.dims[i] : 1;
  }
  x = qn_graph_view(op, x, &view);
  if (qn_graph_same_shape(&view, to)) return x;
  return qn_graph_part(op, QN_OP_ML_TILE, qn_type_element(x->type), to, &x, 1,
                       QN_ATTRS({"reps", qn_attr_i64s(op->graph->cx, reps, view.rank)}));
}

/* The matrix product: x and y have the rank of the result, whose first dimensions are those of
 * x. */
qn_value *qn_onnx_product(qn_graph_op *op, qn_value *x, qn_value *y) {
  if (!x || !y) return NULL;
  qn_graph_shape shape = qn_graph_shape_of(x);
  shape.dims[shape.rank - 1] = qn_onnx_dim(y, qn_onnx_rank(y) - 1);
  return qn_graph_part(op, QN_OP_ML_MATMUL, qn_type_element(x->type), &shape, (qn_value *[]){x, y},
                       2, NULL);
}

qn_value *qn_onnx_gathered(qn_graph_op *op, qn_value *x, qn_value *indices, uint32_t axis,
                           uint32_t batch) {
  if (!x || !indices) return NULL;
  const qn_graph_shape from = qn_graph_shape_of(x), at = qn_graph_shape_of(indices);
  qn_ir_context *cx = op->graph->cx;
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i < axis; i++) shape.dims[shape.rank++] = from.dims[i];
  for (uint32_t i = batch; i < at.rank; i++) shape.dims[shape.rank++] = at.dims[i];
  for (uint32_t i = axis + 1; i < from.rank; i++) shape.dims[shape.rank++] = from.dims[i];
  const qn_attr *along = qn_attr_i64(cx, axis);
  const qn_attr *common = batch ? qn_attr_i64(cx, batch) : NULL;
  return qn_graph_part(op, QN_OP_ML_GATHER, qn_type_element(x->type), &shape,
                       (qn_value *[]){x, indices}, 2,
                       QN_ATTRS({"axis", along}, {"batch_dims", common}));
}

/* Softmax: e^(x - maximum) divided by its sum, or the logarithm of this quotient. A row in which
 * all elements are -infinity gives NaN, as in the definition of the operator. */
qn_value *qn_onnx_softmaxed(qn_graph_op *op, qn_value *x, uint32_t axis, bool is_log) {
  qn_value *most = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_MAX, x, axis);
  x = qn_onnx_binary(op, QN_OP_ML_SUB, x, most);
  qn_value *e = qn_onnx_unary(op, QN_OP_ML_EXP, x);
  qn_value *sum = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_SUM, e, axis);
  if (!is_log) return qn_onnx_binary(op, QN_OP_ML_REAL_DIV, e, sum);
  sum = qn_onnx_unary(op, QN_OP_ML_LOG, sum);
  return qn_onnx_binary(op, QN_OP_ML_SUB, x, sum);
}

qn_value *qn_onnx_from_start(qn_graph_op *op, qn_value *indices, int64_t size) {
  if (!indices) return NULL;
  const qn_type *element = qn_type_element(indices->type);
  qn_value *zero = qn_onnx_whole(op, element, 0);
  qn_value *all = qn_onnx_whole(op, element, size);
  qn_value *negative = qn_onnx_compare(op, QN_OP_ML_LESS, indices, zero);
  qn_value *moved = qn_onnx_binary(op, QN_OP_ML_ADD, indices, all);
  return qn_onnx_choose(op, negative, moved, indices);
}

/* ---- constant maps of dimensions ---- */

static void *numbers(qn_graph_op *op, int64_t count, size_t width) {
  if (count < 0 || count > QN_GRAPH_MAX_TENSOR_BYTES / 8) {
    qn_graph_error(op, NULL, QN_LIMIT, "%lld numbers are computed for it", (long long)count);
    return NULL;
  }
  if (!qn_graph_spend(op, count)) return NULL;
  return qn_arena_alloc(&op->graph->arena, ((size_t)count + 1) * width);
}

double *qn_onnx_doubles(qn_graph_op *op, int64_t count) {
  return numbers(op, count, sizeof(double));
}
int64_t *qn_onnx_numbers(qn_graph_op *op, int64_t count) {
  return numbers(op, count, sizeof(int64_t));
}

qn_value *qn_onnx_picked(qn_graph_op *op, qn_value *x, uint32_t axis, const int64_t *indices,
                         int64_t count) {
  const qn_graph_shape vector = {1, {count}};
  if (!x) return NULL;
  qn_value *at = qn_graph_const(op, qn_onnx_i64(op), &vector, indices);
  return qn_onnx_gathered(op, x, at, axis, 0);
}

qn_value *qn_onnx_moved(qn_graph_op *op, qn_value *x, uint32_t from, uint32_t to) {
  int64_t perm[QN_GRAPH_MAX_RANK];
  if (!x || from == to) return x;
  const uint32_t rank = qn_onnx_rank(x);
  for (uint32_t i = 0, k = 0; i < rank; i++) {
    k += k == from;
    perm[i] = i == to ? from : k++;
  }
  return qn_onnx_permuted(op, x, perm);
}

qn_value *qn_onnx_mapped(qn_graph_op *op, qn_value *x, uint32_t axis, const double *matrix,
                         int64_t rows) {
  if (!x) return NULL;
  const uint32_t rank = qn_onnx_rank(x), last = rank - 1;
  const int64_t columns = qn_onnx_dim(x, axis);
  double *turned = qn_onnx_doubles(op, rows * columns);
  if (!turned) return NULL;
  for (int64_t i = 0; i < rows; i++)
    for (int64_t k = 0; k < columns; k++) turned[k * rows + i] = matrix[i * columns + k];
  const qn_graph_shape shape = {2, {columns, rows}};
  qn_value *m = qn_graph_const(op, qn_onnx_f64(op), &shape, turned);
  x = qn_onnx_moved(op, x, axis, last);
  qn_graph_shape to = qn_graph_shape_of(x);
  const int64_t flat[] = {qn_graph_elements(&to) / columns, columns};
  to.dims[last] = rows;
  x = qn_onnx_product(op, qn_onnx_viewed(op, x, 2, flat), m);
  return qn_onnx_moved(op, qn_onnx_viewed(op, x, rank, to.dims), last, axis);
}

qn_value *qn_onnx_filled(qn_graph_op *op, qn_value *scalar, const qn_graph_shape *shape) {
  qn_graph_shape one = {.rank = shape->rank};
  if (!scalar) return NULL;
  for (uint32_t i = 0; i < one.rank; i++) one.dims[i] = 1;
  return qn_onnx_tiled(op, qn_graph_view(op, scalar, &one), shape);
}
