/* Quantization of the rows of a float tensor by their own ranges, for products with 8-bit weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_HYBRID_H
#define QN_IR_FLOAT_FORM_HYBRID_H

#include "ir/float_form/form.h"

/* The quantization scheme of the rows. */
static inline qn_row_scheme qn_hybrid_scheme(const qn_hybrid_numbers *n) {
  if (n->dynamic) return QN_ROWS_DYNAMIC;
  return n->asymmetric ? QN_ROWS_ASYMMETRIC : QN_ROWS_SYMMETRIC;
}

/* Builds ml.quantize_rows of operand 0 of `op`, given as `x`, one row per pixel, batch element or
 * row of a matrix. `step` is the type of the stored values: f32, minus the zero point, or a byte.
 */
qn_op *qn_hybrid_quantize(qn_builder *b, const qn_op *op, const qn_hybrid_numbers *n, qn_value *x,
                          const qn_type *step);

/* Whether adding +0 may change the bias, because it may be -0. Kernels add nothing, not even +0,
 * for an input of zeros (qn_hybrid_numbers.skips). False without a bias (NULL). */
bool qn_hybrid_shows_zeros(const qn_value *bias);

/* ---- rules (hybrid_rules.c): they use only the builder f->b, and apply to scalars and vectors
 * ---- */

/* Parameters of a row from its minimum and maximum; symmetric: both are the maximum magnitude. The
 * scale; the factor of elements; the zero point as a float, NULL if symmetric. */
qn_value *qn_form_row_scale(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);
qn_value *qn_form_row_inverse(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);
qn_value *qn_form_row_zero(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);

/* An element of a row: in whole blocks of 8, or among the remaining elements. */
typedef struct qn_row_element {
  qn_value *x, *inverse, *zero;
  qn_value *half; /* 1/2 in whole blocks; the largest float below it in the remainder */
  bool has_rest;
  bool is_moderate; /* known: no element is infinite or NaN, the factor is in (0, 2^100] */
} qn_row_element;
/* The stored value of an element minus the zero point. */
qn_value *qn_form_row_step(qn_form *f, qn_row_scheme scheme, const qn_row_element *e);

/* In a body: x with denormals replaced by zeros of their sign. */
qn_value *qn_form_flushed(qn_form *f, qn_value *x);

#endif
