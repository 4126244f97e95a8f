/* Functions of two 8-bit values as tables of all 65536 results (docs/arithmetic.md 6.4, 9.6,
 * 13).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_PAIRS_H
#define QN_QUANT_PAIRS_H

#include "quant/multiplier.h"
#include "quant/range.h"

/* A binary function under construction: the quantization of its operands and result, and the values
 * that its rule precomputes. */
typedef struct qn_pair {
  qn_affine8 a, b, output; /* output is unused for comparisons */
  qn_multiplier first, second, result;
} qn_pair;

typedef struct qn_pair_rule {
  void (*prepare)(qn_pair *p, const qn_profile *profile);
  int32_t (*entry)(const qn_pair *p, int32_t a,
                   int32_t b);          /* a, b: stored values minus zero points */
  bool (*is_defined)(const qn_pair *p); /* called after `prepare`; NULL: always defined */
} qn_pair_rule;
extern const qn_pair_rule qn_pair_equal, qn_pair_not_equal, qn_pair_less, qn_pair_less_equal,
    qn_pair_greater, qn_pair_greater_equal, qn_pair_squared_difference, qn_pair_prelu, qn_pair_div;
enum { QN_COMPARISON_SHIFT = 8 }; /* left shift before reals are compared */

enum { QN_PAIRS = 65536 };
/* Fills table[256 * a + b] = y for all stored values a, b, where a, b and y are unsigned bytes.
 * `ends` has the quantization of operands and result. Returns false if rule->is_defined does: then
 * the kernels give no meaningful result. */
bool qn_pair_table(const qn_pair_rule *rule, const qn_profile *profile, const qn_pair *ends,
                   bool is_unsigned, uint8_t table[QN_PAIRS]);

#endif
