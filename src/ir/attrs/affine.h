/* Affine maps, as linalg.generic and memref layouts need them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_AFFINE_H
#define QN_IR_AFFINE_H

#include <stdint.h>

#include "ir/context.h"

typedef enum qn_affine_kind {
  QN_AFFINE_CONST,
  QN_AFFINE_DIM,
  QN_AFFINE_SYMBOL,
  QN_AFFINE_ADD,
  QN_AFFINE_MUL,
  QN_AFFINE_FLOORDIV,
  QN_AFFINE_CEILDIV,
  QN_AFFINE_MOD,
} qn_affine_kind;

typedef struct qn_affine_expr {
  qn_affine_kind kind;
  int64_t value; /* CONST: the value; DIM, SYMBOL: the index */
  const struct qn_affine_expr *lhs, *rhs;
} qn_affine_expr;

typedef struct qn_affine_map {
  uint32_t dims, symbols, result_count;
  const qn_affine_expr *const *results;
} qn_affine_map;

const qn_affine_expr *qn_affine_leaf(qn_ir_context *cx, qn_affine_kind kind, int64_t value);
/* Folds as MLIR does: constants and identities (x + 0, x * 1, x floordiv 1), equal terms and
 * factors, divisions of known multiples, x - (x floordiv q) * q. Sums are left-associative and
 * operands have a fixed order, so that expressions equal in MLIR are one pointer, and printed text
 * parses to the same. */
const qn_affine_expr *qn_affine_binary(qn_ir_context *cx, qn_affine_kind kind,
                                       const qn_affine_expr *lhs, const qn_affine_expr *rhs);
/* Whether no dimension occurs. */
bool qn_affine_is_symbolic(const qn_affine_expr *expr);
/* Value at a point. floordiv and mod round toward minus infinity; the divisor must be positive. */
int64_t qn_affine_eval(const qn_affine_expr *expr, const int64_t *dims, const int64_t *symbols);

#endif
