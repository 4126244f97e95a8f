/* Results of exact arithmetic on quantized values, rounded once, and products of doubles that are
 * proved to give them (docs/arithmetic.md 19).
 *
 * An operator on quantized tensors whose result depends on one integer n (a sum of products, a sum
 * over a window, a product of two values) has the real result
 *     r(n) = ((n - t) * s[0] * s[1] + t * s[2]) / (y * count)
 * in steps of the result, where s and y are scales: float32 numbers, which are dyadic rationals. So
 * r(n) >= v - 1/2 is a comparison of integers, once all terms are brought to one power of two. The
 * term t, a bias, is part of n; s[2] is the scale that it has instead of the product of the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_EXACT_H
#define QN_QUANT_EXACT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct qn_exact {
  double factors[2];  /* s[0], s[1]: positive float32 numbers */
  double term_factor; /* s[2], a positive float32; unused if the term is 0 */
  int64_t term;       /* t: 32 bits */
  double step;        /* y, a positive float32 */
  int64_t count;      /* from 1 to 2^32 - 1 */
} qn_exact;

static inline bool qn_exact_equal(const qn_exact *a, const qn_exact *b) {
  return a->factors[0] == b->factors[0] && a->factors[1] == b->factors[1] &&
         a->term_factor == b->term_factor && a->term == b->term && a->step == b->step &&
         a->count == b->count;
}
/* Whether a scale is valid: a positive finite float32. */
bool qn_exact_is_scale(double scale);

/* The sign of r(n) - half / 2. Requires |n| < 2^62, |half| < 2^40. */
int qn_exact_compare(const qn_exact *exact, int64_t n, int64_t half);
/* r(n) rounded to the nearest integer, ties to even. Results above 2^32 become 2^32, results below
 * -2^32 become -2^32. */
int64_t qn_exact_round(const qn_exact *exact, int64_t n);

/* f(n) = nearest((n * factor + offset) / divisor), each step in double, ties to even. There is no
 * division if the divisor is 1. */
typedef struct qn_even_form {
  bool proved;
  double factor, offset, divisor;
} qn_even_form;

/* Finds f that equals rounded r for all n in [lo, hi] and results clamped to [min, max], proved at
 * each n where the result changes; `proved`: whether one was found. Products are tried first. If
 * they fail, r has ties, so it is a quotient of small integers, and the division is exact. Requires
 * |lo| and |hi| below 2^52, and min and max in 32 bits. */
qn_even_form qn_even_form_find(const qn_exact *exact, int64_t lo, int64_t hi, int64_t min,
                               int64_t max);

#endif
