/* Numbers as text and as bit patterns: what the parser reads and the printer writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_NUMBER_H
#define QN_TEXT_NUMBER_H

#include "ir/type.h"

/* A decimal or hexadecimal integer literal. false: does not fit in 64 bits. */
bool qn_number_read_uint(qn_str literal, uint64_t *out_value);
/* The value of a hexadecimal digit, or -1. */
int qn_hex_digit(char c);
/* Two hexadecimal digits per byte; false: some are none. */
bool qn_number_read_hex(qn_str digits, uint8_t *out_bytes);
/* An unsigned decimal literal as the lexer delimits it, correctly rounded, whatever the locale. */
double qn_number_read_double(qn_str literal);

/* Formats with at most 64 bits have an encoding here; f80 and f128 are carried as doubles. */
typedef struct qn_float_format {
  uint32_t width;          /* total bits */
  uint32_t mantissa;       /* explicit mantissa bits */
  double denormal, largest; /* smallest positive and largest finite value */
} qn_float_format;
const qn_float_format *qn_float_format_of(qn_float_kind kind);
/* To the format's bits, nearest even; NaN keeps sign and high payload bits. */
uint64_t qn_float_encode(qn_float_kind kind, double value);
double qn_float_decode(qn_float_kind kind, uint64_t bits);
/* The value after a round trip through the format. */
double qn_float_round(qn_float_kind kind, double value);

#endif
