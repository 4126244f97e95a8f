/* Search, proof and parameters of the form HALVES.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/epilogue/halves.h"

enum {
  PAIR = 2,
  HALF_BITS = 16,
  MOST_LOW_BITS = 4,
  MOST_SHIFT_BITS = 3,
  MOST_RIGHT = 20,
  NEAR = 4
};

/* ---- search ---- */

static qn_multiplier multiplier_of(const qn_requant *r) {
  return qn_requant_is_real(r->rounding) ? qn_multiplier_of(r->real) : r->multiplier;
}

/* Whether parameters of 8 bytes per channel, a bias of 4 among them, would make the function's
 * constants larger than 1.1 times weights and biases. Constants of the function have 12 bytes per
 * channel beside the weights: bias, multiplier and shift. In larger functions, which have more
 * kernels, the additional code is larger than what is saved. */
static bool is_mostly_parameters(const qn_loops *lo) {
  enum { MOST = 1 << 14, OWN = 12, WIDE = 8, BIAS = 4 };
  const int64_t weights = lo->constant_bytes - OWN * lo->channels;
  return lo->constant_bytes <= MOST &&
         10 * (weights + WIDE * lo->channels) > 11 * (weights + BIAS * lo->channels);
}

/* Whether any product that the target may choose takes x as it is, so that accumulators begin with
 * their bias. */
static bool starts_with_bias(const qn_target *target, bool x_unsigned) {
  return qn_dot_takes(target->dot, x_unsigned) &&
         (!target->across || qn_dot_takes(target->across, x_unsigned));
}

/* Whether the target computes WIDE by a multiply-add of the high word or by quern.rescale, the op
 * is rounded in a way that the form may have, and its constants are worth some instructions per
 * channel. LONG, which replaces products in double, takes 20 bytes per channel. */
static bool is_wanted(const qn_loops *lo, const qn_epilogue *e, const qn_weights *weights) {
  if (e->rounding != QN_REQUANT_REAL && !is_mostly_parameters(lo)) return false;
  if (!weights->constant || !starts_with_bias(lo->target, weights->x_unsigned)) return false;
  bool known = e->rounding == QN_REQUANT_DOUBLE || e->rounding == QN_REQUANT_ONCE ||
               e->rounding == QN_REQUANT_REAL;
  return known && !e->f32 && !e->shares && e->starts && e->channels >= PAIR;
}

/* How many bits of the initial accumulators do not fit in 16; more than MOST_LOW_BITS if too many.
 */
static int32_t low_bits_of(const qn_halves *h, int64_t channels) {
  int32_t bits = 0;
  for (int64_t c = 0; c < channels; c++)
    while (bits <= MOST_LOW_BITS && (int16_t)(h->starts[c] >> bits) != h->starts[c] >> bits) bits++;
  return bits;
}

/* Finds the range of the right shifts. */
static bool find_shifts(const qn_epilogue *e, qn_halves *h) {
  int32_t least = MOST_RIGHT + 1, most = 0;
  for (int64_t c = 0; c < e->channels; c++) {
    const int32_t right = -multiplier_of(&e->requant[c]).shift;
    /* A simplified channel has another start, and a shift far from the others'. */
    if (e->simplifies && e->sums[c].lo == e->sums[c].hi) return false;
    if (right < least) least = right;
    if (right > most) most = right;
  }
  h->right = least;
  while ((most - least) >> h->shift_bits > 0) h->shift_bits++;
  return least >= 1 && most <= MOST_RIGHT && h->shift_bits <= MOST_SHIFT_BITS;
}

/* Whether both functions are equal on the range of the steps. */
static bool are_equal(const qn_steps *a, const qn_steps *b) {
  bool equal = b->found && a->first == b->first && a->last == b->last;
  for (int32_t i = 0; equal && i < a->last - a->first; i++)
    equal = a->thresholds[i] == b->thresholds[i];
  return equal;
}

/* Finds the mantissa of a channel, near that of the reference. */
static bool find_factor(const qn_epilogue *e, qn_halves *h, int64_t channel) {
  const int64_t unit = INT64_C(1) << (h->low_bits + h->shift_bits);
  const qn_requant *r = &e->requant[channel];
  const qn_interval range = e->sums[channel];
  /* twice the accumulator fits int32 */
  if (range.lo < INT32_MIN / 2 || range.hi > INT32_MAX / 2) return false;
  qn_steps reference, own;
  qn_steps_find(r, range, &reference);
  const qn_multiplier m = multiplier_of(r);
  const int64_t low = h->starts[channel] & ((1 << h->low_bits) - 1);
  const int64_t fields = (int64_t)(-m.shift - h->right) * (1 << h->low_bits) + low;
  const int64_t centre = (m.mantissa & ~(unit - 1)) + fields;
  for (int64_t i = 0; reference.found && i < 2 * NEAR; i++) {
    const int64_t factor = centre + (i % 2 ? i / 2 + 1 : -i / 2) * unit;
    if (factor < 1 || factor > INT32_MAX) continue;
    qn_requant form = *r;
    form.rounding = h->once ? QN_REQUANT_ONCE : QN_REQUANT_DOUBLE;
    form.multiplier = (qn_multiplier){(int32_t)factor, m.shift};
    qn_steps_find(&form, range, &own);
    if (!are_equal(&reference, &own)) continue;
    h->factors[channel] = (int32_t)factor;
    return true;
  }
  return false;
}

void qn_halves_find(qn_loops *lo, qn_epilogue *epilogue, const qn_weights *weights) {
  if (!is_wanted(lo, epilogue, weights)) return;
  const int64_t channels = epilogue->channels;
  qn_halves *h = QN_NEW(lo->scratch, qn_halves);
  *h = (qn_halves){.factors = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t),
                   .starts = QN_NEW_ARRAY(lo->scratch, (size_t)channels, int32_t),
                   .once = epilogue->rounding != QN_REQUANT_DOUBLE};
  h->rescales = epilogue->rescales && !h->once;
  for (int64_t c = 0; c < channels; c++) h->starts[c] = weights->bias[c];
  h->low_bits = low_bits_of(h, channels);
  bool proved = h->low_bits <= MOST_LOW_BITS && find_shifts(epilogue, h);
  for (int64_t c = 0; c < channels && proved; c++) proved = find_factor(epilogue, h, c);
  if (proved) epilogue->halves = h;
}

void qn_halves_fill(const qn_epilogue *epilogue, const int64_t *channels, const int32_t *start,
                    int64_t count, int32_t *out_words) {
  const qn_halves *h = epilogue->halves;
  QN_ASSERT(h && count % PAIR == 0);
  for (int64_t i = 0; i < count; i++) {
    if (channels[i] < 0) continue;
    QN_ASSERT(start[i] == h->starts[channels[i]]);
    const uint32_t half = (uint16_t)(h->starts[channels[i]] >> h->low_bits);
    uint32_t word = (uint32_t)out_words[i / PAIR] | half << (i % PAIR * HALF_BITS);
    out_words[i / PAIR] = (int32_t)word;
    out_words[count / PAIR + i] = h->factors[channels[i]];
  }
}

/* ---- in the kernel ---- */

static qn_value *load_factors(qn_builder *b, qn_value *params, qn_value *index, int64_t offset,
                              int64_t lanes) {
  return qn_vec_load(b, params, index, offset + lanes / PAIR, lanes);
}

qn_value *qn_halves_load_start(qn_builder *b, const qn_halves *halves, qn_value *params,
                               qn_value *index, int64_t offset, int64_t lanes, int32_t scale) {
  qn_value *pairs = qn_vec_load(b, params, index, offset, lanes / PAIR);
  qn_value *start = qn_vec_bitcast(b, pairs, qn_type_i(b->cx, HALF_BITS));
  start = qn_vec_cast(b, QN_OP_ARITH_EXTSI, start, qn_type_i(b->cx, 32));
  const int32_t up = scale + halves->low_bits;
  if (up > 0) start = qn_build_binary_int(b, QN_OP_ARITH_SHLI, start, up);
  if (halves->low_bits == 0) return start;
  qn_value *low = load_factors(b, params, index, offset, lanes);
  low = qn_build_binary_int(b, QN_OP_ARITH_ANDI, low, (1 << halves->low_bits) - 1);
  if (scale > 0) low = qn_build_binary_int(b, QN_OP_ARITH_SHLI, low, scale);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, start, low);
}

qn_epilogue_params qn_halves_load(qn_builder *b, const qn_halves *halves, qn_value *params,
                                  qn_value *index, int64_t offset, int64_t lanes) {
  qn_value *factors = load_factors(b, params, index, offset, lanes), *more = factors;
  const int32_t left = -halves->right;
  if (halves->shift_bits == 0 && halves->rescales)
    return (qn_epilogue_params){.words = {factors, qn_build_int(b, left, factors->type)}};
  if (halves->shift_bits == 0) return (qn_epilogue_params){.words = {factors}};
  if (halves->low_bits > 0)
    more = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, more, halves->low_bits);
  more = qn_build_binary_int(b, QN_OP_ARITH_ANDI, more, (1 << halves->shift_bits) - 1);
  if (halves->rescales)
    more = qn_build_binary(b, QN_OP_ARITH_SUBI, qn_build_int(b, left, more->type), more);
  return (qn_epilogue_params){.words = {factors, more}};
}
