/* Types, tags, split contexts, and results that the check stores in the tree.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/rules/rules_test.h"

#include "rules/functions.h"

static qn_rule_type type_of(const char *expression) {
  rules_test t;
  qn_text text = {0};
  rules_test_begin(&t, (qn_rule_options){0});
  qn_text_format(&text, "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), EQ(%s, %s), \"x\")",
                 expression, expression);
  assert_int_equal(qn_rule_set_add(&t.set, qn_str_of("t.rr"), qn_text_view(&text), &t.file), QN_OK);
  qn_rule_type type = t.set.rules.data[0]->constraint->args[0]->type;
  qn_text_deinit(&text);
  rules_test_end(&t);
  return type;
}

static void mixed_arithmetic_is_promoted(void **state) {
  (void)state;
  assert_int_equal(type_of("ADD(1, 2)"), QN_RULE_I32);
  assert_int_equal(type_of("ADD(1, DIM_DEPTH(\"x\"))"), QN_RULE_SIZE);
  assert_int_equal(type_of("ADD(1, 2u, 0.5f)"), QN_RULE_F32);
  assert_int_equal(type_of("NEG(3u)"), QN_RULE_I32);
  assert_int_equal(type_of("ABS(-1.5)"), QN_RULE_F32);
  assert_int_equal(type_of("ROUNDUP(3, 4u)"), QN_RULE_SIZE);
  assert_int_equal(type_of("SELECT(OK, 1, 2.0f)"), QN_RULE_F32);
  assert_int_equal(type_of("SELECT(OK, DType::QInt8, DTYPE_OF(\"x\"))"), QN_RULE_DTYPE_TAG);
  assert_int_equal(type_of("INT(DTYPE_OF(\"x\"))"), QN_RULE_I32);
  assert_int_equal(type_of("UINT(IS_FLOAT(\"x\"))"), QN_RULE_SIZE);
  assert_int_equal(type_of("INF"), QN_RULE_F32);
  assert_int_equal(type_of("ZERO_OFFSET_OF(\"x\")"), QN_RULE_I32);
}

static void types_that_do_not_fit_are_refused(void **state) {
  (void)state;
  assert_codes(RULE_IF("1"), "RR0401");
  assert_codes(RULE_IF("AND(1.0f, OK)"), "RR0402");
  assert_codes(RULE_IF("SELECT(1, OK, OK)"), "RR0402");
  assert_codes(RULE_IF("EQ(OK, 1)"), "RR0403");
  assert_codes(RULE_IF("LT(OK, OK)"), "RR0403");
  assert_codes(RULE_IF("EQ(SELECT(OK, 1, OK), 1)"), "RR0404");
  assert_codes(RULE_IF("IS_POW2(1.0f)"), "RR0405");
  assert_codes(RULE_IF("GT(DIM_OF(\"x\", 1.0f), 1)"), "RR0405");
  assert_codes(RULE_IF("GT(DIM_OF(\"x\", -1), 1)"), "RR0407");
  assert_codes(RULE_IF("GT(ADD(OK, 1), 1)"), "RR0409");
  assert_codes(RULE_IF("EQ(DTYPE(1), DType::QInt8)"), "RR0409");
}

static void a_mistake_is_reported_once(void **state) {
  (void)state;
  assert_codes(RULE_IF("AND(GT(ADD(FOO(1), 1), 2), NOT(BAR))"), "RR0210 RR0210");
  assert_codes("DEF_PACKAGE_OPTIMIZATION(EARLY, \"x\", IS_FLOAT(\"y\"), Op(\"A\", \"z\"))",
               "RR0206");
  assert_codes(RULE_TO("Op(\"Clip\", WITH_SIZE(\"a\", FOO(\"b\")))"), "RR0210");
}

static void tags_are_numbered(void **state) {
  (void)state;
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  assert_int_equal(rules_test_add(&t, "t.rr",
                                  "DEF_PACKAGE_OPTIMIZATION(EARLY,\n Op(\"Add\", LET(\"l\", "
                                  "Op(\"Relu\", \"x\")), \"x\"), SAME_OP(\"l\", \"*\"), \"x\")"),
                   QN_OK);
  const qn_rule *rule = t.set.rules.data[0];
  assert_int_equal(rule->tag_count, 2);
  assert_true(qn_str_is(rule->tags[0].name, "x") && qn_str_is(rule->tags[1].name, "l"));
  assert_non_null(rule->tags[1].let);
  assert_null(rule->tags[0].let);
  assert_int_equal(rule->constraint->args[0]->tag, 1);
  assert_true(rule->constraint->args[1]->tag == QN_RULE_ROOT);
  assert_int_equal(rule->replacement->tag, 0);
  assert_int_equal(rule->pass, 2000);
  rules_test_end(&t);
}

static void a_let_may_be_used_elsewhere(void **state) {
  (void)state;
  assert_codes(
      "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Add\", LET(\"t\", Op(\"Relu\", \"a\")), \"t\"), OK, "
      "\"t\")",
      "");
}

static void positions_decide_what_may_stand(void **state) {
  (void)state;
  assert_codes(RULE_TO("Op(\"Clip\", 1)"), "RR0211");
  assert_codes(RULE_TO("Op(\"Clip\", LET(\"t\", Op(\"Relu\", \"a\")))"), "RR0211");
  assert_codes(RULE_TO("Op(\"Clip\", EQ(1, 2))"), "RR0211");
  assert_codes(RULE_TO("1"), "RR0211");
  assert_codes(RULE_TO("EXTERNAL_REPLACE(\"f\")"), "RR0211");
  assert_codes(RULE_TO("gen_ShapeOf(Op(\"Relu\", \"a\"))"), "RR0605");
  assert_codes(
      RULE_TO("SELECT(OK, \"a\", AUTOSPLIT(1, \"I\", 2, Op(\"Add\", TYPICAL_SLICE(\"a\", \"I\"), "
              "\"b\")))"),
      "");
  assert_codes(RULE_TO("Operand(\"*\")"), "RR0602");
  assert_codes(RULE_TO("SELECT(OK, \"a\", SELECT(OK, \"b\", \"*\"))"), "RR0602");
  assert_codes(RULE_TO("WITH_TYPE(\"a\", SELECT(OK, Op(\"Relu\", \"a\"), \"b\"))"), "");
  assert_codes(RULE_TO("WITH_TYPE(\"a\", SELECT(OK, \"a\", \"b\"))"), "RR0604 RR0604");
}

static void split_tags_end_with_their_body(void **state) {
  (void)state;
  assert_codes(RULE_TO("OP_ITER(Op(\"Concat\"), \"J\", 0, ITER_VAR(\"J\"), \"a\")"), "RR0501");
  assert_codes(RULE_TO("OP_ITER(Op(\"Concat\"), \"J\", 0, 2, INPUT_OF(\"a\", ITER_VAR(\"J\")))"),
               "");
  assert_codes(RULE_TO("OP_ITER(Op(\"Concat\"), \"J\", 0, 2, \"a\")"), "");
  assert_codes(RULE_TO("AUTOSPLIT(1, \"I\", 8, SELECT(OK, Op(\"Add\", \"a\", \"b\"), "
                       "Op(\"Add\", \"b\", \"a\")))"),
               "RR0502");
}

static void extensions_are_known_and_refused(void **state) {
  (void)state;
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  assert_int_equal(rules_test_add(&t, "t.rr", RULE_IF("EQ(USES_OF(\"x\"), ZERO_OFFSET_OF(\"x\"))")),
                   QN_OK);
  assert_int_equal(t.set.rules.data[0]->extensions, 1u << 1 | 1u << 2);
  rules_test_end(&t);
  rules_test_begin(&t, (qn_rule_options){.strict = true});
  assert_int_equal(rules_test_add(&t, "t.rr", RULE_IF("EQ(USES_OF(\"x\"), 1)")), QN_INVALID);
  assert_string_equal(t.codes.data, "RR0215");
  rules_test_end(&t);
}

static void loops_are_seen_only_where_nothing_changes(void **state) {
  (void)state;
  static const char *const rules[][2] = {
      {"Op(\"A\", \"x\"), OK, Op(\"A\", Op(\"B\", \"x\"))", "W0801"},
      {"Op(\"A\", \"x\"), IS_FLOAT(\"*\"), WITH_SIZE(\"x\", Op(\"A\", \"x\"))", "W0801"},
      {"Op(\"A\", \"x\"), IS_FLOAT(\"x\"), Op(\"A\", Op(\"B\", \"x\"))", ""},
      {"Op(\"A\", Op(\"A\", \"x\")), OK, Op(\"A\", \"x\")", ""},
      {"Op(\"A\", \"x\", \"y\"), OK, Op(\"A\", \"x\")", ""},
      {"Op(\"A\", \"x\", \"x\"), OK, Op(\"A\", \"x\", Op(\"B\", \"x\"))", ""},
      {"Op(\"A\", \"x\", \"y\"), OK, SELECT(OK, \"x\", Op(\"A\", \"y\", \"x\"))", "W0801"}};
  for (size_t i = 0; i < QN_COUNT(rules); i++) {
    qn_text text = {0};
    qn_text_format(&text, "DEF_PACKAGE_OPTIMIZATION(EARLY, %s)", rules[i][0]);
    assert_codes(text.data, rules[i][1]);
    qn_text_deinit(&text);
  }
}

static void lints_are_asked_for(void **state) {
  (void)state;
  static const char text[] =
      "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Add\", \"x\", \"y\")), "
      "EQ(MUL(STEPSIZE_OF(\"x\"), 2), ADD(STEPSIZE_OF(\"y\"), 1.0f)), Op(\"Add\", \"x\", \"y\"))";
  rules_test t;
  assert_codes(text, "");
  rules_test_begin(&t, (qn_rule_options){.lint = true});
  assert_int_equal(rules_test_add(&t, "t.rr", text), QN_OK);
  assert_string_equal(t.codes.data, "W0807 W0808");
  rules_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixed_arithmetic_is_promoted),
      cmocka_unit_test(types_that_do_not_fit_are_refused),
      cmocka_unit_test(a_mistake_is_reported_once),
      cmocka_unit_test(tags_are_numbered),
      cmocka_unit_test(a_let_may_be_used_elsewhere),
      cmocka_unit_test(positions_decide_what_may_stand),
      cmocka_unit_test(split_tags_end_with_their_body),
      cmocka_unit_test(extensions_are_known_and_refused),
      cmocka_unit_test(loops_are_seen_only_where_nothing_changes),
      cmocka_unit_test(lints_are_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
