/* Search and proof of the requantization by one long multiply-add.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/long_form.h"

#include <math.h>

#include "base/check.h"

__extension__ typedef __int128 wide;
enum { HIGH = 32, MOST_SHIFT = 30, NEAR = 8 };
_Static_assert(MOST_SHIFT < 1 << QN_LONG_SHIFT_BITS, "the bits hold every shift");

/* The interval of valid offsets, both ends included. */
typedef struct window {
  wide lo, hi;
} window;

static void at_least(window *w, wide x) {
  if (x > w->lo) w->lo = x;
}
static void at_most(window *w, wide x) {
  if (x < w->hi) w->hi = x;
}

/* The smallest offset for which f(acc) >= v. */
static wide reaching(int32_t v, int64_t acc, int64_t factor, int32_t shift) {
  return (wide)v * ((wide)1 << (HIGH + shift)) - (wide)acc * factor;
}

static window window_of(const qn_steps *s, int64_t factor, int32_t shift) {
  window w = {INT64_MIN, INT64_MAX};
  for (int32_t i = 0; i < s->last - s->first; i++) {
    int32_t v = s->first + 1 + i;
    at_least(&w, reaching(v, s->thresholds[i], factor, shift));
    at_most(&w, reaching(v, (int64_t)s->thresholds[i] - 1, factor, shift) - 1);
  }
  if (s->first > s->requant.min) at_least(&w, reaching(s->first, s->range.lo, factor, shift));
  if (s->last < s->requant.max) at_most(&w, reaching(s->last + 1, s->range.hi, factor, shift) - 1);
  /* the sum must fit int64 for all accumulators of the range */
  at_least(&w, INT64_MIN - (wide)s->range.lo * factor);
  at_most(&w, INT64_MAX - (wide)s->range.hi * factor);
  return w;
}

int32_t qn_long_form_apply(const qn_long_form *form, int32_t acc, int32_t min, int32_t max) {
  int64_t sum = (int64_t)acc * form->factor + form->offset;
  return qn_clamp32((int32_t)(sum >> HIGH) >> form->shift, min, max);
}

static bool is_proved(const qn_long_form *form, const qn_steps *s) {
  const qn_requant *r = &s->requant;
  bool equal = qn_long_form_apply(form, (int32_t)s->range.lo, r->min, r->max) == s->first &&
               qn_long_form_apply(form, (int32_t)s->range.hi, r->min, r->max) == s->last;
  for (int32_t i = 0; i < s->last - s->first; i++) {
    int32_t v = s->first + 1 + i;
    equal = equal && qn_long_form_apply(form, s->thresholds[i], r->min, r->max) >= v &&
            qn_long_form_apply(form, s->thresholds[i] - 1, r->min, r->max) < v;
  }
  return equal;
}

/* An offset in the window, with the shift in its lowest bits if there is one. */
static int64_t offset_in(const window *w, int32_t shift) {
  const wide unit = (wide)1 << QN_LONG_SHIFT_BITS;
  wide middle = w->lo + (w->hi - w->lo) / 2, packed = (middle & ~(unit - 1)) + shift;
  return (int64_t)(packed >= w->lo && packed <= w->hi ? packed : middle);
}

qn_long_form qn_long_form_find(const qn_steps *steps) {
  qn_long_form form = {0};
  if (!steps->found || !(steps->real > 0 && steps->real < 0.5)) return form;
  int exponent;
  (void)frexp(steps->real, &exponent); /* real < 2^exponent */
  form.shift = -1 - exponent < MOST_SHIFT ? -1 - exponent : MOST_SHIFT;
  QN_ASSERT(form.shift >= 0);
  int64_t centre = llround(ldexp(steps->real, HIGH + form.shift));
  for (int64_t near = 0; near <= 2 * NEAR && !form.proved; near++) {
    int64_t factor = centre + (near % 2 ? near / 2 + 1 : -near / 2);
    if (factor < 1 || factor > INT32_MAX) continue;
    window w = window_of(steps, factor, form.shift);
    if (w.lo > w.hi) continue;
    form.factor = (int32_t)factor;
    form.offset = offset_in(&w, form.shift);
    form.proved = is_proved(&form, steps);
  }
  return form;
}
