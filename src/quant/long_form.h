/* Requantization without floats, by proof: for microcontrollers, where a product of 32 by 32 bits
 * plus 64 is one instruction, and for results too fine for the forms of fma_form.h. With y(acc) =
 * clamp(round(acc * m) + zp) as in fma_form.h, f(acc) = clamp(high word of (acc * factor + offset)
 * >> shift) where the offset has the zero point and the rounding. Both are monotone step functions,
 * and equal iff their thresholds are: for a given factor, each threshold allows an interval of
 * integer offsets, and some factor next to m * 2^(32 + shift) has intervals with a common offset.
 * Only accumulators inside the proved range count.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_LONG_FORM_H
#define QN_QUANT_LONG_FORM_H

#include "quant/steps.h"

typedef struct qn_long_form {
  bool proved; /* else no member is of any meaning */
  int32_t factor, shift;
  int64_t offset;
} qn_long_form;

/* Searches and proves; none of steps that were not found, nor of multipliers of 1/2 and more. */
qn_long_form qn_long_form_find(const qn_steps *steps);
/* f(acc) as the generated code computes it. */
int32_t qn_long_form_apply(const qn_long_form *form, int32_t acc, int32_t min, int32_t max);

#endif
