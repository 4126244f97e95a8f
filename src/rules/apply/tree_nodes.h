/* Inside the compiled matcher: what a tree is made of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_TREE_NODES_H
#define QN_RULES_APPLY_TREE_NODES_H

#include "base/array.h"
#include "rules/apply/tree.h"

/* An operand at a place of the patterns: input `input` of a node. Number 0 is the root. */
typedef struct qn_rule_tree_value {
  uint32_t node, input;
  uint64_t round; /* of the matching in which it was looked at */
  qn_rule_operand operand;
} qn_rule_tree_value;

/* The node of a value under a name. */
typedef struct qn_rule_tree_node {
  uint32_t value;
  qn_rule_name name;
  uint64_t round;
  void *found; /* NULL: it is no such op */
} qn_rule_tree_node;

typedef enum qn_rule_test_of {
  QN_RULE_TEST_OP,      /* subject: a node; it is there and has `other` inputs, */
  QN_RULE_TEST_OP_MORE, /* or at least so many */
  QN_RULE_TEST_SAME,    /* subject, other: values that are one operand */
} qn_rule_test_of;
typedef struct qn_rule_tree_test {
  uint32_t what, subject, other;
} qn_rule_tree_test;

typedef struct qn_rule_tree_tag {
  uint32_t tag, value;
} qn_rule_tree_tag;

/* A way in which a rule matches. */
typedef struct qn_rule_tree_leaf {
  uint32_t rule, choice, tag_count;
  qn_rule_tree_tag *tags;
} qn_rule_tree_leaf;

/* What has matched, or a test and what is asked after it; then the next one beside it. */
typedef struct qn_rule_tree_branch {
  const qn_rule_tree_leaf *leaf; /* or NULL */
  uint32_t test;
  struct qn_rule_tree_branch *yes, *next;
} qn_rule_tree_branch;

struct qn_rule_tree {
  const qn_rule_view *view;
  QN_ARRAY(qn_rule_tree_value) values;
  QN_ARRAY(qn_rule_tree_node) nodes;
  QN_ARRAY(qn_rule_tree_test) tests;
  const qn_rule_tree_branch *first;
  uint64_t round; /* matchings so far */
};

#endif
