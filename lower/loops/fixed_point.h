/* The roundings of runtime/fixed.h as vector ops, for multipliers that are compile-time constants,
 * and narrowing to bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FIXED_POINT_H
#define QN_LOWER_LOOPS_FIXED_POINT_H

#include "ir/builder.h"
#include "quant/multiplier.h"

/* qn_requant32(lane, mantissa, shift) of every i32 lane. The result is 0 if the shift is beyond 31
 * in either direction. */
qn_value *qn_fixed_requant32(qn_builder *b, qn_value *lanes, qn_multiplier multiplier);
/* qn_requant32_once of every i32 lane; -31 <= shift <= 30. */
qn_value *qn_fixed_requant32_once(qn_builder *b, qn_value *lanes, qn_multiplier multiplier);
/* The same with mantissas and right shifts 31 - shift >= 1 of each lane. All three have lanes
 * of i64. */
qn_value *qn_fixed_requant32_once_by(qn_builder *b, qn_value *lanes, qn_value *mantissas,
                                     qn_value *rights);
/* qn_fixed_requant32 or qn_fixed_requant32_once, by the rounding. */
static inline qn_value *qn_fixed_requant32_by(qn_builder *b, qn_value *lanes, qn_multiplier m,
                                              qn_requant_rounding rounding) {
  return rounding == QN_REQUANT_ONCE ? qn_fixed_requant32_once(b, lanes, m)
                                     : qn_fixed_requant32(b, lanes, m);
}
/* qn_requant_single of every i32 lane, computed on float lanes and clamped to [min, max]. The clamp
 * precedes the rounding, which is equal because min and max are integers, so that the conversion to
 * i32 cannot overflow. `offsets`: NULL means 0. */
qn_value *qn_fixed_requant_single(qn_builder *b, qn_value *lanes, qn_value *factors,
                                  qn_value *offsets, double min, double max);
/* qn_rdivp2 of every lane. */
qn_value *qn_fixed_rounding_shift(qn_builder *b, qn_value *lanes, int32_t n);
/* Whether qn_requant32 is defined for the shift. */
static inline bool qn_fixed_in_range(qn_multiplier m) { return m.shift >= -31 && m.shift <= 31; }

/* Clamps i32 lanes of any value to [min - zero_point, max - zero_point], then adds the zero point.
 * The addition cannot wrap. */
qn_value *qn_fixed_add_zero_point(qn_builder *b, qn_value *lanes, int32_t zero_point, int32_t min,
                                  int32_t max);
/* min(max(lanes, ~limit), limit), with one limit per lane. */
qn_value *qn_fixed_limit(qn_builder *b, qn_value *lanes, qn_value *limits);
/* min(max(lanes, lo), hi) of float lanes; lo for NaN lanes. */
qn_value *qn_fixed_clamp_float(qn_builder *b, qn_value *lanes, double lo, double hi);
/* Float lanes to i32: adds `half` with the sign of each lane, and truncates. With the largest
 * number of the type below 1/2 that rounds half away from zero, for f32 up to 2^22. */
qn_value *qn_fixed_round_away(qn_builder *b, qn_value *lanes, double half);
/* The same of lanes that are not below -0. */
qn_value *qn_fixed_round_positive(qn_builder *b, qn_value *lanes, double half);
#define QN_FIXED_HALF_F32 0x1.fffffep-2
#define QN_FIXED_HALF_F64 0x1.fffffffffffffp-2
/* min(max(lanes, lo), hi), signed. */
qn_value *qn_fixed_clamp(qn_builder *b, qn_value *lanes, int64_t lo, int64_t hi);
/* Clamps i32 lanes of any value to [min, max], which is within the range of i8 or ui8, and narrows
 * them to bytes in lane order. */
qn_value *qn_fixed_narrow(qn_builder *b, qn_value *lanes, int32_t min, int32_t max,
                          bool is_unsigned);
/* The same for four vectors: the lanes of 128 bits of each, one after the other, are 16 bytes. */
qn_value *qn_fixed_narrow_blocks(qn_builder *b, qn_value *const vectors[4], int32_t min,
                                 int32_t max, bool is_unsigned);

#endif
