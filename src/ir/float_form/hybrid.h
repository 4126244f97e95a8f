/* Quantization of the rows of a float tensor by their own ranges, for products with 8-bit weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_HYBRID_H
#define QN_IR_FLOAT_FORM_HYBRID_H

#include "ir/float_form/form.h"

/* The quantized rows of an input, as f32 values: one tensor with the shape of the input, and
 * tensors with one value per row. A row is selected by the indices of the leading dimensions. */
typedef struct qn_hybrid_input {
  uint32_t rows;    /* number of leading dimensions that index rows */
  qn_value *steps;  /* the input as stored values minus their zero point */
  qn_value *scale;  /* per row: the scale */
  qn_value *extent; /* per row: a value that is 0 if and only if all elements of the row are 0 */
} qn_hybrid_input;

qn_hybrid_input qn_form_hybrid_input(qn_form *f, uint32_t rows);

/* The quantization scheme of the rows. */
static inline qn_row_scheme qn_hybrid_scheme(const qn_hybrid_numbers *n) {
  if (n->dynamic) return QN_ROWS_DYNAMIC;
  return n->asymmetric ? QN_ROWS_ASYMMETRIC : QN_ROWS_SYMMETRIC;
}

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
/* The maximum or minimum (`kind`) of 0 and the elements of x, or with `of_magnitudes` of their
 * magnitudes, over the dimensions from `kept` on. */
qn_value *qn_form_minmax(qn_form *f, qn_op_kind kind, qn_value *x, uint32_t kept,
                         bool of_magnitudes);

#endif
