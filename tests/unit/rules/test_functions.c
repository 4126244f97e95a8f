/* The table of functions is consistent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "rules/functions.h"
#include "rules/passes.h"

#include <cmocka.h>

static uint32_t words_of(const qn_rule_function *function) {
  qn_str list = qn_str_of(function->words), word;
  uint32_t count = 0;
  while (qn_str_next(&list, &word)) count++;
  return count;
}

static void names_are_unique(void **state) {
  (void)state;
  for (int i = 0; i < QN_RULE_FN_COUNT; i++) {
    const qn_rule_function *function = &qn_rule_functions[i];
    assert_ptr_equal(qn_rule_function_find(qn_str_of(function->name)), function);
    assert_int_equal(function->id, i);
  }
}

static void each_operand_has_a_word(void **state) {
  (void)state;
  for (int i = 0; i < QN_RULE_FN_COUNT; i++) {
    const qn_rule_function *function = &qn_rule_functions[i];
    uint32_t letters = 0;
    for (const char *at = function->operands; at && *at; at++) letters += !strchr("*+?", *at);
    if (function->id == QN_RULE_FN_SELECT) letters = 3;
    assert_int_equal(words_of(function), letters);
    if (function->extension) assert_non_null(qn_rule_extension_summary(function->extension));
  }
}

static void arities_follow_from_the_letters(void **state) {
  (void)state;
  static const struct {
    qn_rule_function_id id;
    uint32_t least, most;
  } rows[] = {{QN_RULE_FN_Op, 1, UINT32_MAX},
              {QN_RULE_FN_AND, 1, UINT32_MAX},
              {QN_RULE_FN_DIM_OF, 2, 2},
              {QN_RULE_FN_SELECT, 3, 3},
              {QN_RULE_FN_WITH_SPLIT_HISTORY, 2, 3},
              {QN_RULE_FN_EXTERNAL_REPLACE, 1, 1}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    uint32_t least, most;
    qn_rule_function_arity(&qn_rule_functions[rows[i].id], &least, &most);
    assert_int_equal(least, rows[i].least);
    assert_int_equal(most, rows[i].most);
  }
}

static void letters_of_calls(void **state) {
  (void)state;
  const qn_rule_function *history = &qn_rule_functions[QN_RULE_FN_WITH_SPLIT_HISTORY];
  assert_int_equal(qn_rule_function_letter(history, 2, 1), 'w');
  assert_int_equal(qn_rule_function_letter(history, 3, 1), 'K');
  assert_int_equal(qn_rule_function_letter(history, 3, 2), 'w');
  const qn_rule_function *op = &qn_rule_functions[QN_RULE_FN_Op];
  assert_int_equal(qn_rule_function_letter(op, 5, 0), 'O');
  assert_int_equal(qn_rule_function_letter(op, 5, 4), 'g');
}

static void passes_are_ordered(void **state) {
  (void)state;
  for (const qn_rule_pass *pass = qn_rule_passes; pass[1].name; pass++)
    assert_true(pass->number <= pass[1].number);
  assert_string_equal(qn_rule_pass_below(1998)->name, "GRAPH_CLEANUP");
  assert_string_equal(qn_rule_pass_below(2000)->name, "EARLY");
  assert_null(qn_rule_pass_below(499));
  assert_string_equal(qn_rule_pass_above(2000)->name, "MIDDLE");
  assert_null(qn_rule_pass_above(6000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test(each_operand_has_a_word),
      cmocka_unit_test(arities_follow_from_the_letters),
      cmocka_unit_test(letters_of_calls),
      cmocka_unit_test(passes_are_ordered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
