/* Internals of the float decompositions: the state of one, and the generic loops that all use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_FORM_H
#define QN_IR_FLOAT_FORM_FORM_H

#include "ir/float_form/float_form.h"
#include "ir/generic.h"
#include "ir/numerics.h"
#include "ir/ops/ml.h"
#include "quant/range.h"

/* Attributes, shapes and types are those of verified ml ops (ir/ops/ml.h). */
enum { QN_FORM_MAX_RANK = QN_ML_MAX_RANK, QN_FORM_MAX_LOOPS = 2 * QN_FORM_MAX_RANK };

typedef struct qn_form {
  qn_builder *b;
  qn_ir_context *cx;
  const qn_op *op;
  qn_value *const *operands;
  const qn_type *real;            /* f32 or f64, the type of all arithmetic */
  const qn_form_numbers *numbers; /* parameters of a fixed-point decomposition; else NULL */
} qn_form;

/* Builds the op on reals; returns a tensor of f->real, not yet quantized. */
typedef qn_value *qn_form_fn(qn_form *f);
/* Table entry of an op's float decomposition, next to the function that builds it; a missing entry
 * is a link error. */
typedef struct qn_float_form {
  /* function that builds it; NULL if there is none, and `none` has the reason */
  qn_form_fn *build;
  qn_form_fn *stored; /* on stored values, exact in every profile; returns a value of the result's
                         type; NULL if none */
  qn_form_fn *fixed;  /* as `stored`, in fixed point with parameters of a plan; NULL if none */
  /* Whether the op on f32 or f64 is its own decomposition. NULL: never, except that it always is if
   * `build` is qn_form_itself. */
  bool (*is_itself)(const qn_op *op);
  const char *none;
  /* The reason why this op has no decomposition although its kind has; NULL if it has one.
   * `problem` is NULL if all ops of the kind have one. */
  const char *(*problem)(const qn_op *op);
} qn_float_form;
/* ---- reals (reals.c) ---- */

/* The expressed float type of a tensor's elements; NULL if none. */
const qn_type *qn_form_expressed(const qn_type *type);
/* Whether operand i is an integer bias, whose scale is input scale * weight scale; and why the op
 * cannot have one; NULL if it can. */
bool qn_form_is_plain_bias(const qn_op *op, uint32_t i);
const char *qn_form_bias_problem(const qn_op *op);
/* Operand i as a tensor of f->real. */
qn_value *qn_form_operand(qn_form *f, uint32_t i);
/* The bias of a matrix op as reals: a plain i32 bias has the scale input scale * weight scale. */
qn_value *qn_form_bias(qn_form *f);
/* Converts y (f->real) to the type of the op's result. */
qn_value *qn_form_quantized(qn_form *f, qn_value *y);
/* The type of a tensor of f->real with the shape of the result. */
const qn_type *qn_form_result_type(const qn_form *f);
static inline const qn_type *qn_form_tensor(const qn_form *f, uint32_t rank, const int64_t *dims) {
  return qn_type_tensor(f->cx, f->real, rank, dims);
}
static inline const qn_profile *qn_form_profile(const qn_form *f) {
  return qn_module_profile(f->b->module);
}
static inline qn_value *qn_form_number(qn_form *f, double value) {
  return qn_build_float(f->b, value, f->real);
}
/* Builds the op itself on f->real; its evaluator defines the result (eval/ref/floats.c). */
qn_form_fn qn_form_itself;
/* Whether the op clamps its results in reals, by its activation or its profile; and the bounds. */
bool qn_form_clamps(const qn_form *f, float *out_low, float *out_high);
/* In a body: x clamped to these bounds; NaN stays. */
qn_value *qn_form_activate(qn_form *f, qn_value *x);
qn_activation qn_form_activation(const qn_form *f);

/* ---- loops (loops.c) ---- */

/* One operand of a loop nest, with one index expression per dimension. */
typedef struct qn_form_access {
  qn_value *value;
  const qn_affine_expr *at[QN_FORM_MAX_RANK];
} qn_form_access;
static inline const qn_affine_expr *qn_form_dim(const qn_form *f, int64_t loop) {
  return qn_affine_dim(f->cx, loop);
}

/* Opens a linalg.generic over inputs and one output; the builder is then in its body. */
qn_op *qn_form_open(qn_form *f, uint32_t loops, uint64_t reductions, const qn_form_access *inputs,
                    uint32_t input_count, const qn_form_access *output);
/* The body's element of input i; i = number of inputs: of the output. */
static inline qn_value *qn_form_element(const qn_op *generic, uint32_t i) {
  return qn_op_body(generic)->args[i];
}
static inline qn_value *qn_form_close(qn_form *f, qn_op *generic, qn_value *value) {
  return qn_generic_close(f->b, generic, value);
}
/* A tensor with unspecified elements (tensor.empty), which all must be overwritten. */
qn_value *qn_form_empty(qn_form *f, const qn_type *type);
/* The access of a value by loops 0, 1, 2, ...: one per dimension. */
qn_form_access qn_form_whole(const qn_form *f, qn_value *value);
/* A constant with equal elements; as the initial value of loops it takes no memory. */
qn_value *qn_form_fill(qn_form *f, const qn_type *type, double value);
/* y[i] = body(x[i]). */
typedef qn_value *qn_form_body(qn_form *f, qn_value *x);
qn_value *qn_form_map(qn_form *f, qn_value *x, qn_form_body *body);
/* x clamped as qn_form_activate does it, as a loop nest of its own; x itself without bounds. */
qn_value *qn_form_activated(qn_form *f, qn_value *x);
/* x (NHWC) with the op's "pad" around rows and columns, filled with `value`; x begins at row and
 * column out_first of the result. */
qn_value *qn_form_padded(qn_form *f, qn_value *x, double value, int64_t out_first[2]);

/* ---- stored values (stored.c) ---- */

/* Operand i as its stored signless integers, or as floats; and the result from them. */
qn_value *qn_form_stored(qn_form *f, uint32_t i);
qn_value *qn_form_restored(qn_form *f, qn_value *y);
const qn_type *qn_form_stored_result(qn_form *f);
bool qn_form_is_unsigned(const qn_form *f, uint32_t i);
bool qn_form_is_real(const qn_value *x);
/* In a body: an integer widened to `width`; a comparison with an arith.cmpf predicate. */
qn_value *qn_form_widened(qn_form *f, qn_value *x, bool is_unsigned, uint32_t width);
qn_value *qn_form_compare_reals(qn_form *f, int64_t predicate, qn_value *a, qn_value *b);
/* A 1-D constant of `count` elements. */
qn_value *qn_form_row(qn_form *f, const qn_type *element, const void *values, int64_t count);
/* A tensor with equal elements, given by an attribute of an arith.constant. */
qn_value *qn_form_fill_with(qn_form *f, const qn_type *type, const qn_attr *number);
/* The access of a broadcast operand by the result's loops, aligned at the last dimension; size 1
 * repeats. */
qn_form_access qn_form_broadcast(qn_form *f, qn_value *value);
/* Computes the result element from the elements of all operands: qn_form_elementwise on stored
 * values, the other function on real values. */
typedef qn_value *qn_form_element_fn(qn_form *f, qn_value *const *elements);
qn_value *qn_form_elementwise(qn_form *f, qn_form_element_fn *body);
qn_value *qn_form_elementwise_reals(qn_form *f, qn_form_element_fn *body);
/* The elements `indices` of a dimension, in that order (arrange.c). */
qn_value *qn_form_take(qn_form *f, qn_value *x, uint32_t axis, const int32_t *indices,
                       int64_t count);
/* Converts vectors of indices, each clamped to its dimension, to linear slice indices: a 1-D i32
 * tensor. */
qn_value *qn_form_positions(qn_form *f, qn_value *indices, const int64_t *dims);
/* minmax.c */
qn_form_fn qn_form_stored_mean;
/* Means over the dimensions in bit set `reduced`; `keep`: they remain with size 1 (reduce.c). */
qn_value *qn_form_mean(qn_form *f, qn_value *x, uint64_t reduced, bool keep);
/* numbers.c */
qn_form_fn qn_form_stored_add, qn_form_stored_sub, qn_form_stored_mul;

/* ---- scalars (exp.c) ---- */

/* In a body: e^x of a scalar of f->real. */
qn_value *qn_form_exp(qn_form *f, qn_value *x);
/* 1 / (1 + e^-x), and the hyperbolic tangent. */
qn_form_body qn_form_logistic, qn_form_hyperbolic;

#endif
