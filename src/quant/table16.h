/* Tables of 16-bit functions: the 256-entry sigmoid table of int16 logistic and tanh, and
 * interpolated tables of 513 entries (docs/arithmetic.md 3.5, 9.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_TABLE16_H
#define QN_QUANT_TABLE16_H

#include <stdint.h>

#include "quant/profile.h"

/* 65536 * sigmoid(i / 24), corrected by half of the interpolation error. */
void qn_sigmoid_table(uint16_t table[256]);
/* int16 logistic and tanh of x with the input scaling (multiplier, shift) of
 * docs/arithmetic.md 9.3. */
int32_t qn_logistic16(const uint16_t sigmoid[256], int32_t x, int32_t multiplier, int32_t shift);
int32_t qn_tanh16(const uint16_t sigmoid[256], int32_t x, int32_t multiplier, int32_t shift);

enum { QN_TABLE16_SIZE = 513 };
typedef struct qn_affine16 {
  double scale;
  int32_t zero_point;
} qn_affine16;
/* A function of a real number. `step` is the precision to which it must round argument and
 * result. */
typedef double qn_function16(const void *user, double x, qn_step step);
/* Fills the table with samples of `function` over the range of the input. Every operation is
 * rounded to the precision of `step`. The zero point of the output determines only its range. */
void qn_table16(qn_affine16 input, qn_affine16 output, qn_step step, qn_function16 *function,
                const void *user, int16_t table[QN_TABLE16_SIZE]);
/* Interpolates at an int16 value. */
int32_t qn_table16_lookup(const int16_t table[QN_TABLE16_SIZE], int32_t x);

/* The two tables of 16-bit softmax (docs/arithmetic.md 8.1): exp(x) and 1 / (1 + x). */
void qn_softmax16_tables(qn_step step, int16_t exponentials[QN_TABLE16_SIZE],
                         int16_t reciprocals[QN_TABLE16_SIZE]);

#endif
