/* Internal to the parser: the state and functions that its files share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_SYNTAX_PARSER_H
#define QN_RULES_SYNTAX_PARSER_H

#include "rules/report.h"
#include "rules/syntax/lexer.h"

typedef struct qn_rule_parser {
  qn_arena *arena;
  qn_rule_reporter *reporter;
  qn_rule_lexer lexer;
  qn_rule_token token; /* the current token, not yet taken */
  qn_rule_pos last;    /* position after the last token that was taken */
  /* comments before a comma on a later line: they belong to the next operand */
  qn_rule_comment *waiting;
  uint32_t depth; /* open parentheses */
  /* position of the keyword of the rule or declaration that is being read */
  qn_rule_pos rule_pos;
  uint32_t operands; /* operands of this rule so far */
  bool damaged;      /* an error in this rule has been reported */
  bool abandoned;    /* the end of this rule can't be found */
} qn_rule_parser;

/* Limits of open parentheses and of operands per rule, far above any sensible rule. They bound
 * recursion, and the time of later passes over one rule. */
enum { QN_RULE_MAX_DEPTH = 100, QN_RULE_MAX_OPERANDS = 4096 };

/* Starts reading at a position: the token there becomes the current one. */
void qn_rule_parser_start(qn_rule_parser *p, qn_rule_pos at);
void qn_rule_parser_advance(qn_rule_parser *p);
/* Whether the next token is a keyword at the start of its line, with a parenthesis after it. */
bool qn_rule_parser_at_keyword(qn_rule_parser *p);

/* Parses an operand: a call, a constant, a string or a name. NULL after a reported error from which
 * the end of the operand can't be found. If `escapes`, C escapes are allowed in strings. */
qn_rule_node *qn_rule_parse_operand(qn_rule_parser *p, bool escapes);
/* Parses the operands of `call` after its open parenthesis, up to and including the closing one.
 * Returns false after a reported error from which their end can't be found. */
bool qn_rule_parse_args(qn_rule_parser *p, qn_rule_node *call);
/* Takes a comma; reports an error if there is none. `what` describes what must follow the comma. */
bool qn_rule_parse_comma(qn_rule_parser *p, const char *what);
/* Reports "expected `what`, found Y" at the current token. */
void qn_rule_parse_expected(qn_rule_parser *p, const char *what);
/* Splits the comments of the current token into those on the line of the previous token, and the
 * others. */
void qn_rule_split_comments(const qn_rule_parser *p, qn_rule_comment **out_behind,
                            qn_rule_comment **out_before);
/* Skips to after the closing parenthesis of the current rule, or to the next keyword. */
void qn_rule_parser_recover(qn_rule_parser *p);

/* Parses a number, which is the current token, with the given sign. */
qn_rule_node *qn_rule_parse_number(qn_rule_parser *p, qn_rule_pos sign_pos, char sign);

/* The keywords DEF_PACKAGE_... */
typedef enum qn_rule_keyword {
  QN_RULE_NO_KEYWORD,
  QN_RULE_KEYWORD_RULE,
  QN_RULE_KEYWORD_OP,
  QN_RULE_KEYWORD_OP_COST,
  QN_RULE_KEYWORD_OP_COST_FUNCTION,
  QN_RULE_KEYWORD_UNSUPPORTED,
} qn_rule_keyword;
qn_rule_keyword qn_rule_keyword_of(qn_str name);

/* Parses DEF_PACKAGE_OPTIMIZATION(...) or DEF_PACKAGE_OP...(...) from after the open parenthesis.
 * NULL after a reported error. */
qn_rule *qn_rule_parse_rule(qn_rule_parser *p);
const qn_rule_op_decl *qn_rule_parse_op_decl(qn_rule_parser *p, qn_rule_keyword keyword,
                                             qn_str word);

/* Reads "//:rule name=... exact=... test=...", which describes the rule after it. */
void qn_rule_parse_header(qn_rule_reporter *reporter, qn_rule_comment *comment, qn_rule *rule);
/* Reads all ":::EXTERNAL_SHAPEFN::: { type name(types); }" declarations in comments of a file. */
void qn_rule_parse_declared(qn_arena *arena, qn_rule_file *file);

/* Options for reading a file. */
typedef struct qn_rule_reading {
  bool strict;
  /* Called for each rule right after it was read, so that messages are in the order of the file. */
  void (*on_rule)(void *user, qn_rule *rule);
  void *user;
} qn_rule_reading;

/* Reads a file whose path and source are set. Errors are reported; rules that can be read are in
 * file->items even then. Returns QN_LIMIT if the file is too large. */
QN_NODISCARD qn_status qn_rule_file_read(qn_arena *arena, qn_rule_reporter *reporter,
                                         const qn_rule_reading *reading, qn_rule_file *file);

#endif
