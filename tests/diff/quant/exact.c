/* See exact.h. Only integers are used, and the exact functions frexp and ldexp.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "exact.h"

#include <math.h>

static int bit_count(qn_exact_bits m) {
  int count = 0;
  for (; m != 0; m >>= 1) count++;
  return count;
}

qn_exact qn_exact_of(double finite) {
  int e;
  double fraction = frexp(fabs(finite), &e);
  return (qn_exact){
      .negative = signbit(finite) != 0, .m = (uint64_t)ldexp(fraction, 53), .e = e - 53};
}

/* The same value with a mantissa whose highest of 64 bits is 1. */
static qn_exact normalized(qn_exact x) {
  int shift = 64 - bit_count(x.m);
  x.m <<= shift;
  x.e -= shift;
  return x;
}

qn_exact qn_exact_quotient(qn_exact a, qn_exact b) {
  qn_exact q = {.negative = a.negative != b.negative};
  if (a.m == 0) return q;
  a = normalized(a);
  b = normalized(b);
  a.m <<= 63;
  q.m = a.m / b.m;
  q.more = a.m % b.m != 0;
  q.e = a.e - 63 - b.e;
  return q;
}

qn_exact qn_exact_product(int64_t a, qn_exact b) {
  uint64_t magnitude = a < 0 ? (uint64_t)-a : (uint64_t)a;
  return (qn_exact){.negative = (a < 0) != b.negative, .m = b.m * magnitude, .e = b.e};
}

/* Drops `shift` > 0 low bits of m. Reports how they compare with half of the last remaining place
 * (-1, 0, 1), and whether they are not 0. */
static qn_exact_bits drop(qn_exact x, int shift, int *out_compared, bool *out_inexact) {
  const qn_exact_bits one = 1;
  if (shift > 127) {
    *out_compared = -1;
    *out_inexact = x.m != 0 || x.more;
    return 0;
  }
  qn_exact_bits kept = x.m >> shift, dropped = x.m & ((one << shift) - 1),
                half = one << (shift - 1);
  *out_inexact = dropped != 0 || x.more;
  *out_compared = dropped < half ? -1 : dropped > half || x.more ? 1 : 0;
  return kept;
}

int64_t qn_exact_to_integer(qn_exact x, qn_exact_rounding rounding) {
  enum { LIMIT = 40 };
  const int64_t limit = INT64_C(1) << LIMIT;
  int bits = bit_count(x.m), compared = -1;
  bool inexact = false;
  if (x.m != 0 && bits + x.e > LIMIT) return x.negative ? -limit : limit;
  qn_exact_bits whole = x.e < 0 ? drop(x, -x.e, &compared, &inexact) : x.m << x.e;
  bool up = false;
  switch (rounding) {
  case QN_EXACT_EVEN:
    up = compared > 0 || (compared == 0 && (whole & 1));
    break;
  case QN_EXACT_AWAY:
    up = compared >= 0;
    break;
  case QN_EXACT_TOWARD_ZERO:
    break;
  case QN_EXACT_FLOOR:
    up = inexact && x.negative;
    break;
  }
  int64_t result = (int64_t)whole + (up ? 1 : 0);
  return x.negative ? -result : result;
}

bool qn_exact_to_format(qn_exact x, qn_exact_format format, qn_exact *out_x) {
  int last = x.e + bit_count(x.m) - format.precision;
  if (last < format.least) last = format.least;
  if (x.m != 0 && last > x.e) {
    int compared;
    bool inexact;
    qn_exact_bits kept = drop(x, last - x.e, &compared, &inexact);
    if (compared > 0 || (compared == 0 && (kept & 1))) kept++;
    x = (qn_exact){.negative = x.negative, .m = kept, .e = last};
  }
  *out_x = x;
  return x.m == 0 || x.e + bit_count(x.m) - 1 <= format.largest;
}

double qn_exact_to_double(qn_exact x) {
  double magnitude = ldexp((double)x.m, x.e);
  return x.negative ? -magnitude : magnitude;
}
