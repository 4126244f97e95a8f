/* Code of the epilogue: results in 32-bit lanes to bytes, or to floats for a fused addition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/matrix/epilogue/result.h"

/* The integer result from the bit pattern of a BITS result. */
static qn_value *whole_of(qn_builder *b, qn_value *bits) {
  return qn_build_binary_int(b, QN_OP_ARITH_SUBI, bits, QN_FMA_BASE);
}

/* Clamps the lanes and adds the 128 by which results are smaller than stored values. */
static qn_value *settle(qn_builder *b, const qn_epilogue_result *r, qn_value *lanes) {
  lanes = qn_fixed_clamp(b, lanes, r->min, r->max);
  return r->is_less ? qn_build_binary_int(b, QN_OP_ARITH_ADDI, lanes, 128) : lanes;
}

static qn_value *truncate(qn_builder *b, const qn_epilogue_result *r, bool bits, qn_value *lanes) {
  if (bits) lanes = whole_of(b, lanes);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, settle(b, r, lanes), qn_type_i(b->cx, 8));
}

qn_value *qn_epilogue_truncate(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                               qn_value *lanes) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  return truncate(b, &r, kind == QN_EPILOGUE_BITS, lanes);
}

qn_value *qn_epilogue_floats(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *lanes) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  const qn_type *f32 = qn_type_float(b->cx, QN_F32);
  if (kind != QN_EPILOGUE_BITS)
    return qn_vec_cast(b, QN_OP_ARITH_SITOFP, settle(b, &r, lanes), f32);
  /* BITS results are ordered like their bit patterns, and the difference from the base is exact. */
  QN_ASSERT(!r.is_less);
  lanes = qn_fixed_clamp(b, lanes, QN_FMA_BASE + r.min, QN_FMA_BASE + r.max);
  lanes = qn_vec_bitcast(b, lanes, f32);
  return qn_build_binary(b, QN_OP_ARITH_SUBF, lanes,
                         qn_build_float(b, (double)QN_FMA_BASE_VALUE, lanes->type));
}

/* Clamps bytes that saturation has already brought into the range of their signedness, if the op's
 * clamp is narrower, and flips the top bit if results are 128 smaller than stored values. */
static qn_value *finish_bytes(qn_builder *b, const qn_epilogue_result *r, qn_value *bytes) {
  int64_t lo, hi;
  qn_storage_range(8, !r->is_unsigned, &lo, &hi);
  /* i8 constants are signed, so an unsigned bound is passed as the i8 of the same bits. */
  qn_op_kind max = r->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI;
  qn_op_kind min = r->is_unsigned ? QN_OP_ARITH_MINUI : QN_OP_ARITH_MINSI;
  if (r->min > lo) bytes = qn_build_binary_int(b, max, bytes, (int8_t)r->min);
  if (r->max < hi) bytes = qn_build_binary_int(b, min, bytes, (int8_t)r->max);
  if (!r->is_less) return bytes;
  return qn_build_binary_int(b, QN_OP_ARITH_XORI, bytes, -128);
}

/* The low halves of the lanes of two vectors, in order within 128 bits. */
static qn_value *unzip(qn_builder *b, qn_value *first, qn_value *second) {
  enum { LANES = 4 /* in 128 bits */ };
  const qn_type *i16 = qn_type_i(b->cx, 16);
  int64_t mask[QN_VEC_MAX_BYTES / 2], count = 2 * qn_vec_count(first);
  for (int64_t i = 0; i < count; i++)
    mask[i] = i / LANES % 2 * count + (i / LANES / 2 * LANES + i % LANES) * 2;
  return qn_vec_shuffle(b, qn_vec_bitcast(b, first, i16), qn_vec_bitcast(b, second, i16), mask,
                        count);
}

/* Narrows two vectors to 16 bits. BITS results are interleaved unless the target unzips; results of
 * other kinds are consecutive within 128 bits. */
static qn_value *halve(qn_builder *b, const qn_epilogue_result *r, bool bits, qn_value *first,
                       qn_value *second) {
  if (!bits) return qn_vec_pack(b, first, second, false);
  if (r->unzips) return unzip(b, first, second);
  const qn_type *i16 = qn_type_i(b->cx, 16);
  second = qn_build_binary_int(b, QN_OP_ARITH_SHLI, second, 16);
  int64_t mask[QN_VEC_MAX_BYTES / 2], count = 2 * qn_vec_count(first);
  for (int64_t i = 0; i < count; i++) mask[i] = i % 2 * count + i;
  first = qn_vec_bitcast(b, first, i16);
  return qn_vec_shuffle(b, first, qn_vec_bitcast(b, second, i16), mask, count);
}

static qn_value *halve_one(qn_builder *b, const qn_epilogue_result *r, bool bits,
                           qn_value *vector) {
  if (bits && r->unzips) return unzip(b, vector, vector);
  if (bits) vector = whole_of(b, vector);
  return qn_vec_pack(b, vector, vector, false);
}

int64_t qn_epilogue_lane_channel(bool interleaved, uint32_t vectors, uint32_t vector,
                                 int64_t lane) {
  QN_ASSERT(vectors <= QN_EPILOGUE_MAX_VECTORS && vector < vectors && lane >= 0);
  int64_t quad = 4 * (int64_t)vectors * (lane / 4);
  bool is_paired = (vector | 1) < vectors;
  if (!interleaved || !is_paired) return quad + 4 * (int64_t)vector + lane % 4;
  return quad + vector / 2 * 8 + 2 * (lane % 4) + vector % 2;
}

/* Narrows `count` vectors of results to bytes. The first 4 * count bytes of each 16 are the results
 * from the same 128 bits of all vectors. `bits`: the results are floats of QN_FMA_BITS, whose low
 * mantissa bits hold the integer. */
static qn_value *pack(qn_builder *b, const qn_epilogue_result *r, bool bits,
                      qn_value *const *vectors, uint32_t count) {
  qn_value *low =
      count > 1 ? halve(b, r, bits, vectors[0], vectors[1]) : halve_one(b, r, bits, vectors[0]);
  qn_value *high = low;
  if (count > 2)
    high =
        count > 3 ? halve(b, r, bits, vectors[2], vectors[3]) : halve_one(b, r, bits, vectors[2]);
  return finish_bytes(b, r, qn_vec_pack(b, low, high, r->is_unsigned));
}

/* Byte 4 * v + l of each 16 becomes lane l of vector v, after `count` vectors were narrowed in
 * pairs that interleave. */
static qn_value *separate_pairs(qn_builder *b, qn_value *bytes, uint32_t count) {
  enum { QUAD = 4, BLOCK = 16 };
  int64_t mask[QN_VEC_MAX_BYTES], size = qn_vec_count(bytes);
  for (int64_t i = 0; i < size; i++) {
    uint32_t v = (uint32_t)(i % BLOCK / QUAD);
    mask[i] =
        v < count ? i / BLOCK * BLOCK + qn_epilogue_lane_channel(true, count, v, i % QUAD) : i;
  }
  return qn_vec_shuffle(b, bytes, bytes, mask, size);
}

/* Narrows `pixels` times `count` vectors to bytes, `valid` of each pixel. */
static qn_value *narrow(qn_builder *b, const qn_epilogue_result *r, bool bits,
                        qn_value *const *vectors, uint32_t pixels, uint32_t count, int64_t valid) {
  int64_t lanes = qn_vec_count(vectors[0]);
  /* One instruction on 512-bit vectors; scalars are clamped once, and not joined. */
  if (pixels * count == 1 && (lanes == 16 || r->in_scalars))
    return qn_vec_slice(b, truncate(b, r, bits, vectors[0]), 0, valid);
  qn_value *bytes = pack(b, r, bits, vectors, pixels * count);
  if (count == 4) return qn_vec_slice(b, bytes, 0, valid);
  if (count == 1 && pixels > 1 && bits && !r->unzips) bytes = separate_pairs(b, bytes, pixels);
  /* Gathers the valid bytes, four at a time. */
  int64_t mask[QN_VEC_MAX_BYTES / 4], quads = (valid + 3) / 4, all = pixels * quads;
  for (int64_t i = 0; i < all; i++)
    mask[i] = i % quads / count * 4 + i / quads * count + i % quads % count;
  qn_value *dwords = qn_vec_bitcast(b, bytes, qn_type_i(b->cx, 32));
  dwords = qn_vec_shuffle(b, dwords, dwords, mask, all);
  bytes = qn_vec_bitcast(b, dwords, qn_type_i(b->cx, 8));
  return qn_vec_slice(b, bytes, 0, pixels == 1 ? valid : all * 4);
}

qn_value *qn_epilogue_narrow(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *const *vectors, uint32_t count, int64_t valid) {
  return qn_epilogue_narrow_pixels(b, epilogue, kind, vectors, 1, count, valid);
}

qn_value *qn_epilogue_narrow_pixels(qn_builder *b, const qn_epilogue *epilogue,
                                    qn_epilogue_kind kind, qn_value *const *vectors,
                                    uint32_t pixels, uint32_t count, int64_t valid) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  QN_ASSERT(count >= 1 && pixels >= 1 && pixels * count <= QN_EPILOGUE_MAX_VECTORS);
  QN_ASSERT(valid > 0 && (pixels == 1 || valid % 4 == 0));
  return narrow(b, &r, kind == QN_EPILOGUE_BITS, vectors, pixels, count, valid);
}

qn_value *qn_epilogue_pack(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                           qn_value *const *vectors, uint32_t count) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  QN_ASSERT(kind != QN_EPILOGUE_BITS);
  return pack(b, &r, false, vectors, count);
}

/* The low halves of the lanes of two vectors in turn, as lanes of `bits` bits, clamped to the range
 * [lo, hi] of these. */
static qn_value *interleave_halves(qn_builder *b, qn_value *first, qn_value *second, int64_t lo,
                                   int64_t hi, uint32_t bits) {
  const qn_type *half = qn_type_i(b->cx, bits);
  int64_t mask[QN_VEC_MAX_BYTES], count = 2 * qn_vec_count(first);
  for (int64_t i = 0; i < count; i++) mask[i] = i % 2 * count + i / 2 * 2;
  first = qn_vec_bitcast(b, qn_fixed_clamp(b, first, lo, hi), half);
  second = qn_vec_bitcast(b, qn_fixed_clamp(b, second, lo, hi), half);
  return qn_vec_shuffle(b, first, second, mask, count);
}

qn_value *qn_epilogue_narrow_by_parity(qn_builder *b, const qn_epilogue *epilogue,
                                       qn_epilogue_kind kind, qn_value *const *vectors) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  int64_t lo, hi;
  QN_ASSERT(kind != QN_EPILOGUE_BITS);
  qn_storage_range(8, !r.is_unsigned, &lo, &hi);
  qn_value *even = interleave_halves(b, vectors[0], vectors[1], INT16_MIN, INT16_MAX, 16);
  qn_value *odd = interleave_halves(b, vectors[2], vectors[3], INT16_MIN, INT16_MAX, 16);
  return finish_bytes(b, &r, interleave_halves(b, even, odd, lo, hi, 8));
}

qn_value *qn_epilogue_narrow_whole(qn_builder *b, int32_t min, int32_t max, bool is_unsigned,
                                   qn_value *const *vectors, uint32_t count, int64_t valid) {
  const qn_epilogue_result r = {.min = min, .max = max, .is_unsigned = is_unsigned};
  return narrow(b, &r, false, vectors, 1, count, valid);
}
