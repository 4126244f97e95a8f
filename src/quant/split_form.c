/* Search and proof of the split requantization.
 *
 * The form is monotone. For |x| <= 2^24 the remainder is at most 1 and fma(x, low, offset) is less
 * than 2, so the rounding errors of both and of their sum total less than 2^-23. From x to x + 1
 * the exact sum grows by the scale, which is at least 2^-20. Larger |x| are spaced farther apart,
 * because they are floats. nearest() may round a tie in either direction, depending on n, but only
 * one x can meet each tie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/split_form.h"

#include "quant/fused.h"

static const double least_scale = 0x1p-20, largest_scale = 2;
static const float largest_result = 0x1p30F; /* before the zero point is added; fits int32 */

static float unclamped(const qn_split_form *form, int32_t acc) {
  float x = (float)acc, offset = acc < 0 ? form->offset_negative : form->offset;
  float n = nearbyintf(x * form->high);
  float rest = fmaf(x, form->high, -n) + fmaf(x, form->low, offset);
  return n + nearbyintf(rest);
}

int32_t qn_split_form_apply(const qn_split_form *form, const qn_requant *requant, int32_t acc) {
  int64_t y = (int64_t)unclamped(form, acc) + requant->zero_point;
  return qn_clamp32(y, requant->min, requant->max);
}

static bool equal_at(const qn_split_form *form, const qn_requant *requant, int64_t acc) {
  return fabsf(unclamped(form, (int32_t)acc)) <= largest_result &&
         qn_split_form_apply(form, requant, (int32_t)acc) ==
             qn_requant_apply(requant, (int32_t)acc);
}

/* The middle of the interval of offsets with the right thresholds for accumulators in [lo, hi]. f
 * changes where acc * scale + offset is k + 1/2. */
static float middle_offset(const qn_steps *s, int64_t lo, int64_t hi) {
  double least = -1, most = 1;
  for (int32_t i = 0; i < s->last - s->first; i++) {
    int64_t t = s->thresholds[i];
    double half = (double)(s->first + 1 + i) - s->requant.zero_point - 0.5;
    double at = half - s->real * (double)t, below = half - s->real * (double)(t - 1);
    if (t >= lo && t <= hi && at > least) least = at;
    if (t - 1 >= lo && t - 1 <= hi && below < most) most = below;
  }
  return (float)(least + (most - least) / 2);
}

static bool steps_proved(const qn_split_form *form, const qn_steps *s) {
  for (int32_t i = 0; i < s->last - s->first; i++)
    if (!equal_at(form, &s->requant, s->thresholds[i]) ||
        !equal_at(form, &s->requant, (int64_t)s->thresholds[i] - 1))
      return false;
  return true;
}

/* `unclamped` without function calls. If *io_unsure is set, the result may be wrong. */
static inline float seems(const qn_split_form *form, int32_t acc, int32_t *io_unsure) {
  float x = (float)acc, offset = acc < 0 ? form->offset_negative : form->offset;
  double high = (double)form->high, low = (double)form->low, n = (double)qn_nearest(x * form->high);
  float rest = (float)((double)x * high - n) + qn_fused((double)x, low, (double)offset, io_unsure);
  return (float)n + qn_nearest(rest);
}

/* steps_proved without function calls, with one comparison per side of a threshold, because both
 * functions are monotone. Values between the ends are at most largest_result if those at the ends
 * are. The remainder is exact in double. If *out_unsure is set, the answer may be wrong. */
static bool steps_seem_proved(const qn_split_form *any, const qn_steps *s, int32_t *out_unsure) {
  const qn_split_form form = *any;
  int32_t bad = 0, unsure = 0;
  for (int32_t i = 0; i < s->last - s->first; i++) {
    float v = (float)(s->first + 1 + i - s->requant.zero_point);
    bad |= seems(&form, s->thresholds[i], &unsure) < v;
    bad |= seems(&form, s->thresholds[i] - 1, &unsure) >= v;
  }
  *out_unsure = unsure;
  return bad == 0;
}

static bool proved(const qn_split_form *form, const qn_steps *s) {
  const int64_t ends[] = {s->range.lo, s->range.hi, -1, 0};
  for (int i = 0; i < 4; i++)
    if (ends[i] >= s->range.lo && ends[i] <= s->range.hi && !equal_at(form, &s->requant, ends[i]))
      return false;
  int32_t unsure;
  bool good = steps_seem_proved(form, s, &unsure);
  return unsure ? steps_proved(form, s) : good;
}

qn_split_form qn_split_form_find(const qn_steps *steps) {
  qn_split_form form = {.proved = false};
  qn_interval range = steps->range;
  if (!steps->found) return form;
  if (steps->first == steps->last) {
    form.offset = form.offset_negative = (float)(steps->first - steps->requant.zero_point);
    form.proved = true;
    return form;
  }
  if (!(steps->real >= least_scale) || !(steps->real <= largest_scale)) return form;
  form.high = (float)steps->real;
  form.low = (float)(steps->real - (double)form.high);
  form.offset = middle_offset(steps, range.lo > 0 ? range.lo : 0, range.hi);
  form.offset_negative = middle_offset(steps, range.lo, range.hi < -1 ? range.hi : -1);
  form.proved = proved(&form, steps);
  return form;
}
