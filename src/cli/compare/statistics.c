/* Statistics of two arrays for the same tensor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/statistics.h"

#include <math.h>
#include <string.h>

#include "cli/compare/encoding.h"
#include "cli/tensors/tensors.h"

typedef struct pair {
  qn_tensor_info a, b;
  const void *a_data, *b_data;
  bool alike;   /* same type and quantization, so that elements are compared bitwise */
  double step;  /* size of a step in real values; 0: there are no steps */
  double slack; /* without steps: maximum difference of two stored values for the same real value */
} pair;

static bool is_real(const qn_tensor_info *info) {
  return info->dtype == QN_DTYPE_F32 || info->dtype == QN_DTYPE_F16 || info->dtype == QN_DTYPE_F64;
}

/* Each stored value is within half of its step from the real value; on a common grid both round to
 * the same side. A margin covers float rounding. */
static double slack_of(double a, double b) {
  bool one_grid = fabs(a - b) <= 0x1p-23 * fmax(a, b);
  return (one_grid ? a / 2 : (a + b) / 2) * (1 + 0x1p-10);
}

static pair pair_of(const qn_tensor_info *a, const void *a_data, const qn_tensor_info *b,
                    const void *b_data) {
  pair p = {.a = *a, .b = *b, .a_data = a_data, .b_data = b_data};
  qn_tensor_info *sides[] = {&p.a, &p.b};
  for (size_t i = 0; i < 2; i++) {
    const qn_tensor_info *other = sides[1 - i];
    if (a->dtype != b->dtype || sides[i]->scale > 0) continue;
    sides[i]->scale = other->scale;
    sides[i]->zero_point = other->zero_point;
  }
  p.alike = encoding_is_same(&p.a, &p.b);
  const qn_tensor_info *quantized = is_real(&p.a) ? &p.b : &p.a;
  bool counts = p.alike || is_real(a) || is_real(b);
  if (counts && !is_real(quantized)) p.step = quantized->scale > 0 ? quantized->scale : 1;
  p.slack = slack_of(p.a.scale, p.b.scale);
  return p;
}

static bool same_bits(const pair *p, size_t i) {
  size_t size = npy_dtype_size(p->a.dtype);
  return memcmp((const char *)p->a_data + i * size, (const char *)p->b_data + i * size, size) == 0;
}

static double steps_between(const pair *p, size_t i, double by) {
  if (!p->alike) return round(by / p->step);
  return cli_tensor_stored(&p->b, p->b_data, i) - cli_tensor_stored(&p->a, p->a_data, i);
}

static bool element_differs(const pair *p, size_t i, double step, double by) {
  if (p->alike) return !same_bits(p, i);
  return p->step > 0 ? step != 0 : !(fabs(by) <= p->slack);
}

static void count_step(statistics *s, double step) {
  double bin = fmin(fmax(step, -STATISTICS_STEPS - 1), STATISTICS_STEPS + 1);
  s->steps[(int)bin + STATISTICS_STEPS + 1]++;
}

/* Records the largest difference; of equal ones the first. NaN on one side only exceeds any
 * number. */
static void note_largest(statistics *s, const pair *p, size_t i, double step, double by) {
  double is = s->has_steps ? fabs(step) : fabs(by),
         was = s->has_steps ? s->largest_step : s->largest_real;
  bool larger = isnan(is) ? !isnan(was) : is > fabs(was);
  if (s->differing > 1 && !larger) return;
  s->at = i;
  s->largest_step = step;
  s->largest_real = by;
  s->a_stored = cli_tensor_stored(&p->a, p->a_data, i);
  s->b_stored = cli_tensor_stored(&p->b, p->b_data, i);
  s->a_real = cli_tensor_real(&p->a, p->a_data, i);
  s->b_real = cli_tensor_real(&p->b, p->b_data, i);
}

statistics statistics_of(const qn_tensor_info *a, const void *a_data, const qn_tensor_info *b,
                         const void *b_data) {
  pair p = pair_of(a, a_data, b, b_data);
  statistics s = {.elements = cli_tensor_elements(a), .has_steps = p.step > 0};
  double signal = 0, other = 0, product = 0, noise = 0, sum = 0;
  for (size_t i = 0; i < s.elements; i++) {
    double x = cli_tensor_real(&p.a, a_data, i), y = cli_tensor_real(&p.b, b_data, i);
    double by = y - x, step = s.has_steps ? steps_between(&p, i, by) : 0;
    bool differs = element_differs(&p, i, step, by);
    if (s.has_steps && !isnan(step)) count_step(&s, step);
    s.differing += differs;
    if (differs) note_largest(&s, &p, i, step, by);
    signal += x * x;
    other += y * y;
    product += x * y;
    noise += by * by;
    sum += step;
  }
  s.mean_step = s.elements ? sum / (double)s.elements : 0;
  s.snr_db = noise == 0 ? INFINITY : signal > 0 ? 10 * log10(signal / noise) : NAN;
  s.cosine = signal > 0 && noise == 0  ? 1
             : signal > 0 && other > 0 ? product / sqrt(signal) / sqrt(other)
                                       : NAN;
  return s;
}
