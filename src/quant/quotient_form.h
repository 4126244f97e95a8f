/* Quantization of floats by multiplication with the reciprocal of the scale, in two parts:
 *     y = round(fma(x, high, x * low)), where x is clamped to [least, most] before
 * in place of clamp(round(x / scale)), whose division takes several times as long. Both are
 * monotone step functions of x, so they are equal if and only if they have the same thresholds
 * (README.md). The reciprocal in two parts is 2^24 times closer to the real one than a quotient to
 * the next, so almost all scales are proved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_QUOTIENT_FORM_H
#define QN_QUANT_QUOTIENT_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "quant/rounding.h"

typedef struct qn_quotient_form {
  bool proved;
  float high, low; /* low is 0 for powers of two */
  float least, most;
} qn_quotient_form;

/* Results are in [lo, hi], without a zero point. Proved by evaluating both sides of each threshold;
 * not proved if lo or hi is beyond 2^17 or the scale beyond 2^60 in either direction. */
qn_quotient_form qn_quotient_form_find(float scale, int32_t lo, int32_t hi, qn_rounding rounding);
/* y as the generated code computes it. x is not NaN. */
int32_t qn_quotient_form_apply(const qn_quotient_form *form, float x, qn_rounding rounding);

#endif
