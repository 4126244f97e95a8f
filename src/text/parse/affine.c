/* affine_map<(d0, d1)[s0] -> (d0 floordiv 2, d1 + s0 * 4, 0)>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

/* Names of dimensions, then of symbols, in the order of their declaration. */
typedef struct affine_reader {
  QN_ARRAY(qn_str) names;
  QN_ARRAY(const qn_affine_expr *) results;
  uint32_t dims;
  uint32_t operators; /* in all: bounds the depth of the left-leaning trees that chains make */
} affine_reader;

static bool parse_name(qn_parser *p, void *user) {
  affine_reader *r = user;
  if (!qn_at(p, QN_TOK_BARE_ID)) return qn_fail(p, "expected bare identifier");
  for (size_t i = 0; i < r->names.count; i++)
    if (qn_str_equal(r->names.data[i], p->token.text))
      return qn_fail(p, "redefinition of identifier '%.*s'", QN_STR_ARG(p->token.text));
  if (r->names.count >= 64) return qn_fail(p, "affine maps have at most 64 dimensions and symbols");
  qn_array_push(&r->names, p->token.text);
  qn_advance(p);
  return true;
}

static bool parse_expr(qn_parser *p, affine_reader *r, const qn_affine_expr **out_expr);

static bool parse_operand(qn_parser *p, affine_reader *r, const qn_affine_expr **out_expr) {
  qn_lexer ahead = p->lexer;
  if (qn_at(p, QN_TOK_INTEGER) ||
      (qn_at(p, QN_TOK_MINUS) && qn_lexer_next(&ahead).kind == QN_TOK_INTEGER)) {
    int64_t value;
    if (!qn_parse_int(p, &value)) return false;
    *out_expr = qn_affine_leaf(p->cx, QN_AFFINE_CONST, value);
    return true;
  }
  if (qn_accept(p, QN_TOK_LPAREN)) return parse_expr(p, r, out_expr) && qn_expect(p, QN_TOK_RPAREN);
  if (qn_accept(p, QN_TOK_MINUS)) {
    const qn_affine_expr *operand;
    if (!qn_enter(p)) return false;
    bool ok = parse_operand(p, r, &operand);
    qn_leave(p);
    if (ok) *out_expr = qn_affine_binary(p->cx, QN_AFFINE_MUL, operand,
                                         qn_affine_leaf(p->cx, QN_AFFINE_CONST, -1));
    return ok;
  }
  if (!qn_at(p, QN_TOK_BARE_ID)) return qn_fail(p, "expected affine expression");
  for (size_t i = 0; i < r->names.count; i++) {
    if (!qn_str_equal(r->names.data[i], p->token.text)) continue;
    bool dim = i < r->dims;
    *out_expr = qn_affine_leaf(p->cx, dim ? QN_AFFINE_DIM : QN_AFFINE_SYMBOL,
                               (int64_t)(dim ? i : i - r->dims));
    qn_advance(p);
    return true;
  }
  return qn_fail(p, "use of undeclared identifier");
}

static bool at_product(qn_parser *p, qn_affine_kind *out_kind) {
  static const struct { const char *word; qn_affine_kind kind; } words[] = {
      {"floordiv", QN_AFFINE_FLOORDIV}, {"ceildiv", QN_AFFINE_CEILDIV}, {"mod", QN_AFFINE_MOD}};
  *out_kind = QN_AFFINE_MUL;
  if (qn_at(p, QN_TOK_STAR)) return true;
  for (size_t i = 0; i < QN_COUNT(words); i++) {
    *out_kind = words[i].kind;
    if (qn_at_word(p, words[i].word)) return true;
  }
  return false;
}

/* One side of a product and every divisor must be free of dimensions; a constant divisor positive. */
static bool check_product(qn_parser *p, qn_pos pos, qn_affine_kind kind, const qn_affine_expr *lhs,
                          const qn_affine_expr *rhs) {
  bool symbolic = qn_affine_is_symbolic(rhs);
  if (!symbolic && (kind != QN_AFFINE_MUL || !qn_affine_is_symbolic(lhs)))
    return qn_fail_at(p, pos, "non-affine expression: at least one of the operands has to be a "
                              "constant or symbolic");
  if (kind != QN_AFFINE_MUL && rhs->kind == QN_AFFINE_CONST && rhs->value <= 0)
    return qn_fail_at(p, pos, "the divisor of an affine expression must be positive");
  return true;
}

static bool count_operator(qn_parser *p, affine_reader *r) {
  enum { MAX_OPERATORS = 512 };
  if (++r->operators <= MAX_OPERATORS) return true;
  return qn_fail(p, "affine maps have at most %d operators", MAX_OPERATORS);
}

static bool parse_product(qn_parser *p, affine_reader *r, const qn_affine_expr **out_expr) {
  qn_affine_kind kind;
  if (!parse_operand(p, r, out_expr)) return false;
  while (at_product(p, &kind)) {
    qn_pos pos = p->token.pos;
    const qn_affine_expr *rhs;
    qn_advance(p);
    if (!count_operator(p, r) || !parse_operand(p, r, &rhs) ||
        !check_product(p, pos, kind, *out_expr, rhs))
      return false;
    *out_expr = qn_affine_binary(p->cx, kind, *out_expr, rhs);
  }
  return true;
}

static bool parse_sum(qn_parser *p, affine_reader *r, const qn_affine_expr **out_expr) {
  if (!parse_product(p, r, out_expr)) return false;
  while (qn_at(p, QN_TOK_PLUS) || qn_at(p, QN_TOK_MINUS)) {
    bool minus = qn_at(p, QN_TOK_MINUS);
    const qn_affine_expr *rhs;
    qn_advance(p);
    if (!count_operator(p, r) || !parse_product(p, r, &rhs)) return false;
    if (minus)
      rhs = qn_affine_binary(p->cx, QN_AFFINE_MUL, rhs, qn_affine_leaf(p->cx, QN_AFFINE_CONST, -1));
    *out_expr = qn_affine_binary(p->cx, QN_AFFINE_ADD, *out_expr, rhs);
  }
  return true;
}

static bool parse_expr(qn_parser *p, affine_reader *r, const qn_affine_expr **out_expr) {
  if (!qn_enter(p)) return false;
  bool ok = parse_sum(p, r, out_expr);
  qn_leave(p);
  return ok;
}

static bool parse_result(qn_parser *p, void *user) {
  affine_reader *r = user;
  const qn_affine_expr *expr;
  if (!parse_expr(p, r, &expr)) return false;
  qn_array_push(&r->results, expr);
  return true;
}

static bool parse_map(qn_parser *p, affine_reader *r) {
  if (!qn_expect(p, QN_TOK_LESS) || !qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_name, r))
    return false;
  r->dims = (uint32_t)r->names.count;
  if (qn_at(p, QN_TOK_LSQUARE) && !qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, parse_name, r))
    return false;
  return qn_expect(p, QN_TOK_ARROW) &&
         qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_result, r) &&
         qn_expect(p, QN_TOK_GREATER);
}

bool qn_parse_affine_map(qn_parser *p, const qn_attr **out_attr) {
  affine_reader r = {.dims = 0};
  qn_advance(p);
  bool ok = parse_map(p, &r);
  if (ok) {
    qn_affine_map map = {r.dims, (uint32_t)r.names.count - r.dims, (uint32_t)r.results.count,
                         r.results.data};
    *out_attr = qn_attr_affine_map(p->cx, &map);
  }
  qn_array_free(&r.names);
  qn_array_free(&r.results);
  return ok;
}
