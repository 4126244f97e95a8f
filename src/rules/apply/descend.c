/* Matching with the compiled decision tree (tree.h). Within one match, each operand, and each op
 * under a name, is looked up at most once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/tree_nodes.h"

static void *node_of(qn_rule_tree *t, uint32_t number);

static qn_rule_operand operand_of(qn_rule_tree *t, uint32_t number) {
  QN_ASSERT(number < t->values.count);
  qn_rule_tree_value *value = &t->values.data[number];
  if (value->round != t->round) {
    const qn_rule_view *v = t->view;
    void *node = node_of(t, value->node);
    /* the tests ask for an op before they ask for what it reads */
    QN_ASSERT(node && value->input < v->input_count(v->graph, node));
    value->operand = v->input(v->graph, node, value->input);
    value->round = t->round;
  }
  return value->operand;
}

static void *node_of(qn_rule_tree *t, uint32_t number) {
  QN_ASSERT(number < t->nodes.count);
  qn_rule_tree_node *node = &t->nodes.data[number];
  if (node->round != t->round) {
    const qn_rule_view *v = t->view;
    node->found = v->as(v->graph, operand_of(t, node->value), node->name);
    node->round = t->round;
  }
  return node->found;
}

static bool holds(qn_rule_tree *t, const qn_rule_tree_test *test) {
  const qn_rule_view *v = t->view;
  if (test->what == QN_RULE_TEST_SAME)
    return qn_rule_same_operand(operand_of(t, test->subject), operand_of(t, test->other));
  void *node = node_of(t, test->subject);
  if (!node) return false;
  uint32_t count = v->input_count(v->graph, node);
  return test->what == QN_RULE_TEST_OP_MORE ? count >= test->other : count == test->other;
}

static void take(qn_rule_tree *t, const qn_rule_tree_leaf *leaf, qn_rule_operand root,
                 qn_rule_found_list *found) {
  qn_array_reserve(found, found->count + 1);
  qn_rule_found *f = &found->data[found->count++];
  *f = (qn_rule_found){.rule = leaf->rule, .choice = leaf->choice, .binding = {.root = root}};
  for (uint32_t i = 0; i < leaf->tag_count; i++) {
    f->binding.bound[leaf->tags[i].tag] = true;
    f->binding.tags[leaf->tags[i].tag] = operand_of(t, leaf->tags[i].value);
  }
}

/* Follows every branch whose tests hold and appends the rules of the leaves it reaches to `found`.
 * The recursion depth is at most the number of tests of one pattern. */
static void descend(qn_rule_tree *t, const qn_rule_tree_branch *branch, qn_rule_operand root,
                    qn_rule_found_list *found) {
  for (; branch; branch = branch->next) {
    if (branch->leaf)
      take(t, branch->leaf, root, found);
    else if (holds(t, &t->tests.data[branch->test]))
      descend(t, branch->yes, root, found);
  }
}

static bool is_before(const qn_rule_found *a, const qn_rule_found *b) {
  return a->rule != b->rule ? a->rule < b->rule : a->choice < b->choice;
}

void qn_rule_tree_match(qn_rule_tree *tree, qn_rule_operand root, qn_rule_found_list *io_found) {
  size_t first = io_found->count;
  QN_ASSERT(tree->values.count > 0); /* the first value is the root */
  tree->round++;
  tree->values.data[0].operand = root;
  tree->values.data[0].round = tree->round;
  descend(tree, tree->first, root, io_found);
  for (size_t i = first + 1; i < io_found->count; i++) /* insertion sort: only a few rules match */
    for (size_t k = i; k > first && is_before(&io_found->data[k], &io_found->data[k - 1]); k--) {
      qn_rule_found other = io_found->data[k];
      io_found->data[k] = io_found->data[k - 1];
      io_found->data[k - 1] = other;
    }
}
