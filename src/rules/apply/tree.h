/* The compiled matcher: the patterns of many rules as one decision tree, so that what they have in
 * common is asked once. It finds what the plain matcher (match.h) finds, in the same order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_TREE_H
#define QN_RULES_APPLY_TREE_H

#include "base/array.h"
#include "rules/apply/match.h"

typedef struct qn_rule_tree qn_rule_tree;

/* A rule that matches: its number in the list that the tree was built from, in which way, and what
 * its tags are. */
typedef struct qn_rule_found {
  uint32_t rule, choice;
  qn_rule_binding binding;
} qn_rule_found;
typedef QN_ARRAY(qn_rule_found) qn_rule_found_list;

/* The tree of checked rules with expanded macros. It lives in the arena, but for what is freed
 * below; what is found at a root is noted in it: one user at a time. */
qn_rule_tree *qn_rule_tree_build(qn_arena *arena, const qn_rule_view *view,
                                 const qn_rule *const *rules, uint32_t count);
void qn_rule_tree_free(qn_rule_tree *tree); /* NULL is allowed */
/* Appends what matches at an output of a node: by rule, then by way. */
void qn_rule_tree_match(qn_rule_tree *tree, qn_rule_operand root, qn_rule_found_list *io_found);

#endif
