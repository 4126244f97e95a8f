/* What passes on graphs of the model dialect share: types, constants, ops like others.
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
/* Elements mean the same wherever they stand: floats, integers, quantized with one scale. */
bool qn_is_position_free(const qn_type *type);
/* One tensor type with these dimensions. */
const qn_type *qn_type_with_dims(qn_ir_context *cx, const qn_type *tensor, uint32_t rank,
                                 const int64_t *dims);
/* The shape of `tensor` permuted: dimension i of the result is perm[i]. */
const qn_type *qn_type_permuted(qn_ir_context *cx, const qn_type *tensor, qn_i64s perm);
bool qn_is_identity_perm(qn_i64s perm);
/* The stored value that a verified ml.pad writes; false when that differs by channel or is a
 * real_value. */
bool qn_pad_stored_value(const qn_op *pad, int64_t *out_value);

/* ---- constants ---- */

/* Element i of a literal of floats, also of one whose elements are all the same. */
double qn_literal_real(const qn_value *literal, int64_t i);
/* Whether every element of a literal of floats is this one, sign of zero included. */
bool qn_literal_is(const qn_value *literal, double value);
/* Whether every element of a literal of integers is this one. */
bool qn_literal_is_whole(const qn_value *literal, int64_t value);
/* Whether every element of a literal of floats is within this part of `value`, or is `value` as an
 * element of its type. */
bool qn_literal_near(const qn_value *literal, double value, double part);
/* 1 / x, when that, rounded to the type, is finite and keeps its digits; else 0. */
double qn_float_inverse(qn_float_kind kind, double x);
/* ml.const of a float type, each value rounded to it once. */
qn_value *qn_build_reals(qn_rewriter *rw, const qn_type *type, const double *values);

/* ---- ops ---- */

/* Whether all operands and results have the elements of the first result, a float. */
bool qn_op_is_of_floats(const qn_op *op);
/* Whether all values that are matched have the elements of the root, a float. */
bool qn_matched_floats(const qn_matched *m);
/* Whether rows 1 to `last` are read by matched ops alone, however often. */
bool qn_matched_alone(const qn_matched *m, uint32_t last);

/* A copy before the root with its location, other operands, and one result of another type,
 * which is another tensor; the rewriter looks at it. */
qn_value *qn_build_like(qn_rewriter *rw, const qn_op *op, qn_value *const *operands,
                        uint32_t operand_count, const qn_type *type);
/* Attribute of an f64. */
const qn_attr *qn_attr_real(qn_rewriter *rw, double value);
qn_value *qn_build_leaky_relu(qn_rewriter *rw, qn_value *x, double alpha);
void qn_set_i64s(qn_rewriter *rw, qn_value *of, const char *name, const int64_t *values,
                 uint32_t count);

#endif
