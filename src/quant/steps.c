/* Finding the thresholds of a requantization: a guess from the real multiplier, then bisection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/steps.h"

/* The smallest accumulator in (below, at] with a result of at least `value`; the results at the ends
 * are known to lie on either side. The real multiplier gives a guess that is off by one or two. */
static int64_t find_threshold(const qn_steps *s, int32_t value, int64_t below, int64_t at) {
  double guess = ((double)value - s->requant->zero_point - 0.5) / s->real;
  if (fabs(guess) < (double)INT32_MAX) {
    int64_t lo = (int64_t)guess - 2, hi = (int64_t)guess + 2;
    if (lo > below && lo < at) {
      if (qn_requant_apply(s->requant, (int32_t)lo) < value) below = lo;
      else at = lo;
    }
    if (hi > below && hi < at) {
      if (qn_requant_apply(s->requant, (int32_t)hi) < value) below = hi;
      else at = hi;
    }
  }
  while (at - below > 1) {
    int64_t middle = below + (at - below) / 2;
    if (qn_requant_apply(s->requant, (int32_t)middle) < value) below = middle;
    else at = middle;
  }
  return at;
}

/* Whether the reference is monotone on the range and has 8-bit results. */
static bool is_searchable(const qn_requant *r, qn_interval range) {
  if (range.lo > range.hi || !qn_interval_fits_i32(range)) return false;
  if (r->min > r->max || r->min < -QN_MAX_STEPS || r->max > QN_MAX_STEPS) return false;
  if (r->is_real) return r->real >= 0 && isfinite(r->real);
  int64_t limit = INT64_C(1) << (31 - (r->multiplier.shift > 0 ? r->multiplier.shift : 0));
  return range.lo >= -limit && range.hi < limit; /* the left shift must not wrap */
}

bool qn_steps_find(const qn_requant *requant, qn_interval range, qn_steps *out_steps) {
  if (!is_searchable(requant, range)) return false;
  out_steps->requant = requant;
  out_steps->real = requant->is_real ? requant->real : qn_multiplier_real(requant->multiplier);
  out_steps->first = qn_requant_apply(requant, (int32_t)range.lo);
  out_steps->last = qn_requant_apply(requant, (int32_t)range.hi);
  if ((int64_t)out_steps->last - out_steps->first > QN_MAX_STEPS) return false;
  int64_t below = range.lo;
  for (int32_t v = out_steps->first + 1; v <= out_steps->last; v++) {
    int64_t t = find_threshold(out_steps, v, below, range.hi);
    out_steps->thresholds[v - out_steps->first - 1] = t;
    below = t - 1;
  }
  return true;
}
