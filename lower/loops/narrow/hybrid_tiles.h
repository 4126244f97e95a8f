/* ml.hybrid_linear and ml.hybrid_conv on the matrix unit (AMX): the kernel of 8-bit products
 * (matrix/tiles/), with the epilogue of reals.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_HYBRID_TILES_H
#define QN_LOWER_LOOPS_NARROW_HYBRID_TILES_H

#include "lower/loops/narrow/tiles.h"

typedef struct qn_hybrid_product {
  const qn_op *op;
  const qn_narrow_rows *rows;
  int64_t channels, depth;             /* N; K */
  int64_t rows_of_range;               /* consecutive rows with one scale and zero point */
  qn_value *x, *scales, *zeros, *bias; /* buffers; bias: NULL if it is constant or there is none */
} qn_hybrid_product;

/* Whether that kernel takes fewer cycles than one that multiplies vectors, `vector_cycles`. Buffers
 * may be NULL. */
bool qn_hybrid_tiles_pay(qn_loops *lo, const qn_hybrid_product *product, double vector_cycles);
/* Emits the kernel. Requires constant weights and scales. */
QN_NODISCARD qn_status qn_hybrid_tiles_lower(qn_loops *lo, const qn_hybrid_product *product);

#endif
