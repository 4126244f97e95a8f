/* The roundings of runtime/fixed.h as scalar ops in bodies of decompositions, for those whose
 * parameters a plan gives (qn_build_fixed_form).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORM_FIXED_H
#define QN_IR_FLOAT_FORM_FIXED_H

#include "ir/float_form/form.h"

/* A stored integer, widened to 32 bits, minus its zero point. */
qn_value *qn_form_less_zero_point(qn_form *f, qn_value *x, bool is_unsigned, int32_t zero_point);
/* qn_rdhm32, except that not both factors may be INT32_MIN; qn_rdivp2 of i32 by a constant power of
 * 2. */
qn_value *qn_form_rdhm32(qn_form *f, qn_value *a, qn_value *b);
qn_value *qn_form_rdivp2(qn_form *f, qn_value *x, int32_t n);
/* qn_requant32 of i32, qn_requant64 of i64. */
qn_value *qn_form_requant32(qn_form *f, qn_value *x, qn_multiplier m);
qn_value *qn_form_requant64(qn_form *f, qn_value *x, qn_multiplier m);
/* qn_fixed_inv_sqrt of i32. */
typedef struct qn_form_recip {
  qn_value *value, *exponent;
} qn_form_recip;
qn_form_recip qn_form_inverse_root(qn_form *f, qn_value *v);
/* Adds the zero point of the result, clamps, and narrows to the result's width. */
qn_value *qn_form_finished(qn_form *f, qn_value *x);

/* Matrix products of floats with 8-bit weights (hybrid.c). */
qn_form_fn qn_form_hybrid;
/* Functions of rows, and division (rows.c). */
qn_form_fn qn_form_fixed_l2_norm, qn_form_fixed_log_softmax, qn_form_fixed_real_div,
    qn_form_table_softmax;
/* Decompositions of ops whose table entries are in numbers.c. */
qn_form_fn qn_form_fixed_equal, qn_form_fixed_not_equal, qn_form_fixed_less,
    qn_form_fixed_less_equal, qn_form_fixed_greater, qn_form_fixed_greater_equal,
    qn_form_fixed_prelu;

#endif
