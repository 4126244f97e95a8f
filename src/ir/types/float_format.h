/* Floats as bit patterns of their formats, and as the doubles that stand for them here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_FLOAT_FORMAT_H
#define QN_IR_FLOAT_FORMAT_H

#include "ir/types/type.h"

/* Formats with at most 64 bits have an encoding here; f80 and f128 are carried as doubles. */
typedef struct qn_float_format {
  uint32_t width;           /* total bits */
  uint32_t mantissa;        /* explicit mantissa bits */
  double denormal, largest; /* smallest positive and largest finite value */
} qn_float_format;
const qn_float_format *qn_float_format_of(qn_float_kind kind);
/* To the format's bits, nearest even; NaN keeps sign and high payload bits. */
uint64_t qn_float_encode(qn_float_kind kind, double value);
double qn_float_decode(qn_float_kind kind, uint64_t bits);
/* An element in memory, of qn_type_bytes; tf32 is stored as the f32 that it is a subset of. */
double qn_float_load(qn_float_kind kind, const uint8_t *at);
void qn_float_store(qn_float_kind kind, double value, uint8_t *at);
/* The value after a round trip through the format. */
double qn_float_round(qn_float_kind kind, double value);

#endif
