/* Builtin types. Quantized types are in parse/quant.c; types of other dialects are kept as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

/* ---- scalars ---- */

/* Splits i8, si8 or ui8 into signedness and digits. */
static bool integer_name(qn_str text, qn_sign *out_sign, qn_str *out_digits) {
  size_t prefix = text.data[0] == 'i' ? 1 : 2;
  if (prefix == 2 && !qn_str_starts(text, "si") && !qn_str_starts(text, "ui")) return false;
  if (text.size <= prefix) return false;
  for (size_t i = prefix; i < text.size; i++)
    if (text.data[i] < '0' || text.data[i] > '9') return false;
  *out_sign = prefix == 1 ? QN_SIGNLESS : text.data[0] == 's' ? QN_SIGNED : QN_UNSIGNED;
  *out_digits = (qn_str){text.data + prefix, text.size - prefix};
  return true;
}

static bool parse_integer_type(qn_parser *p, qn_sign sign, qn_str digits,
                               const qn_type **out_type) {
  enum { MAX_WIDTH = (1 << 24) - 1 };
  uint64_t width;
  if (!qn_number_read_uint(digits, &width) || width < 1 || width > MAX_WIDTH)
    return qn_fail(p, "invalid integer width");
  qn_advance(p);
  *out_type = qn_type_integer(p->cx, (uint32_t)width, sign);
  return true;
}

static bool is_number_type(const qn_type *type) {
  return type->kind == QN_TYPE_INTEGER || type->kind == QN_TYPE_FLOAT;
}

/* Parses complex<f32>, which is kept as text. */
static bool parse_complex(qn_parser *p, const qn_type **out_type) {
  const qn_type *element;
  static const char where[] = " in complex type";
  qn_advance(p);
  if (!qn_expect_in(p, QN_TOK_LESS, where)) return false;
  qn_pos pos = p->token.pos;
  if (!qn_parse_type(p, &element) || !qn_expect_in(p, QN_TOK_GREATER, where)) return false;
  if (!is_number_type(element)) return qn_fail_at(p, pos, "invalid element type for complex");
  qn_str text = qn_type_text(p, element);
  *out_type =
      qn_type_opaque(p->cx, qn_arena_format(&p->scratch, "complex<%.*s>", QN_STR_ARG(text)));
  return true;
}

/* ---- shaped types ---- */

/* Parses a dimension. The lexer joins dimensions and 'x' into one token ("x4xf32"), so this
 * function reads characters, then resumes lexing after them. */
static bool parse_dim(qn_parser *p, bool allow_dynamic, int64_t *out_dim) {
  if (allow_dynamic && qn_at(p, QN_TOK_QUESTION)) {
    *out_dim = QN_DYNAMIC;
    qn_advance(p);
    return true;
  }
  qn_str text = p->token.text;
  size_t size = 0;
  while (size < text.size && text.data[size] >= '0' && text.data[size] <= '9') size++;
  uint64_t value;
  if (!qn_number_read_uint((qn_str){text.data, size}, &value) || value > INT64_MAX)
    return qn_fail(p, "invalid dimension");
  *out_dim = (int64_t)value;
  qn_relex(p, text.data + size);
  return true;
}

static bool expect_x(qn_parser *p) {
  if (!qn_at(p, QN_TOK_BARE_ID) || p->token.text.data[0] != 'x')
    return qn_fail_behind(p, "expected 'x' in dimension list");
  qn_relex(p, p->token.text.data + 1);
  return true;
}

bool qn_parse_dims(qn_parser *p, bool allow_dynamic) {
  while (qn_at(p, QN_TOK_INTEGER) || qn_at(p, QN_TOK_QUESTION)) {
    int64_t dim = 0;
    if (!allow_dynamic && qn_at(p, QN_TOK_QUESTION)) return qn_fail(p, "expected static shape");
    if (!parse_dim(p, allow_dynamic, &dim) || !expect_x(p)) return false;
    qn_array_push(&p->ints, dim);
  }
  return true;
}

static bool check_tensor_element(qn_parser *p, qn_pos pos, const qn_type *element) {
  static const bool allowed[] = {
      [QN_TYPE_INDEX] = true,  [QN_TYPE_INTEGER] = true,         [QN_TYPE_FLOAT] = true,
      [QN_TYPE_VECTOR] = true, [QN_TYPE_QUANT_ANY] = true,       [QN_TYPE_QUANT_UNIFORM] = true,
      [QN_TYPE_OPAQUE] = true, [QN_TYPE_QUANT_CALIBRATED] = true};
  if (element->kind < QN_COUNT(allowed) && allowed[element->kind]) return true;
  qn_str text = qn_type_text(p, element);
  return qn_fail_at(p, pos, "invalid tensor element type: '%.*s'", QN_STR_ARG(text));
}

static bool check_memref_element(qn_parser *p, qn_pos pos, const qn_type *element) {
  static const bool allowed[] = {
      [QN_TYPE_INDEX] = true,  [QN_TYPE_INTEGER] = true, [QN_TYPE_FLOAT] = true,
      [QN_TYPE_VECTOR] = true, [QN_TYPE_MEMREF] = true,  [QN_TYPE_OPAQUE] = true};
  if (element->kind < QN_COUNT(allowed) && allowed[element->kind]) return true;
  return qn_fail_at(p, pos, "invalid memref element type");
}

static bool check_vector_element(qn_parser *p, qn_pos pos, const qn_type *element) {
  if (element->kind == QN_TYPE_INDEX || is_number_type(element)) return true;
  return qn_fail_at(p, pos, "failed to verify 'elementType': VectorElementTypeInterface instance");
}

/* The differences between tensor, memref and vector. */
typedef struct shaped_rule {
  const char *name;
  qn_type_kind kind;
  bool dynamic;
  bool (*check_element)(qn_parser *p, qn_pos pos, const qn_type *element);
  uint32_t attr_limit; /* maximum number of attributes: encoding or layout, memory space */
  const char *where;
} shaped_rule;

static const shaped_rule shaped_rules[] = {
    {"tensor", QN_TYPE_TENSOR, true, check_tensor_element, 1, " in tensor type"},
    {"memref", QN_TYPE_MEMREF, true, check_memref_element, 2, " in memref type"},
    {"vector", QN_TYPE_VECTOR, false, check_vector_element, 0, " in vector type"},
};

/* Whether a memref's attribute is a layout: an affine map or strided<...>. Any other attribute is
 * the memory space. */
static bool is_layout(const qn_attr *attr) {
  return attr->kind == QN_ATTR_AFFINE_MAP ||
         (attr->kind == QN_ATTR_OPAQUE && qn_str_starts(attr->string, "strided<"));
}

/* Whether strided<[4, 1], ...> has as many strides as dimensions. True for other layouts. */
static bool strides_fit(const qn_attr *layout, size_t rank) {
  if (!layout || layout->kind != QN_ATTR_OPAQUE) return true;
  qn_str text = layout->string;
  size_t count = 0, at = strlen("strided<[");
  if (text.data[at] != ']') count = 1;
  for (; text.data[at] != ']'; at++) count += text.data[at] == ',';
  return count == rank;
}

static bool parse_shaped_attrs(qn_parser *p, const shaped_rule *rule, const qn_attr *out_attrs[2]) {
  for (uint32_t i = 0; i < rule->attr_limit && qn_accept(p, QN_TOK_COMMA); i++) {
    const qn_attr *attr;
    if (!qn_parse_attr(p, &attr)) return false;
    bool space = rule->kind == QN_TYPE_MEMREF && !is_layout(attr);
    if (out_attrs[space])
      return qn_fail(p, "expected only one %s", space ? "memory space" : "layout");
    out_attrs[space] = attr;
  }
  if (rule->kind == QN_TYPE_MEMREF)
    return qn_accept(p, QN_TOK_GREATER) ||
           qn_fail_behind(p, "expected ',' or '>'%s",
                          out_attrs[0] || out_attrs[1] ? "" : rule->where);
  return qn_expect_in(p, QN_TOK_GREATER, rule->where);
}

static bool parse_shaped(qn_parser *p, const shaped_rule *rule, const qn_type **out_type) {
  size_t first = p->ints.count;
  qn_pos start = p->token.pos;
  qn_advance(p);
  if (!qn_expect_in(p, QN_TOK_LESS, rule->where)) return false;
  bool ranked = !(rule->dynamic && qn_accept(p, QN_TOK_STAR));
  if (ranked ? !qn_parse_dims(p, rule->dynamic) : !expect_x(p)) return false;
  if (rule->kind == QN_TYPE_VECTOR && qn_at(p, QN_TOK_LSQUARE))
    return qn_fail(p, "scalable vectors are not supported");
  qn_pos pos = p->token.pos;
  const qn_type *element;
  const qn_attr *attrs[2] = {NULL, NULL};
  if (!qn_parse_type(p, &element) || !rule->check_element(p, pos, element) ||
      !parse_shaped_attrs(p, rule, attrs))
    return false;
  size_t rank = p->ints.count - first;
  for (size_t i = 0; rule->kind == QN_TYPE_VECTOR && i < rank; i++)
    if (p->ints.data[first + i] == 0)
      return qn_fail_at(p, start, "vector types must have positive constant sizes");
  if (!strides_fit(rule->kind == QN_TYPE_MEMREF ? attrs[0] : NULL, rank))
    return qn_fail_at(p, start, "expected the number of strides to match the rank");
  *out_type = qn_type_shaped(p->cx, rule->kind, element, ranked, (uint32_t)rank,
                             rank ? p->ints.data + first : NULL, attrs[0], attrs[1]);
  p->ints.count = first;
  return true;
}

/* ---- lists, tuples, functions ---- */

static bool push_type(qn_parser *p, void *user) {
  (void)user;
  const qn_type *type;
  if (!qn_parse_type(p, &type)) return false;
  qn_array_push(&p->types, type);
  return true;
}

bool qn_parse_types(qn_parser *p) {
  do {
    if (!push_type(p, NULL)) return false;
  } while (qn_accept(p, QN_TOK_COMMA));
  return true;
}

static bool parse_non_function_type(qn_parser *p, const qn_type **out_type);

bool qn_parse_result_types(qn_parser *p) {
  if (qn_at(p, QN_TOK_LPAREN))
    return qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, push_type, NULL);
  const qn_type *type;
  if (!parse_non_function_type(p, &type)) return false;
  qn_array_push(&p->types, type);
  return true;
}

bool qn_parse_signature(qn_parser *p, uint32_t *out_inputs, uint32_t *out_results) {
  size_t first = p->types.count;
  if (!qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, push_type, NULL)) return false;
  size_t middle = p->types.count;
  if (!qn_expect_in(p, QN_TOK_ARROW, " in function type") || !qn_parse_result_types(p))
    return false;
  *out_inputs = (uint32_t)(middle - first);
  *out_results = (uint32_t)(p->types.count - middle);
  return true;
}

static bool parse_function(qn_parser *p, const qn_type **out_type) {
  size_t first = p->types.count;
  uint32_t inputs, results;
  if (!qn_parse_signature(p, &inputs, &results)) return false;
  const qn_type *const *types = p->types.data + first;
  *out_type = qn_type_function(p->cx, types, inputs, types + inputs, results);
  p->types.count = first;
  return true;
}

static bool parse_tuple(qn_parser *p, const qn_type **out_type) {
  size_t first = p->types.count;
  qn_advance(p);
  static const char where[] = " in tuple type";
  if (!qn_expect_in(p, QN_TOK_LESS, where)) return false;
  if (!qn_at(p, QN_TOK_GREATER) && !qn_parse_types(p)) return false;
  if (!qn_expect_in(p, QN_TOK_GREATER, where)) return false;
  *out_type = qn_type_tuple(p->cx, p->types.data + first, (uint32_t)(p->types.count - first));
  p->types.count = first;
  return true;
}

/* ---- dialect types and aliases ---- */

/* !dialect.name<body> */
static bool parse_opaque_type(qn_parser *p, const qn_type **out_type) {
  qn_str text = p->token.text;
  qn_advance(p);
  if (!qn_parse_carried(p, text, &text)) return false;
  *out_type = qn_type_opaque(p->cx, text);
  return true;
}

static bool parse_exclaim(qn_parser *p, const qn_type **out_type) {
  qn_str name = {p->token.text.data + 1, p->token.text.size - 1};
  if (qn_str_is(name, "quant") || qn_str_starts(name, "quant."))
    return qn_parse_quant_type(p, out_type);
  const char *behind = p->token.text.data + p->token.text.size;
  if (memchr(name.data, '.', name.size) || (behind < p->lexer.end && *behind == '<'))
    return parse_opaque_type(p, out_type);
  const qn_alias *alias = qn_str_map_get(&p->type_aliases, name);
  if (!alias) return qn_fail(p, "undefined symbol alias id '%.*s'", QN_STR_ARG(name));
  if (!qn_alias_use(p, alias)) return false;
  *out_type = alias->value;
  qn_advance(p);
  return true;
}

bool qn_parse_type_alias(qn_parser *p) {
  qn_str name = {p->token.text.data + 1, p->token.text.size - 1};
  if (memchr(name.data, '.', name.size))
    return qn_fail(p, "type names with a '.' are reserved for dialect-defined names");
  if (qn_str_map_get(&p->type_aliases, name))
    return qn_fail(p, "redefinition of type alias id '%.*s'", QN_STR_ARG(name));
  qn_advance(p);
  const qn_type *type = NULL;
  qn_alias alias = qn_alias_begin(p);
  bool ok = qn_expect(p, QN_TOK_EQUAL) && qn_parse_type(p, &type);
  qn_alias_end(p, &alias, ok ? type : NULL);
  qn_alias_define(p, &p->type_aliases, name, &alias);
  return ok;
}

static bool parse_named_type(qn_parser *p, const qn_type **out_type) {
  qn_sign sign;
  qn_str text = p->token.text, digits;
  if (integer_name(text, &sign, &digits)) return parse_integer_type(p, sign, digits, out_type);
  for (size_t i = 0; i < QN_COUNT(shaped_rules); i++)
    if (qn_str_is(text, shaped_rules[i].name)) return parse_shaped(p, &shaped_rules[i], out_type);
  if (qn_str_is(text, "tuple")) return parse_tuple(p, out_type);
  if (qn_str_is(text, "complex")) return parse_complex(p, out_type);
  *out_type = qn_str_is(text, "index")  ? qn_type_index(p->cx)
              : qn_str_is(text, "none") ? qn_type_none(p->cx)
                                        : NULL;
  for (qn_float_kind kind = 0; !*out_type && kind < QN_FLOAT_KINDS; kind++)
    if (qn_str_is(text, qn_float_format_of(kind)->name)) *out_type = qn_type_float(p->cx, kind);
  if (!*out_type) return qn_fail_behind(p, "expected non-function type");
  qn_advance(p);
  return true;
}

/* ---- types that were read recently ---- */

/* Whether the token or bracket that ends at `end` cannot continue with the next character. */
static bool ends_at(const qn_parser *p, const char *end) {
  if (end[-1] == '>' || end == p->lexer.end) return true;
  return *end != '<' && !qn_is_suffix_id((qn_str){end, 1});
}

/* If the text continues with one of the recently read types: returns it and continues after it.
 * Returns false if no text matches, or if the type would exceed the limit of nesting or size
 * here. */
static bool recall_type(qn_parser *p, const qn_type **out_type) {
  const char *start = p->token.text.data;
  size_t left = (size_t)(p->lexer.end - start);
  for (size_t i = 0; i < QN_MEMO_SIZE; i++) {
    qn_str text = p->memo.entries[i].text;
    if (text.size == 0 || text.size > left || memcmp(text.data, start, text.size) != 0 ||
        !ends_at(p, start + text.size))
      continue;
    if (!qn_alias_use(p, &p->memo.entries[i].type)) return false;
    *out_type = p->memo.entries[i].type.value;
    p->previous = (qn_consumed){p->memo.entries[i].last, p->token.pos.line, start + text.size};
    p->lexer.cursor = start + text.size;
    p->token = qn_lexer_next(&p->lexer);
    return true;
  }
  return false;
}

/* Stores the text of the type that began at `start` and was just parsed. A type that spans lines is
 * not stored, because the lexer counts lines. */
static void remember_type(qn_parser *p, const char *start, uint32_t line, const qn_alias *type) {
  if (p->previous.line != line) return;
  size_t i = p->memo.oldest++ % QN_MEMO_SIZE;
  p->memo.entries[i].text = (qn_str){start, (size_t)(p->previous.end - start)};
  p->memo.entries[i].last = p->previous.kind;
  p->memo.entries[i].type = *type;
}

static bool parse_non_function_type(qn_parser *p, const qn_type **out_type) {
  if (recall_type(p, out_type)) return true;
  const char *start = p->token.text.data;
  uint32_t line = p->token.pos.line;
  qn_alias alias = qn_alias_begin(p);
  if (!qn_enter(p)) return false;
  bool ok = qn_at(p, QN_TOK_BARE_ID)      ? parse_named_type(p, out_type)
            : qn_at(p, QN_TOK_EXCLAIM_ID) ? parse_exclaim(p, out_type)
                                          : qn_fail_behind(p, "expected non-function type");
  qn_leave(p);
  qn_alias_end(p, &alias, ok ? *out_type : NULL);
  if (ok) remember_type(p, start, line, &alias);
  return ok;
}

bool qn_parse_type(qn_parser *p, const qn_type **out_type) {
  if (!qn_at(p, QN_TOK_LPAREN)) return parse_non_function_type(p, out_type);
  if (!qn_enter(p)) return false;
  bool ok = parse_function(p, out_type);
  qn_leave(p);
  return ok;
}
