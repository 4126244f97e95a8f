/* Attributes. Dense payloads are in parse/dense.c; affine maps, sets and strided layouts in
 * parse/affine.c. Attributes of other dialects, and locations as values, are kept as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"
#include "text/text.h"

/* ---- numbers ---- */

/* Integers of types with 65 to 128 bits whose value needs more than 64 bits are kept as text, in
 * the spelling in which their type is printed. */
static bool make_wide(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                      const qn_attr **out_attr) {
  __extension__ typedef unsigned __int128 wide;
  qn_sign sign = type->integer.sign;
  wide top = (wide)1 << (type->integer.width - 1), value = 0;
  bool fits = true, hex = literal->text.size > 1 && literal->text.data[1] == 'x';
  for (size_t i = hex ? 2 : 0; i < literal->text.size; i++) {
    wide next = value * (hex ? 16 : 10) + (unsigned)qn_hex_digit(literal->text.data[i]);
    fits = fits && value <= ~(wide)0 / (hex ? 16 : 10) && next >= value;
    value = next;
  }
  bool pattern = sign != QN_SIGNED && !negative;
  wide most = pattern ? top - 1 + top : negative && sign != QN_UNSIGNED ? top : top - 1;
  if (!fits || value > most || (negative && sign == QN_UNSIGNED))
    return qn_fail_at(p, literal->pos, "integer constant out of range for attribute");
  /* as a signed value of the type it is negative */
  if (sign == QN_SIGNLESS && !negative && value >= top) {
    value = top - (value - top);
    negative = true;
  }
  if (value <= (wide)INT64_MAX + negative) {
    *out_attr =
        qn_attr_int(p->cx, (int64_t)(negative ? 0 - (uint64_t)value : (uint64_t)value), type);
    return true;
  }
  char digits[48];
  size_t first = sizeof digits;
  for (; value; value /= 10) digits[--first] = (char)('0' + (int)(value % 10));
  qn_str text = qn_arena_format(&p->scratch, "%s%.*s : %.*s", negative ? "-" : "",
                                (int)(sizeof digits - first), digits + first,
                                QN_STR_ARG(qn_type_text(p, type)));
  *out_attr = qn_attr_opaque(p->cx, text);
  return true;
}

static bool make_number(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                        const qn_attr **out_attr) {
  if (type->kind == QN_TYPE_FLOAT) {
    double value;
    if (!qn_float_in_type(p, literal, negative, type, &value)) return false;
    *out_attr = qn_attr_float(p->cx, value, type);
    return true;
  }
  if (type->kind != QN_TYPE_INTEGER && type->kind != QN_TYPE_INDEX)
    return qn_fail_at(p, literal->pos, "integer literal not valid for specified type");
  if (literal->kind == QN_TOK_FLOAT)
    return qn_fail_at(p, literal->pos, "floating point value not valid for specified type");
  uint64_t magnitude;
  bool is_wide = type->kind == QN_TYPE_INTEGER && type->integer.width > 64 &&
                 type->integer.width <= 128 &&
                 (!qn_number_read_uint(literal->text, &magnitude) || magnitude > INT64_MAX);
  if (is_wide) return make_wide(p, literal, negative, type, out_attr);
  int64_t value;
  if (!qn_int_in_type(p, literal, negative, type, &value)) return false;
  *out_attr = qn_attr_int(p->cx, value, type);
  return true;
}

/* [-]literal [: type] */
static bool parse_number(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  bool negative = qn_accept(p, QN_TOK_MINUS);
  qn_token literal = p->token;
  if (!qn_at(p, QN_TOK_INTEGER) && !qn_at(p, QN_TOK_FLOAT))
    return qn_fail(p, "expected constant integer or floating point value");
  qn_advance(p);
  if (!type && qn_accept(p, QN_TOK_COLON) && !qn_parse_type(p, &type)) return false;
  if (!type) {
    type = literal.kind == QN_TOK_FLOAT ? qn_type_float(p->cx, QN_F64) : qn_type_i(p->cx, 64);
  }
  return make_number(p, &literal, negative, type, out_attr);
}

/* ---- strings and symbols ---- */

/* Parses a string. The type of a typed string ("x" : !t) is dropped. */
static bool parse_string_attr(qn_parser *p, const qn_attr **out_attr) {
  qn_str text;
  const qn_type *type;
  if (!qn_parse_string(p, &text)) return false;
  if (qn_accept(p, QN_TOK_COLON) && !qn_parse_type(p, &type)) return false;
  qn_weigh(p, text.size / 8);
  *out_attr = qn_attr_string(p->cx, text);
  return true;
}

static bool parse_symbol_name(qn_parser *p, qn_str *out_name) {
  qn_token token = p->token;
  if (!qn_expect(p, QN_TOK_AT_ID)) return false;
  if (token.text.data[1] != '"') {
    *out_name = qn_intern(p->cx, (qn_str){token.text.data + 1, token.text.size - 1});
    return true;
  }
  if (!qn_unquote(p, token, out_name)) return false;
  if (out_name->size == 0) return qn_fail_at(p, token.pos, "expected valid attribute name");
  for (size_t i = 0; i + 3 <= out_name->size; i++)
    if (memcmp(out_name->data + i, "::@", 3) == 0)
      return qn_fail_at(p, token.pos, "symbol names with '::@' are not supported");
  return true;
}

bool qn_parse_symbol(qn_parser *p, qn_str *out_path) {
  if (!parse_symbol_name(p, out_path)) return false;
  if (!qn_at(p, QN_TOK_COLON_COLON)) return true;
  qn_text path = {0};
  qn_text_put(&path, *out_path);
  bool ok = true;
  while (ok && qn_accept(p, QN_TOK_COLON_COLON)) {
    qn_str name;
    ok = parse_symbol_name(p, &name);
    if (!ok) break;
    qn_text_puts(&path, "::@");
    qn_text_put(&path, name);
  }
  *out_path = qn_intern(p->cx, qn_text_view(&path));
  qn_text_deinit(&path);
  return ok;
}

static bool parse_symbol_attr(qn_parser *p, const qn_attr **out_attr) {
  qn_str path;
  if (!qn_parse_symbol(p, &path)) return false;
  *out_attr = qn_attr_symbol(p->cx, path);
  return true;
}

/* ---- containers ---- */

static bool push_attr(qn_parser *p, void *user) {
  (void)user;
  const qn_attr *attr;
  if (!qn_parse_attr(p, &attr)) return false;
  qn_array_push(&p->attrs, attr);
  return true;
}

static bool parse_array(qn_parser *p, const qn_attr **out_attr) {
  size_t first = p->attrs.count;
  if (!qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, push_attr, NULL)) return false;
  *out_attr = qn_attr_array(p->cx, p->attrs.data + first, (uint32_t)(p->attrs.count - first));
  p->attrs.count = first;
  return true;
}

/* Attributes that are being parsed. Names are interned, so equal names are equal pointers. `seen`
 * is used for long lists only. */
typedef struct named_list {
  size_t first;
  qn_map seen;
} named_list;

static bool is_duplicate(qn_parser *p, named_list *list, qn_str name) {
  enum { SHORT = 16 };
  size_t count = p->named.count - list->first;
  if (count < SHORT) {
    for (size_t i = list->first; i < p->named.count; i++)
      if (p->named.data[i].name.data == name.data) return true;
    return false;
  }
  if (list->seen.count == 0)
    for (size_t i = list->first; i < p->named.count; i++)
      qn_map_set(&list->seen, p->named.data[i].name.data, p);
  bool found = qn_map_get(&list->seen, name.data) != NULL;
  qn_map_set(&list->seen, name.data, p);
  return found;
}

/* Parses name [= attribute]; without a value it is a unit attribute. */
static bool parse_named(qn_parser *p, void *user) {
  named_list *list = user;
  qn_token token = p->token;
  qn_named_attr named;
  if (qn_at(p, QN_TOK_STRING)) {
    if (!qn_parse_string(p, &named.name)) return false;
    if (named.name.size == 0) return qn_fail_at(p, token.pos, "expected valid attribute name");
  } else if (qn_at(p, QN_TOK_BARE_ID)) {
    named.name = qn_intern(p->cx, token.text);
    qn_advance(p);
  } else {
    return qn_fail(p, "expected attribute name");
  }
  if (is_duplicate(p, list, named.name))
    return qn_fail_at(p, token.pos, "duplicate key '%.*s' in dictionary attribute",
                      QN_STR_ARG(named.name));
  named.value = qn_attr_unit(p->cx);
  if (qn_accept(p, QN_TOK_EQUAL) && !qn_parse_attr(p, &named.value)) return false;
  qn_array_push(&p->named, named);
  return true;
}

bool qn_parse_named_attrs(qn_parser *p, size_t first) {
  named_list list = {.first = first};
  bool ok = qn_parse_list(p, QN_TOK_LBRACE, QN_TOK_RBRACE, parse_named, &list);
  qn_map_deinit(&list.seen);
  return ok;
}

static bool parse_dict(qn_parser *p, const qn_attr **out_attr) {
  size_t first = p->named.count;
  if (!qn_parse_named_attrs(p, first)) return false;
  *out_attr = qn_attr_dict(p->cx, p->named.data + first, (uint32_t)(p->named.count - first));
  p->named.count = first;
  return true;
}

/* ---- attributes kept as text, aliases ---- */

bool qn_parse_opaque_attr(qn_parser *p, qn_str start, const qn_attr **out_attr) {
  qn_str text;
  if (!qn_parse_carried(p, start, &text)) return false;
  *out_attr = qn_attr_opaque(p->cx, text);
  return true;
}

/* Parses loc(...) or a location alias as an attribute, which is kept as text without aliases. */
static bool parse_loc_attr(qn_parser *p, const qn_attr **out_attr) {
  const qn_loc *loc = NULL;
  if (qn_at(p, QN_TOK_HASH_ID) ? !qn_parse_location(p, &loc) : !qn_parse_optional_loc(p, &loc))
    return false;
  qn_text text = {0};
  qn_text_print_loc(loc, &text);
  qn_weigh(p, text.size / 8);
  *out_attr = qn_attr_opaque(p->cx, qn_text_view(&text));
  qn_text_deinit(&text);
  return true;
}

static bool parse_hash(qn_parser *p, const qn_attr **out_attr) {
  qn_str text = p->token.text, name = {text.data + 1, text.size - 1};
  const char *behind = text.data + text.size;
  if (memchr(name.data, '.', name.size) || (behind < p->lexer.end && *behind == '<')) {
    qn_advance(p);
    return qn_parse_opaque_attr(p, text, out_attr);
  }
  const qn_alias *alias = qn_str_map_get(&p->attr_aliases, name);
  if (!alias && qn_str_map_get(&p->loc_aliases, name)) return parse_loc_attr(p, out_attr);
  if (!alias) return qn_fail(p, "undefined symbol alias id '%.*s'", QN_STR_ARG(name));
  if (!qn_alias_use(p, alias)) return false;
  *out_attr = alias->value;
  qn_advance(p);
  return true;
}

bool qn_parse_attr_alias(qn_parser *p) {
  qn_str name = {p->token.text.data + 1, p->token.text.size - 1};
  if (memchr(name.data, '.', name.size))
    return qn_fail(p, "attribute names with a '.' are reserved for dialect-defined names");
  if (qn_str_map_get(&p->attr_aliases, name))
    return qn_fail(p, "redefinition of attribute alias id '%.*s'", QN_STR_ARG(name));
  if (qn_at_loc_alias(p)) return qn_parse_loc_alias(p);
  qn_advance(p);
  const qn_attr *attr = NULL;
  qn_alias alias = qn_alias_begin(p);
  bool ok = qn_expect(p, QN_TOK_EQUAL) && qn_parse_attr(p, &attr);
  qn_alias_end(p, &alias, ok ? attr : NULL);
  qn_alias_define(p, &p->attr_aliases, name, &alias);
  return ok;
}

/* ---- dispatch ---- */

static bool parse_keyword(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  static const struct {
    const char *word;
    bool (*parse)(qn_parser *p, const qn_attr **out_attr);
  } forms[] = {{"array", qn_parse_dense_array},
               {"affine_map", qn_parse_affine_map},
               {"affine_set", qn_parse_affine_set},
               {"strided", qn_parse_strided},
               {"loc", parse_loc_attr}};
  if (qn_at_word(p, "dense")) return qn_parse_dense(p, type, out_attr);
  if (qn_at_word(p, "dense_resource")) return qn_parse_dense_resource(p, type, out_attr);
  for (size_t i = 0; i < QN_COUNT(forms); i++)
    if (qn_at_word(p, forms[i].word)) return forms[i].parse(p, out_attr);
  if (qn_at_word(p, "true") || qn_at_word(p, "false")) {
    *out_attr = qn_attr_bool(p->cx, qn_at_word(p, "true"));
    qn_advance(p);
    return true;
  }
  if (qn_accept_word(p, "unit")) {
    *out_attr = qn_attr_unit(p->cx);
    return true;
  }
  if (qn_at_word(p, "sparse") || qn_at_word(p, "distinct") || qn_at_word(p, "opaque"))
    return qn_fail(p, "attributes of kind '%.*s' are not supported", QN_STR_ARG(p->token.text));
  const qn_type *value;
  if (!qn_parse_type(p, &value)) return false;
  *out_attr = qn_attr_type(p->cx, value);
  return true;
}

static bool parse_attr(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  switch (p->token.kind) {
  case QN_TOK_INTEGER:
  case QN_TOK_FLOAT:
  case QN_TOK_MINUS:
    return parse_number(p, type, out_attr);
  case QN_TOK_STRING:
    return parse_string_attr(p, out_attr);
  case QN_TOK_AT_ID:
    return parse_symbol_attr(p, out_attr);
  case QN_TOK_LSQUARE:
    return parse_array(p, out_attr);
  case QN_TOK_LBRACE:
    return parse_dict(p, out_attr);
  case QN_TOK_HASH_ID:
    return parse_hash(p, out_attr);
  case QN_TOK_BARE_ID:
    return parse_keyword(p, type, out_attr);
  case QN_TOK_EXCLAIM_ID:
  case QN_TOK_LPAREN: {
    const qn_type *value;
    if (!qn_parse_type(p, &value)) return false;
    *out_attr = qn_attr_type(p->cx, value);
    return true;
  }
  default:
    return qn_fail_behind(p, "expected attribute value");
  }
}

bool qn_parse_attr_of_type(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  if (!qn_enter(p)) return false;
  bool ok = parse_attr(p, type, out_attr);
  qn_leave(p);
  return ok;
}

bool qn_parse_attr(qn_parser *p, const qn_attr **out_attr) {
  return qn_parse_attr_of_type(p, NULL, out_attr);
}
