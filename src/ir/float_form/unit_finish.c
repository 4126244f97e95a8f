/* Results of exact units in bodies: f64 or f32 rounded to the nearest integer, integer division,
 * and exact sums rounded once to f32.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/unit.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *add(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_ADDF, a, b);
}
static qn_value *sub(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_SUBF, a, b);
}
static qn_value *mul(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_MULF, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}
static qn_value *whole(qn_form *f, int64_t value, const qn_value *like) {
  return qn_build_int(f->b, value, like->type);
}
static const qn_type *f64_of(const qn_form *f) { return qn_type_float(f->cx, QN_F64); }
static const qn_type *f32_of(const qn_form *f) { return qn_type_float(f->cx, QN_F32); }

static qn_value *as_double(qn_form *f, qn_value *n) {
  bool is_whole = n->type->kind == QN_TYPE_INTEGER;
  return is_whole ? qn_build_unary(f->b, QN_OP_ARITH_SITOFP, n, f64_of(f)) : n;
}

/* ---- to integers ---- */

static uint32_t result_width(unit *u) {
  return qn_type_element(qn_form_stored_result(u->f))->integer.width;
}

/* Clamps y to integers first, so that rounding and the following addition cannot leave the type;
 * then rounds: the sum of a small number and 1.5 * 2^52 is an integer. */
static qn_value *nearest_between(unit *u, qn_value *y, int64_t min, int64_t max, int64_t more) {
  qn_form *f = u->f;
  if (y->type == f32_of(f)) y = qn_build_unary(f->b, QN_OP_ARITH_EXTF, y, f64_of(f));
  y = binary(f, QN_OP_ARITH_MAXNUMF, y, real(f, (double)min, y));
  y = binary(f, QN_OP_ARITH_MINNUMF, y, real(f, (double)max, y));
  y = add(f, y, real(f, 0x1.8p52, y));
  y = sub(f, y, real(f, 0x1.8p52, y));
  y = qn_build_unary(f->b, QN_OP_ARITH_FPTOSI, y, qn_type_i(f->cx, 64));
  if (more) y = binary(f, QN_OP_ARITH_ADDI, y, whole(f, more, y));
  return qn_form_widened(f, y, false, result_width(u));
}

qn_value *qn_unit_nearest(unit *u, qn_value *y) {
  const qn_unit_numbers *n = u->numbers;
  return nearest_between(u, y, n->min - n->zero_point, n->max - n->zero_point, n->zero_point);
}

/* q = floor(n / divisor), plus one if the remainder is more than half the divisor, or half and q is
 * odd. */
qn_value *qn_unit_quotient(unit *u, qn_value *n) {
  qn_form *f = u->f;
  const qn_unit_numbers *numbers = u->numbers;
  qn_value *divisor = whole(f, numbers->divisor, n), *zero = whole(f, 0, n), *one = whole(f, 1, n);
  qn_value *q = binary(f, QN_OP_ARITH_DIVSI, n, divisor);
  qn_value *rest = binary(f, QN_OP_ARITH_SUBI, n, binary(f, QN_OP_ARITH_MULI, q, divisor));
  qn_value *below = qn_build_cmpi(f->b, QN_CMP_SLT, rest, zero);
  q = qn_build_select(f->b, below, binary(f, QN_OP_ARITH_SUBI, q, one), q);
  rest = qn_build_select(f->b, below, binary(f, QN_OP_ARITH_ADDI, rest, divisor), rest);
  qn_value *twice = binary(f, QN_OP_ARITH_ADDI, rest, rest);
  qn_value *odd = binary(f, QN_OP_ARITH_ANDI, q, one);
  twice =
      binary(f, QN_OP_ARITH_ADDI, twice, odd); /* divisors are even, so that this decides ties */
  qn_value *up = qn_build_cmpi(f->b, QN_CMP_SGT, twice, divisor);
  q = binary(f, QN_OP_ARITH_ADDI, q, qn_form_widened(f, up, true, 64));
  q = binary(f, QN_OP_ARITH_ADDI, q, whole(f, numbers->zero_point, q));
  q = binary(f, QN_OP_ARITH_MAXSI, q, whole(f, numbers->min, q));
  q = binary(f, QN_OP_ARITH_MINSI, q, whole(f, numbers->max, q));
  return qn_form_widened(f, q, false, result_width(u));
}

/* ---- to f32, rounded once ---- */

/* A real as the sum of two f64; the second is at most half an ulp of the first. */
typedef struct pair {
  qn_value *high, *low;
} pair;

static pair exact_sum(qn_form *f, qn_value *a, qn_value *b) {
  qn_value *sum = add(f, a, b), *of_b = sub(f, sum, a), *of_a = sub(f, sum, of_b);
  qn_value *lost_of_a = sub(f, a, of_a), *lost_of_b = sub(f, b, of_b); /* in this order */
  return (pair){sum, add(f, lost_of_a, lost_of_b)};
}

/* Splits x into its upper 26 bits and the remainder. */
static pair halves(qn_form *f, qn_value *x) {
  qn_value *scaled = mul(f, x, real(f, 0x1p27 + 1, x));
  qn_value *high = sub(f, scaled, sub(f, scaled, x));
  return (pair){high, sub(f, x, high)};
}

static pair exact_product(qn_form *f, qn_value *a, qn_value *b) {
  pair x = halves(f, a), y = halves(f, b);
  qn_value *product = mul(f, a, b);
  qn_value *rest = sub(f, mul(f, x.high, y.high), product);
  rest = add(f, rest, mul(f, x.high, y.low));
  rest = add(f, rest, mul(f, x.low, y.high));
  return (pair){product, add(f, rest, mul(f, x.low, y.low))};
}

/* Rounds to f32 once: the last bit of the f64 is set if bits are lost (rounding to odd), so it is
 * on the correct side of every tie between two f32. */
static qn_value *rounded_once(qn_form *f, pair x) {
  const qn_type *i64 = qn_type_i(f->cx, 64);
  qn_value *zero = real(f, 0, x.high);
  qn_value *bits = qn_build_unary(f->b, QN_OP_ARITH_BITCAST, x.high, i64);
  qn_value *is_inexact = qn_form_compare_reals(f, QN_CMP_UNE, x.low, zero);
  qn_value *odd = binary(f, QN_OP_ARITH_ANDI, bits, whole(f, 1, bits));
  qn_value *is_even = qn_build_cmpi(f->b, QN_CMP_EQ, odd, whole(f, 0, bits));
  qn_value *high_below = qn_form_compare_reals(f, QN_CMP_OLT, x.high, zero);
  qn_value *low_below = qn_form_compare_reals(f, QN_CMP_OLT, x.low, zero);
  qn_value *differ = qn_build_cmpi(f->b, QN_CMP_NE, high_below, low_below);
  qn_value *down = whole(f, -1, bits), *up = whole(f, 1, bits);
  qn_value *step = qn_build_select(f->b, differ, down, up);
  qn_value *moved = binary(f, QN_OP_ARITH_ADDI, bits, step);
  bits = qn_build_select(f->b, is_even, moved, bits);
  qn_value *y = qn_build_unary(f->b, QN_OP_ARITH_BITCAST, bits, f64_of(f));
  y = qn_build_select(f->b, is_inexact, y, x.high);
  qn_value *is_zero = qn_form_compare_reals(f, QN_CMP_OEQ, x.high, zero);
  y = qn_build_select(f->b, is_zero, x.low, y);
  return qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, y, f32_of(f));
}

/* The quotient's error is less than its last bit; the remainder gives its direction. */
static qn_value *exact_quotient(unit *u, qn_value *n, const unit_place *at) {
  qn_form *f = u->f;
  pair product = exact_product(f, n, at->factor);
  qn_value *q = binary(f, QN_OP_ARITH_DIVF, product.high, at->offset);
  pair back = exact_product(f, q, at->offset);
  qn_value *rest = sub(f, sub(f, product.high, back.high), back.low);
  return rounded_once(f, (pair){q, add(f, rest, product.low)});
}

/* Bits beyond two f64 matter only if the second one is 0. */
static qn_value *exact_real(unit *u, qn_value *n, const unit_place *at) {
  qn_form *f = u->f;
  pair product = exact_product(f, n, at->factor);
  pair sum = exact_sum(f, product.high, at->offset);
  pair rest = exact_sum(f, sum.low, product.low);
  pair y = exact_sum(f, sum.high, rest.high);
  qn_value *nothing = qn_form_compare_reals(f, QN_CMP_OEQ, y.low, real(f, 0, y.low));
  y.low = qn_build_select(f->b, nothing, rest.low, y.low);
  return rounded_once(f, y);
}

/* Products of 16 and of 24 bits are exact. */
qn_value *qn_unit_real_sum(unit *u, qn_value *a, qn_value *b) {
  qn_form *f = u->f;
  const qn_unit_numbers *n = u->numbers;
  a = as_double(f, a), b = as_double(f, b);
  a = mul(f, a, real(f, n->factors[0], a));
  b = mul(f, b, real(f, n->offsets[0], b));
  qn_value *y = rounded_once(f, exact_sum(f, a, b));
  return qn_form_activate(f, y);
}

static qn_value *single_product(qn_form *f, qn_value *n, const unit_place *at) {
  qn_value *x = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, n, f32_of(f));
  return mul(f, x, qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, at->factor, f32_of(f)));
}

/* The average in steps of the result, plus the zero point, then rounded (docs/arithmetic.md 20.4).
 */
static qn_value *float_average(unit *u, qn_value *sum, const unit_place *at) {
  qn_form *f = u->f;
  const qn_unit_numbers *n = u->numbers;
  qn_value *count = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, at->offset, f32_of(f));
  qn_value *y = binary(f, QN_OP_ARITH_DIVF, sum, count);
  y = binary(f, QN_OP_ARITH_DIVF, y, real(f, n->step, y));
  y = add(f, y, real(f, (double)(n->zero_point + n->shift), y));
  return nearest_between(u, y, n->min + n->shift, n->max + n->shift, -n->shift);
}

qn_value *qn_unit_finished(unit *u, qn_value *n, const unit_place *at) {
  qn_form *f = u->f;
  qn_value *y;
  if (u->numbers->core == QN_UNIT_FLOAT_WINDOW) return float_average(u, n, at);
  n = as_double(f, n);
  switch (u->numbers->finish) {
  case QN_UNIT_EVEN:
    y = add(f, mul(f, n, at->factor), at->offset);
    if (at->divisor) y = binary(f, QN_OP_ARITH_DIVF, y, at->divisor);
    return qn_unit_nearest(u, y);
  case QN_UNIT_SINGLE:
    return qn_unit_nearest(u, single_product(f, n, at));
  case QN_UNIT_REAL:
    y = u->numbers->divides ? exact_quotient(u, n, at) : exact_real(u, n, at);
    return qn_form_activate(f, y);
  default:
    y = single_product(f, n, at);
    if (at->bias) y = add(f, y, at->bias);
    return qn_form_activate(f, y);
  }
}
