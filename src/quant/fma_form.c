/* Search and proof of the one-FMA requantization.
 *
 * With the thresholds T_v (the smallest accumulator whose result is at least v), f equals the
 * reference iff f(T_v) >= v and f(T_v - 1) < v for every v, because both are monotone. For a given
 * scale s each condition bounds the offset:
 *     offset >= L_v - s * T_v        offset < L_v - s * (T_v - 1)
 * where L_v is the smallest real that rounds to at least v, first to float, then to an integer. The
 * maximum of the former and the minimum of the latter over all v only involve the corners of a
 * convex hull, so that a scale is tried in a few operations. A double rounding in the reference moves the
 * thresholds of negative and positive accumulators in opposite directions; so accumulators are cut
 * at zero into two pieces, which may have an offset each.
 *
 * The bounds are computed in double and only steer the search. What is returned has been proved by
 * evaluating f.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/fma_form.h"

#include <float.h>
#include <string.h>

#include "quant/steps.h"

enum {
  MAX_ULP = 64,        /* how far the scale may be from the real multiplier */
  MAX_RESULT = 1 << 30 /* |f| before the clamp, far from what a conversion to int32 can't hold */
};

int32_t qn_requant_apply(const qn_requant *requant, int32_t acc) {
  int32_t y = requant->is_real
                  ? qn_requant_real(acc, requant->real)
                  : qn_requant32(acc, requant->multiplier.mantissa, requant->multiplier.shift);
  return qn_clamp32((int64_t)y + requant->zero_point, requant->min, requant->max);
}

static float rounded(float scale, float offset, int32_t acc) {
  return nearbyintf(fmaf((float)acc, scale, offset));
}

int32_t qn_fma_form_apply(const qn_fma_form *form, int32_t acc, int32_t min, int32_t max) {
  bool negative = form->kind == QN_FMA_SIGNED && acc < 0;
  float y = rounded(form->scale, negative ? form->offset_negative : form->offset, acc);
  return (int32_t)fminf(fmaxf(y, (float)min), (float)max);
}

/* L_v: a tie goes to the even integer, and what lies within half a step of the float grid of a tie
 * becomes the tie. */
static double least_for(int32_t v) {
  float tie = (float)v - 0.5F;
  float neighbour = nextafterf(tie, v % 2 == 0 ? -FLT_MAX : FLT_MAX);
  return ((double)tie + (double)neighbour) / 2;
}

/* ---- bounds of the offset over one piece of the range ---- */

typedef struct point { double x, y; } point;
/* Corners of the hull of at most QN_MAX_STEPS + 1 points; `side` 1: above, -1: below. */
typedef struct hull { double side; int count; point points[QN_MAX_STEPS + 1]; } hull;

/* Points arrive with x ascending. */
static void hull_add(hull *h, double x, double y) {
  point p = {x, y};
  for (; h->count > 0; h->count--) {
    point b = h->points[h->count - 1];
    if (h->count == 1) {
      /* Of two points one above the other, only the outer one counts. */
      if (b.x < p.x) break;
      if ((p.y - b.y) * h->side <= 0) return;
      continue;
    }
    point a = h->points[h->count - 2];
    double turn = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    if (turn * h->side < 0) break;
  }
  h->points[h->count++] = p;
}

/* The largest (side 1) or smallest (side -1) y - scale * x; infinite without points. */
static double hull_bound(const hull *h, double scale) {
  double bound = -h->side * HUGE_VAL;
  for (int i = 0; i < h->count; i++) {
    double c = h->points[i].y - scale * h->points[i].x;
    if ((c - bound) * h->side > 0) bound = c;
  }
  return bound;
}

typedef struct piece {
  bool empty;
  int64_t lo, hi;
  hull at_least, below; /* of the offset */
} piece;

static void piece_init(piece *p, const qn_steps *s, int64_t lo, int64_t hi) {
  memset(p, 0, sizeof *p);
  p->empty = lo > hi;
  p->lo = lo;
  p->hi = hi;
  p->at_least.side = 1;
  p->below.side = -1;
  if (p->empty) return;
  int32_t first = qn_requant_apply(s->requant, (int32_t)lo);
  int32_t last = qn_requant_apply(s->requant, (int32_t)hi);
  if (first > s->requant->min) hull_add(&p->at_least, (double)lo, least_for(first));
  for (int32_t v = first + 1; v <= last; v++) {
    double t = (double)s->thresholds[v - s->first - 1], least = least_for(v);
    hull_add(&p->at_least, t, least);
    hull_add(&p->below, t - 1, least);
  }
  if (last < s->requant->max) hull_add(&p->below, (double)hi, least_for(last + 1));
}

typedef struct bounds { double lo, hi; } bounds;

static bounds piece_bounds(const piece *p, double scale) {
  return (bounds){hull_bound(&p->at_least, scale), hull_bound(&p->below, scale)};
}

/* ---- proof ---- */

static bool equal_at(const qn_steps *s, float scale, float offset, int64_t acc) {
  float y = rounded(scale, offset, (int32_t)acc);
  const qn_requant *r = s->requant;
  if (!(fabsf(y) <= (float)MAX_RESULT)) return false;
  return qn_clamp32((int64_t)y, r->min, r->max) == qn_requant_apply(r, (int32_t)acc);
}

/* f = reference on the whole piece: at both of its ends and on both sides of each threshold. */
static bool proved(const qn_steps *s, const piece *p, float scale, float offset) {
  if (p->empty) return true;
  if (!equal_at(s, scale, offset, p->lo) || !equal_at(s, scale, offset, p->hi)) return false;
  for (int32_t i = 0; i < s->last - s->first; i++) {
    int64_t t = s->thresholds[i];
    if (t <= p->lo || t > p->hi) continue;
    if (!equal_at(s, scale, offset, t) || !equal_at(s, scale, offset, t - 1)) return false;
  }
  return true;
}

/* A float inside of the bounds: the middle, or half a step from the only bound. */
static float inside(bounds b, int32_t fallback) {
  if (isinf(b.lo) && isinf(b.hi)) return (float)fallback;
  if (isinf(b.lo)) return (float)(b.hi - 0.5);
  if (isinf(b.hi)) return (float)(b.lo + 0.5);
  return (float)(b.lo + (b.hi - b.lo) / 2);
}

/* Tries the middle of the bounds and the floats beside it. */
static bool find_offset(const qn_steps *s, const piece *pieces, int count, bounds b, float scale,
                        float *out_offset) {
  if (!(b.lo < b.hi)) return false;
  float middle = inside(b, s->first);
  const float candidates[] = {middle, nextafterf(middle, FLT_MAX), nextafterf(middle, -FLT_MAX)};
  for (int i = 0; i < 3; i++) {
    bool good = (double)candidates[i] >= b.lo && (double)candidates[i] < b.hi;
    for (int k = 0; good && k < count; k++) good = proved(s, &pieces[k], scale, candidates[i]);
    if (!good) continue;
    *out_offset = candidates[i];
    return true;
  }
  return false;
}

/* ---- search ---- */

static float step_ulps(float x, int ulps) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint32_t)ulps;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* Both forms with one scale. True when one offset serves; a signed form is kept in *best. */
static bool try_scale(const qn_steps *s, const piece pieces[2], float scale, qn_fma_form *best) {
  bounds negative = piece_bounds(&pieces[0], (double)scale);
  bounds positive = piece_bounds(&pieces[1], (double)scale);
  bounds both = {fmax(negative.lo, positive.lo), fmin(negative.hi, positive.hi)};
  qn_fma_form form = {.scale = scale};
  if (find_offset(s, pieces, 2, both, scale, &form.offset)) {
    form.kind = QN_FMA_ONE;
    form.offset_negative = form.offset;
    *best = form;
    return true;
  }
  if (best->kind == QN_FMA_NONE &&
      find_offset(s, &pieces[0], 1, negative, scale, &form.offset_negative) &&
      find_offset(s, &pieces[1], 1, positive, scale, &form.offset)) {
    form.kind = QN_FMA_SIGNED;
    *best = form;
  }
  return false;
}

qn_fma_form qn_fma_form_find(const qn_requant *requant, qn_interval range) {
  qn_fma_form best = {.kind = QN_FMA_NONE};
  qn_steps s;
  if (!qn_steps_find(requant, range, &s)) return best;
  if (s.first == s.last) {
    float value = (float)s.first;
    return (qn_fma_form){QN_FMA_ONE, 0, value, value};
  }
  float centre = (float)s.real;
  if (!(centre > FLT_MIN * 256) || !(centre < 0x1p31F)) return best; /* all candidates are normal */
  piece pieces[2];
  piece_init(&pieces[0], &s, range.lo, range.hi < -1 ? range.hi : -1);
  piece_init(&pieces[1], &s, range.lo > 0 ? range.lo : 0, range.hi);
  for (int ulps = 0; ulps <= MAX_ULP; ulps++) {
    if (try_scale(&s, pieces, step_ulps(centre, ulps), &best)) return best;
    if (ulps > 0 && try_scale(&s, pieces, step_ulps(centre, -ulps), &best)) return best;
  }
  return best;
}
