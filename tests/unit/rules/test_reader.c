/* Rules as trees: numbers, strings, headers, files, recovery and limits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/rules/rules_test.h"

static const qn_rule_node *constant_of(rules_test *t, const char *text) {
  qn_text rule = {0};
  qn_text_format(&rule, "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"R\", \"x\"), EQ(%s, 0), \"x\")",
                 text);
  qn_str kept = qn_arena_str(&t->arena, qn_text_view(&rule));
  qn_text_deinit(&rule);
  assert_int_equal(qn_rule_set_add(&t->set, qn_str_of("t.rr"), kept, &t->file), QN_OK);
  return t->file->items[0].rule->constraint->args[0];
}

static void numbers_have_the_values_that_c_gives_them(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
    bool is_size;
  } integers[] = {{"0", 0, false},    {"-2147483648", INT32_MIN, false},
                  {"+7L", 7, false},  {"0x7fFFffff", INT32_MAX, false},
                  {"017", 15, false}, {"4294967295ul", UINT32_MAX, true},
                  {"0Xau", 10, true}};
  static const struct {
    const char *text;
    double value;
  } floats[] = {
      {"1.5", 1.5}, {"-1.331e-2f", (double)-0.01331f}, {".5F", 0.5}, {"2.", 2}, {"1e3", 1000}};
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  for (size_t i = 0; i < QN_COUNT(integers); i++) {
    const qn_rule_node *node = constant_of(&t, integers[i].text);
    assert_int_equal(node->kind, QN_RULE_INT);
    assert_int_equal(node->integer, integers[i].value);
    assert_int_equal(node->is_size, integers[i].is_size);
  }
  for (size_t i = 0; i < QN_COUNT(floats); i++) {
    const qn_rule_node *node = constant_of(&t, floats[i].text);
    assert_int_equal(node->kind, QN_RULE_FLOAT);
    assert_true(node->real == floats[i].value);
  }
  rules_test_end(&t);
}

static void wrong_numbers_are_named(void **state) {
  (void)state;
  assert_codes(RULE_IF("EQ(2147483648, 0)"), "RR0111");
  assert_codes(RULE_IF("EQ(-1u, 0)"), "RR0111");
  assert_codes(RULE_IF("EQ(99999999999999999999u, 0)"), "RR0111");
  assert_codes(RULE_IF("EQ(12ab, 0)"), "RR0108");
  assert_codes(RULE_IF("EQ(0x, 0)"), "RR0108");
  assert_codes(RULE_IF("EQ(1.2.3, 0)"), "RR0108");
  assert_codes(RULE_IF("EQ(1e, 0)"), "RR0108");
}

static void adjacent_strings_are_one(void **state) {
  (void)state;
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  assert_int_equal(
      rules_test_add(&t, "t.rr",
                     "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Re\" /* c */ \"lu\", \"x\"), "
                     "OK, \"x\")"),
      QN_OK);
  const qn_rule_node *name = t.file->items[0].rule->match->args[0];
  assert_int_equal(name->text.size, 4);
  assert_memory_equal(name->text.data, "Relu", 4);
  rules_test_end(&t);
}

static void headers_name_rules(void **state) {
  (void)state;
  static const char text[] =
      "// a comment\n"
      "//:rule name=mine exact=lsb1 test=all\n" RULE_IF("OK") "\n" RULE_IF("IS_FLOAT(\"x\")");
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  assert_int_equal(rules_test_add(&t, "dir/some.file.rr", text), QN_OK);
  const qn_rule *first = t.set.rules.data[0], *second = t.set.rules.data[1];
  assert_true(qn_str_is(first->name, "mine") && qn_str_is(first->test, "all"));
  assert_int_equal(first->exact, QN_RULE_LSB1);
  assert_true(qn_str_is(second->name, "some-2"));
  assert_int_equal(second->exact, QN_RULE_UNSTATED);
  rules_test_end(&t);
  rules_test_begin(&t, (qn_rule_options){.strict = true});
  assert_int_equal(rules_test_add(&t, "some.rr", text), QN_OK);
  assert_true(qn_str_is(t.set.rules.data[0]->name, "some-1"));
  rules_test_end(&t);
}

static void one_wrong_rule_does_not_hide_another(void **state) {
  (void)state;
  assert_codes(RULE_IF("GT(1 2)") "\n" RULE_IF("OK") "\n" RULE_IF("GT((1), 2)"), "RR0201 RR0201");
  assert_codes("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\n" RULE_IF("FOO"), "RR0104 RR0210");
  assert_codes("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\"\n" RULE_IF("FOO"), "RR0201 RR0210");
  assert_codes("DEF_PACKAGE_OPTIMIZATION(", "RR0201");
  assert_codes("DEF_PACKAGE_OPTIMIZATION", "RR0212");
}

static void errors_of_a_file_are_limited(void **state) {
  (void)state;
  rules_test t;
  qn_text text = {0};
  rules_test_begin(&t, (qn_rule_options){0});
  for (int i = 0; i < 50; i++) qn_text_puts(&text, RULE_IF("FOO") "\n");
  assert_int_equal(qn_rule_set_add(&t.set, qn_str_of("t.rr"), qn_text_view(&text), &t.file),
                   QN_INVALID);
  assert_int_equal(t.file->errors, 50);
  assert_int_equal(t.diag.errors, 50);
  assert_non_null(strstr(t.messages.data, "30 more errors are not shown"));
  assert_int_equal(t.codes.size, 20 * 7 - 1);
  qn_text_deinit(&text);
  rules_test_end(&t);
}

static void depth_and_size_are_limited(void **state) {
  (void)state;
  qn_text deep = {0}, wide = {0}, casts = {0};
  qn_text_puts(&deep, "DEF_PACKAGE_OPTIMIZATION(EARLY, ");
  for (int i = 0; i < 100000; i++) qn_text_puts(&deep, "Op(\"R\", ");
  assert_codes(deep.data, "RR0214");
  qn_text_puts(&wide, "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"R\"");
  for (int i = 0; i < 100000; i++) qn_text_puts(&wide, ", \"a\"");
  qn_text_puts(&wide, "), OK, \"a\")");
  assert_codes(wide.data, "RR0214");
  qn_text_puts(&casts, "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"R\", \"x\"), EQ(");
  for (int i = 0; i < 100000; i++) qn_text_puts(&casts, "-(int)");
  assert_codes(casts.data, "RR0106");
  qn_text_deinit(&deep);
  qn_text_deinit(&wide);
  qn_text_deinit(&casts);
}

static void source_files_hold_rules_among_other_text(void **state) {
  (void)state;
  rules_test t;
  rules_test_begin(&t, (qn_rule_options){0});
  assert_int_equal(
      rules_test_add(&t, "a.cc",
                     "#define Q '\"'\nchar c = '\"';\n/* " RULE_IF("OK") "\n*/\n" RULE_IF(
                         "OK") ";\nint x = 1'000;\n" RULE_IF("IS_FLOAT(\"x\")")),
      QN_OK);
  assert_int_equal(t.set.rules.count, 2);
  assert_false(t.file->pure);
  rules_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_have_the_values_that_c_gives_them),
      cmocka_unit_test(wrong_numbers_are_named),
      cmocka_unit_test(adjacent_strings_are_one),
      cmocka_unit_test(headers_name_rules),
      cmocka_unit_test(one_wrong_rule_does_not_hide_another),
      cmocka_unit_test(errors_of_a_file_are_limited),
      cmocka_unit_test(depth_and_size_are_limited),
      cmocka_unit_test(source_files_hold_rules_among_other_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
