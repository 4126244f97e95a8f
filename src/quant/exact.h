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
  double term_factor; /* s[2], likewise; of no meaning where the term is 0 */
  int64_t term;       /* t: 32 bits */
  double step;        /* y, likewise */
  int64_t count;      /* from 1 to 2^32 - 1 */
} qn_exact;

static inline bool qn_exact_equal(const qn_exact *a, const qn_exact *b) {
  return a->factors[0] == b->factors[0] && a->factors[1] == b->factors[1] &&
         a->term_factor == b->term_factor && a->term == b->term && a->step == b->step &&
         a->count == b->count;
}
/* Whether the number is a positive finite float32: what scales have to be. */
bool qn_exact_is_scale(double scale);

/* r(n) - half / 2, as its sign. |n| < 2^62, |half| < 2^40. */
int qn_exact_compare(const qn_exact *exact, int64_t n, int64_t half);
/* r(n) to the nearest integer, ties to even; beyond 2^32 in magnitude it is 2^32. */
int64_t qn_exact_round(const qn_exact *exact, int64_t n);

/* f(n) = nearest((n * factor + offset) / divisor), each step in double, ties to even. Where the
 * divisor is 1 there is no division. */
typedef struct qn_even_form {
  bool proved;
  double factor, offset, divisor;
} qn_even_form;

/* f that equals r rounded for all n in [lo, hi] and results clamped to [min, max], proved at each n
 * where a result changes; `proved` says whether there is one. Products are tried first. What they
 * do not give has ties, so that it is a quotient of small integers, and that is exact. |lo| and
 * |hi| are below 2^52, min and max 32 bits. */
qn_even_form qn_even_form_find(const qn_exact *exact, int64_t lo, int64_t hi, int64_t min,
                               int64_t max);

#endif
