/* Tiles of the quern dialect: small matrices whose rows stand consecutive in a vector.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_TILE_H
#define QN_IR_OPS_TILE_H

#include "ir/op.h"

/* A row holds 16 sums of i32, or up to 64 bytes of a factor: quads of four, which are summed. */
enum { QN_TILE_ROWS = 16, QN_TILE_SUMS = 16, QN_TILE_BYTES = 64, QN_TILE_QUAD = 4 };
/* Kernel-local scratch is on the kernel's stack. */
enum { QN_SCRATCH_MAX_BYTES = 1 << 16 };

/* The shape of a quern.tile_dot: rows of a and of the sums; bytes of a row of a, which are summed.
 */
typedef struct qn_tile_dot_shape {
  int64_t rows, depth;
} qn_tile_dot_shape;
static inline qn_tile_dot_shape qn_tile_dot_shape_of(const qn_op *op) {
  int64_t rows = qn_op_operand(op, 0)->type->shaped.dims[0] / QN_TILE_SUMS;
  return (qn_tile_dot_shape){rows, qn_op_operand(op, 1)->type->shaped.dims[0] / rows};
}

/* Elements from the first one of `rows` rows of `columns` to after the last. */
static inline int64_t qn_tile_extent(int64_t rows, int64_t columns, int64_t stride) {
  return (rows - 1) * stride + columns;
}

#endif
