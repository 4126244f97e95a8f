/* Requantization in kernels: the proved forms with one or two multiply-adds, and the integer form
 * where there is no proof.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/requant.h"

#include <string.h>

#include "lower/loops/fixed_point.h"

static bool is_unsigned(const qn_op *op) {
  return qn_type_is_unsigned(qn_type_element(qn_op_result(op, 0)->type));
}

static qn_requant requant_of(const qn_plan_matrix *plan, int32_t centre, int64_t channel) {
  qn_requant r = {
      .rounding = qn_requant_of_channel(plan->rounding, channel, plan->channels),
      .offset = plan->offset,
      .zero_point = plan->output.zero_point - centre,
      .min = plan->output.min - centre,
      .max = plan->output.max - centre,
  };
  if (plan->reals)
    r.real = plan->reals[channel];
  else
    r.multiplier = plan->multipliers[channel];
  return r;
}

static qn_proofs_channels all_of(const qn_epilogue *e) {
  return (qn_proofs_channels){e->requant, e->sums, NULL, e->channels};
}

/* Where one channel has no other form, nearly all are asked for this one: their tiles have, or get,
 * one kind. So it is searched for all at once. */
static void foresee_truncated(const qn_epilogue *e) {
  bool wanted = false;
  for (int64_t c = 0; c < e->channels; c++) wanted |= e->forms[c].kind == QN_FMA_NONE;
  if (wanted && e->rounding != QN_REQUANT_SINGLE)
    qn_proofs_truncated(e->proofs, all_of(e), e->truncated);
}

qn_epilogue qn_epilogue_of(qn_loops *lo, const qn_op *op, const qn_plan_matrix *plan,
                           const qn_interval *sums) {
  int64_t channels = plan->channels;
  int32_t centre = is_unsigned(op) ? 128 : 0;
  qn_requant *requant = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_requant);
  qn_fma_form *forms = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_fma_form);
  qn_fma_form *truncated = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_fma_form);
  qn_split_form *splits = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_split_form);
  bool shifts_left = false;
  for (int64_t c = 0; c < channels; c++) {
    requant[c] = requant_of(plan, centre, c);
    shifts_left |= requant[c].multiplier.shift > 0;
  }
  qn_epilogue epilogue = {
      .channels = channels,
      .proofs = lo->proofs,
      .requant = requant,
      .forms = forms,
      .truncated = truncated,
      .splits = splits,
      .sums = sums,
      .fma = lo->target->fma,
      .zero_point = requant[0].zero_point,
      .min = requant[0].min,
      .max = requant[0].max,
      .is_unsigned = is_unsigned(op),
      .rounding = plan->rounding,
      .shifts_left = shifts_left,
  };
  if (!epilogue.fma) return epilogue;
  qn_proofs_fma_all(lo->proofs, all_of(&epilogue), forms);
  foresee_truncated(&epilogue);
  return epilogue;
}

/* Whether all of the channels have a truncated form. */
static bool find_truncated(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (channels[i] < 0) continue;
    const qn_fma_form *form = &e->truncated[channels[i]];
    qn_proofs_channels one = {e->requant, e->sums, &channels[i], 1};
    if (form->kind == QN_FMA_NONE) qn_proofs_truncated(e->proofs, one, e->truncated);
    if (form->kind == QN_FMA_NONE) return false;
  }
  return true;
}

/* Whether all of the channels have a split form. */
static bool find_splits(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  qn_proofs_channels all = {e->requant, e->sums, channels, count};
  qn_proofs_split(e->proofs, all, e->splits);
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0 && !e->splits[channels[i]].proved) return false;
  return true;
}

static qn_limited limited_of(const qn_epilogue *e, int64_t channel) {
  return qn_multiplier_limited(e->requant[channel].multiplier, 31);
}

/* By the reference's own steps. */
static qn_epilogue_kind whole_kind_of(const qn_epilogue *e, const int64_t *channels,
                                      int64_t count) {
  if (e->rounding == QN_REQUANT_REAL) return QN_EPILOGUE_REAL;
  if (e->rounding == QN_REQUANT_SINGLE) return QN_EPILOGUE_SINGLE;
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0 && (limited_of(e, channels[i]).limit != INT64_MAX ||
                             e->requant[channels[i]].rounding != QN_REQUANT_DOUBLE))
      return QN_EPILOGUE_LIMITED;
  return QN_EPILOGUE_DOUBLE;
}

qn_epilogue_kind qn_epilogue_kind_of(const qn_epilogue *epilogue, const int64_t *channels,
                                     int64_t count) {
  bool any[] = {[QN_FMA_NONE] = false, [QN_FMA_ONE] = false, [QN_FMA_SIGNED] = false};
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0) any[epilogue->forms[channels[i]].kind] = true;
  if (!any[QN_FMA_NONE]) return any[QN_FMA_SIGNED] ? QN_EPILOGUE_SIGNED : QN_EPILOGUE_ONE;
  if (epilogue->rounding == QN_REQUANT_SINGLE)
    return QN_EPILOGUE_SINGLE; /* as cheap as the others */
  if (epilogue->fma && find_truncated(epilogue, channels, count)) return QN_EPILOGUE_TRUNCATED;
  if (epilogue->fma && find_splits(epilogue, channels, count)) return QN_EPILOGUE_SPLIT;
  return whole_kind_of(epilogue, channels, count);
}

bool qn_epilogue_serves(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                        int64_t count) {
  if (kind == QN_EPILOGUE_TRUNCATED) return find_truncated(epilogue, channels, count);
  if (kind == QN_EPILOGUE_SPLIT) return find_splits(epilogue, channels, count);
  return qn_epilogue_kind_of(epilogue, channels, count) <= kind;
}

qn_epilogue_kind qn_epilogue_goal(const uint32_t tiles[QN_EPILOGUE_KINDS], qn_epilogue_kind kind,
                                  bool one_pays) {
  uint32_t all = 0;
  for (int k = 0; k < QN_EPILOGUE_KINDS; k++) all += tiles[k];
  if (kind == QN_EPILOGUE_ONE && one_pays && tiles[kind] >= all / 4) return kind;
  qn_epilogue_kind goal = kind;
  for (int k = kind; k <= QN_EPILOGUE_TRUNCATED; k++)
    if (tiles[k] > 0) goal = (qn_epilogue_kind)k;
  return goal;
}

/* About four instructions per vector and three or four to narrow. Three vectors of 512 bits are
 * shuffled and stored in two parts. */
double qn_epilogue_cycles(const qn_target *target, uint32_t vectors) {
  enum { WIDE = 64 };
  double parts = vectors == 3 && target->vector_bytes == WIDE ? 1 : 0;
  return 2.0 * vectors + (vectors % 4 == 0 ? 1.5 : 2) + parts;
}

uint32_t qn_epilogue_words(qn_epilogue_kind kind) {
  static const uint32_t words[] = {
      [QN_EPILOGUE_ONE] = 3,   [QN_EPILOGUE_SIGNED] = 4, [QN_EPILOGUE_TRUNCATED] = 4,
      [QN_EPILOGUE_SPLIT] = 5, [QN_EPILOGUE_DOUBLE] = 4, [QN_EPILOGUE_LIMITED] = 6,
      [QN_EPILOGUE_REAL] = 3,  [QN_EPILOGUE_SINGLE] = 3};
  return words[kind];
}

static int32_t float_bits(float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* A multiplier below 2^-32 gives 0 for every accumulator, like a mantissa of 0. */
static void fill_double(const qn_epilogue *e, qn_epilogue_kind kind, int64_t channel,
                        int32_t *words, int64_t stride) {
  qn_limited limited = limited_of(e, channel);
  const qn_multiplier *m = &limited.multiplier;
  bool vanishes = m->shift < -31;
  words[0] = vanishes ? 0 : m->mantissa;
  words[stride] = m->shift > 0 ? m->shift : 0;
  words[2 * stride] = m->shift > 0 || vanishes ? 0 : -m->shift;
  if (kind != QN_EPILOGUE_LIMITED) return;
  words[3 * stride] = qn_sat32(limited.limit);
  words[4 * stride] = e->requant[channel].rounding == QN_REQUANT_DOUBLE;
}

/* Word k behind the start value is words[k * stride]. */
static void fill_channel(const qn_epilogue *e, qn_epilogue_kind kind, int64_t channel,
                         int32_t *words, int64_t stride) {
  const qn_fma_form *form =
      kind == QN_EPILOGUE_TRUNCATED ? &e->truncated[channel] : &e->forms[channel];
  const qn_split_form *split = &e->splits[channel];
  float values[QN_EPILOGUE_MAX_WORDS - 1] = {form->scale, form->offset, form->offset_negative};
  if (form->kind == QN_FMA_ONE) values[2] = form->offset;
  switch (kind) {
  case QN_EPILOGUE_ONE:
  case QN_EPILOGUE_SIGNED:
  case QN_EPILOGUE_TRUNCATED:
    break;
  case QN_EPILOGUE_SPLIT:
    values[0] = split->high, values[1] = split->offset, values[2] = split->offset_negative;
    values[3] = split->low;
    break;
  case QN_EPILOGUE_DOUBLE:
  case QN_EPILOGUE_LIMITED:
    fill_double(e, kind, channel, words, stride);
    return;
  case QN_EPILOGUE_SINGLE:
    values[0] = (float)qn_multiplier_real(e->requant[channel].multiplier);
    values[1] = e->requant[channel].offset;
    break;
  case QN_EPILOGUE_REAL:
  case QN_EPILOGUE_KINDS:
    return;
  }
  for (uint32_t w = 0; w + 1 < qn_epilogue_words(kind); w++)
    words[w * stride] = float_bits(values[w]);
}

void qn_epilogue_fill(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                      const int32_t *start, int64_t count, int32_t *out_words) {
  memset(out_words, 0, (size_t)(qn_epilogue_words(kind) * count) * sizeof *out_words);
  for (int64_t i = 0; i < count; i++) {
    if (channels[i] < 0) continue;
    out_words[i] = start[i];
    fill_channel(epilogue, kind, channels[i], out_words + count + i, count);
    if (kind == QN_EPILOGUE_REAL) /* doubles of all lanes, one behind the other */
      memcpy(out_words + count + 2 * i, &epilogue->requant[channels[i]].real, sizeof(double));
  }
}

/* ---- in the kernel ---- */

/* How results of the kind are made. */
typedef struct made {
  int32_t zero_point, min, max;
  bool is_unsigned; /* narrowed to unsigned bytes */
  bool is_less;     /* than those of the type, by 128 */
} made;

static made made_by(const qn_epilogue *e, qn_epilogue_kind kind) {
  bool whole = e->is_unsigned && kind != QN_EPILOGUE_ONE && kind != QN_EPILOGUE_SIGNED;
  int32_t more = whole ? 128 : 0;
  return (made){.zero_point = e->zero_point + more,
                .min = e->min + more,
                .max = e->max + more,
                .is_unsigned = whole,
                .is_less = e->is_unsigned && !whole};
}

qn_epilogue_params qn_epilogue_load(qn_builder *b, qn_epilogue_kind kind, qn_value *params,
                                    qn_value *index, int64_t offset, int64_t lanes) {
  qn_epilogue_params out = {{NULL}};
  if (kind == QN_EPILOGUE_REAL) {
    qn_value *words = qn_vec_load(b, params, index, offset + lanes, 2 * lanes);
    out.words[0] = qn_vec_bitcast(b, words, qn_type_float(b->cx, QN_F64));
    return out;
  }
  for (uint32_t w = 0; w + 1 < qn_epilogue_words(kind); w++) {
    out.words[w] = qn_vec_load(b, params, index, offset + (w + 1) * lanes, lanes);
    if (kind != QN_EPILOGUE_DOUBLE && kind != QN_EPILOGUE_LIMITED)
      out.words[w] = qn_vec_bitcast(b, out.words[w], qn_type_float(b->cx, QN_F32));
  }
  return out;
}

static qn_value *splat_like(qn_builder *b, int64_t value, const qn_value *like) {
  return qn_build_int(b, value, like->type);
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

/* See quant/split_form.h. */
static qn_value *apply_split(qn_builder *b, const made *m, const qn_epilogue_params *params,
                             qn_value *x, qn_value *offset, const qn_value *acc) {
  qn_value *high = params->words[0], *low = params->words[3];
  qn_value *whole = round_to_int(b, qn_build_binary(b, QN_OP_ARITH_MULF, x, high), acc);
  qn_value *n = qn_build_unary(b, QN_OP_ARITH_SITOFP, whole, x->type);
  qn_value *rest = multiply_add(b, x, high, qn_build_unary(b, QN_OP_ARITH_NEGF, n, x->type));
  rest = qn_build_binary(b, QN_OP_ARITH_ADDF, rest, multiply_add(b, x, low, offset));
  whole = qn_build_binary(b, QN_OP_ARITH_ADDI, whole, round_to_int(b, rest, acc));
  return add_whole(b, whole, m->zero_point);
}

static qn_value *apply_float(qn_builder *b, const made *m, qn_epilogue_kind kind,
                             const qn_epilogue_params *params, qn_value *acc) {
  qn_value *offset = params->words[1];
  if (kind != QN_EPILOGUE_ONE) {
    qn_value *negative = qn_build_cmpi(b, QN_CMP_SLT, acc, splat_like(b, 0, acc));
    offset = qn_build_select(b, negative, params->words[2], offset);
  }
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F32));
  if (kind == QN_EPILOGUE_SPLIT) return apply_split(b, m, params, x, offset, acc);
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

/* round(acc * multiplier) in double. Clamped before the conversion, which must not overflow. */
static qn_value *apply_real(qn_builder *b, const made *m, const qn_epilogue_params *params,
                            qn_value *acc) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, acc, qn_type_float(b->cx, QN_F64));
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, params->words[0]);
  x = qn_build_unary(b, QN_OP_MATH_ROUND, x, x->type);
  x = qn_fixed_clamp_float(b, x, (double)m->min - m->zero_point, (double)m->max - m->zero_point);
  return add_zero_point(b, m, qn_vec_cast(b, QN_OP_ARITH_FPTOSI, x, qn_type_i(b->cx, 32)));
}

static qn_value *apply_single(qn_builder *b, const made *m, const qn_epilogue_params *params,
                              qn_value *acc) {
  double lo = (double)m->min - m->zero_point, hi = (double)m->max - m->zero_point;
  return add_zero_point(
      b, m, qn_fixed_requant_single(b, acc, params->words[0], params->words[1], lo, hi));
}

qn_value *qn_epilogue_apply(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                            const qn_epilogue_params *params, qn_value *acc) {
  const made m = made_by(epilogue, kind);
  bool is_whole = kind == QN_EPILOGUE_DOUBLE || kind == QN_EPILOGUE_LIMITED;
  if (kind == QN_EPILOGUE_LIMITED) acc = qn_fixed_limit(b, acc, params->words[3]);
  if (is_whole && epilogue->shifts_left)
    acc = qn_build_binary(b, QN_OP_ARITH_SHLI, acc, params->words[1]);
  if (kind == QN_EPILOGUE_DOUBLE) return apply_double(b, &m, params, acc, NULL);
  if (kind == QN_EPILOGUE_LIMITED) return apply_double(b, &m, params, acc, params->words[4]);
  if (kind == QN_EPILOGUE_REAL) return apply_real(b, &m, params, acc);
  if (kind == QN_EPILOGUE_SINGLE) return apply_single(b, &m, params, acc);
  return apply_float(b, &m, kind, params, acc);
}

qn_value *qn_epilogue_truncate(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                               qn_value *lanes) {
  const made m = made_by(epilogue, kind);
  lanes = qn_fixed_clamp(b, lanes, m.min, m.max);
  if (m.is_less) lanes = qn_build_binary(b, QN_OP_ARITH_ADDI, lanes, splat_like(b, 128, lanes));
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, lanes, qn_type_i(b->cx, 8));
}

/* Saturation has brought the bytes into the range of their signedness; this is for a narrower
 * clamp, and for the 128 that results are less, whose addition is a change of the top bit. */
static qn_value *finish_bytes(qn_builder *b, const made *m, qn_value *bytes) {
  int64_t lo, hi;
  qn_storage_range(8, !m->is_unsigned, &lo, &hi);
  /* i8 constants are signed: an unsigned bound is given by its bits. */
  qn_op_kind max = m->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI;
  qn_op_kind min = m->is_unsigned ? QN_OP_ARITH_MINUI : QN_OP_ARITH_MINSI;
  if (m->min > lo) bytes = qn_build_binary(b, max, bytes, splat_like(b, (int8_t)m->min, bytes));
  if (m->max < hi) bytes = qn_build_binary(b, min, bytes, splat_like(b, (int8_t)m->max, bytes));
  if (!m->is_less) return bytes;
  return qn_build_binary(b, QN_OP_ARITH_XORI, bytes, splat_like(b, -128, bytes));
}

qn_value *qn_epilogue_narrow(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *const *vectors, uint32_t count, int64_t valid) {
  const made m = made_by(epilogue, kind);
  int64_t lanes = qn_vec_count(vectors[0]);
  if (count == 1 && lanes == 16) /* one instruction on 512-bit vectors */
    return qn_vec_slice(b, qn_epilogue_truncate(b, epilogue, kind, vectors[0]), 0, valid);
  qn_value *last = vectors[count - 1];
  qn_value *low = qn_vec_pack(b, vectors[0], count > 1 ? vectors[1] : last, false);
  qn_value *high =
      count > 2 ? qn_vec_pack(b, vectors[2], count > 3 ? vectors[3] : last, false) : low;
  qn_value *bytes = finish_bytes(b, &m, qn_vec_pack(b, low, high, m.is_unsigned));
  if (count == 4) return qn_vec_slice(b, bytes, 0, valid);
  /* Of each 16 bytes the first 4 * count are results: move them together, four at a time. */
  int64_t mask[QN_VEC_MAX_BYTES / 4], quads = (valid + 3) / 4;
  for (int64_t i = 0; i < quads; i++) mask[i] = i / count * 4 + i % count;
  qn_value *dwords = qn_vec_bitcast(b, bytes, qn_type_i(b->cx, 32));
  dwords = qn_vec_shuffle(b, dwords, dwords, mask, quads);
  return qn_vec_slice(b, qn_vec_bitcast(b, dwords, qn_type_i(b->cx, 8)), 0, valid);
}
