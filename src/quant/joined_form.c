/* Search and proof of sums with joined bytes.
 *
 * For given float scales, a pair (a, b) with result v requires v - 1/2 < a * scale_a + inner < v +
 * 1/2 (only one bound if v is clamped), where `inner` depends on b. The search intersects these
 * intervals over a and takes for each b the value in the interval that is closest to the real one.
 * The bounds are computed in double and only guide the search: every returned form was evaluated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/joined_form.h"

#include <math.h>

enum { SIDE = 256, SIDES = 2, WORD = 256 /* steps of the low byte per step of b */, MIDDLE = 128 };

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
  const qn_joined_question *q;
  side sides[SIDES]; /* [0]: operand 1 is b */
} problem;

int32_t qn_joined_form_apply(const qn_joined_form *form, int32_t first, int32_t second, int32_t min,
                             int32_t max) {
  int32_t b = form->of_first ? first : second, a = form->of_first ? second : first;
  float word = (float)(WORD * b + form->low[(uint8_t)b]);
  float y = nearbyintf(fmaf((float)a, form->scale_a, fmaf(word, form->scale_b, form->offset)));
  return y < (float)min ? min : y > (float)max ? max : (int32_t)y;
}

static void fill(problem *p, const qn_joined_question *q) {
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
  const qn_joined_question *q = p->q;
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

qn_fma2_form qn_fma2_form_find_wide(const qn_joined_question *question) {
  qn_fma2_form form;
  problem p;
  int32_t stop = 0;
  if (!is_moderate(&question->sum)) return (qn_fma2_form){.proved = false};
  fill(&p, question);
  for (int i = 0; i < EXCESSES; i++)
    if (find_wide(&p, excesses[i], &stop, &form)) return form;
  return (qn_fma2_form){.proved = false};
}

/* ---- with a table ---- */

static bool is_proved(const problem *p, const side *s, const qn_joined_form *form) {
  const qn_fma2_question *q = &p->q->sum;
  for (int32_t i = 0; i < s->count_b; i++)
    for (int32_t k = 0; k < s->count_a; k++) {
      int32_t a = s->a_lo + k, b = s->b_lo + i;
      int32_t y = form->of_first ? qn_joined_form_apply(form, b, a, q->min, q->max)
                                 : qn_joined_form_apply(form, a, b, q->min, q->max);
      if (y != s->results[i][k]) return false;
    }
  return true;
}

/* The low byte whose contribution is in the room, if there is one. */
static bool low_byte(room r, double unit, uint8_t *out) {
  double steps = rint(place_in(r) / unit);
  if (!(steps * unit >= r.lo && steps * unit <= r.hi)) steps = rint((r.lo + r.hi) / 2 / unit);
  if (!(steps * unit >= r.lo && steps * unit <= r.hi)) return false;
  int32_t low = fabs(steps) <= (double)MIDDLE ? (int32_t)steps + MIDDLE : -1;
  if (low < 0 || low > UINT8_MAX) return false;
  *out = (uint8_t)low;
  return true;
}

static bool find_joined(const problem *p, bool of_first, double excess, int32_t *io_stop,
                        qn_joined_form *form) {
  const side *s = &p->sides[of_first ? 1 : 0];
  trial t;
  if (!try_excess(p, s, excess, io_stop, &t)) return false;
  const double unit = t.scale_b / (double)WORD;
  *form = (qn_joined_form){.proved = true,
                           .of_first = of_first,
                           .scale_a = (float)t.scale_a,
                           .scale_b = (float)unit,
                           .offset = (float)(t.offset - (double)MIDDLE * unit)};
  for (int32_t b = 0; b < s->count_b; b++)
    if (!low_byte(t.rooms[b], unit, &form->low[(uint8_t)(s->b_lo + b)])) return false;
  return is_proved(p, s, form);
}

/* First tries the table for the operand with the smaller scale: its multiplier is the inexact one.
 */
qn_joined_form qn_joined_form_find(const qn_joined_question *question) {
  qn_joined_form form, none = {.proved = false};
  const qn_fma2_question *q = &question->sum;
  problem p;
  if (!is_moderate(q)) return none;
  fill(&p, question);
  bool of_first = fabs(q->scale_a) < fabs(q->scale_b);
  for (int turn = 0; turn < SIDES; turn++, of_first = !of_first) {
    int32_t stop = 0;
    if (q->scale_a == 0 || q->scale_b == 0) return none;
    for (int i = 0; i < EXCESSES; i++)
      if (find_joined(&p, of_first, excesses[i], &stop, &form)) return form;
  }
  return none;
}
