/* Internals of the decompositions of exact units: scalars in their bodies, and rows of softmax.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_UNIT_H
#define QN_IR_FLOAT_FORM_UNIT_H

#include "ir/float_form/form.h"

typedef struct unit {
  qn_form *f;
  const qn_unit_numbers *numbers;
} unit;

/* Parameters that turn the integer of a unit into a result. */
typedef struct unit_place {
  qn_value *factor, *offset; /* f64 */
  qn_value *divisor;         /* f64; NULL if none */
  qn_value *bias;            /* f32; NULL if none */
} unit_place;

/* In a body: the result of integer n (i64 or f64) by the unit's finish (unit_finish.c). */
qn_value *qn_unit_finished(unit *u, qn_value *n, const unit_place *at);
/* A sum of two integers, times factor and offset, as f32, rounded once. */
qn_value *qn_unit_real_sum(unit *u, qn_value *a, qn_value *b);
/* The result of n divided by the unit's divisor, decided in integers. */
qn_value *qn_unit_quotient(unit *u, qn_value *n);
/* The result of a real y (f32 or f64): rounded to the nearest integer, ties to even, plus the zero
 * point. */
qn_value *qn_unit_nearest(unit *u, qn_value *y);

/* Softmax of the op's rows (unit_softmax.c). */
qn_value *qn_unit_softmax(unit *u);

#endif
