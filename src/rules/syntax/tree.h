/* What rule files are read into: generic calls, NAME(operand, ...), annotated later by the checks,
 * which know what each name means in its position. Everything lives in the arena of the set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_SYNTAX_TREE_H
#define QN_RULES_SYNTAX_TREE_H

#include <quern/base.h>
#include <stdbool.h>

/* Lines and columns count from 1, columns in bytes; offset from 0. */
typedef struct qn_rule_pos {
  uint32_t line, column;
  uint32_t offset;
} qn_rule_pos;

typedef enum qn_rule_node_kind {
  QN_RULE_CALL,   /* text: the name before the parenthesis */
  QN_RULE_NAME,   /* a bare name */
  QN_RULE_STRING, /* text: without quotes, adjacent ones joined */
  QN_RULE_INT,    /* integer; is_size: with suffix U */
  QN_RULE_FLOAT,  /* real */
  QN_RULE_DTYPE,  /* text: what follows DType:: */
} qn_rule_node_kind;

/* Types of scalars. POISON: of what has been reported already; nothing more is said about it. */
typedef enum qn_rule_type {
  QN_RULE_POISON,
  QN_RULE_BOOL,
  QN_RULE_I32,
  QN_RULE_SIZE,
  QN_RULE_F32,
  QN_RULE_DTYPE_TAG,
} qn_rule_type;

/* A comment, with its marks, as written in the file. */
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
  bool is_size, damaged; /* damaged: something in it was reported; its operands may be too few */
  qn_rule_type type;     /* by the checks: of a scalar */
  qn_rule_pos pos;       /* of its first character */
  uint32_t end;          /* offset after its last character */
  qn_rule_pos close;     /* CALL: of the closing parenthesis */
  qn_str text;           /* see the kinds */
  qn_str spelling;       /* INT, FLOAT: as written, sign included */
  int64_t integer;
  double real;
  qn_rule_node **args;
  uint32_t arg_count;
  const struct qn_rule_function *function; /* by the checks: CALL, and NAME of a constant */
  uint32_t tag;                            /* by the checks: of a string that is a tag */
  qn_rule_comment *before, *behind;        /* comments in front, and behind on the same line */
  qn_rule_comment *inside;                 /* CALL: before the closing parenthesis */
};

/* The tag of "*", the matched output; others are indices into qn_rule.tags. */
#define QN_RULE_ROOT UINT32_MAX

typedef struct qn_rule_tag {
  qn_str name;
  qn_rule_pos first; /* where the match binds it */
  qn_rule_node *let; /* the pattern that it names, or NULL */
} qn_rule_tag;

/* How far the result of a rule may be from what it replaces. */
typedef enum qn_rule_exactness {
  QN_RULE_UNSTATED,
  QN_RULE_BIT,  /* the same codes */
  QN_RULE_LSB1, /* codes differ by at most one */
  QN_RULE_REAL, /* equal in real arithmetic */
  QN_RULE_APPROX,
} qn_rule_exactness;
extern const char *const qn_rule_exactness_names[];

/* Where a rule that holds is applied. */
typedef enum qn_rule_when {
  QN_RULE_ALWAYS,
  QN_RULE_IF_CHEAPER, /* only where the estimate of time falls */
  QN_RULE_IF_SMALLER, /* only where that of the arena falls */
} qn_rule_when;
extern const char *const qn_rule_when_names[]; /* ended by NULL */

typedef struct qn_rule {
  const struct qn_rule_file *file;
  uint32_t index; /* in the file, from 0 */
  qn_str name;    /* of the "//:rule" line, else FILE-STEM "-" number */
  qn_rule_exactness exact;
  qn_rule_when when;
  qn_str test;       /* of the "//:rule" line */
  qn_rule_pos pos;   /* of the keyword */
  qn_rule_pos close; /* of the closing parenthesis */
  qn_str pass_name;
  qn_rule_pos pass_pos, offset_pos;
  uint64_t pass_offset;
  bool has_offset;
  int64_t pass; /* by the checks: the number of the pass */
  qn_rule_comment *pass_before, *pass_behind;
  qn_rule_comment *inside; /* before the closing parenthesis */
  qn_rule_node *match, *constraint, *replacement;
  qn_rule_tag *tags; /* by the checks */
  uint32_t tag_count;
  uint32_t extensions; /* by the checks: bit k is set when X<k> is used */
  bool good;           /* read and checked without an error */
  /* By the proofs: what it builds always has the sizes, the encoding of what it replaces. */
  bool sizes_proved, encoding_proved;
} qn_rule;

/* DEF_PACKAGE_OP and its longer forms, operands as written. */
typedef struct qn_rule_op_decl {
  qn_str keyword, function, op, cost;
  qn_rule_pos pos, close;
  uint32_t flags; /* bit k: qn_rule_flag_names[k] */
  bool cost_is_function;
} qn_rule_op_decl;
extern const char *const qn_rule_flag_names[]; /* ended by NULL */
extern const char *const qn_rule_cost_names[]; /* ended by NULL; the most expensive first */

/* A signature that a C++ file declares in a comment, in letters as of qn_rule_external. */
typedef struct qn_rule_declared {
  qn_str name, operands;
} qn_rule_declared;

/* What is in a file, in its order. */
typedef struct qn_rule_item {
  uint32_t begin, end;         /* offsets */
  qn_rule *rule;               /* or NULL */
  const qn_rule_op_decl *decl; /* or NULL: a comment between rules */
} qn_rule_item;

typedef struct qn_rule_file {
  qn_str path, source;
  bool pure; /* nothing but rules, declarations and comments */
  qn_rule_item *items;
  uint32_t item_count;
  const qn_rule_declared *declared;
  uint32_t declared_count;
  uint32_t errors;
} qn_rule_file;

#endif
