/* The compiled matcher: the patterns of many rules as one decision tree, so that a test that
 * several patterns share is made once. It finds the same matches as the plain matcher (match.h), in
 * the same order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_TREE_H
#define QN_RULES_APPLY_TREE_H

#include "base/array.h"
#include "rules/apply/match.h"

typedef struct qn_rule_tree qn_rule_tree;

/* A rule that matches: its index in the list from which the tree was built, the alternative of its
 * EITHER patterns (`choice`, see match.h), and the operands of its tags. */
typedef struct qn_rule_found {
  uint32_t rule, choice;
  qn_rule_binding binding;
} qn_rule_found;
typedef QN_ARRAY(qn_rule_found) qn_rule_found_list;

/* Builds the tree of checked rules with expanded macros. It is allocated in `arena`, except for
 * arrays that qn_rule_tree_free frees. Matching stores intermediate results in the tree, so only
 * one thread may use it at a time. */
qn_rule_tree *qn_rule_tree_build(qn_arena *arena, const qn_rule_view *view,
                                 const qn_rule *const *rules, uint32_t count);
void qn_rule_tree_free(qn_rule_tree *tree); /* NULL is allowed */
/* Appends all matches at an output of a node, sorted by rule, then by alternative. */
void qn_rule_tree_match(qn_rule_tree *tree, qn_rule_operand root, qn_rule_found_list *io_found);

#endif
