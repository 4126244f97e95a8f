/* Elementary functions in bodies of linalg.generic: ops of the math dialect, defined by
 * quant/elementary.inc. The logistic function is 1 / (1 + e) for x >= 0 and e / (1 + e) for x < 0,
 * where e = exp(-|x|), so that no digits are lost for any x. It is computed in f64 and rounded
 * once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

qn_value *qn_form_exp(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_EXP, x, x->type);
}

static qn_value *is_negative(qn_form *f, qn_value *x) {
  qn_value *zero = qn_build_float(f->b, 0.0, x->type);
  return qn_build_1(f->b, QN_OP_ARITH_CMPF, qn_type_i(f->cx, 1), QN_VALUES(x, zero),
                    QN_ATTRS({"predicate", qn_attr_i64(f->cx, QN_CMP_OLT)}));
}

qn_value *qn_form_logistic(qn_form *f, qn_value *x) {
  const qn_type *given = x->type, *f64 = qn_type_float(f->cx, QN_F64);
  if (given != f64) x = qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, f64);
  qn_value *size = qn_build_unary(f->b, QN_OP_MATH_ABSF, x, f64);
  qn_value *e = qn_form_exp(f, qn_build_unary(f->b, QN_OP_ARITH_NEGF, size, f64));
  qn_value *one = qn_build_float(f->b, 1.0, f64);
  qn_value *negative = is_negative(f, x);
  qn_value *top = qn_build_select(f->b, negative, e, one);
  qn_value *bottom = qn_build_binary(f->b, QN_OP_ARITH_ADDF, e, one);
  qn_value *y = qn_build_binary(f->b, QN_OP_ARITH_DIVF, top, bottom);
  return given == f64 ? y : qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, given);
}

qn_value *qn_form_hyperbolic(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_TANH, x, x->type);
}
