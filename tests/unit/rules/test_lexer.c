/* Characters to tokens, comments and positions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "rules/syntax/lexer.h"

#include <cmocka.h>

static qn_arena arena;

static int setup(void **state) {
  (void)state;
  qn_arena_init(&arena);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  qn_arena_deinit(&arena);
  return 0;
}

static qn_rule_lexer begin(const char *text) {
  qn_rule_lexer lexer;
  qn_rule_lexer_init(&lexer, &arena, qn_str_of(text), (qn_rule_pos){1, 1, 0});
  return lexer;
}

static void expect(qn_rule_lexer *lexer, qn_rule_token_kind kind, const char *text) {
  const qn_rule_token token = qn_rule_lexer_next(lexer);
  assert_int_equal(token.kind, kind);
  assert_int_equal(token.text.size, strlen(text));
  assert_memory_equal(token.text.data, text, token.text.size);
}

static void every_kind_of_token(void **state) {
  (void)state;
  qn_rule_lexer lexer = begin("Op( \"a\\\"b\" ,+-::>= 0x1Fu 1.5e-3f .5 name_1 @");
  expect(&lexer, QN_RULE_TOK_NAME, "Op");
  expect(&lexer, QN_RULE_TOK_OPEN, "(");
  expect(&lexer, QN_RULE_TOK_STRING, "\"a\\\"b\"");
  expect(&lexer, QN_RULE_TOK_COMMA, ",");
  expect(&lexer, QN_RULE_TOK_PLUS, "+");
  expect(&lexer, QN_RULE_TOK_MINUS, "-");
  expect(&lexer, QN_RULE_TOK_COLONS, "::");
  expect(&lexer, QN_RULE_TOK_OPERATOR, ">=");
  expect(&lexer, QN_RULE_TOK_NUMBER, "0x1Fu");
  expect(&lexer, QN_RULE_TOK_NUMBER, "1.5e-3f");
  expect(&lexer, QN_RULE_TOK_NUMBER, ".5");
  expect(&lexer, QN_RULE_TOK_NAME, "name_1");
  expect(&lexer, QN_RULE_TOK_OTHER, "@");
  expect(&lexer, QN_RULE_TOK_END, "");
  expect(&lexer, QN_RULE_TOK_END, "");
}

static void signs_of_sums_are_no_exponents(void **state) {
  (void)state;
  qn_rule_lexer lexer = begin("0xE+1");
  expect(&lexer, QN_RULE_TOK_NUMBER, "0xE");
  expect(&lexer, QN_RULE_TOK_PLUS, "+");
}

static void strings_end_with_their_line(void **state) {
  (void)state;
  qn_rule_lexer lexer = begin("\"ab\nc");
  const qn_rule_token token = qn_rule_lexer_next(&lexer);
  assert_true(token.unterminated);
  assert_int_equal(token.text.size, 3);
  const qn_rule_token next = qn_rule_lexer_next(&lexer);
  assert_int_equal(next.pos.line, 2);
  assert_int_equal(next.pos.column, 1);
  assert_true(next.starts_line);
}

static void comments_stand_with_the_token_behind_them(void **state) {
  (void)state;
  qn_rule_lexer lexer = begin("a // one\n  /* two\n */ /* three */ b /* open");
  qn_rule_lexer_next(&lexer);
  const qn_rule_token b = qn_rule_lexer_next(&lexer);
  const qn_rule_comment *one = b.comments, *two = one->next, *three = two->next;
  assert_true(one->line && !one->alone && !two->line && !three->line);
  assert_memory_equal(one->text.data, "// one", one->text.size);
  assert_int_equal(two->pos.line, 2);
  assert_int_equal(two->end_line, 3);
  assert_null(three->next);
  assert_true(b.starts_line);
  const qn_rule_token end = qn_rule_lexer_next(&lexer);
  assert_int_equal(end.kind, QN_RULE_TOK_END);
  assert_memory_equal(end.comments->text.data, "/* open", end.comments->text.size);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_token),
      cmocka_unit_test(signs_of_sums_are_no_exponents),
      cmocka_unit_test(strings_end_with_their_line),
      cmocka_unit_test(comments_stand_with_the_token_behind_them),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
