/* Builds the decision tree. Each alternative of a rule (one order of operands for each EITHER) is a
 * set of tests. At a node, the test that most of the remaining alternatives contain comes first:
 * alternatives that contain it continue in its `yes` branch, the others in the next node.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/tree.h"

#include "rules/apply/tree_nodes.h"

/* One alternative of one rule: its leaf and the tests that must hold for it. */
typedef struct way {
  qn_rule_tree_leaf leaf;
  QN_ARRAY(uint32_t) tests;
  bool impossible;
} way;

typedef struct builder {
  qn_rule_tree *tree;
  qn_arena *arena;
  QN_ARRAY(way) ways;
  way *at;          /* the alternative that is being built */
  uint32_t choice;  /* bit k: the k-th EITHER has its operands swapped */
  uint32_t eithers; /* EITHER patterns met so far */
  uint32_t value_of_tag[QN_RULE_MAX_TAGS];
  bool bound[QN_RULE_MAX_TAGS];
} builder;

/* ---- values, nodes and tests, each created once ---- */

static uint32_t value_at(builder *b, uint32_t node, uint32_t input) {
  qn_rule_tree *t = b->tree;
  for (uint32_t i = 1; i < t->values.count; i++)
    if (t->values.data[i].node == node && t->values.data[i].input == input) return i;
  qn_array_push(&t->values, ((qn_rule_tree_value){.node = node, .input = input}));
  return (uint32_t)t->values.count - 1;
}

static uint32_t node_at(builder *b, uint32_t value, qn_str name) {
  qn_rule_tree *t = b->tree;
  for (uint32_t i = 0; i < t->nodes.count; i++)
    if (t->nodes.data[i].value == value && qn_str_equal(t->nodes.data[i].name.text, name)) return i;
  qn_array_push(&t->nodes, ((qn_rule_tree_node){.value = value,
                                                .name = t->view->resolve(t->view->graph, name)}));
  return (uint32_t)t->nodes.count - 1;
}

static void add_test(builder *b, qn_rule_tree_test test) {
  qn_rule_tree *t = b->tree;
  uint32_t found = 0;
  while (found < t->tests.count && memcmp(&t->tests.data[found], &test, sizeof test) != 0) found++;
  if (found == t->tests.count) qn_array_push(&t->tests, test);
  for (size_t i = 0; i < b->at->tests.count; i++)
    if (b->at->tests.data[i] == found) return;
  qn_array_push(&b->at->tests, found);
}

/* ---- patterns as tests ---- */

static void bind(builder *b, uint32_t tag, uint32_t value) {
  QN_ASSERT(tag < QN_RULE_MAX_TAGS && value < b->tree->values.count);
  if (!b->bound[tag]) {
    b->bound[tag] = true;
    b->value_of_tag[tag] = value;
  } else if (b->value_of_tag[tag] != value) {
    add_test(b, (qn_rule_tree_test){
                    .what = QN_RULE_TEST_SAME, .subject = b->value_of_tag[tag], .other = value});
  }
}

static void add_pattern(builder *b, const qn_rule_node *pattern, uint32_t value);

static void add_op(builder *b, const qn_rule_node *op, uint32_t value, bool swapped) {
  QN_ASSERT(op->arg_count > 0 && value < b->tree->values.count);
  uint32_t node = node_at(b, value, qn_rule_op_name(op)), wanted = op->arg_count - 1;
  bool more = qn_rule_is(op, QN_RULE_FN_OpVarIn);
  add_test(b, (qn_rule_tree_test){.what = more ? QN_RULE_TEST_OP_MORE : QN_RULE_TEST_OP,
                                  .subject = node,
                                  .other = wanted});
  if (swapped && wanted < 2) b->at->impossible = true;
  for (uint32_t i = 0; i < wanted && !b->at->impossible; i++)
    add_pattern(b, op->args[i + 1], value_at(b, node, swapped && i < 2 ? 1 - i : i));
}

static void add_pattern(builder *b, const qn_rule_node *pattern, uint32_t value) {
  bool swapped = false;
  while (qn_rule_is(pattern, QN_RULE_FN_EITHER)) {
    swapped = b->eithers < QN_RULE_MOST_EITHERS && (b->choice >> b->eithers & 1);
    b->eithers++;
    pattern = pattern->args[0];
  }
  if (pattern->kind == QN_RULE_STRING) {
    bind(b, pattern->tag, value);
  } else if (qn_rule_is(pattern, QN_RULE_FN_LET)) {
    add_pattern(b, pattern->args[1], value);
    bind(b, pattern->args[0]->tag, value);
  } else {
    add_op(b, pattern, value, swapped);
  }
}

static void add_way(builder *b, const qn_rule *rule, uint32_t number, uint32_t choice) {
  way w = {.leaf = {.rule = number, .choice = choice}};
  memset(b->bound, 0, sizeof b->bound);
  b->at = &w;
  b->choice = choice;
  b->eithers = 0;
  add_pattern(b, rule->match, 0);
  if (w.impossible) {
    qn_array_free(&w.tests);
    return;
  }
  w.leaf.tags = QN_NEW_ARRAY(b->arena, QN_RULE_MAX_TAGS, qn_rule_tree_tag);
  for (uint32_t tag = 0; tag < QN_RULE_MAX_TAGS; tag++)
    if (b->bound[tag])
      w.leaf.tags[w.leaf.tag_count++] = (qn_rule_tree_tag){tag, b->value_of_tag[tag]};
  qn_array_push(&b->ways, w);
}

/* ---- the order of the tests ---- */

/* Whether the op that defines `value` has been tested when the tests `held` have held, so that its
 * inputs can be read. */
static bool is_known(const builder *b, uint32_t value, const bool *held) {
  if (value == 0) return true;
  uint32_t node = b->tree->values.data[value].node;
  for (uint32_t i = 0; i < b->tree->tests.count; i++)
    if (held[i] && b->tree->tests.data[i].what != QN_RULE_TEST_SAME &&
        b->tree->tests.data[i].subject == node)
      return true;
  return false;
}

static bool can_be_asked(const builder *b, const qn_rule_tree_test *test, const bool *held) {
  if (test->what == QN_RULE_TEST_SAME)
    return is_known(b, test->subject, held) && is_known(b, test->other, held);
  return is_known(b, b->tree->nodes.data[test->subject].value, held);
}

/* The number of op kinds that can have the tested name: among equally frequent tests, the rarest
 * name is tested first. Equality tests come last. */
static uint32_t breadth_of(const builder *b, const qn_rule_tree_test *test) {
  return test->what == QN_RULE_TEST_SAME ? UINT32_MAX
                                         : b->tree->nodes.data[test->subject].name.breadth;
}

static uint32_t choose_test(const builder *b, way *const *ways, uint32_t count, const bool *held,
                            uint32_t *uses) {
  uint32_t best = UINT32_MAX;
  memset(uses, 0, b->tree->tests.count * sizeof *uses);
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < ways[i]->tests.count; k++) uses[ways[i]->tests.data[k]]++;
  for (uint32_t i = 0; i < b->tree->tests.count; i++) {
    const qn_rule_tree_test *test = &b->tree->tests.data[i];
    if (uses[i] == 0 || held[i] || !can_be_asked(b, test, held)) continue;
    bool better =
        best == UINT32_MAX || uses[i] > uses[best] ||
        (uses[i] == uses[best] && breadth_of(b, test) < breadth_of(b, &b->tree->tests.data[best]));
    if (better) best = i;
  }
  return best;
}

static bool has_test(const way *w, uint32_t test) {
  for (size_t i = 0; i < w->tests.count; i++)
    if (w->tests.data[i] == test) return true;
  return false;
}

static bool is_done(const way *w, const bool *held) {
  for (size_t i = 0; i < w->tests.count; i++)
    if (!held[w->tests.data[i]]) return false;
  return true;
}

static qn_rule_tree_branch *add_branch(builder *b, qn_rule_tree_branch ***io_end) {
  qn_rule_tree_branch *branch = QN_NEW(b->arena, qn_rule_tree_branch);
  *branch = (qn_rule_tree_branch){.leaf = NULL};
  **io_end = branch;
  *io_end = &branch->next;
  return branch;
}

/* Turns alternatives all of whose tests are in `held` into leaves. Returns how many alternatives
 * are left. */
static uint32_t take_done(builder *b, way **ways, uint32_t count, const bool *held,
                          qn_rule_tree_branch ***io_end) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (is_done(ways[i], held))
      add_branch(b, io_end)->leaf = &ways[i]->leaf;
    else
      ways[left++] = ways[i];
  }
  return left;
}

/* Builds the branches for `ways`, given that the tests `held` hold. The recursion depth is at most
 * the number of tests of one alternative. */
static qn_rule_tree_branch *build(builder *b, way **ways, uint32_t count, bool *held,
                                  uint32_t *uses) {
  qn_rule_tree_branch *first = NULL, **end = &first;
  way **with = QN_NEW_ARRAY(b->arena, count + 1, way *);
  count = take_done(b, ways, count, held, &end);
  while (count > 0) {
    uint32_t with_count = 0, left = 0;
    qn_rule_tree_branch *branch = add_branch(b, &end);
    branch->test = choose_test(b, ways, count, held, uses);
    for (uint32_t i = 0; i < count; i++) {
      if (has_test(ways[i], branch->test))
        with[with_count++] = ways[i];
      else
        ways[left++] = ways[i];
    }
    count = left;
    held[branch->test] = true;
    branch->yes = build(b, with, with_count, held, uses);
    held[branch->test] = false;
  }
  return first;
}

qn_rule_tree *qn_rule_tree_build(qn_arena *arena, const qn_rule_view *view,
                                 const qn_rule *const *rules, uint32_t count) {
  builder b = {.arena = arena, .tree = QN_NEW(arena, qn_rule_tree)};
  *b.tree = (qn_rule_tree){.view = view};
  qn_array_push(&b.tree->values, ((qn_rule_tree_value){.node = 0})); /* the root */
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t choice = 0; choice < qn_rule_ways(rules[i]); choice++)
      add_way(&b, rules[i], i, choice);
  way **ways = QN_NEW_ARRAY(arena, b.ways.count + 1, way *);
  for (size_t i = 0; i < b.ways.count; i++) {
    ways[i] = QN_NEW(arena, way);
    *ways[i] = b.ways.data[i];
  }
  bool *held = QN_NEW_ARRAY(arena, b.tree->tests.count + 1, bool);
  memset(held, 0, b.tree->tests.count + 1);
  uint32_t *uses = QN_NEW_ARRAY(arena, b.tree->tests.count + 1, uint32_t);
  b.tree->first = build(&b, ways, (uint32_t)b.ways.count, held, uses);
  for (size_t i = 0; i < b.ways.count; i++) qn_array_free(&b.ways.data[i].tests);
  qn_array_free(&b.ways);
  return b.tree;
}

void qn_rule_tree_free(qn_rule_tree *tree) {
  if (!tree) return;
  qn_array_free(&tree->values);
  qn_array_free(&tree->nodes);
  qn_array_free(&tree->tests);
}
