/* Requantization without floats, with a proof of equality. It is intended for microcontrollers that
 * compute 32 x 32 + 64 bits in one instruction, and for channels without a form of fma_form.h. The
 * reference is y(acc) = clamp(round(acc * m) + zero_point), as in fma_form.h. The form is
 *     f(acc) = clamp(((acc * factor + offset) >> 32) >> shift)
 * where the 64-bit offset includes the zero point and the rounding. Both are monotone step
 * functions of acc, so they are equal if and only if they have the same thresholds. For a given
 * factor, each threshold allows an interval of offsets. The search tries factors near m * 2^(32 +
 * shift) until all these intervals have a common offset. Only accumulators in the proved range
 * (qn_steps.range) count.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_LONG_FORM_H
#define QN_QUANT_LONG_FORM_H

#include "quant/steps.h"

typedef struct qn_long_form {
  bool proved; /* if false, the other fields are invalid */
  int32_t factor, shift;
  int64_t offset;
} qn_long_form;

/* Searches a form and proves it. It is not proved if the steps were not found, or if the multiplier
 * is not in (0, 1/2). */
qn_long_form qn_long_form_find(const qn_steps *steps);
/* Whether the lowest QN_LONG_SHIFT_BITS bits of the offset are the shift, so that the shift need
 * not be stored. The search prefers such offsets. */
enum { QN_LONG_SHIFT_BITS = 5 };
static inline bool qn_long_form_packs(const qn_long_form *form) {
  return form->proved && (form->offset & ((1 << QN_LONG_SHIFT_BITS) - 1)) == form->shift;
}
/* f(acc) as the generated code computes it. */
int32_t qn_long_form_apply(const qn_long_form *form, int32_t acc, int32_t min, int32_t max);

#endif
