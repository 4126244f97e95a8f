/* Parses a rule: pass, match, constraint, replacement.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/syntax/parser.h"

#include "base/array.h"
#include "rules/passes.h"

/* ---- the pass ---- */

/* Reports `EARLY - 2`, which C++ would accept, and suggests the same number with '+'. */
static void refuse_minus(qn_rule_parser *p, const qn_rule *rule) {
  qn_rule_error(p->reporter, "RR0202", p->token.pos, "only '+' may follow a pass name");
  p->damaged = true;
  qn_rule_parser_advance(p);
  const qn_rule_pass *pass = qn_rule_pass_find(rule->pass_name);
  int64_t offset = 0;
  for (size_t i = 0; i < p->token.text.size && offset < INT32_MAX; i++) {
    char c = p->token.text.data[i];
    if (c < '0' || c > '9') return;
    offset = offset * 10 + (c - '0');
  }
  const qn_rule_pass *below = pass ? qn_rule_pass_below(pass->number - offset) : NULL;
  if (below)
    qn_rule_help(p->reporter, "%s is %lld, %s %lld; write %s + %lld", pass->name,
                 (long long)pass->number, below->name, (long long)below->number, below->name,
                 (long long)(pass->number - offset - below->number));
}

static bool read_offset(qn_str text, uint64_t *out_offset) {
  *out_offset = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return false;
    *out_offset = *out_offset * 10 + (uint64_t)(text.data[i] - '0');
    if (*out_offset > INT32_MAX) return false;
  }
  return text.size > 0 && (text.size == 1 || text.data[0] != '0');
}

static bool parse_pass(qn_rule_parser *p, qn_rule *rule) {
  rule->pass_before = p->token.comments;
  rule->pass_pos = rule->offset_pos = p->token.pos;
  rule->pass_name = p->token.text;
  if (p->token.kind != QN_RULE_TOK_NAME) {
    qn_rule_parse_expected(p, "the name of a pass, such as EARLY");
    return false;
  }
  qn_rule_parser_advance(p);
  if (p->token.kind == QN_RULE_TOK_MINUS) {
    refuse_minus(p, rule);
    return false;
  }
  if (p->token.kind == QN_RULE_TOK_PLUS) {
    qn_rule_parser_advance(p);
    rule->has_offset = true;
    rule->offset_pos = p->token.pos;
    if (!read_offset(p->token.text, &rule->pass_offset)) {
      qn_rule_error(p->reporter, "RR0203", p->token.pos,
                    "pass offset must be an unsigned decimal number without suffix, found %s",
                    qn_rule_token_name(&p->lexer, &p->token));
      p->damaged = true;
      return false;
    }
    qn_rule_parser_advance(p);
  }
  qn_rule_comment *behind, *rest;
  qn_rule_split_comments(p, &behind, &rest);
  rule->pass_behind = behind ? behind : rest;
  return true;
}

/* ---- the parts ---- */

static void refuse_parts(qn_rule_parser *p, const qn_rule_node *all, uint32_t found) {
  bool few = found < 4;
  qn_rule_pos pos = few ? all->close : all->args[3]->pos;
  qn_rule_error(p->reporter, "RR0204", pos,
                "a rule has four parts (pass, match, constraint, replacement); %u found", found);
  const qn_rule_node *third = found == 3 ? all->args[1] : NULL;
  if (third && third->kind == QN_RULE_CALL && !qn_str_is(third->text, "AND"))
    qn_rule_help(p->reporter, "write OK for \"no constraint\"");
  p->damaged = true;
}

/* Checks that neither ',' nor '(' follows the closing parenthesis: then the text after it would
 * belong to the rule. */
static void check_end(qn_rule_parser *p, qn_rule_pos close) {
  bool comma = p->token.kind == QN_RULE_TOK_COMMA, open = p->token.kind == QN_RULE_TOK_OPEN;
  if (!comma && !open) return;
  qn_rule_error(p->reporter, "RR0208", p->token.pos, "a rule may not be followed by '%s'",
                comma ? "," : "(");
  qn_rule_note(p->reporter, close, "the rule was closed here");
  p->damaged = p->abandoned = true;
}

qn_rule *qn_rule_parse_rule(qn_rule_parser *p) {
  QN_ASSERT(p->depth > 0);
  qn_rule *rule = QN_NEW(p->arena, qn_rule);
  rule->pos = p->rule_pos;
  if (!parse_pass(p, rule)) return NULL;
  qn_rule_node parts = {.text = qn_str_of("DEF_PACKAGE_OPTIMIZATION")};
  if (p->token.kind == QN_RULE_TOK_COMMA) {
    qn_rule_comment *behind, *before;
    qn_rule_parser_advance(p);
    qn_rule_split_comments(p, &behind, &before);
    if (!rule->pass_behind) {
      rule->pass_behind = behind;
      p->token.comments = before;
    }
  } else if (p->token.kind != QN_RULE_TOK_CLOSE) {
    qn_rule_parse_expected(p, "',' after the pass");
    return NULL;
  }
  if (!qn_rule_parse_args(p, &parts)) return NULL;
  rule->close = parts.close;
  rule->inside = parts.inside;
  if (parts.arg_count != 3 && !parts.damaged) refuse_parts(p, &parts, parts.arg_count + 1);
  check_end(p, parts.close);
  if (p->damaged) return NULL;
  rule->match = parts.args[0];
  rule->constraint = parts.args[1];
  rule->replacement = parts.args[2];
  return rule;
}

/* ---- "//:rule" comments ---- */

static const char *const header_mark = "//:rule";

static bool next_word(qn_str *text, qn_str *out_word) {
  while (text->size > 0 && strchr(" \t\r", text->data[0]))
    *text = (qn_str){text->data + 1, text->size - 1};
  size_t size = 0;
  while (size < text->size && !strchr(" \t\r", text->data[size])) size++;
  *out_word = (qn_str){text->data, size};
  *text = (qn_str){text->data + size, text->size - size};
  return size > 0;
}

/* Index of a word in a list, searched from index `first`; -1 if it is not there. */
static int find_word(const char *const *words, int first, qn_str value) {
  for (int i = first; words[i]; i++)
    if (qn_str_is(value, words[i])) return i;
  return -1;
}

static bool set_exactness(qn_rule *rule, qn_str value) {
  int found = find_word(qn_rule_exactness_names, QN_RULE_BIT, value);
  if (found >= 0) rule->exact = (qn_rule_exactness)found;
  return found >= 0;
}

static bool set_when(qn_rule *rule, qn_str value) {
  int found = find_word(qn_rule_when_names, QN_RULE_ALWAYS, value);
  if (found >= 0) rule->when = (qn_rule_when)found;
  return found >= 0;
}

void qn_rule_parse_header(qn_rule_reporter *reporter, qn_rule_comment *comment, qn_rule *rule) {
  qn_str text = comment->text, word;
  QN_ASSERT(comment->text.size >= strlen(header_mark));
  text = (qn_str){text.data + strlen(header_mark), text.size - strlen(header_mark)};
  while (next_word(&text, &word)) {
    qn_rule_pos pos = comment->pos;
    pos.column += (uint32_t)(word.data - comment->text.data);
    const char *equals = memchr(word.data, '=', word.size);
    qn_str key = {word.data, equals ? (size_t)(equals - word.data) : word.size};
    qn_str value = {word.data + key.size + 1, equals ? word.size - key.size - 1 : 0};
    bool exact = qn_str_is(key, "exact"), when = qn_str_is(key, "when");
    if (qn_str_is(key, "name") && value.size > 0) {
      rule->name = value;
    } else if (qn_str_is(key, "test") && value.size > 0) {
      rule->test = value;
    } else if (exact && !set_exactness(rule, value)) {
      qn_rule_error(reporter, "RR0218", pos, "exact is bit, lsb1, real or approx, not '%.*s'",
                    QN_STR_ARG(value));
    } else if (when && !set_when(rule, value)) {
      qn_rule_error(reporter, "RR0218", pos, "when is always, if-cheaper or if-smaller, not '%.*s'",
                    QN_STR_ARG(value));
    } else if (!exact && !when) {
      qn_rule_error(reporter, "RR0218", pos, "expected name=, exact=, when= or test=, found '%.*s'",
                    QN_STR_ARG(word));
    }
  }
}
