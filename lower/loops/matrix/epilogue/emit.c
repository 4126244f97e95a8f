/* Code of the epilogue: accumulators to results in 32-bit lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/matrix/epilogue/halves.h"
#include "lower/loops/matrix/epilogue/result.h"

/* The bits of the first parameter below the initial accumulator, which hold the shift. */
static int shift_bits(qn_epilogue_kind kind) {
  if (kind == QN_EPILOGUE_WIDE) return QN_WIDE_SHIFT_BITS;
  return kind == QN_EPILOGUE_PACKED ? QN_PACKED_SHIFT_BITS : 0;
}

qn_value *qn_epilogue_load_start(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                                 qn_value *params, qn_value *index, int64_t offset, int64_t lanes) {
  if (kind == QN_EPILOGUE_HALVES)
    return qn_halves_load_start(b, epilogue->halves, params, index, offset, lanes, 0);
  qn_value *start = qn_vec_load(b, params, index, offset, lanes);
  return shift_bits(kind) ? qn_build_binary_int(b, QN_OP_ARITH_SHRSI, start, shift_bits(kind))
                          : start;
}

qn_value *qn_epilogue_load_scaled_start(qn_builder *b, const qn_epilogue *epilogue,
                                        qn_epilogue_kind kind, qn_value *params, qn_value *index,
                                        int64_t offset, int64_t lanes) {
  enum { SCALE = 8 };
  if (kind == QN_EPILOGUE_HALVES)
    return qn_halves_load_start(b, epilogue->halves, params, index, offset, lanes, SCALE);
  if (kind == QN_EPILOGUE_WIDE) return qn_vec_load(b, params, index, offset, lanes);
  qn_value *start = qn_epilogue_load_start(b, epilogue, kind, params, index, offset, lanes);
  return qn_build_binary_int(b, QN_OP_ARITH_SHLI, start, SCALE);
}

/* Parameter `word` of a vector, which has one int32 per lane. Shared parameters precede all others.
 */
static qn_value *load_word(qn_builder *b, const qn_epilogue *e, qn_value *params, qn_value *index,
                           int64_t offset, uint32_t word, int64_t lanes) {
  if (!e->shares) return qn_vec_load(b, params, index, offset + (word + 1) * lanes, lanes);
  qn_value *at = qn_build_index(b, word);
  qn_value *one =
      qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_i(b->cx, 32), QN_VALUES(params, at), NULL);
  return qn_vec_broadcast(b, one, lanes);
}

/* The same for parameters of two int32, which are `type`; `word` counts int32. */
static qn_value *load_pair(qn_builder *b, const qn_epilogue *e, const qn_type *type,
                           qn_value *params, qn_value *index, int64_t offset, uint32_t word,
                           int64_t lanes) {
  if (!e->shares) {
    qn_value *words = qn_vec_load(b, params, index, offset + (word + 1) * lanes, 2 * lanes);
    return qn_vec_bitcast(b, words, type);
  }
  qn_value *words = qn_vec_load(b, params, qn_build_index(b, 0), word, 2);
  qn_value *one = qn_vec_extract(b, qn_vec_bitcast(b, words, type), 0);
  return qn_vec_broadcast(b, one, lanes);
}

/* Whether the parameters are integers, in a vector of i32 each. */
static bool has_whole_words(qn_epilogue_kind kind) {
  return kind == QN_EPILOGUE_DOUBLE || kind == QN_EPILOGUE_LIMITED || kind == QN_EPILOGUE_ONCE ||
         kind == QN_EPILOGUE_RESCALED;
}

qn_epilogue_params qn_epilogue_load(qn_builder *b, const qn_epilogue *epilogue,
                                    qn_epilogue_kind kind, qn_value *params, qn_value *index,
                                    int64_t offset, int64_t stride, int64_t lanes) {
  QN_ASSERT(qn_epilogue_words(kind) <= QN_EPILOGUE_MAX_WORDS);
  QN_ASSERT(stride == lanes || kind == QN_EPILOGUE_BITS || kind == QN_EPILOGUE_ONE);
  if (kind == QN_EPILOGUE_HALVES)
    return qn_halves_load(b, epilogue->halves, params, index, offset, lanes);
  qn_epilogue_params out = {.words = {NULL}};
  if (kind == QN_EPILOGUE_WIDE && epilogue->rescales) { /* the mantissa, and the left shift */
    enum { TOP = 32 - QN_WIDE_SHIFT_BITS };
    qn_value *first = qn_vec_load(b, params, index, offset, lanes);
    out.words[0] = load_word(b, epilogue, params, index, offset, 0, lanes);
    out.words[1] = qn_build_binary_int(b, QN_OP_ARITH_SHRSI,
                                       qn_build_binary_int(b, QN_OP_ARITH_SHLI, first, TOP), TOP);
    return out;
  }
  if (shift_bits(kind)) { /* the mantissa, and the right shift minus 1 */
    qn_value *first = qn_vec_load(b, params, index, offset, lanes);
    out.words[0] = load_word(b, epilogue, params, index, offset, 0, lanes);
    out.words[1] = qn_build_binary_int(b, QN_OP_ARITH_ANDI, first, (1 << QN_PACKED_SHIFT_BITS) - 1);
    return out;
  }
  if (kind == QN_EPILOGUE_REAL || kind == QN_EPILOGUE_EVEN) {
    for (uint32_t w = 0; 2 * w + 1 < qn_epilogue_words(kind); w++)
      out.words[w] =
          load_pair(b, epilogue, qn_type_float(b->cx, QN_F64), params, index, offset, 2 * w, lanes);
    return out;
  }
  if (kind == QN_EPILOGUE_LONG) {
    const qn_type *i64 = qn_type_i(b->cx, 64);
    out.words[0] = load_pair(b, epilogue, i64, params, index, offset, 0, lanes);
    out.words[1] = load_word(b, epilogue, params, index, offset, 2, lanes);
    if (!epilogue->packs_shift) {
      out.words[2] = load_word(b, epilogue, params, index, offset, 3, lanes);
      return out;
    }
    out.words[2] = load_word(b, epilogue, params, index, offset, 0, lanes); /* the low half */
    out.words[2] =
        qn_build_binary_int(b, QN_OP_ARITH_ANDI, out.words[2], (1 << QN_LONG_SHIFT_BITS) - 1);
    return out;
  }
  for (uint32_t w = 0; w + 1 < qn_epilogue_words(kind); w++) {
    out.words[w] = epilogue->shares
                       ? load_word(b, epilogue, params, index, offset, w, lanes)
                       : qn_vec_load(b, params, index, offset + (w + 1) * stride, lanes);
    if (!has_whole_words(kind))
      out.words[w] = qn_vec_bitcast(b, out.words[w], qn_type_float(b->cx, QN_F32));
  }
  return out;
}

void qn_epilogue_set_offset(qn_builder *b, qn_epilogue_params *params, qn_value *words) {
  params->words[1] = qn_vec_bitcast(b, words, qn_type_float(b->cx, QN_F32));
}

static qn_value *multiply_add(qn_builder *b, qn_value *x, qn_value *scale, qn_value *offset) {
  return qn_build_1(b, QN_OP_MATH_FMA, x->type, QN_VALUES(x, scale, offset), NULL);
}

static qn_value *round_to_int(qn_builder *b, qn_value *x, const qn_value *like) {
  return qn_build_unary(b, QN_OP_QUERN_ROUND_TO_INT, x, like->type);
}

static qn_value *add_whole(qn_builder *b, qn_value *lanes, int32_t zero_point) {
  if (zero_point == 0) return lanes;
  return qn_build_binary_int(b, QN_OP_ARITH_ADDI, lanes, zero_point);
}

/* QN_EPILOGUE_BITS: the accumulator is reinterpreted as a float, and the float sum as the result;
 * no conversion instructions. */
static qn_value *apply_bits(qn_builder *b, const qn_epilogue_params *params, qn_value *acc) {
  qn_value *x = qn_vec_bitcast(b, acc, qn_type_float(b->cx, QN_F32));
  x = multiply_add(b, x, params->words[0], params->words[1]);
  return qn_vec_bitcast(b, x, qn_type_i(b->cx, 32));
}

static qn_value *apply_float(qn_builder *b, const qn_epilogue_result *r, qn_epilogue_kind kind,
                             const qn_epilogue_params *params, qn_value *acc) {
  qn_value *offset = params->words[1];
  if (kind != QN_EPILOGUE_ONE) {
    qn_value *negative = qn_build_cmpi(b, QN_CMP_SLT, acc, qn_build_int(b, 0, acc->type));
    offset = qn_build_select(b, negative, params->words[2], offset);
  }
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F32));
  qn_value *y = multiply_add(b, x, params->words[0], offset);
  if (kind != QN_EPILOGUE_TRUNCATED) return round_to_int(b, y, acc);
  y = qn_build_unary(b, QN_OP_ARITH_FPTOSI, y, acc->type);
  return add_whole(b, y, r->zero_point);
}

static qn_value *add_zero_point(qn_builder *b, const qn_epilogue_result *r, qn_value *lanes) {
  return qn_fixed_add_zero_point(b, lanes, r->zero_point, r->min, r->max);
}

/* D(H(acc * 2^left, mantissa), right), see runtime/fixed.h. `away`: 1 in lanes whose ties go away
 * from zero, 0 where they go up; NULL is 1 everywhere. */
static qn_value *apply_double(qn_builder *b, const qn_epilogue_result *r,
                              const qn_epilogue_params *params, qn_value *acc, qn_value *away) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *mantissa = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  wide = qn_build_binary(b, QN_OP_ARITH_MULI, wide, mantissa);
  wide = qn_build_binary_int(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << 30);
  wide = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, wide, 31);
  qn_value *high = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, i32);

  qn_value *right = params->words[2], *one = qn_build_int(b, 1, acc->type);
  qn_value *mask = qn_build_binary(b, QN_OP_ARITH_SHLI, one, right);
  mask = qn_build_binary(b, QN_OP_ARITH_SUBI, mask, one);
  qn_value *remainder = qn_build_binary(b, QN_OP_ARITH_ANDI, high, mask);
  qn_value *threshold = qn_build_binary(b, QN_OP_ARITH_SHRUI, mask, one);
  qn_value *sign = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, high, 31);
  if (away) sign = qn_build_binary(b, QN_OP_ARITH_ANDI, sign, away);
  threshold = qn_build_binary(b, QN_OP_ARITH_ADDI, threshold, sign);
  qn_value *up = qn_build_cmpi(b, QN_CMP_SGT, remainder, threshold);
  up = qn_vec_cast(b, QN_OP_ARITH_EXTUI, up, i32);
  qn_value *quotient = qn_build_binary(b, QN_OP_ARITH_SHRSI, high, right);
  return add_zero_point(b, r, qn_build_binary(b, QN_OP_ARITH_ADDI, quotient, up));
}

/* As apply_double, for shifts of at least 1 and sums that cannot overflow. acc + 2^31 is not
 * negative, so an unsigned product suffices: H(acc) = floor(((acc + 2^31) * mantissa + 2^30) /
 * 2^31) - mantissa. */
static qn_value *apply_packed(qn_builder *b, const qn_epilogue_result *r,
                              const qn_epilogue_params *params, qn_value *acc) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *mantissa = params->words[0], *shift = params->words[1];
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTUI,
                               qn_build_binary_int(b, QN_OP_ARITH_XORI, acc, INT32_MIN), i64);
  qn_value *factor = qn_vec_cast(b, QN_OP_ARITH_EXTUI, mantissa, i64);
  wide = qn_build_binary(b, QN_OP_ARITH_MULI, wide, factor);
  wide = qn_build_binary_int(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << 30);
  wide = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, wide, 31);
  qn_value *high = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, i32);
  high = qn_build_binary(b, QN_OP_ARITH_SUBI, high, mantissa);

  qn_value *half = qn_build_int(b, 1, acc->type);
  half = qn_build_binary(b, QN_OP_ARITH_SHLI, half, shift);
  qn_value *sign = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, high, 31);
  high = qn_build_binary(b, QN_OP_ARITH_ADDI, high, half);
  high = qn_build_binary(b, QN_OP_ARITH_ADDI, high, sign);
  shift = qn_build_binary_int(b, QN_OP_ARITH_ADDI, shift, 1);
  return add_whole(b, qn_build_binary(b, QN_OP_ARITH_SHRSI, high, shift), r->zero_point);
}

/* The high words of acc * factor + offset, a 64-bit sum per lane. */
static qn_value *high_words(qn_builder *b, qn_value *acc, qn_value *factor, qn_value *offset) {
  enum { HIGH = 32 };
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *sum = qn_build_binary(b, QN_OP_ARITH_MULI, qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64),
                                  qn_vec_cast(b, QN_OP_ARITH_EXTSI, factor, i64));
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, offset);
  sum = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, sum, HIGH);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, sum, qn_type_i(b->cx, 32));
}

/* Lanes 2i + odd, sign-extended. */
static qn_value *every_second(qn_builder *b, qn_value *x, bool odd) {
  enum { HIGH = 32 };
  qn_value *pairs = qn_vec_bitcast(b, x, qn_type_i(b->cx, 64));
  if (!odd) pairs = qn_build_binary_int(b, QN_OP_ARITH_SHLI, pairs, HIGH);
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI, pairs, HIGH);
}

/* The same by even and odd lanes, so that nothing is widened or truncated. */
static qn_value *high_words_by_parity(qn_builder *b, qn_value *acc, qn_value *factor,
                                      qn_value *offset) {
  int64_t lanes = qn_vec_count(acc), mask[QN_VEC_MAX_BYTES];
  qn_value *sums[2];
  for (int odd = 0; odd < 2; odd++) {
    for (int64_t i = 0; i < lanes / 2; i++) mask[i] = 2 * i + odd;
    qn_value *offsets = qn_vec_shuffle(b, offset, offset, mask, lanes / 2);
    qn_value *sum = qn_build_binary(b, QN_OP_ARITH_MULI, every_second(b, acc, odd),
                                    every_second(b, factor, odd));
    sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, offsets);
    sums[odd] = qn_vec_bitcast(b, sum, qn_type_i(b->cx, 32));
  }
  for (int64_t i = 0; i < lanes; i++) mask[i] = i % 2 == 0 ? i + 1 : lanes + i;
  return qn_vec_shuffle(b, sums[0], sums[1], mask, lanes);
}

/* QN_EPILOGUE_LONG: see quant/long_form.h. */
static qn_value *apply_long(qn_builder *b, const qn_epilogue *epilogue,
                            const qn_epilogue_params *params, qn_value *acc) {
  bool by_parity = epilogue->multiplies_even && qn_vec_count(acc) % 2 == 0;
  qn_value *high =
      (by_parity ? high_words_by_parity : high_words)(b, acc, params->words[1], params->words[0]);
  return qn_build_binary(b, QN_OP_ARITH_SHRSI, high, params->words[2]);
}

/* M32s, see runtime/fixed.h. The shift is at least 1, also in lanes of padding. */
static qn_value *apply_once(qn_builder *b, const qn_epilogue_result *r,
                            const qn_epilogue_params *params, qn_value *acc) {
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *mantissa = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  qn_value *right = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[1], i64);
  return add_zero_point(b, r, qn_fixed_requant32_once_by(b, wide, mantissa, right));
}

/* As apply_double, for right shifts r of at least 1. D takes negative quotients to be 1 smaller, so
 * that ties go away from zero; H and D with the zero point are then one multiply-add of the high
 * word:
 *     (H(acc) - (acc < 0) + (2 * zero_point + 1) * 2^(r - 1)) >> r
 * H(acc) is 0 for acc < 0 only if it is -1/2 exactly; half of a quotient minus 1 gives 0 as well.
 * Negative results need no correction if they are clamped to the zero point. `once`: M32s, which
 * neither rounds in H nor corrects the sign:
 *     (floor(2 * acc * mantissa / 2^32) + (2 * zero_point + 1) * 2^(r - 1)) >> r */
static qn_value *apply_wide(qn_builder *b, const qn_epilogue_result *r,
                            const qn_epilogue_params *params, qn_value *acc, bool once,
                            int32_t right) {
  enum { HIGH = 32 };
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *more = params->words[1]; /* the right shift minus `right`; NULL: 0 */
  const int64_t half = (2 * (int64_t)r->zero_point + 1) * (INT64_C(1) << (right - 1));
  qn_value *high = qn_build_int(b, half, acc->type);
  if (more) high = qn_build_binary(b, QN_OP_ARITH_SHLI, high, more);
  if (r->min < r->zero_point && !once)
    high = qn_build_binary(b, QN_OP_ARITH_ADDI, high,
                           qn_build_binary_int(b, QN_OP_ARITH_SHRSI, acc, 31));
  if (!params->doubled) acc = qn_build_binary_int(b, QN_OP_ARITH_SHLI, acc, 1);
  high =
      qn_build_binary_int(b, QN_OP_ARITH_SHLI, qn_vec_cast(b, QN_OP_ARITH_EXTSI, high, i64), HIGH);
  qn_value *offset =
      once ? high : qn_build_binary_int(b, QN_OP_ARITH_ORI, high, INT64_C(1) << (HIGH - 1));
  qn_value *sum = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *factor = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  sum = qn_build_binary(b, QN_OP_ARITH_MULI, sum, factor);
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, offset);
  sum = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, sum, HIGH);
  qn_value *quotient = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, sum, qn_type_i(b->cx, 32));
  if (more) quotient = qn_build_binary(b, QN_OP_ARITH_SHRSI, quotient, more);
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI, quotient, right);
}

/* round(acc * multiplier) in double. The clamp precedes the conversion to i32, which must not
 * overflow. */
static qn_value *apply_real(qn_builder *b, const qn_epilogue_result *r,
                            const qn_epilogue_params *params, qn_value *acc, bool compact) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F64));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, params->words[0]);
  if (compact) {
    /* A third of the instructions of the general form, where there is none that rounds. */
    x = qn_fixed_clamp_float(b, x, (double)r->min - r->zero_point, (double)r->max - r->zero_point);
    return add_whole(b, qn_fixed_round_away(b, x, QN_FIXED_HALF_F64), r->zero_point);
  }
  x = qn_build_unary(b, QN_OP_MATH_ROUND, x, x->type);
  x = qn_fixed_clamp_float(b, x, (double)r->min - r->zero_point, (double)r->max - r->zero_point);
  return add_zero_point(b, r, qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32)));
}

/* nearest(acc * multiplier + offset) in double, clamped before. Adding 1.5 * 2^52 to a value below
 * 2^51 rounds it to an integer. */
static qn_value *apply_even(qn_builder *b, const qn_epilogue_result *r,
                            const qn_epilogue_params *params, qn_value *acc) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F64));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, params->words[0]);
  x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, params->words[1]);
  x = qn_fixed_clamp_float(b, x, (double)r->min - r->zero_point, (double)r->max - r->zero_point);
  qn_value *whole = qn_build_float(b, 0x1.8p52, x->type);
  x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, whole);
  x = qn_build_binary(b, QN_OP_ARITH_SUBF, x, whole);
  return add_zero_point(b, r, qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32)));
}

static qn_value *apply_single(qn_builder *b, const qn_epilogue_result *r,
                              const qn_epilogue_params *params, qn_value *acc) {
  double lo = (double)r->min - r->zero_point, hi = (double)r->max - r->zero_point;
  return add_zero_point(
      b, r, qn_fixed_requant_single(b, acc, params->words[0], params->words[1], lo, hi));
}

/* RESCALED, and the same requantization as apply_wide: the parameters are the mantissa and the left
 * shift, which is negative. */
static qn_value *apply_rescaled(qn_builder *b, const qn_epilogue_result *r,
                                const qn_epilogue_params *params, qn_value *acc) {
  QN_ASSERT(!params->doubled);
  qn_value *const operands[] = {acc, params->words[0], params->words[1]};
  acc = qn_build_1(b, QN_OP_QUERN_RESCALE, acc->type, operands, QN_COUNT(operands), NULL);
  return add_whole(b, acc, r->zero_point);
}

qn_value *qn_epilogue_apply(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                            const qn_epilogue_params *params, qn_value *acc) {
  const qn_epilogue_result r = qn_epilogue_result_of(epilogue, kind);
  QN_ASSERT(qn_type_element(acc->type) == qn_type_i(b->cx, 32));
  QN_ASSERT(kind != QN_EPILOGUE_BITS || epilogue->starts);
  bool is_whole = kind == QN_EPILOGUE_DOUBLE || kind == QN_EPILOGUE_LIMITED;
  if (kind == QN_EPILOGUE_LIMITED) acc = qn_fixed_limit(b, acc, params->words[3]);
  if (is_whole && epilogue->shifts_left)
    acc = qn_build_binary(b, QN_OP_ARITH_SHLI, acc, params->words[1]);
  if (kind == QN_EPILOGUE_BITS) return apply_bits(b, params, acc);
  bool rescaled = kind == QN_EPILOGUE_RESCALED ||
                  (kind == QN_EPILOGUE_WIDE && epilogue->rescales) ||
                  (kind == QN_EPILOGUE_HALVES && epilogue->halves->rescales);
  if (rescaled) return apply_rescaled(b, &r, params, acc);
  if (kind == QN_EPILOGUE_PACKED) return apply_packed(b, &r, params, acc);
  if (kind == QN_EPILOGUE_DOUBLE) return apply_double(b, &r, params, acc, NULL);
  if (kind == QN_EPILOGUE_LIMITED) return apply_double(b, &r, params, acc, params->words[4]);
  if (kind == QN_EPILOGUE_ONCE) return apply_once(b, &r, params, acc);
  if (kind == QN_EPILOGUE_WIDE)
    return apply_wide(b, &r, params, acc, epilogue->rounding == QN_REQUANT_ONCE, 1);
  if (kind == QN_EPILOGUE_HALVES)
    return apply_wide(b, &r, params, acc, epilogue->halves->once, epilogue->halves->right);
  if (kind == QN_EPILOGUE_LONG) return apply_long(b, epilogue, params, acc);
  if (kind == QN_EPILOGUE_REAL) return apply_real(b, &r, params, acc, epilogue->compact);
  if (kind == QN_EPILOGUE_EVEN) return apply_even(b, &r, params, acc);
  if (kind == QN_EPILOGUE_SINGLE) return apply_single(b, &r, params, acc);
  return apply_float(b, &r, kind, params, acc);
}
