/* Sums of two 8-bit values for which two multiply-adds are not exact (fma_form.h). If the scales
 * are ratios of small integers, many sums are close to halfway between two results, and the
 * reference's roundings of the terms, 2^-20 and less, decide them.
 *
 * The rounding error of a term is a function of one operand. A table of it, in bytes, is added to
 * the sum, scaled up so that float32 can represent it; all other sums are farther from a threshold.
 *     x = fma(a, scale_a, fma(b, scale_b, fma(correction[b], unit, offset)))
 *     y = clamp(truncate(x + copysign(half, x)) + zero_point)
 * `half` is slightly more than 1/2, because the reference rounds ties away from zero. Proved by
 * evaluating f and the reference on all pairs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_CORRECTED_FORM_H
#define QN_QUANT_CORRECTED_FORM_H

#include "quant/fma_form.h"

typedef struct qn_corrected_form {
  bool proved;
  bool of_first; /* true: operand 0 is b, which indexes the corrections; false: operand 1 is b */
  float scale_a, scale_b, unit, offset, half;
  int32_t zero_point;
  int8_t corrections[256]; /* [b as an unsigned byte]; unused if unit is 0 */
} qn_corrected_form;

/* One operand: its scale in units of the result, its zero point, and the range of its stored
 * values; [stored value - lo] its term in the reference, in units of the result. */
typedef struct qn_corrected_side {
  double scale;
  int32_t zero_point, lo, hi;
  double terms[256];
} qn_corrected_side;

/* The question: which form gives the same results as `reference`? The reference computes
 * clamp(round(term of operand 0 + term of operand 1) + zero_point). It rounds the sum first to
 * multiples of 2 * last, then to an integer. */
typedef struct qn_corrected_question {
  qn_binary_fn *reference;
  const void *user;
  qn_corrected_side sides[2];
  double last;
  int32_t zero_point, min, max;
} qn_corrected_question;
qn_corrected_form qn_corrected_form_find(const qn_corrected_question *question);
/* f of operand 0 and operand 1 as the generated code computes it. */
int32_t qn_corrected_form_apply(const qn_corrected_form *form, int32_t first, int32_t second,
                                int32_t min, int32_t max);

#endif
