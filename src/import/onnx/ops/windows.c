/* See windows.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/windows.h"
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

#include <math.h>

bool qn_onnx_pool_window(qn_graph_op *op, const qn_graph_tensor *x, qn_graph_window *out) {
  int64_t kernel[QN_GRAPH_MOST_WAYS];
  bool stated;
  if (!qn_onnx_is_spatial(op, x) || !qn_onnx_kernel(op, x->shape.rank - 2, kernel, &stated))
    return false;
  if (!stated) return qn_graph_error(op, NULL, QN_INVALID, "attribute 'kernel_shape' is missing");
  return qn_onnx_place_window(op, x, kernel, out);
}

qn_value *qn_onnx_unfolded(qn_graph_op *op, qn_value *x, const qn_graph_window *w,
                           qn_value *number) {
  if (!x || !number) return NULL;
  const uint32_t ways = qn_onnx_rank(x) - 2;
  qn_graph_shape shape = {2, {qn_onnx_dim(x, 0), qn_onnx_dim(x, 1)}};
  for (uint32_t i = 0; x && i < ways; i++) {
    const int64_t count = w->out[i] * w->kernel[i];
    x = qn_onnx_extended(op, x, 2 + i, w->pad[2 * i], number, true);
    x = qn_onnx_extended(op, x, 2 + i, w->pad[2 * i + 1], number, false);
    int64_t *indices = x ? qn_onnx_numbers(op, count) : NULL;
    if (!indices) return NULL;
    for (int64_t k = 0; k < count; k++)
      indices[k] = k / w->kernel[i] * w->stride[i] + k % w->kernel[i] * w->dilation[i];
    x = qn_onnx_picked(op, x, 2 + i, indices, count);
    shape.dims[shape.rank++] = w->out[i];
    shape.dims[shape.rank++] = w->kernel[i];
  }
  return qn_onnx_viewed(op, x, shape.rank, shape.dims);
}

/* A reduction of the elements of each window. */
static qn_value *reduced(qn_graph_op *op, qn_op_kind kind, qn_value *windows) {
  if (!windows) return NULL;
  const uint32_t ways = (qn_onnx_rank(windows) - 2) / 2;
  int64_t axes[QN_GRAPH_MOST_WAYS];
  for (uint32_t i = 0; i < ways; i++) axes[i] = 3 + 2 * i;
  return qn_onnx_reduced(op, kind, windows, axes, ways, false);
}

bool qn_onnx_is_general_pool(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  int64_t dilations[2];
  uint32_t count;
  if (!x || x->shape.rank != 4 || qn_onnx_wants(op, 1)) return true;
  const qn_type *own = x->dtype == QN_GRAPH_FLOAT32 ? NULL : qn_onnx_own(op, x);
  if (own && own->kind != QN_TYPE_QUANT_UNIFORM) return true;
  const bool is_average = op->row->kind == QN_OP_ML_AVG_POOL,
             is_unit = qn_onnx_source_of(op, 0).element;
  if (is_average && !is_unit && qn_onnx_int(op, "count_include_pad", 0)) return true;
  if (!qn_onnx_ints(op, "dilations", 2, dilations, &count)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (dilations[i] != 1) return true;
  return false;
}

/* ---- averages ---- */

/* How many elements of the windows of an axis count: [low, high) in the padded operand. */
static qn_value *counts(qn_graph_op *op, const qn_graph_window *w, uint32_t way, uint32_t rank,
                        int64_t low, int64_t high) {
  qn_graph_shape shape = {.rank = rank};
  double *sums = qn_onnx_doubles(op, w->out[way]);
  if (!sums || !qn_graph_spend(op, w->out[way] * w->kernel[way])) return NULL;
  for (uint32_t i = 0; i < rank; i++) shape.dims[i] = i == 2 + way ? w->out[way] : 1;
  for (int64_t o = 0; o < w->out[way]; o++) {
    sums[o] = 0;
    for (int64_t k = 0; k < w->kernel[way]; k++) {
      const int64_t at = o * w->stride[way] + k * w->dilation[way];
      sums[o] += at >= low && at < high;
    }
  }
  return qn_graph_const(op, qn_onnx_f64(op), &shape, sums);
}

bool qn_onnx_stated_pads(qn_graph_op *op, uint32_t ways, const qn_graph_window *w, int64_t *after) {
  int64_t pads[2 * QN_GRAPH_MOST_WAYS];
  uint32_t count;
  if (!qn_onnx_ints(op, "pads", 2 * ways, pads, &count)) return false;
  const bool given = qn_str_is(qn_onnx_string(op, "auto_pad", "NOTSET"), "NOTSET");
  for (uint32_t i = 0; i < ways; i++)
    after[i] = !given ? w->pad[2 * i + 1] : count ? pads[ways + i] : 0;
  return !op->failed;
}

static void build_average(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_window *w) {
  const uint32_t rank = x->shape.rank, ways = rank - 2;
  const bool includes = qn_onnx_int(op, "count_include_pad", 0) != 0;
  int64_t after[QN_GRAPH_MOST_WAYS];
  if (!qn_onnx_stated_pads(op, ways, w, after)) return;
  qn_value *v = qn_onnx_unfolded(op, qn_onnx_real(op, 0), w, qn_onnx_double(op, 0)), *all = NULL;
  v = reduced(op, QN_OP_ML_REDUCE_SUM, v);
  for (uint32_t i = 0; i < ways && v; i++) {
    const int64_t low = includes ? 0 : w->pad[2 * i];
    const int64_t high = w->pad[2 * i] + x->shape.dims[2 + i] + (includes ? after[i] : 0);
    qn_value *each = counts(op, w, i, rank, low, high);
    all = all ? qn_onnx_binary(op, QN_OP_ML_MUL, all, each) : each;
  }
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_REAL_DIV, v, all));
}

/* ---- maxima ---- */

/* The lowest number of a type. */
static qn_value *lowest(qn_graph_op *op, const qn_type *element) {
  if (element->kind == QN_TYPE_QUANT_UNIFORM)
    return qn_onnx_whole(op, element, element->uniform.min);
  if (element->kind == QN_TYPE_FLOAT)
    return qn_onnx_as(op, qn_onnx_double(op, (double)-INFINITY), element);
  return qn_onnx_whole(op, element, INT64_MIN >> (64 - element->integer.width));
}

/* The flat index of each element in its channel, and those before it. */
static qn_value *flat_indices(qn_graph_op *op, const qn_graph_tensor *x) {
  const int64_t count = qn_graph_elements(&x->shape);
  int64_t *numbers = qn_onnx_numbers(op, count);
  if (!numbers) return NULL;
  for (int64_t i = 0; i < count; i++) numbers[i] = i;
  return qn_graph_const(op, qn_onnx_i64(op), &x->shape, numbers);
}

/* Row-major indices as column-major ones of the last dimensions. */
static qn_value *by_columns(qn_graph_op *op, const qn_graph_tensor *x, qn_value *at) {
  const int64_t count = qn_graph_elements(&x->shape);
  int64_t *numbers = qn_onnx_numbers(op, count);
  if (!numbers) return NULL;
  int64_t image = 1;
  for (uint32_t d = 2; d < x->shape.rank; d++) image *= x->shape.dims[d];
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i % image, stride = image, index = 0;
    for (uint32_t d = x->shape.rank; d-- > 2; rest /= x->shape.dims[d]) {
      stride /= x->shape.dims[d];
      index += rest % x->shape.dims[d] * stride;
    }
    numbers[i] = i / image * image + index;
  }
  const qn_graph_shape vector = {1, {count}};
  qn_value *table = qn_graph_const(op, qn_onnx_i64(op), &vector, numbers);
  return qn_onnx_gathered(op, table, at, 0, 0);
}

/* The first index, in the order of rows, of an element that is the maximum of its window. */
static void give_indices(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_window *w,
                         qn_value *windows, qn_value *most) {
  const qn_type *index = qn_onnx_i64(op);
  qn_value *beyond = qn_onnx_whole(op, index, qn_graph_elements(&x->shape));
  qn_value *indices = qn_onnx_unfolded(op, flat_indices(op, x), w, beyond);
  qn_graph_shape shape = qn_graph_shape_of(windows);
  for (uint32_t i = 3; i < shape.rank; i += 2) shape.dims[i] = 1;
  most = qn_onnx_viewed(op, most, shape.rank, shape.dims);
  qn_value *is = most ? qn_onnx_compare(op, QN_OP_ML_EQUAL, windows, most) : NULL;
  indices = reduced(op, QN_OP_ML_REDUCE_MIN, qn_onnx_choose(op, is, indices, beyond));
  qn_value *last = qn_onnx_whole(op, index, qn_graph_elements(&x->shape) - 1); /* of NaN */
  if (indices) indices = qn_onnx_binary(op, QN_OP_ML_MINIMUM, indices, last);
  if (qn_onnx_int(op, "storage_order", 0)) indices = by_columns(op, x, indices);
  qn_onnx_give(op, 1, QN_GRAPH_INT64, indices);
}

/* Maxima with elements of the requested type. */
static qn_value *maxima_as(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *v = qn_onnx_through(op, r, 0, element);
  if (!v) return NULL;
  return reduced(op, QN_OP_ML_REDUCE_MAX, qn_onnx_unfolded(op, v, r->window, lowest(op, element)));
}

/* Leaves the elements' type to the readers: onnxruntime moves quantizations over a maximum. */
static void leave_maximum(qn_graph_op *op, qn_graph_tensor *x, const qn_graph_window *w) {
  qn_graph_window *window = QN_NEW(&op->graph->arena, qn_graph_window);
  qn_graph_shape shape = x->shape;
  for (uint32_t i = 2; i < shape.rank; i++) shape.dims[i] = w->out[i - 2];
  *window = *w;
  const qn_onnx_recipe r = {.build = maxima_as, .shape = shape, .window = window};
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &shape, &r);
}

static void build_maximum(qn_graph_op *op, qn_graph_tensor *x, const qn_graph_window *w) {
  if (x->dtype == QN_GRAPH_FLOAT32 && !qn_onnx_wants(op, 1)) {
    leave_maximum(op, x, w);
    return;
  }
  const bool is_whole = qn_onnx_is_whole(x->dtype) && x->dtype != QN_GRAPH_UINT64;
  if (!is_whole && x->dtype != QN_GRAPH_FLOAT32 && x->dtype != QN_GRAPH_FLOAT64) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
    return;
  }
  /* quantized elements as plain integers, as readers in the file have them */
  qn_value *v = is_whole ? qn_onnx_value_as(op, x, qn_onnx_whole_type(op, x->dtype), QN_ONNX_PLAIN)
                         : qn_onnx_value(op, x);
  if (is_whole) v = qn_onnx_as_i64(op, v, x->dtype);
  if (!v) return;
  v = qn_onnx_unfolded(op, v, w, lowest(op, qn_type_element(v->type)));
  qn_value *y = reduced(op, QN_OP_ML_REDUCE_MAX, v);
  if (v && y && qn_onnx_wants(op, 1)) give_indices(op, x, w, v, y);
  qn_onnx_give(op, 0, x->dtype, is_whole ? qn_onnx_from_i64(op, y, x->dtype) : y);
}

void qn_onnx_build_general_pool(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  qn_graph_window w;
  if (op->failed || !qn_graph_has_elements(op, x) || !qn_onnx_pool_window(op, x, &w)) return;
  if (op->row->kind == QN_OP_ML_AVG_POOL)
    build_average(op, x, &w);
  else
    build_maximum(op, x, &w);
}

/* ---- norms ---- */

/* The p-th root of the sum of p-th powers. */
static qn_value *powers(qn_graph_op *op, qn_value *x, int64_t p) {
  x = qn_onnx_unary(op, QN_OP_ML_ABS, x);
  if (p == 1) return x;
  if (p == 2) return x ? qn_onnx_binary(op, QN_OP_ML_MUL, x, x) : NULL;
  return qn_onnx_with(op, QN_OP_ML_POW, x, (double)p);
}
static qn_value *root(qn_graph_op *op, qn_value *x, int64_t p) {
  if (p == 1) return x;
  if (p == 2) return qn_onnx_unary(op, QN_OP_ML_SQRT, x);
  return qn_onnx_with(op, QN_OP_ML_POW, x, 1 / (double)p);
}

static bool read_p(qn_graph_op *op, int64_t *out) {
  *out = qn_onnx_int(op, "p", 2);
  if (op->failed) return false;
  return (*out >= 1 && *out <= INT16_MAX) ||
         qn_graph_error(op, NULL, QN_INVALID, "'p' is %lld", (long long)*out);
}

void qn_onnx_import_lp_pool(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  qn_graph_window w;
  int64_t p;
  if (op->failed || !read_p(op, &p) || !qn_onnx_pool_window(op, x, &w)) return;
  qn_value *v = powers(op, qn_onnx_real(op, 0), p);
  v = qn_onnx_unfolded(op, v, &w, qn_onnx_double(op, 0));
  qn_onnx_give_real(op, 0, root(op, reduced(op, QN_OP_ML_REDUCE_SUM, v), p));
}

/* ---- whole images ---- */

static qn_value *over_image(qn_graph_op *op, qn_op_kind kind, qn_value *x) {
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count = 0;
  if (!x) return NULL;
  for (uint32_t i = 2; i < qn_onnx_rank(x); i++) axes[count++] = i;
  return qn_onnx_reduced(op, kind, x, axes, count, true);
}

void qn_onnx_build_global_pool(qn_graph_op *op, qn_op_kind kind) {
  qn_onnx_give_real(op, 0, over_image(op, kind, qn_onnx_real(op, 0)));
}
void qn_onnx_import_global_max_pool(qn_graph_op *op) {
  qn_onnx_build_global_pool(op, op->row->kind);
}
void qn_onnx_import_global_lp_pool(qn_graph_op *op) {
  int64_t p;
  if (!read_p(op, &p)) return;
  qn_value *v = powers(op, qn_onnx_real(op, 0), p);
  qn_onnx_give_real(op, 0, root(op, over_image(op, op->row->kind, v), p));
}
