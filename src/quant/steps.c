/* Finds the thresholds of a requantization. First all are guessed from the real multiplier, and
 * each guess is verified by two evaluations of the reference. If a guess is wrong, all thresholds
 * are found in order by bisection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/steps.h"

#include <math.h>

/* Input of the search: the reference, and the parameters of the guesses. */
typedef struct finder {
  qn_requant requant;
  double inverse; /* 1 / multiplier */
  double first; /* maximum error of the first of two roundings, in units of the result; 0 if rounded
                   once */
} finder;

/* Whether the result is at least `value`. Requires min < value <= max, so that the clamp does not
 * matter. */
static inline bool at_least(const finder *f, int64_t acc, int32_t value) {
  return (int64_t)qn_requant_round(&f->requant, (int32_t)acc) + f->requant.zero_point >= value;
}

static double first_rounding(const qn_requant *r) {
  return !qn_requant_is_twice(r->rounding) || r->multiplier.shift >= 0
             ? 0
             : ldexp(0.5, r->multiplier.shift);
}

/* The accumulator at which the product reaches `value` - 1/2. The first of two roundings lowers the
 * threshold of positive results, and raises it for others if ties are rounded away from zero. */
static inline double guess(const finder *f, int32_t value) {
  double result = (double)value - f->requant.zero_point - f->requant.offset;
  bool more = result > 0 || f->requant.rounding == QN_REQUANT_UP;
  return (result - 0.5 + (more ? -f->first : f->first)) * f->inverse;
}

/* The smallest accumulator in (below, top] with a result of at least `value`. Requires a smaller
 * result at `below`, and a result of at least `value` at `top`. */
static inline int64_t find_threshold(const finder *f, int32_t value, int64_t below, int64_t top) {
  double near = guess(f, value);
  if (near > (double)below && near <= (double)top) {
    int64_t at = (int64_t)near;
    at += (double)at < near; /* rounded up */
    if (!at_least(f, at, value))
      below = at;
    else
      top = at;
    if (top == at && at - 1 > below && !at_least(f, at - 1, value)) below = at - 1;
  }
  while (top - below > 1) {
    int64_t middle = below + (top - below) / 2;
    if (at_least(f, middle, value))
      top = middle;
    else
      below = middle;
  }
  return top;
}

/* ---- all at once ---- */

static void guess_all(const finder *any, qn_interval range, qn_steps *out_steps) {
  const finder f = *any; /* a local copy, which the stores below can't alias */
  const double least = (double)range.lo + 1, most = (double)range.hi;
  const int32_t first = out_steps->first + 1, count = out_steps->last - out_steps->first;
  double near[QN_MAX_STEPS];
  for (int32_t i = 0; i < count; i++) near[i] = guess(&f, first + i);
  for (int32_t i = 0; i < count; i++) {
    double above_least = near[i] > least ? near[i] : least;
    near[i] = above_least < most ? above_least : most;
  }
  for (int32_t i = 0; i < count; i++) {
    int32_t below = (int32_t)near[i];
    out_steps->thresholds[i] = below + ((double)below < near[i]); /* rounded up */
  }
}

/* Whether the thresholds are correct. Inlined, so that the compiler can use known fields of the
 * reference. */
static inline bool are_thresholds(const finder *f, const qn_steps *steps) {
  bool all = true;
  for (int32_t i = 0; i < steps->last - steps->first; i++) {
    int32_t value = steps->first + 1 + i;
    all &= at_least(f, steps->thresholds[i], value);
    all &= !at_least(f, (int64_t)steps->thresholds[i] - 1, value);
  }
  return all;
}

/* are_thresholds for the most common references: rounded twice, multiplier below 1. */
static bool are_usual_thresholds(const finder *any, const qn_steps *steps) {
  finder f = *any;
  f.requant.rounding = QN_REQUANT_DOUBLE;
  f.requant.multiplier.shift = -(-any->requant.multiplier.shift & 31);
  return are_thresholds(&f, steps);
}

static bool guessed_right(const finder *f, const qn_steps *steps) {
  int32_t shift = f->requant.multiplier.shift;
  bool usual = f->requant.rounding == QN_REQUANT_DOUBLE && shift <= 0 && shift >= -31;
  return usual ? are_usual_thresholds(f, steps) : are_thresholds(f, steps);
}

/* ---- search ---- */

static void find_all(const finder *f, qn_interval range, qn_steps *out_steps) {
  int64_t below = range.lo;
  for (int32_t v = out_steps->first + 1; v <= out_steps->last; v++) {
    int64_t t = find_threshold(f, v, below, range.hi);
    out_steps->thresholds[v - out_steps->first - 1] = (int32_t)t;
    below = t - 1;
  }
}

/* Whether the reference is monotone on the range and has 8-bit results. */
static bool is_searchable(const qn_requant *r, qn_interval range) {
  if (range.lo > range.hi || !qn_interval_fits_i32(range)) return false;
  if (r->min > r->max || r->min < -QN_MAX_STEPS || r->max > QN_MAX_STEPS) return false;
  if (qn_requant_is_real(r->rounding))
    return r->real >= 0 && isfinite(r->real) && isfinite(r->offset);
  if (r->rounding == QN_REQUANT_SINGLE || r->multiplier.shift > 31) return true; /* saturates */
  int64_t limit = INT64_C(1) << (31 - (r->multiplier.shift > 0 ? r->multiplier.shift : 0));
  return range.lo >= -limit && range.hi < limit; /* left shift, or result of "once", don't wrap */
}

/* Whether the two requantizations differ only by the constant *out_more, added to results and clamp
 * limits. */
static bool is_moved(const qn_requant *from, const qn_requant *to, int32_t *out_more) {
  int64_t more = (int64_t)to->zero_point - from->zero_point;
  *out_more = (int32_t)more;
  return to->rounding == from->rounding && to->multiplier.mantissa == from->multiplier.mantissa &&
         to->multiplier.shift == from->multiplier.shift && to->real == from->real &&
         to->offset == from->offset && (int64_t)to->min - from->min == more &&
         (int64_t)to->max - from->max == more;
}

void qn_steps_find(const qn_requant *requant, qn_interval range, qn_steps *out_steps) {
  out_steps->found = is_searchable(requant, range);
  if (!out_steps->found) return;
  out_steps->requant = *requant;
  out_steps->range = range;
  out_steps->real = qn_requant_is_real(requant->rounding) ? requant->real
                                                          : qn_multiplier_real(requant->multiplier);
  out_steps->first = qn_requant_apply(requant, (int32_t)range.lo);
  out_steps->last = qn_requant_apply(requant, (int32_t)range.hi);
  out_steps->found = (int64_t)out_steps->last - out_steps->first <= QN_MAX_STEPS;
  if (!out_steps->found) return;
  const finder f = {*requant, 1 / out_steps->real, first_rounding(requant)};
  guess_all(&f, range, out_steps);
  if (!guessed_right(&f, out_steps)) find_all(&f, range, out_steps);
}

void qn_steps_renew(const qn_requant *requant, qn_interval range, qn_steps *io_steps) {
  int32_t more;
  if (!io_steps->found || range.lo != io_steps->range.lo || range.hi != io_steps->range.hi ||
      !is_searchable(requant, range) || !is_moved(&io_steps->requant, requant, &more)) {
    qn_steps_find(requant, range, io_steps);
    return;
  }
  io_steps->requant = *requant;
  io_steps->first += more;
  io_steps->last += more;
}
