/* The exponential and what is made of it, in operations whose results IEEE 754 fixes, so that the
 * interpreter and every machine agree to the bit; a library's exp would not.
 *
 *   n = roundeven(x * log2(e))
 *   r = (x - n * ln2_high) - n * ln2_low          |r| <= 0.35
 *   e^x = p(r) * 2^n, p the Taylor polynomial of degree 12 in Horner's order
 *
 * All of it in f64: the relative error is below 2^-50, so a result rounded to f32 is nearly always
 * the nearest one. Below -708 and above 709 x counts as these, so 2^n is a normal number; NaN stays
 * NaN.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/form.h"

/* ln 2 in two parts; n times the first is exact. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
static const double log2_e = 0x1.71547652b82fep+0;

typedef struct scalars {
  qn_builder *b;
  const qn_type *f64, *i64;
} scalars;

static scalars scalars_of(qn_form *f) {
  return (scalars){f->b, qn_type_float(f->cx, QN_F64), qn_type_i(f->cx, 64)};
}

static qn_value *with(scalars *s, qn_op_kind kind, qn_value *x, double constant) {
  return qn_build_binary(s->b, kind, x, qn_build_float(s->b, constant, s->f64));
}

static qn_value *polynomial(scalars *s, qn_value *r) {
  static const double coefficients[] = {1.0 / 479001600,
                                        1.0 / 39916800,
                                        1.0 / 3628800,
                                        1.0 / 362880,
                                        1.0 / 40320,
                                        1.0 / 5040,
                                        1.0 / 720,
                                        1.0 / 120,
                                        1.0 / 24,
                                        1.0 / 6,
                                        1.0 / 2,
                                        1.0,
                                        1.0};
  qn_value *p = qn_build_float(s->b, coefficients[0], s->f64);
  for (size_t i = 1; i < QN_COUNT(coefficients); i++) {
    p = qn_build_binary(s->b, QN_OP_ARITH_MULF, p, r);
    p = with(s, QN_OP_ARITH_ADDF, p, coefficients[i]);
  }
  return p;
}

/* 2^n of a whole number n as f64: its exponent's bits. */
static qn_value *power_of_2(scalars *s, qn_value *n) {
  enum { BIAS = 1023, MANTISSA_BITS = 52 };
  qn_value *bits = qn_build_unary(s->b, QN_OP_ARITH_FPTOSI, n, s->i64);
  qn_value *bias = qn_build_int(s->b, BIAS, s->i64);
  bits = qn_build_binary(s->b, QN_OP_ARITH_ADDI, bits, bias);
  qn_value *shift = qn_build_int(s->b, MANTISSA_BITS, s->i64);
  bits = qn_build_binary(s->b, QN_OP_ARITH_SHLI, bits, shift);
  return qn_build_unary(s->b, QN_OP_ARITH_BITCAST, bits, s->f64);
}

static qn_value *exp_f64(scalars *s, qn_value *x) {
  enum { UNO = 14 };
  qn_ir_context *cx = s->b->cx;
  qn_value *is_nan = qn_build_1(s->b, QN_OP_ARITH_CMPF, qn_type_i(cx, 1), QN_VALUES(x, x),
                                QN_ATTRS({"predicate", qn_attr_i64(cx, UNO)}));
  qn_value *zero = qn_build_float(s->b, 0.0, s->f64);
  qn_value *y = qn_build_select(s->b, is_nan, zero, x);
  y = with(s, QN_OP_ARITH_MAXIMUMF, y, -708.0);
  y = with(s, QN_OP_ARITH_MINIMUMF, y, 709.0);
  qn_value *n =
      qn_build_unary(s->b, QN_OP_MATH_ROUNDEVEN, with(s, QN_OP_ARITH_MULF, y, log2_e), s->f64);
  qn_value *r = qn_build_binary(s->b, QN_OP_ARITH_SUBF, y, with(s, QN_OP_ARITH_MULF, n, ln2_high));
  qn_value *low = with(s, QN_OP_ARITH_MULF, n, ln2_low);
  r = qn_build_binary(s->b, QN_OP_ARITH_SUBF, r, low);
  qn_value *p = polynomial(s, r);
  p = qn_build_binary(s->b, QN_OP_ARITH_MULF, p, power_of_2(s, n));
  return qn_build_select(s->b, is_nan, x, p);
}

static qn_value *widened(scalars *s, qn_value *x) {
  return x->type == s->f64 ? x : qn_build_unary(s->b, QN_OP_ARITH_EXTF, x, s->f64);
}

static qn_value *narrowed(qn_form *f, qn_value *x) {
  return x->type == f->real ? x : qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, x, f->real);
}

qn_value *qn_form_exp(qn_form *f, qn_value *x) {
  scalars s = scalars_of(f);
  return narrowed(f, exp_f64(&s, widened(&s, x)));
}

/* numerator / (1 + e^(factor * x)) */
static qn_value *reciprocal(scalars *s, qn_value *x, double factor, double numerator) {
  qn_value *sum = with(s, QN_OP_ARITH_ADDF, exp_f64(s, with(s, QN_OP_ARITH_MULF, x, factor)), 1.0);
  qn_value *top = qn_build_float(s->b, numerator, s->f64);
  return qn_build_binary(s->b, QN_OP_ARITH_DIVF, top, sum);
}

qn_value *qn_form_logistic(qn_form *f, qn_value *x) {
  scalars s = scalars_of(f);
  return narrowed(f, reciprocal(&s, widened(&s, x), -1.0, 1.0));
}

/* 1 - 2 / (1 + e^2x): below |x| = 2^-29 the difference is no longer accurate, but no quantized type
 * with other values of a tangent tells. */
qn_value *qn_form_hyperbolic(qn_form *f, qn_value *x) {
  scalars s = scalars_of(f);
  qn_value *rest = reciprocal(&s, widened(&s, x), 2.0, 2.0);
  qn_value *one = qn_build_float(s.b, 1.0, s.f64);
  return narrowed(f, qn_build_binary(s.b, QN_OP_ARITH_SUBF, one, rest));
}
