/* Multiplications use 64 bits, which is correct on every target and exact where no float form is
 * proved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"

#include "lower/loops/vec.h"

/* H: high half of the doubled product, ties toward plus infinity. The mantissa is not negative, so
 * the one saturating pair can't occur. */
static qn_value *rounding_high(qn_builder *b, qn_value *lanes, int32_t mantissa) {
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, lanes, qn_type_i(b->cx, 64));
  wide = qn_build_binary_int(b, QN_OP_ARITH_MULI, wide, mantissa);
  wide = qn_build_binary_int(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << 30);
  wide = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, wide, 31);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, qn_type_i(b->cx, 32));
}

/* D: division by 2^n, ties away from zero. */
qn_value *qn_fixed_rounding_shift(qn_builder *b, qn_value *lanes, int32_t n) {
  QN_ASSERT(n >= 0 && n <= 31);
  if (n == 0) return lanes;
  int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
  qn_value *remainder = qn_build_binary_int(b, QN_OP_ARITH_ANDI, lanes, mask);
  qn_value *threshold = qn_build_binary_int(
      b, QN_OP_ARITH_ADDI, qn_build_binary_int(b, QN_OP_ARITH_SHRUI, lanes, 31), mask >> 1);
  qn_value *up =
      qn_vec_cast(b, QN_OP_ARITH_EXTUI, qn_build_cmpi(b, QN_CMP_SGT, remainder, threshold),
                  qn_type_i(b->cx, 32));
  return qn_build_binary(b, QN_OP_ARITH_ADDI, qn_build_binary_int(b, QN_OP_ARITH_SHRSI, lanes, n),
                         up);
}

qn_value *qn_fixed_requant32(qn_builder *b, qn_value *lanes, qn_multiplier m) {
  if (m.mantissa == 0 || !qn_fixed_in_range(m)) return qn_build_int(b, 0, lanes->type);
  if (m.shift > 0) lanes = qn_build_binary_int(b, QN_OP_ARITH_SHLI, lanes, m.shift);
  lanes = rounding_high(b, lanes, m.mantissa);
  return m.shift < 0 ? qn_fixed_rounding_shift(b, lanes, -m.shift) : lanes;
}

qn_value *qn_fixed_requant32_once(qn_builder *b, qn_value *lanes, qn_multiplier m) {
  QN_ASSERT(m.shift >= -31 && m.shift <= 30);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, lanes, qn_type_i(b->cx, 64));
  wide = qn_build_binary_int(b, QN_OP_ARITH_MULI, wide, m.mantissa);
  wide = qn_build_binary_int(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << (30 - m.shift));
  wide = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, wide, 31 - m.shift);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, qn_type_i(b->cx, 32));
}

qn_value *qn_fixed_requant32_once_by(qn_builder *b, qn_value *lanes, qn_value *mantissas,
                                     qn_value *rights) {
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, lanes, mantissas);
  qn_value *one = qn_build_int(b, 1, rights->type);
  qn_value *half = qn_build_binary(b, QN_OP_ARITH_SHLI, one,
                                   qn_build_binary_int(b, QN_OP_ARITH_SUBI, rights, 1));
  product = qn_build_binary(b, QN_OP_ARITH_ADDI, product, half);
  product = qn_build_binary(b, QN_OP_ARITH_SHRSI, product, rights);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, product, qn_type_i(b->cx, 32));
}

qn_value *qn_fixed_clamp_float(qn_builder *b, qn_value *lanes, double lo, double hi) {
  QN_ASSERT(lo <= hi);
  qn_value *bound = qn_build_float(b, lo, lanes->type);
  lanes = qn_build_binary(b, QN_OP_ARITH_MAXNUMF, lanes, bound);
  bound = qn_build_float(b, hi, lanes->type);
  return qn_build_binary(b, QN_OP_ARITH_MINNUMF, lanes, bound);
}

static qn_value *truncate_sum(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_vec_cast(b, QN_OP_ARITH_FPTOSI, qn_build_binary(b, QN_OP_ARITH_ADDF, x, y),
                     qn_type_i(b->cx, 32));
}

qn_value *qn_fixed_round_away(qn_builder *b, qn_value *lanes, double half) {
  const qn_type *real = qn_type_element(lanes->type);
  bool wide = real == qn_type_float(b->cx, QN_F64);
  const qn_type *bits = qn_type_i(b->cx, wide ? 64 : 32);
  qn_value *size = qn_vec_bitcast(b, qn_build_float(b, half, lanes->type), bits);
  qn_value *sign = qn_build_binary_int(b, QN_OP_ARITH_ANDI, qn_vec_bitcast(b, lanes, bits),
                                       wide ? INT64_MIN : INT32_MIN);
  qn_value *more = qn_vec_bitcast(b, qn_build_binary(b, QN_OP_ARITH_ORI, sign, size), real);
  return truncate_sum(b, lanes, more);
}

qn_value *qn_fixed_round_positive(qn_builder *b, qn_value *lanes, double half) {
  return truncate_sum(b, lanes, qn_build_float(b, half, lanes->type));
}

qn_value *qn_fixed_requant_single(qn_builder *b, qn_value *lanes, qn_value *factors,
                                  qn_value *offsets, double min, double max) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, lanes, qn_type_float(b->cx, QN_F32));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, factors);
  if (offsets) x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, offsets);
  x = qn_fixed_clamp_float(b, x, min, max);
  return qn_build_unary(b, QN_OP_QUERN_ROUND_TO_INT, x, lanes->type);
}

qn_value *qn_fixed_limit(qn_builder *b, qn_value *lanes, qn_value *limits) {
  lanes = qn_build_binary(b, QN_OP_ARITH_MAXSI, lanes,
                          qn_build_binary_int(b, QN_OP_ARITH_XORI, limits, -1));
  return qn_build_binary(b, QN_OP_ARITH_MINSI, lanes, limits);
}

qn_value *qn_fixed_clamp(qn_builder *b, qn_value *lanes, int64_t lo, int64_t hi) {
  QN_ASSERT(lo <= hi);
  return qn_build_binary_int(b, QN_OP_ARITH_MINSI,
                             qn_build_binary_int(b, QN_OP_ARITH_MAXSI, lanes, lo), hi);
}

qn_value *qn_fixed_add_zero_point(qn_builder *b, qn_value *lanes, int32_t zero_point, int32_t min,
                                  int32_t max) {
  QN_ASSERT(min <= max);
  int64_t lo = (int64_t)min - zero_point, hi = (int64_t)max - zero_point;
  if (lo < INT32_MIN || hi > INT32_MAX) { /* 32-bit storage: the sum needs 33 bits */
    lanes = qn_vec_cast(b, QN_OP_ARITH_EXTSI, lanes, qn_type_i(b->cx, 64));
    lanes =
        qn_fixed_clamp(b, qn_build_binary_int(b, QN_OP_ARITH_ADDI, lanes, zero_point), min, max);
    return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, lanes, qn_type_i(b->cx, 32));
  }
  lanes = qn_fixed_clamp(b, lanes, lo, hi);
  return zero_point == 0 ? lanes : qn_build_binary_int(b, QN_OP_ARITH_ADDI, lanes, zero_point);
}

/* Clamps bytes that saturation has already brought into the type's range, if the op's clamp is
 * narrower. An unsigned bound is passed as the i8 of the same bits. */
static qn_value *clamp_bytes(qn_builder *b, qn_value *bytes, int32_t min, int32_t max,
                             bool is_unsigned) {
  int64_t lo, hi;
  qn_storage_range(8, !is_unsigned, &lo, &hi);
  if (min > lo)
    bytes = qn_build_binary_int(b, is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI, bytes,
                                (int8_t)min);
  if (max < hi)
    bytes = qn_build_binary_int(b, is_unsigned ? QN_OP_ARITH_MINUI : QN_OP_ARITH_MINSI, bytes,
                                (int8_t)max);
  return bytes;
}

/* Packs four full vectors, which also clamps. Packing works within 128 bits. */
static qn_value *pack_blocks(qn_builder *b, qn_value *const vectors[4], bool is_unsigned) {
  qn_value *low = qn_vec_pack(b, vectors[0], vectors[1], false);
  qn_value *high = qn_vec_pack(b, vectors[2], vectors[3], false);
  return qn_vec_pack(b, low, high, is_unsigned);
}

qn_value *qn_fixed_narrow_blocks(qn_builder *b, qn_value *const vectors[4], int32_t min,
                                 int32_t max, bool is_unsigned) {
  return clamp_bytes(b, pack_blocks(b, vectors, is_unsigned), min, max, is_unsigned);
}

/* The same for consecutive vectors: quads of bytes are then permuted into order. */
static qn_value *pack_in_order(qn_builder *b, qn_value *lanes, bool is_unsigned) {
  int64_t quads = qn_vec_count(lanes) / 4, blocks = quads / 4, order[QN_VEC_MAX_BYTES / 4];
  qn_value *vectors[4];
  for (int i = 0; i < 4; i++) vectors[i] = qn_vec_slice(b, lanes, i * quads, quads);
  qn_value *bytes = pack_blocks(b, vectors, is_unsigned);
  if (blocks == 1) return bytes;
  for (int64_t i = 0; i < quads; i++) order[i] = i % blocks * 4 + i / blocks;
  qn_value *dwords = qn_vec_bitcast(b, bytes, qn_type_i(b->cx, 32));
  return qn_vec_bitcast(b, qn_vec_shuffle(b, dwords, dwords, order, quads), qn_type_i(b->cx, 8));
}

qn_value *qn_fixed_narrow(qn_builder *b, qn_value *lanes, int32_t min, int32_t max,
                          bool is_unsigned) {
  int64_t count = qn_vec_count(lanes);
  if (count % 16 != 0 || count > QN_VEC_MAX_BYTES)
    return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, qn_fixed_clamp(b, lanes, min, max),
                       qn_type_i(b->cx, 8));
  return clamp_bytes(b, pack_in_order(b, lanes, is_unsigned), min, max, is_unsigned);
}
