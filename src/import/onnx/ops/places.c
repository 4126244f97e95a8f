/* Operators on elements at indices: OneHot, TopK, GatherND, ScatterND and ScatterElements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

#include <math.h>

/* An operand of indices, as i64. */
static qn_value *indices_of(qn_graph_op *op, uint32_t i) {
  qn_graph_tensor *x = qn_graph_input(op, i);
  if (!x) return NULL;
  if (!qn_graph_is_index(x->dtype)) {
    qn_graph_error(op, x, QN_INVALID, "indices of type %s", qn_graph_dtype_name(x->dtype));
    return NULL;
  }
  return qn_onnx_as_i64(op, qn_onnx_value(op, x), x->dtype);
}

/* ---- OneHot ---- */

static bool read_depth(qn_graph_op *op, int64_t *out) {
  qn_graph_tensor *depth = qn_graph_input(op, 1);
  if (!depth || !qn_graph_scalar(op, depth, out)) return false;
  return (*out >= 0 && *out <= INT32_MAX) ||
         qn_graph_error(op, depth, QN_INVALID, "a depth of %lld", (long long)*out);
}

void qn_onnx_import_one_hot(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *values = qn_graph_input(op, 2);
  const qn_graph_shape none = {0};
  int64_t depth;
  uint32_t axis;
  if (op->failed || !read_depth(op, &depth)) return;
  const uint32_t rank = x->shape.rank + 1;
  if (rank > QN_GRAPH_MAX_RANK || qn_graph_elements(&values->shape) != 2) {
    qn_graph_error(op, values, QN_INVALID, "two values, and a rank below %d, are expected",
                   QN_GRAPH_MAX_RANK);
    return;
  }
  if (!qn_graph_axis(op, qn_onnx_int(op, "axis", -1), rank, &axis)) return;
  qn_graph_shape shape = {.rank = rank}, all;
  for (uint32_t i = 0; i < rank; i++)
    shape.dims[i] = i == axis ? 1 : x->shape.dims[i > axis ? i - 1 : i];
  all = shape;
  all.dims[axis] = depth;
  if (!qn_graph_check_size(op, values, &all)) return;
  qn_value *at = qn_onnx_converted(op, qn_onnx_value(op, x), x->dtype, QN_GRAPH_INT64);
  at = qn_onnx_viewed(op, qn_onnx_from_start(op, at, depth), rank, shape.dims);
  qn_value *places = qn_onnx_count(op, qn_onnx_i64(op), rank, axis, depth);
  qn_value *is = qn_onnx_compare(op, QN_OP_ML_EQUAL, places, at);
  qn_value *v = qn_onnx_value(op, values), *off = NULL, *on = NULL;
  if (v) off = qn_onnx_viewed(op, qn_onnx_cut(op, v, 0, 0, 1), 0, none.dims);
  if (v) on = qn_onnx_viewed(op, qn_onnx_cut(op, v, 0, 1, 2), 0, none.dims);
  qn_onnx_give(op, 0, values->dtype, qn_onnx_choose(op, is, on, off));
}

/* ---- TopK ---- */

static bool read_k(qn_graph_op *op, const qn_graph_tensor *x, uint32_t axis, int64_t *out) {
  *out = qn_onnx_int(op, "k", -1);
  if (qn_graph_has_input(op, 1)) {
    qn_graph_tensor *k = qn_graph_input(op, 1);
    if (!k || !qn_graph_scalar(op, k, out)) return false;
  }
  return (*out >= 1 && *out <= x->shape.dims[axis]) ||
         qn_graph_error(op, x, QN_INVALID, "%lld elements of %lld", (long long)*out,
                        (long long)x->shape.dims[axis]);
}

/* Numbers whose order is that of x, or the reverse. */
static qn_value *ranked(qn_graph_op *op, qn_value *x, uint8_t dtype, bool largest) {
  if (!qn_onnx_is_whole(dtype)) return largest ? x : qn_onnx_unary(op, QN_OP_ML_NEG, x);
  x = qn_onnx_as_i64(op, x, dtype);
  const int64_t flips = (dtype == QN_GRAPH_UINT64 ? INT64_MIN : 0) ^ (largest ? 0 : -1);
  if (!x || flips == 0) return x;
  return qn_onnx_binary(op, QN_OP_ML_BITWISE_XOR, x, qn_onnx_whole(op, qn_onnx_i64(op), flips));
}

void qn_onnx_import_top_k(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  const bool largest = qn_onnx_int(op, "largest", 1) != 0;
  uint32_t axis;
  int64_t k;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", -1), x->shape.rank, &axis) ||
      !read_k(op, x, axis, &k) || !qn_onnx_is_ordered(op, x))
    return;
  const uint32_t last = x->shape.rank - 1;
  qn_value *v = qn_onnx_moved(op, qn_onnx_value(op, x), axis, last);
  qn_value *order = v ? ranked(op, v, x->dtype, largest) : NULL;
  if (!order) return;
  qn_graph_shape shape = qn_graph_shape_of(order);
  shape.dims[last] = k;
  qn_value *at = qn_graph_part(op, QN_OP_ML_TOP_INDICES, qn_onnx_i64(op), &shape, &order, 1,
                               QN_ATTRS({"k", qn_attr_i64(op->graph->cx, k)}));
  v = qn_onnx_taken_along(op, v, at, last);
  qn_onnx_give(op, 0, x->dtype, qn_onnx_moved(op, v, last, axis));
  if (!op->failed) qn_onnx_give(op, 1, QN_GRAPH_INT64, qn_onnx_moved(op, at, last, axis));
}

/* ---- vectors of indices ---- */

/* Vectors along the last dimension as flat indices of the dimensions from `first` on. */
static qn_value *flattened(qn_graph_op *op, qn_value *at, const qn_graph_shape *of,
                           uint32_t first) {
  if (!at) return NULL;
  const uint32_t last = qn_onnx_rank(at) - 1;
  const int64_t count = qn_onnx_dim(at, last);
  int64_t stride = 1;
  qn_value *sum = NULL;
  for (int64_t i = count; i-- > 0; stride *= of->dims[first + i]) {
    qn_value *one =
        qn_onnx_from_start(op, qn_onnx_cut(op, at, last, i, i + 1), of->dims[first + i]);
    one = qn_onnx_binary(op, QN_OP_ML_MUL, one, qn_onnx_whole(op, qn_onnx_i64(op), stride));
    sum = sum ? qn_onnx_binary(op, QN_OP_ML_ADD, sum, one) : one;
    if (!sum) return NULL;
  }
  return sum;
}

static int64_t product(const qn_graph_shape *shape, uint32_t first, uint32_t end) {
  int64_t n = 1;
  for (uint32_t i = first; i < end; i++) n *= shape->dims[i];
  return n;
}

/* The length of vectors of indices of a tensor; false, reported, if they do not fit. */
static bool read_vectors(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *at,
                         uint32_t batch, uint32_t *out) {
  const uint32_t rank = at->shape.rank;
  bool fits = rank > batch && x->shape.rank > batch && qn_graph_elements(&at->shape) > 0 &&
              qn_graph_elements(&x->shape) > 0;
  for (uint32_t i = 0; fits && i < batch; i++) fits = at->shape.dims[i] == x->shape.dims[i];
  const int64_t count = fits ? at->shape.dims[rank - 1] : 0;
  fits = fits && count >= 1 && count <= (int64_t)(x->shape.rank - batch);
  if (!fits)
    return qn_graph_error(op, at, QN_INVALID, "the vectors of indices do not fit to the tensor");
  *out = (uint32_t)count;
  return true;
}

void qn_onnx_import_gather_nd(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *indices = qn_graph_input(op, 1);
  const int64_t stated = qn_onnx_int(op, "batch_dims", 0);
  uint32_t count = 0;
  if (op->failed) return;
  if (stated < 0 || stated >= QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, NULL, QN_INVALID, "%lld batch dimensions", (long long)stated);
    return;
  }
  const uint32_t batch = (uint32_t)stated, rank = indices->shape.rank;
  if (!read_vectors(op, x, indices, batch, &count)) return;
  qn_value *v = qn_onnx_value(op, x), *at = indices_of(op, 1);
  const int64_t entries = product(&x->shape, 0, batch);
  const int64_t dims[] = {entries, product(&x->shape, batch, batch + count),
                          product(&x->shape, batch + count, x->shape.rank)};
  const int64_t points[] = {entries, product(&indices->shape, batch, rank - 1)};
  at = qn_onnx_viewed(op, flattened(op, at, &x->shape, batch), 2, points);
  v = qn_onnx_gathered(op, qn_onnx_viewed(op, v, 3, dims), at, 1, 1);
  qn_graph_shape shape = {.rank = 0};
  if (rank - 1 + x->shape.rank - batch - count > QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_LIMIT, "a result of too many dimensions");
    return;
  }
  for (uint32_t i = 0; i + 1 < rank; i++) shape.dims[shape.rank++] = indices->shape.dims[i];
  for (uint32_t i = batch + count; i < x->shape.rank; i++)
    shape.dims[shape.rank++] = x->shape.dims[i];
  qn_onnx_give(op, 0, x->dtype, qn_onnx_viewed(op, v, shape.rank, shape.dims));
}

/* ---- scattering ---- */

typedef enum reduction { NONE, ADD, MUL, MAX, MIN } reduction;

static bool read_reduction(qn_graph_op *op, reduction *out) {
  static const char *const words[] = {"none", "add", "mul", "max", "min", NULL};
  uint32_t which;
  if (!qn_onnx_word(op, "reduction", "none", words, &which)) return false;
  *out = (reduction)which;
  return true;
}

/* Slices [points, size] summed up at indices [points], as [slices, size]. */
static qn_value *summed(qn_graph_op *op, qn_value *at, qn_value *slices, int64_t count) {
  if (!at || !slices) return NULL;
  const qn_graph_shape shape = {2, {count, qn_onnx_dim(slices, 1)}};
  const int64_t vectors[] = {qn_onnx_dim(slices, 0), 1};
  at = qn_onnx_viewed(op, at, 2, vectors);
  return qn_graph_part(op, QN_OP_ML_SCATTER_ND, qn_type_element(slices->type), &shape,
                       (qn_value *[]){at, slices}, 2, NULL);
}

/* The update of each slice, or the slice where there is none. Each slice has one at most. */
static qn_value *replaced(qn_graph_op *op, qn_value *x, qn_value *at, qn_value *updates) {
  const qn_type *index = qn_onnx_i64(op);
  const int64_t points = qn_onnx_dim(updates, 0), count = qn_onnx_dim(x, 0);
  const int64_t column[] = {points, 1}, vector[] = {count};
  qn_value *one = qn_onnx_whole(op, index, 1), *zero = qn_onnx_whole(op, index, 0);
  qn_value *numbers = qn_onnx_viewed(op, qn_onnx_count(op, index, 1, 0, points), 2, column);
  numbers = numbers ? qn_onnx_binary(op, QN_OP_ML_ADD, numbers, one) : NULL;
  qn_value *which = summed(op, at, numbers, count); /* 0: none */
  qn_value *is = which ? qn_onnx_compare(op, QN_OP_ML_GREATER, which, zero) : NULL;
  which = which ? qn_onnx_binary(op, QN_OP_ML_SUB, which, one) : NULL;
  which = which ? qn_onnx_binary(op, QN_OP_ML_MAXIMUM, which, zero) : NULL;
  qn_value *last = qn_onnx_whole(op, index, points - 1);
  which = which ? qn_onnx_binary(op, QN_OP_ML_MINIMUM, which, last) : NULL;
  which = qn_onnx_viewed(op, which, 1, vector);
  return qn_onnx_choose(op, is, qn_onnx_gathered(op, updates, which, 0, 0), x);
}

/* Every slice with every update: [slices, points, size]. */
static qn_value *combined(qn_graph_op *op, qn_value *x, qn_value *at, qn_value *updates,
                          reduction how) {
  static const struct {
    qn_op_kind reduce, pair;
    double neutral;
  } rows[] = {[MUL] = {QN_OP_ML_REDUCE_PROD, QN_OP_ML_MUL, 1},
              [MAX] = {QN_OP_ML_REDUCE_MAX, QN_OP_ML_MAXIMUM, (double)-INFINITY},
              [MIN] = {QN_OP_ML_REDUCE_MIN, QN_OP_ML_MINIMUM, (double)INFINITY}};
  const int64_t points = qn_onnx_dim(updates, 0), count = qn_onnx_dim(x, 0),
                size = qn_onnx_dim(x, 1);
  const int64_t row[] = {1, points, 1}, all[] = {1, points, size}, middle[] = {1};
  const qn_graph_shape shape = {3, {count, points, size}};
  if (!qn_graph_check_size(op, qn_graph_input(op, 0), &shape)) return NULL;
  qn_value *slices = qn_onnx_count(op, qn_onnx_i64(op), 3, 0, count);
  at = qn_onnx_viewed(op, at, 3, row);
  qn_value *is = at ? qn_onnx_compare(op, QN_OP_ML_EQUAL, slices, at) : NULL;
  qn_value *neutral = qn_onnx_double(op, rows[how].neutral);
  qn_value *v = qn_onnx_choose(op, is, qn_onnx_viewed(op, updates, 3, all), neutral);
  v = qn_onnx_reduced(op, rows[how].reduce, v, middle, 1, false);
  return qn_onnx_binary(op, rows[how].pair, x, v);
}

/* x as [slices, size], flat indices of slices, and updates as [points, size]. */
static void scatter(qn_graph_op *op, qn_value *at, int64_t points, int64_t count, int64_t size) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *updates = qn_graph_input(op, 2);
  reduction how = NONE;
  if (op->failed || !read_reduction(op, &how) || !qn_graph_check_dtype(op, updates, x->dtype))
    return;
  const bool is_real = qn_onnx_is_real(x->dtype);
  const bool is_whole = qn_onnx_is_whole(x->dtype);
  if (how != NONE && !is_real && !(is_whole && how == ADD)) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
    return;
  }
  const bool in_reals = is_real && how != NONE;
  const int64_t whole[] = {count, size}, part[] = {points, size};
  qn_value *v = in_reals ? qn_onnx_real(op, 0) : qn_onnx_value(op, x);
  qn_value *u = in_reals ? qn_onnx_real(op, 2) : qn_onnx_value(op, updates);
  v = qn_onnx_viewed(op, v, 2, whole);
  u = qn_onnx_viewed(op, u, 2, part);
  if (!v || !u || !at) return;
  if (qn_type_element(v->type) != qn_type_element(u->type)) {
    qn_graph_error(op, updates, QN_UNSUPPORTED, "its elements are others than those of operand 0");
    return;
  }
  if (how == ADD && is_whole) {
    v = qn_onnx_as_i64(op, v, x->dtype);
    u = qn_onnx_as_i64(op, u, x->dtype);
  }
  qn_value *y = how == NONE  ? replaced(op, v, at, u)
                : how == ADD ? qn_onnx_binary(op, QN_OP_ML_ADD, v, summed(op, at, u, count))
                             : combined(op, v, at, u, how);
  if (how == ADD && is_whole) y = qn_onnx_from_i64(op, y, x->dtype);
  qn_onnx_give(op, 0, x->dtype, qn_onnx_viewed(op, y, x->shape.rank, x->shape.dims));
}

void qn_onnx_import_scatter_nd(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *indices = qn_graph_input(op, 1),
                  *updates = qn_graph_input(op, 2);
  uint32_t count = 0;
  if (op->failed || !read_vectors(op, x, indices, 0, &count)) return;
  const uint32_t rank = indices->shape.rank;
  const int64_t points = product(&indices->shape, 0, rank - 1),
                size = product(&x->shape, count, x->shape.rank);
  if (qn_graph_elements(&updates->shape) != points * size) {
    qn_graph_error(op, updates, QN_INVALID, "%lld elements for %lld slices of %lld",
                   (long long)qn_graph_elements(&updates->shape), (long long)points,
                   (long long)size);
    return;
  }
  qn_value *at = flattened(op, indices_of(op, 1), &x->shape, 0);
  scatter(op, at, points, product(&x->shape, 0, count), size);
}

void qn_onnx_import_scatter_elements(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *indices = qn_graph_input(op, 1),
                  *updates = qn_graph_input(op, 2);
  uint32_t axis;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x->shape.rank, &axis)) return;
  const uint32_t rank = x->shape.rank;
  const int64_t count = qn_graph_elements(&x->shape), points = qn_graph_elements(&indices->shape);
  bool fits = indices->shape.rank == rank && points > 0 &&
              qn_graph_same_shape(&indices->shape, &updates->shape);
  for (uint32_t i = 0; fits && i < rank; i++)
    fits = i == axis || indices->shape.dims[i] <= x->shape.dims[i];
  if (!fits) {
    qn_graph_error(op, indices, QN_INVALID, "indices and updates do not fit to the tensor");
    return;
  }
  const int64_t vector[] = {points};
  qn_value *at = qn_onnx_from_start(op, indices_of(op, 1), x->shape.dims[axis]);
  at = qn_onnx_flat_along(op, &x->shape, at, axis);
  scatter(op, qn_onnx_viewed(op, at, 1, vector), points, count, 1);
}
