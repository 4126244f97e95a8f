/* An 8-bit addition as litert-ref defines it: the reference of the tests of its fast forms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_UNIT_QUANT_ADDER_H
#define QN_TESTS_UNIT_QUANT_ADDER_H

#include <stdbool.h>
#include <stdint.h>

#include "quant/multiplier.h"

typedef struct adder {
  qn_add_multipliers m;
  int32_t za, zb, zo;   /* zero points of the operands and of the result */
  int32_t lo, min, max; /* least stored value; limits of the result */
  bool subtracts;
} adder;

/* An operand, in units of the common scale. */
static inline int32_t adder_term(const adder *s, int32_t x, int32_t zero_point, qn_multiplier m) {
  return qn_requant32(qn_shl32(x - zero_point, s->m.left_shift), m.mantissa, m.shift);
}

/* The result for a stored pair. `user` is an adder, as the questions of the forms want it. */
static inline int32_t adder_apply(const void *user, int32_t a, int32_t b) {
  const adder *s = user;
  int32_t u = adder_term(s, a, s->za, s->m.a), v = adder_term(s, b, s->zb, s->m.b);
  int32_t y = qn_requant32(s->subtracts ? u - v : u + v, s->m.output.mantissa, s->m.output.shift);
  return qn_clamp32((int64_t)y + s->zo, s->min, s->max);
}

/* Variants: 1 subtracts, 2 is unsigned, 4 has limits within the range of the type. */
enum { ADDER_VARIANTS = 8 };

static inline adder adder_of(double a, double b, double y, int variant) {
  adder s = {.za = 3, .zb = -7, .zo = 5, .lo = INT8_MIN, .subtracts = variant & 1};
  if (variant & 2) s = (adder){.za = 131, .zb = 121, .zo = 100, .subtracts = variant & 1};
  s.min = variant & 4 ? s.zo : s.lo;
  s.max = variant & 4 ? s.lo + 201 : s.lo + 255;
  s.m = qn_multipliers_add(&qn_profile_litert_ref, 8, a, b, y, s.subtracts);
  return s;
}

#endif
