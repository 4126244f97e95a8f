/* Multiplications are done in 64 bits: correct on every target, and exact where no float form has
 * been proved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"

#include "lower/loops/vec.h"

static qn_value *with(qn_builder *b, qn_op_kind kind, qn_value *lanes, int64_t constant) {
  return qn_build_binary(b, kind, lanes, qn_build_int(b, constant, lanes->type));
}

/* H: high half of the doubled product, ties toward plus infinity. The mantissa is not negative, so
 * the one saturating pair can't occur. */
static qn_value *rounding_high(qn_builder *b, qn_value *lanes, int32_t mantissa) {
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, lanes, qn_type_i(b->cx, 64));
  wide = with(b, QN_OP_ARITH_MULI, wide, mantissa);
  wide = with(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << 30);
  wide = with(b, QN_OP_ARITH_SHRSI, wide, 31);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, qn_type_i(b->cx, 32));
}

/* D: division by 2^n, ties away from zero. */
static qn_value *rounding_shift(qn_builder *b, qn_value *lanes, int32_t n) {
  if (n == 0) return lanes;
  int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
  qn_value *remainder = with(b, QN_OP_ARITH_ANDI, lanes, mask);
  qn_value *threshold = with(b, QN_OP_ARITH_ADDI, with(b, QN_OP_ARITH_SHRUI, lanes, 31), mask >> 1);
  qn_value *up = qn_vec_cast(b, QN_OP_ARITH_EXTUI, qn_build_cmpi(b, QN_CMP_SGT, remainder, threshold),
                             qn_type_i(b->cx, 32));
  return qn_build_binary(b, QN_OP_ARITH_ADDI, with(b, QN_OP_ARITH_SHRSI, lanes, n), up);
}

qn_value *qn_fixed_requant32(qn_builder *b, qn_value *lanes, qn_multiplier m) {
  if (m.mantissa == 0 || !qn_fixed_in_range(m)) return qn_build_int(b, 0, lanes->type);
  if (m.shift > 0) lanes = with(b, QN_OP_ARITH_SHLI, lanes, m.shift);
  lanes = rounding_high(b, lanes, m.mantissa);
  return m.shift < 0 ? rounding_shift(b, lanes, -m.shift) : lanes;
}

qn_value *qn_fixed_clamp(qn_builder *b, qn_value *lanes, int64_t lo, int64_t hi) {
  return with(b, QN_OP_ARITH_MINSI, with(b, QN_OP_ARITH_MAXSI, lanes, lo), hi);
}

qn_value *qn_fixed_add_zero_point(qn_builder *b, qn_value *lanes, int32_t zero_point, int32_t min,
                                  int32_t max) {
  lanes = qn_fixed_clamp(b, lanes, (int64_t)min - zero_point, (int64_t)max - zero_point);
  return zero_point == 0 ? lanes : with(b, QN_OP_ARITH_ADDI, lanes, zero_point);
}
