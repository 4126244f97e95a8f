/* A requantization, and its representation as a step function: the thresholds where its result
 * changes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_STEPS_H
#define QN_QUANT_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "quant/bounds.h"
#include "quant/multiplier.h"

/* The reference requantization of one channel. */
typedef struct qn_requant {
  qn_requant_rounding rounding; /* rounding of this channel; any except "reduced" */
  qn_multiplier multiplier;     /* "single": exactly a float */
  double real;                  /* multiplier of "real" and "even" */
  double offset;                /* offset of "single" (a float32) and "even" */
  int32_t zero_point, min, max;
} qn_requant;

/* Whether the multiplier is a double instead of mantissa and shift. */
static inline bool qn_requant_is_real(qn_requant_rounding rounding) {
  return rounding == QN_REQUANT_REAL || rounding == QN_REQUANT_EVEN;
}
/* y(acc), rounded by requant->rounding. */
static inline int32_t qn_requant_round(const qn_requant *requant, int32_t acc) {
  const qn_multiplier *m = &requant->multiplier;
  if (requant->rounding == QN_REQUANT_REAL) return qn_requant_real(acc, requant->real);
  if (requant->rounding == QN_REQUANT_EVEN)
    return qn_requant_even(acc, requant->real, requant->offset);
  if (requant->rounding == QN_REQUANT_SINGLE)
    return qn_requant_single(acc, m->mantissa, m->shift, (float)requant->offset);
  if (requant->rounding == QN_REQUANT_UP) return qn_requant32_up(acc, m->mantissa, m->shift);
  return qn_requant32_by(acc, *m, requant->rounding);
}
/* The stored result: clamp(y(acc) + zero_point). */
static inline int32_t qn_requant_apply(const qn_requant *requant, int32_t acc) {
  int64_t y = qn_requant_round(requant, acc);
  return qn_clamp32(y + requant->zero_point, requant->min, requant->max);
}

enum { QN_MAX_STEPS = 255 }; /* maximum steps of an 8-bit result */

typedef struct qn_steps {
  bool found; /* if not set, the other fields are invalid */
  qn_requant requant;
  qn_interval range;                /* range of the accumulator */
  double real;                      /* the multiplier */
  int32_t first, last;              /* results at the ends of the range */
  int32_t thresholds[QN_MAX_STEPS]; /* smallest accumulators of first + 1 ... last, ascending */
} qn_steps;

/* Finds the steps. Not found if the range exceeds 32 bits, if the reference is not known to be
 * monotone on it (its left shift could wrap), or if there are more steps than an 8-bit result has.
 */
void qn_steps_find(const qn_requant *requant, qn_interval range, qn_steps *out_steps);
/* As qn_steps_find, but reuses *io_steps if they are the steps of this requantization, or equal
 * them with all results shifted by a constant. *io_steps is initially zeroed. */
void qn_steps_renew(const qn_requant *requant, qn_interval range, qn_steps *io_steps);
/* The threshold of a value in first + 1 ... last. */
static inline int32_t qn_steps_threshold(const qn_steps *steps, int32_t value) {
  return steps->thresholds[value - steps->first - 1];
}

#endif
