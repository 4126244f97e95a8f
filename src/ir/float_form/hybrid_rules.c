/* Quantization rules of rows of floats, as expressions of scalars or vectors, with which kernels of
 * ml.quantize_rows are built (lower/loops/narrow). Everything is f32, in which stored values are
 * exact, except the zero points of two profiles, which are computed in f64.
 *
 * Whole blocks of 8 elements and the remaining elements are rounded and converted differently.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "ir/float_form/fixed.h"
#include "ir/float_form/hybrid.h"

static const double INT_END = 2147483648.0; /* beyond int32 */

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}
static qn_value *magnitude(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_ABSF, x, x->type);
}
/* `yes` if a compares with the number as `predicate`, else `no`. */
static qn_value *where(qn_form *f, int64_t predicate, qn_value *a, double number, qn_value *yes,
                       qn_value *no) {
  qn_value *is = qn_form_compare_reals(f, predicate, a, real(f, number, a));
  return qn_build_select(f->b, is, yes, no);
}
/* max(x, least), `least` for NaN; and min(x, most). */
static qn_value *at_least(qn_form *f, qn_value *x, double least) {
  return where(f, QN_CMP_OGT, x, least, x, real(f, least, x));
}
static qn_value *at_most(qn_form *f, qn_value *x, double most) {
  return where(f, QN_CMP_OLT, x, most, x, real(f, most, x));
}

qn_value *qn_form_flushed(qn_form *f, qn_value *x) {
  qn_value *zero = binary(f, QN_OP_ARITH_MULF, x, real(f, 0, x));
  return where(f, QN_CMP_OLT, magnitude(f, x), FLT_MIN, zero, x);
}

/* ---- rows ---- */

/* For an empty range all stored values are 0, with scale 1. */
static qn_value *symmetric_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, low, real(f, INT8_MAX, high));
  return where(f, QN_CMP_OEQ, high, 0, real(f, 1, high), scale);
}
static qn_value *symmetric_inverse(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, INT8_MAX, high), low);
  return where(f, QN_CMP_OEQ, high, 0, real(f, 0, high), inverse);
}

static qn_value *width(qn_form *f, qn_value *low, qn_value *high) {
  return binary(f, QN_OP_ARITH_SUBF, high, low);
}
static qn_value *asymmetric_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *range = width(f, low, high);
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, range, real(f, UINT8_MAX, range));
  return where(f, QN_CMP_OEQ, range, 0, real(f, 1, range), scale);
}
static qn_value *asymmetric_inverse(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *range = width(f, low, high), *scale = asymmetric_scale(f, low, high);
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, 1, scale), scale);
  inverse = where(f, QN_CMP_OEQ, scale, 0, real(f, 0, scale), inverse);
  return where(f, QN_CMP_OEQ, range, 0, real(f, 0, range), inverse);
}

/* The zero point derived from the end of the range with the smaller rounding error. */
static qn_value *nearer_end(qn_form *f, qn_value *lows, qn_value *highs) {
  qn_value *least = real(f, INT8_MIN, lows), *most = real(f, INT8_MAX, lows);
  qn_value *from_low = binary(f, QN_OP_ARITH_SUBF, least, lows);
  qn_value *from_high = binary(f, QN_OP_ARITH_SUBF, most, highs);
  qn_value *low_error = magnitude(f, lows), *high_error = magnitude(f, highs);
  low_error = binary(f, QN_OP_ARITH_ADDF, real(f, -INT8_MIN, lows), low_error);
  high_error = binary(f, QN_OP_ARITH_ADDF, most, high_error);
  qn_value *is_less = qn_form_compare_reals(f, QN_CMP_OLT, low_error, high_error);
  return qn_build_select(f->b, is_less, from_low, from_high);
}
/* Computed in f64, except the difference of minimum and maximum. */
static qn_value *asymmetric_zero(qn_form *f, qn_value *low, qn_value *high) {
  const qn_type *f64 = qn_type_with_element(f->cx, low->type, qn_type_float(f->cx, QN_F64));
  qn_value *range = width(f, low, high);
  qn_value *scale = qn_build_unary(f->b, QN_OP_ARITH_EXTF, range, f64);
  scale = binary(f, QN_OP_ARITH_DIVF, scale, real(f, UINT8_MAX, scale));
  qn_value *lows = qn_build_unary(f->b, QN_OP_ARITH_EXTF, low, f64);
  qn_value *highs = qn_build_unary(f->b, QN_OP_ARITH_EXTF, high, f64);
  lows = binary(f, QN_OP_ARITH_DIVF, lows, scale);
  highs = binary(f, QN_OP_ARITH_DIVF, highs, scale);
  qn_value *zero = nearer_end(f, lows, highs);
  qn_value *is_nan = qn_form_compare_reals(f, QN_CMP_UNO, zero, zero);
  zero = qn_build_select(f->b, is_nan, real(f, 0, zero), zero);
  zero = at_most(f, at_least(f, zero, INT8_MIN), INT8_MAX);
  zero = qn_build_unary(f->b, QN_OP_MATH_ROUND, zero, f64);
  zero = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, zero, range->type);
  return where(f, QN_CMP_OEQ, range, 0, real(f, 0, range), zero);
}

/* Computed in f32, with denormals as 0. */
static qn_value *dynamic_inverse(qn_form *f, qn_value *low, qn_value *high) {
  low = qn_form_flushed(f, low), high = qn_form_flushed(f, high);
  qn_value *range = qn_form_flushed(f, width(f, low, high));
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, UINT8_MAX, range), range);
  qn_value *is_empty = qn_form_compare_reals(f, QN_CMP_OEQ, low, high);
  return qn_form_flushed(f, qn_build_select(f->b, is_empty, real(f, 1, range), inverse));
}
static qn_value *dynamic_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = dynamic_inverse(f, low, high);
  return qn_form_flushed(f, binary(f, QN_OP_ARITH_DIVF, real(f, 1, inverse), inverse));
}
static qn_value *dynamic_zero(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = dynamic_inverse(f, low, high);
  qn_value *least = real(f, INT8_MIN, low), *most = real(f, INT8_MAX, low);
  qn_value *lows = binary(f, QN_OP_ARITH_MULF, qn_form_flushed(f, low), inverse);
  qn_value *highs = binary(f, QN_OP_ARITH_MULF, qn_form_flushed(f, high), inverse);
  lows = qn_form_flushed(f, lows), highs = qn_form_flushed(f, highs);
  qn_value *low_error = binary(f, QN_OP_ARITH_ADDF, least, lows);
  qn_value *high_error = binary(f, QN_OP_ARITH_ADDF, most, highs);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, low_error, high_error);
  qn_value *from_low = binary(f, QN_OP_ARITH_SUBF, least, lows);
  qn_value *from_high = binary(f, QN_OP_ARITH_SUBF, most, highs);
  qn_value *zero = where(f, QN_CMP_OGT, sum, 0, from_low, from_high);
  zero = at_most(f, at_least(f, zero, INT8_MIN), INT8_MAX);
  return qn_build_unary(f->b, QN_OP_MATH_ROUNDEVEN, zero, zero->type);
}

/* Rows by row8: below the bound the factor would overflow. A row with an element that is not finite
 * has the scale NaN and the factor 0. */
static qn_value *row8_most(qn_form *f, qn_value *high) { return at_least(f, high, 0x1p-119); }
static qn_value *row8_if_finite(qn_form *f, qn_value *high, qn_value *yes, double no) {
  return where(f, QN_CMP_OLT, high, INFINITY, yes, real(f, no, high));
}
static qn_value *row8_scale(qn_form *f, qn_value *low, qn_value *high) {
  (void)low;
  qn_value *most = row8_most(f, high), *none = real(f, 0, high);
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, most, real(f, INT8_MAX, high));
  scale = where(f, QN_CMP_OEQ, high, 0, none, scale);
  return row8_if_finite(f, high, scale, NAN);
}
static qn_value *row8_inverse(qn_form *f, qn_value *low, qn_value *high) {
  (void)low;
  qn_value *most = row8_most(f, high);
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, INT8_MAX, high), most);
  return row8_if_finite(f, high, inverse, 0);
}

typedef qn_value *row_fn(qn_form *f, qn_value *low, qn_value *high);
static row_fn *const row_fns[][3] = {
    [QN_ROWS_SYMMETRIC] = {symmetric_scale, symmetric_inverse, NULL},
    [QN_ROWS_ASYMMETRIC] = {asymmetric_scale, asymmetric_inverse, asymmetric_zero},
    [QN_ROWS_DYNAMIC] = {dynamic_scale, dynamic_inverse, dynamic_zero},
    [QN_ROWS_ROW8] = {row8_scale, row8_inverse, NULL},
};
static qn_value *number(qn_form *f, row_fn *fn, qn_value *low, qn_value *high) {
  return fn ? fn(f, low, high) : NULL;
}
qn_value *qn_form_row_scale(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high) {
  return number(f, row_fns[scheme][0], low, high);
}
qn_value *qn_form_row_inverse(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high) {
  return number(f, row_fns[scheme][1], low, high);
}
qn_value *qn_form_row_zero(qn_form *f, qn_row_scheme scheme, qn_value *low, qn_value *high) {
  return number(f, row_fns[scheme][2], low, high);
}

/* ---- elements ---- */

/* Rounds v to the nearest integer, half away from zero. */
static qn_value *rounded(qn_form *f, qn_value *v, qn_value *half) {
  qn_value *negative = qn_build_unary(f->b, QN_OP_ARITH_NEGF, half, half->type);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, v, where(f, QN_CMP_OLT, v, 0, negative, half));
  return qn_build_unary(f->b, QN_OP_MATH_TRUNC, sum, sum->type);
}

/* In the remaining elements, conversions to int32 give INT_MIN for any value out of range. */
static qn_value *symmetric_element(qn_form *f, qn_value *v, const qn_row_element *e) {
  qn_value *half = e->half, *t = rounded(f, v, half), *low = real(f, -INT8_MAX, t), *rest = t;
  if (e->has_rest && !e->is_moderate)
    rest = where(f, QN_CMP_OLT, t, INT_END, t, low), t = where(f, QN_CMP_OLT, half, 0.5, rest, t);
  return at_most(f, at_least(f, t, -INT8_MAX), INT8_MAX);
}

/* In blocks, the zero point is added to an int32, which wraps. */
static qn_value *asymmetric_element(qn_form *f, qn_value *v, const qn_row_element *e) {
  qn_value *half = e->half, *zero = e->zero;
  qn_value *t = rounded(f, v, half), *least = real(f, INT8_MIN, t), *most = real(f, INT8_MAX, t);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, t, zero);
  qn_value *q = at_most(f, at_least(f, sum, INT8_MIN), INT8_MAX);
  if (e->is_moderate) return binary(f, QN_OP_ARITH_SUBF, q, zero);
  qn_value *below = where(f, QN_CMP_OLT, zero, 0, most, least);
  qn_value *above = where(f, QN_CMP_OGT, zero, 0, least, most);
  qn_value *block = where(f, QN_CMP_OGT, t, -INT_END, q, below);
  block = where(f, QN_CMP_OGE, t, INT_END, above, block);
  if (e->has_rest) {
    qn_value *is_nan = qn_form_compare_reals(f, QN_CMP_UNO, t, t);
    qn_value *rest = qn_build_select(f->b, is_nan, real(f, 0, t), q);
    block = where(f, QN_CMP_OLT, half, 0.5, rest, block);
  }
  return binary(f, QN_OP_ARITH_SUBF, block, zero);
}

static qn_value *dynamic_element(qn_form *f, qn_value *v, qn_value *zero) {
  qn_value *most = binary(f, QN_OP_ARITH_SUBF, real(f, INT8_MAX, zero), zero);
  v = qn_build_select(f->b, qn_form_compare_reals(f, QN_CMP_OLT, v, most), v, most);
  v = qn_build_unary(f->b, QN_OP_MATH_ROUNDEVEN, v, v->type);
  qn_value *q = at_least(f, binary(f, QN_OP_ARITH_ADDF, v, zero), INT8_MIN);
  return binary(f, QN_OP_ARITH_SUBF, q, zero);
}

qn_value *qn_form_row_step(qn_form *f, qn_row_scheme scheme, const qn_row_element *e) {
  bool flushes = scheme == QN_ROWS_DYNAMIC && !e->is_moderate;
  qn_value *x = flushes ? qn_form_flushed(f, e->x) : e->x;
  qn_value *v = binary(f, QN_OP_ARITH_MULF, x, e->inverse);
  if (scheme == QN_ROWS_DYNAMIC) return dynamic_element(f, v, e->zero);
  if (scheme == QN_ROWS_ASYMMETRIC) return asymmetric_element(f, v, e);
  return symmetric_element(f, v, e);
}
