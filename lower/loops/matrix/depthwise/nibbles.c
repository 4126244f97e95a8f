/* Depthwise convolution with saturating byte products. Each weight is split into two nibbles, so
 * small that the products of all taps can be summed in 16 bits, 32 channels at a time on 256-bit
 * vectors.
 *
 *   w = 16 * high + low
 *   sum w * x = 16 * sum high * x + sum low * x
 *
 * A sum over bytes up to 255 fits if the magnitudes of its nibbles sum to at most 128; then no pair
 * saturates either. For up to 16 taps of 8 bits the low nibbles always fit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/products.h"

typedef qn_depthwise_emitter emitter;

enum {
  LARGEST_SUM = 128,
  MOST_TAPS = 25 /* maximum taps, because they are unrolled */,
  HALVES = 2,
  DIGITS = 2
};

static bool nibbles_fit(const qn_weights *weights) {
  if (weights->taps > MOST_TAPS) return false;
  for (int64_t c = 0; c < weights->channels; c++) {
    int64_t lows = 0, highs = 0;
    for (int64_t t = 0; t < weights->taps; t++) {
      int32_t w = qn_weights_of(weights, c)[t], low = qn_depthwise_low(w);
      lows += abs(low);
      highs += abs((w - low) / 16);
    }
    if (lows > LARGEST_SUM || highs > LARGEST_SUM) return false;
  }
  return true;
}

const char *qn_depthwise_no_nibbles(const qn_weights *weights) {
  if (!weights->constant) return "weights are not constant";
  return nibbles_fit(weights) ? NULL : "their sums exceed 16 bits";
}

void qn_depthwise_pack_nibbles(qn_depthwise *d, const qn_depthwise_block *block) {
  for (uint32_t p = 0; p < d->product_count; p++)
    for (int64_t half = 0; half < HALVES; half++)
      for (int high = 0; high < DIGITS; high++)
        for (int64_t lane = 0; lane < block->width / 2; lane++)
          for (uint32_t k = 0; k < d->variant.group; k++) {
            int64_t channel = qn_depthwise_nibble_channel(half, lane);
            int32_t w = qn_depthwise_weight(d, block, p, k, channel), low = qn_depthwise_low(w);
            qn_array_push(&d->packed, (uint8_t)(high ? (w - low) / 16 : low));
          }
}

/* sum + the products of a pair of taps with one nibble (low or high) of their weights. */
static qn_value *add_nibble(emitter *e, qn_value *sum, qn_value *pair, qn_value *nibbles) {
  bool x_unsigned = qn_dot_sees_unsigned(e->d->dot, e->d->weights->x_unsigned);
  return qn_dot_build_narrow(e->b, e->d->dot, sum, pair, nibbles, x_unsigned);
}

/* acc + low + 16 * high for the lanes of half `half` of each 128 bits: pairs (low, high) times (1,
 * 16). */
static qn_value *join(emitter *e, qn_value *low, qn_value *high, int64_t half, qn_value *acc) {
  int64_t count = qn_vec_count(low), mask[QN_VEC_MAX_BYTES];
  for (int64_t i = 0; i < count; i++) mask[i] = i % 2 * count + i / 8 * 8 + half * 4 + i % 8 / 2;
  qn_value *pairs = qn_vec_shuffle(e->b, low, high, mask, count);
  qn_value *weights = qn_vec_splat(e->b, 1 | 16 << 16, e->i32, count / 2);
  weights = qn_vec_bitcast(e->b, weights, e->i16);
  return qn_products_of_pairs(e->b, acc, pairs, weights);
}

/* The accumulators of one pixel. */
typedef struct digit_sums {
  qn_value *pairs[HALVES],
      *last; /* the current pair of taps, interleaved; the last tap that has no partner yet */
  qn_value *of[HALVES][DIGITS];
} digit_sums;

static void load_taps(emitter *e, qn_value *x, uint32_t product, digit_sums *s) {
  qn_value *taps[2];
  for (uint32_t i = 0; i < 2; i++)
    taps[i] = s->last = qn_depthwise_tap_at(e, x, 2 * product + i, s->last);
  qn_depthwise_interleave(e, taps, s->pairs);
}

void qn_depthwise_nibbles(emitter *e, qn_depthwise_pixels *p) {
  const qn_depthwise *d = e->d;
  digit_sums sums[QN_DEPTHWISE_PIXELS] = {{{NULL}, NULL, {{NULL}}}};
  int64_t width = e->block->width;
  for (uint32_t n = 0; n < d->product_count; n++) {
    for (int64_t i = 0; i < p->count; i++) load_taps(e, p->x[i], n, &sums[i]);
    for (int64_t part = 0; part < HALVES * DIGITS; part++) {
      int64_t half = part / DIGITS, digit = part % DIGITS;
      int64_t at = n * qn_depthwise_stride(e) + part * width;
      qn_value *nibbles = qn_vec_load(e->b, e->packed, e->weights_at, at, width);
      for (int64_t i = 0; i < p->count; i++) {
        qn_value **sum = &sums[i].of[half][digit];
        *sum = add_nibble(e, *sum, sums[i].pairs[half], nibbles);
      }
    }
  }
  for (uint32_t v = 0; v < d->variant.vectors; v++)
    for (int64_t i = 0; i < p->count; i++) {
      qn_value *const *of = sums[i].of[v / 2], **acc = &p->sums[i * d->variant.vectors + v];
      *acc = join(e, of[0], of[1], v % 2, *acc);
    }
}
