/* A row of stored integers times constant weights of at most 16 bits (bytes if they are compact),
 * with one i32 lane per column, by pair products (pmaddwd). Accumulators wrap at 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DOT16_H
#define QN_LOWER_LOOPS_DOT16_H

#include "lower/loops/loops.h"

typedef struct qn_dot16 {
  int64_t depth, columns;
} qn_dot16;
/* Returns weight k of a column. */
typedef int64_t qn_dot16_weight(const void *user, int64_t column, int64_t k);

/* Size of the packed weights in i16 elements. */
static inline int64_t qn_dot16_size(const qn_dot16 *d) {
  return (d->depth + 1) / 2 * d->columns * 2;
}
/* Packs pairs of neighbours along depth, all columns of a pair together; the last one of an odd
 * depth is paired with 0. */
void qn_dot16_pack(const qn_dot16 *d, qn_dot16_weight *weight, const void *user, int16_t *out);

/* Factors: x[x_base + k], i8 or i16, and packed weights from element weights_base on. */
typedef struct qn_dot16_operands {
  qn_value *x, *x_base;
  qn_value *weights, *weights_base;
} qn_dot16_operands;
/* acc[lane] + the sum over k < depth of x[k] * w[k][column + lane]. */
qn_value *qn_dot16_build(qn_builder *b, const qn_dot16 *d, const qn_dot16_operands *operands,
                         qn_value *column, qn_value *acc);

/* x[index] and x[index + 1], i8 or i16, as the two halves of an i32; `single`: x[index] and 0. */
qn_value *qn_dot16_pair(qn_builder *b, qn_value *x, qn_value *index, bool single);

#endif
