/* Operations wrap, as those of runtime/fixed.h do, so results are equal for all parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/fixed_scalars.h"

#include "lower/loops/vec.h"
#include "runtime/fixed.h"

qn_value *qn_scalar_i32(qn_builder *b, int64_t value) {
  return qn_build_int(b, value, qn_type_i(b->cx, 32));
}

/* Casts a scalar, or all lanes of a vector. */
static qn_value *cast(qn_builder *b, qn_op_kind kind, qn_value *x, uint32_t bits) {
  const qn_type *element = qn_type_i(b->cx, bits);
  if (x->type->kind == QN_TYPE_VECTOR) return qn_vec_cast(b, kind, x, element);
  return qn_build_unary(b, kind, x, element);
}
static qn_value *widen(qn_builder *b, qn_value *x) { return cast(b, QN_OP_ARITH_EXTSI, x, 64); }
static qn_value *narrow(qn_builder *b, qn_value *x) { return cast(b, QN_OP_ARITH_TRUNCI, x, 32); }

static qn_value *sum(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_build_binary(b, QN_OP_ARITH_ADDI, x, y);
}

/* (x + bias) >> shift on i64. */
static qn_value *shift_down(qn_builder *b, qn_value *x, int64_t bias, int64_t shift) {
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI,
                             qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, bias), shift);
}

qn_value *qn_scalar_high_product(qn_builder *b, qn_value *x, qn_value *y) {
  x = widen(b, x), y = widen(b, y);
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, x, y);
  return narrow(b, shift_down(b, product, INT64_C(1) << 30, 31));
}
static qn_value *high_constant(qn_builder *b, qn_value *x, int32_t factor) {
  return qn_scalar_high_product(b, x, qn_scalar_i32(b, factor));
}

/* qn_rdivp2 */
static qn_value *rounding_shift(qn_builder *b, qn_value *x, int32_t n) {
  int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
  qn_value *threshold = qn_build_binary_int(
      b, QN_OP_ARITH_ADDI, qn_build_binary_int(b, QN_OP_ARITH_SHRUI, x, 31), mask >> 1);
  qn_value *up =
      qn_build_cmpi(b, QN_CMP_SGT, qn_build_binary_int(b, QN_OP_ARITH_ANDI, x, mask), threshold);
  qn_value *down = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, x, n);
  return sum(b, down, cast(b, QN_OP_ARITH_EXTUI, up, 32));
}

/* qn_sat_shl32 */
static qn_value *saturating_shift(qn_builder *b, qn_value *x, int64_t shift) {
  x = qn_build_binary_int(b, QN_OP_ARITH_SHLI, widen(b, x), shift);
  x = qn_build_binary_int(b, QN_OP_ARITH_MAXSI, x, INT32_MIN);
  return narrow(b, qn_build_binary_int(b, QN_OP_ARITH_MINSI, x, INT32_MAX));
}

qn_value *qn_scalar_recip_1p(qn_builder *b, qn_value *a) {
  /* (a + INT32_MAX) / 2, rounded; not negative, so ties away from zero are ties up. */
  qn_value *h = narrow(b, shift_down(b, widen(b, a), (int64_t)INT32_MAX + 1, 1));
  qn_value *y = high_constant(b, h, QN_FIXED_RECIP_SLOPE);
  y = qn_build_binary_int(b, QN_OP_ARITH_ADDI, y, QN_FIXED_RECIP_START);
  for (int i = 0; i < 3; i++) {
    qn_value *product = qn_scalar_high_product(b, h, y);
    qn_value *rest = qn_build_binary(b, QN_OP_ARITH_SUBI, qn_scalar_i32(b, 1 << 29), product);
    qn_value *correction = qn_scalar_high_product(b, y, rest);
    y = sum(b, y, saturating_shift(b, correction, 2));
  }
  return saturating_shift(b, y, 1);
}

/* qn_fixed_exp of a value with INTEGER_BITS integer bits. */
static qn_value *exponential(qn_builder *b, qn_value *a) {
  enum { INTEGER_BITS = 5, FRACTION = 31 - INTEGER_BITS, QUARTER = 1 << (FRACTION - 2) };
  qn_value *r = qn_build_binary_int(b, QN_OP_ARITH_ANDI, a, QUARTER - 1);
  r = qn_build_binary_int(b, QN_OP_ARITH_SUBI, r, QUARTER);
  qn_value *x = qn_build_binary_int(b, QN_OP_ARITH_SHLI, r, INTEGER_BITS); /* in [-1/4, 0) */
  x = qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, QN_FIXED_EIGHTH);
  qn_value *x2 = qn_scalar_high_product(b, x, x), *x3 = qn_scalar_high_product(b, x2, x);
  qn_value *u = sum(b, rounding_shift(b, qn_scalar_high_product(b, x2, x2), 2), x3);
  u = sum(b, high_constant(b, u, QN_FIXED_THIRD), x2);
  u = sum(b, x, rounding_shift(b, u, 1));
  qn_value *result = high_constant(b, u, QN_FIXED_EXP_CENTRE);
  result = qn_build_binary_int(b, QN_OP_ARITH_ADDI, result, QN_FIXED_EXP_CENTRE);
  qn_value *rest = qn_build_binary(b, QN_OP_ARITH_SUBI, r, a), *zero = qn_scalar_i32(b, 0);
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH && p < INTEGER_BITS; p++) {
    qn_value *bit = qn_build_binary_int(b, QN_OP_ARITH_ANDI, rest, INT64_C(1) << (FRACTION + p));
    qn_value *smaller = high_constant(b, result, qn_fixed_exp_factor(p));
    qn_value *counts = qn_build_cmpi(b, QN_CMP_NE, bit, zero);
    result = qn_build_select(b, counts, smaller, result);
  }
  qn_value *is_one = qn_build_cmpi(b, QN_CMP_EQ, a, zero);
  return qn_build_select(b, is_one, qn_scalar_i32(b, INT32_MAX), result);
}

qn_value *qn_scalar_softmax_exp(qn_builder *b, qn_value *difference,
                                const qn_softmax_params *params) {
  qn_value *zero = qn_scalar_i32(b, 0);
  qn_value *negative = qn_build_binary(b, QN_OP_ARITH_SUBI, zero, difference);
  qn_value *a = qn_build_binary_int(b, QN_OP_ARITH_SHLI, negative, params->input.shift);
  qn_value *e = exponential(b, high_constant(b, a, params->input.mantissa));
  qn_value *least = qn_scalar_i32(b, params->diff_min);
  return qn_build_select(b, qn_build_cmpi(b, QN_CMP_SLT, negative, least), zero, e);
}
