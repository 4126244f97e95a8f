/* Numbers as text: what the parser reads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_NUMBER_H
#define QN_TEXT_NUMBER_H

#include "ir/types/float_format.h"

/* Reads a decimal or hexadecimal integer literal. Returns false if it does not fit in 64 bits. */
bool qn_number_read_uint(qn_str literal, uint64_t *out_value);
/* The value of a hexadecimal digit, or -1. */
int qn_hex_digit(char c);
/* Reads two hexadecimal digits per byte. Returns false if a character is not such a digit. */
bool qn_number_read_hex(qn_str digits, uint8_t *out_bytes);
/* The value of an unsigned decimal literal as the lexer delimits it. Correctly rounded, and
 * independent of the locale. */
double qn_number_read_double(qn_str literal);

#endif
