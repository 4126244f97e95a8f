/* Search and proof of the two-FMA form f of a binary 8-bit operator.
 *
 * For given float scales sa and sb, a pair (a, b) with result v requires v - 1/2 <= a * sa + b * sb
 * + offset < v + 1/2 (only one bound if v is clamped). The search intersects these intervals of
 * offsets over the pairs. The proof evaluates f, so it includes float rounding and ties.
 *
 * Selection of pairs: the reference and f are both close to the same real number, with known
 * errors. If that number is farther than `near` from every threshold k + 1/2, and both errors are
 * smaller than `near`, then the two results are equal. A few dozen of 65536 pairs remain. They are
 * found by the fraction of b * sb: each a selects a small interval of fractions. The error of f
 * depends on its scales. The first search uses an interval that is valid for scales one or two ulps
 * from the real ones, which suffices for most; the second uses an interval that is valid for all
 * scales that are tried. If the errors have no useful bound, all pairs are checked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "base/array.h"
#include "quant/fma_form.h"

enum { MAX_ULP = 3, MAX_SIDE = 256 };

typedef struct pair {
  int16_t a, b, v;
} pair;

typedef struct problem {
  const qn_fma2_question *q;
  double
      near; /* all pairs within this distance of a threshold are in `pairs`; infinite: all pairs */
  bool is_cut; /* a form was rejected because its error is not below `near` */
  QN_ARRAY(pair) pairs;
} problem;

int32_t qn_fma2_form_apply(const qn_fma2_form *form, int32_t a, int32_t b, int32_t min,
                           int32_t max) {
  float inner = fmaf((float)b, form->scale_b, form->offset);
  float y = nearbyintf(fmaf((float)a, form->scale_a, inner));
  return y < (float)min ? min : y > (float)max ? max : (int32_t)y;
}

/* ---- which pairs ---- */

static bool add_pair(problem *p, int32_t a, int32_t b) {
  int32_t v = p->q->reference(p->q->user, a, b);
  qn_array_push(&p->pairs, ((pair){(int16_t)a, (int16_t)b, (int16_t)v}));
  return v >= p->q->min && v <= p->q->max;
}

static bool add_all(problem *p) {
  for (int32_t a = p->q->a_lo; a <= p->q->a_hi; a++)
    for (int32_t b = p->q->b_lo; b <= p->q->b_hi; b++)
      if (!add_pair(p, a, b)) return false;
  return true;
}

/* Fractions in units of 2^-64: their sums wrap like fractions of real sums. Their rounding error is
 * negligible. */
typedef struct fraction {
  uint64_t part; /* fraction of b * scale_b */
  int32_t b;
} fraction;

static uint64_t fraction_of(double x) {
  double part = x - floor(x);
  return part < 1 ? (uint64_t)(part * 0x1p64) : 0;
}

/* The fractions in buckets by value: cell c of [0, 1) starts at index first[c]. All cells are
 * stored twice, so that an interval that wraps from 1 to 0 is one range. Entries of a cell are not
 * sorted: a cell has half an entry on average, so sorting would cost more. */
enum { CELL_BITS = 9, CELLS = 1 << CELL_BITS };
typedef struct circle {
  fraction entries[2 * MAX_SIDE];
  uint16_t first[2 * CELLS + 1];
} circle;

static uint32_t cell_of(uint64_t part) { return (uint32_t)(part >> (64 - CELL_BITS)); }

static void circle_fill(circle *c, const qn_fma2_question *q) {
  uint64_t step = fraction_of(q->scale_b), start = step * (uint64_t)(int64_t)q->b_lo, part = start;
  uint16_t next[CELLS] = {0}, count = (uint16_t)(q->b_hi - q->b_lo + 1), begin = 0;
  for (uint16_t i = 0; i < count; i++, part += step) next[cell_of(part)]++;
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    uint16_t entries = next[cell];
    c->first[cell] = next[cell] = begin;
    c->first[cell + CELLS] = (uint16_t)(begin + count);
    begin = (uint16_t)(begin + entries);
  }
  c->first[2 * CELLS] = (uint16_t)(2 * count);
  part = start;
  for (uint16_t i = 0; i < count; i++, part += step) {
    uint16_t at = next[cell_of(part)]++;
    c->entries[at] = c->entries[at + count] = (fraction){part, q->b_lo + i};
  }
}

/* Adds the pairs of a with the entries whose fractions are in [from, from + width]. Requires width
 * < 1/2. */
static bool add_arc(problem *p, const circle *c, int32_t a, uint64_t from, uint64_t width) {
  uint32_t cell = cell_of(from), end = c->first[cell + cell_of(width) + 2];
  for (uint32_t i = c->first[cell]; i < end; i++)
    if (c->entries[i].part - from <= width && !add_pair(p, a, c->entries[i].b)) return false;
  return true;
}

static bool add_near(problem *p) {
  const qn_fma2_question *q = p->q;
  circle c;
  circle_fill(&c, q);
  uint64_t step = fraction_of(q->scale_a), width = fraction_of(2 * p->near);
  uint64_t from = fraction_of(0.5 - q->offset - p->near) - step * (uint64_t)(int64_t)q->a_lo;
  for (int32_t a = q->a_lo; a <= q->a_hi; a++, from -= step)
    if (!add_arc(p, &c, a, from, width)) return false;
  return true;
}

/* ---- errors ---- */

static double largest(int32_t lo, int32_t hi) { return fmax(fabs((double)lo), fabs((double)hi)); }

/* Maximum change of the sum if both scales are off by `steps` float steps. */
static double scale_error(const qn_fma2_question *q, double steps) {
  return steps * 0x1p-23 *
         (largest(q->a_lo, q->a_hi) * fabs(q->scale_a) +
          largest(q->b_lo, q->b_hi) * fabs(q->scale_b));
}

/* Maximum rounding error of the two float operations and of the computation in double here. */
static double operation_error(double scale_a, double scale_b, double offset,
                              const qn_fma2_question *q) {
  double inner = largest(q->b_lo, q->b_hi) * fabs(scale_b) + fabs(offset);
  double outer = inner + largest(q->a_lo, q->a_hi) * fabs(scale_a);
  return (inner + outer) * 0x1.01p-24 + 0x1p-40;
}

/* Maximum of |f(a, b) - (a * scale_a + b * scale_b + offset)| before f is rounded to an integer. */
static double form_error(const qn_fma2_question *q, const qn_fma2_form *f) {
  return operation_error((double)f->scale_a, (double)f->scale_b, (double)f->offset, q) +
         largest(q->a_lo, q->a_hi) * fabs((double)f->scale_a - q->scale_a) +
         largest(q->b_lo, q->b_hi) * fabs((double)f->scale_b - q->scale_b) +
         fabs((double)f->offset - q->offset);
}

/* ---- search ---- */

typedef struct bounds {
  double lo, hi;
} bounds;

/* Moves pair i to `place`, at the front: a pair that rejects one form rejects most of the following
 * forms. */
static void ask_first(problem *p, uint32_t place, uint32_t i) {
  pair moved = p->pairs.data[i];
  p->pairs.data[i] = p->pairs.data[place];
  p->pairs.data[place] = moved;
}

/* The interval of offsets that all pairs allow; false if empty. */
static bool offset_bounds(problem *p, double scale_a, double scale_b, bounds *out) {
  bounds r = {-HUGE_VAL, HUGE_VAL};
  uint32_t lo_at = 0, hi_at = 0;
  for (uint32_t i = 0; i < p->pairs.count; i++) {
    const pair *at = &p->pairs.data[i];
    double distance = at->v - (at->a * scale_a + at->b * scale_b);
    if (at->v > p->q->min && distance - 0.5 > r.lo) r.lo = distance - 0.5, lo_at = i;
    if (at->v < p->q->max && distance + 0.5 < r.hi) r.hi = distance + 0.5, hi_at = i;
    if (r.lo <= r.hi) continue;
    ask_first(p, 0, lo_at < hi_at ? lo_at : hi_at);
    ask_first(p, 1, lo_at < hi_at ? hi_at : lo_at);
    return false;
  }
  double least = p->q->offset - p->near, most = p->q->offset + p->near;
  if (r.lo < least || r.hi > most) p->is_cut = true;
  *out = (bounds){fmax(r.lo, least), fmin(r.hi, most)};
  return out->lo <= out->hi;
}

static bool proved(problem *p, const qn_fma2_form *form) {
  if (!(form_error(p->q, form) < p->near)) {
    p->is_cut = true;
    return false;
  }
  for (uint32_t i = 0; i < p->pairs.count; i++) {
    const pair *at = &p->pairs.data[i];
    if (qn_fma2_form_apply(form, at->a, at->b, p->q->min, p->q->max) == at->v) continue;
    ask_first(p, 0, i);
    return false;
  }
  return true;
}

/* Tries five offsets within the bounds, starting in the middle, because the ends may give ties. */
static bool find_offset(problem *p, qn_fma2_form *form) {
  static const double parts[] = {0.5, 0.25, 0.75, 0.0, 1.0};
  bounds r;
  if (!offset_bounds(p, (double)form->scale_a, (double)form->scale_b, &r)) return false;
  if (isinf(r.lo)) r.lo = fmin(p->q->offset, r.hi - 0.5);
  if (isinf(r.hi)) r.hi = fmax(p->q->offset, r.lo + 0.5);
  for (int i = 0; i < 5; i++) {
    form->offset = (float)(r.lo + (r.hi - r.lo) * parts[i]);
    if (proved(p, form)) return true;
  }
  return false;
}

/* Stores x and its MAX_ULP nearest floats on each side in ascending order. */
enum { SCALES = 2 * MAX_ULP + 1 };
static void floats_around(float x, float scales[SCALES]) {
  scales[MAX_ULP] = x;
  for (int i = 1; i <= MAX_ULP; i++) {
    scales[MAX_ULP + i] = nextafterf(scales[MAX_ULP + i - 1], FLT_MAX);
    scales[MAX_ULP - i] = nextafterf(scales[MAX_ULP - i + 1], -FLT_MAX);
  }
}

static bool search(problem *p, qn_fma2_form *form) {
  float scales_a[SCALES], scales_b[SCALES];
  floats_around((float)p->q->scale_a, scales_a);
  floats_around((float)p->q->scale_b, scales_b);
  for (int distance = 0; distance <= 2 * MAX_ULP; distance++)
    for (int i = -MAX_ULP; i <= MAX_ULP; i++)
      for (int j = -MAX_ULP; j <= MAX_ULP; j++) {
        if ((i < 0 ? -i : i) + (j < 0 ? -j : j) != distance) continue;
        form->scale_a = scales_a[MAX_ULP + i];
        form->scale_b = scales_b[MAX_ULP + j];
        if (find_offset(p, form)) return true;
      }
  return false;
}

/* The value of `near` that is valid for scales within `steps` ulps of the real ones; infinite if
 * selecting pairs would not reduce the work. */
static double near_for(const qn_fma2_question *q, double steps) {
  double operations = operation_error(q->scale_a, q->scale_b, q->offset, q);
  double near = 2 * fmax(q->reference_error, operations + scale_error(q, steps));
  return near < 0x1p-3 ? near : HUGE_VAL;
}

/* *out_is_cut: forms were rejected only because their error is not below `near`; a larger `near`
 * may find one. */
static bool find_near(const qn_fma2_question *q, double near, qn_fma2_form *form,
                      bool *out_is_cut) {
  problem p = {.q = q, .near = near};
  bool found = (near < HUGE_VAL ? add_near(&p) : add_all(&p)) && search(&p, form);
  qn_array_free(&p.pairs);
  *out_is_cut = p.is_cut;
  return found;
}

qn_fma2_form qn_fma2_form_find(const qn_fma2_question *q) {
  qn_fma2_form none = {.proved = false}, form = {.proved = true};
  /* Limits that keep all intermediate values of f within int32. */
  if (!(fabs(q->scale_a) < 0x1p16) || !(fabs(q->scale_b) < 0x1p16) || !(fabs(q->offset) < 0x1p26))
    return none;
  if (q->a_hi - q->a_lo >= MAX_SIDE || q->b_hi - q->b_lo >= MAX_SIDE || q->min < INT16_MIN ||
      q->max > INT16_MAX)
    return none;
  bool is_cut;
  double few = near_for(q, 1), many = near_for(q, 4 * (MAX_ULP + 1));
  bool found = find_near(q, few, &form, &is_cut) ||
               (is_cut && few < many && find_near(q, many, &form, &is_cut));
  return found ? form : none;
}
