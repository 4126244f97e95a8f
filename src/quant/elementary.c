/* The elementary functions on numbers: operations of elementary.inc are C operations. The build
 * disables contraction, so each operation rounds as elementary.inc specifies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define QN_ELEMENTARY_NAN NAN
#define QN_ELEMENTARY_INFINITY INFINITY

typedef int K; /* this implementation needs no context, so the type is unused */
typedef float F;
typedef double D;
typedef uint32_t I;
typedef uint64_t L;
typedef bool M;

#define OPERATION(result, name, parameters, expression)                                            \
  static inline result name parameters {                                                           \
    (void)k;                                                                                       \
    return expression;                                                                             \
  }
OPERATION(F, f_num, (K k, float x), x)
OPERATION(F, f_add, (K k, F x, F y), x + y)
OPERATION(F, f_sub, (K k, F x, F y), x - y)
OPERATION(F, f_mul, (K k, F x, F y), x *y)
OPERATION(F, f_root, (K k, F x), sqrtf(x))
OPERATION(M, f_less, (K k, F x, F y), x < y)
OPERATION(M, f_equal, (K k, F x, F y), x == y)
OPERATION(M, f_is_nan, (K k, F x), x != x)
OPERATION(F, f_if, (K k, M m, F x, F y), m ? x : y)
OPERATION(D, d_num, (K k, double x), x)
OPERATION(D, d_add, (K k, D x, D y), x + y)
OPERATION(D, d_sub, (K k, D x, D y), x - y)
OPERATION(D, d_mul, (K k, D x, D y), x *y)
OPERATION(D, d_div, (K k, D x, D y), x / y)
OPERATION(D, d_root, (K k, D x), sqrt(x))
OPERATION(M, d_less, (K k, D x, D y), x < y)
OPERATION(M, d_equal, (K k, D x, D y), x == y)
OPERATION(M, d_is_nan, (K k, D x), x != x)
OPERATION(D, d_if, (K k, M m, D x, D y), m ? x : y)
OPERATION(D, d_of_f, (K k, F x), (double)x)
OPERATION(F, f_of_d, (K k, D x), (float)x)
OPERATION(I, i_num, (K k, uint32_t x), x)
OPERATION(I, i_add, (K k, I x, I y), x + y)
OPERATION(I, i_sub, (K k, I x, I y), x - y)
OPERATION(I, i_and, (K k, I x, I y), x &y)
OPERATION(I, i_xor, (K k, I x, I y), x ^ y)
OPERATION(I, i_shl, (K k, I x, int by), x << by)
OPERATION(I, i_sar, (K k, I x, int by), (uint32_t)((int32_t)x >> by))
OPERATION(M, i_above, (K k, I x, I y), x > y)
OPERATION(I, i_if, (K k, M m, I x, I y), m ? x : y)
OPERATION(L, l_num, (K k, uint64_t x), x)
OPERATION(L, l_add, (K k, L x, L y), x + y)
OPERATION(L, l_sub, (K k, L x, L y), x - y)
OPERATION(L, l_mul, (K k, L x, L y), x *y)
OPERATION(L, l_and, (K k, L x, L y), x &y)
OPERATION(L, l_or, (K k, L x, L y), x | y)
OPERATION(L, l_xor, (K k, L x, L y), x ^ y)
OPERATION(L, l_shl, (K k, L x, int by), x << by)
OPERATION(L, l_shr, (K k, L x, int by), x >> by)
OPERATION(L, l_shr_by, (K k, L x, L by), x >> by)
OPERATION(M, l_equal, (K k, L x, L y), x == y)
OPERATION(M, l_above, (K k, L x, L y), x > y)
OPERATION(L, l_if, (K k, M m, L x, L y), m ? x : y)
OPERATION(D, d_of_signed, (K k, L x), (double)(int64_t)x)

#define BITS(to, name, from)                                                                       \
  static inline to name(K k, from x) {                                                             \
    to y;                                                                                          \
    (void)k;                                                                                       \
    memcpy(&y, &x, sizeof y);                                                                      \
    return y;                                                                                      \
  }
BITS(I, f_bits, F)
BITS(F, f_of_bits, I)
BITS(L, d_bits, D)
BITS(D, d_of_bits, L)

#include "quant/elementary.inc"

const qn_function_row qn_functions[QN_FUNCTION_COUNT] = {
#define FUNCTION(dialect, DIALECT, name, NAME, arguments, has_f64, milliulps)                      \
  {#dialect "." #name, arguments, has_f64, milliulps},
#include "quant/elementary.def"
#undef FUNCTION
};

#define CALL_1(function) function(0, x)
#define CALL_2(function) function(0, x, y)
#define WIDE_0(name, arguments) NAN
#define WIDE_1(name, arguments) CALL_##arguments(d_##name)

float qn_function_f32(qn_function function, float x, float y) {
  switch (function) {
#define FUNCTION(dialect, DIALECT, name, NAME, arguments, ...)                                     \
  case QN_FUNCTION_##NAME:                                                                         \
    return CALL_##arguments(f_##name);
#include "quant/elementary.def"
#undef FUNCTION
  default:
    return NAN;
  }
}

double qn_function_f64(qn_function function, double x, double y) {
  switch (function) {
#define FUNCTION(dialect, DIALECT, name, NAME, arguments, has_f64, milliulps)                      \
  case QN_FUNCTION_##NAME:                                                                         \
    return WIDE_##has_f64(name, arguments);
#include "quant/elementary.def"
#undef FUNCTION
  default:
    return NAN;
  }
}
