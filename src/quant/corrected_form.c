/* Search and proof of sums with corrections.
 *
 * The scales are approximated by ratios with a common denominator D, so that sums are multiples of
 * 1 / D, apart from the rounding errors of the reference and the deviations of its multipliers from
 * the ratios. Only these errors decide near a tie. The form multiplies them by a factor, as large
 * as possible while they stay well below 1 / D, so that float rounding does not hide them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/corrected_form.h"

#include <math.h>

enum { MAX_DENOMINATOR = 4096, FACTORS = 32, HALVES = 4 };

int32_t qn_corrected_form_apply(const qn_corrected_form *form, int32_t first, int32_t second,
                                int32_t min, int32_t max) {
  int32_t b = form->of_first ? first : second, a = form->of_first ? second : first;
  float inner = fmaf((float)form->corrections[(uint8_t)b], form->unit, form->offset);
  float x = fmaf((float)a, form->scale_a, fmaf((float)b, form->scale_b, inner));
  float y = truncf(x + copysignf(form->half, x)) + (float)form->zero_point;
  return y < (float)min ? min : y > (float)max ? max : (int32_t)y;
}

/* ---- the ratios ---- */

/* Whether scale * denominator is an integer, within the precision of multipliers (31 bits) and of
 * the scales of models (24 bits). */
static bool is_multiple(double scale, int denominator) {
  double x = scale * denominator;
  return fabs(x - rint(x)) <= 0x1p-21 * fabs(x) + 0x1p-30;
}

static int denominator_of(const qn_corrected_question *q) {
  for (int d = 1; d < MAX_DENOMINATOR; d++)
    if (is_multiple(q->sides[0].scale, d) && is_multiple(q->sides[1].scale, d)) return d;
  return 0;
}

/* Difference between the term of value i and ratio * value. */
static double deviation(const qn_corrected_side *side, double ratio, int32_t i) {
  return side->terms[i] - ratio * (side->lo + i - side->zero_point);
}

/* Compares instead of calling fmax, which ends GCC 12 for AArch64 in the vectorizer. */
static double largest_deviation(const qn_corrected_side *side, double ratio) {
  double most = 0;
  for (int32_t i = 0; i <= side->hi - side->lo; i++) {
    double off = fabs(deviation(side, ratio, i));
    if (off > most) most = off;
  }
  return most;
}

/* ---- one form ---- */

/* Pairs that refuted earlier forms; checked first, because they refute most of the following forms.
 */
enum { REMEMBERED = 16 };
typedef struct pair {
  int32_t first, second;
} pair;
typedef struct trial {
  const qn_corrected_question *q;
  pair refuting[REMEMBERED];
  uint32_t count;
} trial;

static bool agrees(const qn_corrected_question *q, const qn_corrected_form *form, pair at) {
  return qn_corrected_form_apply(form, at.first, at.second, q->min, q->max) ==
         q->reference(q->user, at.first, at.second);
}

static bool is_proved(trial *t, const qn_corrected_form *form) {
  const qn_corrected_side *first = &t->q->sides[0], *second = &t->q->sides[1];
  for (uint32_t i = 0; i < t->count && i < REMEMBERED; i++)
    if (!agrees(t->q, form, t->refuting[i])) return false;
  for (int32_t a = first->lo; a <= first->hi; a++)
    for (int32_t b = second->lo; b <= second->hi; b++) {
      if (agrees(t->q, form, (pair){a, b})) continue;
      t->refuting[t->count++ % REMEMBERED] = (pair){a, b};
      return false;
    }
  return true;
}

/* Sets the scales and the table of corrections: all deviations from the ratios are multiplied by
 * `factor`. For the operand without a table only the deviation of its scale is included. */
static void set_corrections(qn_corrected_form *form, const qn_corrected_side *a,
                            const qn_corrected_side *b, double ratio_a, double ratio_b,
                            double factor) {
  const double most = factor * largest_deviation(b, b->scale), steps = INT8_MAX;
  const double scale_a = ratio_a + factor * (a->scale - ratio_a);
  const double scale_b = ratio_b + factor * (b->scale - ratio_b);
  form->scale_a = (float)scale_a;
  form->scale_b = (float)scale_b;
  form->unit = (float)(most / steps);
  form->offset = (float)(-scale_a * a->zero_point - scale_b * b->zero_point);
  for (int32_t i = 0; i <= b->hi - b->lo; i++) {
    double off = factor * deviation(b, b->scale, i);
    double units = form->unit > 0 ? off / (double)form->unit : 0;
    form->corrections[(uint8_t)(b->lo + i)] = (int8_t)rint(fmin(fmax(units, -steps), steps));
  }
}

static bool search(const qn_corrected_question *q, bool of_first, int denominator,
                   qn_corrected_form *form) {
  static const double halves[HALVES] = {1, 0.75, 1.25, 0.5};
  const qn_corrected_side *b = &q->sides[of_first ? 0 : 1], *a = &q->sides[of_first ? 1 : 0];
  const double ratio_a = rint(a->scale * denominator) / denominator;
  const double ratio_b = rint(b->scale * denominator) / denominator;
  const double deviates = largest_deviation(a, ratio_a) + largest_deviation(b, ratio_b) + q->last;
  *form = (qn_corrected_form){.proved = true, .of_first = of_first, .zero_point = q->zero_point};
  trial t = {.q = q};
  double factor = fmin(0.49 / denominator / deviates, 0x1p16);
  for (int i = 0; i < FACTORS; i++, factor *= 0.875) {
    set_corrections(form, a, b, ratio_a, ratio_b, factor);
    for (int h = 0; h < HALVES; h++) {
      form->half = (float)(0.5 + factor * q->last * halves[h]);
      if (is_proved(&t, form)) return true;
    }
  }
  return false;
}

/* Whether all values are small enough for x to fit int32 and not to be NaN. */
static bool is_moderate(const qn_corrected_question *q) {
  for (int i = 0; i < 2; i++) {
    const qn_corrected_side *side = &q->sides[i];
    if (!(fabs(side->scale) < 0x1p16) || side->hi - side->lo > UINT8_MAX) return false;
    if (side->zero_point < INT16_MIN || side->zero_point > INT16_MAX) return false;
  }
  return q->last > 0 && q->last < 0x1p-8 && q->min >= INT16_MIN && q->max <= INT16_MAX;
}

/* First tries the table for the operand with the smaller scale: the multiplier of the larger scale
 * is exact, so the other operand deviates more. */
qn_corrected_form qn_corrected_form_find(const qn_corrected_question *q) {
  qn_corrected_form form, none = {.proved = false};
  int denominator = is_moderate(q) ? denominator_of(q) : 0;
  if (denominator == 0) return none;
  bool of_first = fabs(q->sides[0].scale) < fabs(q->sides[1].scale);
  if (search(q, of_first, denominator, &form)) return form;
  return search(q, !of_first, denominator, &form) ? form : none;
}
