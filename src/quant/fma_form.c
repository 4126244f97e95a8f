/* Search and proof of the one-FMA requantization.
 *
 * With the thresholds T_v (the smallest accumulator whose result is at least v), f equals the
 * reference iff f(T_v) >= v and f(T_v - 1) < v for every v, because both are monotone. For a given
 * scale s each condition bounds the offset:
 *     offset >= L_v - s * T_v        offset < L_v - s * (T_v - 1)
 * where L_v is the smallest real that becomes at least v, rounded to float, then to an integer. The
 * maximum of the former and the minimum of the latter over all v only involve the corners of a
 * convex hull, so that a scale is tried in a few operations. A double rounding in the reference
 * moves the thresholds of negative and positive accumulators in opposite directions; so
 * accumulators are cut at zero into two pieces, which may have an offset each.
 *
 * The bounds are computed in double and only steer the search. What is returned has been proved by
 * evaluating f.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/fma_form.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "quant/steps.h"

enum {
  MAX_ULP = 64,        /* how far the scale may be from the real multiplier */
  MAX_RESULT = 1 << 30 /* |f| before the clamp, far from what a conversion to int32 can't hold */
};

int32_t qn_requant_apply(const qn_requant *requant, int32_t acc) {
  const qn_multiplier *m = &requant->multiplier;
  int32_t y;
  if (requant->rounding == QN_REQUANT_REAL)
    y = qn_requant_real(acc, requant->real);
  else if (requant->rounding == QN_REQUANT_SINGLE)
    y = qn_requant_single(acc, m->mantissa, m->shift, requant->offset);
  else if (requant->rounding == QN_REQUANT_UP)
    y = qn_requant32_up(acc, m->mantissa, m->shift);
  else
    y = qn_requant32(acc, m->mantissa, m->shift);
  return qn_clamp32((int64_t)y + requant->zero_point, requant->min, requant->max);
}

static float integer_of(bool truncates, float x) { return truncates ? truncf(x) : nearbyintf(x); }

int32_t qn_fma_form_apply(const qn_fma_form *form, int32_t acc, int32_t min, int32_t max) {
  float offset = form->kind != QN_FMA_ONE && acc < 0 ? form->offset_negative : form->offset;
  float y = integer_of(form->kind == QN_FMA_TRUNCATED, fmaf((float)acc, form->scale, offset));
  return qn_clamp32((int64_t)y + form->zero_point, min, max);
}

/* Away from zero for positive `ulps`; x and the result are normal. */
static float step_ulps(float x, int ulps) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint32_t)ulps;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* ---- bounds of the offset over one piece of the range ---- */

typedef struct point {
  double x, y;
} point;
/* Corners of the hull of at most QN_MAX_STEPS + 1 points; `side` 1: above, -1: below. */
typedef struct hull {
  double side;
  int count;
  point points[QN_MAX_STEPS + 1];
} hull;

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

/* Accumulators of one sign. Thresholds [first, last) of the steps lie within, above `lo`. */
typedef struct piece {
  bool empty;
  int64_t lo, hi;
  int32_t at_lo, at_hi; /* results at the ends */
  hull at_least, below; /* of the offset */
} piece;

/* One search: the reference and how f makes an integer of its sum. */
typedef struct search {
  qn_steps steps;
  bool truncates;
  int32_t zero_point; /* added behind the conversion */
  piece pieces[2];    /* negative, others */
} search;

/* L_v. To nearest, a tie goes to the even integer; truncation reaches a positive integer from below
 * and leaves the one beneath a negative integer. Sums within half a step of the float grid of such
 * a border become the border. */
static double least_for(const search *s, int32_t v) {
  int32_t u = v - s->zero_point;
  float border = s->truncates ? (float)(u > 0 ? u : u - 1) : (float)u - 0.5F;
  bool included = s->truncates ? u > 0 : u % 2 == 0;
  float neighbour = step_ulps(border, included == (border > 0) ? -1 : 1);
  return ((double)border + (double)neighbour) / 2;
}

static void piece_init(search *s, piece *p, int64_t lo, int64_t hi) {
  const qn_requant *r = s->steps.requant;
  p->empty = lo > hi;
  p->lo = lo;
  p->hi = hi;
  p->at_least = (hull){.side = 1, .count = 0};
  p->below = (hull){.side = -1, .count = 0};
  if (p->empty) return;
  p->at_lo = qn_requant_apply(r, (int32_t)lo);
  p->at_hi = qn_requant_apply(r, (int32_t)hi);
  if (p->at_lo > r->min) hull_add(&p->at_least, (double)lo, least_for(s, p->at_lo));
  for (int32_t v = p->at_lo + 1; v <= p->at_hi; v++) {
    double t = (double)qn_steps_threshold(&s->steps, v), least = least_for(s, v);
    hull_add(&p->at_least, t, least);
    hull_add(&p->below, t - 1, least);
  }
  if (p->at_hi < r->max) hull_add(&p->below, (double)hi, least_for(s, p->at_hi + 1));
}

typedef struct bounds {
  double lo, hi;
} bounds;

static bounds piece_bounds(const piece *p, double scale) {
  return (bounds){hull_bound(&p->at_least, scale), hull_bound(&p->below, scale)};
}

/* ---- proof ---- */

/* lo <= f(acc) <= hi, with f clamped; and that the conversion to int32 is far from overflow. */
static bool within(const search *s, float scale, float offset, int64_t acc, int32_t lo,
                   int32_t hi) {
  float y = integer_of(s->truncates, fmaf((float)acc, scale, offset));
  if (!(fabsf(y) <= (float)MAX_RESULT)) return false;
  const qn_requant *r = s->steps.requant;
  int32_t result = qn_clamp32((int64_t)y + s->zero_point, r->min, r->max);
  return lo <= result && result <= hi;
}

/* f = reference on the whole piece: at both of its ends and on both sides of each threshold. */
static bool proved(const search *s, const piece *p, float scale, float offset) {
  if (p->empty) return true;
  if (!within(s, scale, offset, p->lo, p->at_lo, p->at_lo)) return false;
  if (!within(s, scale, offset, p->hi, p->at_hi, p->at_hi)) return false;
  for (int32_t v = p->at_lo + 1; v <= p->at_hi; v++) {
    int64_t t = qn_steps_threshold(&s->steps, v);
    if (!within(s, scale, offset, t, v, INT32_MAX)) return false;
    if (!within(s, scale, offset, t - 1, INT32_MIN, v - 1)) return false;
  }
  return true;
}

/* A float inside of the bounds: the middle, or half a step from the only bound. */
static float inside(bounds b) {
  if (isinf(b.lo) && isinf(b.hi)) return 0;
  if (isinf(b.lo)) return (float)(b.hi - 0.5);
  if (isinf(b.hi)) return (float)(b.lo + 0.5);
  return (float)(b.lo + (b.hi - b.lo) / 2);
}

/* Tries the middle of the bounds and the floats beside it. */
static bool find_offset(const search *s, const piece *pieces, int count, bounds b, float scale,
                        float *out_offset) {
  if (!(b.lo < b.hi)) return false;
  float middle = inside(b);
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

/* Both forms with one scale. True when nothing better can follow; a form with two offsets is kept
 * in *best until one with a single offset is found. */
static bool try_scale(const search *s, float scale, qn_fma_form *best) {
  bounds negative = piece_bounds(&s->pieces[0], (double)scale);
  bounds positive = piece_bounds(&s->pieces[1], (double)scale);
  qn_fma_form form = {.scale = scale, .zero_point = s->zero_point};
  if (!s->truncates) {
    bounds both = {fmax(negative.lo, positive.lo), fmin(negative.hi, positive.hi)};
    if (find_offset(s, s->pieces, 2, both, scale, &form.offset)) {
      form.kind = QN_FMA_ONE;
      form.offset_negative = form.offset;
      *best = form;
      return true;
    }
  }
  if (best->kind == QN_FMA_NONE &&
      find_offset(s, &s->pieces[0], 1, negative, scale, &form.offset_negative) &&
      find_offset(s, &s->pieces[1], 1, positive, scale, &form.offset)) {
    form.kind = s->truncates ? QN_FMA_TRUNCATED : QN_FMA_SIGNED;
    *best = form;
  }
  return s->truncates && best->kind != QN_FMA_NONE;
}

static qn_fma_form constant_form(const search *s) {
  float value = (float)(s->steps.first - s->zero_point);
  return (qn_fma_form){s->truncates ? QN_FMA_TRUNCATED : QN_FMA_ONE, 0, value, value,
                       s->zero_point};
}

static qn_fma_form find(const qn_requant *requant, qn_interval range, bool truncates) {
  qn_fma_form best = {.kind = QN_FMA_NONE};
  search s;
  if (!qn_steps_find(requant, range, &s.steps)) return best;
  s.truncates = truncates;
  s.zero_point = truncates ? requant->zero_point : 0;
  if (s.steps.first == s.steps.last) return constant_form(&s);
  float centre = (float)s.steps.real;
  if (!(centre > FLT_MIN * 256) || !(centre < 0x1p31F)) return best; /* all candidates are normal */
  piece_init(&s, &s.pieces[0], range.lo, range.hi < -1 ? range.hi : -1);
  piece_init(&s, &s.pieces[1], range.lo > 0 ? range.lo : 0, range.hi);
  for (int ulps = 0; ulps <= MAX_ULP; ulps++) {
    if (try_scale(&s, step_ulps(centre, ulps), &best)) return best;
    if (ulps > 0 && try_scale(&s, step_ulps(centre, -ulps), &best)) return best;
  }
  return best;
}

qn_fma_form qn_fma_form_find(const qn_requant *requant, qn_interval range) {
  return find(requant, range, false);
}

qn_fma_form qn_fma_form_find_truncated(const qn_requant *requant, qn_interval range) {
  return find(requant, range, true);
}
