/* The canonical layout keeps all contents. Macros that are nested without limit are rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/rules/rules_test.h"

#include "rules/print/print.h"

static void formats_to(const char *path, const char *text, const char *wanted) {
  const char *from = text;
  for (int round = 0; round < 2; round++) { /* the second print must be the same */
    rules_test t;
    qn_text out = {0};
    rules_test_begin(&t, (qn_rule_options){0});
    assert_int_equal(rules_test_add(&t, path, from), QN_OK);
    qn_rule_format_file(t.file, &out);
    assert_string_equal(out.data ? out.data : "", wanted);
    qn_text_deinit(&out);
    rules_test_end(&t);
    from = wanted;
  }
}

static void parts_have_lines(void **state) {
  (void)state;
  formats_to(
      "t.rr", "\n\nDEF_PACKAGE_OPTIMIZATION ( EARLY+0 ,Op(\"Relu\",\"x\"),OK , \"x\" )",
      "DEF_PACKAGE_OPTIMIZATION(EARLY + 0,\n    Op(\"Relu\", \"x\"),\n    OK,\n    \"x\")\n");
}

static void nothing_is_nothing(void **state) {
  (void)state;
  formats_to("t.rr", "", "");
  formats_to("t.rr", " \n\n", "");
  formats_to("t.rr", "// a \n\n\n\n// b", "// a\n\n// b\n");
  formats_to("t.cc", "int a ;\n", "int a ;\n");
}

static void comments_are_kept_where_they_stand(void **state) {
  (void)state;
  formats_to(
      "t.rr",
      "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", /* in */ \"x\"), // of all\n"
      "  OK\n // before the comma\n , /* two\n lines */ \"x\"\n// end\n)",
      "DEF_PACKAGE_OPTIMIZATION(EARLY,\n    Op(\"Relu\", /* in */ \"x\"), // of all\n    OK,\n"
      "    // before the comma\n    /* two\n lines */\n    \"x\"\n    // end\n)\n");
}

static void macros_without_measure_are_refused(void **state) {
  (void)state;
  rules_test t;
  qn_text text = {0};
  rules_test_begin(&t, (qn_rule_options){0});
  qn_text_puts(&text, "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), SAME_SHAPE(\"x\", ");
  for (int i = 0; i < 20; i++) qn_text_puts(&text, "INPUT_OF(\"x\", INT(SAME_SHAPE(\"x\", ");
  qn_text_puts(&text, "\"x\"");
  for (int i = 0; i < 20; i++) qn_text_puts(&text, ")))");
  qn_text_puts(&text, "), \"x\")");
  assert_int_equal(qn_rule_set_add(&t.set, qn_str_of("t.rr"), qn_text_view(&text), &t.file), QN_OK);
  assert_null(qn_rule_expand(&t.arena, t.set.rules.data[0]));
  qn_text_deinit(&text);
  rules_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_have_lines),
      cmocka_unit_test(nothing_is_nothing),
      cmocka_unit_test(comments_are_kept_where_they_stand),
      cmocka_unit_test(macros_without_measure_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
