/* Sums of two 8-bit values for which two multiply-adds of their scales are not exact.
 *
 * If the scales are ratios of small integers, many sums are halfway between two results, and the
 * reference's roundings of the terms decide them. These are a function of one operand, b. A byte
 * from a table of 256 is joined to b as the low half of a 16-bit word, so that the adjustment costs
 * no product of its own. The sum is one product of a pair of words, in 32 bits:
 *     y = (256 * a * factor_a + (256 * b + low[b]) * factor_b + offset) >> shift
 * where a and b are the stored values less 128 if they are unsigned.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_PAIRED_FORM_H
#define QN_QUANT_PAIRED_FORM_H

#include "quant/fma_form.h"

typedef struct qn_paired_form {
  bool proved;
  bool of_first; /* true: operand 0 is b, which indexes the table; false: operand 1 is b */
  int16_t factor_a, factor_b;
  int32_t middle_a, middle_b; /* subtracted from the stored values: 0, or 128 if unsigned */
  int32_t offset, shift;
  uint8_t low[256]; /* [stored b as an unsigned byte] */
} qn_paired_form;

/* The question of fma2_form, where offset = zero_point - scale_a * za - scale_b * zb: results near
 * zero_point are sums near 0. `reference_error` is not used. */
typedef struct qn_sum_question {
  qn_fma2_question sum;
  int32_t zero_point;
} qn_sum_question;

/* Two multiply-adds without a table, with scales that are farther from the real ones than those
 * that qn_fma2_form_find tries: exact where the terms are, such as powers of two. Proved by
 * evaluating all pairs. */
qn_fma2_form qn_fma2_form_find_wide(const qn_sum_question *question);
/* Proved by evaluating all pairs, none of which leaves 32 bits. */
qn_paired_form qn_paired_form_find(const qn_sum_question *question);
/* y of operand 0 and operand 1 as the generated code computes it, within [min, max]. */
int32_t qn_paired_form_apply(const qn_paired_form *form, int32_t first, int32_t second, int32_t min,
                             int32_t max);

#endif
