/* Helpers that passes on graphs of the model dialect share: types, constants, and copies of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_GRAPH_H
#define QN_PASSES_SUPPORT_GRAPH_H

#include "ir/ops/ml.h"
#include "pass/match.h"

/* ---- types ---- */

static inline uint32_t qn_rank(const qn_value *value) { return value->type->shaped.rank; }
static inline int64_t qn_dim(const qn_value *value, uint32_t i) {
  return value->type->shaped.dims[i];
}
/* Whether an element has the same meaning at every position: floats, integers, and quantized types
 * with one scale. */
bool qn_is_position_free(const qn_type *type);
/* A tensor type with the element type of `tensor` and other dimensions. */
const qn_type *qn_type_with_dims(qn_ir_context *cx, const qn_type *tensor, uint32_t rank,
                                 const int64_t *dims);
/* The type with permuted shape: dimension i of the result is dimension perm[i] of `tensor`. */
const qn_type *qn_type_permuted(qn_ir_context *cx, const qn_type *tensor, qn_i64s perm);
bool qn_is_identity_perm(qn_i64s perm);
/* The stored value with which a verified ml.pad of integers or quantized elements pads. False if it
 * differs by channel. */
bool qn_pad_stored_value(const qn_op *pad, int64_t *out_value);

/* ---- constants ---- */

/* Element i of a float literal, also of one whose elements are all equal. */
double qn_literal_real(const qn_value *literal, int64_t i);
/* Whether every element of a float literal equals `value`, including the sign of zero. */
bool qn_literal_is(const qn_value *literal, double value);
/* Whether every element of an integer literal equals `value`. */
bool qn_literal_is_whole(const qn_value *literal, int64_t value);
/* Whether every element of a float literal has a relative error of at most `part` from `value`, or
 * equals `value` rounded to the element type. */
bool qn_literal_near(const qn_value *literal, double value, double part);
/* 1 / x, if it is finite and normal after rounding to the type; else 0. */
double qn_float_inverse(qn_float_kind kind, double x);
/* Builds an ml.const of a float type; each value is rounded to it once. */
qn_value *qn_build_reals(qn_rewriter *rw, const qn_type *type, const double *values);

/* ---- ops ---- */

/* Whether all operands and results have the element type of the first result, and it is a float. */
bool qn_op_is_of_floats(const qn_op *op);
/* Whether all matched values have the element type of the root, and it is a float. */
bool qn_matched_floats(const qn_matched *m);
/* Whether rows 1 to `last` are read by matched ops only, any number of times. */
bool qn_matched_alone(const qn_matched *m, uint32_t last);

/* Builds a copy of an op before the root, with the root's location, other operands and one result
 * of another type. It is not one of the model's tensors. The rewriter visits it. */
qn_value *qn_build_like(qn_rewriter *rw, const qn_op *op, qn_value *const *operands,
                        uint32_t operand_count, const qn_type *type);
/* A float attribute of type f64. */
const qn_attr *qn_attr_real(qn_rewriter *rw, double value);
qn_value *qn_build_leaky_relu(qn_rewriter *rw, qn_value *x, double alpha);
void qn_set_i64s(qn_rewriter *rw, qn_value *of, const char *name, const int64_t *values,
                 uint32_t count);

#endif
