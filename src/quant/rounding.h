/* The names of the roundings, as attributes and options spell them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_ROUNDING_H
#define QN_QUANT_ROUNDING_H

#include "base/str.h"
#include "runtime/fixed.h"

#define QN_ROUNDING_WORDS "even,away,toward-zero,floor" /* in the order of qn_rounding */
bool qn_rounding_of_name(qn_str name, qn_rounding *out_rounding);

/* How an accumulator becomes a result (docs/arithmetic.md 2). */
typedef enum qn_requant_rounding {
  QN_REQUANT_DOUBLE,       /* by mantissa and shift, rounded twice: M32 */
  QN_REQUANT_REAL,         /* times a double, rounded once, half away from zero */
  QN_REQUANT_REDUCED,      /* of 64 bits, by a mantissa of 15 */
  QN_REQUANT_SINGLE,       /* as a float32 times a float32, to the nearest integer, ties to even */
  QN_REQUANT_UP,           /* as DOUBLE, ties of the second rounding up */
  QN_REQUANT_UP_IN_EIGHTS, /* UP in channels of whole groups of eight, DOUBLE in those left over */
  QN_REQUANT_EVEN          /* times a double, plus a double, to the nearest integer, ties to even */
} qn_requant_rounding;
#define QN_REQUANT_ROUNDING_WORDS "double,real,reduced,single,up,up_in_eights,even"

/* How the terms of an 8-bit sum come to one scale (docs/arithmetic.md 6.1). */
typedef enum qn_term_rounding {
  QN_TERM_DOUBLE, /* shifted left, multiplied, divided by a power of two: rounded twice */
  QN_TERM_SINGLE, /* the division is part of the left shift: rounded once */
  QN_TERM_DOWN    /* as DOUBLE, but the division rounds down */
} qn_term_rounding;
#define QN_TERM_ROUNDING_WORDS "double,single,down"

/* What one channel of `channels` is rounded by. */
static inline qn_requant_rounding qn_requant_of_channel(qn_requant_rounding rounding,
                                                        int64_t channel, int64_t channels) {
  if (rounding != QN_REQUANT_UP_IN_EIGHTS) return rounding;
  return channel < channels / 8 * 8 ? QN_REQUANT_UP : QN_REQUANT_DOUBLE;
}
/* Whether mantissa and shift of 31 bits are what the words of a rounding are made of, rounded
 * twice. */
static inline bool qn_requant_is_twice(qn_requant_rounding rounding) {
  return rounding == QN_REQUANT_DOUBLE || rounding == QN_REQUANT_UP ||
         rounding == QN_REQUANT_UP_IN_EIGHTS;
}

#endif
