/* Locations: loc(unknown), loc("file":line:column), loc("name"(child)), loc(fused[...]),
 * loc(callsite(callee at caller)), and #alias. Aliases are defined after their uses. The scan
 * before the parse records where definitions are, and the first use parses the definition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

typedef struct qn_loc_alias {
  qn_parse_mark at; /* the token after "loc(" */
  qn_alias alias;   /* value: the location; valid once parsed */
  bool open;        /* is being parsed; used to detect an alias that contains itself */
} qn_loc_alias;

bool qn_at_loc_alias(const qn_parser *p) {
  if (p->token.kind != QN_TOK_HASH_ID) return false;
  qn_lexer ahead = p->lexer;
  if (qn_lexer_next(&ahead).kind != QN_TOK_EQUAL) return false;
  return qn_str_is(qn_lexer_next(&ahead).text, "loc");
}

bool qn_note_loc_alias(qn_parser *p) {
  if (!qn_at_loc_alias(p)) return false;
  qn_str name = {p->token.text.data + 1, p->token.text.size - 1};
  qn_advance(p);
  qn_advance(p);
  qn_advance(p);
  /* an error is reported when the alias definition is parsed */
  if (!qn_accept(p, QN_TOK_LPAREN)) return true;
  qn_loc_alias *alias = QN_NEW(&p->scratch, qn_loc_alias);
  alias->at = qn_parse_get_mark(p);
  qn_str_map_set(&p->loc_aliases, name, alias);
  return true;
}

bool qn_parse_loc_alias(qn_parser *p) {
  const qn_loc *loc;
  qn_advance(p);
  qn_advance(p);
  return qn_parse_optional_loc(p, &loc);
}

static bool parse_alias(qn_parser *p, const qn_loc **out_loc) {
  qn_str name = {p->token.text.data + 1, p->token.text.size - 1};
  qn_loc_alias *alias = qn_str_map_get(&p->loc_aliases, name);
  if (!alias) return qn_fail(p, "operation location alias was never defined");
  if (alias->open) return qn_fail(p, "location alias '%.*s' contains itself", QN_STR_ARG(name));
  if (alias->alias.value) {
    *out_loc = alias->alias.value;
    if (!qn_alias_use(p, &alias->alias)) return false;
    qn_advance(p);
    return true;
  }
  qn_advance(p);
  qn_parse_mark back = qn_parse_get_mark(p);
  qn_parse_rewind(p, alias->at);
  alias->open = true;
  alias->alias = qn_alias_begin(p);
  /* unknown after an error, so that each use does not report it again */
  *out_loc = p->cx->diag.unknown;
  bool ok = qn_parse_location(p, out_loc);
  qn_alias_end(p, &alias->alias, *out_loc);
  alias->open = false;
  qn_parse_rewind(p, back);
  return ok;
}

/* Parses "file":1:2 [to [line]:column], "name" or "name"(child). */
static bool parse_named_location(qn_parser *p, const qn_loc **out_loc) {
  qn_str text;
  if (!qn_parse_string(p, &text)) return false;
  if (qn_accept(p, QN_TOK_COLON)) {
    int64_t line, column, ignored;
    if (!qn_parse_int(p, &line) || !qn_expect(p, QN_TOK_COLON) || !qn_parse_int(p, &column))
      return false;
    if (line < 0 || column < 0 || line > UINT32_MAX || column > UINT32_MAX)
      return qn_fail(p, "expected integer line and column numbers");
    if (qn_accept_word(p, "to")) { /* the end of a range is dropped */
      if (qn_at(p, QN_TOK_INTEGER) && !qn_parse_int(p, &ignored)) return false;
      if (!qn_expect(p, QN_TOK_COLON) || !qn_parse_int(p, &ignored)) return false;
    }
    *out_loc = qn_loc_file(&p->cx->diag, text, (uint32_t)line, (uint32_t)column);
    return true;
  }
  const qn_loc *child = NULL;
  if (qn_accept(p, QN_TOK_LPAREN) &&
      (!qn_parse_location(p, &child) || !qn_expect(p, QN_TOK_RPAREN)))
    return false;
  *out_loc = qn_loc_name(&p->cx->diag, text, child);
  return true;
}

static bool push_location(qn_parser *p, void *user) {
  (void)user;
  const qn_loc *loc;
  if (!qn_parse_location(p, &loc)) return false;
  qn_array_push(&p->locs, loc);
  return true;
}

/* Parses fused[a, b]; the metadata of fused<...>[a, b] is dropped. */
static bool parse_fused(qn_parser *p, const qn_loc **out_loc) {
  size_t first = p->locs.count;
  const qn_attr *metadata;
  if (qn_accept(p, QN_TOK_LESS) && (!qn_parse_attr(p, &metadata) || !qn_expect(p, QN_TOK_GREATER)))
    return false;
  if (!qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, push_location, NULL)) return false;
  *out_loc = qn_loc_fused(&p->cx->diag, p->locs.data ? p->locs.data + first : NULL,
                          (uint32_t)(p->locs.count - first));
  p->locs.count = first;
  return true;
}

static bool parse_callsite(qn_parser *p, const qn_loc **out_loc) {
  const qn_loc *callee, *caller;
  if (!qn_expect(p, QN_TOK_LPAREN) || !qn_parse_location(p, &callee) || !qn_expect_word(p, "at") ||
      !qn_parse_location(p, &caller) || !qn_expect(p, QN_TOK_RPAREN))
    return false;
  *out_loc = qn_loc_callsite(&p->cx->diag, callee, caller);
  return true;
}

static bool parse_any(qn_parser *p, const qn_loc **out_loc) {
  if (qn_at(p, QN_TOK_STRING)) return parse_named_location(p, out_loc);
  if (qn_at(p, QN_TOK_HASH_ID)) return parse_alias(p, out_loc);
  if (qn_accept_word(p, "fused")) return parse_fused(p, out_loc);
  if (qn_accept_word(p, "callsite")) return parse_callsite(p, out_loc);
  if (!qn_accept_word(p, "unknown")) return qn_fail(p, "expected location instance");
  *out_loc = p->cx->diag.unknown;
  return true;
}

bool qn_parse_location(qn_parser *p, const qn_loc **out_loc) {
  if (!qn_enter(p)) return false;
  bool ok = parse_any(p, out_loc);
  qn_leave(p);
  return ok;
}

bool qn_parse_optional_loc(qn_parser *p, const qn_loc **out_loc) {
  *out_loc = NULL;
  if (!qn_accept_word(p, "loc")) return true;
  return qn_expect(p, QN_TOK_LPAREN) && qn_parse_location(p, out_loc) &&
         qn_expect(p, QN_TOK_RPAREN);
}
