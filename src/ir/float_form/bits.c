/* Decompositions of integer ops: bitwise ops, shifts, and powers, whose float decomposition is
 * separate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *constant(qn_form *f, int64_t value, const qn_value *like) {
  return qn_build_int(f->b, value, like->type);
}
static qn_value *clamped(qn_form *f, qn_value *x, int64_t low, int64_t high) {
  x = binary(f, QN_OP_ARITH_MAXSI, x, constant(f, low, x));
  return binary(f, QN_OP_ARITH_MINSI, x, constant(f, high, x));
}

static qn_value *both(qn_form *f, qn_value *const *e) {
  return binary(f, QN_OP_ARITH_ANDI, e[0], e[1]);
}
static qn_value *exclusive_or(qn_form *f, qn_value *const *e) {
  return binary(f, QN_OP_ARITH_XORI, e[0], e[1]);
}

/* Shifts right by e[1], clamped to 0 .. width - 1. As an ml.shift it would need two comparisons and
 * a negation, and ml.shift has no unsigned elements; therefore it is a separate op. */
static qn_value *shifted(qn_form *f, qn_value *const *e) {
  int64_t most = (int64_t)e[0]->type->integer.width - 1;
  if (qn_form_is_unsigned(f, 0)) {
    qn_value *by = binary(f, QN_OP_ARITH_MINUI, e[1], constant(f, most, e[1]));
    return binary(f, QN_OP_ARITH_SHRUI, e[0], by);
  }
  return binary(f, QN_OP_ARITH_SHRSI, e[0], clamped(f, e[1], 0, most));
}

/* Shifts left by n, or right by -n. Shifts by the width or more, which arith leaves undefined,
 * leave only the sign. */
static qn_value *moved(qn_form *f, qn_value *const *e) {
  int64_t most = (int64_t)e[0]->type->integer.width - 1;
  qn_value *zero = constant(f, 0, e[1]), *last = constant(f, most, e[1]);
  qn_value *is_right = qn_build_cmpi(f->b, QN_CMP_SLT, e[1], zero);
  qn_value *is_far = qn_build_cmpi(f->b, QN_CMP_SGT, e[1], last);
  qn_value *down = binary(f, QN_OP_ARITH_SUBI, zero, clamped(f, e[1], -most, 0));
  qn_value *right = binary(f, QN_OP_ARITH_SHRSI, e[0], down);
  qn_value *left = binary(f, QN_OP_ARITH_SHLI, e[0], clamped(f, e[1], 0, most));
  left = qn_build_select(f->b, is_far, constant(f, 0, left), left);
  return qn_build_select(f->b, is_right, right, left);
}

/* ---- powers ---- */

/* A magnitude that represents all values beyond 32 bits; its products with 32-bit values fit in 64
 * bits. */
static const int64_t BEYOND = (INT64_C(1) << 31) + 1;

static qn_value *product(qn_form *f, qn_value *a, qn_value *b) {
  return clamped(f, binary(f, QN_OP_ARITH_MULI, a, b), -BEYOND, BEYOND);
}

/* Computes powers from the low BITS bits of the exponent: with larger exponents, any base other
 * than -1, 0 and 1 exceeds every type. */
static qn_value *raised(qn_form *f, qn_value *base, qn_value *exponent) {
  enum { BITS = 6, ENOUGH = 32 };
  qn_value *odd = binary(f, QN_OP_ARITH_ANDI, exponent, constant(f, 1, exponent));
  qn_value *enough = binary(f, QN_OP_ARITH_ORI, odd, constant(f, ENOUGH, odd));
  exponent = binary(f, QN_OP_ARITH_MINSI, exponent, enough);
  qn_value *power = constant(f, 1, base), *zero = constant(f, 0, exponent);
  for (int bit = 0; bit < BITS; bit++) {
    qn_value *mask =
        binary(f, QN_OP_ARITH_ANDI, exponent, constant(f, INT64_C(1) << bit, exponent));
    qn_value *is_set = qn_build_cmpi(f->b, QN_CMP_NE, mask, zero);
    power = qn_build_select(f->b, is_set, product(f, power, base), power);
    base = product(f, base, base);
  }
  return power;
}

/* Integer power, converted as from a float. Results outside of the type, and 0 to a negative power,
 * give the type's minimum; other negative powers truncate toward zero. */
static qn_value *whole_power(qn_form *f, qn_value *const *e) {
  uint32_t width = e[0]->type->integer.width;
  int64_t low = -(INT64_C(1) << (width - 1));
  qn_value *base = qn_form_widened(f, e[0], false, 64), *by = qn_form_widened(f, e[1], false, 64);
  qn_value *zero = constant(f, 0, base);
  qn_value *size = binary(f, QN_OP_ARITH_MAXSI, by, binary(f, QN_OP_ARITH_SUBI, zero, by));
  qn_value *power = raised(f, base, size);
  /* 1 / power, which is 0 except for 1 and -1. */
  qn_value *square = binary(f, QN_OP_ARITH_MULI, power, power);
  qn_value *is_unit = qn_build_cmpi(f->b, QN_CMP_EQ, square, constant(f, 1, square));
  qn_value *is_zero = qn_build_cmpi(f->b, QN_CMP_EQ, power, zero);
  qn_value *inverse = qn_build_select(f->b, is_unit, power, zero);
  inverse = qn_build_select(f->b, is_zero, constant(f, low, power), inverse);
  qn_value *is_below = qn_build_cmpi(f->b, QN_CMP_SLT, by, zero);
  power = qn_build_select(f->b, is_below, inverse, power);
  qn_value *inside = clamped(f, power, low, -low - 1);
  qn_value *fits = qn_build_cmpi(f->b, QN_CMP_EQ, inside, power);
  power = qn_build_select(f->b, fits, power, constant(f, low, power));
  return qn_form_widened(f, power, false, width);
}

static qn_value *real_power(qn_form *f, qn_value *const *e) {
  return binary(f, QN_OP_MATH_POWF, e[0], e[1]);
}

/* ---- table entries ---- */

static qn_value *stored_bitwise_and(qn_form *f) { return qn_form_elementwise(f, both); }
static qn_value *stored_shift(qn_form *f) { return qn_form_elementwise(f, moved); }
static qn_value *stored_bitwise_xor(qn_form *f) { return qn_form_elementwise(f, exclusive_or); }
static qn_value *stored_right_shift(qn_form *f) { return qn_form_elementwise(f, shifted); }
static qn_value *stored_pow(qn_form *f) { return qn_form_elementwise(f, whole_power); }
static qn_value *build_pow(qn_form *f) { return qn_form_elementwise_reals(f, real_power); }

const qn_float_form qn_float_form_ml_bitwise_and = {.none = "its form is on stored values",
                                                    .stored = stored_bitwise_and};
const qn_float_form qn_float_form_ml_shift = {.none = "its form is on stored values",
                                              .stored = stored_shift};
const qn_float_form qn_float_form_ml_bitwise_xor = {.none = "its form is on stored values",
                                                    .stored = stored_bitwise_xor};
const qn_float_form qn_float_form_ml_right_shift = {.none = "its form is on stored values",
                                                    .stored = stored_right_shift};
const qn_float_form qn_float_form_ml_pow = {.build = build_pow, .stored = stored_pow};
