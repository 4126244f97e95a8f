/* Inside the checks: what they share. They annotate the tree: which function a call is, the types
 * of scalars, which tag a string is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_CHECK_H
#define QN_RULES_CHECK_CHECK_H

#include "rules/functions.h"
#include "rules/report.h"
#include "rules/rules.h"

/* What AUTOSPLIT and OP_ITER open for their last operand. */
typedef struct qn_rule_split {
  qn_str tag;
  const qn_rule_node *call; /* the AUTOSPLIT or OP_ITER */
  qn_rule_pos pos;          /* of the tag */
  bool active, used;
} qn_rule_split;

/* Nobody writes more; it keeps the lookups of a rule short. */
enum { QN_RULE_MAX_TAGS = 64, QN_RULE_MAX_SPLITS = 64 };

typedef struct qn_rule_checker {
  qn_rule_set *set;
  qn_rule_reporter *reporter;
  const qn_rule_file *file;
  qn_rule *rule;
  qn_rule_tag *tags; /* of the rule, QN_RULE_MAX_TAGS */
  uint32_t tag_count;
  qn_rule_split splits[QN_RULE_MAX_SPLITS];
  uint32_t split_count;
  bool tags_missing; /* the match is wrong, so that other tags may have been meant to be bound */
} qn_rule_checker;

/* ---- one rule ---- */

/* Reports all that is wrong with a rule that has been read; annotates it. */
void qn_rule_check(qn_rule_set *set, qn_rule_reporter *reporter, const qn_rule_file *file,
                   qn_rule *rule);
void qn_rule_check_match(qn_rule_checker *c);
void qn_rule_check_replacement(qn_rule_checker *c);

/* ---- calls ---- */

/* The function of a call that may stand where these sorts may; its operands are not looked at.
 * NULL: reported. `wanted` says what is needed. */
const qn_rule_function *qn_rule_check_call(qn_rule_checker *c, qn_rule_node *node, uint32_t sorts,
                                           const char *wanted);
/* The operands of a call, by the letters of its function. */
void qn_rule_check_operands(qn_rule_checker *c, qn_rule_node *call);
/* What follows from all operands of a call together, and the type of its result. */
void qn_rule_check_whole(qn_rule_checker *c, qn_rule_node *call);
/* How a node is named in messages: `the tag "x"`, "Op(...)", "4". */
const char *qn_rule_describe(qn_rule_checker *c, const qn_rule_node *node);
/* A node as written in the file, or "..." when that is long. */
const char *qn_rule_source(qn_rule_checker *c, const qn_rule_node *node);

/* ---- parts ---- */

/* A scalar: its type, which is POISON when something was reported. */
qn_rule_type qn_rule_check_scalar(qn_rule_checker *c, qn_rule_node *node);
static inline bool qn_rule_is_integral(qn_rule_type type) {
  return type == QN_RULE_I32 || type == QN_RULE_SIZE || type == QN_RULE_POISON;
}
static inline bool qn_rule_is_number(qn_rule_type type) {
  return qn_rule_is_integral(type) || type == QN_RULE_F32;
}

/* A string that names what the match binds, or "*". */
void qn_rule_check_tag(qn_rule_checker *c, qn_rule_node *node);
/* Index, or UINT32_MAX. */
uint32_t qn_rule_find_tag(const qn_rule_checker *c, qn_str name);
/* The name of an op: a string, or FROM_DEFAULT_PACKAGE("op"). */
void qn_rule_check_op_name(qn_rule_checker *c, qn_rule_node *node);
/* The op's name, wherever it is; empty if there is none. */
qn_str qn_rule_op_name(const qn_rule_node *op);
/* A use of a split tag; `splits_only`: OP_ITER's will not do. */
void qn_rule_check_split_use(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag,
                             bool splits_only);
/* The tag of an AUTOSPLIT or OP_ITER. NULL: reported. */
qn_rule_split *qn_rule_open_split(qn_rule_checker *c, qn_rule_node *call, qn_rule_node *tag);

/* ---- registry: options, functions, layouts, dtypes ---- */

void qn_rule_check_dtype(qn_rule_checker *c, qn_rule_node *node);
void qn_rule_check_option(qn_rule_checker *c, qn_rule_node *node);
void qn_rule_check_layout(qn_rule_checker *c, qn_rule_node *node);
/* A call of an external function, its operands checked before. */
void qn_rule_check_external(qn_rule_checker *c, qn_rule_node *call);

/* ---- whole rules ---- */

enum {
  QN_RULE_MOST_EITHERS = 5
}; /* EITHER patterns of a rule whose operands are also tried in the other order, by the search for
    * a graph that triggers the rule; 2^5 orders at most */

/* Whether the pieces of its AUTOSPLIT can be computed by themselves; of a rule without errors. */
void qn_rule_check_pieces(qn_rule_checker *c);
/* Warnings about a good rule. */
void qn_rule_lint(qn_rule_checker *c);

#endif
