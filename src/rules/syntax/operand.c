/* Parses operands in generic form: NAME(operand, ...), constants and strings. The checks decide
 * later what is allowed in each position.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "rules/functions.h"
#include "rules/syntax/parser.h"

/* Appends comments to the end of a list. */
static void append_comments(qn_rule_comment **list, qn_rule_comment *more) {
  while (*list) list = &(*list)->next;
  *list = more;
}

/* ---- constructs that are not operands ---- */

/* The function of the rule language for a C operator. */
static const char *function_of(qn_str op) {
  static const struct {
    const char *op, *name;
  } names[] = {{">", "GT"},  {"<", "LT"},   {">=", "GE"}, {"<=", "LE"}, {"==", "EQ"},
               {"!=", "NE"}, {"&&", "AND"}, {"||", "OR"}, {"+", "ADD"}, {"-", "SUB"},
               {"*", "MUL"}, {"/", "DIV"},  {"%", "REM"}};
  for (size_t i = 0; i < QN_COUNT(names); i++)
    if (qn_str_is(op, names[i].op)) return names[i].name;
  return NULL;
}

static qn_str source_of(const qn_rule_parser *p, const qn_rule_node *node) {
  return (qn_str){p->lexer.source.data + node->pos.offset, node->end - node->pos.offset};
}

static const char *function_of_type(qn_str type) {
  static const struct {
    const char *type, *name;
  } casts[] = {{"int", "INT"},       {"float", "FLOAT"},   {"double", "FLOAT"}, {"size_t", "UINT"},
               {"unsigned", "UINT"}, {"uint32_t", "UINT"}, {"int32_t", "INT"}};
  for (size_t i = 0; i < QN_COUNT(casts); i++)
    if (qn_str_is(type, casts[i].type)) return casts[i].name;
  return NULL;
}

/* At the '<' of "static_cast<int>(x)": parses the rest, and returns the rule function that converts
 * to this type, for the help text. Returns false if this is not a cast. */
static bool skip_cast(qn_rule_parser *ahead, const qn_rule_node *left, const char **out_function,
                      const qn_rule_node **out_operand) {
  static const char suffix[] = "_cast";
  size_t size = sizeof suffix - 1;
  bool is_cast = left->kind == QN_RULE_NAME && left->text.size > size &&
                 memcmp(left->text.data + left->text.size - size, suffix, size) == 0 &&
                 qn_str_is(ahead->token.text, "<");
  if (!is_cast) return false;
  qn_rule_parser_advance(ahead);
  *out_function = function_of_type(ahead->token.text);
  while (ahead->token.kind == QN_RULE_TOK_NAME || ahead->token.kind == QN_RULE_TOK_COLONS) {
    *out_function = function_of_type(ahead->token.text);
    qn_rule_parser_advance(ahead);
  }
  if (!qn_str_is(ahead->token.text, ">")) return false;
  qn_rule_parser_advance(ahead);
  if (ahead->token.kind != QN_RULE_TOK_OPEN) return false;
  qn_rule_parser_advance(ahead);
  *out_operand = qn_rule_parse_operand(ahead, false);
  if (!*out_operand || ahead->token.kind != QN_RULE_TOK_CLOSE) return false;
  qn_rule_parser_advance(ahead);
  return true;
}

/* Whether a node can be an operand of a comparison: a bare name must be a constant of the
 * language. */
static bool is_value(const qn_rule_node *node) {
  return node->kind != QN_RULE_NAME || qn_rule_function_find(node->text);
}

/* At an operator after an operand, as in `left > right`: reports it, suggests the function for it,
 * and continues after `right`. */
static bool refuse_operator(qn_rule_parser *p, const qn_rule_node *left) {
  const qn_rule_token op = p->token;
  const char *name = function_of(op.text);
  qn_rule_error(p->reporter, op.kind == QN_RULE_TOK_PLUS ? "RR0201" : "RR0106", op.pos,
                op.kind == QN_RULE_TOK_PLUS ? "expected ',' or ')', found '%.*s'"
                                            : "'%.*s' is not part of the rule language",
                QN_STR_ARG(op.text));
  p->damaged = true;
  qn_rule_reporter *reporter = p->reporter;
  qn_rule_parser ahead = *p;
  qn_diag_state state = qn_diag_silence(reporter->diag);
  qn_rule_reporter quiet = {.diag = reporter->diag, .arena = p->arena, .path = reporter->path};
  ahead.reporter = &quiet;
  const char *function = NULL;
  const qn_rule_node *right = NULL;
  qn_rule_parser at_operator = ahead;
  bool cast = skip_cast(&ahead, left, &function, &right);
  if (!cast) {
    ahead = at_operator;
    qn_rule_parser_advance(&ahead);
    right = qn_rule_parse_operand(&ahead, false);
  }
  qn_rule_flush(&quiet);
  qn_diag_restore(reporter->diag, &state);
  if (!right || ahead.abandoned) return false;
  if (cast && function)
    qn_rule_help(reporter, "C++ casts are not allowed; write %s(%.*s)", function,
                 QN_STR_ARG(source_of(p, right)));
  else if (!cast && name && is_value(left) && is_value(right))
    qn_rule_help(reporter, "write %s(%.*s, %.*s)", name, QN_STR_ARG(source_of(p, left)),
                 QN_STR_ARG(source_of(p, right)));
  *p = ahead;
  p->reporter = reporter;
  return true;
}

/* At "(int)x": reports the C cast and suggests the function that converts. */
static void refuse_parenthesis(qn_rule_parser *p) {
  qn_rule_parse_expected(p, "an operand");
  qn_rule_reporter quiet = {
      .diag = p->reporter->diag, .arena = p->arena, .path = p->reporter->path};
  qn_rule_parser ahead = *p;
  qn_diag_state state = qn_diag_silence(p->reporter->diag);
  ahead.reporter = &quiet;
  qn_rule_parser_advance(&ahead);
  const char *name = function_of_type(ahead.token.text);
  qn_rule_parser_advance(&ahead);
  const qn_rule_node *operand = NULL;
  if (name && ahead.token.kind == QN_RULE_TOK_CLOSE) {
    qn_rule_parser_advance(&ahead);
    if (ahead.token.kind == QN_RULE_TOK_NAME) operand = qn_rule_parse_operand(&ahead, false);
  }
  qn_rule_flush(&quiet);
  qn_diag_restore(p->reporter->diag, &state);
  if (operand)
    qn_rule_help(p->reporter, "C casts are not allowed; write %s(%.*s)", name,
                 QN_STR_ARG(source_of(p, operand)));
}

/* ---- strings ---- */

static void check_string(qn_rule_parser *p, const qn_rule_token *token, bool escapes) {
  qn_str inside = {token->text.data + 1, token->text.size - 2};
  uint32_t errors = p->reporter->errors;
  if (inside.size == 0) qn_rule_error(p->reporter, "RR0103", token->pos, "empty string");
  for (size_t i = 0; i < inside.size && p->reporter->errors == errors && !escapes; i++) {
    qn_rule_pos pos = token->pos;
    pos.column += (uint32_t)i + 1;
    unsigned char c = (unsigned char)inside.data[i];
    if (c == '\\') {
      qn_rule_error(p->reporter, "RR0102", pos,
                    "backslash in a string; escapes are not part of the rule language");
    } else if (c == ' ' || c == '\t') {
      qn_rule_error(p->reporter, "RR0101", pos, "a string may not contain a blank");
      qn_rule_help(p->reporter, "op names and tags use printable characters without blanks");
    } else if (c < 33 || c > 126) {
      qn_rule_error(p->reporter, "RR0101", pos,
                    "a string may contain printable ASCII characters only");
    }
  }
  p->damaged |= p->reporter->errors != errors;
}

static qn_rule_node *parse_string(qn_rule_parser *p, bool escapes) {
  qn_rule_node *node = QN_NEW(p->arena, qn_rule_node);
  node->kind = QN_RULE_STRING;
  node->pos = p->token.pos;
  while (p->token.kind == QN_RULE_TOK_STRING) {
    if (p->token.unterminated) {
      qn_rule_error(p->reporter, "RR0104", p->token.pos,
                    "string starts here and does not end on this line");
      p->damaged = p->abandoned = true;
      return NULL;
    }
    check_string(p, &p->token, escapes);
    qn_str part = {p->token.text.data + 1, p->token.text.size - 2};
    node->text = node->text.size == 0 ? part
                                      : qn_arena_format(p->arena, "%.*s%.*s",
                                                        QN_STR_ARG(node->text), QN_STR_ARG(part));
    qn_rule_parser_advance(p);
    node->end = p->last.offset;
    if (p->token.kind == QN_RULE_TOK_STRING) append_comments(&node->before, p->token.comments);
  }
  return node;
}

/* ---- calls and names ---- */

/* Reports a comma without an operand before or after it. */
static void refuse_hole(qn_rule_parser *p, qn_rule_node *call, qn_rule_pos comma,
                        const char *side) {
  static const char *const ordinals[] = {"first", "second", "third", "fourth", "fifth"};
  qn_rule_error(p->reporter, "RR0207", comma, "operand missing %s ','", side);
  const qn_rule_function *function = qn_rule_function_find(call->text);
  uint32_t least, most, place = call->arg_count;
  if (function && function->operands) {
    qn_rule_function_arity(function, &least, &most);
    qn_str word = qn_rule_function_word(function, place);
    if (place < least && place < QN_COUNT(ordinals) && word.size > 0)
      qn_rule_note_anywhere(p->reporter, "%s(%s) needs the %.*s as its %s operand", function->name,
                            function->words, QN_STR_ARG(word), ordinals[place]);
  }
  call->damaged = p->damaged = true;
}

typedef QN_ARRAY(qn_rule_node *) node_list;

/* Parses one operand, up to a comma or the closing parenthesis. Returns false if the parser can't
 * continue in this rule. */
static bool parse_arg(qn_rule_parser *p, qn_rule_node *call, node_list *list) {
  qn_rule_comment *before = p->token.comments;
  qn_rule_node *arg = qn_rule_parse_operand(p, qn_str_is(call->text, "MESSAGE"));
  if (!arg) return false;
  qn_rule_comment *inner = arg->before;
  arg->before = before;
  append_comments(&arg->before, inner);
  bool plus_or_minus = p->token.kind == QN_RULE_TOK_PLUS || p->token.kind == QN_RULE_TOK_MINUS;
  while (p->token.kind == QN_RULE_TOK_OPERATOR || plus_or_minus) {
    if (!refuse_operator(p, arg)) return false;
    plus_or_minus = p->token.kind == QN_RULE_TOK_PLUS || p->token.kind == QN_RULE_TOK_MINUS;
  }
  qn_rule_comment *rest;
  qn_rule_split_comments(p, &arg->behind, &rest);
  if (p->token.kind == QN_RULE_TOK_CLOSE)
    call->inside = rest;
  else
    p->waiting = rest;
  qn_array_push(list, arg);
  call->arg_count = (uint32_t)list->count;
  return true;
}

/* Takes a comma. Comments after it on its line belong to the operand before it. */
static void take_comma(qn_rule_parser *p, node_list *list) {
  qn_rule_comment *behind, *before;
  qn_rule_comment *waiting = p->waiting;
  p->waiting = NULL;
  qn_rule_parser_advance(p);
  qn_rule_split_comments(p, &behind, &before);
  if (list->count == 0 || waiting) {
    append_comments(&behind, before);
    before = behind;
    behind = NULL;
  } else {
    append_comments(&list->data[list->count - 1]->behind, behind);
  }
  append_comments(&waiting, before);
  p->token.comments = waiting;
}

static bool parse_list(qn_rule_parser *p, qn_rule_node *call, node_list *list) {
  if (p->token.kind == QN_RULE_TOK_CLOSE) {
    call->inside = p->token.comments;
    return true;
  }
  for (;;) {
    if (p->token.kind == QN_RULE_TOK_COMMA) {
      refuse_hole(p, call, p->token.pos, "before");
    } else if (!parse_arg(p, call, list)) {
      return false;
    }
    if (p->token.kind == QN_RULE_TOK_CLOSE) return true;
    if (p->token.kind != QN_RULE_TOK_COMMA) {
      qn_rule_parse_expected(p, "',' or ')'");
      return false;
    }
    qn_rule_pos comma = p->token.pos;
    take_comma(p, list);
    if (p->token.kind != QN_RULE_TOK_CLOSE) continue;
    refuse_hole(p, call, comma, "after");
    return true;
  }
}

bool qn_rule_parse_args(qn_rule_parser *p, qn_rule_node *call) {
  node_list list = {0};
  QN_ASSERT(p->depth > 0); /* the parenthesis before has been taken */
  bool good = parse_list(p, call, &list);
  call->arg_count = (uint32_t)list.count;
  call->args = qn_arena_copy(p->arena, list.data, list.count * sizeof *list.data);
  qn_array_free(&list);
  if (!good) return false;
  call->close = p->token.pos;
  qn_rule_parser_advance(p);
  call->end = p->last.offset;
  return true;
}

static qn_rule_node *parse_call(qn_rule_parser *p, qn_rule_node *node) {
  if (p->depth >= QN_RULE_MAX_DEPTH) {
    qn_rule_error(p->reporter, "RR0214", p->token.pos, "nesting is deeper than %d parentheses",
                  QN_RULE_MAX_DEPTH);
    p->damaged = true;
    return NULL;
  }
  node->kind = QN_RULE_CALL;
  append_comments(&node->before, p->token.comments);
  qn_rule_parser_advance(p);
  return qn_rule_parse_args(p, node) ? node : NULL;
}

/* Parses the rest of DType::NAME to a DTYPE node, and of Flags::NAME to the name. */
static qn_rule_node *parse_qualified(qn_rule_parser *p, qn_rule_node *node) {
  qn_str scope = node->text;
  qn_rule_parser_advance(p);
  if (p->token.kind != QN_RULE_TOK_NAME) {
    qn_rule_parse_expected(p, "a name behind '::'");
    return NULL;
  }
  if (!qn_str_is(scope, "DType") && !qn_str_is(scope, "Flags")) {
    qn_rule_error(p->reporter, "RR0201", node->pos, "expected 'DType::', found '%.*s::'",
                  QN_STR_ARG(scope));
    p->damaged = true;
  }
  node->kind = qn_str_is(scope, "DType") ? QN_RULE_DTYPE : QN_RULE_NAME;
  node->text = p->token.text;
  qn_rule_parser_advance(p);
  node->end = p->last.offset;
  return node;
}

static qn_rule_node *parse_name(qn_rule_parser *p) {
  qn_rule_node *node = QN_NEW(p->arena, qn_rule_node);
  node->kind = QN_RULE_NAME;
  node->pos = p->token.pos;
  node->text = p->token.text;
  qn_rule_parser_advance(p);
  node->end = p->last.offset;
  if (p->token.kind == QN_RULE_TOK_OPEN) return parse_call(p, node);
  if (p->token.kind == QN_RULE_TOK_COLONS) return parse_qualified(p, node);
  return node;
}

static qn_rule_node *parse_signed(qn_rule_parser *p) {
  const qn_rule_token sign = p->token;
  qn_rule_parser_advance(p);
  if (p->token.kind == QN_RULE_TOK_NUMBER)
    return qn_rule_parse_number(p, sign.pos, sign.text.data[0]);
  qn_rule_error(p->reporter, "RR0106", sign.pos, "'%.*s' may precede only numbers",
                QN_STR_ARG(sign.text));
  p->damaged = true;
  /* reject "- - -" here instead of by recursion */
  if (p->token.kind != QN_RULE_TOK_NAME) return NULL;
  qn_rule_node *operand = qn_rule_parse_operand(p, false);
  if (operand && sign.kind == QN_RULE_TOK_MINUS)
    qn_rule_help(p->reporter, "write NEG(%.*s)", QN_STR_ARG(source_of(p, operand)));
  return operand;
}

qn_rule_node *qn_rule_parse_operand(qn_rule_parser *p, bool escapes) {
  if (++p->operands > QN_RULE_MAX_OPERANDS) {
    qn_rule_error(p->reporter, "RR0214", p->token.pos, "more than %d operands in a rule",
                  QN_RULE_MAX_OPERANDS);
    p->damaged = true;
    return NULL;
  }
  const qn_rule_token_kind kind = p->token.kind;
  if (kind == QN_RULE_TOK_STRING) return parse_string(p, escapes);
  if (kind == QN_RULE_TOK_NUMBER) return qn_rule_parse_number(p, p->token.pos, '\0');
  if (kind == QN_RULE_TOK_PLUS || kind == QN_RULE_TOK_MINUS) return parse_signed(p);
  if (kind == QN_RULE_TOK_NAME && !qn_rule_parser_at_keyword(p)) return parse_name(p);
  if (kind == QN_RULE_TOK_OPEN) {
    refuse_parenthesis(p);
  } else if (kind == QN_RULE_TOK_OPERATOR || kind == QN_RULE_TOK_OTHER) {
    qn_rule_error(p->reporter, "RR0106", p->token.pos, "%s is not part of the rule language",
                  qn_rule_token_name(&p->lexer, &p->token));
    p->damaged = true;
  } else {
    qn_rule_parse_expected(p, "an operand");
  }
  return NULL;
}
