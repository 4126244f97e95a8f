/* Internal to the checks: their shared state and functions. The checks annotate the tree with the
 * function of each call, the types of scalars, and the tags that strings denote.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_CHECK_H
#define QN_RULES_CHECK_CHECK_H

#include "rules/functions.h"
#include "rules/report.h"
#include "rules/rules.h"

/* A split tag that AUTOSPLIT or OP_ITER defines for its last operand. */
typedef struct qn_rule_split {
  qn_str tag;
  const qn_rule_node *call; /* the AUTOSPLIT or OP_ITER */
  qn_rule_pos pos;          /* of the tag */
  bool active, used;
} qn_rule_split;

/* Limits far above any sensible rule. They keep linear searches in tags and splits short. */
enum { QN_RULE_MAX_TAGS = 64, QN_RULE_MAX_SPLITS = 64 };

typedef struct qn_rule_checker {
  qn_rule_set *set;
  qn_rule_reporter *reporter;
  const qn_rule_file *file;
  qn_rule *rule;
  qn_rule_tag *tags; /* [QN_RULE_MAX_TAGS] tags of the rule */
  uint32_t tag_count;
  qn_rule_split splits[QN_RULE_MAX_SPLITS];
  uint32_t split_count;
  /* the match has errors, so unbound tags are not reported: the wrong part may have bound them */
  bool tags_missing;
} qn_rule_checker;

/* ---- one rule ---- */

/* Checks a rule that has been read, reports all its errors, and annotates its tree. */
void qn_rule_check(qn_rule_set *set, qn_rule_reporter *reporter, const qn_rule_file *file,
                   qn_rule *rule);
void qn_rule_check_match(qn_rule_checker *c);
void qn_rule_check_replacement(qn_rule_checker *c);

/* ---- calls ---- */

/* Finds the function of a call and checks that it is allowed where one of `sorts` is expected. Does
 * not look at its operands. Returns NULL after it has reported an error, which says that `wanted`
 * is needed. */
const qn_rule_function *qn_rule_check_call(qn_rule_checker *c, qn_rule_node *node, uint32_t sorts,
                                           const char *wanted);
/* Checks each operand of a call by the letter that the function's row in functions.def gives it. */
void qn_rule_check_operands(qn_rule_checker *c, qn_rule_node *call);
/* Checks the operands of a call together, and sets the type of its result. */
void qn_rule_check_whole(qn_rule_checker *c, qn_rule_node *call);
/* How a node is named in messages: `the tag "x"`, "Op(...)", "4". */
const char *qn_rule_describe(qn_rule_checker *c, const qn_rule_node *node);
/* The source text of a node, or "..." if it is long. */
const char *qn_rule_source(qn_rule_checker *c, const qn_rule_node *node);

/* ---- parts ---- */

/* Checks a scalar. Returns its type, or POISON after an error has been reported. */
qn_rule_type qn_rule_check_scalar(qn_rule_checker *c, qn_rule_node *node);
static inline bool qn_rule_is_integral(qn_rule_type type) {
  return type == QN_RULE_I32 || type == QN_RULE_SIZE || type == QN_RULE_POISON;
}
static inline bool qn_rule_is_number(qn_rule_type type) {
  return qn_rule_is_integral(type) || type == QN_RULE_F32;
}

/* Checks a string that must be "*" or a tag that the match binds. */
void qn_rule_check_tag(qn_rule_checker *c, qn_rule_node *node);
/* The index of the tag; UINT32_MAX if the match does not bind it. */
uint32_t qn_rule_find_tag(const qn_rule_checker *c, qn_str name);
/* Checks the name of an op: a string, or FROM_DEFAULT_PACKAGE("op"). */
void qn_rule_check_op_name(qn_rule_checker *c, qn_rule_node *node);
/* The name in an Op pattern, also within FROM_DEFAULT_PACKAGE; empty if it has errors. */
qn_str qn_rule_op_name(const qn_rule_node *op);
/* Checks a use of a split tag. If `splits_only`, tags of OP_ITER are errors. */
void qn_rule_check_split_use(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag,
                             bool splits_only);
/* Defines the split tag of an AUTOSPLIT or OP_ITER. Returns NULL after it has reported an error. */
qn_rule_split *qn_rule_open_split(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag);

/* ---- registry: options, functions, layouts, dtypes ---- */

void qn_rule_check_dtype(qn_rule_checker *c, qn_rule_node *node);
void qn_rule_check_option(qn_rule_checker *c, qn_rule_node *node);
void qn_rule_check_layout(qn_rule_checker *c, qn_rule_node *node);
/* Checks a call of an external function against its signature. Requires operands that have already
 * been checked separately. */
void qn_rule_check_external(qn_rule_checker *c, qn_rule_node *call);

/* ---- whole rules ---- */

/* Maximum number of EITHER patterns for which the search for a graph that triggers the rule tries
 * both orders of operands: 2^5 combinations. */
enum { QN_RULE_MOST_EITHERS = 5 };

/* Reports an error if a piece of an AUTOSPLIT needs more than the same piece of its operands, so
 * that it can't be computed alone. Requires a rule without errors. */
void qn_rule_check_pieces(qn_rule_checker *c);
/* Warns of likely mistakes in a rule without errors. */
void qn_rule_lint(qn_rule_checker *c);

#endif
