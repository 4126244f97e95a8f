/* Searching steps: quads that are hard to pair look for a partner first.
 *
 * Sums of weights by sign are kept for all ways to complement the first quad's bytes, in bytes, so
 * that a compiler makes vectors of the comparisons.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static const qn_step_form forms[QN_STEP_KINDS] = {
    [QN_STEP_PLAIN] = {.quads = 1},
    [QN_STEP_PAIR] = {.quads = 2},
    [QN_STEP_SHARED_PAIR] = {.quads = 2, .shared = true},
    [QN_STEP_SHARED] = {.quads = 1, .shared = true},
    [QN_STEP_MASKED] = {.quads = 1, .owned = true},
};

const qn_step_form *qn_step_form_of(qn_step_kind kind) { return &forms[kind]; }

uint32_t qn_step_rows(qn_step_kind kind, uint32_t vectors) {
  const qn_step_form *form = &forms[kind];
  return vectors * (form->quads + form->owned) + form->shared;
}

double qn_steps_operations(const uint32_t *steps, uint32_t vectors) {
  double operations = 0;
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++) {
    const double loop = 2; /* to begin and to end it, per vector of sums */
    operations += steps[k] * qn_step_operations(k, vectors) + (steps[k] > 0 ? loop : 0);
  }
  return operations;
}

/* Per quad a product of bytes; widened and added once, as sums of quads before. */
double qn_step_operations(qn_step_kind kind, uint32_t vectors) {
  const qn_step_form *form = &forms[kind];
  return 2.0 * form->quads + 1 + form->owned + (form->shared ? 1.0 / vectors : 0);
}

/* ---- the proof ---- */

enum { GREATEST_SUM = INT16_MAX / UINT8_MAX }; /* of the weights of a sign */
_Static_assert(UINT8_MAX * -GREATEST_SUM >= INT16_MIN, "negative sums have as much room");

bool qn_sums_fit_16(const int32_t *weights, uint32_t count) {
  int64_t positive = 0, negative = 0;
  for (uint32_t i = 0; i < count; i++) {
    positive += weights[i] > 0 ? weights[i] : 0;
    negative -= weights[i] < 0 ? weights[i] : 0;
  }
  return positive <= GREATEST_SUM && negative <= GREATEST_SUM;
}

/* ---- sums of the two weights of a lane, by sign ---- */

enum {
  CHUNK = 16, /* sums that are compared at once */
  FLIPS = 4,  /* ways to complement two bytes: bit i, byte i */
  TOO_MUCH = UINT8_MAX,
};

typedef struct sums {
  uint8_t *by_flips[FLIPS]; /* [vector][chunk][positive, negative][CHUNK] */
  bool fits;                /* as it is */
  uint8_t greatest;
} sums;

typedef struct search {
  const qn_quad *quads;
  qn_arena *scratch;
  int64_t lanes;
  uint32_t vectors, count;
  bool pairs;      /* quads are paired */
  uint32_t chunks; /* of the lanes of 16 bits of a vector */
  sums *sums;      /* [count]; behind them, of zeros */
  bool *taken;
  uint32_t *order; /* the hardest first */
} search;

static uint8_t *chunk_of(const search *s, const sums *of, int flips, uint32_t v, uint32_t chunk) {
  return of->by_flips[flips] + (v * s->chunks + chunk) * 2 * CHUNK;
}

/* Sums by sign of two weights, of which either may be complemented; -128 can't be. */
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
    bool fits = more <= GREATEST_SUM && less <= GREATEST_SUM;
    to[f][0] = fits ? (uint8_t)more : TOO_MUCH;
    to[f][CHUNK] = fits ? (uint8_t)less : TOO_MUCH;
  }
}

static void sum_quad(const search *s, const qn_quad *quad, sums *out) {
  size_t bytes = (size_t)s->vectors * s->chunks * 2 * CHUNK;
  uint8_t *memory = qn_arena_alloc(s->scratch, FLIPS * bytes), *to[FLIPS];
  for (int f = 0; f < FLIPS; f++) out->by_flips[f] = memory + (size_t)f * bytes;
  const int16_t *w = quad->weights;
  for (uint32_t v = 0; v < s->vectors; v++)
    for (uint32_t h = 0; h < 2 * s->lanes; h++, w += 2) {
      for (int f = 0; f < FLIPS; f++) to[f] = chunk_of(s, out, f, v, h / CHUNK) + h % CHUNK;
      sum_pair(w, to);
    }
  for (size_t i = 0; i < bytes; i++)
    out->greatest = memory[i] > out->greatest ? memory[i] : out->greatest;
  out->fits = out->greatest != TOO_MUCH;
}

/* ---- one step ---- */

/* Clears the lanes in which the sums of a, and of b, which are at most GREATEST_SUM, are too much.
 */
static void keep_fitting(const uint8_t *restrict a, const uint8_t *restrict b,
                         uint8_t *restrict fit) {
  for (int i = 0; i < CHUNK; i++) {
    uint8_t positive = (uint8_t)(GREATEST_SUM - b[i]);
    uint8_t negative = (uint8_t)(GREATEST_SUM - b[CHUNK + i]);
    fit[i] &= (uint8_t)((a[i] <= positive) & (a[CHUNK + i] <= negative));
  }
}

/* The lanes of a chunk that fit in all vectors, a being complemented so. */
static void fit_chunk(const search *s, const sums *a, const sums *b, int flips, uint32_t chunk,
                      uint8_t *fit) {
  memset(fit, 1, CHUNK);
  for (uint32_t v = 0; v < s->vectors; v++)
    keep_fitting(chunk_of(s, a, flips, v, chunk), chunk_of(s, b, 0, v, chunk), fit);
}

static bool is_full(const uint8_t *fit) {
  uint8_t all = 1;
  for (int i = 0; i < CHUNK; i++) all &= fit[i];
  return all;
}

static bool fits_plain(const search *s, const sums *a, const sums *b) {
  uint8_t fit[CHUNK];
  for (uint32_t c = 0; c < s->chunks; c++) {
    fit_chunk(s, a, b, 0, c, fit);
    if (!is_full(fit)) return false;
  }
  return true;
}

static bool fits_shared(const search *s, const sums *a, const sums *b) {
  uint8_t any[CHUNK], fit[CHUNK];
  for (uint32_t c = 0; c < s->chunks; c++) {
    memset(any, 0, sizeof any);
    for (int f = 0; f < FLIPS; f++) {
      fit_chunk(s, a, b, f, c, fit);
      for (int i = 0; i < CHUNK; i++) any[i] |= fit[i];
    }
    if (!is_full(any)) return false;
  }
  return true;
}

/* The least ways to complement with which all fits; it does with some. */
static const uint8_t *shared_flips(const search *s, const sums *a, const sums *b) {
  uint8_t *flips = qn_arena_alloc(s->scratch, (size_t)s->lanes), fit[CHUNK];
  for (uint32_t c = 0; c < s->chunks; c++)
    for (int f = FLIPS - 1; f >= 0; f--) {
      fit_chunk(s, a, b, f, c, fit);
      for (uint32_t i = 0; i < CHUNK; i++) {
        uint32_t h = c * CHUNK + i, shift = h % 2 * 2;
        if (h >= 2 * s->lanes || !fit[i]) continue;
        flips[h / 2] = (uint8_t)((flips[h / 2] & ~(3U << shift)) | (uint32_t)f << shift);
      }
    }
  return flips;
}

/* Each lane of the tile for itself. */
static const uint8_t *own_flips(const search *s, const sums *a) {
  uint8_t *flips = qn_arena_alloc(s->scratch, (size_t)(s->vectors * s->lanes));
  for (uint32_t v = 0; v < s->vectors; v++)
    for (uint32_t h = 0; h < 2 * s->lanes; h++) {
      int f = 0;
      while (chunk_of(s, a, f, v, h / CHUNK)[h % CHUNK] == TOO_MUCH) f++;
      QN_ASSERT(f < FLIPS);
      flips[v * s->lanes + h / 2] |= (uint8_t)(f << h % 2 * 2);
    }
  return flips;
}

/* ---- partners ---- */

enum {
  MOST_TRIES = 256, /* for a partner, and with one for a partner that needs no mask */
  MORE_TRIES = 48,
};

/* A partner behind `at` in the order for the quad there: with whom no mask is needed, or else the
 * hardest. Returns the count of quads where there is none. */
static uint32_t find_partner(const search *s, uint32_t at, qn_step_kind *out_kind) {
  const sums *own = &s->sums[s->order[at]];
  uint32_t found = s->count;
  for (uint32_t i = at + 1, tries = 0; i < s->count && tries < MOST_TRIES; i++) {
    uint32_t other = s->order[i];
    if (s->taken[other] || !s->sums[other].fits) continue;
    tries++;
    if (own->fits && fits_plain(s, own, &s->sums[other])) {
      *out_kind = QN_STEP_PAIR;
      return other;
    }
    if (found != s->count || !fits_shared(s, own, &s->sums[other])) continue;
    *out_kind = QN_STEP_SHARED_PAIR;
    found = other;
    if (!own->fits) break;
    tries = tries < MOST_TRIES - MORE_TRIES ? MOST_TRIES - MORE_TRIES : tries;
  }
  return found;
}

static qn_quad_step step_of(const search *s, uint32_t at) {
  uint32_t quad = s->order[at];
  const sums *own = &s->sums[quad], *zeros = &s->sums[s->count];
  qn_quad_step step = {.quads = {quad}};
  uint32_t partner = s->pairs ? find_partner(s, at, &step.kind) : s->count;
  if (partner < s->count) {
    step.quads[1] = partner;
    s->taken[partner] = true;
    if (step.kind == QN_STEP_SHARED_PAIR) step.flips = shared_flips(s, own, &s->sums[partner]);
  } else if (own->fits) {
    step.kind = QN_STEP_PLAIN;
  } else if (fits_shared(s, own, zeros)) {
    step.kind = QN_STEP_SHARED;
    step.flips = shared_flips(s, own, zeros);
  } else {
    step.kind = QN_STEP_MASKED;
    step.flips = own_flips(s, own);
  }
  return step;
}

/* ---- all of them ---- */

typedef struct rank {
  uint8_t greatest;
  uint32_t quad;
} rank;

static int compare_ranks(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->greatest != b->greatest) return a->greatest > b->greatest ? -1 : 1;
  return a->quad < b->quad ? -1 : 1;
}

static void open_search(search *s) {
  s->chunks = (uint32_t)((2 * s->lanes + CHUNK - 1) / CHUNK);
  s->sums = QN_NEW_ARRAY(s->scratch, s->count + 1, sums);
  s->taken = QN_NEW_ARRAY(s->scratch, s->count, bool);
  s->order = QN_NEW_ARRAY(s->scratch, s->count, uint32_t);
  rank *ranks = QN_NEW_ARRAY(s->scratch, s->count, rank);
  for (uint32_t q = 0; q < s->count; q++) {
    sum_quad(s, &s->quads[q], &s->sums[q]);
    ranks[q] = (rank){s->sums[q].greatest, q};
  }
  qsort(ranks, s->count, sizeof *ranks, compare_ranks);
  for (uint32_t q = 0; q < s->count; q++) s->order[q] = ranks[q].quad;
  size_t weights = (size_t)s->lanes * s->vectors * QN_QUAD;
  qn_quad zeros = {0, QN_NEW_ARRAY(s->scratch, weights, int16_t)};
  sum_quad(s, &zeros, &s->sums[s->count]);
}

/* A loop of a few steps costs more than masks that complement nothing, also as code to generate:
 * about a hundredth of a sum's time is given for one less. */
static void merge_few(const search *s, qn_quad_step *steps, uint32_t count, qn_step_kind from,
                      qn_step_kind to) {
  enum { FEW = 6, SHARE = 16 };
  uint32_t counts[QN_STEP_KINDS] = {0}, share = s->count * s->vectors / SHARE;
  for (uint32_t i = 0; i < count; i++) counts[steps[i].kind]++;
  bool is_few = counts[from] < FEW || counts[from] * forms[from].quads < share;
  if (!is_few || counts[to] == 0) return;
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].kind != from) continue;
    steps[i].kind = to;
    steps[i].flips = qn_arena_alloc(s->scratch, (size_t)(s->lanes * s->vectors));
  }
}

static uint32_t merge_loops(const search *s, qn_quad_step *steps, uint32_t count) {
  merge_few(s, steps, count, QN_STEP_PAIR, QN_STEP_SHARED_PAIR);
  merge_few(s, steps, count, QN_STEP_PLAIN, QN_STEP_SHARED);
  return count;
}

/* By kind, then in the order of x. */
static int compare_steps(const void *left, const void *right) {
  const qn_quad_step *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->quads[0] < b->quads[0] ? -1 : 1;
}

static uint32_t form(search *s, bool pairs, qn_quad_step *out_steps) {
  uint32_t steps = 0;
  s->pairs = pairs;
  memset(s->taken, 0, s->count * sizeof *s->taken);
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->taken[s->order[i]]) continue;
    s->taken[s->order[i]] = true;
    out_steps[steps++] = step_of(s, i);
  }
  return steps;
}

static double cost_of(const search *s, const qn_quad_step *steps, uint32_t count) {
  uint32_t counts[QN_STEP_KINDS] = {0};
  for (uint32_t i = 0; i < count; i++) counts[steps[i].kind]++;
  return qn_steps_operations(counts, s->vectors);
}

uint32_t qn_steps_form(qn_arena *scratch, const qn_step_source *source, qn_quad_step *out_steps) {
  enum { SHORT = 16 }; /* quads of which loops of few kinds count more than pairs */
  search s = {.quads = source->quads,
              .scratch = scratch,
              .lanes = source->lanes,
              .vectors = source->vectors,
              .count = source->count};
  open_search(&s);
  uint32_t steps = form(&s, !source->sparing, out_steps);
  if (!source->sparing) steps = merge_loops(&s, out_steps, steps);
  if (!source->sparing && s.count <= SHORT) {
    qn_quad_step *single = QN_NEW_ARRAY(scratch, s.count, qn_quad_step);
    uint32_t singles = merge_loops(&s, single, form(&s, false, single));
    if (cost_of(&s, single, singles) < cost_of(&s, out_steps, steps)) {
      memcpy(out_steps, single, singles * sizeof *single);
      steps = singles;
    }
  }
  qsort(out_steps, steps, sizeof *out_steps, compare_steps);
  return steps;
}
