/* A row of stored integers times constant weights of at most 16 bits, a lane of i32 per column, by
 * products of pairs: what pmaddwd does. Sums wrap at 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DOT16_H
#define QN_LOWER_LOOPS_DOT16_H

#include "lower/loops/loops.h"

typedef struct qn_dot16 {
  int64_t depth, columns;
} qn_dot16;
/* Weight k of a column. */
typedef int64_t qn_dot16_weight(const void *user, int64_t column, int64_t k);

/* Elements of i16 that the packed weights have. */
static inline int64_t qn_dot16_size(const qn_dot16 *d) {
  return (d->depth + 1) / 2 * d->columns * 2;
}
/* Pairs of neighbours in depth, all columns of a pair together; an odd one is followed by 0. */
void qn_dot16_pack(const qn_dot16 *d, qn_dot16_weight *weight, const void *user, int16_t *out);

/* What is multiplied: x[x_base + k], of i8 or i16, and packed weights from weights_base on. */
typedef struct qn_dot16_operands {
  qn_value *x, *x_base;
  qn_value *weights, *weights_base;
} qn_dot16_operands;
/* acc[lane] + the sum over k < depth of x[k] * w[k][column + lane]. */
qn_value *qn_dot16_build(qn_builder *b, const qn_dot16 *d, const qn_dot16_operands *operands,
                         qn_value *column, qn_value *acc);

/* Two elements of x, of i8 or i16, from the index on as one i32; a single one and 0. */
qn_value *qn_dot16_pair(qn_builder *b, qn_value *x, qn_value *index, bool single);

#endif
