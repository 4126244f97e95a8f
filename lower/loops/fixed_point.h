/* The roundings of runtime/fixed.h as vector ops, for multipliers known when the kernel is built,
 * and narrowing to bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FIXED_POINT_H
#define QN_LOWER_LOOPS_FIXED_POINT_H

#include "ir/builder.h"
#include "quant/multiplier.h"

/* M32 of every lane (i32): qn_requant32(x, mantissa, shift). A shift beyond 31 either way gives 0.
 */
qn_value *qn_fixed_requant32(qn_builder *b, qn_value *lanes, qn_multiplier multiplier);
/* qn_requant_single of every lane (i32) by lanes of floats, clamped to [min, max]; these are
 * integers, so that clamping and rounding change places, and the conversion can't overflow.
 * `offsets`: NULL is 0. */
qn_value *qn_fixed_requant_single(qn_builder *b, qn_value *lanes, qn_value *factors,
                                  qn_value *offsets, double min, double max);
/* qn_rdivp2 of every lane. */
qn_value *qn_fixed_rounding_shift(qn_builder *b, qn_value *lanes, int32_t n);
/* Whether qn_requant32 is defined for the shift. */
static inline bool qn_fixed_in_range(qn_multiplier m) { return m.shift >= -31 && m.shift <= 31; }

/* Clamps lanes (any i32) to [min - zero_point, max - zero_point] and adds the zero point: the sum
 * can't wrap. */
qn_value *qn_fixed_add_zero_point(qn_builder *b, qn_value *lanes, int32_t zero_point, int32_t min,
                                  int32_t max);
/* min(max(lanes, ~limit), limit), the limits per lane. */
qn_value *qn_fixed_limit(qn_builder *b, qn_value *lanes, qn_value *limits);
/* min(max(lanes, lo), hi), of floats; lo where a lane is not a number. */
qn_value *qn_fixed_clamp_float(qn_builder *b, qn_value *lanes, double lo, double hi);
/* min(max(lanes, lo), hi), signed. */
qn_value *qn_fixed_clamp(qn_builder *b, qn_value *lanes, int64_t lo, int64_t hi);
/* The lanes (any i32), clamped to [min, max] within the range of i8 or ui8, as bytes in their
 * order. */
qn_value *qn_fixed_narrow(qn_builder *b, qn_value *lanes, int32_t min, int32_t max,
                          bool is_unsigned);

#endif
