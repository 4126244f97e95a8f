/* Builders of dot products from their descriptors (qn_dot in lower/target.h). No other file reads
 * which op multiplies. The builders assert that the factors have the signedness that the descriptor
 * requires.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PRODUCTS_H
#define QN_LOWER_LOOPS_PRODUCTS_H

#include "ir/builder.h"
#include "lower/target.h"

/* acc[i] + sum over k of x[n * i + k] * y[n * i + k]; n follows from the types. Bytes of x are
 * unsigned if `x_unsigned`; bytes of y are signed. */
qn_value *qn_products_in_lanes(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y,
                               bool x_unsigned);
/* In each 128 bits: acc[2r + c] + (row r of x) . (column c of w), with r, c in {0, 1} and rows and
 * columns of 8 bytes. Requires dot->block == 2. */
qn_value *qn_dot_build_blocks(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned);
/* acc, of one lane, + x . w, which have as many bytes as `dot` multiplies. */
qn_value *qn_dot_build_across(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned);
/* acc + products of bytes of x with weights of which those of two channels are joined in 16 bits
 * (quern.dot_joined). */
qn_value *qn_products_joined(qn_builder *b, qn_value *acc, qn_value *x, qn_value *w,
                             bool x_unsigned);
/* acc[i] + pairs[2i] + pairs[2i + 1]; acc is i32, pairs are i16. */
qn_value *qn_products_add_pairs(qn_builder *b, qn_value *acc, qn_value *pairs);
/* acc[i] + x[2i] * y[2i] + x[2i + 1] * y[2i + 1]; acc is i32, x and y are i16. */
qn_value *qn_products_of_pairs(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y);
/* acc[i] + x[i] * w[i]; acc is i32, x is i16, w is i16 or i8. */
qn_value *qn_products_single(qn_builder *b, qn_value *acc, qn_value *x, qn_value *w);

/* acc[i] + x[i] * w[i] by a dot product of single bytes, where x is widened to i16 if `dot` widens.
 */
qn_value *qn_dot_build_single(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned);

/* One vector of x and one of weights. Products of several such pairs are added in `sum_bits` only
 * if the weights prove that the sums fit. */
typedef struct qn_factors {
  qn_value *x, *w;
} qn_factors;
/* acc + the products of `count` pairs of vectors. `x_unsigned`: signedness of the bytes of x, which
 * `dot` must support. */
qn_value *qn_dot_build(qn_builder *b, const qn_dot *dot, qn_value *acc, const qn_factors *factors,
                       uint32_t count, bool x_unsigned);
/* sum + products of one op in 16 bits, the part of qn_dot_build before the accumulation in 32 bits.
 * `sum`: NULL means 0. */
qn_value *qn_dot_build_narrow(qn_builder *b, const qn_dot *dot, qn_value *sum, qn_value *x,
                              qn_value *w, bool x_unsigned);
/* acc + sums of 16 bits, the accumulation itself. */
qn_value *qn_dot_add_narrow(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *sum);
/* Broadcasts quad `quad` of a vector of quads to `lanes` accumulator lanes, in the order in which
 * weights are packed: the bytes that one op multiplies, for all lanes, then those of the next op.
 */
qn_value *qn_dot_spread(qn_builder *b, const qn_dot *dot, qn_value *quads, int64_t quad,
                        int64_t lanes);

#endif
