/* Exact functions of one quantized value, rounded once (docs/arithmetic.md 19.5).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_EXACT_UNARY_H
#define QN_QUANT_EXACT_UNARY_H

#include <stdbool.h>
#include <stdint.h>

typedef enum qn_exact_function {
  QN_EXACT_IDENTITY,
  QN_EXACT_RELU,
  QN_EXACT_LEAKY_RELU,
  QN_EXACT_ABS,
  QN_EXACT_NEG,
  QN_EXACT_SQUARE,
  QN_EXACT_HARD_SWISH,
  QN_EXACT_SQRT,
  QN_EXACT_RSQRT,
  QN_EXACT_SIGMOID,
  QN_EXACT_TANH,
  QN_EXACT_EXP,
  QN_EXACT_LOG,
  QN_EXACT_GELU,
  QN_EXACT_GELU_TANH,
  QN_EXACT_GELU_SIGMOID,
  QN_EXACT_ELU,
  QN_EXACT_ERF,
  QN_EXACT_SOFTPLUS,
  QN_EXACT_SOFTSIGN,
  QN_EXACT_SILU,
  QN_EXACT_SIN,
  QN_EXACT_COS,
  QN_EXACT_FLOOR,
  QN_EXACT_CEIL,
  QN_EXACT_ROUND,
  QN_EXACT_SIGN,
  QN_EXACT_FUNCTIONS
} qn_exact_function;

typedef struct qn_exact_unary {
  qn_exact_function function;
  double alpha;       /* a float32: the slope below 0 (LEAKY_RELU), the factor (ELU) */
  double scale, step; /* scales of argument and result, as in exact.h */
} qn_exact_unary;

/* f(n * scale) / step, rounded to the nearest integer, ties to even. Results beyond +-2^32
 * (of roots: from 2^30 on) and infinities become +-2^32; NaN becomes -2^32. Returns false if the
 * value is so close to a tie that doubles cannot decide. Requires |n| < 2^17. */
bool qn_exact_unary_round(const qn_exact_unary *unary, int64_t n, int64_t *out);
/* f32(f(n * scale)) under the same conditions; infinity and NaN stay. */
bool qn_exact_unary_real(const qn_exact_unary *unary, int64_t n, float *out);

#endif
