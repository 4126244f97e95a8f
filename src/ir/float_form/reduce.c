/* Float decompositions of pools, means and softmax: a tensor of initial values, a linalg.generic
 * that reduces in row-major order, and a linalg.generic that computes the results from the reduced
 * values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/fixed.h"
#include "ir/types/float_format.h"

/* Reduces the first input into `initial` with a binary op; loops beyond the result's dimensions are
 * those in `reductions`. */
static qn_value *reduce(qn_form *f, qn_op_kind kind, uint32_t loops, uint64_t reductions,
                        const qn_form_access *inputs, uint32_t count,
                        const qn_form_access *initial) {
  qn_op *generic = qn_form_open(f, loops, reductions, inputs, count, initial);
  qn_value *x = qn_form_element(generic, 0), *so_far = qn_form_element(generic, count);
  return qn_form_close(f, generic, qn_build_binary(f->b, kind, so_far, x));
}

/* ---- pools: loops n, y, x, channel, then the taps' row and column ---- */

/* The generic gets the window's sizes from a tensor that is never read. */
static qn_value *reduce_windows(qn_form *f, qn_op_kind kind, double neutral) {
  qn_i64s kernel = qn_op_kernel_sizes(f->op), strides = qn_op_strides(f->op);
  int64_t first[2];
  qn_form_access inputs[] = {
      qn_form_whole(f, qn_form_padded(f, qn_form_operand(f, 0), neutral, first)), {0}};
  for (uint32_t i = 0; i < 2; i++) {
    const qn_affine_expr *window = qn_affine_scaled(f->cx, qn_form_dim(f, 1 + i), strides.data[i]);
    window = qn_affine_add(f->cx, window, qn_form_dim(f, 4 + i));
    inputs[0].at[1 + i] = qn_affine_add(f->cx, window, qn_affine_const(f->cx, first[i]));
  }
  inputs[1] = (qn_form_access){.value = qn_form_empty(f, qn_form_tensor(f, 2, kernel.data)),
                               .at = {qn_form_dim(f, 4), qn_form_dim(f, 5)}};
  qn_form_access initial = qn_form_whole(f, qn_form_fill(f, qn_form_result_type(f), neutral));
  enum { LOOPS = 6, TAPS = 3 << 4 };
  return reduce(f, kind, LOOPS, TAPS, inputs, 2, &initial);
}

static qn_value *build_max_pool(qn_form *f) {
  return qn_form_activated(f, reduce_windows(f, QN_OP_ARITH_MAXIMUMF, -INFINITY));
}
const qn_float_form qn_float_form_ml_max_pool = {.build = build_max_pool};

/* Number of taps of a window inside the input, in one dimension. */
static int64_t taps_inside(const qn_op *op, uint32_t spatial, int64_t out) {
  int64_t begin = out * qn_op_strides(op).data[spatial] - qn_op_pad(op).data[2 * spatial];
  int64_t end = begin + qn_op_kernel_sizes(op).data[spatial];
  int64_t size = qn_op_operand(op, 0)->type->shaped.dims[1 + spatial];
  return (end < size ? end : size) - (begin > 0 ? begin : 0);
}

/* The number of taps of every window, as a constant over rows and columns. */
static qn_value *tap_counts(qn_form *f) {
  const int64_t *dims = f->op->results[0].type->shaped.dims;
  const qn_type *type = qn_form_tensor(f, 2, dims + 1);
  size_t size = qn_type_bytes(f->real), count = (size_t)(dims[1] * dims[2]);
  uint8_t *bytes = qn_arena_array(&f->b->module->arena, count, size);
  for (int64_t y = 0, at = 0; y < dims[1]; y++)
    for (int64_t x = 0; x < dims[2]; x++, at++)
      qn_float_store(f->real->float_kind,
                     (double)(taps_inside(f->op, 0, y) * taps_inside(f->op, 1, x)),
                     bytes + (size_t)at * size);
  const qn_attr *value = qn_attr_dense(f->cx, type, (qn_bytes){bytes, count * size}, true);
  return qn_build_1(f->b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *build_avg_pool(qn_form *f) {
  qn_value *sums = reduce_windows(f, QN_OP_ARITH_ADDF, 0.0);
  qn_form_access inputs[] = {
      qn_form_whole(f, sums),
      {.value = tap_counts(f), .at = {qn_form_dim(f, 1), qn_form_dim(f, 2)}}};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, sums->type));
  qn_op *generic = qn_form_open(f, 4, 0, inputs, 2, &output);
  qn_value *y = qn_build_binary(f->b, QN_OP_ARITH_DIVF, qn_form_element(generic, 0),
                                qn_form_element(generic, 1));
  return qn_form_close(f, generic, qn_form_activate(f, y));
}
const qn_float_form qn_float_form_ml_avg_pool = {.build = build_avg_pool};

/* ---- means ---- */

/* y[i] = x[i] / count */
static qn_value *divide(qn_form *f, qn_value *x, int64_t count) {
  qn_form_access input = qn_form_whole(f, x);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, &input, 1, &output);
  qn_value *divisor = qn_form_number(f, (double)count);
  return qn_form_close(
      f, generic, qn_build_binary(f->b, QN_OP_ARITH_DIVF, qn_form_element(generic, 0), divisor));
}

/* Merges the reduced dimensions at the end into one row. */
static qn_value *with_rows(qn_form *f, qn_value *x, uint64_t reduced) {
  uint32_t rank = x->type->shaped.rank, last = rank;
  while (last > 0 && (reduced >> (last - 1) & 1)) last--;
  if (rank - last < 2) return x;
  int64_t dims[QN_FORM_MAX_RANK], row = 1;
  for (uint32_t d = 0; d < last; d++) dims[d] = x->type->shaped.dims[d];
  for (uint32_t d = last; d < rank; d++) row *= x->type->shaped.dims[d];
  dims[last] = row;
  return qn_build_unary(f->b, QN_OP_ML_RESHAPE, x, qn_form_tensor(f, last + 1, dims));
}

qn_value *qn_form_mean(qn_form *f, qn_value *x, uint64_t reduced, bool keep) {
  const qn_type *in = x->type;
  qn_form_access input = qn_form_whole(f, with_rows(f, x, reduced)), sums = {0};
  uint32_t at = 0, loops = input.value->type->shaped.rank;
  int64_t count = 1, dims[QN_FORM_MAX_RANK];
  for (uint32_t d = 0; d < in->shaped.rank; d++) {
    bool gone = reduced >> d & 1;
    if (gone) count *= in->shaped.dims[d];
    if (gone && !keep) continue;
    dims[at] = gone ? 1 : in->shaped.dims[d];
    sums.at[at++] = gone ? qn_affine_const(f->cx, 0) : qn_form_dim(f, d);
  }
  sums.value = qn_form_fill(f, qn_form_tensor(f, at, dims), 0.0);
  uint64_t loops_reduced = reduced & ((UINT64_C(1) << loops) - 1);
  qn_value *sum = reduce(f, QN_OP_ARITH_ADDF, loops, loops_reduced, &input, 1, &sums);
  return divide(f, sum, count);
}

static qn_value *build_reduce_mean(qn_form *f) {
  qn_i64s axes = qn_op_axes(f->op);
  uint64_t reduced = 0;
  for (uint32_t i = 0; i < axes.count; i++) reduced |= UINT64_C(1) << axes.data[i];
  return qn_form_mean(f, qn_form_operand(f, 0), reduced, qn_op_keep_dims(f->op));
}
const qn_float_form qn_float_form_ml_reduce_mean = {.build = build_reduce_mean,
                                                    .stored = qn_form_stored_mean};

/* ---- softmax: e^(beta * (x - max)) over its sum, rows along the last dimension ---- */

static qn_value *reduce_rows(qn_form *f, qn_op_kind kind, qn_value *x, double neutral) {
  uint32_t rank = x->type->shaped.rank;
  const qn_type *type = qn_form_tensor(f, rank - 1, x->type->shaped.dims);
  qn_form_access input = qn_form_whole(f, x);
  qn_form_access initial = qn_form_whole(f, qn_form_fill(f, type, neutral));
  return reduce(f, kind, rank, UINT64_C(1) << (rank - 1), &input, 1, &initial);
}

/* y = body(x, value of its row) */
static qn_value *map_with_rows(qn_form *f, qn_value *x, qn_value *rows,
                               qn_value *(*body)(qn_form *f, qn_value *x, qn_value *row)) {
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_whole(f, rows)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, 2, &output);
  return qn_form_close(f, generic,
                       body(f, qn_form_element(generic, 0), qn_form_element(generic, 1)));
}

static qn_value *exponential(qn_form *f, qn_value *x, qn_value *highest) {
  qn_value *difference = qn_build_binary(f->b, QN_OP_ARITH_SUBF, x, highest);
  qn_value *beta = qn_form_number(f, qn_op_beta(f->op));
  return qn_form_exp(f, qn_build_binary(f->b, QN_OP_ARITH_MULF, difference, beta));
}

static qn_value *quotient(qn_form *f, qn_value *x, qn_value *sum) {
  return qn_build_binary(f->b, QN_OP_ARITH_DIVF, x, sum);
}

static const char *softmax_problem(const qn_op *op) {
  return op->results[0].type->shaped.rank == 0 ? "a scalar has no rows" : NULL;
}

static qn_value *build_softmax(qn_form *f) {
  qn_value *x = qn_form_operand(f, 0);
  qn_value *highest = reduce_rows(f, QN_OP_ARITH_MAXIMUMF, x, -INFINITY);
  qn_value *exps = map_with_rows(f, x, highest, exponential);
  return map_with_rows(f, exps, reduce_rows(f, QN_OP_ARITH_ADDF, exps, 0.0), quotient);
}
const qn_float_form qn_float_form_ml_softmax = {
    .build = build_softmax, .fixed = qn_form_table_softmax, .problem = softmax_problem};

/* ---- other functions of rows ---- */

static qn_value *squared(qn_form *f, qn_value *x) {
  return qn_build_binary(f->b, QN_OP_ARITH_MULF, x, x);
}
static qn_value *over_length(qn_form *f, qn_value *x, qn_value *squares) {
  qn_value *length = qn_build_unary(f->b, QN_OP_MATH_SQRT, squares, squares->type);
  length = qn_build_binary(f->b, QN_OP_ARITH_MAXIMUMF, length, qn_form_number(f, 1e-6));
  return quotient(f, x, length);
}
static qn_value *build_l2_norm(qn_form *f) {
  qn_value *x = qn_form_operand(f, 0);
  qn_value *squares = reduce_rows(f, QN_OP_ARITH_ADDF, qn_form_map(f, x, squared), 0.0);
  return map_with_rows(f, x, squares, over_length);
}
const qn_float_form qn_float_form_ml_l2_norm = {.build = build_l2_norm,
                                                .fixed = qn_form_fixed_l2_norm};

static qn_value *difference(qn_form *f, qn_value *x, qn_value *row) {
  return qn_build_binary(f->b, QN_OP_ARITH_SUBF, x, row);
}
static qn_value *less_logarithm(qn_form *f, qn_value *x, qn_value *sum) {
  return difference(f, x, qn_build_unary(f->b, QN_OP_MATH_LOG, sum, sum->type));
}
static qn_value *build_log_softmax(qn_form *f) {
  qn_value *x = qn_form_operand(f, 0);
  x = map_with_rows(f, x, reduce_rows(f, QN_OP_ARITH_MAXIMUMF, x, -INFINITY), difference);
  qn_value *sum = reduce_rows(f, QN_OP_ARITH_ADDF, qn_form_map(f, x, qn_form_exp), 0.0);
  return map_with_rows(f, x, sum, less_logarithm);
}
const qn_float_form qn_float_form_ml_log_softmax = {.build = build_log_softmax,
                                                    .fixed = qn_form_fixed_log_softmax};
