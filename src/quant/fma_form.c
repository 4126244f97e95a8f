/* Search and proof of the one-FMA requantization f(acc) = integer(fma(acc, scale, offset)).
 *
 * Let T_v be the smallest accumulator whose reference result is at least v. Both f and the
 * reference are monotone. So f equals the reference if and only if f(T_v) >= v and f(T_v - 1) < v
 * for every v. For a given scale s these conditions bound the offset:
 *      offset >= L_v - s * float(T_v)        offset < L_v - s * float(T_v - 1)
 * where L_v is the smallest real number that rounds to float, then to an integer, of at least v. If
 * the reference rounds twice, its thresholds for negative and positive accumulators are shifted in
 * opposite directions. Therefore the range is cut at zero into two pieces, whose offsets may
 * differ.
 *
 * The width of the interval between the largest lower and the smallest upper bound is a concave
 * function of the scale. If it is negative at one scale, its tangent there excludes all scales on
 * one side. So one or two passes over the thresholds suffice for all 129 candidate scales near the
 * real multiplier.
 *
 * Without conversions (QN_FMA_BITS) sums are rounded to integers, so the offset is an integer.
 * Instead a multiple n * scale provides the fraction: Euclid's algorithm finds an n whose multiple
 * has a fraction between the bounds (residue.h), and n is added to the accumulators.
 *
 * The bounds are computed in double and only guide the search. Every returned form has been proved
 * by evaluating f.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/fma_form.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "quant/fused.h"
#include "quant/residue.h"
#include "runtime/fixed.h"

enum {
  MAX_ULP = 64,         /* maximum distance of the scale from the real multiplier, in ulps */
  MAX_RESULT = 1 << 30, /* limit of |f| before the clamp; conversion to int32 is safe */
  REACH = 1 << 22       /* integers within this distance of the base are floats */
};

static float integer_of(bool truncates, float x) { return truncates ? truncf(x) : nearbyintf(x); }

static float float_of(int32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int32_t bits_of(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

int32_t qn_fma_form_apply(const qn_fma_form *form, int32_t acc, int32_t min, int32_t max) {
  if (form->kind == QN_FMA_BITS) {
    float sum = fmaf(float_of(qn_wrap_add32(acc, form->start)), form->scale, form->offset);
    return qn_clamp32((int16_t)bits_of(sum), min, max);
  }
  float offset = form->kind != QN_FMA_ONE && acc < 0 ? form->offset_negative : form->offset;
  float y = integer_of(form->kind == QN_FMA_TRUNCATED, fmaf((float)acc, form->scale, offset));
  return qn_clamp32((int64_t)y + form->zero_point, min, max);
}

/* x moved by `ulps` ulps, away from zero if positive; x and the result are normal. */
static float step_ulps(float x, int ulps) { return float_of(bits_of(x) + ulps); }

/* ---- bounds of the offset over one piece of the range ---- */

/* An interval of accumulators of one sign. */
typedef struct piece {
  bool empty;
  int64_t lo, hi;
  int32_t at_lo, at_hi;      /* results of the reference at lo and hi */
  int from, to;              /* range of indices of the steps with thresholds in (lo, hi] */
  double lo_least, hi_least; /* L_v for the result v at lo, and for the next result after the one at
                                hi; infinite if clamped */
} piece;

/* One search: the reference, the thresholds, and the rounding of f. */
typedef struct search {
  const qn_steps *steps;
  bool truncates;
  int32_t zero_point; /* added after the conversion */
  float base;    /* constant in accumulators and sums: QN_FMA_BASE_VALUE for QN_FMA_BITS, else 0 */
  int32_t start; /* added to accumulators if base is not 0 */
  piece pieces[2]; /* [0]: negative accumulators; [1]: the others */
  /* [step]: threshold and threshold - 1, both converted to float; L_v. */
  double at[QN_MAX_STEPS], under[QN_MAX_STEPS], least[QN_MAX_STEPS];
} search;

/* L_v for result u. A tie goes to the even integer. Truncation reaches a positive integer from
 * below, and leaves the integer below a negative one. Sums within half a float step of such a
 * border are rounded to the border. */
static inline double least_of(bool is_bits, bool truncates, int32_t u) {
  if (is_bits) return u - 0.5; /* sums are rounded to integers only */
  float border = truncates ? (float)(u > 0 ? u : u - 1) : (float)u - 0.5F;
  int32_t positive = u > 0, included = truncates ? positive : ~u & 1;
  float neighbour = step_ulps(border, 2 * (included ^ positive) - 1);
  return ((double)border + (double)neighbour) / 2;
}

static double least_for(const search *s, int32_t v) {
  return least_of(s->base != 0, s->truncates, v - s->zero_point);
}

static int step_count(const search *s) { return s->steps->last - s->steps->first; }

/* Fills at, under and least. False if a threshold and the accumulator below it are the same float;
 * then no form exists. */
static bool lay_out_steps(search *s) {
  const int32_t *restrict thresholds = s->steps->thresholds;
  double *restrict at = s->at, *restrict under = s->under;
  int count = step_count(s);
  int32_t same = 0; /* not bool, which is not vectorized */
  for (int i = 0; i < count; i++) {
    float above = (float)thresholds[i], below = (float)(thresholds[i] - 1);
    at[i] = (double)above;
    under[i] = (double)below;
    same |= above == below;
  }
  double *restrict least = s->least;
  const bool is_bits = s->base != 0, truncates = s->truncates;
  const int32_t first = s->steps->first + 1 - s->zero_point;
  for (int i = 0; i < count; i++) least[i] = least_of(is_bits, truncates, first + i);
  return same == 0;
}

static void piece_init(search *s, piece *p, int64_t lo, int64_t hi) {
  const qn_requant *r = &s->steps->requant;
  *p = (piece){.empty = lo > hi, .lo = lo, .hi = hi, .lo_least = -HUGE_VAL, .hi_least = HUGE_VAL};
  if (p->empty) return;
  p->at_lo = qn_requant_apply(r, (int32_t)lo);
  p->at_hi = qn_requant_apply(r, (int32_t)hi);
  p->from = p->at_lo - s->steps->first;
  p->to = p->at_hi - s->steps->first;
  if (p->at_lo > r->min) p->lo_least = least_for(s, p->at_lo);
  if (p->at_hi < r->max) p->hi_least = least_for(s, p->at_hi + 1);
}

/* The interval [lo, hi) of valid offsets. */
typedef struct bounds {
  double lo, hi;
  double lo_x, hi_x; /* accumulators that determine lo and hi */
} bounds;

static bounds piece_bounds(const search *s, const piece *p, double scale) {
  double lo = (double)(float)p->lo, hi = (double)(float)p->hi;
  bounds b = {p->lo_least - scale * lo, p->hi_least - scale * hi, lo, hi};
  for (int i = p->from; i < p->to; i++) {
    double least = s->least[i] - scale * s->at[i], most = s->least[i] - scale * s->under[i];
    if (least > b.lo) b.lo = least, b.lo_x = s->at[i];
    if (most < b.hi) b.hi = most, b.hi_x = s->under[i];
  }
  return b;
}

static bounds both_bounds(const bounds *a, const bounds *b) {
  bounds both = *a;
  if (b->lo > both.lo) both.lo = b->lo, both.lo_x = b->lo_x;
  if (b->hi < both.hi) both.hi = b->hi, both.hi_x = b->hi_x;
  return both;
}

/* ---- proof ---- */

/* Whether lo <= f(acc) <= hi after the clamp, and |f(acc)| before the clamp is at most MAX_RESULT,
 * for QN_FMA_BITS INT16_MAX. */
static bool within(const search *s, float scale, float offset, int64_t acc, int32_t lo,
                   int32_t hi) {
  float x = (float)(acc + s->start) + s->base;
  float y = integer_of(s->truncates, fmaf(x, scale, offset)) - s->base;
  if (!(fabsf(y) <= (float)(s->base != 0 ? INT16_MAX : MAX_RESULT))) return false;
  const qn_requant *r = &s->steps->requant;
  int32_t result = qn_clamp32((int64_t)y + s->zero_point, r->min, r->max);
  return lo <= result && result <= hi;
}

static bool steps_proved(const search *s, const piece *p, float scale, float offset) {
  for (int32_t v = p->at_lo + 1; v <= p->at_hi; v++) {
    int64_t t = qn_steps_threshold(s->steps, v);
    if (!within(s, scale, offset, t, v, INT32_MAX)) return false;
    if (!within(s, scale, offset, t - 1, INT32_MIN, v - 1)) return false;
  }
  return true;
}

/* integer_of for magnitudes far below 2^31. */
static inline float near_integer(bool truncates, float y) {
  return truncates ? (float)(int32_t)y : qn_nearest(y);
}

/* steps_proved without function calls, for vectorization. Sums between the ends are at most
 * MAX_RESULT if those at the ends are. If *out_unsure is set, the answer may be wrong. */
static inline bool steps_seem_proved(const search *s, const piece *p, bool truncates, double scale,
                                     double offset, int32_t *out_unsure) {
  int32_t bad = 0, unsure = 0;
  const int32_t first = s->steps->first + 1 - s->zero_point;
  const float base = s->base;
  const double more = (double)base + s->start, *at = s->at, *under = s->under;
  for (int i = p->from; i < p->to; i++) {
    float v = (float)(first + i) + base;
    bad |= near_integer(truncates, qn_fused(at[i] + more, scale, offset, &unsure)) < v;
    bad |= near_integer(truncates, qn_fused(under[i] + more, scale, offset, &unsure)) >= v;
  }
  *out_unsure = unsure;
  return bad == 0;
}

/* Whether f equals the reference on the piece: checked at both ends and on both sides of each
 * threshold. */
static bool proved(const search *s, const piece *p, float scale, float offset) {
  if (p->empty) return true;
  if (!within(s, scale, offset, p->lo, p->at_lo, p->at_lo)) return false;
  if (!within(s, scale, offset, p->hi, p->at_hi, p->at_hi)) return false;
  int32_t unsure;
  bool good = s->truncates ? steps_seem_proved(s, p, true, (double)scale, (double)offset, &unsure)
                           : steps_seem_proved(s, p, false, (double)scale, (double)offset, &unsure);
  return unsure ? steps_proved(s, p, scale, offset) : good;
}

/* A float within the bounds: the middle, 0.5 from the only finite bound, or 0 if there is none. */
static float inside(const bounds *b) {
  if (isinf(b->lo) && isinf(b->hi)) return 0;
  if (isinf(b->lo)) return (float)(b->hi - 0.5);
  if (isinf(b->hi)) return (float)(b->lo + 0.5);
  return (float)(b->lo + (b->hi - b->lo) / 2);
}

/* Tries the middle of the bounds and its two neighbouring floats. */
static bool find_offset(const search *s, const piece *pieces, int count, const bounds *b,
                        float scale, float *out_offset) {
  if (!(b->lo < b->hi)) return false;
  float middle = inside(b);
  const float candidates[] = {middle, nextafterf(middle, FLT_MAX), nextafterf(middle, -FLT_MAX)};
  for (int i = 0; i < 3; i++) {
    bool good = (double)candidates[i] >= b->lo && (double)candidates[i] < b->hi;
    for (int k = 0; good && k < count; k++) good = proved(s, &pieces[k], scale, candidates[i]);
    if (!good) continue;
    *out_offset = candidates[i];
    return true;
  }
  return false;
}

/* ---- without conversions ---- */

/* The interval of starts with which all accumulators of the range are within REACH of the base;
 * false if empty. */
static bool has_starts(qn_interval range, int64_t *out_least, int64_t *out_most) {
  *out_least = -REACH - range.lo;
  *out_most = REACH - 1 - range.hi;
  return *out_least <= *out_most;
}

/* The smallest integer n >= from for which n * scale differs by an integer from a number in
 * [fraction, fraction + room]; room is limited to 0.5. -1 if none. The scale is an integer times
 * 2^-bits. */
static int64_t find_multiple(float scale, int64_t from, double fraction, double room) {
  int exponent;
  double mantissa = ldexp(frexp((double)scale, &exponent), FLT_MANT_DIG);
  int bits = FLT_MANT_DIG - exponent;
  if (bits < FLT_MANT_DIG || bits > QN_RESIDUE_MAX_BITS) return -1;
  uint64_t modulus = UINT64_C(1) << bits, factor = (uint64_t)mantissa;
  uint64_t lo = (uint64_t)ldexp(fraction - floor(fraction), bits), width;
  width = (uint64_t)ldexp(room < 0.5 ? room : 0.5, bits);
  lo = (lo - (uint64_t)from * factor) & (modulus - 1);
  if (lo + width >= modulus) return from; /* the interval contains 0 */
  int64_t further = qn_residue_first(factor, modulus, lo, lo + width);
  return further < 0 ? -1 : from + further;
}

/* Finds a start and an integer offset that together amount to an offset in the middle half of the
 * bounds. */
static bool find_start(search *s, const bounds *b, float scale, float *out_offset) {
  int64_t least, most, base = (int64_t)s->base;
  if (!(b->lo < b->hi) || !has_starts(s->steps->range, &least, &most)) return false;
  double room = (b->hi - b->lo) / 2, from = b->lo + room / 2;
  int64_t factor = find_multiple(scale, base + least, from, room);
  if (factor < 0 || factor - base > most) return false;
  s->start = (int32_t)(factor - base);
  *out_offset = (float)floor((double)base + from + room - (double)scale * (double)factor);
  for (int k = 0; k < 2; k++)
    if (!proved(s, &s->pieces[k], scale, *out_offset)) return false;
  return true;
}

/* ---- search ---- */

/* An interval of scales that are not excluded yet. */
typedef struct span {
  double lo, hi;
} span;
static const span nothing = {1, 0};

/* Scales that may give a better form than the best one, with one offset and with two offsets. */
typedef struct spans {
  span one, two;
} spans;

static inline bool span_has(const span *p, double scale) {
  return p->lo <= scale && scale <= p->hi;
}

static inline bool spans_are_empty(const spans *s) {
  return s->one.lo > s->one.hi && s->two.lo > s->two.hi;
}

/* Excludes scales by the tangent at `scale`: at scale s, hi - lo is at most hi - lo + (scale - s) *
 * (hi_x - lo_x). Rounding errors in double are far below the slack. */
static void span_cut(span *p, double scale, const bounds *b) {
  const double slack = 0x1p-36;
  double left = b->hi - b->lo + slack, slope = b->lo_x - b->hi_x;
  if (!(left < 0)) return;
  if (slope == 0)
    *p = nothing;
  else if (slope > 0)
    p->lo = fmax(p->lo, scale - left / slope);
  else
    p->hi = fmin(p->hi, scale - left / slope);
}

/* Finds a form with one offset. */
static bool find_one(search *s, const bounds *b, float scale, qn_fma_form *io_form) {
  bool is_bits = s->base != 0;
  bool found = is_bits ? find_start(s, b, scale, &io_form->offset)
                       : find_offset(s, s->pieces, 2, b, scale, &io_form->offset);
  io_form->kind = is_bits ? QN_FMA_BITS : QN_FMA_ONE;
  io_form->offset_negative = io_form->offset;
  io_form->start = is_bits ? qn_wrap_add32(QN_FMA_BASE, s->start) : 0;
  return found;
}

/* Tries one scale, with one offset and with two. A form with two offsets is kept in *best until a
 * form with one offset is found. */
static void try_scale(search *s, float scale, spans *left, qn_fma_form *best) {
  double real = (double)scale;
  bounds of[] = {piece_bounds(s, &s->pieces[0], real), piece_bounds(s, &s->pieces[1], real)};
  qn_fma_form form = {.scale = scale, .zero_point = s->zero_point};
  if (span_has(&left->one, real)) {
    bounds both = both_bounds(&of[0], &of[1]);
    span_cut(&left->one, real, &both);
    if (find_one(s, &both, scale, &form)) {
      *best = form;
      *left = (spans){nothing, nothing};
      return;
    }
  }
  if (!span_has(&left->two, real)) return;
  for (int i = 0; i < 2; i++) span_cut(&left->two, real, &of[i]);
  if (find_offset(s, &s->pieces[0], 1, &of[0], scale, &form.offset_negative) &&
      find_offset(s, &s->pieces[1], 1, &of[1], scale, &form.offset)) {
    form.kind = s->truncates ? QN_FMA_TRUNCATED : QN_FMA_SIGNED;
    *best = form;
    left->two = nothing;
  }
}

/* Tries all scales, starting with the nearest to `centre`. */
static qn_fma_form try_scales(search *s, float centre, qn_fma_kind kind) {
  qn_fma_form best = {.kind = QN_FMA_NONE};
  const span all = {(double)step_ulps(centre, -MAX_ULP), (double)step_ulps(centre, MAX_ULP)};
  spans left = {kind == QN_FMA_TRUNCATED ? nothing : all, kind == QN_FMA_BITS ? nothing : all};
  for (int i = 0; i <= 2 * MAX_ULP && !spans_are_empty(&left); i++) {
    float scale = step_ulps(centre, i % 2 == 0 ? -i / 2 : (i + 1) / 2);
    if (span_has(&left.one, (double)scale) || span_has(&left.two, (double)scale))
      try_scale(s, scale, &left, &best);
  }
  return best;
}

static qn_fma_form constant_form(const search *s, qn_fma_kind kind) {
  float value = (float)(s->steps->first - s->zero_point) + s->base;
  int32_t start = kind == QN_FMA_BITS ? qn_wrap_add32(QN_FMA_BASE, s->start) : 0;
  return (qn_fma_form){kind, 0, value, value, s->zero_point, start};
}

/* `kind`: ONE (the result may be SIGNED), TRUNCATED or BITS. */
static qn_fma_form find(const qn_steps *steps, qn_fma_kind kind) {
  const qn_fma_form none = {.kind = QN_FMA_NONE};
  qn_interval range = steps->range;
  int64_t least = 0, most;
  if (!steps->found) return none;
  if (kind == QN_FMA_BITS && !has_starts(range, &least, &most)) return none;
  search s;
  s.steps = steps;
  s.truncates = kind == QN_FMA_TRUNCATED;
  s.zero_point = s.truncates ? steps->requant.zero_point : 0;
  s.base = kind == QN_FMA_BITS ? QN_FMA_BASE_VALUE : 0;
  s.start = (int32_t)least;
  if (steps->first == steps->last) return constant_form(&s, kind);
  float centre = (float)steps->real;
  if (!(centre > FLT_MIN * 256) || !(centre < 0x1p31F)) return none; /* all candidates are normal */
  if (kind == QN_FMA_BITS && !(centre < 1)) return none;             /* sums may have fractions */
  if (!lay_out_steps(&s)) return none;
  piece_init(&s, &s.pieces[0], range.lo, range.hi < -1 ? range.hi : -1);
  piece_init(&s, &s.pieces[1], range.lo > 0 ? range.lo : 0, range.hi);
  return try_scales(&s, centre, kind);
}

qn_fma_form qn_fma_form_find(const qn_steps *steps) { return find(steps, QN_FMA_ONE); }

qn_fma_form qn_fma_form_find_truncated(const qn_steps *steps) {
  return find(steps, QN_FMA_TRUNCATED);
}

qn_fma_form qn_fma_form_find_bits(const qn_steps *steps) { return find(steps, QN_FMA_BITS); }
