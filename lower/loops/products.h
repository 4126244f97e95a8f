/* Building dot products from their records (lower/target.h): the only place that reads which op
 * multiplies. It asserts what the record asks of the factors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PRODUCTS_H
#define QN_LOWER_LOOPS_PRODUCTS_H

#include "ir/builder.h"
#include "lower/target.h"

/* acc[i] + the products of a[n * i + k] and b[n * i + k], for as many k as the types say. Bytes of
 * a are 0 to 255 if `a_unsigned`; those of b have a sign. */
qn_value *qn_products_in_lanes(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y,
                               bool x_unsigned);
/* In each 128 bits, acc[2r + c] + row r of x times column c of w, of eight bytes each: what a
 * record with blocks of two asks for. */
qn_value *qn_dot_build_blocks(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *x,
                              qn_value *w, bool x_unsigned);
/* acc[i] + pairs[2i] + pairs[2i + 1], of 16 bits. */
qn_value *qn_products_add_pairs(qn_builder *b, qn_value *acc, qn_value *pairs);
/* acc[i] + x[2i] * y[2i] + x[2i + 1] * y[2i + 1], of 16 bits. */
qn_value *qn_products_of_pairs(qn_builder *b, qn_value *acc, qn_value *x, qn_value *y);

/* Vectors of factors whose products are added in `sum_bits`: one, but where weights prove more. */
typedef struct qn_factors {
  qn_value *x, *w;
} qn_factors;
/* acc + all products. `x_unsigned`: how the bytes of x are read, which the record must take. */
qn_value *qn_dot_build(qn_builder *b, const qn_dot *dot, qn_value *acc, const qn_factors *factors,
                       uint32_t count, bool x_unsigned);
/* The parts of that where products are summed in 16 bits: sum + products of one op, sum NULL: 0;
 * and acc + sums. */
qn_value *qn_dot_build_narrow(qn_builder *b, const qn_dot *dot, qn_value *sum, qn_value *x,
                              qn_value *w, bool x_unsigned);
qn_value *qn_dot_add_narrow(qn_builder *b, const qn_dot *dot, qn_value *acc, qn_value *sum);
/* The bytes of one quad of a vector of them, in all of so many lanes of sums as one factor: of each
 * op's bytes those of all lanes, one op's after the other. */
qn_value *qn_dot_spread(qn_builder *b, const qn_dot *dot, qn_value *quads, int64_t quad,
                        int64_t lanes);

#endif
