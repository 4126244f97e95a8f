/* Decompositions of ops on elements of any type: floats are computed as reals, plain integers on
 * stored values, wrapping at their width.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/fixed.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}

/* ---- bodies on reals ---- */

#define REAL(name) static qn_value *real_##name(qn_form *f, qn_value *const *e)
#define REAL_BINARY(name, kind)                                                                    \
  REAL(name) { return binary(f, kind, e[0], e[1]); }
#define REAL_UNARY(name, kind)                                                                     \
  REAL(name) { return qn_build_unary(f->b, kind, e[0], e[0]->type); }
REAL_UNARY(abs, QN_OP_MATH_ABSF)
REAL_UNARY(neg, QN_OP_ARITH_NEGF)
REAL_UNARY(floor, QN_OP_MATH_FLOOR)
REAL_UNARY(ceil, QN_OP_MATH_CEIL)
REAL_UNARY(round, QN_OP_MATH_ROUNDEVEN)
REAL_UNARY(sqrt, QN_OP_MATH_SQRT)
REAL_UNARY(log, QN_OP_MATH_LOG)
REAL_UNARY(exp2, QN_OP_MATH_EXP2)
REAL(exp) { return qn_form_exp(f, e[0]); }
REAL(square) { return binary(f, QN_OP_ARITH_MULF, e[0], e[0]); }
REAL(rsqrt) {
  qn_value *one = qn_form_number(f, 1.0);
  return binary(f, QN_OP_ARITH_DIVF, one, real_sqrt(f, e));
}

REAL(squared_difference) {
  qn_value *d = binary(f, QN_OP_ARITH_SUBF, e[0], e[1]);
  return binary(f, QN_OP_ARITH_MULF, d, d);
}
REAL(real_div) {
  qn_value *y = binary(f, QN_OP_ARITH_DIVF, e[0], e[1]);
  return qn_form_activate(f, y);
}
REAL(floor_div) {
  return qn_build_unary(f->b, QN_OP_MATH_FLOOR, binary(f, QN_OP_ARITH_DIVF, e[0], e[1]), f->real);
}

/* Remainder of a / b in f64, with the sign of b. The quotient is split into parts of 28 bits, so
 * that each product and difference of two f32 is exact, however different their magnitudes. */
static qn_value *remainder_of(qn_form *f, qn_value *a, qn_value *b) {
  enum { PART = 28, FARTHEST = 252 };
  qn_value *rest = a;
  for (int part = FARTHEST; part >= 0; part -= PART) {
    qn_value *step = qn_build_float(f->b, ldexp(1.0, part), a->type);
    step = binary(f, QN_OP_ARITH_MULF, b, step);
    qn_value *q = binary(f, QN_OP_ARITH_DIVF, rest, step);
    q = qn_build_unary(f->b, QN_OP_MATH_TRUNC, q, q->type);
    rest = binary(f, QN_OP_ARITH_SUBF, rest, binary(f, QN_OP_ARITH_MULF, q, step));
  }
  return rest;
}
REAL(floor_mod) {
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  qn_value *zero = qn_build_float(f->b, 0.0, f64);
  qn_value *a = qn_build_unary(f->b, QN_OP_ARITH_EXTF, e[0], f64);
  qn_value *b = qn_build_unary(f->b, QN_OP_ARITH_EXTF, e[1], f64);
  qn_value *size = qn_build_unary(f->b, QN_OP_MATH_ABSF, b, f64);
  qn_value *infinite = qn_build_float(f->b, INFINITY, f64);
  qn_value *is_infinite = qn_form_compare_reals(f, QN_CMP_OEQ, size, infinite);
  qn_value *rest = qn_build_select(f->b, is_infinite, a, remainder_of(f, a, b));
  qn_value *is_zero = qn_form_compare_reals(f, QN_CMP_OEQ, rest, zero);
  qn_value *a_zero = binary(f, QN_OP_ARITH_MULF, a, zero); /* 0 with the sign of a */
  rest = qn_build_select(f->b, is_zero, a_zero, rest);
  qn_value *is_below = qn_form_compare_reals(f, QN_CMP_OLT, b, zero);
  qn_value *differ =
      qn_build_cmpi(f->b, QN_CMP_NE, qn_form_compare_reals(f, QN_CMP_OLT, rest, zero), is_below);
  qn_value *moves = qn_build_select(f->b, is_zero, qn_build_int(f->b, 0, differ->type), differ);
  rest = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, rest, e[0]->type);
  return qn_build_select(f->b, moves, binary(f, QN_OP_ARITH_ADDF, rest, e[1]), rest);
}

/* x if x >= 0, else `below`. */
static qn_value *from_zero_on(qn_form *f, qn_value *x, qn_value *below) {
  qn_value *holds = qn_form_compare_reals(f, QN_CMP_OGE, x, qn_form_number(f, 0.0));
  return qn_build_select(f->b, holds, x, below);
}
REAL(prelu) { return from_zero_on(f, e[0], binary(f, QN_OP_ARITH_MULF, e[0], e[1])); }
REAL(leaky_relu) {
  qn_value *alpha = qn_form_number(f, qn_op_alpha(f->op));
  qn_value *below = binary(f, QN_OP_ARITH_MULF, e[0], alpha);
  if (!qn_form_profile(f)->leaky_zeros) return from_zero_on(f, e[0], below);
  qn_value *is_above = qn_form_compare_reals(f, QN_CMP_OGT, e[0], qn_form_number(f, 0.0));
  return qn_build_select(f->b, is_above, e[0], below);
}
REAL(elu) {
  qn_value *y = qn_form_exp(f, e[0]);
  y = binary(f, QN_OP_ARITH_SUBF, y, qn_form_number(f, 1.0));
  y = binary(f, QN_OP_ARITH_MULF, y, qn_form_number(f, qn_op_alpha(f->op)));
  return from_zero_on(f, e[0], y);
}
REAL(celu) {
  qn_value *alpha = qn_form_number(f, qn_op_alpha(f->op));
  qn_value *y = qn_form_exp(f, binary(f, QN_OP_ARITH_DIVF, e[0], alpha));
  y = binary(f, QN_OP_ARITH_SUBF, y, qn_form_number(f, 1.0));
  return from_zero_on(f, e[0], binary(f, QN_OP_ARITH_MULF, y, alpha));
}
REAL(relu_n1_to_1) { return qn_build_float_clamp(f->b, e[0], -1, 1); }

/* 0.798 * (x + 0.0447 x^3), the argument of tanh in the approximation of the error function. */
static qn_value *gelu_cubic(qn_form *f, qn_value *x) {
  qn_value *cube = binary(f, QN_OP_ARITH_MULF, binary(f, QN_OP_ARITH_MULF, x, x), x);
  cube = binary(f, QN_OP_ARITH_MULF, cube, qn_form_number(f, 0.044715));
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, x, cube);
  return binary(f, QN_OP_ARITH_MULF, sum, qn_form_number(f, 0.7978845608028654));
}

/* Computes a function that is defined in f32 only, also for f64 elements. */
static qn_value *narrowly(qn_form *f, qn_op_kind kind, qn_value *x) {
  const qn_type *f32 = qn_type_float(f->b->cx, QN_F32);
  if (x->type == f32) return qn_build_unary(f->b, kind, x, f32);
  x = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, x, f32);
  x = qn_build_unary(f->b, kind, x, f32);
  return qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, f->real);
}

#define REAL_NARROW(name, kind)                                                                    \
  REAL(name) { return narrowly(f, kind, e[0]); }
REAL_NARROW(erf, QN_OP_MATH_ERF)
REAL_NARROW(sin, QN_OP_MATH_SIN)
REAL_NARROW(cos, QN_OP_MATH_COS)
REAL_NARROW(tan, QN_OP_MATH_TAN)
REAL_NARROW(asin, QN_OP_MATH_ASIN)
REAL_NARROW(acos, QN_OP_MATH_ACOS)
REAL_NARROW(atan, QN_OP_MATH_ATAN)
REAL(atan2) {
  const qn_type *f32 = qn_type_float(f->b->cx, QN_F32);
  qn_value *y = e[0], *x = e[1];
  if (y->type == f32) return binary(f, QN_OP_MATH_ATAN2, y, x);
  y = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, f32);
  x = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, x, f32);
  return qn_build_unary(f->b, QN_OP_ARITH_EXTF, binary(f, QN_OP_MATH_ATAN2, y, x), f->real);
}
REAL_NARROW(sinh, QN_OP_MATH_SINH)
REAL_NARROW(cosh, QN_OP_MATH_COSH)
REAL_NARROW(atanh, QN_OP_MATH_ATANH)

/* log(1 + x) for x in [0, 1]: a quotient compensates the rounding error of 1 + x. */
static qn_value *log_of_1_and(qn_form *f, qn_value *x) {
  qn_value *zero = qn_form_number(f, 0.0), *one = qn_form_number(f, 1.0);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, one, x);
  qn_value *taken = binary(f, QN_OP_ARITH_SUBF, sum, one);
  qn_value *y = qn_build_unary(f->b, QN_OP_MATH_LOG, sum, f->real);
  y = binary(f, QN_OP_ARITH_MULF, y, binary(f, QN_OP_ARITH_DIVF, x, taken));
  return qn_build_select(f->b, qn_form_compare_reals(f, QN_CMP_OEQ, taken, zero), x, y);
}
/* Avoids an intermediate infinity if the result is finite. */
REAL(softplus) {
  qn_value *zero = qn_form_number(f, 0.0), *size = real_abs(f, e);
  qn_value *small = qn_form_exp(f, qn_build_unary(f->b, QN_OP_ARITH_NEGF, size, f->real));
  small = log_of_1_and(f, small);
  return binary(f, QN_OP_ARITH_ADDF, binary(f, QN_OP_ARITH_MAXIMUMF, e[0], zero), small);
}
/* x with infinity replaced by the largest f32, because its quotients and products with 0 are
 * undefined. */
static qn_value *without_infinity(qn_form *f, qn_value *x) {
  qn_value *most = qn_form_number(f, 0x1.fffffep127), *least = qn_form_number(f, -0x1.fffffep127);
  return binary(f, QN_OP_ARITH_MAXIMUMF, binary(f, QN_OP_ARITH_MINIMUMF, x, most), least);
}
REAL(softsign) {
  qn_value *one = qn_form_number(f, 1.0), *x = without_infinity(f, e[0]);
  qn_value *size = qn_build_unary(f->b, QN_OP_MATH_ABSF, x, f->real);
  return binary(f, QN_OP_ARITH_DIVF, x, binary(f, QN_OP_ARITH_ADDF, one, size));
}
/* -0 for x so small that the logistic function is 0. */
REAL(silu) {
  qn_value *least = qn_form_number(f, -0x1.fffffep127);
  qn_value *x = binary(f, QN_OP_ARITH_MAXIMUMF, e[0], least);
  return binary(f, QN_OP_ARITH_MULF, x, qn_form_logistic(f, x));
}
REAL(sign) {
  qn_value *zero = qn_form_number(f, 0.0), *up = qn_form_number(f, 1.0);
  qn_value *down = qn_form_number(f, -1.0);
  qn_value *is_above = qn_form_compare_reals(f, QN_CMP_OGT, e[0], zero);
  qn_value *is_below = qn_form_compare_reals(f, QN_CMP_OLT, e[0], zero);
  qn_value *y = qn_build_select(f->b, qn_form_compare_reals(f, QN_CMP_OEQ, e[0], zero), zero, e[0]);
  y = qn_build_select(f->b, is_below, down, y);
  return qn_build_select(f->b, is_above, up, y);
}

/* x times the normal distribution function; or its tanh approximation, x / 2 * (1 + tanh(..)); or x
 * * logistic(1.702 x). */
REAL(gelu) {
  qn_gelu_mode mode = qn_op_gelu_mode(f->op);
  qn_value *x = e[0];
  if (mode == QN_GELU_EXACT) return qn_build_unary(f->b, QN_OP_QUERN_GELU, x, x->type);
  if (mode == QN_GELU_SIGMOID) {
    qn_value *weight = binary(f, QN_OP_ARITH_MULF, x, qn_form_number(f, 1.702));
    return binary(f, QN_OP_ARITH_MULF, x, qn_form_logistic(f, weight));
  }
  qn_value *half = binary(f, QN_OP_ARITH_MULF, x, qn_form_number(f, 0.5));
  qn_value *weight = qn_form_hyperbolic(f, gelu_cubic(f, x));
  weight = binary(f, QN_OP_ARITH_ADDF, weight, qn_form_number(f, 1.0));
  return binary(f, QN_OP_ARITH_MULF, half, weight);
}

/* ---- bodies on integers ---- */

#define WHOLE(name) static qn_value *whole_##name(qn_form *f, qn_value *const *e)
#define WHOLE_BINARY(name, kind)                                                                   \
  WHOLE(name) { return binary(f, kind, e[0], e[1]); }

static qn_value *constant(qn_form *f, int64_t value, const qn_value *like) {
  return qn_build_int(f->b, value, like->type);
}

/* The fused activation as a clamp of integers, which are finite. */
static qn_value *activated(qn_form *f, qn_value *y) {
  static const struct {
    int64_t low, high;
  } bounds[] = {[QN_ACT_RELU] = {0, -1}, [QN_ACT_RELU6] = {0, 6}, [QN_ACT_RELU_N1_TO_1] = {-1, 1}};
  qn_activation a = qn_form_activation(f);
  if (a == QN_ACT_NONE || a == QN_ACT_FINITE) return y;
  y = binary(f, QN_OP_ARITH_MAXSI, y, constant(f, bounds[a].low, y));
  if (a == QN_ACT_RELU) return y;
  return binary(f, QN_OP_ARITH_MINSI, y, constant(f, bounds[a].high, y));
}
WHOLE(add) { return activated(f, binary(f, QN_OP_ARITH_ADDI, e[0], e[1])); }
WHOLE(sub) { return activated(f, binary(f, QN_OP_ARITH_SUBI, e[0], e[1])); }
WHOLE(mul) { return activated(f, binary(f, QN_OP_ARITH_MULI, e[0], e[1])); }
WHOLE(square) { return binary(f, QN_OP_ARITH_MULI, e[0], e[0]); }
WHOLE(neg) { return binary(f, QN_OP_ARITH_SUBI, constant(f, 0, e[0]), e[0]); }
WHOLE(squared_difference) {
  qn_value *d = binary(f, QN_OP_ARITH_SUBI, e[0], e[1]);
  return binary(f, QN_OP_ARITH_MULI, d, d);
}
WHOLE(sign) {
  qn_value *y = binary(f, QN_OP_ARITH_MAXSI, e[0], constant(f, -1, e[0]));
  return binary(f, QN_OP_ARITH_MINSI, y, constant(f, 1, y));
}
WHOLE(abs) {
  qn_value *negative = whole_neg(f, e);
  return binary(f, QN_OP_ARITH_MAXSI, e[0], negative);
}

/* A divisor by which division cannot trap: 1 instead of 0 and -1. */
static qn_value *safe_divisor(qn_form *f, qn_value *b) {
  qn_value *is_zero = qn_build_cmpi(f->b, QN_CMP_EQ, b, constant(f, 0, b));
  qn_value *is_below = qn_build_cmpi(f->b, QN_CMP_EQ, b, constant(f, -1, b));
  qn_value *is_odd = binary(f, QN_OP_ARITH_ORI, is_zero, is_below);
  return qn_build_select(f->b, is_odd, constant(f, 1, b), b);
}

/* Quotient toward zero of 64-bit integers, which f64 cannot represent. It wraps, and division by 0
 * gives 0. */
static qn_value *wide_quotient(qn_form *f, qn_value *a, qn_value *b) {
  qn_value *zero = constant(f, 0, a), *is_zero = qn_build_cmpi(f->b, QN_CMP_EQ, b, zero);
  qn_value *is_below = qn_build_cmpi(f->b, QN_CMP_EQ, b, constant(f, -1, b));
  qn_value *q = binary(f, QN_OP_ARITH_DIVSI, a, safe_divisor(f, b));
  q = qn_build_select(f->b, is_below, binary(f, QN_OP_ARITH_SUBI, zero, a), q);
  return qn_build_select(f->b, is_zero, zero, q);
}

/* Quotients of 32-bit integers are correctly rounded from f64, cannot trap, and wrap. Division by 0
 * gives 0. */
static qn_value *quotient(qn_form *f, qn_op_kind rounding, qn_value *a, qn_value *b) {
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  qn_value *is_zero = qn_build_cmpi(f->b, QN_CMP_EQ, b, constant(f, 0, b));
  qn_value *divisor = qn_build_select(f->b, is_zero, constant(f, 1, b), b);
  qn_value *top = qn_build_unary(f->b, QN_OP_ARITH_SITOFP, a, f64);
  qn_value *bottom = qn_build_unary(f->b, QN_OP_ARITH_SITOFP, divisor, f64);
  qn_value *q = qn_build_unary(f->b, rounding, binary(f, QN_OP_ARITH_DIVF, top, bottom), f64);
  q = qn_build_unary(f->b, QN_OP_ARITH_FPTOSI, q, qn_type_i(f->cx, 64));
  q = qn_form_widened(f, q, false, a->type->integer.width);
  return qn_build_select(f->b, is_zero, constant(f, 0, a), q);
}
WHOLE(real_div) {
  bool is_wide = e[0]->type->integer.width > 32;
  return activated(f, is_wide ? wide_quotient(f, e[0], e[1])
                              : quotient(f, QN_OP_MATH_TRUNC, e[0], e[1]));
}
WHOLE(floor_div) { return quotient(f, QN_OP_MATH_FLOOR, e[0], e[1]); }
/* Remainder of 64-bit integers, which f64 cannot represent. A divisor of 0 gives the dividend; -1
 * does not trap. */
static qn_value *wide_floor_mod(qn_form *f, qn_value *a, qn_value *b) {
  qn_value *zero = constant(f, 0, a), *is_zero = qn_build_cmpi(f->b, QN_CMP_EQ, b, zero);
  qn_value *divisor = safe_divisor(f, b);
  qn_value *rest = binary(f, QN_OP_ARITH_REMSI, a, divisor);
  qn_value *there = qn_build_cmpi(f->b, QN_CMP_NE, rest, zero);
  qn_value *differ =
      qn_build_cmpi(f->b, QN_CMP_SLT, binary(f, QN_OP_ARITH_XORI, rest, divisor), zero);
  qn_value *moved = binary(f, QN_OP_ARITH_ADDI, rest, divisor);
  rest = qn_build_select(f->b, binary(f, QN_OP_ARITH_ANDI, there, differ), moved, rest);
  return qn_build_select(f->b, is_zero, a, rest);
}
WHOLE(floor_mod) {
  if (e[0]->type->integer.width > 32) return wide_floor_mod(f, e[0], e[1]);
  qn_value *q = quotient(f, QN_OP_MATH_FLOOR, e[0], e[1]);
  return binary(f, QN_OP_ARITH_SUBI, e[0], binary(f, QN_OP_ARITH_MULI, q, e[1]));
}

/* ---- bodies on stored values of any type ---- */

/* Whether the first operand is the one that is broadcast along the last dimension in which the
 * operands differ, or, if they do not differ, in which they have more than one element. */
static bool first_is_repeated(const qn_form *f) {
  const qn_type *a = f->op->operands[0].value->type, *b = f->op->operands[1].value->type;
  for (uint32_t i = 1; i <= a->shaped.rank || i <= b->shaped.rank; i++) {
    int64_t m = i <= a->shaped.rank ? a->shaped.dims[a->shaped.rank - i] : 1;
    int64_t n = i <= b->shaped.rank ? b->shaped.dims[b->shaped.rank - i] : 1;
    if (m != 1 || n != 1) return m == 1;
  }
  return false;
}

/* Minimum or maximum of floats: the second operand if one is NaN or both are equal, as runtimes and
 * the x86 instruction compute it. */
static qn_value *real_minmax(qn_form *f, qn_value *const *e, qn_cmpf predicate) {
  bool swapped = qn_form_profile(f)->repeated_second && first_is_repeated(f);
  qn_value *first = e[swapped ? 1 : 0], *second = e[swapped ? 0 : 1];
  return qn_build_select(f->b, qn_form_compare_reals(f, predicate, first, second), first, second);
}
REAL(maximum) { return real_minmax(f, e, QN_CMP_OGT); }
REAL(minimum) { return real_minmax(f, e, QN_CMP_OLT); }

static qn_value *greater_of(qn_form *f, qn_value *const *e) {
  if (qn_form_is_real(e[0])) return real_maximum(f, e);
  return binary(f, qn_form_is_unsigned(f, 0) ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI, e[0], e[1]);
}
static qn_value *smaller_of(qn_form *f, qn_value *const *e) {
  if (qn_form_is_real(e[0])) return real_minimum(f, e);
  return binary(f, qn_form_is_unsigned(f, 0) ? QN_OP_ARITH_MINUI : QN_OP_ARITH_MINSI, e[0], e[1]);
}

static qn_value *compare(qn_form *f, qn_value *const *e, qn_cmpf real, qn_cmpi is_signed,
                         qn_cmpi is_unsigned) {
  if (e[0]->type->kind == QN_TYPE_FLOAT) return qn_form_compare_reals(f, real, e[0], e[1]);
  return qn_build_cmpi(f->b, qn_form_is_unsigned(f, 0) ? is_unsigned : is_signed, e[0], e[1]);
}
#define COMPARISON(name, real, is_signed, is_unsigned)                                             \
  static qn_value *is_##name(qn_form *f, qn_value *const *e) {                                     \
    return compare(f, e, real, is_signed, is_unsigned);                                            \
  }
COMPARISON(equal, QN_CMP_OEQ, QN_CMP_EQ, QN_CMP_EQ)
COMPARISON(not_equal, QN_CMP_UNE, QN_CMP_NE, QN_CMP_NE)
COMPARISON(less, QN_CMP_OLT, QN_CMP_SLT, QN_CMP_ULT)
COMPARISON(less_equal, QN_CMP_OLE, QN_CMP_SLE, QN_CMP_ULE)
COMPARISON(greater, QN_CMP_OGT, QN_CMP_SGT, QN_CMP_UGT)
COMPARISON(greater_equal, QN_CMP_OGE, QN_CMP_SGE, QN_CMP_UGE)

WHOLE_BINARY(logical_and, QN_OP_ARITH_ANDI)
WHOLE_BINARY(logical_or, QN_OP_ARITH_ORI)
WHOLE_BINARY(logical_xor, QN_OP_ARITH_XORI)
WHOLE(logical_not) { return binary(f, QN_OP_ARITH_XORI, e[0], constant(f, 1, e[0])); }

static qn_value *choose(qn_form *f, qn_value *const *e) {
  return qn_build_select(f->b, e[0], e[1], e[2]);
}

/* ---- casts ---- */

/* Truncates toward zero, clamped to the type; NaN gives 0. In f64, which represents 32-bit bounds.
 */
static qn_value *real_to_whole(qn_form *f, qn_value *x, const qn_type *to, bool is_unsigned) {
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  uint32_t width = to->integer.width;
  double low = is_unsigned ? 0 : -(double)(UINT64_C(1) << (width - 1));
  double high = is_unsigned   ? (double)((UINT64_C(1) << width) - 1)
                : width == 64 ? 0x1p63 - 1024
                              : -low - 1;
  if (x->type != f64) x = qn_build_unary(f->b, QN_OP_ARITH_EXTF, x, f64);
  qn_value *is_number = qn_form_compare_reals(f, QN_CMP_OEQ, x, x);
  x = qn_build_select(f->b, is_number, x, qn_build_float(f->b, 0.0, f64));
  x = binary(f, QN_OP_ARITH_MAXIMUMF, x, qn_build_float(f->b, low, f64));
  x = binary(f, QN_OP_ARITH_MINIMUMF, x, qn_build_float(f->b, high, f64));
  return qn_build_unary(f->b, is_unsigned ? QN_OP_ARITH_FPTOUI : QN_OP_ARITH_FPTOSI, x, to);
}

static qn_value *convert(qn_form *f, qn_value *const *e) {
  qn_value *x = e[0];
  const qn_type *result = f->op->results[0].type, *to = qn_type_element(qn_form_stored_result(f));
  bool from_real = x->type->kind == QN_TYPE_FLOAT, to_real = to->kind == QN_TYPE_FLOAT;
  bool is_unsigned = qn_form_is_unsigned(f, 0) || qn_type_is_int(x->type, 1);
  if (x->type == to) return x;
  if (to->kind == QN_TYPE_INTEGER && to->integer.width == 1)
    return from_real ? qn_form_compare_reals(f, QN_CMP_UNE, x, qn_build_float(f->b, 0.0, x->type))
                     : qn_build_cmpi(f->b, QN_CMP_NE, x, constant(f, 0, x));
  if (from_real && to_real) {
    bool wider = qn_type_bytes(to) > qn_type_bytes(x->type);
    return qn_build_unary(f->b, wider ? QN_OP_ARITH_EXTF : QN_OP_ARITH_TRUNCF, x, to);
  }
  if (from_real) return real_to_whole(f, x, to, qn_type_is_unsigned(qn_type_element(result)));
  if (to_real)
    return qn_build_unary(f->b, is_unsigned ? QN_OP_ARITH_UITOFP : QN_OP_ARITH_SITOFP, x, to);
  return qn_form_widened(f, x, is_unsigned, to->integer.width);
}

static qn_value *same_bits(qn_form *f, qn_value *const *e) {
  const qn_type *to = qn_type_element(qn_form_stored_result(f));
  return e[0]->type == to ? e[0] : qn_build_unary(f->b, QN_OP_ARITH_BITCAST, e[0], to);
}

/* ---- table entries ---- */

#define BUILD_REAL(name)                                                                           \
  static qn_value *build_##name(qn_form *f) { return qn_form_elementwise_reals(f, real_##name); }
#define BUILD_STORED(name, body)                                                                   \
  static qn_value *stored_##name(qn_form *f) { return qn_form_elementwise(f, body); }
#define FORM_REAL(name)                                                                            \
  BUILD_REAL(name) const qn_float_form qn_float_form_ml_##name = {.build = build_##name};
#define FORM_NUMBER(name)                                                                          \
  BUILD_REAL(name)                                                                                 \
  BUILD_STORED(name, whole_##name)                                                                 \
  const qn_float_form qn_float_form_ml_##name = {.build = build_##name, .stored = stored_##name};
#define STORED(name, body)                                                                         \
  BUILD_STORED(name, body)                                                                         \
  const qn_float_form qn_float_form_ml_##name = {.none = "its form is on stored values",           \
                                                 .stored = stored_##name};
#define COMPARED(name)                                                                             \
  BUILD_STORED(name, is_##name)                                                                    \
  const qn_float_form qn_float_form_ml_##name = {.none = "its form is on stored values",           \
                                                 .stored = stored_##name,                          \
                                                 .fixed = qn_form_fixed_##name};
#define FORM_OWN(name)
#define UNARY(stem, kind, attributes, verify, plan, form, ...) FORM_##form(stem)
#define BINARY UNARY
#include "ir/ops/ml_elements.def"
#undef UNARY
#undef BINARY
COMPARED(equal)
COMPARED(not_equal)
COMPARED(less)
COMPARED(less_equal)
COMPARED(greater)
COMPARED(greater_equal)
STORED(logical_and, whole_logical_and)
STORED(logical_or, whole_logical_or)
STORED(logical_xor, whole_logical_xor)
STORED(logical_not, whole_logical_not)
STORED(cast, convert)
STORED(bitcast, same_bits)
STORED(select, choose)

BUILD_REAL(prelu)
const qn_float_form qn_float_form_ml_prelu = {.build = build_prelu, .fixed = qn_form_fixed_prelu};
BUILD_REAL(real_div)
BUILD_STORED(real_div, whole_real_div)
const qn_float_form qn_float_form_ml_real_div = {
    .build = build_real_div, .stored = stored_real_div, .fixed = qn_form_fixed_real_div};

/* floor_mod of f64 is rejected, because no wider type holds the quotient. */
static const char *floor_mod_problem(const qn_op *op) {
  const qn_type *element = qn_type_element(op->results[0].type);
  return qn_type_is_float(element, QN_F64) ? "rests of f64 are not defined" : NULL;
}
BUILD_REAL(floor_mod)
BUILD_STORED(floor_mod, whole_floor_mod)
const qn_float_form qn_float_form_ml_floor_mod = {
    .build = build_floor_mod, .stored = stored_floor_mod, .problem = floor_mod_problem};
BUILD_REAL(gelu)
const qn_float_form qn_float_form_ml_gelu = {.build = build_gelu};
BUILD_REAL(maximum)
BUILD_STORED(maximum, greater_of)
const qn_float_form qn_float_form_ml_maximum = {.build = build_maximum, .stored = stored_maximum};
BUILD_REAL(minimum)
BUILD_STORED(minimum, smaller_of)
const qn_float_form qn_float_form_ml_minimum = {.build = build_minimum, .stored = stored_minimum};

/* Ops whose decomposition on reals is in elementwise.c. */
qn_value *qn_form_stored_add(qn_form *f) { return qn_form_elementwise(f, whole_add); }
qn_value *qn_form_stored_sub(qn_form *f) { return qn_form_elementwise(f, whole_sub); }
qn_value *qn_form_stored_mul(qn_form *f) { return qn_form_elementwise(f, whole_mul); }
