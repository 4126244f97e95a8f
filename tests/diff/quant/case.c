/* Making cases: random ones, or all combinations of a list, with other properties random.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include <math.h>

#include "base/check.h"
#include "ir/types/float_format.h"

const char *const quant_rounding_names[QUANT_ROUNDINGS] = {"even", "away", "toward-zero", "floor",
                                                           "stochastic"};
const char *const quant_float_names[QN_F64 + 1] = {
    [QN_F16] = "f16", [QN_BF16] = "bf16", [QN_F32] = "f32", [QN_F64] = "f64"};
const qn_exact_format quant_formats[QN_F64 + 1] = {[QN_F16] = {11, -24, 15},
                                                   [QN_BF16] = {8, -133, 127},
                                                   [QN_F32] = {24, -149, 127},
                                                   [QN_F64] = {53, -1074, 1023}};

/* ---- random numbers ---- */

uint64_t quant_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

uint64_t quant_next(quant_case *c) { return quant_mix(c->state += UINT64_C(0x9e3779b97f4a7c15)); }

int64_t quant_between(quant_case *c, int64_t lo, int64_t hi) {
  return lo + (int64_t)(quant_next(c) % ((uint64_t)(hi - lo) + 1));
}

bool quant_one_in(quant_case *c, int64_t n) { return quant_between(c, 1, n) == 1; }

/* ---- parts of a case ---- */

/* The whole storage range, or a random part. */
static void set_storage(quant_case *c, int width, bool is_signed) {
  c->width = width;
  c->is_signed = is_signed;
  c->low = is_signed ? -(INT64_C(1) << (width - 1)) : 0;
  c->high = c->low + (INT64_C(1) << width) - 1;
  c->min = c->low;
  c->max = c->high;
  if (!quant_one_in(c, 3)) return;
  c->min = quant_between(c, c->low, c->high - 1);
  c->max = quant_between(c, c->min + 1, c->high);
}

static void set_shape(quant_case *c, quant_shape kind, int least_rank) {
  c->kind = kind;
  c->rank = kind == QUANT_SCALAR ? 0 : (int)quant_between(c, least_rank, QUANT_MAX_RANK);
  c->count = 1;
  for (int i = 0; i < c->rank; i++) {
    c->dims[i] = quant_between(c, 1, i < 2 ? QUANT_MAX_SIZE : 3);
    c->dynamic[i] = kind == QUANT_DYNAMIC && quant_one_in(c, 2);
    c->count *= c->dims[i];
  }
}

static int64_t random_block(quant_case *c, int64_t size) {
  if (quant_one_in(c, 3)) return 0; /* one scale for the whole dimension */
  int64_t block = quant_between(c, 1, size);
  while (size % block != 0) block--;
  return block;
}

static void set_scheme(quant_case *c, qn_quant_scheme scheme) {
  c->scheme = scheme;
  c->axis = c->rank > 0 ? (int)quant_between(c, 0, c->rank - 1) : 0;
  for (int i = 0; i < c->rank; i++) {
    if (c->scheme == QN_PER_AXIS)
      c->grid[i] = i == c->axis ? c->dims[i] : 1;
    else
      c->grid[i] = 1;
    if (c->scheme != QN_SUB_CHANNEL) continue;
    c->blocks[i] = random_block(c, c->dims[i]);
    if (c->blocks[i] > 0) c->grid[i] = c->dims[i] / c->blocks[i];
  }
}

/* Sometimes makes a tensor without elements: a dimension of size 0 that has no scales. */
static void set_empty(quant_case *c) {
  if (c->scheme == QN_SUB_CHANNEL || c->rank == 0 || !quant_one_in(c, 20)) return;
  int dim = (int)quant_between(c, 0, c->rank - 1);
  if (c->scheme == QN_PER_AXIS && dim == c->axis) return;
  c->dims[dim] = 0;
  c->count = 0;
}

/* A scale: usually of usual magnitude; sometimes any value of the format, or not a value of it. */
static double random_scale(quant_case *c) {
  const qn_float_format *format = qn_float_format_of(c->expressed);
  int largest = c->expressed == QN_F16 ? 10 : 20;
  double mantissa = quant_one_in(c, 4) ? 1.0 : 1.0 + (double)(quant_next(c) >> 12) * 0x1p-52;
  double scale =
      ldexp(mantissa, (int)quant_between(c, c->expressed == QN_F16 ? -12 : -20, largest));
  if (quant_one_in(c, 12)) {
    const qn_exact_format *range = &quant_formats[c->expressed];
    scale = ldexp(mantissa, (int)quant_between(c, range->least, range->largest - 1));
  }
  if (!quant_one_in(c, 3)) scale = qn_float_round(c->expressed, scale);
  return fmin(fmax(scale, format->denormal), format->largest);
}

static void set_parameters(quant_case *c) {
  bool same = quant_one_in(c, 4), narrow = quant_one_in(c, 2);
  for (int64_t i = 0; i < quant_grid_count(c); i++) {
    c->scales[i] = random_scale(c);
    c->zero_points[i] =
        narrow ? quant_between(c, c->min, c->max) : quant_between(c, c->low, c->high);
    if (same) c->zero_points[i] = c->low <= 0 ? 0 : c->low;
  }
}

/* ---- cases ---- */

quant_case quant_case_random(uint64_t seed, int rounding, int64_t rounding_seed) {
  static const qn_float_kind kinds[] = {QN_F32, QN_F32, QN_F64, QN_F16, QN_BF16};
  quant_case c = {.state = seed, .rounding = rounding, .seed = rounding_seed};
  c.expressed = kinds[quant_between(&c, 0, 4)];
  int width = (int)(quant_one_in(&c, 2) ? quant_between(&c, 2, 8) : quant_between(&c, 2, 32));
  set_storage(&c, width, quant_one_in(&c, 2));
  set_shape(&c, (quant_shape)quant_between(&c, 0, QUANT_SHAPES - 1), 0);
  qn_quant_scheme scheme = QN_PER_LAYER;
  if (c.rank > 0) scheme = (qn_quant_scheme)quant_between(&c, QN_PER_LAYER, QN_SUB_CHANNEL);
  if (scheme == QN_SUB_CHANNEL && c.kind == QUANT_UNRANKED) scheme = QN_PER_AXIS;
  set_scheme(&c, scheme);
  set_empty(&c);
  set_parameters(&c);
  return c;
}

static const struct {
  quant_shape kind;
  qn_quant_scheme scheme;
} listed_shapes[] = {
    {QUANT_SCALAR, QN_PER_LAYER},    {QUANT_STATIC, QN_PER_LAYER},   {QUANT_STATIC, QN_PER_AXIS},
    {QUANT_STATIC, QN_SUB_CHANNEL},  {QUANT_DYNAMIC, QN_PER_LAYER},  {QUANT_DYNAMIC, QN_PER_AXIS},
    {QUANT_DYNAMIC, QN_SUB_CHANNEL}, {QUANT_UNRANKED, QN_PER_LAYER}, {QUANT_UNRANKED, QN_PER_AXIS}};
static const qn_float_kind listed_floats[] = {QN_F16, QN_BF16, QN_F32, QN_F64};
enum { LEAST_WIDTH = 2, SIGNED_WIDTHS = 31 };
static const int listed_unsigned[] = {4, 8, 16, 32};
enum { LISTED_STORAGES = SIGNED_WIDTHS + QN_COUNT(listed_unsigned) };

quant_case quant_case_listed(uint64_t number) {
  quant_case c = {.state = number};
  uint64_t storage = number % LISTED_STORAGES, rest = number / LISTED_STORAGES;
  c.expressed = listed_floats[rest % QN_COUNT(listed_floats)];
  rest /= QN_COUNT(listed_floats);
  uint64_t shape = rest % QN_COUNT(listed_shapes);
  c.rounding = (int)(rest / QN_COUNT(listed_shapes));
  c.seed = c.rounding * 11;
  if (storage < SIGNED_WIDTHS)
    set_storage(&c, LEAST_WIDTH + (int)storage, true);
  else
    set_storage(&c, listed_unsigned[storage - SIGNED_WIDTHS], false);
  set_shape(&c, listed_shapes[shape].kind, 1);
  set_scheme(&c, listed_shapes[shape].scheme);
  set_parameters(&c);
  return c;
}

uint64_t quant_case_listed_count(void) {
  return (uint64_t)LISTED_STORAGES * QN_COUNT(listed_floats) * QN_COUNT(listed_shapes) *
         QUANT_ROUNDINGS;
}

/* ---- inputs ---- */

double quant_case_real(quant_case *c, int64_t element) {
  if (c->agrees) return quant_agreeing_real(c, element);
  int64_t k = quant_grid_at(c, element), span = c->max - c->min;
  double scale = quant_scale_of(c, k), special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
  switch (quant_between(c, 0, 9)) {
  case 0:
    return special[quant_between(c, 0, 4)];
  case 1: {
    uint32_t width = qn_float_format_of(c->expressed)->width;
    return qn_float_decode(c->expressed, quant_next(c) >> (64 - width));
  }
  default:
    break;
  }
  int64_t reach = quant_one_in(c, 3) ? span + 3 : 40;
  double steps = (double)quant_between(c, -reach, reach);
  if (quant_one_in(c, 2))
    steps = (double)(quant_between(c, c->min - 2, c->max + 2) - c->zero_points[k]);
  if (quant_one_in(c, 2))
    steps += 0.5;
  else if (quant_one_in(c, 2))
    steps += (double)(quant_next(c) >> 11) * 0x1p-53;
  double x = steps * scale;
  if (quant_one_in(c, 4)) {
    double toward = quant_one_in(c, 2) ? (double)INFINITY : -(double)INFINITY;
    x = c->expressed == QN_F32 ? (double)nextafterf((float)x, (float)toward) : nextafter(x, toward);
  }
  return qn_float_round(c->expressed, x);
}

int64_t quant_case_stored(quant_case *c) {
  if (c->agrees) return quant_agreeing_stored(c);
  if (quant_one_in(c, 8)) return quant_one_in(c, 2) ? c->min : c->max;
  return quant_between(c, c->min, c->max);
}

int64_t quant_case_as_stored(const quant_case *c, int64_t bits) {
  uint64_t high = (uint64_t)bits << (64 - c->width);
  return c->is_signed ? (int64_t)high >> (64 - c->width) : (int64_t)(high >> (64 - c->width));
}
