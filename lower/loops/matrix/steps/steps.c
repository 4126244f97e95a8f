/* Search for K steps: quads that are hard to pair choose a partner first. Among few quads, these
 * are the quads with the fewest possible partners; among many, those with the largest weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/steps/steps.h"

#include <stdlib.h>
#include <string.h>

static const qn_step_form forms[QN_STEP_KINDS] = {
    [QN_STEP_PLAIN] = {.quads = 1},
    [QN_STEP_PAIR] = {.quads = 2},
    [QN_STEP_SHARED_PAIR] = {.quads = 2, .shared = 1},
    [QN_STEP_MASKED_PAIR] = {.quads = 2, .shared = 2},
    [QN_STEP_SHARED] = {.quads = 1, .shared = 1},
    [QN_STEP_MASKED] = {.quads = 1, .owned = true},
    [QN_STEP_HALVES] = {.quads = 1, .halves = true},
};

const qn_step_form *qn_step_form_of(qn_step_kind kind) {
  QN_ASSERT(kind < QN_STEP_KINDS);
  return &forms[kind];
}

uint32_t qn_step_rows(qn_step_kind kind, uint32_t vectors) {
  const qn_step_form *form = &forms[kind];
  return vectors * (form->quads + form->owned) + form->shared;
}

double qn_steps_operations(const uint32_t *steps, uint32_t vectors) {
  double operations = 0;
  for (qn_step_kind k = QN_STEP_PLAIN; k < QN_STEP_KINDS; k++) {
    const double loop = 2; /* loop overhead in instructions per vector of accumulators */
    operations += steps[k] * qn_step_operations(k, vectors) + (steps[k] > 0 ? loop : 0);
  }
  return operations;
}

/* Per quad one byte product and its masks; widening and accumulation once per step. */
double qn_step_operations(qn_step_kind kind, uint32_t vectors) {
  QN_ASSERT(kind < QN_STEP_KINDS && vectors > 0);
  const qn_step_form *form = &forms[kind];
  return 2.0 * form->quads + 1 + form->owned + (double)form->shared / vectors;
}

/* ---- the search ---- */

typedef struct search {
  qn_quad_fits fits;
  uint32_t count;
  bool *taken;
  uint32_t *order; /* quads in descending order of weights */
  qn_quad_step *steps;
  uint32_t step_count;
} search;

typedef struct rank {
  uint8_t largest;
  uint32_t quad;
} rank;

static int compare_ranks(const void *left, const void *right) {
  const rank *a = left, *b = right;
  if (a->largest != b->largest) return a->largest > b->largest ? -1 : 1;
  return a->quad < b->quad ? -1 : 1;
}

static search open_search(qn_arena *scratch, const qn_step_source *source) {
  search s = {.fits = qn_quad_fits_of(scratch, source),
              .count = source->count,
              .taken = QN_NEW_ARRAY(scratch, source->count, bool),
              .order = QN_NEW_ARRAY(scratch, source->count, uint32_t)};
  rank *ranks = QN_NEW_ARRAY(scratch, s.count, rank);
  for (uint32_t q = 0; q < s.count; q++) ranks[q] = (rank){qn_quad_greatest(&s.fits, q), q};
  qsort(ranks, s.count, sizeof *ranks, compare_ranks);
  for (uint32_t q = 0; q < s.count; q++) s.order[q] = ranks[q].quad;
  return s;
}

/* ---- steps ---- */

static void add_single(search *s, uint32_t quad) {
  qn_quad_step step = {.quads = {quad}};
  s->taken[quad] = true;
  if (qn_quad_fits_alone(&s->fits, quad)) {
    step.kind = QN_STEP_PLAIN;
  } else if (qn_quads_fit_flipped(&s->fits, quad, s->count, QN_FLIP_FIRST)) {
    step.kind = QN_STEP_SHARED;
    step.flips = qn_quads_flips(&s->fits, quad, s->count, QN_FLIP_FIRST);
  } else {
    step.kind = QN_STEP_MASKED;
    step.flips = qn_quad_own_flips(&s->fits, quad);
  }
  s->steps[s->step_count++] = step;
}

static void add_pair(search *s, qn_step_kind kind, uint32_t a, uint32_t b) {
  qn_quad_step step = {.kind = kind, .quads = {a, b}};
  uint32_t masks = forms[kind].shared;
  s->taken[a] = s->taken[b] = true;
  if (masks > 0)
    step.flips = qn_quads_flips(&s->fits, a, b, masks > 1 ? QN_FLIP_BOTH : QN_FLIP_FIRST);
  s->steps[s->step_count++] = step;
}

static bool fits_plain(const search *s, uint32_t a, uint32_t b) {
  bool alone = qn_quad_fits_alone(&s->fits, a) && qn_quad_fits_alone(&s->fits, b);
  return alone && qn_quads_fit(&s->fits, a, b);
}

/* Whether a and b fit together with one shared mask of a. */
static bool fits_shared(const search *s, uint32_t a, uint32_t b) {
  return qn_quad_fits_alone(&s->fits, b) && qn_quads_fit_flipped(&s->fits, a, b, QN_FLIP_FIRST);
}

/* Whether a and b fit together with masks of both; false if they fit without masks, which is
 * cheaper. */
static bool fits_masked(const search *s, uint32_t a, uint32_t b) {
  bool alone = qn_quad_fits_alone(&s->fits, a) && qn_quad_fits_alone(&s->fits, b);
  return !alone && qn_quads_fit_flipped(&s->fits, a, b, QN_FLIP_BOTH);
}

/* ---- partners among many ---- */

enum {
  MOST_TRIES = 256, /* partners tried per quad; and further ones tried for a pair without masks */
  MORE_TRIES = 48,
};

/* The partner of the quad at position `at`, from later positions: preferably one that needs no
 * mask, else the one with the largest weights. Returns the number of quads if there is none. */
static uint32_t find_partner(const search *s, uint32_t at, qn_step_kind *out_kind) {
  uint32_t own = s->order[at], found = s->count;
  for (uint32_t i = at + 1, tries = 0; i < s->count && tries < MOST_TRIES; i++) {
    uint32_t other = s->order[i];
    if (s->taken[other] || !qn_quad_fits_alone(&s->fits, other)) continue;
    tries++;
    if (fits_plain(s, own, other)) {
      *out_kind = QN_STEP_PAIR;
      return other;
    }
    if (found != s->count || !fits_shared(s, own, other)) continue;
    *out_kind = QN_STEP_SHARED_PAIR;
    found = other;
    if (!qn_quad_fits_alone(&s->fits, own)) break;
    tries = tries < MOST_TRIES - MORE_TRIES ? MOST_TRIES - MORE_TRIES : tries;
  }
  return found;
}

/* As find_partner, for a remaining quad, with masks of both. */
static uint32_t find_masked_partner(const search *s, uint32_t at) {
  for (uint32_t i = at + 1, tries = 0; i < s->count && tries < MORE_TRIES; i++) {
    uint32_t other = s->order[i];
    if (s->taken[other]) continue;
    if (fits_masked(s, s->order[at], other)) return other;
    tries++;
  }
  return s->count;
}

static void pair_greatest_first(search *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    qn_step_kind kind;
    if (s->taken[s->order[i]]) continue;
    uint32_t partner = find_partner(s, i, &kind);
    if (partner < s->count) add_pair(s, kind, s->order[i], partner);
  }
}

/* Pairs the remaining quads with masks of both. */
static void pair_rest(search *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->taken[s->order[i]]) continue;
    uint32_t partner = find_masked_partner(s, i);
    if (partner < s->count) add_pair(s, QN_STEP_MASKED_PAIR, s->order[i], partner);
  }
}

/* ---- partners among few ---- */

/* Which quads can be paired. */
typedef struct links {
  bool *all, *plain; /* [count][count] pairs with any mask; pairs without a mask */
  uint32_t *degrees;
} links;

static bool can_pair(const search *s, bool masked, uint32_t a, uint32_t b) {
  return masked ? fits_masked(s, a, b) : fits_shared(s, a, b) || fits_shared(s, b, a);
}

static links links_of(const search *s, bool masked) {
  links l = {QN_NEW_ARRAY(s->fits.scratch, (size_t)s->count * s->count, bool),
             QN_NEW_ARRAY(s->fits.scratch, (size_t)s->count * s->count, bool),
             QN_NEW_ARRAY(s->fits.scratch, s->count, uint32_t)};
  for (uint32_t a = 0; a < s->count; a++)
    for (uint32_t b = a + 1; b < s->count && !s->taken[a]; b++) {
      if (s->taken[b] || !can_pair(s, masked, a, b)) continue;
      uint32_t to = a * s->count + b, back = b * s->count + a;
      l.all[to] = l.all[back] = true;
      l.plain[to] = l.plain[back] = !masked && fits_plain(s, a, b);
      l.degrees[a]++;
      l.degrees[b]++;
    }
  return l;
}

/* The unpaired quad with the fewest possible partners, at least one; the number of quads if there
 * is none. */
static uint32_t loneliest(const search *s, const links *l) {
  uint32_t best = s->count;
  for (uint32_t q = 0; q < s->count; q++)
    if (!s->taken[q] && l->degrees[q] > 0 && (best == s->count || l->degrees[q] < l->degrees[best]))
      best = q;
  return best;
}

/* The best partner of `quad`, which has at least one: a partner without a mask if possible, then
 * the one with the fewest other partners. */
static uint32_t partner_of(const search *s, const links *l, uint32_t quad) {
  const bool *all = l->all + quad * s->count, *plain = l->plain + quad * s->count;
  uint32_t best = s->count;
  for (uint32_t q = 0; q < s->count; q++) {
    if (s->taken[q] || !all[q]) continue;
    bool is_better = best == s->count || plain[q] > plain[best] ||
                     (plain[q] == plain[best] && l->degrees[q] < l->degrees[best]);
    if (is_better) best = q;
  }
  return best;
}

static void pair_loneliest_first(search *s, bool masked) {
  links l = links_of(s, masked);
  for (uint32_t a = loneliest(s, &l); a < s->count; a = loneliest(s, &l)) {
    uint32_t b = partner_of(s, &l, a);
    for (uint32_t q = 0; q < s->count; q++)
      l.degrees[q] -= (uint32_t)l.all[a * s->count + q] + l.all[b * s->count + q];
    if (masked) /* in this order: the weights of a group of four taps with a complemented -128 can't
                 * be swapped */
      add_pair(s, QN_STEP_MASKED_PAIR, a < b ? a : b, a < b ? b : a);
    else if (l.plain[a * s->count + b])
      add_pair(s, QN_STEP_PAIR, a, b);
    else if (fits_shared(s, a, b))
      add_pair(s, QN_STEP_SHARED_PAIR, a, b);
    else
      add_pair(s, QN_STEP_SHARED_PAIR, b, a);
  }
}

/* ---- all of them ---- */

/* Merges the steps of kind `from` into kind `to` if they are few. A separate loop costs more time
 * and code than masks that complement nothing; about 1 % of the time is accepted for one loop less.
 */
static void merge_few(search *s, qn_step_kind from, qn_step_kind to) {
  enum { FEW = 6, SHARE = 16 };
  uint32_t counts[QN_STEP_KINDS] = {0}, share = s->count * s->fits.vectors / SHARE;
  for (uint32_t i = 0; i < s->step_count; i++) counts[s->steps[i].kind]++;
  bool is_few = counts[from] < FEW || counts[from] * forms[from].quads < share;
  if (!is_few || counts[to] == 0) return;
  size_t lanes = (size_t)s->fits.lanes * s->fits.vectors;
  for (uint32_t i = 0; i < s->step_count; i++) {
    qn_quad_step *step = &s->steps[i];
    if (step->kind != from) continue;
    step->kind = to;
    if (!step->flips) step->flips = qn_arena_alloc(s->fits.scratch, lanes);
  }
}

/* Sorts by kind, then by offset in x. */
static int compare_steps(const void *left, const void *right) {
  const qn_quad_step *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->quads[0] < b->quads[0] ? -1 : 1;
}

/* Splits the only masked pair if a loop of single quads follows anyway: the loop of the pair costs
 * more than it gains. */
static void undo_lone_pair(search *s, uint32_t masked_from) {
  uint32_t left = 0;
  for (uint32_t q = 0; q < s->count; q++) left += !s->taken[q];
  if (s->step_count != masked_from + 1 || left == 0) return;
  const qn_quad_step *step = &s->steps[--s->step_count];
  s->taken[step->quads[0]] = s->taken[step->quads[1]] = false;
}

static void form_pairs(search *s) {
  enum { FEW_QUADS = 96 }; /* at most this many quads: all pairs are tried */
  bool is_few = s->count <= FEW_QUADS;
  if (is_few)
    pair_loneliest_first(s, false);
  else
    pair_greatest_first(s);
  uint32_t masked_from = s->step_count;
  if (is_few)
    pair_loneliest_first(s, true);
  else
    pair_rest(s);
  undo_lone_pair(s, masked_from);
}

static void form(search *s, bool pairs, qn_quad_step *out_steps) {
  s->steps = out_steps;
  s->step_count = 0;
  memset(s->taken, 0, s->count * sizeof *s->taken);
  if (pairs) form_pairs(s);
  for (uint32_t q = 0; q < s->count; q++)
    if (!s->taken[q]) add_single(s, q);
}

static void merge_loops(search *s) {
  merge_few(s, QN_STEP_PAIR, QN_STEP_SHARED_PAIR);
  merge_few(s, QN_STEP_SHARED_PAIR, QN_STEP_MASKED_PAIR);
  merge_few(s, QN_STEP_PLAIN, QN_STEP_SHARED);
}

static double cost_of(const search *s) {
  uint32_t counts[QN_STEP_KINDS] = {0};
  for (uint32_t i = 0; i < s->step_count; i++) counts[s->steps[i].kind]++;
  return qn_steps_operations(counts, s->fits.vectors);
}

uint32_t qn_steps_form(qn_arena *scratch, const qn_step_source *source, qn_quad_step *out_steps) {
  enum { SHORT = 16 }; /* at most this many quads: few loops matter more than pairs */
  search s = open_search(scratch, source);
  form(&s, !source->bandwidth_bound, out_steps);
  if (!source->bandwidth_bound) merge_loops(&s);
  if (!source->bandwidth_bound && s.count <= SHORT) {
    double cost = cost_of(&s);
    uint32_t steps = s.step_count;
    form(&s, false, QN_NEW_ARRAY(scratch, s.count, qn_quad_step));
    merge_loops(&s);
    if (cost_of(&s) < cost)
      memcpy(out_steps, s.steps, s.step_count * sizeof *s.steps);
    else
      s.step_count = steps;
  }
  qsort(out_steps, s.step_count, sizeof *out_steps, compare_steps);
  return s.step_count;
}
