/* Proof of quantization by a reciprocal, threshold by threshold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/quotient_form.h"

#include <math.h>

#include "base/check.h"
#include "runtime/fixed.h"

enum { FAR = 1 << 17, STEPS = 8 /* floats from the real threshold to that of the reference */ };

static int32_t reference(float x, float scale, qn_rounding rounding) {
  return (int32_t)qn_quantize_f32(x, scale, rounding, 0, -2 * FAR, 2 * FAR);
}

int32_t qn_quotient_form_apply(const qn_quotient_form *form, float x, qn_rounding rounding) {
  QN_ASSERT(!isnan(x));
  x = x < form->least ? form->least : x > form->most ? form->most : x;
  float y = form->low != 0 ? fmaf(x, form->high, x * form->low) : x * form->high;
  return (int32_t)qn_quantize((double)y, rounding, 0, INT32_MIN, INT32_MAX);
}

/* The smallest x whose result exceeds `result`; NaN if it is not close to the real threshold. */
static float threshold_above(int32_t result, float scale, qn_rounding rounding) {
  float x = (float)((result + 0.5) * (double)scale);
  for (int i = 0; i < STEPS && reference(x, scale, rounding) > result; i++)
    x = nextafterf(x, -INFINITY);
  for (int i = 0; i < 2 * STEPS; i++) {
    if (reference(x, scale, rounding) > result) return i > 0 ? x : NAN;
    x = nextafterf(x, INFINITY);
  }
  return NAN;
}

static bool agrees(const qn_quotient_form *form, float scale, int32_t lo, int32_t hi,
                   qn_rounding rounding) {
  if (qn_quotient_form_apply(form, form->least, rounding) != lo) return false;
  if (qn_quotient_form_apply(form, form->most, rounding) != hi) return false;
  for (int32_t result = lo; result < hi; result++) {
    float x = threshold_above(result, scale, rounding);
    if (isnan(x) || qn_quotient_form_apply(form, x, rounding) != result + 1) return false;
    if (qn_quotient_form_apply(form, nextafterf(x, -INFINITY), rounding) != result) return false;
  }
  return true;
}

qn_quotient_form qn_quotient_form_find(float scale, int32_t lo, int32_t hi, qn_rounding rounding) {
  static const float LARGE = 0x1p60F;
  qn_quotient_form form = {.proved = false};
  bool moderate = scale >= 1 / LARGE && scale <= LARGE && lo <= hi && lo >= -FAR && hi <= FAR;
  if (!moderate) return form;
  const double inverse = 1 / (double)scale;
  form.high = (float)inverse;
  form.low = (float)(inverse - (double)form.high);
  form.least = (float)lo * scale, form.most = (float)hi * scale;
  form.proved = agrees(&form, scale, lo, hi, rounding);
  return form;
}
