/* Plans of exact units: profiles in which an op on quantized tensors means its exact real result,
 * rounded once, or a kernel of onnxruntime (docs/arithmetic.md 19 and 20).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PLAN_UNITS_UNITS_H
#define QN_PLAN_UNITS_UNITS_H

#include "plan/inside.h"
#include "quant/exact.h"

/* A tensor with one scale, which is a float32, and stored values of 4 to 16 bits, signed or
 * unsigned. */
typedef struct qn_unit_tensor {
  double scale;
  int64_t zero_point, min, max; /* min, max: range of stored values, which the type may narrow */
  uint32_t width;
  bool is_signed;
} qn_unit_tensor;

/* Scale i as a float32: scales of tensors that express f32 have this precision. */
static inline double qn_unit_scale(const qn_quant_uniform *q, uint32_t i) {
  return (double)(float)q->scales[i];
}
/* Reads the quantization of a tensor. `role` names it in a rejection. */
qn_status qn_unit_tensor_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                            qn_unit_tensor *out);
qn_status qn_unit_operand(qn_planner *p, const qn_op *op, uint32_t i, qn_unit_tensor *out);
/* The result, with its range narrowed to the bounds of the fused activation. */
qn_status qn_unit_result(qn_planner *p, const qn_op *op, qn_unit_tensor *out);
/* Narrows the range of y to the bounds of the activation. */
void qn_unit_narrow(qn_activation activation, qn_unit_tensor *io_y);
/* Reads operand 0 and the result. */
qn_status qn_unit_pair(qn_planner *p, const qn_op *op, qn_unit_tensor *x, qn_unit_tensor *y);
/* Whether the op is computed by a kernel of onnxruntime, for any types. */
bool qn_unit_is_fused(const qn_planner *p, const qn_op *op);
/* What the kernel of onnxruntime adds to stored values and zero points: 128 if it computes int8 as
 * uint8, else 0. */
int64_t qn_unit_shift(const qn_op *op);
static inline bool qn_unit_is_byte(const qn_unit_tensor *t) { return t->width == 8; }
/* Scale and zero point of an 8-bit tensor in the representation of the integer stage. */
qn_affine8 qn_unit_affine(const qn_unit_tensor *t);
/* A plan with these numbers; missing offsets are zeros. */
qn_status qn_unit_form(qn_planner *p, const qn_unit_numbers *numbers, qn_plan *out);
/* Finds the product of doubles, or quotient, that equals `exact` rounded to the tensor's
 * quantization for all n in [lo, hi]; QN_UNSUPPORTED if none is found. */
qn_status qn_unit_even(qn_planner *p, const qn_op *op, const qn_exact *exact, int64_t lo,
                       int64_t hi, const qn_unit_tensor *y, qn_even_form *out);
/* qn_unit_number: an array with one number. qn_unit_take: copies the numbers of a form. */
const double *qn_unit_number(qn_planner *p, double value);
void qn_unit_take(qn_planner *p, const qn_even_form *form, qn_unit_numbers *io_numbers);

/* ---- plans of the families, one file each ---- */
qn_plan_fn qn_unit_matrix, qn_unit_matmul;
qn_plan_fn qn_unit_avg_pool, qn_unit_max_pool, qn_unit_mean, qn_unit_reduce_sum;
qn_plan_fn qn_unit_add, qn_unit_sub, qn_unit_mul, qn_unit_div;
qn_plan_fn qn_unit_maximum, qn_unit_minimum, qn_unit_prelu;
qn_plan_fn qn_unit_equal, qn_unit_not_equal, qn_unit_less, qn_unit_less_equal, qn_unit_greater,
    qn_unit_greater_equal;
qn_plan_fn qn_unit_softmax_rows;
qn_plan_fn qn_unit_concat, qn_unit_requantize, qn_unit_unary;

#endif
