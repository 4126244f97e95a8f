/* Internal to the compiled matcher: the data structures of the decision tree.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_TREE_NODES_H
#define QN_RULES_APPLY_TREE_NODES_H

#include "base/array.h"
#include "rules/apply/tree.h"

/* A position in the patterns: input `input` of node `node`. Value 0 is the root. `operand` caches
 * what the position is in the current match. */
typedef struct qn_rule_tree_value {
  uint32_t node, input;
  uint64_t round; /* match in which `operand` was looked up */
  qn_rule_operand operand;
} qn_rule_tree_value;

/* The op that defines a value, under one name. `found` caches the op in the current match. */
typedef struct qn_rule_tree_node {
  uint32_t value;
  qn_rule_name name;
  uint64_t round;
  void *found; /* NULL if the op does not have this name */
} qn_rule_tree_node;

typedef enum qn_rule_test_of {
  QN_RULE_TEST_OP,      /* subject is a node: it exists and has exactly `other` inputs */
  QN_RULE_TEST_OP_MORE, /* subject is a node: it exists and has at least `other` inputs */
  QN_RULE_TEST_SAME,    /* subject and other are values: both are the same operand */
} qn_rule_test_of;
typedef struct qn_rule_tree_test {
  uint32_t what, subject, other;
} qn_rule_tree_test;

typedef struct qn_rule_tree_tag {
  uint32_t tag, value;
} qn_rule_tree_tag;

/* An alternative in which a rule matches, and the value of each of its tags. */
typedef struct qn_rule_tree_leaf {
  uint32_t rule, choice, tag_count;
  qn_rule_tree_tag *tags;
} qn_rule_tree_leaf;

/* Either a leaf, if `leaf` is not NULL, or a test with the branches to follow if it holds. `next`
 * is the next branch of the same level; it is followed in either case. */
typedef struct qn_rule_tree_branch {
  const qn_rule_tree_leaf *leaf; /* NULL if the branch is a test */
  uint32_t test;
  struct qn_rule_tree_branch *yes, *next;
} qn_rule_tree_branch;

struct qn_rule_tree {
  const qn_rule_view *view;
  QN_ARRAY(qn_rule_tree_value) values;
  QN_ARRAY(qn_rule_tree_node) nodes;
  QN_ARRAY(qn_rule_tree_test) tests;
  const qn_rule_tree_branch *first;
  uint64_t round; /* number of matches so far */
};

#endif
