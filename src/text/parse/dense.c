/* dense<...>, dense_resource<...> and array<...>. A dense literal precedes its type, which
 * determines the encoding of its elements. So the literal is skipped, the type is read, and then
 * the literal is read again straight into its payload.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "text/parser.h"

/* ---- elements ---- */

/* Whether payloads of the element type have an encoding. */
static bool has_encoding(const qn_type *element) {
  if (element->kind == QN_TYPE_INDEX) return true;
  if (element->kind == QN_TYPE_INTEGER) return element->integer.width <= 64;
  if (element->kind == QN_TYPE_QUANT_UNIFORM) return true;
  return element->kind == QN_TYPE_FLOAT && element->float_kind != QN_F80 &&
         element->float_kind != QN_F128;
}

/* The type of the element literals: for a quantized type its storage type, of which u8 and i8
 * literals have the same bits. */
static const qn_type *literal_type(qn_parser *p, const qn_type *element) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return element;
  const qn_quant_uniform *q = &element->uniform;
  return qn_type_integer(p->cx, q->storage->integer.width, q->is_signed ? QN_SIGNED : QN_UNSIGNED);
}

/* tf32 is stored as f32, of which it is a subset. */
static qn_float_kind stored_kind(const qn_type *element) {
  return element->float_kind == QN_TF32 ? QN_F32 : element->float_kind;
}

/* Parses true, false or [-]literal to the low bits of *out_bits. */
static bool parse_element(qn_parser *p, const qn_type *element, uint64_t *out_bits) {
  if (qn_at_word(p, "true") || qn_at_word(p, "false")) {
    if (!qn_type_is_int(element, 1))
      return qn_fail(p, "expected i1 type for 'true' or 'false' values");
    *out_bits = qn_at_word(p, "true");
    qn_advance(p);
    return true;
  }
  bool negative = qn_accept(p, QN_TOK_MINUS);
  qn_token literal = p->token;
  if (!qn_at(p, QN_TOK_INTEGER) && !qn_at(p, QN_TOK_FLOAT))
    return qn_fail(p, "expected element literal of primitive type");
  qn_advance(p);
  if (element->kind == QN_TYPE_FLOAT) {
    double value;
    if (!qn_float_in_type(p, &literal, negative, element, &value)) return false;
    *out_bits = qn_float_encode(stored_kind(element), value);
    return true;
  }
  if (literal.kind == QN_TOK_FLOAT)
    return qn_fail_at(p, literal.pos, "expected integer elements, but parsed floating-point");
  int64_t value;
  if (!qn_int_in_type(p, &literal, negative, element, &value)) return false;
  *out_bits = (uint64_t)value & (qn_type_is_int(element, 1) ? 1 : UINT64_MAX);
  return true;
}

/* ---- nested lists ---- */

typedef struct dense_reader {
  const qn_type *type, *element;
  uint32_t size; /* size of an element in bytes */
  size_t first;  /* size of p->bytes at the start */
  int64_t shape[32];
  uint32_t rank; /* rank of the literal; valid after the first innermost list */
  bool rank_known;
} dense_reader;

static bool push_element(qn_parser *p, dense_reader *r) {
  uint64_t bits = 0;
  if (!parse_element(p, r->element, &bits)) return false;
  qn_array_reserve(&p->bytes, p->bytes.count + r->size);
  for (uint32_t i = 0; i < r->size; i++) p->bytes.data[p->bytes.count++] = (uint8_t)(bits >> 8 * i);
  return true;
}

static bool parse_list(qn_parser *p, dense_reader *r, uint32_t level) {
  if (level >= QN_COUNT(r->shape)) return qn_fail(p, "dense literals have at most 32 dimensions");
  qn_advance(p);
  int64_t count = 0;
  if (!qn_at(p, QN_TOK_RSQUARE)) {
    do {
      bool nested = qn_at(p, QN_TOK_LSQUARE);
      if (!r->rank_known && !nested) {
        r->rank = level + 1;
        r->rank_known = true;
      }
      if (r->rank_known && nested != (level + 1 < r->rank))
        return qn_fail(p, "tensor literal is invalid; ranks are not consistent between elements");
      if (nested ? !parse_list(p, r, level + 1) : !push_element(p, r)) return false;
      count++;
    } while (qn_accept(p, QN_TOK_COMMA));
  } else if (!r->rank_known) {
    r->rank = level + 1;
    r->rank_known = true;
  }
  if (r->shape[level] >= 0 && r->shape[level] != count)
    return qn_fail(p, "tensor literal is invalid; ranks are not consistent between elements");
  r->shape[level] = count;
  return qn_expect(p, QN_TOK_RSQUARE);
}

static bool check_shape(qn_parser *p, qn_pos pos, const dense_reader *r) {
  bool same = r->rank == r->type->shaped.rank;
  for (uint32_t i = 0; same && i < r->rank; i++) same = r->shape[i] == r->type->shaped.dims[i];
  if (same) return true;
  qn_text text = {0};
  for (uint32_t i = 0; i < r->rank; i++)
    qn_text_format(&text, i ? ", %lld" : "%lld", (long long)r->shape[i]);
  qn_text_puts(&text, "]) does not match type ([");
  for (uint32_t i = 0; i < r->type->shaped.rank; i++)
    qn_text_format(&text, i ? ", %lld" : "%lld", (long long)r->type->shaped.dims[i]);
  qn_fail_at(p, pos, "inferred shape of elements literal ([%.*s])",
             QN_STR_ARG(qn_text_view(&text)));
  qn_text_deinit(&text);
  return false;
}

/* ---- hexadecimal payloads ---- */

/* Unpacks booleans, eight to a byte with the first in the lowest bit. A single byte 0 or 0xFF is a
 * splat. */
static bool unpack_bools(qn_parser *p, const uint8_t *packed, size_t size, int64_t count) {
  if (size == 1 && (packed[0] == 0 || packed[0] == 0xFF)) {
    qn_array_push(&p->bytes, packed[0] & 1);
    return true;
  }
  if ((int64_t)size != count / 8 + (count % 8 != 0)) return false;
  qn_array_reserve(&p->bytes, p->bytes.count + (size_t)count);
  for (int64_t i = 0; i < count; i++) p->bytes.data[p->bytes.count++] = packed[i / 8] >> i % 8 & 1;
  return true;
}

static bool parse_hex_elements(qn_parser *p, qn_pos pos, dense_reader *r, int64_t count) {
  qn_str digits;
  qn_token literal = p->token;
  if (!qn_parse_hex_digits(p, &digits)) return false;
  size_t size = digits.size / 2;
  uint8_t *data = qn_arena_alloc(&p->scratch, size + 1);
  if (!qn_number_read_hex(digits, data))
    return qn_fail_at(p, literal.pos, "expected string containing hex digits starting with `0x`");
  qn_advance(p);
  bool ok;
  if (qn_type_is_int(r->element, 1)) {
    ok = unpack_bools(p, data, size, count);
  } else {
    int64_t total = -1;
    ok = size == r->size || (qn_checked_mul(count, r->size, &total) && (int64_t)size == total);
    if (ok) {
      qn_array_reserve(&p->bytes, p->bytes.count + size);
      if (size) memcpy(p->bytes.data + p->bytes.count, data, size);
      p->bytes.count += size;
    }
  }
  if (ok) return true;
  qn_str type = qn_type_text(p, r->type);
  return qn_fail_at(p, pos, "elements hex data size is invalid for provided type: '%.*s'",
                    QN_STR_ARG(type));
}

/* ---- dense ---- */

/* Skips from after '<' to after '>'; brackets need not match. */
static bool skip_literal(qn_parser *p) {
  while (!qn_at(p, QN_TOK_GREATER)) {
    if (qn_at(p, QN_TOK_EOF) || qn_at(p, QN_TOK_LBRACE) || qn_at(p, QN_TOK_RBRACE) ||
        qn_at(p, QN_TOK_ERROR))
      return qn_fail(p, "expected '>'");
    qn_advance(p);
  }
  qn_advance(p);
  return true;
}

static bool check_type(qn_parser *p, qn_pos pos, const qn_type *type) {
  if (!qn_type_is_shaped(type)) return qn_fail_at(p, pos, "elements literal must be a shaped type");
  if (!qn_type_is_static(type) || qn_type_elements(type) < 0)
    return qn_fail_at(p, pos, "elements literal type must have static shape");
  if (has_encoding(qn_type_element(type))) return true;
  qn_str text = qn_type_text(p, qn_type_element(type));
  return qn_fail_at(p, pos, "dense elements of type '%.*s' are not supported", QN_STR_ARG(text));
}

static bool parse_payload(qn_parser *p, qn_pos pos, dense_reader *r) {
  int64_t count = qn_type_elements(r->type);
  if (qn_at(p, QN_TOK_GREATER))
    return count == 0 || qn_fail(p, "expected element literal of primitive type");
  if (qn_at(p, QN_TOK_STRING)) return parse_hex_elements(p, pos, r, count);
  if (qn_at(p, QN_TOK_LSQUARE)) return parse_list(p, r, 0) && check_shape(p, pos, r);
  return push_element(p, r);
}

bool qn_parse_dense(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  qn_pos pos = p->token.pos;
  dense_reader r = {.type = type, .first = p->bytes.count};
  for (size_t i = 0; i < QN_COUNT(r.shape); i++) r.shape[i] = -1;
  qn_advance(p);
  if (!qn_expect(p, QN_TOK_LESS)) return false;
  qn_parse_mark literal = qn_parse_get_mark(p), behind;
  if (!type) {
    if (!skip_literal(p) || !qn_expect(p, QN_TOK_COLON) || !qn_parse_type(p, &r.type)) return false;
    behind = qn_parse_get_mark(p);
    qn_parse_rewind(p, literal);
  }
  if (!check_type(p, pos, r.type)) return false;
  r.element = literal_type(p, qn_type_element(r.type));
  r.size = qn_type_bytes(r.element);
  if (!parse_payload(p, pos, &r) || !qn_expect(p, QN_TOK_GREATER)) return false;
  if (!type) qn_parse_rewind(p, behind);
  qn_bytes bytes = {p->bytes.data ? p->bytes.data + r.first : NULL, p->bytes.count - r.first};
  /* a larger payload is printed once as a resource, however often it is used */
  qn_weigh(p, bytes.size <= QN_DENSE_INLINE ? bytes.size : 0);
  *out_attr = qn_attr_dense(p->cx, r.type, bytes, false);
  p->bytes.count = r.first;
  return true;
}

/* ---- dense_resource ---- */

bool qn_parse_dense_resource(qn_parser *p, const qn_type *type, const qn_attr **out_attr) {
  qn_pos pos = p->token.pos;
  qn_advance(p);
  if (!qn_expect(p, QN_TOK_LESS)) return false;
  qn_str key = p->token.text;
  if (qn_at(p, QN_TOK_STRING)) {
    if (!qn_parse_string(p, &key)) return false;
  } else if (!qn_expect(p, QN_TOK_BARE_ID)) {
    return false;
  }
  if (!qn_expect(p, QN_TOK_GREATER)) return false;
  if (!type && (!qn_expect(p, QN_TOK_COLON) || !qn_parse_type(p, &type))) return false;
  if (!check_type(p, pos, type)) return false;
  qn_bytes bytes;
  bool found = qn_resource_bytes(p, key, &bytes);
  if (!found && qn_str_is(key, "__elided__")) {
    *out_attr = qn_attr_elided(p->cx, type);
    return true;
  }
  if (!found)
    return qn_fail_at(p, pos, "resource '%.*s' is not in the file's resource section",
                      QN_STR_ARG(key));
  int64_t size = qn_type_bytes(qn_type_element(type)), total = -1;
  if ((int64_t)bytes.size != size &&
      (!qn_checked_mul(qn_type_elements(type), size, &total) || (int64_t)bytes.size != total)) {
    qn_str text = qn_type_text(p, type);
    return qn_fail_at(p, pos, "resource '%.*s' has %zu bytes, not those of '%.*s'", QN_STR_ARG(key),
                      bytes.size, QN_STR_ARG(text));
  }
  *out_attr = qn_attr_resource(p->cx, type, key, bytes, true);
  return true;
}

/* ---- array<i64: ...> ---- */

typedef struct array_reader {
  const qn_type *element;
  size_t ints, numbers; /* sizes of p->ints and p->numbers at the start */
} array_reader;

static bool push_array_element(qn_parser *p, array_reader *r) {
  if (qn_at_word(p, "true") || qn_at_word(p, "false")) {
    if (!qn_type_is_int(r->element, 1)) return qn_fail(p, "expected integer value");
    qn_array_push(&p->ints, (int64_t)qn_at_word(p, "true"));
    qn_advance(p);
    return true;
  }
  bool negative = qn_accept(p, QN_TOK_MINUS);
  qn_token literal = p->token;
  if (!qn_at(p, QN_TOK_INTEGER) && !qn_at(p, QN_TOK_FLOAT))
    return qn_fail(p, "expected integer value");
  qn_advance(p);
  if (r->element->kind == QN_TYPE_FLOAT) {
    double value;
    if (!qn_float_in_type(p, &literal, negative, r->element, &value)) return false;
    qn_array_push(&p->numbers, value);
    return true;
  }
  int64_t value;
  if (qn_type_is_int(r->element, 1))
    return qn_fail_at(p, literal.pos, "expected 'true' or 'false' values for i1 type");
  if (literal.kind == QN_TOK_FLOAT) return qn_fail_at(p, literal.pos, "expected integer value");
  if (!qn_int_in_type(p, &literal, negative, r->element, &value)) return false;
  qn_array_push(&p->ints, value);
  return true;
}

static uint32_t bit_width(const qn_type *type) {
  return type->kind == QN_TYPE_FLOAT ? qn_float_format_of(type->float_kind)->width
                                     : type->integer.width;
}

bool qn_parse_dense_array(qn_parser *p, const qn_attr **out_attr) {
  array_reader r = {.ints = p->ints.count, .numbers = p->numbers.count};
  qn_advance(p);
  if (!qn_expect(p, QN_TOK_LESS)) return false;
  qn_pos pos = p->token.pos;
  if (!qn_parse_type(p, &r.element)) return false;
  if (r.element->kind == QN_TYPE_INDEX || r.element->kind == QN_TYPE_QUANT_UNIFORM ||
      !has_encoding(r.element))
    return qn_fail_at(p, pos, "expected integer or float type");
  if (!qn_type_is_int(r.element, 1) && bit_width(r.element) % 8)
    return qn_fail_at(p, pos, "element type bitwidth must be a multiple of 8");
  if (qn_accept(p, QN_TOK_COLON)) {
    do {
      if (!push_array_element(p, &r)) return false;
    } while (qn_accept(p, QN_TOK_COMMA));
  }
  if (!qn_expect(p, QN_TOK_GREATER)) return false;
  bool is_float = r.element->kind == QN_TYPE_FLOAT;
  size_t count = is_float ? p->numbers.count - r.numbers : p->ints.count - r.ints;
  *out_attr =
      qn_attr_dense_array(p->cx, r.element, count && !is_float ? p->ints.data + r.ints : NULL,
                          count && is_float ? p->numbers.data + r.numbers : NULL, (uint32_t)count);
  p->ints.count = r.ints;
  p->numbers.count = r.numbers;
  return true;
}
