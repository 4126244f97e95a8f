/* Four bytes of a row along K in every lane, and their products with four weights per lane where no
 * byte dot product applies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_QUADS_H
#define QN_LOWER_LOOPS_NARROW_QUADS_H

#include "ir/builder.h"

enum { QN_NARROW_QUAD = 4 };

/* Broadcasts `bytes` bytes of x at index `at` + `offset` to all lanes; the bytes of a quad after
 * them are 0. */
qn_value *qn_narrow_quad(qn_builder *b, qn_value *x, qn_value *at, int64_t offset, int64_t bytes,
                         int64_t lanes);

/* Even and odd bytes of a vector, widened to 16 bits. */
typedef struct qn_narrow_halves {
  qn_value *even, *odd;
} qn_narrow_halves;
qn_narrow_halves qn_narrow_unsigned_halves(qn_builder *b, qn_value *bytes);
qn_narrow_halves qn_narrow_signed_halves(qn_builder *b, qn_value *bytes);
/* sum + the products of four bytes in each lane. */
qn_value *qn_narrow_add_products(qn_builder *b, qn_value *sum, const qn_narrow_halves *x,
                                 const qn_narrow_halves *w);

#endif
