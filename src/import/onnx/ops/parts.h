/* Operators that become several ops: the ops, by their operands alone. Values have the file's
 * layout. Where an operand is NULL, so is the result: the reason has been reported.
 *
 * Reals are f64, so that a formula of several steps is rounded once, when its result is defined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_PARTS_H
#define QN_IMPORT_ONNX_OPS_PARTS_H

#include "import/onnx/value.h"

/* ---- operands and results ---- */

/* A float32 or float64 operand as reals. */
qn_value *qn_onnx_real(qn_graph_op *op, uint32_t i);
/* An operand that may be absent; then NULL, without a report. */
qn_value *qn_onnx_optional_real(qn_graph_op *op, uint32_t i);
/* The result `i`, if there is one: reals are rounded, others stay. */
void qn_onnx_give(qn_graph_op *op, uint32_t i, uint8_t dtype, qn_value *value);
/* A float result: float64 if an operand is, else float32. */
void qn_onnx_give_real(qn_graph_op *op, uint32_t i, qn_value *value);
/* Whether the file wants result i. */
bool qn_onnx_wants(const qn_graph_op *op, uint32_t i);
/* FLOAT64 if an operand is, else FLOAT32. */
uint8_t qn_onnx_real_dtype(qn_graph_op *op);

/* ---- numbers ---- */

const qn_type *qn_onnx_f64(const qn_graph_op *op);
const qn_type *qn_onnx_boolean(const qn_graph_op *op);
qn_value *qn_onnx_whole(qn_graph_op *op, const qn_type *element, int64_t value);
/* 0, 1, 2 ... along dimension `at` of a rank, 1 in the others. */
qn_value *qn_onnx_count(qn_graph_op *op, const qn_type *element, uint32_t rank, uint32_t at,
                        int64_t size);

/* ---- elements ---- */

qn_value *qn_onnx_unary(qn_graph_op *op, qn_op_kind kind, qn_value *x);
/* By numpy's rule, with the elements of x. */
qn_value *qn_onnx_binary(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y);
/* The same with a real number. */
qn_value *qn_onnx_with(qn_graph_op *op, qn_op_kind kind, qn_value *x, double number);
qn_value *qn_onnx_compare(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y);
qn_value *qn_onnx_choose(qn_graph_op *op, qn_value *condition, qn_value *x, qn_value *y);
qn_value *qn_onnx_as(qn_graph_op *op, qn_value *x, const qn_type *element);

/* ---- dimensions ---- */

qn_value *qn_onnx_reduced(qn_graph_op *op, qn_op_kind kind, qn_value *x, const int64_t *axes,
                          uint32_t count, bool keep);
qn_value *qn_onnx_reduced_along(qn_graph_op *op, qn_op_kind kind, qn_value *x, uint32_t axis);
/* A vector along one dimension, with the rank of `of`; all other dimensions are 1. */
qn_value *qn_onnx_along(qn_graph_op *op, qn_value *vector, uint32_t rank, uint32_t axis);
qn_value *qn_onnx_viewed(qn_graph_op *op, qn_value *x, uint32_t rank, const int64_t *dims);
qn_value *qn_onnx_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end);
qn_value *qn_onnx_joined(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis);
qn_value *qn_onnx_permuted(qn_graph_op *op, qn_value *x, const int64_t *perm);
qn_value *qn_onnx_tiled(qn_graph_op *op, qn_value *x, const qn_graph_shape *to);
qn_value *qn_onnx_product(qn_graph_op *op, qn_value *x, qn_value *y);
/* Slices of x along an axis; the first `batch` dimensions are common. */
qn_value *qn_onnx_gathered(qn_graph_op *op, qn_value *x, qn_value *indices, uint32_t axis,
                           uint32_t batch);
/* Rows are real, along the last dimension. */
qn_value *qn_onnx_softmaxed(qn_graph_op *op, qn_value *x, uint32_t axis, bool is_log);
/* Elements of x along an axis at constant indices, which are in range. */
qn_value *qn_onnx_picked(qn_graph_op *op, qn_value *x, uint32_t axis, const int64_t *indices,
                         int64_t count);
/* Reals times a constant matrix along an axis: element i of the result is the sum of matrix[i][k]
 * times element k. */
qn_value *qn_onnx_mapped(qn_graph_op *op, qn_value *x, uint32_t axis, const double *matrix,
                         int64_t rows);
/* A scalar repeated to a shape. */
qn_value *qn_onnx_filled(qn_graph_op *op, qn_value *scalar, const qn_graph_shape *shape);
/* x and `count` times a scalar along an axis, before or after it. */
qn_value *qn_onnx_extended(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t count,
                           qn_value *number, bool is_before);
/* The flat indices, in a tensor of a shape, of places whose index along the axis is another. */
qn_value *qn_onnx_flat_along(qn_graph_op *op, const qn_graph_shape *shape, qn_value *indices,
                             uint32_t axis);
/* Elements of x along an axis at indices of its rank. */
qn_value *qn_onnx_taken_along(qn_graph_op *op, qn_value *x, qn_value *indices, uint32_t axis);
/* x with a dimension moved to another place. */
qn_value *qn_onnx_moved(qn_graph_op *op, qn_value *x, uint32_t from, uint32_t to);
/* Memory for `count` numbers of an import; NULL, reported, if the file's budget does not allow it.
 */
double *qn_onnx_doubles(qn_graph_op *op, int64_t count);
int64_t *qn_onnx_numbers(qn_graph_op *op, int64_t count);
/* Negative indices count from the end. */
qn_value *qn_onnx_from_start(qn_graph_op *op, qn_value *indices, int64_t size);

static inline int64_t qn_onnx_dim(const qn_value *x, uint32_t i) { return x->type->shaped.dims[i]; }
static inline uint32_t qn_onnx_rank(const qn_value *x) { return x->type->shaped.rank; }

#endif
