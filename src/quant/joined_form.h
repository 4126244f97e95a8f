/* Sums of two 8-bit values for which two multiply-adds are exact only if one operand is adjusted.
 *
 * If the scales are ratios of small integers, many sums are halfway between two results, and the
 * reference's roundings of the terms decide them. These are a function of one operand, b. A byte
 * from a table of 256 is joined to b as the low half of a word, so that the adjustment costs no
 * multiply-add of its own:
 *     y = nearest(fma(a, scale_a, fma(256 * b + low[b], scale_b, offset)))
 * Sums of 0 and more are rounded up and others down where the terms are exact. Scales that are
 * slightly larger than the real ones do that.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_JOINED_FORM_H
#define QN_QUANT_JOINED_FORM_H

#include "quant/fma_form.h"

typedef struct qn_joined_form {
  bool proved;
  bool of_first; /* true: operand 0 is b, which indexes the table; false: operand 1 is b */
  float scale_a, scale_b, offset;
  uint8_t low[256]; /* [b as an unsigned byte] */
} qn_joined_form;

/* The question of fma2_form, where offset = zero_point - scale_a * za - scale_b * zb: results near
 * zero_point are sums near 0. `reference_error` is not used. */
typedef struct qn_joined_question {
  qn_fma2_question sum;
  int32_t zero_point;
} qn_joined_question;

/* Two multiply-adds without a table, with scales that are farther from the real ones than those
 * that qn_fma2_form_find tries: exact where the terms are, such as powers of two. Proved by
 * evaluating all pairs. */
qn_fma2_form qn_fma2_form_find_wide(const qn_joined_question *question);
/* Proved by evaluating all pairs. */
qn_joined_form qn_joined_form_find(const qn_joined_question *question);
/* f of operand 0 and operand 1 as the generated code computes it. */
int32_t qn_joined_form_apply(const qn_joined_form *form, int32_t first, int32_t second, int32_t min,
                             int32_t max);

#endif
