/* Code of the epilogue: accumulators to results, and results to bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/matrix/epilogue/requant.h"

#include "lower/loops/matrix/epilogue/halves.h"

/* Properties of the results of an epilogue kind. */
typedef struct made {
  int32_t zero_point, min, max;
  bool is_unsigned; /* results are narrowed to unsigned bytes */
  bool is_less;     /* results are 128 smaller than the stored values */
  bool unzips;      /* of the target: qn_epilogue.unzips, in_scalars */
  bool in_scalars;
} made;

static made made_by(const qn_epilogue *e, qn_epilogue_kind kind) {
  bool offset_has_zero_point = kind == QN_EPILOGUE_ONE || kind == QN_EPILOGUE_SIGNED ||
                               kind == QN_EPILOGUE_LONG || kind == QN_EPILOGUE_WIDE ||
                               kind == QN_EPILOGUE_HALVES;
  bool whole = e->is_unsigned && !offset_has_zero_point;
  int32_t more = whole ? 128 : 0;
  return (made){.zero_point = e->zero_point + more,
                .min = e->min + more,
                .max = e->max + more,
                .is_unsigned = whole,
                .is_less = e->is_unsigned && !whole,
                .unzips = e->unzips,
                .in_scalars = e->in_scalars};
}

static qn_value *splat_like(qn_builder *b, int64_t value, const qn_value *like) {
  return qn_build_int(b, value, like->type);
}

static qn_value *with(qn_builder *b, qn_op_kind op, qn_value *lanes, int64_t value) {
  return qn_build_binary(b, op, lanes, splat_like(b, value, lanes));
}

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
  return shift_bits(kind) ? with(b, QN_OP_ARITH_SHRSI, start, shift_bits(kind)) : start;
}

qn_value *qn_epilogue_load_scaled_start(qn_builder *b, const qn_epilogue *epilogue,
                                        qn_epilogue_kind kind, qn_value *params, qn_value *index,
                                        int64_t offset, int64_t lanes) {
  enum { SCALE = 8 };
  if (kind == QN_EPILOGUE_HALVES)
    return qn_halves_load_start(b, epilogue->halves, params, index, offset, lanes, SCALE);
  if (kind == QN_EPILOGUE_WIDE) return qn_vec_load(b, params, index, offset, lanes);
  qn_value *start = qn_epilogue_load_start(b, epilogue, kind, params, index, offset, lanes);
  return with(b, QN_OP_ARITH_SHLI, start, SCALE);
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
    out.words[1] = with(b, QN_OP_ARITH_SHRSI, with(b, QN_OP_ARITH_SHLI, first, TOP), TOP);
    return out;
  }
  if (shift_bits(kind)) { /* the mantissa, and the right shift minus 1 */
    qn_value *first = qn_vec_load(b, params, index, offset, lanes);
    out.words[0] = load_word(b, epilogue, params, index, offset, 0, lanes);
    out.words[1] = with(b, QN_OP_ARITH_ANDI, first, (1 << QN_PACKED_SHIFT_BITS) - 1);
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
    out.words[2] = with(b, QN_OP_ARITH_ANDI, out.words[2], (1 << QN_LONG_SHIFT_BITS) - 1);
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
  return qn_build_binary(b, QN_OP_ARITH_ADDI, lanes, splat_like(b, zero_point, lanes));
}

/* QN_EPILOGUE_BITS: the accumulator is reinterpreted as a float, and the float sum as the result;
 * no conversion instructions. */
static qn_value *apply_bits(qn_builder *b, const qn_epilogue_params *params, qn_value *acc) {
  qn_value *x = qn_vec_bitcast(b, acc, qn_type_float(b->cx, QN_F32));
  x = multiply_add(b, x, params->words[0], params->words[1]);
  return qn_vec_bitcast(b, x, qn_type_i(b->cx, 32));
}

static qn_value *apply_float(qn_builder *b, const made *m, qn_epilogue_kind kind,
                             const qn_epilogue_params *params, qn_value *acc) {
  qn_value *offset = params->words[1];
  if (kind != QN_EPILOGUE_ONE) {
    qn_value *negative = qn_build_cmpi(b, QN_CMP_SLT, acc, splat_like(b, 0, acc));
    offset = qn_build_select(b, negative, params->words[2], offset);
  }
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F32));
  qn_value *y = multiply_add(b, x, params->words[0], offset);
  if (kind != QN_EPILOGUE_TRUNCATED) return round_to_int(b, y, acc);
  y = qn_build_unary(b, QN_OP_ARITH_FPTOSI, y, acc->type);
  return add_whole(b, y, m->zero_point);
}

static qn_value *add_zero_point(qn_builder *b, const made *m, qn_value *lanes) {
  return qn_fixed_add_zero_point(b, lanes, m->zero_point, m->min, m->max);
}

/* D(H(acc * 2^left, mantissa), right), see runtime/fixed.h. `away`: 1 in lanes whose ties go away
 * from zero, 0 where they go up; NULL is 1 everywhere. */
static qn_value *apply_double(qn_builder *b, const made *m, const qn_epilogue_params *params,
                              qn_value *acc, qn_value *away) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *mantissa = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  wide = qn_build_binary(b, QN_OP_ARITH_MULI, wide, mantissa);
  wide = qn_build_binary(b, QN_OP_ARITH_ADDI, wide, splat_like(b, INT64_C(1) << 30, wide));
  wide = qn_build_binary(b, QN_OP_ARITH_SHRSI, wide, splat_like(b, 31, wide));
  qn_value *high = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, i32);

  qn_value *right = params->words[2], *one = splat_like(b, 1, acc);
  qn_value *mask = qn_build_binary(b, QN_OP_ARITH_SHLI, one, right);
  mask = qn_build_binary(b, QN_OP_ARITH_SUBI, mask, one);
  qn_value *remainder = qn_build_binary(b, QN_OP_ARITH_ANDI, high, mask);
  qn_value *threshold = qn_build_binary(b, QN_OP_ARITH_SHRUI, mask, one);
  qn_value *sign = qn_build_binary(b, QN_OP_ARITH_SHRUI, high, splat_like(b, 31, acc));
  if (away) sign = qn_build_binary(b, QN_OP_ARITH_ANDI, sign, away);
  threshold = qn_build_binary(b, QN_OP_ARITH_ADDI, threshold, sign);
  qn_value *up = qn_build_cmpi(b, QN_CMP_SGT, remainder, threshold);
  up = qn_vec_cast(b, QN_OP_ARITH_EXTUI, up, i32);
  qn_value *quotient = qn_build_binary(b, QN_OP_ARITH_SHRSI, high, right);
  return add_zero_point(b, m, qn_build_binary(b, QN_OP_ARITH_ADDI, quotient, up));
}

/* As apply_double, for shifts of at least 1 and sums that cannot overflow. acc + 2^31 is not
 * negative, so an unsigned product suffices: H(acc) = floor(((acc + 2^31) * mantissa + 2^30) /
 * 2^31) - mantissa. */
static qn_value *apply_packed(qn_builder *b, const made *m, const qn_epilogue_params *params,
                              qn_value *acc) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *mantissa = params->words[0], *shift = params->words[1];
  qn_value *wide =
      qn_vec_cast(b, QN_OP_ARITH_EXTUI, with(b, QN_OP_ARITH_XORI, acc, INT32_MIN), i64);
  qn_value *factor = qn_vec_cast(b, QN_OP_ARITH_EXTUI, mantissa, i64);
  wide = qn_build_binary(b, QN_OP_ARITH_MULI, wide, factor);
  wide = with(b, QN_OP_ARITH_ADDI, wide, INT64_C(1) << 30);
  wide = with(b, QN_OP_ARITH_SHRUI, wide, 31);
  qn_value *high = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, wide, i32);
  high = qn_build_binary(b, QN_OP_ARITH_SUBI, high, mantissa);

  qn_value *half = splat_like(b, 1, acc);
  half = qn_build_binary(b, QN_OP_ARITH_SHLI, half, shift);
  qn_value *sign = with(b, QN_OP_ARITH_SHRSI, high, 31);
  high = qn_build_binary(b, QN_OP_ARITH_ADDI, high, half);
  high = qn_build_binary(b, QN_OP_ARITH_ADDI, high, sign);
  shift = with(b, QN_OP_ARITH_ADDI, shift, 1);
  return add_whole(b, qn_build_binary(b, QN_OP_ARITH_SHRSI, high, shift), m->zero_point);
}

/* Rounds half away from zero: adds the largest number below 1/2 with the sign of x, and truncates.
 * On CPUs without a rounding instruction that takes a third of the instructions of the general
 * form. */
static qn_value *round_away(qn_builder *b, qn_value *x, double min, double max) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *type = qn_type_element(x->type);
  qn_value *half = qn_vec_bitcast(b, qn_build_float(b, 0x1.fffffffffffffp-2, x->type), i64);
  qn_value *sign = with(b, QN_OP_ARITH_ANDI, qn_vec_bitcast(b, x, i64), INT64_MIN);
  half = qn_vec_bitcast(b, qn_build_binary(b, QN_OP_ARITH_ORI, sign, half), type);
  x = qn_fixed_clamp_float(b, qn_build_binary(b, QN_OP_ARITH_ADDF, x, half), min, max);
  return qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32));
}

/* QN_EPILOGUE_LONG: see quant/long_form.h. */
static qn_value *apply_long(qn_builder *b, const qn_epilogue_params *params, qn_value *acc) {
  enum { HIGH = 32 };
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *sum = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *factor = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[1], i64);
  sum = qn_build_binary(b, QN_OP_ARITH_MULI, sum, factor);
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, params->words[0]);
  sum = qn_build_binary(b, QN_OP_ARITH_SHRSI, sum, splat_like(b, HIGH, sum));
  qn_value *high = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, sum, qn_type_i(b->cx, 32));
  return qn_build_binary(b, QN_OP_ARITH_SHRSI, high, params->words[2]);
}

/* M32s, see runtime/fixed.h. The shift is at least 1, also in lanes of padding. */
static qn_value *apply_once(qn_builder *b, const made *m, const qn_epilogue_params *params,
                            qn_value *acc) {
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *wide = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *mantissa = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  qn_value *right = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[1], i64);
  return add_zero_point(b, m, qn_fixed_requant32_once_by(b, wide, mantissa, right));
}

/* As apply_double, for right shifts r of at least 1. D takes negative quotients to be 1 smaller, so
 * that ties go away from zero; H and D with the zero point are then one multiply-add of the high
 * word:
 *     (H(acc) - (acc < 0) + (2 * zero_point + 1) * 2^(r - 1)) >> r
 * H(acc) is 0 for acc < 0 only if it is -1/2 exactly; half of a quotient minus 1 gives 0 as well.
 * Negative results need no correction if they are clamped to the zero point. `once`: M32s, which
 * neither rounds in H nor corrects the sign:
 *     (floor(2 * acc * mantissa / 2^32) + (2 * zero_point + 1) * 2^(r - 1)) >> r */
static qn_value *apply_wide(qn_builder *b, const made *m, const qn_epilogue_params *params,
                            qn_value *acc, bool once, int32_t right) {
  enum { HIGH = 32 };
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *more = params->words[1]; /* the right shift minus `right`; NULL: 0 */
  const int64_t half = (2 * (int64_t)m->zero_point + 1) * (INT64_C(1) << (right - 1));
  qn_value *high = splat_like(b, half, acc);
  if (more) high = qn_build_binary(b, QN_OP_ARITH_SHLI, high, more);
  if (m->min < m->zero_point && !once)
    high = qn_build_binary(b, QN_OP_ARITH_ADDI, high, with(b, QN_OP_ARITH_SHRSI, acc, 31));
  if (!params->doubled) acc = with(b, QN_OP_ARITH_SHLI, acc, 1);
  high = with(b, QN_OP_ARITH_SHLI, qn_vec_cast(b, QN_OP_ARITH_EXTSI, high, i64), HIGH);
  qn_value *offset = once ? high : with(b, QN_OP_ARITH_ORI, high, INT64_C(1) << (HIGH - 1));
  qn_value *sum = qn_vec_cast(b, QN_OP_ARITH_EXTSI, acc, i64);
  qn_value *factor = qn_vec_cast(b, QN_OP_ARITH_EXTSI, params->words[0], i64);
  sum = qn_build_binary(b, QN_OP_ARITH_MULI, sum, factor);
  sum = qn_build_binary(b, QN_OP_ARITH_ADDI, sum, offset);
  sum = with(b, QN_OP_ARITH_SHRSI, sum, HIGH);
  qn_value *quotient = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, sum, qn_type_i(b->cx, 32));
  if (more) quotient = qn_build_binary(b, QN_OP_ARITH_SHRSI, quotient, more);
  return with(b, QN_OP_ARITH_SHRSI, quotient, right);
}

/* round(acc * multiplier) in double. The clamp precedes the conversion to i32, which must not
 * overflow. */
static qn_value *apply_real(qn_builder *b, const made *m, const qn_epilogue_params *params,
                            qn_value *acc, bool compact) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F64));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, params->words[0]);
  if (compact) {
    x = round_away(b, x, (double)m->min - m->zero_point, (double)m->max - m->zero_point);
    return add_whole(b, x, m->zero_point);
  }
  x = qn_build_unary(b, QN_OP_MATH_ROUND, x, x->type);
  x = qn_fixed_clamp_float(b, x, (double)m->min - m->zero_point, (double)m->max - m->zero_point);
  return add_zero_point(b, m, qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32)));
}

/* nearest(acc * multiplier + offset) in double, clamped before. Adding 1.5 * 2^52 to a value below
 * 2^51 rounds it to an integer. */
static qn_value *apply_even(qn_builder *b, const made *m, const qn_epilogue_params *params,
                            qn_value *acc) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F64));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, params->words[0]);
  x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, params->words[1]);
  x = qn_fixed_clamp_float(b, x, (double)m->min - m->zero_point, (double)m->max - m->zero_point);
  qn_value *whole = qn_build_float(b, 0x1.8p52, x->type);
  x = qn_build_binary(b, QN_OP_ARITH_ADDF, x, whole);
  x = qn_build_binary(b, QN_OP_ARITH_SUBF, x, whole);
  return add_zero_point(b, m, qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32)));
}

static qn_value *apply_single(qn_builder *b, const made *m, const qn_epilogue_params *params,
                              qn_value *acc) {
  double lo = (double)m->min - m->zero_point, hi = (double)m->max - m->zero_point;
  return add_zero_point(
      b, m, qn_fixed_requant_single(b, acc, params->words[0], params->words[1], lo, hi));
}

/* RESCALED, and the same requantization as apply_wide: the parameters are the mantissa and the left
 * shift, which is negative. */
static qn_value *apply_rescaled(qn_builder *b, const made *m, const qn_epilogue_params *params,
                                qn_value *acc) {
  QN_ASSERT(!params->doubled);
  qn_value *const operands[] = {acc, params->words[0], params->words[1]};
  acc = qn_build_1(b, QN_OP_QUERN_RESCALE, acc->type, operands, QN_COUNT(operands), NULL);
  return add_whole(b, acc, m->zero_point);
}

qn_value *qn_epilogue_apply(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                            const qn_epilogue_params *params, qn_value *acc) {
  const made m = made_by(epilogue, kind);
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
  if (rescaled) return apply_rescaled(b, &m, params, acc);
  if (kind == QN_EPILOGUE_PACKED) return apply_packed(b, &m, params, acc);
  if (kind == QN_EPILOGUE_DOUBLE) return apply_double(b, &m, params, acc, NULL);
  if (kind == QN_EPILOGUE_LIMITED) return apply_double(b, &m, params, acc, params->words[4]);
  if (kind == QN_EPILOGUE_ONCE) return apply_once(b, &m, params, acc);
  if (kind == QN_EPILOGUE_WIDE)
    return apply_wide(b, &m, params, acc, epilogue->rounding == QN_REQUANT_ONCE, 1);
  if (kind == QN_EPILOGUE_HALVES)
    return apply_wide(b, &m, params, acc, epilogue->halves->once, epilogue->halves->right);
  if (kind == QN_EPILOGUE_LONG) return apply_long(b, params, acc);
  if (kind == QN_EPILOGUE_REAL) return apply_real(b, &m, params, acc, epilogue->compact);
  if (kind == QN_EPILOGUE_EVEN) return apply_even(b, &m, params, acc);
  if (kind == QN_EPILOGUE_SINGLE) return apply_single(b, &m, params, acc);
  return apply_float(b, &m, kind, params, acc);
}

/* The integer result from the bit pattern of a BITS result. */
static qn_value *whole_of(qn_builder *b, qn_value *bits) {
  return qn_build_binary(b, QN_OP_ARITH_SUBI, bits, splat_like(b, QN_FMA_BASE, bits));
}

/* Clamps the lanes and adds the 128 by which results are smaller than stored values. */
static qn_value *settle(qn_builder *b, const made *m, qn_value *lanes) {
  lanes = qn_fixed_clamp(b, lanes, m->min, m->max);
  return m->is_less ? qn_build_binary(b, QN_OP_ARITH_ADDI, lanes, splat_like(b, 128, lanes))
                    : lanes;
}

static qn_value *truncate(qn_builder *b, const made *m, bool bits, qn_value *lanes) {
  if (bits) lanes = whole_of(b, lanes);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, settle(b, m, lanes), qn_type_i(b->cx, 8));
}

qn_value *qn_epilogue_truncate(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                               qn_value *lanes) {
  const made m = made_by(epilogue, kind);
  return truncate(b, &m, kind == QN_EPILOGUE_BITS, lanes);
}

qn_value *qn_epilogue_floats(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *lanes) {
  const made m = made_by(epilogue, kind);
  const qn_type *f32 = qn_type_float(b->cx, QN_F32);
  if (kind != QN_EPILOGUE_BITS)
    return qn_vec_cast(b, QN_OP_ARITH_SITOFP, settle(b, &m, lanes), f32);
  /* BITS results are ordered like their bit patterns, and the difference from the base is exact. */
  QN_ASSERT(!m.is_less);
  lanes = qn_fixed_clamp(b, lanes, QN_FMA_BASE + m.min, QN_FMA_BASE + m.max);
  lanes = qn_vec_bitcast(b, lanes, f32);
  return qn_build_binary(b, QN_OP_ARITH_SUBF, lanes,
                         qn_build_float(b, (double)QN_FMA_BASE_VALUE, lanes->type));
}

/* Clamps bytes that saturation has already brought into the range of their signedness, if the op's
 * clamp is narrower, and flips the top bit if results are 128 smaller than stored values. */
static qn_value *finish_bytes(qn_builder *b, const made *m, qn_value *bytes) {
  int64_t lo, hi;
  qn_storage_range(8, !m->is_unsigned, &lo, &hi);
  /* i8 constants are signed, so an unsigned bound is passed as the i8 of the same bits. */
  qn_op_kind max = m->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI;
  qn_op_kind min = m->is_unsigned ? QN_OP_ARITH_MINUI : QN_OP_ARITH_MINSI;
  if (m->min > lo) bytes = qn_build_binary(b, max, bytes, splat_like(b, (int8_t)m->min, bytes));
  if (m->max < hi) bytes = qn_build_binary(b, min, bytes, splat_like(b, (int8_t)m->max, bytes));
  if (!m->is_less) return bytes;
  return qn_build_binary(b, QN_OP_ARITH_XORI, bytes, splat_like(b, -128, bytes));
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
static qn_value *halve(qn_builder *b, const made *m, bool bits, qn_value *first, qn_value *second) {
  if (!bits) return qn_vec_pack(b, first, second, false);
  if (m->unzips) return unzip(b, first, second);
  const qn_type *i16 = qn_type_i(b->cx, 16);
  second = qn_build_binary(b, QN_OP_ARITH_SHLI, second, splat_like(b, 16, second));
  int64_t mask[QN_VEC_MAX_BYTES / 2], count = 2 * qn_vec_count(first);
  for (int64_t i = 0; i < count; i++) mask[i] = i % 2 * count + i;
  first = qn_vec_bitcast(b, first, i16);
  return qn_vec_shuffle(b, first, qn_vec_bitcast(b, second, i16), mask, count);
}

static qn_value *halve_one(qn_builder *b, const made *m, bool bits, qn_value *vector) {
  if (bits && m->unzips) return unzip(b, vector, vector);
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
static qn_value *pack(qn_builder *b, const made *m, bool bits, qn_value *const *vectors,
                      uint32_t count) {
  qn_value *low =
      count > 1 ? halve(b, m, bits, vectors[0], vectors[1]) : halve_one(b, m, bits, vectors[0]);
  qn_value *high = low;
  if (count > 2)
    high =
        count > 3 ? halve(b, m, bits, vectors[2], vectors[3]) : halve_one(b, m, bits, vectors[2]);
  return finish_bytes(b, m, qn_vec_pack(b, low, high, m->is_unsigned));
}

static qn_value *narrow(qn_builder *b, const made *m, bool bits, qn_value *const *vectors,
                        uint32_t count, int64_t valid) {
  int64_t lanes = qn_vec_count(vectors[0]);
  /* One instruction on 512-bit vectors; scalars are clamped once, and not joined. */
  if (count == 1 && (lanes == 16 || m->in_scalars))
    return qn_vec_slice(b, truncate(b, m, bits, vectors[0]), 0, valid);
  qn_value *bytes = pack(b, m, bits, vectors, count);
  if (count == 4) return qn_vec_slice(b, bytes, 0, valid);
  /* Gathers the valid bytes, four at a time. */
  int64_t mask[QN_VEC_MAX_BYTES / 4], quads = (valid + 3) / 4;
  for (int64_t i = 0; i < quads; i++) mask[i] = i / count * 4 + i % count;
  qn_value *dwords = qn_vec_bitcast(b, bytes, qn_type_i(b->cx, 32));
  dwords = qn_vec_shuffle(b, dwords, dwords, mask, quads);
  return qn_vec_slice(b, qn_vec_bitcast(b, dwords, qn_type_i(b->cx, 8)), 0, valid);
}

qn_value *qn_epilogue_narrow(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *const *vectors, uint32_t count, int64_t valid) {
  const made m = made_by(epilogue, kind);
  QN_ASSERT(count >= 1 && count <= QN_EPILOGUE_MAX_VECTORS && valid > 0);
  return narrow(b, &m, kind == QN_EPILOGUE_BITS, vectors, count, valid);
}

qn_value *qn_epilogue_pack(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                           qn_value *const *vectors, uint32_t count) {
  const made m = made_by(epilogue, kind);
  QN_ASSERT(kind != QN_EPILOGUE_BITS);
  return pack(b, &m, false, vectors, count);
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
  const made m = made_by(epilogue, kind);
  int64_t lo, hi;
  QN_ASSERT(kind != QN_EPILOGUE_BITS);
  qn_storage_range(8, !m.is_unsigned, &lo, &hi);
  qn_value *even = interleave_halves(b, vectors[0], vectors[1], INT16_MIN, INT16_MAX, 16);
  qn_value *odd = interleave_halves(b, vectors[2], vectors[3], INT16_MIN, INT16_MAX, 16);
  return finish_bytes(b, &m, interleave_halves(b, even, odd, lo, hi, 8));
}

qn_value *qn_epilogue_narrow_whole(qn_builder *b, int32_t min, int32_t max, bool is_unsigned,
                                   qn_value *const *vectors, uint32_t count, int64_t valid) {
  const made m = {.min = min, .max = max, .is_unsigned = is_unsigned};
  return narrow(b, &m, false, vectors, count, valid);
}
