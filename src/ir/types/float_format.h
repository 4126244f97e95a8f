/* Conversion between floats as bit patterns of their formats and as doubles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORMAT_H
#define QN_IR_FLOAT_FORMAT_H

#include <stdbool.h>

#include "ir/types/type.h"

/* Encodings of values that are not finite numbers. */
typedef enum qn_float_specials {
  QN_FLOAT_IEEE,     /* largest exponent: infinities and NaNs */
  QN_FLOAT_NAN_ONES, /* the largest magnitude is NaN; no infinities */
  QN_FLOAT_NAN_ZERO, /* -0 is NaN; no infinities, no -0 */
  QN_FLOAT_FINITE,   /* none: values beyond the maximum become the maximum, NaN becomes 0 */
  QN_FLOAT_POWERS    /* no sign, no zero: all bits are an exponent, and the largest one is NaN */
} qn_float_specials;

/* Formats with at most 64 bits are encoded; f80 and f128 are kept as doubles. */
typedef struct qn_float_format {
  const char *name;
  uint32_t bits, bytes;     /* bits of the type; bytes of an element in memory */
  uint32_t significand;     /* significand bits of the type, hidden bit included */
  uint32_t width;           /* bits of the encoding */
  uint32_t mantissa;        /* explicit mantissa bits of the encoding */
  int32_t bias;             /* exponent bias */
  double denormal, largest; /* smallest positive and largest finite value */
  qn_float_specials specials;
  bool computes; /* ops can compute in this format */
} qn_float_format;
const qn_float_format *qn_float_format_of(qn_float_kind kind);
/* Encodes a double, rounding to nearest even; NaN keeps sign and high payload bits. */
uint64_t qn_float_encode(qn_float_kind kind, double value);
double qn_float_decode(qn_float_kind kind, uint64_t bits);
/* Loads one element from the bytes at `at`, as many as qn_type_bytes of the type; tf32 is stored
 * as f32. */
double qn_float_load(qn_float_kind kind, const uint8_t *at);
void qn_float_store(qn_float_kind kind, double value, uint8_t *at);
/* The value after a round trip through the format. */
double qn_float_round(qn_float_kind kind, double value);

#endif
