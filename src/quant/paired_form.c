/* Search and proof of sums with wider scales, and of pairs of words.
 *
 * For given scales, a pair (a, b) with result v requires v - 1/2 < a * scale_a + inner < v + 1/2
 * (only one bound if v is clamped), where `inner` depends on b. The search intersects these
 * intervals over a. With wider scales, one `inner` must be in all of them; with pairs of words, the
 * low byte of each b places it in its own. The bounds are computed in double for floats, and only
 * guide the search: every returned form was evaluated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/paired_form.h"

#include <math.h>

enum { SIDE = 256, SIDES = 2, WORD = 256 /* steps of the low byte per step of b */ };

/* How much larger than the real ones the scales are, as parts of them. The smallest that works
 * leaves other sums the most room. Some multipliers are smaller than the ratio of the scales. */
static const double excesses[] = {0,         0x1p-21,  0x1p-19,   0x1p-18,  0x1p-17,   0x1p-16,
                                  0x1.8p-16, 0x1p-15,  0x1.6p-15, 0x1p-14,  0x1.6p-14, 0x1p-13,
                                  0x1.6p-13, 0x1p-12,  0x1.6p-12, 0x1p-11,  0x1.6p-11, 0x1p-10,
                                  -0x1p-20,  -0x1p-18, -0x1p-16,  -0x1p-15, -0x1p-14,  -0x1p-13};
enum { EXCESSES = sizeof excesses / sizeof *excesses };

/* An interval of what may be added to the real sum. */
typedef struct room {
  double lo, hi;
} room;

/* One choice of b, with the results of all pairs. */
typedef struct side {
  double scale_a, scale_b;
  int32_t a_lo, b_lo, count_a, count_b;
  int16_t results[SIDE][SIDE]; /* [b][a] */
} side;

typedef struct problem {
  const qn_sum_question *q;
  side sides[SIDES]; /* [0]: operand 1 is b */
} problem;

static void fill(problem *p, const qn_sum_question *q) {
  const qn_fma2_question *s = &q->sum;
  side *second = &p->sides[0], *first = &p->sides[1];
  p->q = q;
  second->scale_a = first->scale_b = s->scale_a;
  second->scale_b = first->scale_a = s->scale_b;
  second->a_lo = first->b_lo = s->a_lo;
  second->b_lo = first->a_lo = s->b_lo;
  second->count_a = first->count_b = s->a_hi - s->a_lo + 1;
  second->count_b = first->count_a = s->b_hi - s->b_lo + 1;
  for (int32_t a = 0; a < second->count_a; a++)
    for (int32_t b = 0; b < second->count_b; b++) {
      int32_t v = s->reference(s->user, s->a_lo + a, s->b_lo + b);
      second->results[b][a] = first->results[a][b] = (int16_t)v;
    }
}

/* ---- the room of each b ---- */

/* `inner` is without what is added. Float operations round by less than half of MARGIN, so sums
 * that are closer to a threshold are avoided. */
static room room_of(const problem *p, const side *s, double scale_a, double inner, int32_t b) {
  static const double MARGIN = 0x1p-17;
  const int32_t min = p->q->sum.min, max = p->q->sum.max;
  const int16_t *results = s->results[b];
  room r = {-HUGE_VAL, HUGE_VAL};
  for (int32_t a = 0; a < s->count_a; a++) {
    const double distance = results[a] - (scale_a * (s->a_lo + a) + inner);
    const double lo = results[a] > min ? distance - 0.5 : -HUGE_VAL;
    const double hi = results[a] < max ? distance + 0.5 : HUGE_VAL;
    r.lo = lo > r.lo ? lo : r.lo;
    r.hi = hi < r.hi ? hi : r.hi;
  }
  return (room){r.lo + MARGIN, r.hi - MARGIN};
}

/* The number in the room that is closest to 0, but not at its ends: those may be ties. */
static double place_in(room r) {
  static const double MOST = 0x1p-9;
  double away = fmin((r.hi - r.lo) / 2, MOST);
  return fmin(fmax(0, r.lo + away), r.hi - away);
}

/* The scales and the offset of one trial, and the rooms. False if a room is empty; *io_stop is a b
 * with an empty room, which is asked first the next time. */
typedef struct trial {
  double scale_a, scale_b, offset;
  room rooms[SIDE];
} trial;
static bool try_excess(const problem *p, const side *s, double excess, int32_t *io_stop, trial *t) {
  const qn_sum_question *q = p->q;
  t->scale_a = (double)(float)(s->scale_a * (1 + excess));
  t->scale_b = (double)(float)(s->scale_b * (1 + excess));
  t->offset = q->zero_point + (q->sum.offset - q->zero_point) * (1 + excess);
  for (int32_t i = 0; i < s->count_b; i++) {
    int32_t b = (i + *io_stop) % s->count_b;
    double inner = t->scale_b * (s->b_lo + b) + t->offset;
    t->rooms[b] = room_of(p, s, t->scale_a, inner, b);
    if (t->rooms[b].lo <= t->rooms[b].hi) continue;
    *io_stop = b;
    return false;
  }
  return true;
}

/* Limits that keep all intermediate values of f within int32. */
static bool is_moderate(const qn_fma2_question *q) {
  return fabs(q->scale_a) < 0x1p16 && fabs(q->scale_b) < 0x1p16 && fabs(q->offset) < 0x1p25 &&
         q->a_hi - q->a_lo < SIDE && q->b_hi - q->b_lo < SIDE && q->a_lo >= INT8_MIN &&
         q->a_hi <= UINT8_MAX && q->b_lo >= INT8_MIN && q->b_hi <= UINT8_MAX &&
         q->min >= INT16_MIN && q->max <= INT16_MAX;
}

/* ---- without a table ---- */

static bool agrees_everywhere(const problem *p, const qn_fma2_form *form) {
  const side *s = &p->sides[0];
  const qn_fma2_question *q = &p->q->sum;
  for (int32_t b = 0; b < s->count_b; b++)
    for (int32_t a = 0; a < s->count_a; a++)
      if (qn_fma2_form_apply(form, s->a_lo + a, s->b_lo + b, q->min, q->max) != s->results[b][a])
        return false;
  return true;
}

static bool find_wide(const problem *p, double excess, int32_t *io_stop, qn_fma2_form *form) {
  const side *s = &p->sides[0];
  trial t;
  if (!try_excess(p, s, excess, io_stop, &t)) return false;
  room all = {-HUGE_VAL, HUGE_VAL};
  for (int32_t b = 0; b < s->count_b; b++) {
    if (t.rooms[b].lo > all.lo) all.lo = t.rooms[b].lo;
    if (t.rooms[b].hi < all.hi) all.hi = t.rooms[b].hi;
  }
  if (all.lo > all.hi) return false;
  *form = (qn_fma2_form){.proved = true,
                         .scale_a = (float)t.scale_a,
                         .scale_b = (float)t.scale_b,
                         .offset = (float)(t.offset + place_in(all))};
  return agrees_everywhere(p, form);
}

qn_fma2_form qn_fma2_form_find_wide(const qn_sum_question *question) {
  qn_fma2_form form;
  problem p;
  int32_t stop = 0;
  if (!is_moderate(&question->sum)) return (qn_fma2_form){.proved = false};
  fill(&p, question);
  for (int i = 0; i < EXCESSES; i++)
    if (find_wide(&p, excesses[i], &stop, &form)) return form;
  return (qn_fma2_form){.proved = false};
}

/* ---- pairs of words ---- */

/* What the words of one trial make of a pair, before the shift. */
static int64_t sum_of(const qn_paired_form *f, int64_t a, int64_t b, uint8_t low) {
  return WORD * a * f->factor_a + (WORD * b + low) * f->factor_b + f->offset;
}

int32_t qn_paired_form_apply(const qn_paired_form *form, int32_t first, int32_t second, int32_t min,
                             int32_t max) {
  int32_t b = form->of_first ? first : second, a = form->of_first ? second : first;
  int64_t y = sum_of(form, a - form->middle_a, b - form->middle_b, form->low[(uint8_t)b]);
  y >>= form->shift;
  return y < min ? min : y > max ? max : (int32_t)y;
}

/* An interval of integers: what the words of b may contribute. */
typedef struct span {
  int64_t lo, hi;
} span;
static const int64_t FAR = INT64_C(1) << 40;

static bool is_bounded(span s) { return s.lo > -FAR && s.hi < FAR; }

static span span_of(const problem *p, const side *s, const qn_paired_form *f, int32_t b) {
  const int32_t min = p->q->sum.min, max = p->q->sum.max;
  span r = {-FAR, FAR};
  for (int32_t k = 0; k < s->count_a; k++) {
    const int64_t v = s->results[b][k], unit = INT64_C(1) << f->shift;
    const int64_t of_a = WORD * (int64_t)(s->a_lo + k - f->middle_a) * f->factor_a;
    const int64_t lo = v > min ? v * unit - of_a : -FAR;
    const int64_t hi = v < max ? (v + 1) * unit - 1 - of_a : FAR;
    r.lo = lo > r.lo ? lo : r.lo;
    r.hi = hi < r.hi ? hi : r.hi;
  }
  return r;
}

/* Spans of all b for a factor of a. False if one is empty; *io_stop is such a b, which is asked
 * first the next time. */
static bool find_spans(const problem *p, const side *s, const qn_paired_form *f, int32_t *io_stop,
                       span spans[SIDE]) {
  for (int32_t i = 0; i < s->count_b; i++) {
    int32_t b = (i + *io_stop) % s->count_b;
    spans[b] = span_of(p, s, f, b);
    if (spans[b].lo <= spans[b].hi) continue;
    *io_stop = b;
    return false;
  }
  return true;
}

/* The offset that leaves the low bytes the most room on both sides. */
static int64_t middle_offset(const side *s, const qn_paired_form *f, const span spans[SIDE]) {
  enum { MIDDLE = WORD / 2 };
  int64_t least = FAR, most = -FAR;
  for (int32_t i = 0; i < s->count_b; i++) {
    if (!is_bounded(spans[i])) continue;
    const int64_t words = (WORD * (int64_t)(s->b_lo + i - f->middle_b) + MIDDLE) * f->factor_b;
    const int64_t at = (spans[i].lo + spans[i].hi) / 2 - words;
    least = at < least ? at : least;
    most = at > most ? at : most;
  }
  return least > most ? 0 : (least + most) / 2;
}

/* The low byte closest to the middle with which the words are in the span, if there is one. */
static bool low_byte(span r, int64_t high, int32_t factor, uint8_t *out) {
  for (int32_t step = 0; step < WORD; step++) { /* 128, 129, 127, 130, ... */
    const int32_t low = WORD / 2 + (step % 2 ? (step + 1) / 2 : -step / 2);
    const int64_t words = high + (int64_t)low * factor;
    if (low > UINT8_MAX || words < r.lo || words > r.hi) continue;
    *out = (uint8_t)low;
    return true;
  }
  return false;
}

static bool is_proved(const problem *p, const side *s, const qn_paired_form *f) {
  const qn_fma2_question *q = &p->q->sum;
  for (int32_t i = 0; i < s->count_b; i++)
    for (int32_t k = 0; k < s->count_a; k++) {
      int32_t a = s->a_lo + k, b = s->b_lo + i;
      int64_t sum = sum_of(f, a - f->middle_a, b - f->middle_b, f->low[(uint8_t)b]);
      int32_t y = f->of_first ? qn_paired_form_apply(f, b, a, q->min, q->max)
                              : qn_paired_form_apply(f, a, b, q->min, q->max);
      if (sum < INT32_MIN || sum > INT32_MAX || y != s->results[i][k]) return false;
    }
  return true;
}

/* The spans are of the words with the offset. */
static bool find_words(const problem *p, const side *s, const span spans[SIDE],
                       qn_paired_form *form) {
  const int64_t offset = middle_offset(s, form, spans);
  if (offset < INT32_MIN || offset > INT32_MAX) return false;
  form->offset = (int32_t)offset;
  for (int32_t i = 0; i < s->count_b; i++) {
    const int64_t high = WORD * (int64_t)(s->b_lo + i - form->middle_b) * form->factor_b + offset;
    uint8_t *low = &form->low[(uint8_t)(s->b_lo + i)];
    if (!low_byte(spans[i], high, form->factor_b, low)) return false;
  }
  return is_proved(p, s, form);
}

/* Factors near scale * 2^shift / 256; those of larger magnitude first, because sums that are
 * halfway are rounded away from 0. */
static int32_t factor_near(double scale, int32_t shift, int32_t away) {
  double factor = rint(ldexp(scale, shift) / (double)WORD) + (scale < 0 ? -away : away);
  return fabs(factor) <= INT16_MAX ? (int32_t)factor : 0;
}

static bool find_paired(const problem *p, bool of_first, qn_paired_form *form) {
  enum { MOST_SHIFT = 23, LEAST_SHIFT = 16 };
  static const int8_t away_a[] = {0, 1, -1, 2, -2, 3, -3, 4, 5, 6, 8, 10}, away_b[] = {0, 1, -1};
  const side *s = &p->sides[of_first ? 1 : 0];
  span spans[SIDE];
  int32_t stop = 0;
  *form = (qn_paired_form){.proved = true,
                           .of_first = of_first,
                           .middle_a = s->a_lo < 0 ? 0 : WORD / 2,
                           .middle_b = s->b_lo < 0 ? 0 : WORD / 2};
  for (form->shift = MOST_SHIFT; form->shift >= LEAST_SHIFT; form->shift--)
    for (size_t i = 0; i < sizeof away_a; i++) {
      form->factor_a = (int16_t)factor_near(s->scale_a, form->shift, away_a[i]);
      if (form->factor_a == 0 || !find_spans(p, s, form, &stop, spans)) continue;
      for (size_t k = 0; k < sizeof away_b; k++) {
        form->factor_b = (int16_t)factor_near(s->scale_b, form->shift, away_b[k]);
        if (form->factor_b != 0 && find_words(p, s, spans, form)) return true;
      }
    }
  return false;
}

/* First tries the table for the operand with the smaller scale: its multiplier is the inexact one.
 */
qn_paired_form qn_paired_form_find(const qn_sum_question *question) {
  qn_paired_form form;
  const qn_fma2_question *q = &question->sum;
  problem p;
  if (!is_moderate(q)) return (qn_paired_form){.proved = false};
  fill(&p, question);
  bool of_first = fabs(q->scale_a) < fabs(q->scale_b);
  for (int turn = 0; turn < SIDES; turn++, of_first = !of_first)
    if (find_paired(&p, of_first, &form)) return form;
  return (qn_paired_form){.proved = false};
}
