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

/* In a body: denormals as zeros of their sign. */
qn_value *qn_form_flushed(qn_form *f, qn_value *x);
/* Over all loops of `x` from the one `kept` on: the greatest or lowest element from 0 on, or of
 * magnitudes. */
qn_value *qn_form_extreme(qn_form *f, qn_op_kind kind, qn_value *x, uint32_t kept,
                          bool of_magnitudes);

#endif
