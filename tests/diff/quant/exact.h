/* Numbers as integers times powers of two. A further bit records whether a division has a
 * remainder. That suffices to decide every rounding of a quotient or product of floats exactly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFF_QUANT_EXACT_H
#define QN_TESTS_DIFF_QUANT_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 qn_exact_bits;

/* (m + rest) * 2^e, possibly negated. rest is 0 or, if `more` is set, between 0 and 1 exclusively.
 */
typedef struct qn_exact {
  bool negative, more;
  qn_exact_bits m;
  int e;
} qn_exact;

typedef enum qn_exact_rounding {
  QN_EXACT_EVEN,
  QN_EXACT_AWAY,
  QN_EXACT_TOWARD_ZERO,
  QN_EXACT_FLOOR
} qn_exact_rounding;

/* A binary float format: number of significant bits, exponents of the smallest subnormal and of the
 * largest power of two. */
typedef struct qn_exact_format {
  int precision, least, largest;
} qn_exact_format;

qn_exact qn_exact_of(double finite);
/* The quotient with at least 62 leading bits. Both operands come from qn_exact_of, and b is not 0.
 */
qn_exact qn_exact_quotient(qn_exact a, qn_exact b);
/* Requires |a| < 2^40, and b from qn_exact_of. */
qn_exact qn_exact_product(int64_t a, qn_exact b);

/* Rounds to an integer. Magnitudes of at least 2^40 give 2^40. */
int64_t qn_exact_to_integer(qn_exact x, qn_exact_rounding rounding);
/* Rounds to the nearest value of the format, ties to even. Returns false if that is infinite. */
bool qn_exact_to_format(qn_exact x, qn_exact_format format, qn_exact *out_x);
/* Converts a number with at most 53 significant bits, within the range of double. */
double qn_exact_to_double(qn_exact x);

#endif
