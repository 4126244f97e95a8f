/* The elementary functions compared with long double: errors are within the bounds of
 * elementary.def, and results that need no rounding are exact. One bit pattern in some thousands is
 * tested; argument "all": every pattern; or the name of a function: every pattern for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/elementary.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint32_t step = 4099;
static const char *only; /* the function to test, or NULL: all */

static float of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static long double exact(qn_function function, long double x, long double y) {
  switch (function) {
  case QN_FUNCTION_EXP:
    return expl(x);
  case QN_FUNCTION_EXP2:
    return exp2l(x);
  case QN_FUNCTION_LOG:
    return logl(x);
  case QN_FUNCTION_TANH:
    return tanhl(x);
  case QN_FUNCTION_ERF:
    return erfl(x);
  case QN_FUNCTION_SIN:
    return sinl(x);
  case QN_FUNCTION_COS:
    return cosl(x);
  case QN_FUNCTION_TAN:
    return tanl(x);
  case QN_FUNCTION_ASIN:
    return asinl(x);
  case QN_FUNCTION_ACOS:
    return acosl(x);
  case QN_FUNCTION_ATAN:
    return atanl(x);
  case QN_FUNCTION_ATAN2:
    return atan2l(x, y);
  case QN_FUNCTION_SINH:
    return sinhl(x);
  case QN_FUNCTION_COSH:
    return coshl(x);
  case QN_FUNCTION_ATANH:
    return atanhl(x);
  case QN_FUNCTION_POWF:
    return powl(x, y);
  case QN_FUNCTION_SQRT:
    return sqrtl(x);
  case QN_FUNCTION_RSQRT:
    return 1 / sqrtl(x);
  case QN_FUNCTION_GELU:
    return x * (erfcl(-x / sqrtl(2)) / 2);
  default:
    return NAN;
  }
}

/* Distance in units in the last place of the f32 nearest to y. Above the largest f32, the unit of
 * that one is used. */
static long double ulps(float got, long double y) {
  int exponent;
  if (isinf(got) && fabsl(y) > (long double)FLT_MAX) got = copysignf(FLT_MAX, got);
  if (fabsl(y) > (long double)FLT_MAX && fabsl(y) < 0x1.000001p128L) y = copysignl(FLT_MAX, y);
  if (isinf((float)y)) return (float)y == got || fabsf(got) == FLT_MAX ? 0 : INFINITY;
  frexpl(y, &exponent);
  long double unit = ldexpl(1, exponent < -125 ? -149 : exponent - 24);
  return fabsl((long double)got - y) / unit;
}

/* Reference in double, ten times as fast: its errors are below 2^-27 units in the last place of
 * f32, for gelu below 2^-20. */
static double nearly_exact(qn_function function, double x, double y) {
  switch (function) {
  case QN_FUNCTION_EXP:
    return exp(x);
  case QN_FUNCTION_EXP2:
    return exp2(x);
  case QN_FUNCTION_LOG:
    return log(x);
  case QN_FUNCTION_TANH:
    return tanh(x);
  case QN_FUNCTION_ERF:
    return erf(x);
  case QN_FUNCTION_SIN:
    return sin(x);
  case QN_FUNCTION_COS:
    return cos(x);
  case QN_FUNCTION_TAN:
    return tan(x);
  case QN_FUNCTION_ASIN:
    return asin(x);
  case QN_FUNCTION_ACOS:
    return acos(x);
  case QN_FUNCTION_ATAN:
    return atan(x);
  case QN_FUNCTION_ATAN2:
    return atan2(x, y);
  case QN_FUNCTION_SINH:
    return sinh(x);
  case QN_FUNCTION_COSH:
    return cosh(x);
  case QN_FUNCTION_ATANH:
    return atanh(x);
  case QN_FUNCTION_POWF:
    return pow(x, y);
  case QN_FUNCTION_SQRT:
    return sqrt(x);
  case QN_FUNCTION_RSQRT:
    return 1 / sqrt(x);
  case QN_FUNCTION_GELU:
    return x * (erfc(-x / sqrt(2)) / 2);
  default:
    return NAN;
  }
}

/* Returns whether the distance is certainly less than `worst`, so that the exact distance is not
 * needed. */
static bool is_nearer(float got, double y, double worst) {
  double size = fabs(y), unit;
  if (isnan(y)) return bits_of(got) == 0x7FC00000;
  if (size > 0x1p129 || size < 0x1p-153) {
    float end = size > 1 ? INFINITY : 0;
    return worst > 0.1 && bits_of(got) == bits_of(copysignf(end, (float)y));
  }
  if (size < 0x1p-125 || size > 0x1p127) return false;
  uint64_t bits;
  memcpy(&bits, &y, sizeof bits);
  bits = ((bits >> 52 & 0x7FF) - 23) << 52;
  memcpy(&unit, &bits, sizeof unit);
  return fabs((double)got - y) < (worst - 1e-6) * unit;
}

/* Returns an exponent for x: of any magnitude, an integer, a half, or such that the power is not
 * extreme. */
static float exponent_for(float x, uint32_t seed) {
  static const float chosen[] = {0.5f, -0.5f, 2, -1, 3, -3, 0.1f, 1e-6f, 1e9f, -1e9f};
  if (seed % 3 == 0) return chosen[seed / 3 % 10];
  if (seed % 3 == 1) return of_bits(seed * 2654435761u);
  float range = fabsf(log2f(fabsf(x)));
  return range > 0 && range < 1000 ? (float)(seed % 30000 / 100.0 - 150) / range : 1;
}

static void check_bound(qn_function function) {
  long double worst = 0, bound = qn_functions[function].milliulps / 1000.0L;
  for (uint64_t b = 0; b < UINT64_C(1) << 32; b += step) {
    float x = of_bits((uint32_t)b), y = 0;
    if (qn_functions[function].arguments == 2) y = exponent_for(x, (uint32_t)b / step * 7 + 1);
    float got = qn_function_f32(function, x, y);
    if (is_nearer(got, nearly_exact(function, (double)x, (double)y), (double)worst)) continue;
    long double wanted = exact(function, (long double)x, (long double)y);
    if (isnan(wanted)) {
      if (bits_of(got) != 0x7FC00000)
        fail_msg("%s(%a, %a) is %a", qn_functions[function].name, x, y, got);
      continue;
    }
    long double error = ulps(got, wanted);
    if (!(error <= bound) || !signbit(got) != !signbit(wanted))
      fail_msg("%s(%a, %a) is %a: %.4Lf ulp", qn_functions[function].name, x, y, got, error);
    if (error > worst) worst = error;
  }
  print_message("%-10s %.4Lf ulp\n", qn_functions[function].name, worst);
}

static void bounds(void **state) {
  (void)state;
  bool any = false;
  for (int i = 0; i < QN_FUNCTION_COUNT; i++) {
    if (only && strcmp(only, qn_functions[i].name) != 0) continue;
    check_bound((qn_function)i);
    any = true;
  }
  assert_true(any);
}

static void special_values(void **state) {
  (void)state;
  const float inf = INFINITY, nan = NAN;
  const struct {
    qn_function function;
    float x, y, result;
  } rows[] = {
      {QN_FUNCTION_EXP, -inf, 0, 0},
      {QN_FUNCTION_EXP, inf, 0, inf},
      {QN_FUNCTION_EXP, -0.0f, 0, 1},
      {QN_FUNCTION_EXP, 89, 0, inf},
      {QN_FUNCTION_EXP, -104, 0, 0},
      {QN_FUNCTION_EXP, -103, 0, 0x1p-149f},
      {QN_FUNCTION_EXP2, -149, 0, 0x1p-149f},
      {QN_FUNCTION_EXP2, 128, 0, inf},
      {QN_FUNCTION_EXP2, 127, 0, 0x1p127f},
      {QN_FUNCTION_EXP2, -151, 0, 0},
      {QN_FUNCTION_LOG, 0, 0, -inf},
      {QN_FUNCTION_LOG, -0.0f, 0, -inf},
      {QN_FUNCTION_LOG, 1, 0, 0},
      {QN_FUNCTION_LOG, inf, 0, inf},
      {QN_FUNCTION_LOG, -1, 0, nan},
      {QN_FUNCTION_LOG, -inf, 0, nan},
      {QN_FUNCTION_TANH, -0.0f, 0, -0.0f},
      {QN_FUNCTION_TANH, inf, 0, 1},
      {QN_FUNCTION_TANH, -inf, 0, -1},
      {QN_FUNCTION_TANH, 0x1p-149f, 0, 0x1p-149f},
      {QN_FUNCTION_ERF, -0.0f, 0, -0.0f},
      {QN_FUNCTION_ERF, -inf, 0, -1},
      {QN_FUNCTION_SIN, -0.0f, 0, -0.0f},
      {QN_FUNCTION_SIN, inf, 0, nan},
      {QN_FUNCTION_COS, 0, 0, 1},
      {QN_FUNCTION_COS, -inf, 0, nan},
      {QN_FUNCTION_TAN, -0.0f, 0, -0.0f},
      {QN_FUNCTION_TAN, inf, 0, nan},
      {QN_FUNCTION_ASIN, -0.0f, 0, -0.0f},
      {QN_FUNCTION_ASIN, 1, 0, 0x1.921fb6p+0f},
      {QN_FUNCTION_ASIN, -0x1.000002p0f, 0, nan},
      {QN_FUNCTION_ACOS, 1, 0, 0},
      {QN_FUNCTION_ACOS, -1, 0, 0x1.921fb6p+1f},
      {QN_FUNCTION_ACOS, inf, 0, nan},
      {QN_FUNCTION_ATAN, -0.0f, 0, -0.0f},
      {QN_FUNCTION_ATAN, -inf, 0, -0x1.921fb6p+0f},
      {QN_FUNCTION_ATAN2, 0, 0, 0},
      {QN_FUNCTION_ATAN2, -0.0f, 0, -0.0f},
      {QN_FUNCTION_ATAN2, 0, -0.0f, 0x1.921fb6p+1f},
      {QN_FUNCTION_ATAN2, -0.0f, -0.0f, -0x1.921fb6p+1f},
      {QN_FUNCTION_ATAN2, 0, -1, 0x1.921fb6p+1f},
      {QN_FUNCTION_ATAN2, 1, -0.0f, 0x1.921fb6p+0f},
      {QN_FUNCTION_ATAN2, -inf, 7, -0x1.921fb6p+0f},
      {QN_FUNCTION_ATAN2, inf, inf, 0x1.921fb6p-1f},
      {QN_FUNCTION_ATAN2, -inf, -inf, -0x1.2d97c8p+1f},
      {QN_FUNCTION_ATAN2, 7, inf, 0},
      {QN_FUNCTION_ATAN2, 7, -inf, 0x1.921fb6p+1f},
      {QN_FUNCTION_ATAN2, 0x1p-149f, 1, 0x1p-149f},
      {QN_FUNCTION_ATAN2, nan, 0, nan},
      {QN_FUNCTION_ATAN2, 0, nan, nan},
      {QN_FUNCTION_SINH, -0.0f, 0, -0.0f},
      {QN_FUNCTION_SINH, -inf, 0, -inf},
      {QN_FUNCTION_SINH, 90, 0, inf},
      {QN_FUNCTION_COSH, 0, 0, 1},
      {QN_FUNCTION_COSH, -inf, 0, inf},
      {QN_FUNCTION_ATANH, -0.0f, 0, -0.0f},
      {QN_FUNCTION_ATANH, -1, 0, -inf},
      {QN_FUNCTION_ATANH, 2, 0, nan},
      {QN_FUNCTION_POWF, nan, 0, 1},
      {QN_FUNCTION_POWF, 1, nan, 1},
      {QN_FUNCTION_POWF, -1, inf, 1},
      {QN_FUNCTION_POWF, -1, -inf, 1},
      {QN_FUNCTION_POWF, -1, nan, nan},
      {QN_FUNCTION_POWF, -2, 3, -8},
      {QN_FUNCTION_POWF, -2, 0.5f, nan},
      {QN_FUNCTION_POWF, -2, -2, 0.25f},
      {QN_FUNCTION_POWF, -0.0f, -1, -inf},
      {QN_FUNCTION_POWF, -0.0f, -2, inf},
      {QN_FUNCTION_POWF, -0.0f, 3, -0.0f},
      {QN_FUNCTION_POWF, 0, 0.5f, 0},
      {QN_FUNCTION_POWF, -inf, 3, -inf},
      {QN_FUNCTION_POWF, -inf, -3, -0.0f},
      {QN_FUNCTION_POWF, -inf, 0.5f, inf},
      {QN_FUNCTION_POWF, 0.5f, inf, 0},
      {QN_FUNCTION_POWF, 2, -inf, 0},
      {QN_FUNCTION_POWF, 2, inf, inf},
      {QN_FUNCTION_POWF, 2, -149, 0x1p-149f},
      {QN_FUNCTION_POWF, 0x1p-149f, 0.5f, 0x1.6a09e6p-75f},
      {QN_FUNCTION_GELU, 0, 0, 0},
      {QN_FUNCTION_GELU, -0.0f, 0, -0.0f},
      {QN_FUNCTION_GELU, inf, 0, inf},
      {QN_FUNCTION_GELU, -inf, 0, nan},
      {QN_FUNCTION_GELU, -0x1.fffffep127f, 0, -0.0f},
      {QN_FUNCTION_GELU, 15, 0, 15},
      {QN_FUNCTION_GELU, -15, 0, -0.0f},
      {QN_FUNCTION_SQRT, -0.0f, 0, -0.0f},
      {QN_FUNCTION_SQRT, -1, 0, nan},
      {QN_FUNCTION_RSQRT, 0, 0, inf},
      {QN_FUNCTION_RSQRT, -0.0f, 0, -inf},
      {QN_FUNCTION_RSQRT, inf, 0, 0},
      {QN_FUNCTION_RSQRT, -1, 0, nan},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    float got = qn_function_f32(rows[i].function, rows[i].x, rows[i].y);
    uint32_t wanted = isnan(rows[i].result) ? 0x7FC00000 : bits_of(rows[i].result);
    if (bits_of(got) != wanted)
      fail_msg("%s(%a, %a) is %a", qn_functions[rows[i].function].name, rows[i].x, rows[i].y, got);
  }
}

/* The functions that f64 has, too: errors of at most 2^-40 of the result. */
static void wide(void **state) {
  (void)state;
  for (int f = 0; f < QN_FUNCTION_COUNT; f++)
    for (uint32_t i = 1; i < 20000 && qn_functions[f].has_f64; i++) {
      double x = (double)of_bits(i * 2654435761u) * 1.0000000123, y = (double)(i % 37) / 7 - 2;
      long double wanted = exact((qn_function)f, (long double)x, (long double)y);
      double got = qn_function_f64((qn_function)f, x, y);
      bool normal = fabsl(wanted) > 1e-300L && fabsl(wanted) < 1e300L;
      if (isnan(wanted) && !isnan(got)) fail_msg("%s(%a, %a)", qn_functions[f].name, x, y);
      if (normal && fabsl((long double)got - wanted) > 0x1p-40L * fabsl(wanted))
        fail_msg("%s(%a, %a) is %a, not %La", qn_functions[f].name, x, y, got, wanted);
    }
}

int main(int argc, char **argv) {
  if (argc > 1) step = 1;
  if (argc > 1 && strcmp(argv[1], "all") != 0) only = argv[1];
  const struct CMUnitTest tests[] = {cmocka_unit_test(special_values), cmocka_unit_test(wide),
                                     cmocka_unit_test(bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
