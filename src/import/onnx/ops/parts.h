/* Building blocks of operators that become several ops. The functions derive the result type from
 * their operands. Values have the file's layout. If an operand is NULL, because an error has been
 * reported, the result is NULL.
 * Real numbers are f64, so that a formula of several steps is rounded only once, when its result is
 * defined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_PARTS_H
#define QN_IMPORT_ONNX_OPS_PARTS_H

#include "import/onnx/value.h"

/* ---- operands and results ---- */

/* The float32 operand i as f64; a quantized operand is dequantized. NULL, reported, on errors. */
qn_value *qn_onnx_real(qn_graph_op *op, uint32_t i);
/* As qn_onnx_real for an optional operand: NULL without a report if it is absent. */
qn_value *qn_onnx_optional_real(qn_graph_op *op, uint32_t i);
/* Defines result i, with element type `dtype`, if the file has such a result: f64 values are
 * rounded to float32, other values stay unchanged. */
void qn_onnx_give(qn_graph_op *op, uint32_t i, uint8_t dtype, qn_value *value);
/* Defines result i as float32, as qn_onnx_give. */
void qn_onnx_give_real(qn_graph_op *op, uint32_t i, qn_value *value);
/* Whether the node has a result i, which may be omitted in the file. */
bool qn_onnx_wants(const qn_graph_op *op, uint32_t i);
/* FLOAT64 if an operand is, else FLOAT32. */
uint8_t qn_onnx_real_dtype(qn_graph_op *op);

/* Reads a string attribute: *out is its index in `words`, which NULL ends. Another word is an
 * error. */
bool qn_onnx_word(qn_graph_op *op, const char *attribute, const char *fallback,
                  const char *const *words, uint32_t *out);

/* ---- numbers ---- */

const qn_type *qn_onnx_f64(const qn_graph_op *op);
const qn_type *qn_onnx_boolean(const qn_graph_op *op);
const qn_type *qn_onnx_i64(const qn_graph_op *op); /* of indices */
qn_value *qn_onnx_whole(qn_graph_op *op, const qn_type *element, int64_t value);
/* A tensor of rank `rank` with 0, 1, 2 ... (size - 1) along dimension `at`; all other dimensions
 * have size 1. */
qn_value *qn_onnx_count(qn_graph_op *op, const qn_type *element, uint32_t rank, uint32_t at,
                        int64_t size);

/* ---- elements ---- */

qn_value *qn_onnx_unary(qn_graph_op *op, qn_op_kind kind, qn_value *x);
/* The op on x and y, broadcast by numpy's rule, with the element type of x. */
qn_value *qn_onnx_binary(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y);
/* As qn_onnx_binary, where y is a constant scalar f64. */
qn_value *qn_onnx_with(qn_graph_op *op, qn_op_kind kind, qn_value *x, double number);
qn_value *qn_onnx_compare(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y);
qn_value *qn_onnx_choose(qn_graph_op *op, qn_value *condition, qn_value *x, qn_value *y);
qn_value *qn_onnx_as(qn_graph_op *op, qn_value *x, const qn_type *element);

/* ---- dimensions ---- */

qn_value *qn_onnx_reduced(qn_graph_op *op, qn_op_kind kind, qn_value *x, const int64_t *axes,
                          uint32_t count, bool keep);
qn_value *qn_onnx_reduced_along(qn_graph_op *op, qn_op_kind kind, qn_value *x, uint32_t axis);
/* A view of a vector as a tensor of rank `rank`: the vector's elements are along dimension `axis`;
 * all other dimensions have size 1. */
qn_value *qn_onnx_along(qn_graph_op *op, qn_value *vector, uint32_t rank, uint32_t axis);
qn_value *qn_onnx_viewed(qn_graph_op *op, qn_value *x, uint32_t rank, const int64_t *dims);
qn_value *qn_onnx_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end);
qn_value *qn_onnx_joined(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis);
qn_value *qn_onnx_permuted(qn_graph_op *op, qn_value *x, const int64_t *perm);
qn_value *qn_onnx_tiled(qn_graph_op *op, qn_value *x, const qn_graph_shape *to);
qn_value *qn_onnx_product(qn_graph_op *op, qn_value *x, qn_value *y);
/* Slices of x along an axis, selected by `indices`. The first `batch` dimensions are common to
 * both. */
qn_value *qn_onnx_gathered(qn_graph_op *op, qn_value *x, qn_value *indices, uint32_t axis,
                           uint32_t batch);
/* The softmax of f64 values along `axis`, or its logarithm. */
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
