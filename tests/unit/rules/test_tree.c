/* The compiled matcher compared with the plain one: random patterns on random graphs give the same
 * bindings in the same order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/tree.h"
#include "rules/print/print.h"
#include "tests/unit/rules/rules_test.h"
#include "tests/unit/rules/toy_graph.h"

static uint32_t next(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

/* ---- patterns ---- */

static const char *const names[] = {"Add", "Mul", "Relu"};

static void put_op(uint64_t *state, qn_text *out, int depth, uint32_t *lets);

static void put_operand(uint64_t *state, qn_text *out, int depth, uint32_t *lets) {
  if (depth >= 3 || next(state, 3) == 0) {
    qn_text_format(out, "\"t%u\"", next(state, 4));
    return;
  }
  bool let = next(state, 4) == 0 && *lets < 3;
  if (let) qn_text_format(out, "LET(\"l%u\", ", (*lets)++);
  put_op(state, out, depth + 1, lets);
  if (let) qn_text_putc(out, ')');
}

static void put_op(uint64_t *state, qn_text *out, int depth, uint32_t *lets) {
  uint32_t count = 1 + next(state, 2);
  bool either = next(state, 4) == 0;
  if (either) qn_text_puts(out, "EITHER(");
  qn_text_format(out, "%s(\"%s\"", next(state, 4) ? "Op" : "OpVarIn", names[next(state, 3)]);
  for (uint32_t i = 0; i < count; i++) {
    qn_text_puts(out, ", ");
    put_operand(state, out, depth, lets);
  }
  qn_text_puts(out, either ? "))" : ")");
}

static void put_rules(uint64_t *state, qn_text *out, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t lets = 0;
    qn_text_format(out, "//:rule name=r%u\nDEF_PACKAGE_OPTIMIZATION(EARLY, ", i);
    put_op(state, out, 0, &lets);
    qn_text_puts(out, ", OK, Op(\"Abs\", INPUT_OF(\"*\", 0)))\n");
  }
}

/* ---- graphs ---- */

enum { NODES = 24 };

static void make_graph(uint64_t *state, toy_node *nodes) {
  for (uint32_t i = 0; i < NODES; i++) {
    nodes[i] = (toy_node){.name = i < 3 ? "Input" : names[next(state, 3)]};
    nodes[i].input_count = i < 3 ? 0 : 1 + next(state, 3);
    for (uint32_t k = 0; k < nodes[i].input_count; k++) /* near ones: deep, with shared operands */
      nodes[i].inputs[k] = (qn_rule_operand){&nodes[i - 1 - next(state, i < 6 ? i : 6)], 0};
  }
}

/* ---- comparison ---- */

static void assert_same(const qn_rule_binding *a, const qn_rule_binding *b) {
  assert_true(qn_rule_same_operand(a->root, b->root));
  for (uint32_t i = 0; i < QN_RULE_MAX_TAGS; i++) {
    assert_int_equal(a->bound[i], b->bound[i]);
    if (a->bound[i]) assert_true(qn_rule_same_operand(a->tags[i], b->tags[i]));
  }
}

static size_t compare(qn_rule_tree *tree, const qn_rule *const *rules, uint32_t count,
                      qn_rule_operand root) {
  qn_rule_found_list found = {0};
  size_t at = 0;
  qn_rule_tree_match(tree, root, &found);
  for (uint32_t i = 0; i < count; i++) {
    qn_rule_binding binding;
    for (uint32_t choice = 0; qn_rule_match(&toy_view, rules[i], root, &choice, &binding);
         choice++, at++) {
      assert_true(at < found.count);
      assert_int_equal(found.data[at].rule, i);
      assert_int_equal(found.data[at].choice, choice);
      assert_same(&found.data[at].binding, &binding);
    }
  }
  assert_int_equal(at, found.count);
  qn_array_free(&found);
  return at;
}

static size_t run(uint64_t seed) {
  enum { RULES = 30, GRAPHS = 20 };
  uint64_t state = seed;
  const qn_rule *rules[RULES];
  rules_test t;
  qn_text text = {0};
  size_t matches = 0;
  rules_test_begin(&t, (qn_rule_options){0});
  put_rules(&state, &text, RULES);
  (void)!rules_test_add(&t, "t.rr", text.data);
  uint32_t count = 0;
  for (size_t i = 0; i < t.set.rules.count; i++) {
    rules[count] = qn_rule_expand(&t.arena, t.set.rules.data[i]);
    count += rules[count] != NULL;
  }
  qn_rule_tree *tree = qn_rule_tree_build(&t.arena, &toy_view, rules, count);
  for (uint32_t g = 0; g < GRAPHS; g++) {
    toy_node nodes[NODES];
    make_graph(&state, nodes);
    for (uint32_t i = 0; i < NODES; i++)
      matches += compare(tree, rules, count, (qn_rule_operand){&nodes[i], 0});
  }
  qn_rule_tree_free(tree);
  qn_text_deinit(&text);
  rules_test_end(&t);
  return matches;
}

static void finds_what_rules_find_alone(void **state) {
  enum { SETS = 60 };
  size_t matches = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= SETS; seed++) matches += run(seed);
  assert_true(matches > 10000); /* patterns must match often */
}

/* A test that several patterns begin with is evaluated once. `asked` counts evaluations. */
static uint32_t asked;

static void *counting_as(void *graph, qn_rule_operand operand, qn_rule_name name) {
  asked++;
  return toy_as(graph, operand, name);
}

static void what_is_shared_is_asked_once(void **state) {
  rules_test t;
  qn_rule_view view = toy_view;
  toy_node x = {.name = "Input"};
  toy_node add = {.name = "Add", .input_count = 2, .inputs = {{&x, 0}, {&x, 0}}};
  toy_node relu = {.name = "Relu", .input_count = 1, .inputs = {{&add, 0}}};
  (void)state;
  rules_test_begin(&t, (qn_rule_options){0});
  (void)!rules_test_add(&t, "t.rr",
                        "//:rule name=a\n"
                        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Add\", \"a\", \"b\")), "
                        "OK, \"a\")\n"
                        "//:rule name=b\n"
                        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Add\", \"a\", \"a\")), "
                        "OK, \"a\")\n"
                        "//:rule name=c\n"
                        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Mul\", \"a\", \"b\")), "
                        "OK, \"a\")\n");
  assert_int_equal(t.set.rules.count, 3);
  view.as = counting_as;
  asked = 0;
  qn_rule_tree *tree = qn_rule_tree_build(&t.arena, &view, t.set.rules.data, 3);
  qn_rule_found_list found = {0};
  qn_rule_tree_match(tree, (qn_rule_operand){&relu, 0}, &found);
  assert_int_equal(found.count, 2);
  assert_int_equal(asked, 3); /* Relu, Add, Mul; separate patterns would evaluate six */
  qn_array_free(&found);
  qn_rule_tree_free(tree);
  rules_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_rules_find_alone),
                                     cmocka_unit_test(what_is_shared_is_asked_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
