/* Builds a linalg.generic: operands with affine maps around a body of scalar ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_GENERIC_H
#define QN_IR_GENERIC_H

#include "ir/attrs/affine.h"
#include "ir/builder.h"

enum { QN_GENERIC_MAX_OPERANDS = 12, QN_GENERIC_MAX_LOOPS = 64 };

/* Expressions of the iteration space: d0, 2, a + b, a * 2, a floordiv 2; folded as MLIR does. */
static inline const qn_affine_expr *qn_affine_dim(qn_ir_context *cx, int64_t loop) {
  return qn_affine_leaf(cx, QN_AFFINE_DIM, loop);
}
static inline const qn_affine_expr *qn_affine_const(qn_ir_context *cx, int64_t value) {
  return qn_affine_leaf(cx, QN_AFFINE_CONST, value);
}
static inline const qn_affine_expr *qn_affine_add(qn_ir_context *cx, const qn_affine_expr *a,
                                                  const qn_affine_expr *b) {
  return qn_affine_binary(cx, QN_AFFINE_ADD, a, b);
}
static inline const qn_affine_expr *qn_affine_scaled(qn_ir_context *cx, const qn_affine_expr *a,
                                                     int64_t factor) {
  return qn_affine_binary(cx, QN_AFFINE_MUL, a, qn_affine_const(cx, factor));
}
static inline const qn_affine_expr *qn_affine_floordiv(qn_ir_context *cx, const qn_affine_expr *a,
                                                       int64_t divisor) {
  return qn_affine_binary(cx, QN_AFFINE_FLOORDIV, a, qn_affine_const(cx, divisor));
}

/* The map attribute of one operand; `loops`: number of loops of the iteration space. */
const qn_attr *qn_generic_map_of(qn_ir_context *cx, uint32_t loops,
                                 const qn_affine_expr *const *results, uint32_t count);
/* (d0, d1, ...) -> (d0, d1, ...) */
const qn_attr *qn_generic_identity(qn_ir_context *cx, uint32_t loops);

/* A linalg.generic with one output. The last operand is the output's initial value: tensor.empty if
 * the body does not read it. */
typedef struct qn_generic {
  qn_value *operands[QN_GENERIC_MAX_OPERANDS];
  const qn_attr *maps[QN_GENERIC_MAX_OPERANDS];
  uint32_t operand_count, loops;
  uint64_t reductions; /* bit i: loop i is a reduction; it runs in increasing order */
} qn_generic;

/* Builds the op and moves the builder into its body, whose arguments are one element of each
 * operand. */
qn_op *qn_generic_open(qn_builder *b, const qn_generic *generic);
/* Yields `value`, moves the builder after the op; returns the op's result. */
qn_value *qn_generic_close(qn_builder *b, qn_op *op, qn_value *value);

#endif
