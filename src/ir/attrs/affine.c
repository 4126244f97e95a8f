/* Affine expressions: interned, with MLIR's simplifications at construction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/attrs/affine.h"

#include "base/checked.h"
#include "ir/intern.h"

/* Uses the table of attributes, with tags outside of the attribute kinds. */
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

/* Computes a constant; false on overflow or a divisor that is not positive. */
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

static const qn_affine_expr *constant(qn_ir_context *cx, int64_t value) {
  return qn_affine_leaf(cx, QN_AFFINE_CONST, value);
}

static bool is_const(const qn_affine_expr *expr) { return expr->kind == QN_AFFINE_CONST; }

bool qn_affine_is_symbolic(const qn_affine_expr *expr) {
  if (expr->kind <= QN_AFFINE_SYMBOL) return expr->kind != QN_AFFINE_DIM;
  return qn_affine_is_symbolic(expr->lhs) && qn_affine_is_symbolic(expr->rhs);
}

static int64_t magnitude(int64_t value) {
  return value == INT64_MIN ? 1 : value < 0 ? -value : value;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* A constant that divides every value of the expression; 0 for the constant 0. */
static int64_t known_divisor(const qn_affine_expr *expr) {
  if (is_const(expr)) return magnitude(expr->value);
  if (expr->kind <= QN_AFFINE_SYMBOL) return 1;
  int64_t lhs = known_divisor(expr->lhs), rhs = known_divisor(expr->rhs), product;
  switch (expr->kind) {
  case QN_AFFINE_ADD:
  case QN_AFFINE_MOD:
    return common_divisor(lhs, rhs);
  case QN_AFFINE_MUL:
    return qn_checked_mul(lhs, rhs, &product) ? product : 1;
  default:
    return is_const(expr->rhs) && rhs && lhs % rhs == 0 ? lhs / rhs : 1;
  }
}

static bool is_multiple(const qn_affine_expr *expr, int64_t of) {
  return known_divisor(expr) % of == 0;
}

/* Whether the operands of a commutative operation must be exchanged: dimensions first, then
 * symbols, constants last; then by index. */
static bool is_swapped(const qn_affine_expr *lhs, const qn_affine_expr *rhs) {
  if (is_const(lhs) || is_const(rhs)) return is_const(lhs) && !is_const(rhs);
  bool symbolic = qn_affine_is_symbolic(lhs);
  if (symbolic != qn_affine_is_symbolic(rhs)) return symbolic;
  bool leaves = lhs->kind <= QN_AFFINE_SYMBOL && rhs->kind == lhs->kind;
  return leaves && lhs->value > rhs->value;
}

/* expr = factor * c */
typedef struct multiple {
  const qn_affine_expr *expr;
  int64_t factor;
} multiple;

static multiple as_multiple(const qn_affine_expr *expr) {
  bool scaled = expr->kind == QN_AFFINE_MUL && is_const(expr->rhs);
  return scaled ? (multiple){expr->lhs, expr->rhs->value} : (multiple){expr, 1};
}

/* The divisor q when `rest` is -(x floordiv q) * q, so that x + rest is x mod q; else NULL. */
static const qn_affine_expr *modulus(const qn_affine_expr *x, const qn_affine_expr *rest) {
  multiple m = as_multiple(rest);
  const qn_affine_expr *quotient = m.expr;
  if (m.factor == -1 && quotient->kind == QN_AFFINE_MUL) quotient = quotient->lhs;
  if (quotient->kind != QN_AFFINE_FLOORDIV || quotient->lhs != x) return NULL;
  bool same = is_const(quotient->rhs) ? quotient == m.expr && quotient->rhs->value > 0 &&
                                            m.factor == -quotient->rhs->value
                                      : quotient != m.expr && quotient->rhs == m.expr->rhs;
  return same ? quotient->rhs : NULL;
}

/* The following return a simplified form of an operation on ordered operands; NULL if none. */

static const qn_affine_expr *simpler_sum(qn_ir_context *cx, const qn_affine_expr *lhs,
                                         const qn_affine_expr *rhs);

/* (a + b) + (x floordiv q) * c, where the last two terms can be merged or must be exchanged. */
static const qn_affine_expr *simpler_tail(qn_ir_context *cx, const qn_affine_expr *lhs,
                                          const qn_affine_expr *rhs) {
  bool tail = lhs->kind == QN_AFFINE_ADD && rhs->kind == QN_AFFINE_MUL &&
              rhs->lhs->kind == QN_AFFINE_FLOORDIV;
  if (!tail || (!is_swapped(lhs->rhs, rhs) && !simpler_sum(cx, lhs->rhs, rhs))) return NULL;
  return qn_affine_binary(cx, QN_AFFINE_ADD, lhs->lhs,
                          qn_affine_binary(cx, QN_AFFINE_ADD, lhs->rhs, rhs));
}

static const qn_affine_expr *simpler_sum(qn_ir_context *cx, const qn_affine_expr *lhs,
                                         const qn_affine_expr *rhs) {
  int64_t value;
  bool offset = lhs->kind == QN_AFFINE_ADD && is_const(lhs->rhs);
  if (is_const(rhs) && rhs->value == 0) return lhs;
  if (is_const(rhs) && offset && qn_checked_add(lhs->rhs->value, rhs->value, &value))
    return qn_affine_binary(cx, QN_AFFINE_ADD, lhs->lhs, constant(cx, value));
  if (is_const(rhs)) return NULL;
  multiple a = as_multiple(lhs), b = as_multiple(rhs);
  if (a.expr == b.expr && qn_checked_add(a.factor, b.factor, &value))
    return qn_affine_binary(cx, QN_AFFINE_MUL, a.expr, constant(cx, value));
  if (offset) {
    const qn_affine_expr *sum = qn_affine_binary(cx, QN_AFFINE_ADD, lhs->lhs, rhs);
    return qn_affine_binary(cx, QN_AFFINE_ADD, sum, lhs->rhs);
  }
  const qn_affine_expr *divisor = modulus(lhs, rhs);
  if (divisor) return qn_affine_binary(cx, QN_AFFINE_MOD, lhs, divisor);
  /* Printed text has no parentheses, so parsed sums must be left-associative. */
  if (rhs->kind == QN_AFFINE_ADD) {
    const qn_affine_expr *sum = qn_affine_binary(cx, QN_AFFINE_ADD, lhs, rhs->lhs);
    return qn_affine_binary(cx, QN_AFFINE_ADD, sum, rhs->rhs);
  }
  return simpler_tail(cx, lhs, rhs);
}

static const qn_affine_expr *simpler_product(qn_ir_context *cx, const qn_affine_expr *lhs,
                                             const qn_affine_expr *rhs) {
  int64_t value;
  bool scaled = lhs->kind == QN_AFFINE_MUL && is_const(lhs->rhs);
  if (is_const(rhs) && rhs->value == 1) return lhs;
  if (is_const(rhs) && rhs->value == 0) return rhs;
  if (!scaled) return NULL;
  if (!is_const(rhs)) {
    const qn_affine_expr *product = qn_affine_binary(cx, QN_AFFINE_MUL, lhs->lhs, rhs);
    return qn_affine_binary(cx, QN_AFFINE_MUL, product, lhs->rhs);
  }
  if (!qn_checked_mul(lhs->rhs->value, rhs->value, &value)) return NULL;
  return qn_affine_binary(cx, QN_AFFINE_MUL, lhs->lhs, constant(cx, value));
}

static const qn_affine_expr *simpler_quotient(qn_ir_context *cx, qn_affine_kind kind,
                                              const qn_affine_expr *lhs,
                                              const qn_affine_expr *rhs) {
  int64_t by = rhs->value;
  if (!is_const(rhs) || by < 1) return NULL;
  if (by == 1) return lhs;
  multiple m = as_multiple(lhs);
  if (m.expr != lhs && m.factor % by == 0)
    return qn_affine_binary(cx, QN_AFFINE_MUL, m.expr, constant(cx, m.factor / by));
  bool apart = kind == QN_AFFINE_FLOORDIV && lhs->kind == QN_AFFINE_ADD &&
               (is_multiple(lhs->lhs, by) || is_multiple(lhs->rhs, by));
  if (!apart) return NULL;
  return qn_affine_binary(cx, QN_AFFINE_ADD, qn_affine_binary(cx, kind, lhs->lhs, rhs),
                          qn_affine_binary(cx, kind, lhs->rhs, rhs));
}

static const qn_affine_expr *simpler_mod(qn_ir_context *cx, const qn_affine_expr *lhs,
                                         const qn_affine_expr *rhs) {
  int64_t by = rhs->value;
  if (!is_const(rhs) || by < 1) return NULL;
  if (is_multiple(lhs, by)) return constant(cx, 0);
  if (lhs->kind == QN_AFFINE_ADD && is_multiple(lhs->lhs, by))
    return qn_affine_binary(cx, QN_AFFINE_MOD, lhs->rhs, rhs);
  if (lhs->kind == QN_AFFINE_ADD && is_multiple(lhs->rhs, by))
    return qn_affine_binary(cx, QN_AFFINE_MOD, lhs->lhs, rhs);
  bool nested = lhs->kind == QN_AFFINE_MOD && is_const(lhs->rhs) && lhs->rhs->value % by == 0;
  return nested ? qn_affine_binary(cx, QN_AFFINE_MOD, lhs->lhs, rhs) : NULL;
}

static const qn_affine_expr *simpler(qn_ir_context *cx, qn_affine_kind kind,
                                     const qn_affine_expr *lhs, const qn_affine_expr *rhs) {
  int64_t value = 0;
  if (is_const(lhs) && is_const(rhs))
    return compute(kind, lhs->value, rhs->value, &value) ? constant(cx, value) : NULL;
  switch (kind) {
  case QN_AFFINE_ADD:
    return simpler_sum(cx, lhs, rhs);
  case QN_AFFINE_MUL:
    return simpler_product(cx, lhs, rhs);
  case QN_AFFINE_MOD:
    return simpler_mod(cx, lhs, rhs);
  default:
    return simpler_quotient(cx, kind, lhs, rhs);
  }
}

const qn_affine_expr *qn_affine_binary(qn_ir_context *cx, qn_affine_kind kind,
                                       const qn_affine_expr *lhs, const qn_affine_expr *rhs) {
  QN_ASSERT(kind > QN_AFFINE_SYMBOL);
  bool commutes = kind == QN_AFFINE_ADD || kind == QN_AFFINE_MUL;
  if (commutes && is_swapped(lhs, rhs)) {
    const qn_affine_expr *swapped = lhs;
    lhs = rhs;
    rhs = swapped;
  }
  const qn_affine_expr *simple = simpler(cx, kind, lhs, rhs);
  return simple ? simple : intern(cx, (qn_affine_expr){.kind = kind, .lhs = lhs, .rhs = rhs});
}

int64_t qn_affine_eval(const qn_affine_expr *expr, const int64_t *dims, const int64_t *symbols) {
  if (expr->kind == QN_AFFINE_CONST) return expr->value;
  if (expr->kind == QN_AFFINE_DIM) return dims[expr->value];
  if (expr->kind == QN_AFFINE_SYMBOL) return symbols[expr->value];
  int64_t lhs = qn_affine_eval(expr->lhs, dims, symbols);
  int64_t rhs = qn_affine_eval(expr->rhs, dims, symbols);
  int64_t value = 0; /* if there is no result, so that hostile text causes no undefined behaviour */
  compute(expr->kind, lhs, rhs, &value);
  return value;
}
