/* The definition of the casts in integers only (exact.h). ../quant_random.c has the formulas.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/hash.h"
#include "case.h"

int64_t quant_grid_count(const quant_case *c) {
  int64_t count = 1;
  for (int i = 0; i < c->rank; i++) count *= c->grid[i];
  return count;
}

int64_t quant_grid_at(const quant_case *c, int64_t element) {
  int64_t at[QUANT_MAX_RANK], result = 0;
  for (int i = c->rank - 1; i >= 0; i--) {
    at[i] = element % c->dims[i];
    element /= c->dims[i];
  }
  for (int i = 0; i < c->rank; i++) {
    int64_t index = c->scheme == QN_PER_AXIS && i == c->axis ? at[i] : 0;
    if (c->blocks[i] > 0) index = at[i] / c->blocks[i];
    result = result * c->grid[i] + index;
  }
  return result;
}

double quant_scale_of(const quant_case *c, int64_t k) {
  qn_exact scale;
  qn_exact_to_format(qn_exact_of(c->scales[k]), quant_formats[c->expressed], &scale);
  return qn_exact_to_double(scale);
}

/* If any zero point is wide, the whole cast is computed in f64. */
static bool computes_in_single(const quant_case *c) {
  const int64_t limit = INT64_C(1) << 24;
  bool fits = c->min >= -limit && c->max <= limit;
  for (int64_t i = 0; i < quant_grid_count(c); i++)
    fits = fits && c->zero_points[i] >= -limit && c->zero_points[i] <= limit;
  return fits && c->expressed != QN_F64;
}

static int64_t clamp(const quant_case *c, int64_t x) {
  return x < c->min ? c->min : x > c->max ? c->max : x;
}

/* floor(y) or floor(y) + 1, as decided by the element's number in the stream of the cast. */
static int64_t round_stochastic(const quant_case *c, qn_exact y, bool single, int64_t element,
                                uint64_t cast) {
  int64_t floor_of = qn_exact_to_integer(y, QN_EXACT_FLOOR);
  if (floor_of >= INT64_C(1) << 40 || floor_of <= -(INT64_C(1) << 40)) return floor_of;
  double value = qn_exact_to_double(y), fraction = value - (double)floor_of;
  if (single) fraction = (double)((float)value - (float)floor_of);
  uint64_t stream = qn_hash_mix((uint64_t)c->seed, cast);
  uint64_t bits = quant_mix(stream + (uint64_t)element * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
  return floor_of + (fraction > ldexp((double)bits, -24) ? 1 : 0);
}

int64_t quant_define_qcast(const quant_case *c, double x, int64_t element, uint64_t cast,
                           bool *out_ideal) {
  int64_t k = quant_grid_at(c, element), zero = c->zero_points[k];
  *out_ideal = true;
  if (isnan(x)) return clamp(c, zero);
  if (isinf(x)) return x < 0 ? c->min : c->max;
  qn_exact quotient = qn_exact_quotient(qn_exact_of(x), qn_exact_of(quant_scale_of(c, k))), y;
  bool single = computes_in_single(c);
  if (!qn_exact_to_format(quotient, quant_formats[single ? QN_F32 : QN_F64], &y))
    return x < 0 ? c->min : c->max;
  if (c->rounding == QUANT_STOCHASTIC) {
    int64_t result = clamp(c, round_stochastic(c, y, single, element, cast) + zero);
    int64_t below = qn_exact_to_integer(quotient, QN_EXACT_FLOOR) + zero;
    *out_ideal = result == clamp(c, below) || result == clamp(c, below + 1);
    return result;
  }
  qn_exact_rounding rounding = (qn_exact_rounding)c->rounding;
  int64_t result = clamp(c, qn_exact_to_integer(y, rounding) + zero);
  *out_ideal = result == clamp(c, qn_exact_to_integer(quotient, rounding) + zero);
  return result;
}

static double to_format(qn_exact x, qn_float_kind kind, bool *out_finite, qn_exact *out_x) {
  *out_finite = qn_exact_to_format(x, quant_formats[kind], out_x);
  if (*out_finite) return qn_exact_to_double(*out_x);
  return x.negative ? -(double)INFINITY : (double)INFINITY;
}

double quant_define_dcast(const quant_case *c, int64_t stored, int64_t element, bool *out_ideal) {
  int64_t k = quant_grid_at(c, element);
  qn_exact product =
               qn_exact_product(stored - c->zero_points[k], qn_exact_of(quant_scale_of(c, k))),
           wide, y;
  bool finite;
  double ideal = to_format(product, c->expressed, &finite, &y);
  double result = to_format(product, QN_F64, &finite, &wide);
  if (finite) result = to_format(wide, c->expressed, &finite, &y);
  *out_ideal = result == ideal;
  return result;
}
