/* Search and proof of the two-FMA form of a binary 8-bit operator.
 *
 * For given float scales each pair (a, b) with result v asks for v - 1/2 <= a sa + b sb + offset <
 * v + 1/2 (one side only where v is clamped). An offset is looked for in the intersection over all
 * pairs; rounding of the float operations and ties are left to the proof, which evaluates f at
 * every pair.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "quant/fma_form.h"

enum { MAX_ULP = 3, MAX_SIDE = 256 };

typedef struct problem {
  int32_t a_lo, a_hi, b_lo, b_hi, min, max;
  double offset;                       /* the real one */
  int16_t results[MAX_SIDE][MAX_SIDE]; /* by a - a_lo, b - b_lo */
} problem;

int32_t qn_fma2_form_apply(const qn_fma2_form *form, int32_t a, int32_t b, int32_t min,
                           int32_t max) {
  float inner = fmaf((float)b, form->scale_b, form->offset);
  float y = nearbyintf(fmaf((float)a, form->scale_a, inner));
  return (int32_t)fminf(fmaxf(y, (float)min), (float)max);
}

typedef struct bounds {
  double lo, hi;
} bounds;

static bounds offset_bounds(const problem *p, double scale_a, double scale_b) {
  bounds r = {-HUGE_VAL, HUGE_VAL};
  for (int32_t a = p->a_lo; a <= p->a_hi; a++)
    for (int32_t b = p->b_lo; b <= p->b_hi; b++) {
      int32_t v = p->results[a - p->a_lo][b - p->b_lo];
      double distance = v - (a * scale_a + b * scale_b);
      if (v > p->min && distance - 0.5 > r.lo) r.lo = distance - 0.5;
      if (v < p->max && distance + 0.5 < r.hi) r.hi = distance + 0.5;
    }
  return r;
}

static bool proved(const problem *p, const qn_fma2_form *form) {
  for (int32_t a = p->a_lo; a <= p->a_hi; a++)
    for (int32_t b = p->b_lo; b <= p->b_hi; b++)
      if (qn_fma2_form_apply(form, a, b, p->min, p->max) != p->results[a - p->a_lo][b - p->b_lo])
        return false;
  return true;
}

/* Tries points of the bounds from the middle outwards: ties may sit at one end. */
static bool find_offset(const problem *p, qn_fma2_form *form) {
  static const double parts[] = {0.5, 0.25, 0.75, 0.0, 1.0};
  bounds r = offset_bounds(p, (double)form->scale_a, (double)form->scale_b);
  if (!(r.lo <= r.hi)) return false;
  if (isinf(r.lo)) r.lo = fmin(p->offset, r.hi - 0.5);
  if (isinf(r.hi)) r.hi = fmax(p->offset, r.lo + 0.5);
  for (int i = 0; i < 5; i++) {
    form->offset = (float)(r.lo + (r.hi - r.lo) * parts[i]);
    if (proved(p, form)) return true;
  }
  return false;
}

static float step_ulps(float x, int ulps) {
  for (; ulps > 0; ulps--) x = nextafterf(x, FLT_MAX);
  for (; ulps < 0; ulps++) x = nextafterf(x, -FLT_MAX);
  return x;
}

static bool search(const problem *p, float scale_a, float scale_b, qn_fma2_form *form) {
  for (int distance = 0; distance <= 2 * MAX_ULP; distance++)
    for (int i = -MAX_ULP; i <= MAX_ULP; i++)
      for (int j = -MAX_ULP; j <= MAX_ULP; j++) {
        if ((i < 0 ? -i : i) + (j < 0 ? -j : j) != distance) continue;
        form->scale_a = step_ulps(scale_a, i);
        form->scale_b = step_ulps(scale_b, j);
        if (find_offset(p, form)) return true;
      }
  return false;
}

qn_fma2_form qn_fma2_form_find(qn_binary_fn *reference, const void *user, double scale_a,
                               double scale_b, double offset, int32_t a_lo, int32_t a_hi,
                               int32_t b_lo, int32_t b_hi, int32_t min, int32_t max) {
  qn_fma2_form none = {.proved = false}, form = {.proved = true};
  /* Magnitudes for which no float operation of f leaves the range of int32. */
  if (!(fabs(scale_a) < 0x1p16) || !(fabs(scale_b) < 0x1p16) || !(fabs(offset) < 0x1p26))
    return none;
  if (a_hi - a_lo >= MAX_SIDE || b_hi - b_lo >= MAX_SIDE || min < INT16_MIN || max > INT16_MAX)
    return none;
  problem p = {a_lo, a_hi, b_lo, b_hi, min, max, offset, {{0}}};
  for (int32_t a = a_lo; a <= a_hi; a++)
    for (int32_t b = b_lo; b <= b_hi; b++) {
      int32_t v = reference(user, a, b);
      if (v < min || v > max) return none;
      p.results[a - a_lo][b - b_lo] = (int16_t)v;
    }
  return search(&p, (float)scale_a, (float)scale_b, &form) ? form : none;
}
