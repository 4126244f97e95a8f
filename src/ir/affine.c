/* Affine expressions: interned, with MLIR's simplifications at construction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/affine.h"

#include "base/checked.h"
#include "ir/intern.h"

/* Shares the table of attributes; the tags are out of the range of attribute kinds. */
enum { TAG = 1 << 16 };

static const qn_affine_expr *intern(qn_ir_context *cx, qn_affine_expr expr) {
  qn_key_start(cx->attrs, TAG + expr.kind);
  qn_key_i64(cx->attrs, expr.value);
  qn_key_pointer(cx->attrs, expr.lhs);
  qn_key_pointer(cx->attrs, expr.rhs);
  const qn_affine_expr *found = qn_key_find(cx->attrs);
  if (found) return found;
  return qn_key_add(cx->attrs, &cx->arena, qn_arena_copy(&cx->arena, &expr, sizeof expr));
}

const qn_affine_expr *qn_affine_leaf(qn_ir_context *cx, qn_affine_kind kind, int64_t value) {
  QN_ASSERT(kind <= QN_AFFINE_SYMBOL);
  return intern(cx, (qn_affine_expr){.kind = kind, .value = value});
}

static int64_t floor_divide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

/* false when the result does not exist: overflow, or a divisor that is not positive. */
static bool compute(qn_affine_kind kind, int64_t a, int64_t b, int64_t *out) {
  if (kind == QN_AFFINE_ADD) return qn_checked_add(a, b, out);
  if (kind == QN_AFFINE_MUL) return qn_checked_mul(a, b, out);
  if (b <= 0) return false;
  int64_t quotient = floor_divide(a, b);
  if (kind == QN_AFFINE_FLOORDIV) *out = quotient;
  if (kind == QN_AFFINE_CEILDIV) *out = quotient + (a % b != 0);
  if (kind == QN_AFFINE_MOD) *out = a - quotient * b;
  return true;
}

static bool is_const(const qn_affine_expr *expr, int64_t value) {
  return expr->kind == QN_AFFINE_CONST && expr->value == value;
}

/* x + 0, x * 1, x * 0, x floordiv 1, x ceildiv 1, x mod 1; NULL when none applies. */
static const qn_affine_expr *identity(qn_ir_context *cx, qn_affine_kind kind,
                                      const qn_affine_expr *lhs, const qn_affine_expr *rhs) {
  if (kind == QN_AFFINE_ADD) return is_const(rhs, 0) ? lhs : NULL;
  if (kind == QN_AFFINE_MUL && is_const(rhs, 0)) return rhs;
  if (!is_const(rhs, 1)) return NULL;
  return kind == QN_AFFINE_MOD ? qn_affine_leaf(cx, QN_AFFINE_CONST, 0) : lhs;
}

const qn_affine_expr *qn_affine_binary(qn_ir_context *cx, qn_affine_kind kind,
                                       const qn_affine_expr *lhs, const qn_affine_expr *rhs) {
  QN_ASSERT(kind > QN_AFFINE_SYMBOL);
  bool commutes = kind == QN_AFFINE_ADD || kind == QN_AFFINE_MUL;
  if (commutes && lhs->kind == QN_AFFINE_CONST && rhs->kind != QN_AFFINE_CONST) {
    const qn_affine_expr *swapped = lhs;
    lhs = rhs;
    rhs = swapped;
  }
  int64_t value = 0;
  if (rhs->kind == QN_AFFINE_CONST) {
    if (lhs->kind == QN_AFFINE_CONST && compute(kind, lhs->value, rhs->value, &value)) {
      return qn_affine_leaf(cx, QN_AFFINE_CONST, value);
    }
    const qn_affine_expr *same = identity(cx, kind, lhs, rhs);
    if (same) return same;
    bool nested = commutes && lhs->kind == kind && lhs->rhs->kind == QN_AFFINE_CONST;
    if (nested && compute(kind, lhs->rhs->value, rhs->value, &value)) {
      return qn_affine_binary(cx, kind, lhs->lhs, qn_affine_leaf(cx, QN_AFFINE_CONST, value));
    }
  }
  return intern(cx, (qn_affine_expr){.kind = kind, .lhs = lhs, .rhs = rhs});
}

int64_t qn_affine_eval(const qn_affine_expr *expr, const int64_t *dims, const int64_t *symbols) {
  if (expr->kind == QN_AFFINE_CONST) return expr->value;
  if (expr->kind == QN_AFFINE_DIM) return dims[expr->value];
  if (expr->kind == QN_AFFINE_SYMBOL) return symbols[expr->value];
  int64_t lhs = qn_affine_eval(expr->lhs, dims, symbols);
  int64_t rhs = qn_affine_eval(expr->rhs, dims, symbols);
  int64_t value = 0; /* where no result exists, so that hostile text has no undefined behaviour */
  compute(expr->kind, lhs, rhs, &value);
  return value;
}
