/* The metadata of a file, {-# dialect_resources: {builtin: {key: "0x..."}} #-}, with the payloads
 * of dense_resource attributes. A blob is hexadecimal: a little-endian alignment of four bytes,
 * followed by the data. Resources of other dialects and external_resources are skipped. Payloads
 * are used before the section that defines them, so a scan over the tokens reads the section first,
 * together with location aliases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

typedef struct qn_resource {
  qn_bytes bytes;
} qn_resource;

/* Converts "0x..." to bytes in the context's arena; attributes refer to them without a copy. */
static bool parse_blob(qn_parser *p, qn_str key) {
  enum { PREFIX = 4 };
  qn_str digits;
  qn_pos pos = p->token.pos;
  if (!qn_parse_hex_digits(p, &digits)) return false;
  size_t size = digits.size / 2;
  uint8_t *data = qn_arena_alloc(&p->cx->arena, size + 1);
  if (!qn_number_read_hex(digits, data))
    return qn_fail(p, "expected string containing hex digits starting with `0x`");
  uint32_t alignment = 0;
  for (size_t i = 0; i < PREFIX && i < size; i++) alignment |= (uint32_t)data[i] << 8 * i;
  if (size < PREFIX || (alignment & (alignment - 1)) != 0)
    return qn_fail_at(
        p, pos, "expected hex string blob for key '%.*s' to encode alignment in first 4 bytes",
        QN_STR_ARG(key));
  qn_resource *resource = QN_NEW(&p->scratch, qn_resource);
  resource->bytes = (qn_bytes){data + PREFIX, size - PREFIX};
  qn_str_map_set(&p->resources, key, resource);
  qn_advance(p);
  return true;
}

/* Skips a value that is not kept: a token, or a group in brackets. */
static bool skip_value(qn_parser *p) {
  int64_t open = 0;
  do {
    if (qn_at(p, QN_TOK_META_END) || qn_at(p, QN_TOK_EOF)) return qn_fail(p, "expected value");
    open += qn_at(p, QN_TOK_LBRACE) || qn_at(p, QN_TOK_LSQUARE);
    open -= qn_at(p, QN_TOK_RBRACE) || qn_at(p, QN_TOK_RSQUARE);
    qn_advance(p);
  } while (open > 0);
  return true;
}

static bool parse_key(qn_parser *p, qn_str *out_key) {
  if (qn_at(p, QN_TOK_STRING)) {
    if (!qn_parse_string(p, out_key)) return false;
  } else {
    *out_key = p->token.text;
    if (!qn_expect(p, QN_TOK_BARE_ID)) return false;
  }
  return qn_expect(p, QN_TOK_COLON);
}

static bool parse_builtin_entry(qn_parser *p, void *user) {
  (void)user;
  qn_str key;
  qn_pos pos = p->token.pos;
  if (!parse_key(p, &key)) return false;
  if (qn_str_map_get(&p->resources, key))
    return qn_fail_at(p, pos, "redefinition of resource '%.*s'", QN_STR_ARG(key));
  return qn_at(p, QN_TOK_STRING) ? parse_blob(p, key) : skip_value(p);
}

static bool parse_dialect(qn_parser *p, void *user) {
  (void)user;
  qn_str dialect;
  if (!parse_key(p, &dialect)) return false;
  if (!qn_str_is(dialect, "builtin")) return skip_value(p);
  return qn_parse_list(p, QN_TOK_LBRACE, QN_TOK_RBRACE, parse_builtin_entry, NULL);
}

static bool parse_section(qn_parser *p, void *user) {
  (void)user;
  qn_str section;
  if (!parse_key(p, &section)) return false;
  if (!qn_str_is(section, "dialect_resources")) return skip_value(p);
  return qn_parse_list(p, QN_TOK_LBRACE, QN_TOK_RBRACE, parse_dialect, NULL);
}

bool qn_parse_resources(qn_parser *p) {
  return qn_parse_list(p, QN_TOK_META_BEGIN, QN_TOK_META_END, parse_section, NULL);
}

void qn_skip_resources(qn_parser *p) {
  while (!qn_at(p, QN_TOK_META_END) && !qn_at(p, QN_TOK_EOF)) qn_advance(p);
  qn_advance(p);
}

bool qn_resource_bytes(qn_parser *p, qn_str key, qn_bytes *out_bytes) {
  const qn_resource *resource = qn_str_map_get(&p->resources, key);
  if (resource) *out_bytes = resource->bytes;
  return resource != NULL;
}
