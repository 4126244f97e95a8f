/* affine_map<(d0, d1)[s0] -> (d0 floordiv 2, d1 + s0 * 4, 0)>, affine_set<(d0) : (d0 - 1 >= 0)> and
 * strided<[4, ?], offset: 2>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"
#include "text/text.h"

/* Names of dimensions, followed by those of symbols, in order of declaration. */
typedef struct affine_reader {
  QN_ARRAY(qn_str) names;
  QN_ARRAY(const qn_affine_expr *) results;
  QN_ARRAY(bool) equal; /* for each result of a set: whether it must be 0, or at least 0 */
  uint32_t dims;
  /* number of operators in total; it bounds the depth of the left-leaning trees that chains
   * create */
  uint32_t operators;
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
    if (ok)
      *out_expr = qn_affine_binary(p->cx, QN_AFFINE_MUL, operand,
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
  static const struct {
    const char *word;
    qn_affine_kind kind;
  } words[] = {
      {"floordiv", QN_AFFINE_FLOORDIV}, {"ceildiv", QN_AFFINE_CEILDIV}, {"mod", QN_AFFINE_MOD}};
  *out_kind = QN_AFFINE_MUL;
  if (qn_at(p, QN_TOK_STAR)) return true;
  for (size_t i = 0; i < QN_COUNT(words); i++) {
    *out_kind = words[i].kind;
    if (qn_at_word(p, words[i].word)) return true;
  }
  return false;
}

/* Checks that one side of a product, and every divisor, contains no dimensions, and that a constant
 * divisor is positive. */
static bool check_product(qn_parser *p, qn_pos pos, qn_affine_kind kind, const qn_affine_expr *lhs,
                          const qn_affine_expr *rhs) {
  bool symbolic = qn_affine_is_symbolic(rhs);
  if (!symbolic && (kind != QN_AFFINE_MUL || !qn_affine_is_symbolic(lhs)))
    return qn_fail_at(p, pos,
                      "non-affine expression: at least one of the operands has to be a "
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

/* Parses <(d0, d1)[s0] */
static bool parse_variables(qn_parser *p, affine_reader *r) {
  if (!qn_expect(p, QN_TOK_LESS) || !qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_name, r))
    return false;
  r->dims = (uint32_t)r->names.count;
  return !qn_at(p, QN_TOK_LSQUARE) ||
         qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, parse_name, r);
}

static void free_reader(affine_reader *r) {
  qn_array_free(&r->names);
  qn_array_free(&r->results);
  qn_array_free(&r->equal);
}

static qn_affine_map map_of(const affine_reader *r) {
  return (qn_affine_map){r->dims, (uint32_t)r->names.count - r->dims, (uint32_t)r->results.count,
                         r->results.data};
}

bool qn_parse_affine_map(qn_parser *p, const qn_attr **out_attr) {
  affine_reader r = {.dims = 0};
  qn_advance(p);
  bool ok = parse_variables(p, &r) && qn_expect(p, QN_TOK_ARROW) &&
            qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_result, &r) &&
            qn_expect(p, QN_TOK_GREATER);
  if (ok) {
    qn_affine_map map = map_of(&r);
    *out_attr = qn_attr_affine_map(p->cx, &map);
  }
  free_reader(&r);
  return ok;
}

/* ---- sets ---- */

/* Parses a >= b, a <= b or a == b. The result is the difference that must be at least 0, or 0. */
static bool parse_constraint(qn_parser *p, void *user) {
  affine_reader *r = user;
  const qn_affine_expr *lhs, *rhs;
  if (!parse_expr(p, r, &lhs)) return false;
  bool equal = qn_at(p, QN_TOK_EQUAL), less = qn_at(p, QN_TOK_LESS);
  if (!equal && !less && !qn_at(p, QN_TOK_GREATER))
    return qn_fail(p, "expected '== affine-expr' or '>= affine-expr' at end of affine constraint");
  qn_advance(p);
  if (!qn_expect(p, QN_TOK_EQUAL) || !parse_expr(p, r, &rhs)) return false;
  const qn_affine_expr *from = less ? rhs : lhs, *take = less ? lhs : rhs;
  if (take->kind != QN_AFFINE_CONST || take->value != 0)
    from = qn_affine_binary(
        p->cx, QN_AFFINE_ADD, from,
        qn_affine_binary(p->cx, QN_AFFINE_MUL, take, qn_affine_leaf(p->cx, QN_AFFINE_CONST, -1)));
  qn_array_push(&r->results, from);
  qn_array_push(&r->equal, equal);
  return true;
}

bool qn_parse_affine_set(qn_parser *p, const qn_attr **out_attr) {
  affine_reader r = {.dims = 0};
  qn_advance(p);
  bool ok = parse_variables(p, &r) && qn_expect(p, QN_TOK_COLON) &&
            qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_constraint, &r) &&
            qn_expect(p, QN_TOK_GREATER);
  if (ok) {
    qn_affine_map map = map_of(&r);
    qn_text text = {0};
    qn_text_print_affine_set(&map, r.equal.data, &text);
    qn_weigh(p, text.size / 8);
    *out_attr = qn_attr_opaque(p->cx, qn_text_view(&text));
    qn_text_deinit(&text);
  }
  free_reader(&r);
  return ok;
}

/* ---- strided layouts ---- */

/* Parses a number or '?' and appends it to the text. */
static bool parse_stride(qn_parser *p, qn_text *text, bool stride) {
  int64_t value;
  qn_pos pos = p->token.pos;
  if (qn_accept(p, QN_TOK_QUESTION)) {
    qn_text_putc(text, '?');
    return true;
  }
  if (!qn_at(p, QN_TOK_INTEGER) && !qn_at(p, QN_TOK_MINUS))
    return qn_fail(p, "expected a 64-bit signed integer or '?'");
  if (!qn_parse_int(p, &value)) return false;
  if (stride && value == 0) return qn_fail_at(p, pos, "invalid memref stride");
  qn_text_format(text, "%lld", (long long)value);
  return true;
}

static bool parse_strides(qn_parser *p, qn_text *text) {
  if (!qn_expect(p, QN_TOK_LESS) || !qn_expect(p, QN_TOK_LSQUARE)) return false;
  qn_text_puts(text, "strided<[");
  for (bool first = true; !qn_at(p, QN_TOK_RSQUARE); first = false) {
    if (!first && !qn_expect(p, QN_TOK_COMMA)) return false;
    if (!first) qn_text_puts(text, ", ");
    if (!parse_stride(p, text, true)) return false;
  }
  qn_advance(p);
  qn_text_puts(text, "]");
  if (!qn_accept(p, QN_TOK_COMMA)) return true;
  if (!qn_expect_word(p, "offset") || !qn_expect(p, QN_TOK_COLON)) return false;
  size_t before = text->size;
  qn_text_puts(text, ", offset: ");
  if (!parse_stride(p, text, false)) return false;
  if (text->size == before + strlen(", offset: 0") && text->data[text->size - 1] == '0')
    text->size = before; /* the default offset is not written */
  return true;
}

bool qn_parse_strided(qn_parser *p, const qn_attr **out_attr) {
  qn_text text = {0};
  qn_advance(p);
  bool ok = parse_strides(p, &text) && qn_expect(p, QN_TOK_GREATER);
  qn_text_puts(&text, ">");
  if (ok) {
    qn_weigh(p, text.size / 8);
    *out_attr = qn_attr_opaque(p->cx, qn_text_view(&text));
  }
  qn_text_deinit(&text);
  return ok;
}
