/* Exactly rounded functions of one value. Rational functions are compared exactly. Others are
 * computed in double, whose error matters only near a tie. At argument 0 most of them are rational,
 * too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/exact_unary.h"

#include <math.h>
#include <stddef.h>

#include "quant/exact.h"

enum { BEYOND_BITS = 32 };
static const int64_t beyond = INT64_C(1) << BEYOND_BITS;
static const double most_steps = 0x1p32;
static const double most_steps_of_root = 0x1p30; /* four times their square has 62 bits */

/* ---- in double ---- */

static double logistic(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)); }
static double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }
static double gelu(double x) { return x * 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1); }
static double gelu_tanh(double x) {
  return x * logistic(2 * 0x1.988453ce2c4bfp-1 * (x + 0.044715 * x * x * x));
}
static double gelu_sigmoid(double x) { return x * logistic(1.702 * x); }
static double silu(double x) { return x * logistic(x); }
static double inverse_root(double x) { return 1 / sqrt(x); }
static double softsign(double x) { return x / (1 + fabs(x)); }

/* A function, and its value at 0 if that is rational. */
typedef struct function_row {
  double (*at)(double x);
  double at_zero; /* NaN: not rational */
} function_row;
static const function_row functions[QN_EXACT_FUNCTIONS] = {
    [QN_EXACT_RSQRT] = {inverse_root, INFINITY},
    [QN_EXACT_SIGMOID] = {logistic, 0.5},
    [QN_EXACT_TANH] = {tanh, 0},
    [QN_EXACT_EXP] = {exp, 1},
    [QN_EXACT_LOG] = {log, -INFINITY},
    [QN_EXACT_GELU] = {gelu, 0},
    [QN_EXACT_GELU_TANH] = {gelu_tanh, 0},
    [QN_EXACT_GELU_SIGMOID] = {gelu_sigmoid, 0},
    [QN_EXACT_ERF] = {erf, 0},
    [QN_EXACT_SOFTPLUS] = {softplus, NAN},
    [QN_EXACT_SOFTSIGN] = {softsign, 0},
    [QN_EXACT_SILU] = {silu, 0},
    [QN_EXACT_SIN] = {sin, 0},
    [QN_EXACT_COS] = {cos, 1},
    [QN_EXACT_SQRT] = {sqrt, 0},
    [QN_EXACT_ELU] = {expm1, 0},
};

static double value_at(const qn_exact_unary *u, int64_t n) {
  const function_row *c = &functions[u->function];
  if (n == 0 && !isnan(c->at_zero)) return c->at_zero;
  return c->at((double)n * u->scale) * (u->function == QN_EXACT_ELU ? u->alpha : 1);
}

/* ---- rational ones ---- */

/* f(n * scale) = ((m - t) * factors[0] * factors[1] + t * term_factor) / count. */
typedef struct rational {
  int64_t m, t, count;
  double factors[2], term_factor;
} rational;

/* An integer as a rational. */
static rational whole(double value) { return (rational){(int64_t)value, 0, 1, {1, 1}, 1}; }

static double rounded_argument(const qn_exact_unary *u, int64_t n) {
  double x = (double)n * u->scale; /* exact */
  if (u->function == QN_EXACT_FLOOR) return floor(x);
  if (u->function == QN_EXACT_CEIL) return ceil(x);
  return u->function == QN_EXACT_ROUND ? nearbyint(x) : (double)((n > 0) - (n < 0));
}

/* x * (x + 3) / 6 for -3 < x < 3; 0 below, x above. */
static rational hard_swish(const qn_exact_unary *u, int64_t n) {
  double x = (double)n * u->scale;
  if (x <= -3) return whole(0);
  if (x >= 3) return (rational){n, 0, 1, {u->scale, 1}, 1};
  return (rational){n * n + 3 * n, 3 * n, 6, {u->scale, u->scale}, u->scale};
}

static bool rational_of(const qn_exact_unary *u, int64_t n, rational *out) {
  *out = (rational){n, 0, 1, {u->scale, 1}, 1};
  switch (u->function) {
  case QN_EXACT_IDENTITY:
    return true;
  case QN_EXACT_RELU:
    if (n < 0) out->m = 0;
    return true;
  case QN_EXACT_LEAKY_RELU:
    if (n >= 0) return true;
    if (u->alpha < 0) out->m = -n;
    if (u->alpha == 0) out->m = 0;
    out->factors[1] = u->alpha == 0 ? 1 : fabs(u->alpha);
    return true;
  case QN_EXACT_ABS:
    out->m = n < 0 ? -n : n;
    return true;
  case QN_EXACT_NEG:
    out->m = -n;
    return true;
  case QN_EXACT_SQUARE:
    out->m = n * n;
    out->factors[1] = u->scale;
    return true;
  case QN_EXACT_HARD_SWISH:
    *out = hard_swish(u, n);
    return true;
  case QN_EXACT_ELU:
    return n >= 0;
  case QN_EXACT_FLOOR:
  case QN_EXACT_CEIL:
  case QN_EXACT_ROUND:
  case QN_EXACT_SIGN:
    if (!(fabs((double)n * u->scale) < 0x1p52)) return true; /* x is an integer */
    *out = whole(rounded_argument(u, n));
    return true;
  default:
    return false;
  }
}

/* ---- roots ---- */

/* The sign of sqrt(n * scale) - half / 2 * step, by comparison of squares. */
static int compare_root(const qn_exact_unary *u, int64_t n, int64_t half) {
  const qn_exact squares = {.factors = {u->step, u->step},
                            .term_factor = u->scale,
                            .term = -4 * n,
                            .step = 1,
                            .count = 1};
  return -qn_exact_compare(&squares, half * half - 4 * n, 0);
}

/* ---- both ---- */

/* The rounded result: the estimate in double if it is not near a tie, else decided exactly if
 * possible. False if it can't be decided. */
static bool round_value(const qn_exact_unary *u, int64_t n, int64_t *out) {
  double y = value_at(u, n) / u->step;
  if (isnan(y)) return *out = -beyond, true;
  double most = u->function == QN_EXACT_SQRT ? most_steps_of_root : most_steps;
  if (!(fabs(y) < most)) return *out = y > 0 ? beyond : -beyond, true;
  int64_t value = (int64_t)nearbyint(y);
  double away = fabs(fabs(y - (double)value) - 0.5);
  if (away > 0x1p-40 * fmax(fabs(y), 1)) return *out = value, true;
  double at_zero = functions[u->function].at_zero;
  if (n == 0 && isfinite(at_zero)) { /* the value at 0 is a multiple of 1/2 */
    const qn_exact one = {.factors = {0.5, 1}, .step = u->step, .count = 1};
    return *out = qn_exact_round(&one, (int64_t)(2 * at_zero)), true;
  }
  if (u->function != QN_EXACT_SQRT) return false;
  int64_t floor_ = (int64_t)floor(y);
  int order = compare_root(u, n, 2 * floor_ + 1);
  *out = floor_ + (order > 0 || (order == 0 && floor_ % 2 != 0));
  return true;
}

bool qn_exact_unary_round(const qn_exact_unary *unary, int64_t n, int64_t *out) {
  rational r;
  if (!rational_of(unary, n, &r)) return round_value(unary, n, out);
  const qn_exact exact = {.factors = {r.factors[0], r.factors[1]},
                          .term_factor = r.term_factor,
                          .term = r.t,
                          .step = unary->step,
                          .count = r.count};
  *out = qn_exact_round(&exact, r.m);
  return true;
}

/* Whether y is within the rounding error of a tie between two floats. */
static bool is_near_middle(double y) {
  float single = (float)y;
  if (isinf(single) || isnan(y)) return false;
  double up = (double)nextafterf(single, INFINITY), down = (double)nextafterf(single, -INFINITY);
  double above = ((double)single + up) / 2, below = ((double)single + down) / 2;
  double near = fabs(y) * 0x1p-48;
  return fabs(y - above) <= near || fabs(y - below) <= near;
}

/* Rational functions except hard-swish are products with few bits, so their value in double is
 * exact. */
bool qn_exact_unary_real(const qn_exact_unary *unary, int64_t n, float *out) {
  rational r;
  if (!rational_of(unary, n, &r)) {
    double y = value_at(unary, n);
    *out = (float)y;
    return (n == 0 && !isnan(functions[unary->function].at_zero)) || !is_near_middle(y);
  }
  double product = (double)(r.m - r.t) * (r.factors[0] * r.factors[1]);
  double y = (product + (double)r.t * r.term_factor) / (double)r.count;
  *out = (float)y;
  bool is_exact = r.t == 0 && r.count == 1 &&
                  fma((double)(r.m - r.t), r.factors[0] * r.factors[1], -product) == 0;
  return is_exact || !is_near_middle(y);
}
