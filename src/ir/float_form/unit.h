/* Inside the forms of exact units: scalars in their bodies, and rows of softmax.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_UNIT_H
#define QN_IR_FLOAT_FORM_UNIT_H

#include "ir/float_form/form.h"

typedef struct unit {
  qn_form *f;
  const qn_unit_numbers *numbers;
} unit;

/* What a result is made with, beside its integer. */
typedef struct unit_place {
  qn_value *factor, *offset; /* f64 */
  qn_value *divisor;         /* f64, or NULL */
  qn_value *bias;            /* f32, or NULL */
} unit_place;

/* In a body: the result of an integer, i64 or f64, as the unit's finish says
 * (unit_finish.c). */
qn_value *qn_unit_finished(unit *u, qn_value *n, const unit_place *at);
/* A sum of two integers, times factor and offset, as f32, rounded once. */
qn_value *qn_unit_real_sum(unit *u, qn_value *a, qn_value *b);
/* The same of the quotient by the unit's divisor, decided in integers. */
qn_value *qn_unit_quotient(unit *u, qn_value *n);
/* The result of a real in f32 or f64, to the nearest integer, ties to even, plus the zero point. */
qn_value *qn_unit_nearest(unit *u, qn_value *y);

/* The op's rows (unit_softmax.c). */
qn_value *qn_unit_softmax(unit *u);

#endif
