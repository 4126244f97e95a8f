/* A requantization as a step function: where its results change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_STEPS_H
#define QN_QUANT_STEPS_H

#include "quant/fma_form.h"

enum { QN_MAX_STEPS = 255 }; /* of an 8-bit result */

typedef struct qn_steps {
  const qn_requant *requant;
  double real;                      /* the multiplier */
  int32_t first, last;              /* results at the ends of the range */
  int32_t thresholds[QN_MAX_STEPS]; /* smallest accumulators of first + 1 ... last, ascending */
} qn_steps;

/* False when the reference is not known to be monotone on the range (its left shift could wrap) or
 * has more steps than an 8-bit result. */
bool qn_steps_find(const qn_requant *requant, qn_interval range, qn_steps *out_steps);
/* Of a value in first + 1 ... last. */
static inline int32_t qn_steps_threshold(const qn_steps *steps, int32_t value) {
  return steps->thresholds[value - steps->first - 1];
}

#endif
