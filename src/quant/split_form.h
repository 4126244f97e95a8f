/* Requantization by proof, for results too fine for the one-FMA form in binary32. The product is
 * split into its nearest integer and a remainder, which is exact, and only the remainder is
 * rounded.
 *   x = float(acc)
 *   n = nearest(x * high)
 *   f(acc) = clamp(n + nearest(fma(x, high, -n) + fma(x, low, offset)) + zero_point)
 * The scale is high + low. There is one offset for accumulators >= 0 and one for negative ones.
 * Proved like the one-FMA form: both functions are monotone, so equal thresholds suffice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_SPLIT_FORM_H
#define QN_QUANT_SPLIT_FORM_H

#include "quant/steps.h"

typedef struct qn_split_form {
  bool proved;
  float high, low, offset, offset_negative;
} qn_split_form;

/* As qn_fma_form_find. Not proved for multipliers below 2^-20 or above 2. */
qn_split_form qn_split_form_find(const qn_steps *steps);
/* f(acc) as the generated code computes it. */
int32_t qn_split_form_apply(const qn_split_form *form, const qn_requant *requant, int32_t acc);

#endif
