/* The rows of a float tensor in steps of their own ranges, for products with weights of 8 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_HYBRID_H
#define QN_IR_FLOAT_FORM_HYBRID_H

#include "ir/float_form/form.h"

/* Values of f32: of the input's shape, and per row, which the leading dimensions number. */
typedef struct qn_hybrid_input {
  uint32_t rows;    /* how many dimensions */
  qn_value *steps;  /* the input as stored values less their zero point */
  qn_value *scale;  /* per row: what a step stands for */
  qn_value *extent; /* per row: 0 where the whole row is 0 */
} qn_hybrid_input;

qn_hybrid_input qn_form_hybrid_input(qn_form *f, uint32_t rows);

/* How the numbers say that rows become steps. */
static inline qn_row_scheme qn_hybrid_scheme(const qn_hybrid_numbers *n) {
  if (n->dynamic) return QN_ROWS_DYNAMIC;
  return n->asymmetric ? QN_ROWS_ASYMMETRIC : QN_ROWS_SYMMETRIC;
}

/* ---- rules (hybrid_rules.c): of f->b alone; of scalars or vectors ---- */

/* The parameters of a row with these ends; symmetric: both are the largest magnitude. What a step
 * stands for, by what elements are multiplied, and the zero point as a float, NULL where it is
 * symmetric. */
qn_value *qn_form_row_scale(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);
qn_value *qn_form_row_inverse(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);
qn_value *qn_form_row_zero(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high);

/* An element, in whole blocks of 8 or, where the row has a rest, in either. */
typedef struct qn_row_element {
  qn_value *x, *inverse, *zero;
  qn_value *half; /* of blocks 1/2, of the rest the number below */
  bool has_rest;
} qn_row_element;
/* In steps, less the zero point. */
qn_value *qn_form_row_step(qn_form *f, qn_row_scheme scheme, const qn_row_element *e);

/* In a body: denormals as zeros of their sign. */
qn_value *qn_form_flushed(qn_form *f, qn_value *x);
/* Over all loops of `x` from the one `kept` on: the largest or lowest element from 0 on, or of
 * magnitudes. */
qn_value *qn_form_minmax(qn_form *f, qn_op_kind kind, qn_value *x, uint32_t kept,
                         bool of_magnitudes);

#endif
