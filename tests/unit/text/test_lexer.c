/* Token kinds, spellings and positions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "text/lexer.h"

#include <cmocka.h>

typedef struct expected {
  qn_token_kind kind;
  const char *text;
  uint32_t line, column;
} expected;

static void check(const char *text, const expected *want, size_t count) {
  qn_lexer lexer;
  qn_lexer_init(&lexer, qn_str_of(text));
  for (size_t i = 0; i < count; i++) {
    qn_token token = qn_lexer_next(&lexer);
    assert_int_equal(token.kind, want[i].kind);
    assert_true(qn_str_is(token.text, want[i].text));
    assert_int_equal(token.pos.line, want[i].line);
    assert_int_equal(token.pos.column, want[i].column);
  }
  assert_int_equal(qn_lexer_next(&lexer).kind, QN_TOK_EOF);
  assert_int_equal(qn_lexer_next(&lexer).kind, QN_TOK_EOF);
}
#define CHECK(text, ...)                                                                           \
  check(text, (const expected[]){__VA_ARGS__}, QN_COUNT(((const expected[]){__VA_ARGS__})))

static void names_with_sigils(void **state) {
  (void)state;
  CHECK("%0 %a.b-c ^bb1 @f @\"x y\" !q.u #m #12 arith.addi$_1", {QN_TOK_PERCENT_ID, "%0", 1, 1},
        {QN_TOK_PERCENT_ID, "%a.b-c", 1, 4}, {QN_TOK_CARET_ID, "^bb1", 1, 11},
        {QN_TOK_AT_ID, "@f", 1, 16}, {QN_TOK_AT_ID, "@\"x y\"", 1, 19},
        {QN_TOK_EXCLAIM_ID, "!q.u", 1, 26}, {QN_TOK_HASH_ID, "#m", 1, 31},
        {QN_TOK_HASH_ID, "#12", 1, 34}, {QN_TOK_BARE_ID, "arith.addi$_1", 1, 38});
}

static void numbers(void **state) {
  (void)state;
  CHECK("0 42 0xFf 0xg 1.5 1.e5 1.5e-3 2.5e 4x8", {QN_TOK_INTEGER, "0", 1, 1},
        {QN_TOK_INTEGER, "42", 1, 3}, {QN_TOK_INTEGER, "0xFf", 1, 6}, {QN_TOK_INTEGER, "0", 1, 11},
        {QN_TOK_BARE_ID, "xg", 1, 12}, {QN_TOK_FLOAT, "1.5", 1, 15}, {QN_TOK_FLOAT, "1.e5", 1, 19},
        {QN_TOK_FLOAT, "1.5e-3", 1, 24}, {QN_TOK_FLOAT, "2.5", 1, 31}, {QN_TOK_BARE_ID, "e", 1, 34},
        {QN_TOK_INTEGER, "4", 1, 36}, {QN_TOK_BARE_ID, "x8", 1, 37});
}

static void punctuation(void **state) {
  (void)state;
  CHECK("(){}[]<>,:::=--> ?*+/|...{-##-}", {QN_TOK_LPAREN, "(", 1, 1}, {QN_TOK_RPAREN, ")", 1, 2},
        {QN_TOK_LBRACE, "{", 1, 3}, {QN_TOK_RBRACE, "}", 1, 4}, {QN_TOK_LSQUARE, "[", 1, 5},
        {QN_TOK_RSQUARE, "]", 1, 6}, {QN_TOK_LESS, "<", 1, 7}, {QN_TOK_GREATER, ">", 1, 8},
        {QN_TOK_COMMA, ",", 1, 9}, {QN_TOK_COLON_COLON, "::", 1, 10}, {QN_TOK_COLON, ":", 1, 12},
        {QN_TOK_EQUAL, "=", 1, 13}, {QN_TOK_MINUS, "-", 1, 14}, {QN_TOK_ARROW, "->", 1, 15},
        {QN_TOK_QUESTION, "?", 1, 18}, {QN_TOK_STAR, "*", 1, 19}, {QN_TOK_PLUS, "+", 1, 20},
        {QN_TOK_SLASH, "/", 1, 21}, {QN_TOK_PIPE, "|", 1, 22}, {QN_TOK_ELLIPSIS, "...", 1, 23},
        {QN_TOK_META_BEGIN, "{-#", 1, 26}, {QN_TOK_META_END, "#-}", 1, 29});
}

static void lines_and_comments(void **state) {
  (void)state;
  CHECK("a // b\n\t\r\n  \"c // \\\" d\"// e\nf", {QN_TOK_BARE_ID, "a", 1, 1},
        {QN_TOK_STRING, "\"c // \\\" d\"", 3, 3}, {QN_TOK_BARE_ID, "f", 4, 1});
}

static void what_is_no_token(void **state) {
  (void)state;
  CHECK("$ @1 \"open\nx .. % \"\\", {QN_TOK_ERROR, "$", 1, 1}, {QN_TOK_ERROR, "@", 1, 3},
        {QN_TOK_INTEGER, "1", 1, 4}, {QN_TOK_ERROR, "\"open", 1, 6}, {QN_TOK_BARE_ID, "x", 2, 1},
        {QN_TOK_ERROR, ".", 2, 3}, {QN_TOK_ERROR, ".", 2, 4}, {QN_TOK_ERROR, "%", 2, 6},
        {QN_TOK_ERROR, "\"\\", 2, 8});
}

static void which_names_need_quotes(void **state) {
  (void)state;
  assert_true(qn_is_bare_id(qn_str_of("a_1.b$")));
  assert_false(qn_is_bare_id(qn_str_of("1a")));
  assert_false(qn_is_bare_id(qn_str_of("a b")));
  assert_false(qn_is_bare_id(qn_str_of("")));
  assert_true(qn_is_suffix_id(qn_str_of("12")));
  assert_true(qn_is_suffix_id(qn_str_of("-a-")));
  assert_false(qn_is_suffix_id(qn_str_of("1a")));
  assert_false(qn_is_suffix_id(qn_str_of("")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_with_sigils), cmocka_unit_test(numbers),
      cmocka_unit_test(punctuation),       cmocka_unit_test(lines_and_comments),
      cmocka_unit_test(what_is_no_token),  cmocka_unit_test(which_names_need_quotes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
