/* Fit tests of quads (fits.h). Sums of weights by sign are stored as bytes, so that the compiler
 * vectorizes the comparisons.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/steps/fits.h"

#include <string.h>

#include "base/check.h"

_Static_assert(UINT8_MAX * -QN_GREATEST_SUM >= INT16_MIN, "negative sums have as much room");

bool qn_sums_fit_16(const int32_t *weights, uint32_t count) {
  int64_t positive = 0, negative = 0;
  for (uint32_t i = 0; i < count; i++) {
    positive += weights[i] > 0 ? weights[i] : 0;
    negative -= weights[i] < 0 ? weights[i] : 0;
  }
  return positive <= QN_GREATEST_SUM && negative <= QN_GREATEST_SUM;
}

bool qn_signed_sums_fit_16(const int32_t *weights, uint32_t count) {
  const int64_t smallest = INT8_MIN, largest = INT8_MAX;
  int64_t low = 0, high = 0;
  for (uint32_t i = 0; i < count; i++) {
    low += weights[i] * (weights[i] > 0 ? smallest : largest);
    high += weights[i] * (weights[i] > 0 ? largest : smallest);
  }
  return low >= INT16_MIN && high <= INT16_MAX;
}

/* ---- sums of the two weights of a lane, by sign ---- */

enum {
  CHUNK = 16, /* 16-bit lanes compared at once */
  FLIPS = 4,  /* complement masks of two bytes; bit i: byte i */
  TOO_MUCH = UINT8_MAX,
};

struct qn_quad_sums {
  uint8_t *by_flips[FLIPS]; /* [vector][chunk][positive, negative][CHUNK] */
  bool fits;                /* without complementing */
  uint8_t largest;
};

typedef qn_quad_fits fits;
typedef qn_quad_sums sums;

static uint8_t *chunk_of(const fits *f, const sums *of, int flips, uint32_t v, uint32_t chunk) {
  return of->by_flips[flips] + (v * f->chunks + chunk) * 2 * CHUNK;
}

/* Sums by sign of the two weights of a 16-bit lane, for each complement mask. A weight of -128
 * cannot be negated in a byte, so its byte is never complemented. */
static void sum_pair(const int16_t *w, uint8_t *to[FLIPS]) {
  int32_t positive[2][2], negative[2][2]; /* [weight][complemented] */
  for (int i = 0; i < 2; i++) {
    int32_t more = w[i] > 0 ? w[i] : 0, less = w[i] < 0 ? -w[i] : 0;
    positive[i][0] = more, negative[i][0] = less;
    positive[i][1] = w[i] == INT8_MIN ? TOO_MUCH : less, negative[i][1] = more;
  }
  for (int f = 0; f < FLIPS; f++) {
    int32_t more = positive[0][f & 1] + positive[1][f >> 1];
    int32_t less = negative[0][f & 1] + negative[1][f >> 1];
    bool fit = more <= QN_GREATEST_SUM && less <= QN_GREATEST_SUM;
    to[f][0] = fit ? (uint8_t)more : TOO_MUCH;
    to[f][CHUNK] = fit ? (uint8_t)less : TOO_MUCH;
  }
}

static void sum_quad(const fits *f, const qn_quad *quad, sums *out) {
  size_t bytes = (size_t)f->vectors * f->chunks * 2 * CHUNK;
  uint8_t *memory = qn_arena_alloc(f->scratch, FLIPS * bytes), *to[FLIPS];
  for (int i = 0; i < FLIPS; i++) out->by_flips[i] = memory + (size_t)i * bytes;
  const int16_t *w = quad->weights;
  for (uint32_t v = 0; v < f->vectors; v++)
    for (uint32_t h = 0; h < 2 * f->lanes; h++, w += 2) {
      for (int i = 0; i < FLIPS; i++) to[i] = chunk_of(f, out, i, v, h / CHUNK) + h % CHUNK;
      sum_pair(w, to);
    }
  for (size_t i = 0; i < bytes; i++)
    out->largest = memory[i] > out->largest ? memory[i] : out->largest;
  out->fits = out->largest != TOO_MUCH;
}

qn_quad_fits qn_quad_fits_of(qn_arena *scratch, const qn_step_source *source) {
  fits f = {.scratch = scratch,
            .lanes = source->lanes,
            .vectors = source->vectors,
            .count = source->count,
            .chunks = (uint32_t)((2 * source->lanes + CHUNK - 1) / CHUNK),
            .sums = QN_NEW_ARRAY(scratch, source->count + 1, sums)};
  for (uint32_t q = 0; q < f.count; q++) sum_quad(&f, &source->quads[q], &f.sums[q]);
  size_t weights = (size_t)f.lanes * f.vectors * QN_QUAD;
  qn_quad zeros = {0, QN_NEW_ARRAY(scratch, weights, int16_t)};
  sum_quad(&f, &zeros, &f.sums[f.count]);
  return f;
}

/* ---- fit tests ---- */

uint8_t qn_quad_greatest(const fits *f, uint32_t a) { return f->sums[a].largest; }

bool qn_quad_fits_alone(const fits *f, uint32_t a) { return f->sums[a].fits; }

/* A complement mask of two bytes for each of the quads a and b. */
typedef struct flips {
  int a, b;
} flips;

/* Clears `fit` in the lanes where the sums of a plus those of b are too large. */
static void keep_fitting(const uint8_t *restrict a, const uint8_t *restrict b,
                         uint8_t *restrict fit) {
  for (int i = 0; i < CHUNK; i++) {
    uint8_t positive = (uint8_t)(QN_GREATEST_SUM - b[i]);
    uint8_t negative = (uint8_t)(QN_GREATEST_SUM - b[CHUNK + i]);
    fit[i] &= (uint8_t)((b[i] != TOO_MUCH) & (a[i] <= positive) & (a[CHUNK + i] <= negative));
  }
}

/* Sets fit[lane] to whether the lane of the chunk fits in all vectors under masks `by`. */
static void fit_chunk(const fits *f, const sums *a, const sums *b, flips by, uint32_t chunk,
                      uint8_t *fit) {
  memset(fit, 1, CHUNK);
  for (uint32_t v = 0; v < f->vectors; v++)
    keep_fitting(chunk_of(f, a, by.a, v, chunk), chunk_of(f, b, by.b, v, chunk), fit);
}

static bool is_full(const uint8_t *fit) {
  uint8_t all = 1;
  for (int i = 0; i < CHUNK; i++) all &= fit[i];
  return all;
}

bool qn_quads_fit(const fits *f, uint32_t a, uint32_t b) {
  QN_ASSERT(a < f->count && b < f->count);
  uint8_t fit[CHUNK];
  for (uint32_t c = 0; c < f->chunks; c++) {
    fit_chunk(f, &f->sums[a], &f->sums[b], (flips){0, 0}, c, fit);
    if (!is_full(fit)) return false;
  }
  return true;
}

/* The masks that a search tries. Complementing all bytes of both quads only swaps the positive and
 * negative sums, so masks that leave byte 0 of `a` alone cover all cases. */
typedef struct ways {
  int step_of_a, of_b;
} ways;
static const ways all_ways[] = {[QN_FLIP_FIRST] = {1, 1}, [QN_FLIP_BOTH] = {2, FLIPS}};

bool qn_quads_fit_flipped(const fits *f, uint32_t a, uint32_t b, qn_flip_ways tried) {
  const ways *w = &all_ways[tried];
  uint8_t any[CHUNK], fit[CHUNK];
  for (uint32_t c = 0; c < f->chunks; c++) {
    memset(any, 0, sizeof any);
    for (flips by = {0, 0}; by.a < FLIPS; by.a += w->step_of_a)
      for (by.b = 0; by.b < w->of_b; by.b++) {
        fit_chunk(f, &f->sums[a], &f->sums[b], by, c, fit);
        for (int i = 0; i < CHUNK; i++) any[i] |= fit[i];
      }
    if (!is_full(any)) return false;
  }
  return true;
}

/* ---- flips ---- */

/* Stores mask `by` for the lanes of the chunk that fit. */
static void set_flips(const fits *f, flips by, uint32_t chunk, const uint8_t *fit, uint8_t *out) {
  for (uint32_t i = 0; i < CHUNK; i++) {
    uint32_t h = chunk * CHUNK + i, at = h % 2 * 2;
    if (h >= 2 * f->lanes || !fit[i]) continue;
    uint32_t set = (uint32_t)by.a << at | (uint32_t)by.b << (QN_QUAD + at);
    uint32_t own = 3U << at | 3U << (QN_QUAD + at);
    out[h / 2] = (uint8_t)((out[h / 2] & ~own) | set);
  }
}

const uint8_t *qn_quads_flips(const fits *f, uint32_t a, uint32_t b, qn_flip_ways tried) {
  const ways *w = &all_ways[tried];
  uint8_t *out = qn_arena_alloc(f->scratch, (size_t)f->lanes), fit[CHUNK];
  for (uint32_t c = 0; c < f->chunks; c++)
    for (flips by = {FLIPS - w->step_of_a, 0}; by.a >= 0; by.a -= w->step_of_a)
      for (by.b = w->of_b - 1; by.b >= 0; by.b--) {
        fit_chunk(f, &f->sums[a], &f->sums[b], by, c, fit);
        set_flips(f, by, c, fit, out);
      }
  return out;
}

const uint8_t *qn_quad_own_flips(const fits *f, uint32_t a) {
  uint8_t *out = qn_arena_alloc(f->scratch, (size_t)(f->vectors * f->lanes));
  for (uint32_t v = 0; v < f->vectors; v++)
    for (uint32_t h = 0; h < 2 * f->lanes; h++) {
      int by = 0;
      while (chunk_of(f, &f->sums[a], by, v, h / CHUNK)[h % CHUNK] == TOO_MUCH) by++;
      QN_ASSERT(by < FLIPS);
      out[v * f->lanes + h / 2] |= (uint8_t)(by << h % 2 * 2);
    }
  return out;
}
