/* Tiles of the quern dialect: small matrices whose rows are consecutive in a vector.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_TILE_H
#define QN_IR_OPS_TILE_H

#include "ir/op.h"

/* A row of a tile holds 16 i32 accumulators, or up to 64 bytes of a factor, in quads of 4 along K.
 */
enum { QN_TILE_ROWS = 16, QN_TILE_SUMS = 16, QN_TILE_BYTES = 64, QN_TILE_QUAD = 4 };
/* Kernel-local scratch is on the kernel's stack. */
enum { QN_SCRATCH_MAX_BYTES = 1 << 16 };

/* The shape of a quern.tile_dot: rows of a and of the accumulators; bytes of a row of a, the K
 * dimension. */
typedef struct qn_tile_dot_shape {
  int64_t rows, depth;
} qn_tile_dot_shape;
static inline qn_tile_dot_shape qn_tile_dot_shape_of(const qn_op *op) {
  int64_t rows = qn_op_operand(op, 0)->type->shaped.dims[0] / QN_TILE_SUMS;
  return (qn_tile_dot_shape){rows, qn_op_operand(op, 1)->type->shaped.dims[0] / rows};
}

/* Elements spanned by `rows` rows of `columns` elements, `stride` apart. */
static inline int64_t qn_tile_extent(int64_t rows, int64_t columns, int64_t stride) {
  return (rows - 1) * stride + columns;
}

#endif
