/* Selection of the epilogue kind of channels: a proved form with one multiply-add, of floats or of
 * integers, or the steps of the reference without a proof; and its parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/epilogue/requant.h"

#include <string.h>

#include "lower/loops/matrix/epilogue/halves.h"

static bool is_unsigned(const qn_op *op) {
  return qn_type_is_unsigned(qn_type_element(qn_op_result(op, 0)->type));
}

static qn_requant requant_of(const qn_plan_matrix *plan, int32_t centre, int64_t channel) {
  qn_requant r = {
      .rounding = qn_requant_of_channel(plan->rounding, channel, plan->channels),
      .offset = (double)plan->offset,
      .zero_point = plan->output.zero_point - centre,
      .min = plan->output.min - centre,
      .max = plan->output.max - centre,
  };
  if (plan->offsets) r.offset = plan->offsets[channel];
  if (plan->reals)
    r.real = plan->reals[channel];
  else
    r.multiplier = plan->multipliers[channel];
  return r;
}

static qn_proofs_channels all_of(const qn_epilogue *e) {
  return (qn_proofs_channels){e->requant, e->sums, NULL, e->channels};
}

/* Whether all channels have a BITS form. Its results are unsigned if those of the type are. */
static bool find_bits(qn_arena *scratch, const qn_epilogue *e, qn_fma_form *out_forms) {
  int32_t more = e->is_unsigned ? 128 : 0;
  qn_requant *whole = QN_NEW_ARRAY(scratch, (size_t)e->channels, qn_requant);
  for (int64_t c = 0; c < e->channels; c++) {
    whole[c] = e->requant[c];
    whole[c].zero_point += more, whole[c].min += more, whole[c].max += more;
  }
  qn_proofs_bits(e->proofs, (qn_proofs_channels){whole, e->sums, NULL, e->channels}, out_forms);
  bool all = true;
  for (int64_t c = 0; c < e->channels; c++) all &= out_forms[c].kind == QN_FMA_BITS;
  return all;
}

/* Searches for the truncated forms of all channels at once. If one channel needs such a form,
 * nearly all are queried, because tiles get few kinds. */
static void foresee_truncated(const qn_epilogue *e) {
  bool wanted = false;
  for (int64_t c = 0; c < e->channels; c++) wanted |= e->forms[c].kind == QN_FMA_NONE;
  if (wanted && e->rounding != QN_REQUANT_SINGLE)
    qn_proofs_truncated(e->proofs, all_of(e), e->truncated);
}

/* Whether the bits above a shift hold the initial accumulator, which is within the range of the
 * sums. */
static bool has_packed_start(const qn_epilogue *e, int64_t channel, int shift_bits) {
  const int64_t most = INT64_C(1) << (31 - shift_bits);
  const qn_interval *sums = &e->sums[channel];
  return sums->lo >= -most && sums->hi < most;
}

/* Whether one int32 can hold both the shift and the initial accumulator. Then no sum overflows when
 * a quotient is rounded. */
static bool can_pack(const qn_epilogue *e, int64_t channel) {
  return e->requant[channel].multiplier.shift < 0 &&
         has_packed_start(e, channel, QN_PACKED_SHIFT_BITS);
}

/* Whether WIDE is the requantization of a channel: 32 bits must hold the zero point. */
static bool can_widen(const qn_epilogue *e, int64_t channel) {
  enum { MOST = 20 };
  const qn_requant *r = &e->requant[channel];
  int32_t right = -r->multiplier.shift;
  bool known = r->rounding == QN_REQUANT_DOUBLE || (r->rounding == QN_REQUANT_ONCE && !e->rescales);
  return known && right >= 1 && right <= MOST && has_packed_start(e, channel, QN_WIDE_SHIFT_BITS);
}

static bool is_alike(const qn_requant *a, const qn_requant *b) {
  return a->rounding == b->rounding && a->multiplier.mantissa == b->multiplier.mantissa &&
         a->multiplier.shift == b->multiplier.shift && a->real == b->real && a->offset == b->offset;
}

/* Whether one multiplier and offset serve all channels, and any tile's kind is that of all
 * channels. */
static bool can_share(const qn_epilogue *e) {
  bool by_rounding = e->rounding == QN_REQUANT_REAL || e->rounding == QN_REQUANT_SINGLE ||
                     e->rounding == QN_REQUANT_EVEN;
  bool all = e->compact && e->starts && !e->fma && e->f32;
  for (int64_t c = 0; c < e->channels && all; c++)
    all = is_alike(&e->requant[c], &e->requant[0]) && (by_rounding || can_pack(e, c));
  return all && (by_rounding || e->requant[0].rounding == QN_REQUANT_DOUBLE);
}

/* Whether quern.rescale is the requantization of the channels. */
static bool can_rescale(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (channels[i] < 0) continue;
    const qn_requant *r = &e->requant[channels[i]];
    bool shifts = r->multiplier.shift < 0 && r->multiplier.shift >= -31;
    if (r->rounding != QN_REQUANT_DOUBLE || !shifts) return false;
  }
  return true;
}

/* Without floats: whether one LONG form, which is stored in longs[0], is proved for all
 * accumulators of all channels. */
static bool can_share_long(const qn_epilogue *e) {
  bool all = e->starts && !e->fma && !e->f32;
  qn_interval any = e->sums[0];
  for (int64_t c = 0; c < e->channels && all; c++) {
    all = is_alike(&e->requant[c], &e->requant[0]);
    if (e->sums[c].lo < any.lo) any.lo = e->sums[c].lo;
    if (e->sums[c].hi > any.hi) any.hi = e->sums[c].hi;
  }
  const int64_t first = 0;
  if (all) qn_proofs_long(e->proofs, (qn_proofs_channels){e->requant, &any, &first, 1}, e->longs);
  return all && e->longs[0].proved;
}

/* Without floats: whether quern.rescale with one multiplier serves all channels. */
static bool can_share_rescaled(const qn_epilogue *e) {
  const int64_t first = 0;
  bool all = e->starts && !e->f32 && e->rescales && can_rescale(e, &first, 1);
  for (int64_t c = 0; c < e->channels && all; c++) all = is_alike(&e->requant[c], &e->requant[0]);
  return all;
}

/* Whether the accumulator of a channel is the same for every x, because all weights are 0. */
static bool is_constant(const qn_interval *sums) {
  return sums->lo == sums->hi && qn_interval_fits_i32(*sums);
}

/* Replaces multipliers and accumulators of channels with a constant result by small ones with the
 * same result. Training leaves channels whose weights are 0, with a bias of 2^30 and a multiplier
 * near 2^-27, which WIDE has no bits for. Returns the ranges of the accumulators. */
static const qn_interval *simplify_constants(qn_arena *scratch, qn_requant *requant,
                                             const qn_interval *sums, int64_t channels) {
  enum { EIGHTH = 8 };
  qn_interval *simple = QN_NEW_ARRAY(scratch, (size_t)channels, qn_interval);
  for (int64_t c = 0; c < channels; c++) {
    simple[c] = sums[c];
    bool known = requant[c].rounding == QN_REQUANT_DOUBLE || requant[c].rounding == QN_REQUANT_ONCE;
    if (!is_constant(&sums[c]) || !known) continue;
    int32_t y = qn_requant_apply(&requant[c], (int32_t)sums[c].lo);
    requant[c].multiplier = (qn_multiplier){.mantissa = 1 << 30, .shift = -2};
    simple[c].lo = simple[c].hi = EIGHTH * (int64_t)(y - requant[c].zero_point);
    QN_ASSERT(qn_requant_apply(&requant[c], (int32_t)simple[c].lo) == y);
  }
  return simple;
}

qn_epilogue qn_epilogue_of(qn_loops *lo, const qn_op *op, const qn_plan_matrix *plan,
                           const qn_interval *sums, bool starts) {
  int64_t channels = plan->channels;
  QN_ASSERT(channels > 0);
  int32_t centre = is_unsigned(op) ? 128 : 0;
  qn_requant *requant = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_requant);
  qn_fma_form *forms = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_fma_form);
  qn_fma_form *bits = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_fma_form);
  qn_fma_form *truncated = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_fma_form);
  qn_long_form *longs = QN_NEW_ARRAY(lo->scratch, (size_t)channels, qn_long_form);
  bool shifts_left = false, simplifies = starts && !lo->target->f32;
  for (int64_t c = 0; c < channels; c++) requant[c] = requant_of(plan, centre, c);
  if (simplifies) sums = simplify_constants(lo->scratch, requant, sums, channels);
  for (int64_t c = 0; c < channels; c++) shifts_left |= requant[c].multiplier.shift > 0;
  qn_epilogue epilogue = {
      .channels = channels,
      .proofs = lo->proofs,
      .requant = requant,
      .forms = forms,
      .truncated = truncated,
      .longs = longs,
      .sums = sums,
      .fma = lo->target->fma,
      .f32 = lo->target->f32,
      .compact = lo->target->compact,
      .unzips = lo->target->unzips,
      .in_scalars = qn_dot_is_scalar(lo->target->dot),
      .rescales = lo->target->rescales,
      .multiplies_even = lo->target->multiplies_even,
      .reloads = lo->target->reloads,
      .starts = starts,
      .simplifies = simplifies,
      .zero_point = requant[0].zero_point,
      .min = requant[0].min,
      .max = requant[0].max,
      .is_unsigned = is_unsigned(op),
      .rounding = plan->rounding,
      .shifts_left = shifts_left,
  };
  epilogue.shares = can_share(&epilogue) || can_share_rescaled(&epilogue);
  if (!epilogue.shares && can_share_long(&epilogue))
    epilogue.shares = true, epilogue.packs_shift = qn_long_form_packs(&longs[0]);
  if (!epilogue.fma) return epilogue;
  if (starts) epilogue.bits = bits;
  if (starts && find_bits(lo->scratch, &epilogue, bits)) return epilogue;
  qn_proofs_fma_all(lo->proofs, all_of(&epilogue), forms);
  foresee_truncated(&epilogue);
  return epilogue;
}

static bool have_bits(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  bool all = e->bits != NULL;
  for (int64_t i = 0; i < count && all; i++)
    all = channels[i] < 0 || e->bits[channels[i]].kind == QN_FMA_BITS;
  return all;
}

/* The kind with one multiply-add and a conversion to the nearest integer; QN_EPILOGUE_KINDS if none
 * is exact. */
static qn_epilogue_kind nearest_kind_of(const qn_epilogue *e, const int64_t *channels,
                                        int64_t count) {
  bool any[] = {[QN_FMA_NONE] = false, [QN_FMA_ONE] = false, [QN_FMA_SIGNED] = false};
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0) any[e->forms[channels[i]].kind] = true;
  if (any[QN_FMA_NONE]) return QN_EPILOGUE_KINDS;
  return any[QN_FMA_SIGNED] ? QN_EPILOGUE_SIGNED : QN_EPILOGUE_ONE;
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

/* Whether all of the channels have a form of integers. */
static bool find_longs(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  qn_proofs_channels all = {e->requant, e->sums, channels, count};
  qn_proofs_long(e->proofs, all, e->longs);
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0 && !e->longs[channels[i]].proved) return false;
  return true;
}

static qn_limited limited_of(const qn_epilogue *e, int64_t channel) {
  return qn_multiplier_limited(e->requant[channel].multiplier, 31);
}

static bool are_packed(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  bool all = e->compact && e->starts;
  for (int64_t i = 0; i < count && all; i++) all = channels[i] < 0 || can_pack(e, channels[i]);
  return all;
}

static bool are_wide(const qn_epilogue *e, const int64_t *channels, int64_t count) {
  bool all = !e->f32 && e->starts;
  for (int64_t i = 0; i < count && all; i++) all = channels[i] < 0 || can_widen(e, channels[i]);
  return all;
}

/* The kind that performs the operations of the reference, which is always exact. */
static qn_epilogue_kind whole_kind_of(const qn_epilogue *e, const int64_t *channels,
                                      int64_t count) {
  if (e->rounding == QN_REQUANT_REAL) return QN_EPILOGUE_REAL;
  if (e->rounding == QN_REQUANT_SINGLE) return QN_EPILOGUE_SINGLE;
  if (e->rounding == QN_REQUANT_EVEN) return QN_EPILOGUE_EVEN;
  if (e->rounding == QN_REQUANT_ONCE) return QN_EPILOGUE_ONCE;
  for (int64_t i = 0; i < count; i++)
    if (channels[i] >= 0 && (limited_of(e, channels[i]).limit != INT64_MAX ||
                             e->requant[channels[i]].rounding != QN_REQUANT_DOUBLE))
      return QN_EPILOGUE_LIMITED;
  return are_packed(e, channels, count) ? QN_EPILOGUE_PACKED : QN_EPILOGUE_DOUBLE;
}

qn_epilogue_kind qn_epilogue_kind_of(const qn_epilogue *epilogue, const int64_t *channels,
                                     int64_t count, int64_t lanes) {
  if (epilogue->shares && !epilogue->f32) { /* all channels are like the first one */
    const int64_t first = 0;
    bool rescaled = epilogue->rescales && can_rescale(epilogue, &first, 1);
    return rescaled ? QN_EPILOGUE_RESCALED : QN_EPILOGUE_LONG;
  }
  if (epilogue->halves && lanes % 2 == 0) return QN_EPILOGUE_HALVES;
  if (are_wide(epilogue, channels, count)) return QN_EPILOGUE_WIDE;
  if (!epilogue->f32 && epilogue->rescales && can_rescale(epilogue, channels, count))
    return QN_EPILOGUE_RESCALED;
  if (!epilogue->f32 && find_longs(epilogue, channels, count)) return QN_EPILOGUE_LONG;
  if (have_bits(epilogue, channels, count)) return QN_EPILOGUE_BITS;
  qn_epilogue_kind nearest = nearest_kind_of(epilogue, channels, count);
  if (nearest > QN_EPILOGUE_RESCALED && epilogue->rescales &&
      can_rescale(epilogue, channels, count))
    return QN_EPILOGUE_RESCALED;
  if (nearest != QN_EPILOGUE_KINDS) return nearest;
  if (epilogue->rounding == QN_REQUANT_SINGLE)
    return QN_EPILOGUE_SINGLE; /* not slower than the proved forms */
  if (epilogue->fma && find_truncated(epilogue, channels, count)) return QN_EPILOGUE_TRUNCATED;
  if (epilogue->fma && find_longs(epilogue, channels, count)) return QN_EPILOGUE_LONG;
  return whole_kind_of(epilogue, channels, count);
}

bool qn_epilogue_serves(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                        int64_t count) {
  if (kind == QN_EPILOGUE_RESCALED) return can_rescale(epilogue, channels, count);
  if (kind == QN_EPILOGUE_TRUNCATED) return find_truncated(epilogue, channels, count);
  return nearest_kind_of(epilogue, channels, count) <= kind;
}

qn_epilogue_kind qn_epilogue_goal(const uint32_t tiles[QN_EPILOGUE_KINDS], qn_epilogue_kind kind,
                                  bool one_pays) {
  QN_ASSERT(kind < QN_EPILOGUE_KINDS);
  uint32_t all = 0;
  for (int k = 0; k < QN_EPILOGUE_KINDS; k++) all += tiles[k];
  if (kind <= QN_EPILOGUE_ONE && one_pays && tiles[kind] >= all / 4) return kind;
  qn_epilogue_kind goal = kind;
  for (int k = kind; k <= QN_EPILOGUE_TRUNCATED; k++)
    if (tiles[k] > 0 && k != QN_EPILOGUE_RESCALED) goal = (qn_epilogue_kind)k;
  return goal;
}

/* About 4 instructions per vector, and 3 or 4 to narrow. Three vectors are shuffled and stored in
 * two parts. */
double qn_epilogue_cycles(const qn_target *target, uint32_t vectors) {
  double parts = vectors == 3 ? 1 : 0;
  if (vectors > 1) parts += target->join_cycles;
  return 2.0 * vectors + (vectors % 4 == 0 ? 1.5 : 2) + parts;
}

uint32_t qn_epilogue_words(qn_epilogue_kind kind) {
  static const uint32_t words[] = {
      [QN_EPILOGUE_BITS] = 3,   [QN_EPILOGUE_ONE] = 3,       [QN_EPILOGUE_RESCALED] = 3,
      [QN_EPILOGUE_SIGNED] = 4, [QN_EPILOGUE_TRUNCATED] = 4, [QN_EPILOGUE_PACKED] = 2,
      [QN_EPILOGUE_DOUBLE] = 4, [QN_EPILOGUE_LIMITED] = 6,   [QN_EPILOGUE_REAL] = 3,
      [QN_EPILOGUE_ONCE] = 3,   [QN_EPILOGUE_SINGLE] = 3,    [QN_EPILOGUE_EVEN] = 5,
      [QN_EPILOGUE_WIDE] = 2,   [QN_EPILOGUE_HALVES] = 2,    [QN_EPILOGUE_LONG] = 5};
  QN_ASSERT(kind < QN_EPILOGUE_KINDS);
  return words[kind];
}

static int32_t float_bits(float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The mantissa; the shift is in the first word. */
static void fill_packed(const qn_epilogue *e, int64_t channel, int32_t *words) {
  const qn_multiplier *m = &e->requant[channel].multiplier;
  words[0] = m->shift < -31 ? 0 : m->mantissa;
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

/* Stores the int32 requantization parameters of a channel: parameter k, counted after the initial
 * accumulator, is words[k * stride]. */
static void fill_channel(const qn_epilogue *e, qn_epilogue_kind kind, int64_t channel,
                         int32_t *words, int64_t stride) {
  const qn_fma_form *form =
      kind == QN_EPILOGUE_TRUNCATED ? &e->truncated[channel] : &e->forms[channel];
  float values[QN_EPILOGUE_MAX_WORDS - 1] = {form->scale, form->offset, form->offset_negative};
  if (form->kind == QN_FMA_ONE) values[2] = form->offset;
  switch (kind) {
  case QN_EPILOGUE_BITS:
    values[0] = e->bits[channel].scale, values[1] = e->bits[channel].offset;
    break;
  case QN_EPILOGUE_ONE:
  case QN_EPILOGUE_SIGNED:
  case QN_EPILOGUE_TRUNCATED:
    break;
  case QN_EPILOGUE_PACKED:
  case QN_EPILOGUE_WIDE:
    fill_packed(e, channel, words);
    return;
  case QN_EPILOGUE_RESCALED:
    words[0] = e->requant[channel].multiplier.mantissa;
    words[stride] = e->requant[channel].multiplier.shift;
    return;
  case QN_EPILOGUE_ONCE:
    words[0] = e->requant[channel].multiplier.mantissa;
    words[stride] = 31 - e->requant[channel].multiplier.shift;
    return;
  case QN_EPILOGUE_DOUBLE:
  case QN_EPILOGUE_LIMITED:
    fill_double(e, kind, channel, words, stride);
    return;
  case QN_EPILOGUE_SINGLE:
    values[0] = (float)qn_multiplier_real(e->requant[channel].multiplier);
    values[1] = (float)e->requant[channel].offset;
    break;
  case QN_EPILOGUE_LONG: /* the offset is filled for all lanes */
    words[2 * stride] = e->longs[channel].factor;
    words[3 * stride] = e->longs[channel].shift;
    return;
  case QN_EPILOGUE_REAL:
  case QN_EPILOGUE_EVEN:
  case QN_EPILOGUE_HALVES:
  case QN_EPILOGUE_KINDS:
    return;
  }
  for (uint32_t w = 0; w + 1 < qn_epilogue_words(kind); w++)
    words[w * stride] = float_bits(values[w]);
}

static int32_t start_of(const qn_epilogue *e, qn_epilogue_kind kind, int64_t channel,
                        int32_t start) {
  if (e->simplifies && is_constant(&e->sums[channel])) start = (int32_t)e->sums[channel].lo;
  if (kind == QN_EPILOGUE_PACKED || kind == QN_EPILOGUE_WIDE) {
    int32_t right = -e->requant[channel].multiplier.shift;
    int32_t scale = 1 << (kind == QN_EPILOGUE_WIDE ? QN_WIDE_SHIFT_BITS : QN_PACKED_SHIFT_BITS);
    QN_ASSERT(start >= INT32_MIN / scale && start <= INT32_MAX / scale);
    if (kind == QN_EPILOGUE_WIDE && e->rescales) return start * scale + (uint8_t)-right;
    return start * scale + (right > 31 ? 31 : right) - 1;
  }
  if (kind != QN_EPILOGUE_BITS) return start;
  return (int32_t)((uint32_t)start + (uint32_t)e->bits[channel].start);
}

/* Writes the parameters of a channel, the initial accumulator excluded, in steps of `stride`; those
 * of two int32 of lane `lane` are adjacent. */
static void fill_lane(const qn_epilogue *e, qn_epilogue_kind kind, int64_t channel, int64_t lane,
                      int32_t *words, int64_t stride) {
  const qn_requant *r = &e->requant[channel];
  fill_channel(e, kind, channel, words + lane, stride);
  if (kind == QN_EPILOGUE_REAL || kind == QN_EPILOGUE_EVEN)
    memcpy(words + 2 * lane, &r->real, sizeof r->real);
  if (kind == QN_EPILOGUE_LONG)
    memcpy(words + 2 * lane, &e->longs[channel].offset, sizeof(int64_t));
  if (kind == QN_EPILOGUE_EVEN) memcpy(words + 2 * (stride + lane), &r->offset, sizeof r->offset);
}

void qn_epilogue_fill(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                      const int32_t *start, int64_t count, int32_t *out_words) {
  size_t words = (size_t)qn_epilogue_own_size(epilogue, kind, count);
  memset(out_words, 0, words * sizeof *out_words);
  if (kind == QN_EPILOGUE_HALVES) {
    qn_halves_fill(epilogue, channels, start, count, out_words);
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    /* A shift by 0 has no result. */
    if (channels[i] < 0 && kind == QN_EPILOGUE_RESCALED && !epilogue->shares)
      out_words[2 * count + i] = -1;
    if (channels[i] < 0 && kind == QN_EPILOGUE_ONCE) out_words[2 * count + i] = 1;
    if (channels[i] < 0 && kind == QN_EPILOGUE_WIDE && epilogue->rescales) out_words[i] = UINT8_MAX;
    if (channels[i] < 0) continue;
    QN_ASSERT(channels[i] < epilogue->channels);
    out_words[i] = start_of(epilogue, kind, channels[i], start[i]);
    if (!epilogue->shares) fill_lane(epilogue, kind, channels[i], i, out_words + count, count);
  }
}

void qn_epilogue_push_shared(const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_i32_array *params) {
  int32_t words[QN_EPILOGUE_MAX_WORDS] = {0};
  uint32_t count = qn_epilogue_shared_words(epilogue, kind);
  if (count > 0) fill_lane(epilogue, kind, 0, 0, words, 1);
  for (uint32_t w = 0; w < count; w++) qn_array_push(params, words[w]);
}
