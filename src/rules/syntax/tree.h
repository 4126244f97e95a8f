/* The syntax tree of rule files: generic calls NAME(operand, ...). The checks annotate it later
 * with what each name means in its position. All nodes are allocated in the arena of the set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_SYNTAX_TREE_H
#define QN_RULES_SYNTAX_TREE_H

#include <quern/base.h>
#include <stdbool.h>

/* A position. Lines and columns start at 1, offsets at 0; columns count bytes. */
typedef struct qn_rule_pos {
  uint32_t line, column;
  uint32_t offset;
} qn_rule_pos;

typedef enum qn_rule_node_kind {
  QN_RULE_CALL,   /* text: the name before the parenthesis */
  QN_RULE_NAME,   /* a bare name */
  QN_RULE_STRING, /* text: without quotes, adjacent literals joined */
  QN_RULE_INT,    /* integer; is_size: with suffix U */
  QN_RULE_FLOAT,  /* real */
  QN_RULE_DTYPE,  /* text: what follows DType:: */
} qn_rule_node_kind;

/* Types of scalars. POISON: an error has been reported for this scalar, so further checks are
 * silent about it. */
typedef enum qn_rule_type {
  QN_RULE_POISON,
  QN_RULE_BOOL,
  QN_RULE_I32,
  QN_RULE_SIZE,
  QN_RULE_F32,
  QN_RULE_DTYPE_TAG,
} qn_rule_type;

/* A comment as written in the file, including its delimiters. */
typedef struct qn_rule_comment {
  qn_str text;
  qn_rule_pos pos;
  uint32_t end_line;
  bool line;  /* a // comment */
  bool alone; /* no token is on its lines */
  struct qn_rule_comment *next;
} qn_rule_comment;

typedef struct qn_rule_node qn_rule_node;
struct qn_rule_node {
  qn_rule_node_kind kind;
  /* damaged: an error in it was reported, and it may have too few operands */
  bool is_size, damaged;
  qn_rule_type type; /* set by the checks: type of a scalar */
  qn_rule_pos pos;   /* first character */
  uint32_t end;      /* offset after its last character */
  qn_rule_pos close; /* CALL: position of the closing parenthesis */
  qn_str text;       /* see qn_rule_node_kind */
  qn_str spelling;   /* INT, FLOAT: as written, sign included */
  int64_t integer;
  double real;
  qn_rule_node **args;
  uint32_t arg_count;
  /* set by the checks: function of a CALL, or constant of a NAME */
  const struct qn_rule_function *function;
  uint32_t tag; /* set by the checks: tag that a STRING denotes */
  /* comments before the node, and after it on the same line */
  qn_rule_comment *before, *behind;
  qn_rule_comment *inside; /* CALL: before the closing parenthesis */
};

/* The tag of "*", the matched output; others are indices into qn_rule.tags. */
#define QN_RULE_ROOT UINT32_MAX

typedef struct qn_rule_tag {
  qn_str name;
  qn_rule_pos first; /* position where the match binds it */
  qn_rule_node *let; /* the pattern that LET binds to it; NULL if none */
} qn_rule_tag;

/* How exact the result of a rule is, compared with what it replaces. */
typedef enum qn_rule_exactness {
  QN_RULE_UNSTATED,
  QN_RULE_BIT,  /* the same codes */
  QN_RULE_LSB1, /* codes differ by at most one */
  QN_RULE_REAL, /* equal in real arithmetic */
  QN_RULE_APPROX,
} qn_rule_exactness;
extern const char *const qn_rule_exactness_names[];

/* Where a rule is applied whose constraint holds. */
typedef enum qn_rule_when {
  QN_RULE_ALWAYS,
  QN_RULE_IF_CHEAPER, /* only if the estimated time decreases */
  QN_RULE_IF_SMALLER, /* only if the arena becomes smaller */
} qn_rule_when;
extern const char *const qn_rule_when_names[]; /* ended by NULL */

typedef struct qn_rule {
  const struct qn_rule_file *file;
  uint32_t index; /* index in the file, from 0 */
  qn_str name;    /* from the "//:rule" line, else FILE-STEM "-" number */
  qn_rule_exactness exact;
  qn_rule_when when;
  qn_str test;       /* from the "//:rule" line */
  qn_rule_pos pos;   /* position of the keyword */
  qn_rule_pos close; /* position of the closing parenthesis */
  qn_str pass_name;
  qn_rule_pos pass_pos, offset_pos;
  uint64_t pass_offset;
  bool has_offset;
  int64_t pass; /* set by the checks: number of the group of passes */
  qn_rule_comment *pass_before, *pass_behind;
  qn_rule_comment *inside; /* comments before the closing parenthesis */
  qn_rule_node *match, *constraint, *replacement;
  qn_rule_tag *tags; /* [tag_count] set by the checks */
  uint32_t tag_count;
  uint32_t extensions; /* set by the checks: bit k is set if the rule uses extension X<k> */
  bool good;           /* read and checked without an error */
  /* Set by the proofs: the replacement always has the sizes, and the encoding, of the matched
   * output. */
  bool sizes_proved, encoding_proved;
} qn_rule;

/* A DEF_PACKAGE_OP declaration or one of its variants, operands as written. */
typedef struct qn_rule_op_decl {
  qn_str keyword, function, op, cost;
  qn_rule_pos pos, close;
  uint32_t flags; /* bit k: qn_rule_flag_names[k] */
  bool cost_is_function;
} qn_rule_op_decl;
extern const char *const qn_rule_flag_names[]; /* ended by NULL */
extern const char *const qn_rule_cost_names[]; /* ended by NULL; most expensive first */

/* A signature that a C++ file declares in a comment. `operands` has a letter per operand, as in
 * qn_rule_external. */
typedef struct qn_rule_declared {
  qn_str name, operands;
} qn_rule_declared;

/* A part of a file, in order. */
typedef struct qn_rule_item {
  uint32_t begin, end; /* offsets */
  qn_rule *rule;       /* NULL if it is not a rule */
  /* NULL if it is not a declaration; both NULL: comments between rules */
  const qn_rule_op_decl *decl;
} qn_rule_item;

typedef struct qn_rule_file {
  qn_str path, source;
  bool pure; /* contains rules, declarations and comments only */
  qn_rule_item *items;
  uint32_t item_count;
  const qn_rule_declared *declared;
  uint32_t declared_count;
  uint32_t errors;
} qn_rule_file;

#endif
