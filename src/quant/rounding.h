/* Roundings, and their names in attributes and options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_ROUNDING_H
#define QN_QUANT_ROUNDING_H

#include "base/str.h"
#include "runtime/fixed.h"

#define QN_ROUNDING_WORDS "even,away,toward-zero,floor" /* in the order of qn_rounding */
bool qn_rounding_of_name(qn_str name, qn_rounding *out_rounding);

/* Rounding of requantization, from accumulator to result (docs/arithmetic.md 2). */
typedef enum qn_requant_rounding {
  QN_REQUANT_DOUBLE,  /* mantissa and shift, rounded twice ("M32" in docs/arithmetic.md) */
  QN_REQUANT_REAL,    /* multiplied by a double, rounded once, ties away from zero */
  QN_REQUANT_REDUCED, /* 64-bit accumulators, 15-bit mantissa */
  QN_REQUANT_SINGLE,  /* float32 accumulator times float32 multiplier, rounded to the nearest
                         integer, ties to even */
  QN_REQUANT_UP,      /* as DOUBLE, with ties of the second rounding up */
  /* UP in complete groups of eight channels, DOUBLE in the remaining channels */
  QN_REQUANT_UP_IN_EIGHTS,
  /* multiplied by a double, plus an offset in double, rounded to the nearest integer, ties to
   * even */
  QN_REQUANT_EVEN,
  QN_REQUANT_ONCE /* mantissa and shift, rounded once, ties up ("M32s"); shifts are at most 30 */
} qn_requant_rounding;
#define QN_REQUANT_ROUNDING_WORDS "double,real,reduced,single,up,up_in_eights,even,once"

/* Rounding of the terms of a sum of 8 or 16 bits when they are scaled to a common scale
 * (docs/arithmetic.md 6.1). */
typedef enum qn_term_rounding {
  QN_TERM_DOUBLE, /* shifted left, multiplied, divided by a power of two: rounded twice */
  QN_TERM_SINGLE, /* the division is part of the left shift: rounded once */
  QN_TERM_DOWN,   /* as DOUBLE, but the division rounds down */
  QN_TERM_ONCE    /* shifted left and multiplied, QN_REQUANT_ONCE, like the sum of the terms */
} qn_term_rounding;
#define QN_TERM_ROUNDING_WORDS "double,single,down,once"

/* The rounding of channel `channel` among `channels`. */
static inline qn_requant_rounding qn_requant_of_channel(qn_requant_rounding rounding,
                                                        int64_t channel, int64_t channels) {
  if (rounding != QN_REQUANT_UP_IN_EIGHTS) return rounding;
  return channel < channels / 8 * 8 ? QN_REQUANT_UP : QN_REQUANT_DOUBLE;
}
/* Whether the rounding has a 31-bit mantissa and a shift as parameters, and rounds twice. */
static inline bool qn_requant_is_twice(qn_requant_rounding rounding) {
  return rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_UP ||
         rounding == QN_REQUANT_UP_IN_EIGHTS;
}

#endif
