/* Inside the reader: the state that its files share.
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
  qn_rule_token token;      /* the next one */
  qn_rule_pos last;         /* after the token before it */
  qn_rule_comment *waiting; /* before a comma on another line: of the next operand */
  uint32_t depth;           /* open parentheses */
  qn_rule_pos rule_pos;     /* of the keyword of what is being read */
  uint32_t operands;        /* of the rule so far */
  bool damaged;             /* something in it has been reported */
  bool abandoned;           /* its end can't be found */
} qn_rule_parser;

/* Rules with more open parentheses at a time, or more operands, are rejected: no sensible rule has
 * them, and what follows may be slow for one rule. */
enum { QN_RULE_MAX_DEPTH = 100, QN_RULE_MAX_OPERANDS = 4096 };

/* Begins to read at a position: the token there is the next one. */
void qn_rule_parser_start(qn_rule_parser *p, qn_rule_pos at);
void qn_rule_parser_advance(qn_rule_parser *p);
/* Whether the next token is a keyword at the start of its line, with a parenthesis after it. */
bool qn_rule_parser_at_keyword(qn_rule_parser *p);

/* An operand: a call, a constant, a string or a name. NULL: reported, and where it ends is not
 * known. `escapes`: C's escapes are no error in a string. */
qn_rule_node *qn_rule_parse_operand(qn_rule_parser *p, bool escapes);
/* The operands after an open parenthesis that has been taken, up to and with the closing one.
 * False: reported, and where they end is not known. */
bool qn_rule_parse_args(qn_rule_parser *p, qn_rule_node *call);
/* Takes a comma, or says what is in its place. `what` is after the comma. */
bool qn_rule_parse_comma(qn_rule_parser *p, const char *what);
/* "expected X, found Y" at the next token. */
void qn_rule_parse_expected(qn_rule_parser *p, const char *what);
/* Splits comments into those that follow code on their line, and the others. */
void qn_rule_split_comments(const qn_rule_parser *p, qn_rule_comment **out_behind,
                            qn_rule_comment **out_before);
/* Moves to after the closing parenthesis of the rule that is being read, or to the next keyword.
 */
void qn_rule_parser_recover(qn_rule_parser *p);

/* A number of the given sign; its token is the next one. */
qn_rule_node *qn_rule_parse_number(qn_rule_parser *p, qn_rule_pos sign_pos, char sign);

/* The words of DEF_PACKAGE_...: which one a name is. */
typedef enum qn_rule_keyword {
  QN_RULE_NO_KEYWORD,
  QN_RULE_KEYWORD_RULE,
  QN_RULE_KEYWORD_OP,
  QN_RULE_KEYWORD_OP_COST,
  QN_RULE_KEYWORD_OP_COST_FUNCTION,
  QN_RULE_KEYWORD_UNSUPPORTED,
} qn_rule_keyword;
qn_rule_keyword qn_rule_keyword_of(qn_str name);

/* DEF_PACKAGE_OPTIMIZATION(...) and DEF_PACKAGE_OP...(...), from after the open parenthesis. NULL:
 * reported. */
qn_rule *qn_rule_parse_rule(qn_rule_parser *p);
const qn_rule_op_decl *qn_rule_parse_op_decl(qn_rule_parser *p, qn_rule_keyword keyword,
                                             qn_str word);

/* What "//:rule name=... exact=... test=..." says about the rule after it. */
void qn_rule_parse_header(qn_rule_reporter *reporter, qn_rule_comment *comment, qn_rule *rule);
/* Reads all ":::EXTERNAL_SHAPEFN::: { type name(types); }" of a file. */
void qn_rule_parse_declared(qn_arena *arena, qn_rule_file *file);

/* How a file is read. */
typedef struct qn_rule_reading {
  bool strict;
  /* Gets each rule as soon as it has been read, so that messages come in the order of the file. */
  void (*on_rule)(void *user, qn_rule *rule);
  void *user;
} qn_rule_reading;

/* Reads a whole file, whose path and source are set. Problems are reported; what can be read is
 * there. QN_LIMIT: the file is too large. */
QN_NODISCARD qn_status qn_rule_file_read(qn_arena *arena, qn_rule_reporter *reporter,
                                         const qn_rule_reading *reading, qn_rule_file *file);

#endif
