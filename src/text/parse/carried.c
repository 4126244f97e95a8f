/* Types and attributes of other dialects. They are kept as written, except that aliases are
 * expanded: the definitions of aliases are not kept, and the printer uses the same names for its
 * own aliases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"
#include "text/text.h"

/* Whether the current token may be an alias. "#a.b" and "!a<b>" belong to dialects. The "#1" of
 * "%0#1" is a number, unless an alias has this name. */
static bool at_alias(const qn_parser *p) {
  bool hash = qn_at(p, QN_TOK_HASH_ID);
  if (!hash && !qn_at(p, QN_TOK_EXCLAIM_ID)) return false;
  qn_str text = p->token.text, name = {text.data + 1, text.size - 1};
  const char *behind = text.data + text.size;
  if (memchr(name.data, '.', name.size) || (behind < p->lexer.end && *behind == '<')) return false;
  if (name.data[0] < '0' || name.data[0] > '9') return true;
  return qn_str_map_get(hash ? &p->attr_aliases : &p->type_aliases, name) ||
         (hash && qn_str_map_get(&p->loc_aliases, name));
}

/* Appends the text for which the alias at the current token stands. */
static bool put_meaning(qn_parser *p, qn_text *out) {
  size_t before = out->size;
  const qn_attr *attr;
  const qn_type *type;
  bool hash = qn_at(p, QN_TOK_HASH_ID);
  if (hash ? !qn_parse_attr(p, &attr) : !qn_parse_type(p, &type)) return false;
  if (hash)
    qn_text_print_attr(attr, out);
  else
    qn_text_print_type(type, out);
  qn_weigh(p, (out->size - before) / 8);
  return true;
}

/* Expands the aliases in a body, which begins at the current token '<'. */
static bool expand(qn_parser *p, qn_str body, qn_text *out) {
  const char *end = body.data + body.size, *copied = body.data;
  for (const char *at = body.data; at < end; at++) {
    if (*at == '"')
      for (at++; at < end && *at != '"' && *at != '\n'; at++) at += *at == '\\';
    if (at >= end || (*at != '#' && *at != '!')) continue;
    qn_relex(p, at);
    if (!at_alias(p)) continue;
    qn_parse_mark mark = qn_parse_get_mark(p); /* parsing the alias may advance past the body */
    qn_text_put(out, (qn_str){copied, (size_t)(at - copied)});
    if (!put_meaning(p, out)) return false;
    qn_parse_rewind(p, mark);
    copied = mark.token.text.data + mark.token.text.size;
    at = copied - 1;
  }
  qn_text_put(out, (qn_str){copied, (size_t)(end - copied)});
  return true;
}

bool qn_parse_carried(qn_parser *p, qn_str start, qn_str *out_text) {
  bool adjacent = qn_at(p, QN_TOK_LESS) && p->token.text.data == start.data + start.size;
  qn_parse_mark mark = qn_parse_get_mark(p);
  qn_str body = {NULL, 0};
  *out_text = start;
  if (!adjacent) return true;
  if (!qn_parse_balanced(p, &body)) return false;
  out_text->size += body.size;
  qn_weigh(p, out_text->size / 8);
  if (!memchr(body.data, '#', body.size) && !memchr(body.data, '!', body.size)) return true;
  qn_parse_mark behind = qn_parse_get_mark(p);
  qn_text text = {0};
  qn_text_put(&text, start);
  qn_parse_rewind(p, mark);
  bool ok = expand(p, body, &text);
  if (ok) *out_text = qn_arena_str(&p->scratch, qn_text_view(&text));
  qn_text_deinit(&text);
  qn_parse_rewind(p, behind);
  qn_str whole = {out_text->data + start.size, out_text->size - start.size};
  if (ok && !qn_is_balanced(p, whole))
    return qn_fail_at(p, mark.token.pos, "brackets of an alias in this body don't balance");
  return ok;
}
